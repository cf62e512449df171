/* Linked into every program in C and C++; any edition of the language must take it, and without a warning. See notes.py. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <errno.h>
#include <execinfo.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#endif

/* Over pipes the C library would keep a prompt back until the program ends. */
__attribute__((constructor)) static void as_on_a_terminal(void)
{
    setvbuf(stdin, NULL, _IOLBF, BUFSIZ);
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
}

#ifdef __GLIBC__
/* A program that seeds random numbers by the time would do something else in each run. So each run begins at the same time, and at
   another one only where other random numbers are asked for. Weak, since a program may have a function of its own with this name. */
static long drawn(void)
{
    const char *seed = getenv("GRADER_SEED");
    return seed ? atol(seed) : 0;
}

__attribute__((weak)) time_t time(time_t *place)
{
    static struct timespec began;
    struct timespec now;
    time_t passed;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!began.tv_sec)
        began = now;
    passed = now.tv_sec - began.tv_sec - (now.tv_nsec < began.tv_nsec) + 100003 * drawn();
    if (place)
        *place = 1700000000 + passed;
    return 1700000000 + passed;
}

__attribute__((constructor)) static void draw_otherwise(void)
{
    if (drawn())
        srand((unsigned)drawn() + 1);
}

#define DEEPEST 48
#define OURS 2                  /* this handler, and what the system calls it by */
#define CHANNEL 3

extern const char __executable_start[];

struct note {
    int signal, depth;
    unsigned long start;
    void *at[DEEPEST];
};

static void take_note(int number)
{
    int error = errno;
    void *frames[DEEPEST + OURS];
    struct note note;
    ssize_t told;
    memset(&note, 0, sizeof note);
    note.signal = number;
    note.start = (unsigned long)__executable_start;
    if (number != SIGPROF)      /* where the way back is damaged, looking for it breaks the program again */
        told = write(CHANNEL, &note, sizeof note);
    note.depth = backtrace(frames, DEEPEST + OURS) - OURS;
    if (note.depth > 0)
        memcpy(note.at, frames + OURS, (size_t)note.depth * sizeof *frames);
    told = write(CHANNEL, &note, sizeof note);
    (void)told;
    errno = error;
}

__attribute__((constructor)) static void take_notes(void)
{
    static const int broken[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
    static char room[1 << 16];  /* a stack of its own: a recursion without end leaves none */
    const char *wanted = getenv("GRADER_NOTES");
    void *loaded[1];
    stack_t other;
    struct sigaction action;
    struct itimerval tick = {{0, 4000}, {0, 4000}};
    size_t i;
    if (!wanted)
        return;
    memset(&other, 0, sizeof other);
    other.ss_sp = room;
    other.ss_size = sizeof room;
    memset(&action, 0, sizeof action);
    action.sa_handler = take_note;
    action.sa_flags = SA_ONSTACK | SA_RESETHAND;        /* the second time the signal does what it always does */
    backtrace(loaded, 1);       /* the first call loads a library, which no handler may do */
    sigaltstack(&other, NULL);
    for (i = 0; i < sizeof broken / sizeof *broken; i++)
        sigaction(broken[i], &action, NULL);
    if (*wanted != 's')
        return;
    action.sa_flags = SA_ONSTACK | SA_RESTART;
    sigaction(SIGPROF, &action, NULL);
    setitimer(ITIMER_PROF, &tick, NULL);
}
#endif
