/* Linked into tests in C and C++: what was handed in never runs in the process that compares and tells the results. See divided.py.
 *
 * Theory of operation. Before anything else this process shares its heap, its stack and all variables with a second one, the program,
 * which is a fork of it. What was handed in is a library that the tests may read and not run. A call of one of its functions breaks
 * the tests by a signal, and the handler of that hands the call over. The program makes it on the same stack, with the same registers,
 * and hands back the registers that the function sets. One of the two waits while the other runs.
 *
 * Descriptors belong to each process alone, and so do the C library, with its streams and handlers, and the variables of this file.
 * So the program cannot write a result, and what it leaves to be called at an end is called at its own.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
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

#define MOST_REGIONS 8

static struct region {
    char *from, *end;
} regions[MOST_REGIONS];
static int count_of_regions;

void grader_shares(char *from, char *end) {
    if (count_of_regions < MOST_REGIONS)
        regions[count_of_regions++] = (struct region){from, end};
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

/* A program may start processes itself, which must not go on with the stack of their parent. Nothing is put onto that meanwhile. */
static ucontext_t forks;
static pid_t child;
static pid_t (*real_fork)(void);

/* Memory of its own for a process that shares it so far, with what the region holds from `used` to `until`. */
static void part(const struct region *region, char *used, char *until) {
    size_t size = (size_t)(until - used);
    char *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED)
        grader_dies("copying memory");
    copy_used(copy, used, size);
    if (mmap(region->from, (size_t)(region->end - region->from), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) == MAP_FAILED)
        grader_dies("parting memory");
    copy_used(used, copy, size);
    munmap(copy, size);
}

static void fork_and_part(void) {
    int ready[2];
    char nothing;
    if (pipe(ready)) {
        child = -1;
        return;
    }
    child = real_fork();
    if (child == 0) {
        char *used = (char *)((uintptr_t)forks.uc_mcontext.gregs[REG_RSP] & -PAGE);
        char *until = (char *)(((uintptr_t)grader_heap_until() + PAGE - 1) & -PAGE);
        close(line);
        for (const struct region *one = regions; one < regions + count_of_regions; one++)
            part(one, used >= one->from && used < one->end ? used : one->from, until > one->from && until < one->end ? until : one->end);
    }
    close(ready[1]);
    if (child > 0 && read(ready[0], &nothing, 1) < 0)           /* until it has parted, when it closes its end */
        grader_dies("waiting for a process");
    close(ready[0]);
}

pid_t fork(void) {
    static ucontext_t parts;
    static char place[OWN_STACK] __attribute__((aligned(16)));
    getcontext(&parts);
    parts.uc_stack.ss_sp = place;
    parts.uc_stack.ss_size = sizeof place;
    parts.uc_link = &forks;
    makecontext(&parts, fork_and_part, 0);
    swapcontext(&forks, &parts);
    return child;
}

pid_t vfork(void) {
    return fork();
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

static void end_as_the_program(void) {
    int status;
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
    program = real_fork();
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
}

void grader_call(void) {
    uint64_t back = *(uint64_t *)call.sp;
    call.error = errno;
    fflush(stdout);
    fflush(stderr);
    if (!whole(1, &call, sizeof call) || !whole(0, &answer, sizeof answer))
        end_as_the_program();
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
    count_of_regions--;
    regions[count_of_regions - 1].end = end;            /* both are the stack */
    start();
}

__attribute__((constructor)) static void divide(void) {
    static ucontext_t here, there;
    struct sigaction action = {.sa_sigaction = broken, .sa_flags = SA_SIGINFO | SA_NODEFER};     /* some jump out of theirs */
    sigaction(SIGSEGV, NULL, &theirs);
    dl_iterate_phdr(look, NULL);
    if (!code.from)
        grader_dies("finding the program");
    grader_heap_until();
    real_fork = (pid_t (*)(void))dlsym(RTLD_NEXT, "fork");
    streams[0] = stdin, streams[1] = stdout, streams[2] = stderr;
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
