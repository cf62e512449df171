/* The launcher: one small process per cage, which starts foreign programs in it and watches them.
 *
 * Theory of operation. The grader starts the launcher with an empty environment and one socket, whose number is its
 * argument. It says once which walls to put up (SETUP). For each program it then sends START with the descriptors. The launcher
 * answers READY with the listener for reads of standard input, and later ENDED with the resources used.
 *
 * While a program runs, the launcher looks every TICK at the resources of the whole tree of processes. It kills the tree over a
 * limit, even if the grader is busy with something else. When the program has ended, the launcher kills its leftover processes
 * before it sends ENDED, so that nothing writes after ENDED. When the grader goes away, the socket closes; the launcher then
 * kills everything and ends.
 *
 * The grader's side is wire.py.
 */
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TICK 20000000           /* ns between two looks at the tree */
#define LONGEST_TICK 200000000
#define SIZE_TICK 100000000     /* ... and between two looks at the work folder */
#define LATE (4 * SIZE_TICK)    /* between two looks: we did not get the processor in time, and the program neither */
#define STUBBORN 5000000000     /* ns after which a tree that cannot be killed is our fault */

struct run {
    pid_t pid;                  /* 0: no program is running */
    int waited;                 /* the program itself has ended */
    int status;
    uint64_t cpu_limit, memory_limit, process_limit, file_limit;
    enum limit limit;
    uint64_t reaped_us, peak;
    dev_t stdin_dev;
    ino_t stdin_ino;
    uint64_t next_tick, next_size;
    uint64_t looked, asleep;    /* when we last looked whether it sleeps; ns for which it did */
};

static uint64_t nanoseconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t now(void) {
    return nanoseconds(CLOCK_MONOTONIC);
}

void reply(int socket, const void *message, size_t size, int fd) {
    if (fd < 0) {
        send(socket, message, size, MSG_NOSIGNAL);      /* if the grader is gone, the next recvmsg says so */
        return;
    }
    char space[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec part = {.iov_base = (void *)message, .iov_len = size};
    struct msghdr head = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    struct cmsghdr *c = CMSG_FIRSTHDR(&head);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
    sendmsg(socket, &head, MSG_NOSIGNAL);
}

_Noreturn void fail(int socket, const char *step) {
    struct failed message = {.kind = FAILED, .error = errno};
    strncpy(message.step, step, sizeof message.step - 1);
    reply(socket, &message, sizeof message, -1);
    _exit(127);
}

/* One message into `buffer`; its size, 0 when the grader is gone. Unused places of `fds` are -1. */
static size_t receive(int socket, char *buffer, int fds[MAX_FDS]) {
    char space[CMSG_SPACE(MAX_FDS * sizeof(int))];
    struct iovec part = {.iov_base = buffer, .iov_len = MAX_MESSAGE};
    struct msghdr head = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    ssize_t size;
    do
        size = recvmsg(socket, &head, MSG_CMSG_CLOEXEC);
    while (size < 0 && errno == EINTR);
    memset(fds, -1, MAX_FDS * sizeof *fds);
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&head); size > 0 && c; c = CMSG_NXTHDR(&head, c))
        if (c->cmsg_type == SCM_RIGHTS)
            memcpy(fds, CMSG_DATA(c), c->cmsg_len - CMSG_LEN(0));
    if (size > 0 && head.msg_flags & (MSG_TRUNC | MSG_CTRUNC))
        errno = EMSGSIZE, fail(socket, "reading a message");
    return size > 0 ? (size_t)size : 0;
}

/* Points `into` at `count` strings in text[..end) and ends it with NULL; where the next string begins. */
static char *strings(int socket, char *text, const char *end, uint32_t count, char **into) {
    for (uint32_t i = 0; i < count; i++) {
        char *stop = text < end ? memchr(text, 0, (size_t)(end - text)) : NULL;
        if (!stop || i >= MAX_STRINGS)
            errno = E2BIG, fail(socket, "reading a command");
        into[i] = text;
        text = stop + 1;
    }
    into[count] = NULL;
    return text;
}

/* ------------------------------------------------------------------------------------------------------------ the cage */

