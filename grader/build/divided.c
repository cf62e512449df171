/* Linked into tests in C and C++: what was handed in never runs in the process that compares and tells the results. See divided.py.
 *
 * Theory of operation. Before anything else this process shares its heap, its stack and all variables with a second one, the program,
 * which is a fork of it. What was handed in is a library that the tests may read and not run. A call of one of its functions breaks
 * the tests by a signal, and the handler of that hands the call over. The program makes it on the same stack, with the same registers,
 * and hands back the registers that the function sets. One of the two waits while the other runs: the program may start no process,
 * and is stopped unless its only thread waits for the next call.
 *
 * Descriptors belong to each process alone, and so do the C library, with its streams and handlers, and the variables of this file.
 * So the program cannot write a result, and what it leaves to be called at an end is called at its own.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "grader_divided.h"

#define STACK (8ul << 20)       /* what a program has by itself */
#define OWN_STACK (1ul << 18)
#define LIBRARY "grader_student.so"
#define SET_ASIDE 0x60000000    /* added to the tag of what would be run as the library is loaded, which then nobody knows */

void grader_dies(const char *why) {
    dprintf(2, "grader: %s: %s\n", why, strerror(errno));
    _exit(121);
}

/* ------------------------------------------------------------------------------------------------------ memory of both */

