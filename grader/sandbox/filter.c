/* The seccomp filters: they refuse system calls that no console program needs, and tell of reads from standard input. */
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the launcher knows x86-64 and arm64"
#endif

#define NEW_NAMESPACES \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)
/* CLONE_NEWTIME shares its bit with the exit signal of clone, and can be had by clone3 and unshare only. */

/* The requests that a C library makes on its streams. The rest of a terminal (its line discipline, who controls it, input typed for it) and
 * of a file (room beyond its end) is nobody's business here. */
static const uint32_t REQUESTS[] = {
    TCGETS, TCSETS, TCSETSW, TCSETSF, 0x802c542a /* TCGETS2 */, 0x402c542b /* TCSETS2, and with W and F */, 0x402c542c, 0x402c542d,
    TCSBRK /* tcdrain */, TCFLSH, TIOCGWINSZ, TIOCGPGRP, TIOCOUTQ, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX,
};

#define UNSHARE 2               /* of close_range: the caller gets a table of descriptors of its own */
#define HIGHEST 470             /* a system call newer than this file is one that nobody has thought about */

/* Numbers of calls that the headers of an older kernel do not name; the same on both architectures. */
enum {
    PIDFD_SEND_SIGNAL = 424, IO_URING_SETUP, IO_URING_ENTER, IO_URING_REGISTER, OPEN_TREE, MOVE_MOUNT, FSOPEN, FSCONFIG,
    FSMOUNT, FSPICK, CLONE3 = 435, PIDFD_GETFD = 438, PROCESS_MADVISE = 440, MOUNT_SETATTR = 442, CLOSE_RANGE = 436, QUOTACTL_FD = 443,
    MEMFD_SECRET = 447, FCHMODAT2 = 452, PROCESS_MRELEASE = 448, STATMOUNT = 457, LISTMOUNT = 458, SETXATTRAT = 463, REMOVEXATTRAT = 466,
    OPEN_TREE_ATTR = 467, FILE_SETATTR = 469,
};

static const int REFUSED[] = {
    /* The network, in every family. Every JVM and Python's asyncio want a pair of sockets. A pair shall reach nobody else and not
     * grow. With deny_sending it shall also hold no descriptors: no process would seem to have their files. */
    SYS_socket, SYS_setsockopt, SYS_bind, SYS_connect, SYS_listen, SYS_accept, SYS_accept4, SYS_sendmmsg,
    /* other processes */
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_move_pages, SYS_migrate_pages,
    PROCESS_MADVISE, PROCESS_MRELEASE, PIDFD_GETFD, PIDFD_SEND_SIGNAL,
    /* namespaces and mounts */
    SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, OPEN_TREE, MOVE_MOUNT, FSOPEN, FSCONFIG,
    FSMOUNT, FSPICK, MOUNT_SETATTR, STATMOUNT, LISTMOUNT, OPEN_TREE_ATTR, SYS_swapon, SYS_swapoff,
    /* ways into the kernel that had more holes than uses for a console program */
    SYS_bpf, IO_URING_SETUP, IO_URING_ENTER, IO_URING_REGISTER, SYS_perf_event_open, SYS_userfaultfd,
    SYS_keyctl, SYS_add_key, SYS_request_key, SYS_fanotify_init, SYS_inotify_add_watch, SYS_name_to_handle_at, SYS_open_by_handle_at,
    /* memory that no limit counts, and that outlives its program */
    SYS_memfd_create, MEMFD_SECRET, SYS_vmsplice, SYS_io_setup,
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_shmdt, SYS_semget, SYS_semop, SYS_semctl, SYS_semtimedop,
    SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl,
    SYS_mq_open, SYS_mq_unlink, SYS_mq_timedsend, SYS_mq_timedreceive, SYS_mq_notify, SYS_mq_getsetattr,
    /* the machine itself */
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_settimeofday, SYS_clock_settime,
    SYS_adjtimex, SYS_clock_adjtime, SYS_acct, SYS_quotactl, QUOTACTL_FD, SYS_syslog, SYS_vhangup, SYS_sethostname,
    SYS_setdomainname,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef __x86_64__
    SYS_iopl, SYS_ioperm, SYS_modify_ldt,
#endif
};