static struct cage set_up(int socket) {
    static _Alignas(8) char buffer[MAX_MESSAGE];
    static char *texts[MAX_STRINGS + 1], *hidden[MAX_STRINGS + 1];
    int fds[MAX_FDS];
    size_t size = receive(socket, buffer, fds);
    struct setup *setup = (struct setup *)buffer;
    if (size < sizeof *setup || setup->kind != SETUP || setup->strings < 1)
        _exit(size ? 127 : 0);
    char *next = strings(socket, buffer + sizeof *setup, buffer + size, setup->strings, texts);
    strings(socket, next, buffer + size, setup->hidden, hidden);
    struct cage cage = {
        .socket = socket, .walls = setup->walls, .uid = setup->uid, .inodes = setup->inodes,
        .work_size = setup->work_size, .work = texts[0], .readable = (const char **)texts + 1,
        .hidden = (const char **)hidden, .ruleset = -1,
    };
    return cage;
}

static void put_up_walls(struct cage *cage) {
    if (!(cage->walls & OTHER_UID))
        cage->own_tasks = tasks_of(getuid());
    if (cage->walls & ROOM) {
        enter_namespaces(cage);
        furnish_room(cage);
    } else {
        if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))
            fail(cage->socket, "becoming the one that gets orphans");
        cage->work_fd = open(cage->work, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (cage->work_fd < 0)
            fail(cage->socket, "opening the work folder");
    }
    if (cage->walls & (DENY | LANDLOCK))
        cage->landlock_abi = landlock_version();
    if (cage->landlock_abi > 0)
        cage->ruleset = landlock_rules(cage);
    if (cage->ruleset < 0 && (cage->walls & LANDLOCK || cage->landlock_abi > 0))
        fail(cage->socket, "making the rules of Landlock");
    if (cage->walls & DENY)
        prepare_denial(!(cage->walls & (ROOM | OTHER_UID)));
    cage->can_be_seen = mmap(NULL, sizeof *cage->can_be_seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (cage->can_be_seen == MAP_FAILED)
        fail(cage->socket, "sharing memory");
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);         /* a program of the same user must not look into us */
    struct answer hello = {.kind = HELLO, .value = cage->landlock_abi};
    reply(cage->socket, &hello, sizeof hello, cage->work_fd);
}

/* ------------------------------------------------------------------------------------------------------------ a program */

static uint64_t microseconds(const struct rusage *used) {
    return (uint64_t)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) * 1000000 +
           (uint64_t)(used->ru_utime.tv_usec + used->ru_stime.tv_usec);
}

/* Takes in one ended child. Returns 1 if it did, 0 if all children live, -1 without children. */
static int reap(struct run *run) {
    struct rusage used;
    int status;
    pid_t pid = wait4(-1, &status, WNOHANG, &used);
    if (pid <= 0)
        return pid < 0 && errno == ECHILD ? -1 : 0;
    run->reaped_us += microseconds(&used);
    if ((uint64_t)used.ru_maxrss * 1024 > run->peak)
        run->peak = (uint64_t)used.ru_maxrss * 1024;
    if (pid == run->pid) {
        run->status = status;
        run->waited = 1;
    }
    return 1;
}

/* A process of the cage's own uid kills all others of that uid at one stroke, which no fork outruns. */
static void kill_uid(uid_t uid) {
    pid_t pid = fork();
    if (pid == 0) {
        if (setresgid(uid, uid, uid) == 0 && setresuid(uid, uid, uid) == 0)
            kill(-1, SIGKILL);
        _exit(0);
    }
}

static void kill_all(const struct cage *cage, const struct tree_view *view) {
    if (cage->walls & ROOM)
        kill(-1, SIGKILL);
    else if (cage->walls & OTHER_UID)
        kill_uid(cage->uid);
    else
        kill_tree(view);
}

static void stop(const struct cage *cage, const struct tree_view *view, const struct run *run) {
    if (!run->waited)
        kill(run->pid, SIGKILL);                /* it may not have changed its user yet */
    kill_all(cage, view);
}