void grader_shares(char *from, char *end) {
    for (; from < end; from += PIECE) {
        size_t size = (size_t)(end - from) < PIECE ? (size_t)(end - from) : PIECE;
        if (mmap(from, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
            grader_dies("sharing memory");
    }
}

/* Copies all pages but those of zeros: a large array that nobody has written to takes no memory before, and shall take none now. */
static void copy_used(char *into, const char *from, size_t size) {
    static const char zeros[PAGE];
    for (size_t at = 0; at < size; at += PAGE)
        if (memcmp(from + at, zeros, PAGE))
            memcpy(into + at, from + at, PAGE);
}

/* The same for memory that holds something. Nothing may be put onto the stack meanwhile where that is the stack. */
static void share_filled(char *from, char *end) {
    size_t size = (size_t)(end - from);
    char *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED)
        grader_dies("copying memory");
    copy_used(copy, from, size);
    grader_shares(from, end);
    copy_used(from, copy, size);
    munmap(copy, size);
}

/* ------------------------------------------------------------------------------------------------------- a call, in both */

struct call {
    uint64_t integers[6], vectors[8][2], rax, r10, sp, target;
    int error;
};

struct answer {
    uint64_t rax, rdx, vectors[2][2];
    unsigned char wide[16];     /* a long double, which comes back in a register of its own */
    uint64_t is_wide;
    int error;
    void *thrown;               /* the exception of C++ that ended it, else NULL */
};

/* See divided.cpp: only where there are exceptions. */
extern void *grader_guarded(void (*makes)(void)) __attribute__((weak, visibility("hidden")));
extern void grader_throws(void *thrown) __attribute__((weak, visibility("hidden")));

__attribute__((used, visibility("hidden"))) struct call call;
__attribute__((used, visibility("hidden"))) struct answer answer;
__attribute__((used, visibility("hidden"))) char own_stack[OWN_STACK] __attribute__((aligned(16)));
static struct {
    char *from, *end;
} code;                         /* of the library */
static int line;                /* to the other process */
static pid_t program;
static FILE *streams[3];
static char printed[BUFSIZ];    /* the C library takes room for it from the heap, which both have */
static char *stack, *in_use;    /* of both: its lower end, and where what lies on it begins */

void grader_hands_over(void) __attribute__((visibility("hidden")));
void grader_makes(void) __attribute__((visibility("hidden")));
void grader_call(void) __attribute__((used, visibility("hidden")));

/* In the tests, in place of the function: all registers that may hold arguments are kept, and those that it came back with are set. */
__asm__(
    ".text\n.globl grader_hands_over\n.hidden grader_hands_over\n.type grader_hands_over, @function\ngrader_hands_over:\n.cfi_startproc\n"
    "  leaq call(%rip), %r11\n"
    "  movq %rdi, 0(%r11)\n  movq %rsi, 8(%r11)\n  movq %rdx, 16(%r11)\n  movq %rcx, 24(%r11)\n  movq %r8, 32(%r11)\n  movq %r9, 40(%r11)\n"
    "  movups %xmm0, 48(%r11)\n  movups %xmm1, 64(%r11)\n  movups %xmm2, 80(%r11)\n  movups %xmm3, 96(%r11)\n"
    "  movups %xmm4, 112(%r11)\n  movups %xmm5, 128(%r11)\n  movups %xmm6, 144(%r11)\n  movups %xmm7, 160(%r11)\n"
    "  movq %rax, 176(%r11)\n  movq %r10, 184(%r11)\n  movq %rsp, 192(%r11)\n"
    "  leaq 262128+own_stack(%rip), %r10\n  movq %rbx, (%r10)\n  movq %rsp, %rbx\n"
    "  .cfi_def_cfa %rbx, 8\n  .cfi_escape 0x10, 3, 2, 0x77, 0\n"       /* rbx lies where rsp points to */
    "  movq %r10, %rsp\n"
    "  call grader_call\n"
    "  movq (%rsp), %r10\n  movq %rbx, %rsp\n  movq %r10, %rbx\n"
    "  .cfi_def_cfa %rsp, 8\n  .cfi_same_value %rbx\n"
    "  leaq answer(%rip), %r11\n"
    "  movq 0(%r11), %rax\n  movq 8(%r11), %rdx\n  movups 16(%r11), %xmm0\n  movups 32(%r11), %xmm1\n"
    "  cmpq $0, 64(%r11)\n  je 1f\n  fldt 48(%r11)\n1:\n  ret\n.cfi_endproc\n");

/* In the program: the call, as the tests would have made it. */
__asm__(
    ".globl grader_makes\n.hidden grader_makes\n.type grader_makes, @function\ngrader_makes:\n.cfi_startproc\n"
    "  pushq %rbx\n  pushq %rbp\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n  movq %rsp, %rbx\n"
    "  .cfi_def_cfa %rbx, 56\n  .cfi_offset %rbx, -16\n  .cfi_offset %rbp, -24\n  .cfi_offset %r12, -32\n"
    "  .cfi_offset %r13, -40\n  .cfi_offset %r14, -48\n  .cfi_offset %r15, -56\n"
    "  leaq call(%rip), %r11\n"
    "  movq 0(%r11), %rdi\n  movq 8(%r11), %rsi\n  movq 16(%r11), %rdx\n  movq 24(%r11), %rcx\n  movq 32(%r11), %r8\n  movq 40(%r11), %r9\n"
    "  movups 48(%r11), %xmm0\n  movups 64(%r11), %xmm1\n  movups 80(%r11), %xmm2\n  movups 96(%r11), %xmm3\n"
    "  movups 112(%r11), %xmm4\n  movups 128(%r11), %xmm5\n  movups 144(%r11), %xmm6\n  movups 160(%r11), %xmm7\n"
    "  movq 176(%r11), %rax\n  movq 184(%r11), %r10\n  movq 192(%r11), %rsp\n"
    "  leaq 2f(%rip), %rbp\n  movq %rbp, (%rsp)\n"
    "  movq 200(%r11), %r11\n  jmp *%r11\n"
    "2:\n"
    "  leaq answer(%rip), %r11\n"
    "  movq %rax, 0(%r11)\n  movq %rdx, 8(%r11)\n  movups %xmm0, 16(%r11)\n  movups %xmm1, 32(%r11)\n"
    "  movq $0, 64(%r11)\n"
    "  fxam\n  fnstsw %ax\n  andb $0x45, %ah\n  cmpb $0x41, %ah\n  je 3f\n"     /* the register is empty */
    "  fstpt 48(%r11)\n  movq $1, 64(%r11)\n3:\n"
    "  movq %rbx, %rsp\n"
    "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbp\n  popq %rbx\n  ret\n.cfi_endproc\n");

/* Sends or takes all of it; 0 where the other process has ended. */
static int whole(int sends, void *data, size_t size) {
    ssize_t done;
    for (char *at = data; size; at += done, size -= (size_t)done)
        while ((done = sends ? send(line, at, size, MSG_NOSIGNAL) : read(line, at, size)) <= 0)
            if (done == 0 || errno != EINTR)
                return 0;
    return 1;
}

/* ------------------------------------------------------------------------------------------------------- the program */

/* What the library would have run as it was loaded. */
static void construct(const ElfW(Dyn) *dynamic, ElfW(Addr) base) {
    void (**all)(int, char **, char **) = NULL;
    size_t count = 0;
    for (; dynamic->d_tag; dynamic++) {
        if (dynamic->d_tag == SET_ASIDE + DT_INIT_ARRAY)
            all = (void *)(base + dynamic->d_un.d_ptr);
        if (dynamic->d_tag == SET_ASIDE + DT_INIT_ARRAYSZ)
            count = dynamic->d_un.d_val / sizeof *all;
    }
    for (size_t i = 0; all && i < count; i++)
        all[i](0, NULL, environ);
}

static const ElfW(Dyn) *dynamic;
static ElfW(Addr) base;
static int again;

/* A process or a timer of it could wake the program while the tests run; a thread is stopped with it. */
static void start_no_process(void) {
    struct sock_filter lines[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fork, 7, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_vfork, 6, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_alarm, 5, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_setitimer, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_timer_create, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {.len = sizeof lines / sizeof *lines, .filter = lines};
    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
}

/* Landlock lets nobody look into a process outside of its own rules: they forbid nothing that a program could do. */
static void keep_out_of_the_tests(void) {
    uint64_t make_block_devices = 1 << 11;
    int rules = (int)syscall(444, &make_block_devices, sizeof make_block_devices, 0);
    if (rules >= 0) {
        syscall(446, rules, 0);
        close(rules);
    }
}

static void serve(void) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    keep_out_of_the_tests();
    start_no_process();
    dup2(2, 1);
    mprotect(code.from, (size_t)(code.end - code.from), PROT_READ | PROT_EXEC);
    mprotect(stack, STACK, PROT_READ | PROT_WRITE | PROT_EXEC);         /* a function within another is called through it */
    if (!again)
        construct(dynamic, base);
    memset(&answer, 0, sizeof answer);
    while (fflush(NULL), whole(1, &answer, sizeof answer) && whole(0, &call, sizeof call)) {
        errno = call.error;
        answer.thrown = NULL;
        if (grader_guarded)
            answer.thrown = grader_guarded(grader_makes);
        else
            grader_makes();
        answer.error = errno;
    }
    exit(0);
}

/* ----------------------------------------------------------------------------------------------------------- the tests */

/* cmocka, Catch2 and doctest set a handler for each test. A call of the program breaks the tests by this signal, so ours stays before theirs. */
static struct sigaction theirs;
static int (*real_sigaction)(int, const struct sigaction *, struct sigaction *);

int sigaction(int number, const struct sigaction *wanted, struct sigaction *before) {
    if (!real_sigaction)
        real_sigaction = (int (*)(int, const struct sigaction *, struct sigaction *))dlsym(RTLD_NEXT, "sigaction");
    if (number != SIGSEGV || !program)          /* the program has its own */
        return real_sigaction(number, wanted, before);
    struct sigaction set = theirs;
    if (wanted)
        theirs = *wanted;
    if (before)
        *before = set;
    return 0;
}

void (*signal(int number, void (*handler)(int)))(int) {
    struct sigaction wanted = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;
    return sigaction(number, &wanted, &before) ? SIG_ERR : before.sa_handler;
}

static void die_of(int number) {
    struct sigaction usual = {.sa_handler = SIG_DFL};
    real_sigaction(number, &usual, NULL);
    raise(number);
}

static int status, stopped, their_line; /* of the program: how it has ended; whether it stands still; its end of the line */

static int calls_of_the_program = -1, threads_of_the_program = -1;     /* files of /proc */

/* Whether the program has one thread, and that waits for the next call. It needs a moment to get there when it has answered. */
static int waits(void) {
    char doing[16];
    struct stat threads;
    int length = snprintf(doing, sizeof doing, "0 0x%x ", their_line), told = -1;
    if (calls_of_the_program < 0 || fstat(threads_of_the_program, &threads) || threads.st_nlink != 3)
        return 0;
    for (int often = 0; often < 100 && told; often++) {
        char now[16] = "";
        if (pread(calls_of_the_program, now, sizeof now - 1, 0) < length)
            continue;
        told = memcmp(now, doing, (size_t)length);
    }
    return told == 0;
}

/* While the tests run the program stands still: a thread of it, or itself behind a forged answer, could change what they are about to
   tell. To stop it by a signal takes four times as long as a call. */
static void stop_program(void) {
    int changed;
    if (waits() || kill(program, SIGSTOP))
        return;
    stopped = 1;
    while (waitpid(program, &changed, WUNTRACED) < 0 && errno == EINTR)
        ;
    if (!WIFSTOPPED(changed))
        status = changed;
}

static void end_as_the_program(void) {
    while (waitpid(program, &status, 0) < 0 && errno == EINTR)
        ;
    fflush(NULL);
    if (WIFSIGNALED(status))
        die_of(WTERMSIG(status));
    _exit(WEXITSTATUS(status));
}

/* Not on the stack that both have, on which this process goes on while the other begins. */
static void start(void) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        grader_dies("making a line");
    their_line = ends[1];
    program = fork();
    if (program < 0)
        grader_dies("starting the program");
    if (program == 0) {
        line = ends[1];
        close(ends[0]);
        serve();
    }
    line = ends[0];
    close(ends[1]);
    if (!whole(0, &answer, sizeof answer))
        end_as_the_program();
    char path[64];
    sprintf(path, "/proc/%d/syscall", program);
    calls_of_the_program = open(path, O_RDONLY | O_CLOEXEC);
    sprintf(path, "/proc/%d/task", program);
    threads_of_the_program = open(path, O_PATH | O_CLOEXEC);
    stop_program();
}

