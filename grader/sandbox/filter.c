/* Two seccomp filters: one refuses system calls that no console program needs, one tells of reads from standard input. */
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
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

#define HIGHEST 470             /* a system call newer than this file is one that nobody has thought about */

/* Numbers of calls that the headers of an older kernel do not name; the same on both architectures. */
enum {
    PIDFD_SEND_SIGNAL = 424, IO_URING_SETUP, IO_URING_ENTER, IO_URING_REGISTER, OPEN_TREE, MOVE_MOUNT, FSOPEN, FSCONFIG,
    FSMOUNT, FSPICK, CLONE3 = 435, PIDFD_GETFD = 438, PROCESS_MADVISE = 440, MOUNT_SETATTR = 442, QUOTACTL_FD = 443,
    MEMFD_SECRET = 447, FCHMODAT2 = 452, PROCESS_MRELEASE = 448, STATMOUNT = 457, LISTMOUNT = 458, SETXATTRAT = 463, REMOVEXATTRAT = 466,
    OPEN_TREE_ATTR = 467, FILE_SETATTR = 469,
};

static const int REFUSED[] = {
    /* the network, in every family; a pair of sockets, which every JVM wants, reaches nobody, but shall not grow */
    SYS_socket, SYS_setsockopt,
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

/* What Landlock does not judge (truncate: not before Linux 6.2): refused where a program has our user, and so our rights over
 * files that it can name, and over the priority and the cores of our processes. */
static const int REFUSED_AS_OURSELVES[] = {
    SYS_fchmodat, FCHMODAT2, SYS_fchownat, SYS_setxattr, SYS_lsetxattr, SYS_removexattr, SYS_lremovexattr, SETXATTRAT,
    REMOVEXATTRAT, FILE_SETATTR, SYS_truncate,
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
#define IF_ANY(bits, yes, no) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, yes, no)
#define AND(bits) BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits)
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define REFUSE(error) RETURN(SECCOMP_RET_ERRNO | (error))
#define ALLOW RETURN(SECCOMP_RET_ALLOW)

struct program {
    struct sock_filter lines[512];
    unsigned short length;
};

static void add(struct program *program, const struct sock_filter *lines, size_t count) {
    for (size_t i = 0; i < count; i++)
        program->lines[program->length++] = lines[i];
}

#define ADD(program, ...) \
    add(program, (const struct sock_filter[]){__VA_ARGS__}, LENGTH(((const struct sock_filter[]){__VA_ARGS__})))

static int install(const struct program *program, unsigned flags) {
    struct sock_fprog code = {.len = program->length, .filter = (struct sock_filter *)program->lines};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &code);
}

/* The call `number` only with `value` (or 0 where zero_too) as argument `n`. */
static void only_with(struct program *p, uint32_t number, int n, uint32_t value, int zero_too) {
    ADD(p, IF(number, 0, 5), LOAD(LOW_WORD(n)), IF(value, 2, 0), IF(zero_too ? 0 : value, 1, 0), REFUSE(EPERM), ALLOW);
}

/* mknod for FIFOs and plain files, mode in argument `n`. */
static void only_harmless_nodes(struct program *p, uint32_t number, int n) {
    ADD(p, IF(number, 0, 7), LOAD(LOW_WORD(n)), AND(S_IFMT), IF(S_IFIFO, 3, 0), IF(S_IFREG, 2, 0), IF(0, 1, 0),
        REFUSE(EPERM), ALLOW);
}

/* Memory that is shared without a file lives on out of sight of those who have it: only in small pieces, which are counted. */
static void only_small_shared_memory(struct program *p) {
    uint32_t shared = MAP_SHARED | MAP_ANONYMOUS;
    ADD(p, IF(SYS_mmap, 0, 9), LOAD(LOW_WORD(3)), AND(shared), IF(shared, 0, 5), LOAD(HIGH_WORD(1)), IF(0, 0, 2),
        LOAD(LOW_WORD(1)), IF_ABOVE(SHARED_PIECE, 0, 1), REFUSE(ENOMEM), ALLOW);
}

/* Large pipes hold memory that no limit counts, and their owner can be anyone's process, which then gets signals. */
static void only_plain_pipes(struct program *p) {
    ADD(p, IF(SYS_fcntl, 0, 7), LOAD(LOW_WORD(1)), IF(F_SETOWN, 3, 0), IF(F_SETOWN_EX, 2, 0), IF(F_SETSIG, 1, 0),
        IF(F_SETPIPE_SZ, 0, 1), REFUSE(EPERM), ALLOW);
}

static void refuse_changes_by_name(struct program *p) {
    for (size_t i = 0; i < LENGTH(REFUSED_AS_OURSELVES); i++)
        ADD(p, IF((uint32_t)REFUSED_AS_OURSELVES[i], 0, 1), REFUSE(EPERM));
    /* Without a name it changes an open file. */
    ADD(p, IF(SYS_utimensat, 0, 6), LOAD(LOW_WORD(1)), IF(0, 0, 2), LOAD(HIGH_WORD(1)), IF(0, 1, 0), REFUSE(EPERM), ALLOW);
}

static void refuse_by_arguments(struct program *p) {
    ADD(p, IF(CLONE3, 0, 1), REFUSE(ENOSYS));     /* its flags lie in memory; libc then uses clone, whose flags we see */
    ADD(p, IF(SYS_clone, 0, 4), LOAD(LOW_WORD(0)), IF_ANY(NEW_NAMESPACES, 0, 1), REFUSE(EPERM), ALLOW);
    ADD(p, IF(SYS_ioctl, 0, 5), LOAD(LOW_WORD(1)), IF(TIOCSTI, 1, 0), IF(TIOCLINUX, 0, 1), REFUSE(EPERM), ALLOW);
    ADD(p, IF(SYS_prctl, 0, 4), LOAD(LOW_WORD(0)), IF(PR_SET_DUMPABLE, 0, 1), REFUSE(EPERM), ALLOW);    /* we must see it */
    only_small_shared_memory(p);
    only_plain_pipes(p);
    only_with(p, SYS_prlimit64, 0, 0, 0);
    only_with(p, SYS_personality, 0, 0xffffffff, 1);
    only_harmless_nodes(p, SYS_mknodat, 2);
#ifdef SYS_mknod
    only_harmless_nodes(p, SYS_mknod, 1);
#endif
}

/* Where nothing else keeps signals in, a program may signal itself alone. */
static void refuse_foreign_signals(struct program *p) {
    uint32_t self = (uint32_t)getpid();
    only_with(p, SYS_kill, 0, self, 1);
    only_with(p, SYS_tgkill, 0, self, 0);
    only_with(p, SYS_tkill, 0, self, 0);
    only_with(p, SYS_rt_sigqueueinfo, 0, self, 0);
    only_with(p, SYS_rt_tgsigqueueinfo, 0, self, 0);
}

int deny_system_calls(int as_ourselves, int only_own_signals) {
    struct program p = {.length = 0};
    ADD(&p, LOAD(offsetof(struct seccomp_data, arch)), IF(ARCHITECTURE, 1, 0), RETURN(SECCOMP_RET_KILL_PROCESS),
        LOAD(offsetof(struct seccomp_data, nr)), IF_ABOVE(HIGHEST, 0, 1), REFUSE(ENOSYS));   /* the x32 range among them */
    for (size_t i = 0; i < LENGTH(REFUSED); i++)
        ADD(&p, IF((uint32_t)REFUSED[i], 0, 1), REFUSE(EPERM));
    if (as_ourselves)
        refuse_changes_by_name(&p);
    if (only_own_signals)
        refuse_foreign_signals(&p);
    refuse_by_arguments(&p);
    ADD(&p, ALLOW);
    return install(&p, 0);
}

/* The listener, or -1 where the kernel has none to give. */
int watch_reads(void) {
    struct program p = {.length = 0};
    ADD(&p, LOAD(offsetof(struct seccomp_data, arch)), IF(ARCHITECTURE, 0, 5), LOAD(offsetof(struct seccomp_data, nr)),
        IF(SYS_read, 1, 0), IF(SYS_readv, 0, 2), LOAD(LOW_WORD(0)), IF(0, 1, 0), ALLOW, RETURN(SECCOMP_RET_USER_NOTIF));
    return install(&p, SECCOMP_FILTER_FLAG_NEW_LISTENER);
}