/* Calls that Landlock does not judge (truncate: not before Linux 6.2). They are refused if a program runs as our user. Then it has
 * our rights over all files that it can name, and over the priority and the cores of our processes. */
static const int REFUSED_AS_OURSELVES[] = {
    SYS_fchmodat, FCHMODAT2, SYS_fchownat, SYS_removexattr, SYS_lremovexattr, REMOVEXATTRAT, FILE_SETATTR, SYS_truncate,
    SYS_setpriority, SYS_sched_setaffinity, SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr, SYS_ioprio_set,
#ifdef __x86_64__
    SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
};

#define LENGTH(array) (sizeof(array) / sizeof *(array))
#define LOW_WORD(n) ((uint32_t)offsetof(struct seccomp_data, args) + 8u * (uint32_t)(n))      /* of an argument, on a little-endian machine */
#define HIGH_WORD(n) (LOW_WORD(n) + 4)
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)
#define IF(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)
#define IF_ABOVE(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, value, yes, no)
#define IF_FROM(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, value, yes, no)
#define GO(lines) BPF_STMT(BPF_JMP | BPF_JA, lines)
#define IF_ANY(bits, yes, no) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, yes, no)
#define AND(bits) BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits)
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define REFUSE(error) RETURN(SECCOMP_RET_ERRNO | (error))
#define ALLOW RETURN(SECCOMP_RET_ALLOW)

#define MOST_RULES 320
#define MOST_LINES 24           /* of one rule */

struct program {
    struct sock_filter lines[BPF_MAXINSNS];
    unsigned short length;
};

static void add(struct program *program, const struct sock_filter *lines, size_t count) {
    if (program->length + count > LENGTH(program->lines))
        abort();
    memcpy(program->lines + program->length, lines, count * sizeof *lines);
    program->length += (unsigned short)count;
}

#define LINES(...) (const struct sock_filter[]){__VA_ARGS__}, LENGTH(((const struct sock_filter[]){__VA_ARGS__}))
#define ADD(program, ...) add(program, LINES(__VA_ARGS__))

static int install(const struct program *program, unsigned flags) {
    struct sock_fprog code = {.len = program->length, .filter = (struct sock_filter *)program->lines};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &code);
}

/* The rule for all calls from one number up to the next rule's: lines that end in a RETURN on every path. */
struct rule {
    uint32_t number;
    struct sock_filter lines[MOST_LINES];
    size_t count;
};

struct rules {
    struct rule all[MOST_RULES];
    size_t count;
};

static void rule(struct rules *rules, uint32_t number, const struct sock_filter *lines, size_t count) {
    if (rules->count == MOST_RULES || count > MOST_LINES)
        abort();
    struct rule *new = &rules->all[rules->count++];
    *new = (struct rule){.number = number, .count = count};
    memcpy(new->lines, lines, count * sizeof *lines);
}

#define RULE(rules, number, ...) rule(rules, (uint32_t)(number), LINES(__VA_ARGS__))

static void refuse(struct rules *rules, const int *numbers, size_t count) {
    for (size_t i = 0; i < count; i++)
        RULE(rules, numbers[i], REFUSE(EPERM));
}

static int by_number(const void *one, const void *other) {
    uint32_t a = ((const struct rule *)one)->number, b = ((const struct rule *)other)->number;
    return (a > b) - (a < b);
}

static int same(const struct rule *one, const struct rule *other) {
    return one->count == other->count && !memcmp(one->lines, other->lines, one->count * sizeof *one->lines);
}

/* Rules of single calls as rules from every number up to the next: what has no rule is allowed, neighbours that are alike are one. */
static void span(const struct rules *single, struct rules *spans) {
    RULE(spans, 0, ALLOW);
    for (size_t i = 0; i < single->count; i++) {
        const struct rule *r = &single->all[i];
        if (i && r->number == single->all[i - 1].number)
            continue;
        if (!same(&spans->all[spans->count - 1], r))
            rule(spans, r->number, r->lines, r->count);
        if (i + 1 == single->count || single->all[i + 1].number != r->number + 1)
            RULE(spans, r->number + 1, ALLOW);
    }
}

/* A binary search for the number in the accumulator. The kernel translates a new filter and tries it on every number. With one
 * comparison after the other that took as long as the rest of a program's start. */