void grader_call(void) {
    uint64_t back = *(uint64_t *)call.sp;
    call.error = errno;
    fflush(stdout);
    fflush(stderr);
    if (stopped)
        kill(program, SIGCONT);
    stopped = 0;
    if (!whole(1, &call, sizeof call) || !whole(0, &answer, sizeof answer))
        end_as_the_program();
    stop_program();
    *(uint64_t *)call.sp = back;
    stdin = streams[0], stdout = streams[1], stderr = streams[2];
    errno = answer.error;
    if (answer.thrown)
        grader_throws(answer.thrown);
}

static void broken(int number, siginfo_t *info, void *context) {
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    char *at = (char *)registers[REG_RIP];
    if (at >= code.from && at < code.end && info->si_addr == at) {
        call.target = (uint64_t)at;
        registers[REG_RIP] = (greg_t)grader_hands_over;
    } else if (theirs.sa_handler == SIG_DFL || theirs.sa_handler == SIG_IGN)
        die_of(number);
    else if (theirs.sa_flags & SA_SIGINFO)
        theirs.sa_sigaction(number, info, context);
    else
        theirs.sa_handler(number);
}

static int look(struct dl_phdr_info *info, size_t size, void *data) {
    const char *name = strrchr(info->dlpi_name, '/');
    int library = name && !strcmp(name + 1, LIBRARY);
    char *fixed = NULL;
    (void)size, (void)data;
    if (!library && *info->dlpi_name)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO)
            fixed = (char *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        char *from = (char *)((info->dlpi_addr + part->p_vaddr) & -PAGE);
        char *end = (char *)((info->dlpi_addr + part->p_vaddr + part->p_memsz + PAGE - 1) & -PAGE);
        if (part->p_type == PT_DYNAMIC && library)
            dynamic = (void *)(info->dlpi_addr + part->p_vaddr), base = info->dlpi_addr;
        if (part->p_type != PT_LOAD)
            continue;
        if (library && part->p_flags & PF_X)
            code.from = from, code.end = end;
        if (!(part->p_flags & PF_W))
            continue;
        if (fixed > from)
            from = (char *)((uintptr_t)fixed & -PAGE);
        if (from < end)
            share_filled(from, end);
    }
    return 0;
}