/* Kills and takes in whatever is left, until there is no child: then nothing of the program lives any more. */
static void sweep(const struct cage *cage, const struct tree_view *view, struct run *run, int signals) {
    uint64_t begun = now();
    int left;
    while ((left = reap(run)) >= 0) {
        if (left > 0)
            continue;
        kill_all(cage, view);
        struct pollfd wake = {.fd = signals, .events = POLLIN};
        struct signalfd_siginfo info;
        if (poll(&wake, 1, 1) > 0 && read(signals, &info, sizeof info) < 0)
            break;
        if (now() - begun > STUBBORN)
            errno = EBUSY, fail(cage->socket, "killing what the program left");
    }
}

/* In a room the work folder is a file system of its own, which is full when it is full. */
static int folder_is_full(const struct cage *cage) {
    return !(cage->walls & ROOM) && over_size(cage->work, cage->work_size, cage->inodes);
}

static void finish(const struct cage *cage, const struct tree_view *view, struct run *run, int signals) {
    sweep(cage, view, run, signals);
    /* A program that ended before the watcher looked may still have been over a limit. */
    if (run->limit == NO_LIMIT && run->reaped_us > run->cpu_limit)
        run->limit = CPU;
    if (run->limit == NO_LIMIT && run->peak > run->memory_limit)
        run->limit = MEMORY;
    if (run->limit == NO_LIMIT && folder_is_full(cage))
        run->limit = FILE_SIZE;
    struct ended ended = {
        .kind = ENDED, .wait_status = run->status, .limit = run->limit, .cpu_us = run->reaped_us, .peak = run->peak,
        .asleep_us = run->asleep / 1000,
    };
    run->pid = 0;
    reply(cage->socket, &ended, sizeof ended, -1);
}

static void start(const struct cage *cage, struct run *run, char *buffer, size_t size, int *fds) {
    static char *words[MAX_STRINGS + 1], *variables[MAX_STRINGS + 1];
    const struct start *start = (const struct start *)buffer;
    struct stat input;
    if (size < sizeof *start || run->pid || fds[2] < 0 || fstat(fds[0], &input))
        errno = EPROTO, fail(cage->socket, "reading a command");
    char *next = strings(cage->socket, buffer + sizeof *start, buffer + size, start->words, words);
    strings(cage->socket, next, buffer + size, start->variables, variables);
    *cage->can_be_seen = 0;
    pid_t pid = fork();
    if (pid < 0)
        fail(cage->socket, "forking");
    if (pid == 0)
        become_program(cage, start, words, variables, fds);
    *run = (struct run){
        .pid = pid, .cpu_limit = start->cpu_us, .memory_limit = start->memory, .process_limit = start->processes,
        .file_limit = start->file_size,
        .stdin_dev = input.st_dev, .stdin_ino = input.st_ino, .next_tick = now() + TICK,
        .next_size = now() + SIZE_TICK, .looked = now(),
    };
}

/* ------------------------------------------------------------------------------------------------------------- watching */

/* Find by a slower look what the quick look does not see. */
static enum limit exceeded_unseen(const struct cage *cage, const struct tree_view *view, const struct run *run,
                                  uint64_t resident) {
    struct unseen unseen = measure_unseen(view, run->file_limit);
    if (resident + unseen.memory > run->memory_limit)
        return MEMORY;
    if (!(cage->walls & ROOM) && unseen.disk > cage->work_size)
        return FILE_SIZE;
    return folder_is_full(cage) ? FILE_SIZE : NO_LIMIT;
}

/* A compiler that passes the limit of the clock is to blame only if it slept. It is not if it was stopped, starved or waited for a
 * disk, or if we looked too late to know. */
static void note_sleep(const struct tree_view *view, struct run *run) {
    uint64_t since = now() - run->looked;
    run->looked += since;
    if (since < LATE && tree_sleeps(view))
        run->asleep += since;
}

static enum limit exceeded(const struct cage *cage, const struct tree_view *view, struct run *run) {
    struct usage used = measure_tree(view, run->memory_limit);
    if (used.resident > run->peak)
        run->peak = used.resident;
    if (used.tasks > run->process_limit)
        return PROCESSES;
    if (used.resident > run->memory_limit)
        return MEMORY;
    if (used.cpu_us + run->reaped_us > run->cpu_limit)
        return CPU;
    if (now() < run->next_size)
        return NO_LIMIT;
    note_sleep(view, run);
    run->next_size = now() + SIZE_TICK;
    return exceeded_unseen(cage, view, run, used.resident);
}