static void add_search(struct program *p, const struct rule *spans, size_t count) {
    if (count == 1) {
        add(p, spans->lines, spans->count);
        return;
    }
    size_t half = count / 2;
    unsigned short branch = p->length;
    ADD(p, IF_FROM(spans[half].number, 0, 1), GO(0));
    add_search(p, spans, half);
    p->lines[branch + 1].k = (uint32_t)(p->length - branch - 2);
    add_search(p, spans + half, count - half);
}

/* The call `number` only with `value` (or 0 where zero_too) as argument `n`. */
static void only_with(struct rules *r, uint32_t number, int n, uint32_t value, int zero_too) {
    RULE(r, number, LOAD(LOW_WORD(n)), IF(value, 2, 0), IF(zero_too ? 0 : value, 1, 0), REFUSE(EPERM), ALLOW);
}

/* mknod for FIFOs and plain files, mode in argument `n`. */
static void only_harmless_nodes(struct rules *r, uint32_t number, int n) {
    RULE(r, number, LOAD(LOW_WORD(n)), AND(S_IFMT), IF(S_IFIFO, 3, 0), IF(S_IFREG, 2, 0), IF(0, 1, 0), REFUSE(EPERM), ALLOW);
}

/* Memory that is shared without a file lives on out of sight of those who have it: only in small pieces, which are counted. */
static void only_small_shared_memory(struct rules *r) {
    uint32_t shared = MAP_SHARED | MAP_ANONYMOUS;
    RULE(r, SYS_mmap, LOAD(LOW_WORD(3)), AND(shared), IF(shared, 0, 5), LOAD(HIGH_WORD(1)), IF(0, 0, 2), LOAD(LOW_WORD(1)),
         IF_ABOVE(SHARED_PIECE, 0, 1), REFUSE(ENOMEM), ALLOW);
}

/* Large pipes hold memory that no limit counts, and their owner can be anyone's process, which then gets signals. */
static void only_plain_pipes(struct rules *r) {
    RULE(r, SYS_fcntl, LOAD(LOW_WORD(1)), IF(F_SETOWN, 3, 0), IF(F_SETOWN_EX, 2, 0), IF(F_SETSIG, 1, 0), IF(F_SETPIPE_SZ, 0, 1),
         REFUSE(EPERM), ALLOW);
}

/* Threads share descriptors and folders, as those of every library do: we look at those of a process. */
static void only_plain_threads(struct rules *r) {
    uint32_t shared = CLONE_FILES | CLONE_FS;
    RULE(r, SYS_clone, LOAD(LOW_WORD(0)), IF_ANY(NEW_NAMESPACES, 4, 0), IF_ANY(CLONE_THREAD, 0, 2), AND(shared), IF(shared, 0, 1),
         ALLOW, REFUSE(EPERM));
    RULE(r, CLOSE_RANGE, LOAD(LOW_WORD(2)), IF_ANY(UNSHARE, 0, 1), REFUSE(EPERM), ALLOW);
}

static void only_known_requests(struct rules *r) {
    struct sock_filter lines[LENGTH(REQUESTS) + 3] = {LOAD(LOW_WORD(1))};
    size_t count = 1;
    for (size_t left = LENGTH(REQUESTS); left; left--)
        lines[count++] = (struct sock_filter)IF(REQUESTS[left - 1], (uint8_t)left, 0);
    lines[count++] = (struct sock_filter)REFUSE(ENOTTY);
    lines[count++] = (struct sock_filter)ALLOW;
    rule(r, SYS_ioctl, lines, count);
}

/* sendto without an address. */
static void only_to_the_other_end(struct rules *r) {
    RULE(r, SYS_sendto, LOAD(LOW_WORD(4)), IF(0, 0, 2), LOAD(HIGH_WORD(4)), IF(0, 1, 0), REFUSE(EPERM), ALLOW);
}

/* On a tmpfs attributes take memory that counts neither as blocks nor as anybody's: as on a file system that has none. */
static void refuse_attributes(struct rules *r) {
    const int numbers[] = {SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SETXATTRAT};
    for (size_t i = 0; i < LENGTH(numbers); i++)
        RULE(r, numbers[i], REFUSE(EOPNOTSUPP));
}