extern void *__libc_stack_end;

static void share_stack_and_start(void) {
    char *end = (char *)(((uintptr_t)__libc_stack_end + PAGE) & -PAGE);
    stack = end - STACK;
    grader_shares(stack, in_use);
    share_filled(in_use, end);
    start();
}

__attribute__((constructor)) static void divide(void) {
    static ucontext_t here, there;
    struct sigaction action = {.sa_sigaction = broken, .sa_flags = SA_SIGINFO | SA_NODEFER};     /* some jump out of theirs */
    sigaction(SIGSEGV, NULL, &theirs);
    dl_iterate_phdr(look, NULL);
    if (!code.from)
        grader_dies("finding the program");
    grader_makes_heap();
    streams[0] = stdin, streams[1] = stdout, streams[2] = stderr;
    setvbuf(stdout, printed, _IOLBF, sizeof printed);
    in_use = (char *)(((uintptr_t)__builtin_frame_address(0) - 4 * PAGE) & -PAGE);
    getcontext(&there);
    there.uc_stack.ss_sp = own_stack;
    there.uc_stack.ss_size = sizeof own_stack;
    there.uc_link = &here;
    makecontext(&there, share_stack_and_start, 0);
    swapcontext(&here, &there);
    again = 1;
    mprotect(code.from, (size_t)(code.end - code.from), PROT_READ);
    real_sigaction(SIGSEGV, &action, NULL);
}
