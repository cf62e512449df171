/* The launcher as attacker: what proofs.py starts in a cage to see what it stops.
 *
 * Each attack returns 1 if it got through. Some are stopped by a limit instead, which the grader sees. The words of the
 * command are: launcher attack NAME OUTSIDE PID, where OUTSIDE is a folder of the grader that everyone may write to, and PID
 * the grader.
 */
#define _GNU_SOURCE
#include "launcher.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB (1 << 20)

static int open_in(const char *folder, const char *name, int flags) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return open(path, flags, 0666);
}

static int nothing(const char *outside, pid_t grader) {
    (void)outside, (void)grader;
    return 0;
}

static int read_outside(const char *outside, pid_t grader) {
    (void)grader;
    return open_in(outside, "answers", O_RDONLY) >= 0;
}

/* Prints each path in the file `sought`, where each ends in NUL, that holds something for it. */
static int read_sought(const char *outside, pid_t grader) {
    (void)outside, (void)grader;
    static char text[MIB];
    int list = open("sought", O_RDONLY), found = 0;
    ssize_t size = list < 0 ? -1 : read(list, text, sizeof text - 1);
    if (size < 0)
        return 127;
    for (char *path = text; path < text + size; path += strlen(path) + 1) {
        char byte;
        int file = open(path, O_RDONLY | O_NONBLOCK);
        if (file >= 0 && read(file, &byte, 1) == 1)
            found |= fwrite(path, strlen(path) + 1, 1, stdout) == 1;
        if (file >= 0)
            close(file);
    }
    return found;
}

static int write_outside(const char *outside, pid_t grader) {
    (void)grader;
    return open_in(outside, "planted", O_WRONLY | O_CREAT) >= 0;
}

static int read_grader(const char *outside, pid_t grader) {
    (void)outside;
    char path[64], text[256];
    snprintf(path, sizeof path, "/proc/%d/environ", grader);
    int environment = open(path, O_RDONLY);
    snprintf(path, sizeof path, "/proc/%d/cmdline", grader);
    int words = open(path, O_RDONLY);
    return grader != getppid() && ((environment >= 0 && read(environment, text, sizeof text) > 0) ||
                                   (words >= 0 && read(words, text, sizeof text) > 0));
}

/* In a room the grader's number means nobody, or by chance the launcher. */
static int signal_grader(const char *outside, pid_t grader) {
    (void)outside;
    return grader != getppid() && kill(grader, 0) == 0;
}

/* In a room the launcher is process 1, which signals from inside do not reach even where they may be sent. */
static int signal_launcher(const char *outside, pid_t grader) {
    (void)outside, (void)grader;
    return getppid() != 1 && kill(getppid(), 0) == 0;
}

static int trace(const char *outside, pid_t grader) {
    (void)outside, (void)grader;
    return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0;
}

static int use_network(const char *outside, pid_t grader) {
    (void)outside, (void)grader;
    return socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
}

static int make_namespace(const char *outside, pid_t grader) {
    (void)outside, (void)grader;
    return unshare(CLONE_NEWUSER) == 0;
}

static int use_io_uring(const char *outside, pid_t grader) {
    (void)outside, (void)grader;
    char parameters[128] = {0};
    return syscall(425 /* io_uring_setup */, 1, parameters) >= 0;
}

static int share_memory(const char *outside, pid_t grader) {
    (void)outside, (void)grader;
    int segment = shmget(IPC_PRIVATE, MIB, IPC_CREAT | 0600);
    if (segment >= 0)
        shmctl(segment, IPC_RMID, NULL);
    return segment >= 0;
}

/* Each of these goes on until it is stopped; getting through is reaching far more than the limit. */

static int fork_many(const char *outside, pid_t grader) {
    (void)outside, (void)grader;
    for (int i = 0; i < 200; i++) {
        pid_t child = fork();
        if (child == 0)
            for (;;)
                pause();
        if (child < 0)
            pause();
    }
    return 1;
}

static void fill_memory(size_t size) {
    for (size_t used = 0; used < size; used += MIB)
        memset(malloc(MIB), 1, MIB);
}

static int use_memory(const char *outside, pid_t grader) {
    (void)outside, (void)grader;
    fill_memory((size_t)512 * MIB);
    return 1;
}

static int use_memory_in_children(const char *outside, pid_t grader) {
    (void)outside, (void)grader;
    int filled[2]; /* each child tells when its memory is there: on a busy machine that takes longer than a second */
    char one;
    if (pipe(filled))
        return 0;
    for (int i = 0; i < 8; i++)
        if (fork() == 0) {
            fill_memory((size_t)32 * MIB);
            if (write(filled[1], "", 1) != 1)
                _exit(1);
            for (;;)
                pause();
        }
    close(filled[1]);
    for (int i = 0; i < 8; i++)
        if (read(filled[0], &one, 1) != 1)
            return 0;
    sleep(1);
    return 1;
}

static int fill_folder(const char *outside, pid_t grader) {
    (void)outside, (void)grader;
    static char text[MIB];
    for (int i = 0; i < 64; i++) {
        char name[32];
        snprintf(name, sizeof name, "file-%d", i);
        int file = open(name, O_WRONLY | O_CREAT, 0600);
        if (file < 0 || write(file, text, sizeof text) != sizeof text || close(file))
            return 0;
    }
    return 1;
}

static int make_files(const char *outside, pid_t grader) {
    (void)outside, (void)grader;
    for (int i = 0; i < 10000; i++) {
        char name[32];
        snprintf(name, sizeof name, "file-%d", i);
        int file = open(name, O_WRONLY | O_CREAT, 0600);
        if (file < 0 || close(file))
            return 0;
    }
    return 1;
}

/* The grader sees whether the leftover process lives on: it holds our standard output. */
static int leave_daemon(const char *outside, pid_t grader) {
    (void)outside, (void)grader;
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            for (;;)
                pause();
        _exit(0);
    }
    wait(NULL);
    return 0;
}

static const struct attack {
    const char *name;
    int (*through)(const char *outside, pid_t grader);
} ATTACKS[] = {
    {"nothing", nothing},
    {"read-outside", read_outside},
    {"read-hidden", read_sought},
    {"read-key", read_sought},
    {"write-outside", write_outside},
    {"read-grader", read_grader},
    {"signal-grader", signal_grader},
    {"signal-launcher", signal_launcher},
    {"trace", trace},
    {"network", use_network},
    {"namespace", make_namespace},
    {"io-uring", use_io_uring},
    {"shared-memory", share_memory},
    {"fork-bomb", fork_many},
    {"memory", use_memory},
    {"memory-in-children", use_memory_in_children},
    {"full-folder", fill_folder},
    {"many-files", make_files},
    {"daemon", leave_daemon},
};

int attack(const char *name, const char *outside, pid_t grader) {
    for (size_t i = 0; i < sizeof ATTACKS / sizeof *ATTACKS; i++)
        if (!strcmp(ATTACKS[i].name, name))
            return ATTACKS[i].through(outside, grader);
    return 127;
}