static void refuse_changes_by_name(struct rules *r) {
    refuse(r, REFUSED_AS_OURSELVES, LENGTH(REFUSED_AS_OURSELVES));
    /* Without a name it changes an open file. */
    RULE(r, SYS_utimensat, LOAD(LOW_WORD(1)), IF(0, 0, 2), LOAD(HIGH_WORD(1)), IF(0, 1, 0), REFUSE(EPERM), ALLOW);
}

static void refuse_by_arguments(struct rules *r) {
    RULE(r, CLONE3, REFUSE(ENOSYS));    /* its flags lie in memory; libc then uses clone, whose flags we see */
    only_plain_threads(r);
    only_known_requests(r);
    only_to_the_other_end(r);
    refuse_attributes(r);
    only_with(r, SYS_socketpair, 0, AF_UNIX, 0);
    only_with(r, SYS_fallocate, 1, 0, 0);       /* else it takes room that no limit on the size of a file bounds */
    RULE(r, SYS_prctl, LOAD(LOW_WORD(0)), IF(PR_SET_DUMPABLE, 0, 1), REFUSE(EPERM), ALLOW);     /* we must see it */
    only_small_shared_memory(r);
    only_plain_pipes(r);
    only_with(r, SYS_prlimit64, 0, 0, 0);
    only_with(r, SYS_personality, 0, 0xffffffff, 1);
    only_harmless_nodes(r, SYS_mknodat, 2);
#ifdef SYS_mknod
    only_harmless_nodes(r, SYS_mknod, 1);
#endif
}

#define BEGIN LOAD(offsetof(struct seccomp_data, arch)), IF(ARCHITECTURE, 1, 0), RETURN(SECCOMP_RET_KILL_PROCESS), \
    LOAD(offsetof(struct seccomp_data, nr)), IF_ABOVE(HIGHEST, 0, 1), REFUSE(ENOSYS)        /* the x32 range among them */

static void make(struct program *program, struct rules *single) {
    struct rules spans = {.count = 0};
    qsort(single->all, single->count, sizeof *single->all, by_number);
    span(single, &spans);
    ADD(program, BEGIN);
    add_search(program, spans.all, spans.count);
}

static struct program denial;   /* made once for all programs of a cage */

void prepare_denial(int as_ourselves) {
    struct rules rules = {.count = 0};
    refuse(&rules, REFUSED, LENGTH(REFUSED));
    if (as_ourselves)
        refuse_changes_by_name(&rules);
    refuse_by_arguments(&rules);
    make(&denial, &rules);
}

int deny_system_calls(void) {
    return install(&denial, 0);
}

/* sendmsg can send descriptors: refused once our own are sent. */
int deny_sending(void) {
    struct program p = {.length = 0};
    ADD(&p, LOAD(offsetof(struct seccomp_data, nr)), IF(SYS_sendmsg, 0, 1), REFUSE(EPERM), ALLOW);
    return install(&p, 0);
}

/* If nothing else keeps signals in, a program may signal only itself. */
int deny_foreign_signals(void) {
    struct rules rules = {.count = 0};
    struct program program = {.length = 0};
    uint32_t self = (uint32_t)getpid();
    only_with(&rules, SYS_kill, 0, self, 1);
    only_with(&rules, SYS_tgkill, 0, self, 0);
    only_with(&rules, SYS_tkill, 0, self, 0);
    only_with(&rules, SYS_rt_sigqueueinfo, 0, self, 0);
    only_with(&rules, SYS_rt_tgsigqueueinfo, 0, self, 0);
    make(&program, &rules);
    return install(&program, 0);
}

/* The listener, or -1 where the kernel has none to give. */
int watch_reads(void) {
    struct program p = {.length = 0};
    ADD(&p, LOAD(offsetof(struct seccomp_data, arch)), IF(ARCHITECTURE, 0, 9), LOAD(offsetof(struct seccomp_data, nr)),
        IF(SYS_read, 1, 0), IF(SYS_readv, 0, 6), LOAD(LOW_WORD(0)), IF(0, 0, 4), LOAD(LOW_WORD(2)), IF(0, 0, 3),
        LOAD(HIGH_WORD(2)), IF(0, 0, 1), ALLOW, RETURN(SECCOMP_RET_USER_NOTIF));
    return install(&p, SECCOMP_FILTER_FLAG_NEW_LISTENER);
}