static void watch(const struct cage *cage, const struct tree_view *view, struct run *run) {
    uint64_t begun = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
    run->limit = exceeded(cage, view, run);
    if (run->limit)
        stop(cage, view, run);
    /* On a machine with many processes a look takes long: spend a tenth of the time on it at most. */
    uint64_t pause = 10 * (nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - begun);
    run->next_tick = now() + (pause < TICK ? TICK : pause > LONGEST_TICK ? LONGEST_TICK : pause);
}

/* Deals with one message; 0 when the grader is gone. */
static int obey(const struct cage *cage, const struct tree_view *view, struct run *run) {
    static _Alignas(8) char buffer[MAX_MESSAGE];
    int fds[MAX_FDS];
    size_t size = receive(cage->socket, buffer, fds);
    if (size < sizeof(uint32_t))
        return 0;
    uint32_t kind;
    memcpy(&kind, buffer, sizeof kind);
    if (kind == START)
        start(cage, run, buffer, size, fds);
    else if (kind == KILL && run->pid)
        stop(cage, view, run);
    else if (kind == LOOK) {
        struct looked looked = {.kind = LOOKED, .seen = BUSY};
        if (run->pid) {
            looked.seen = (int32_t)look_at_tree(view, run->stdin_dev, run->stdin_ino, &looked.cpu_us);
            looked.cpu_us += run->reaped_us;
        }
        reply(cage->socket, &looked, sizeof looked, -1);
    }
    for (int i = 0; i < MAX_FDS; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    return 1;
}

static void serve(const struct cage *cage, int signals) {
    struct run run = {0};
    int other = cage->walls & OTHER_UID;
    struct tree_view view = {
        .whole = (cage->walls & ROOM) != 0, .can_be_seen = cage->can_be_seen, .uid = other ? cage->uid : getuid(), .gid = other ? cage->uid : getgid(),
    };
    struct pollfd awaited[] = {{.fd = cage->socket, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
    for (;;) {
        int64_t left = run.pid ? (int64_t)(run.next_tick - now()) : 0;
        int timeout = !run.pid ? -1 : left > 0 ? (int)(left / 1000000) + 1 : 0;
        if (poll(awaited, 2, timeout) < 0 && errno != EINTR)
            fail(cage->socket, "waiting");
        if (awaited[1].revents) {
            struct signalfd_siginfo info;
            if (read(signals, &info, sizeof info) < 0)
                fail(cage->socket, "reading a signal");
            while (reap(&run) > 0)
                ;
        }
        if (run.pid && run.waited)
            finish(cage, &view, &run, signals);
        if (awaited[0].revents && !obey(cage, &view, &run))
            break;
        if (run.pid && !run.limit && now() >= run.next_tick)
            watch(cage, &view, &run);
    }
    sweep(cage, &view, &run, signals);
}

int main(int count, char **arguments) {
    if (count == 5 && !strcmp(arguments[1], "attack"))
        return attack(arguments[2], arguments[3], atoi(arguments[4]));
    if (count > 2 && !strcmp(arguments[1], "tool"))
        return run_tool(arguments + 2);
    /* Descriptors 0 to 3 are the program's later; ours lie above. */
    int given = count == 2 ? atoi(arguments[1]) : -1;
    int socket = fcntl(given, F_DUPFD_CLOEXEC, 10);
    /* Our parents may ignore signals, as nohup does. Programs must not inherit that. */
    for (int number = 1; number <= SIGRTMAX; number++)
        signal(number, SIG_DFL);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    if (socket < 0 || close(given) || sigprocmask(SIG_BLOCK, &child, NULL))
        return 127;
    struct cage cage = set_up(socket);
    put_up_walls(&cage);
    int signals = signalfd(-1, &child, SFD_CLOEXEC);
    if (signals < 0)
        fail(socket, "listening to signals");
    serve(&cage, signals);
    return 0;
}
