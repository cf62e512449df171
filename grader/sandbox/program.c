/* The steps in the child between fork and exec: limits, another user, walls, filters, in the only order that works. */
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STACK (8u << 20)
#define SPARE_TASKS 64          /* for who shares the user with the program: sessions start and end beside us */

static void arrange_descriptors(int socket, const int *fds, int count) {
    for (int i = 0; i < count; i++) {
        /* The received ones lie at 3 and above in any order: only the last target, 3, can be a source, and then it is done. */
        if (fds[i] == i ? fcntl(i, F_SETFD, 0) : dup2(fds[i], i) < 0)
            fail(socket, "giving the program its descriptors");
    }
}

static void limit(int socket, int what, uint64_t soft, uint64_t hard) {
    struct rlimit now;
    if (getrlimit(what, &now))
        fail(socket, "reading a limit");
    if (hard > now.rlim_max)
        hard = now.rlim_max;
    struct rlimit wanted = {.rlim_cur = soft < hard ? soft : hard, .rlim_max = hard};
    if (setrlimit(what, &wanted))
        fail(socket, "setting a limit");
}

static void set_limits(const struct cage *cage, const struct start *start) {
    int socket = cage->socket;
    /* The watcher decides about CPU and processes; these stop what is quicker than it. */
    uint64_t seconds = start->cpu_us / 1000000 + 2;
    uint64_t tasks = start->processes + 1;
    if (!(cage->walls & OTHER_UID))
        tasks += cage->own_tasks + SPARE_TASKS;
    limit(socket, RLIMIT_CPU, seconds, seconds + 1);
    limit(socket, RLIMIT_NPROC, tasks, tasks);
    limit(socket, RLIMIT_FSIZE, start->file_size, start->file_size);
    limit(socket, RLIMIT_NOFILE, start->files, start->files);
    if (start->address_space)
        limit(socket, RLIMIT_AS, start->address_space, start->address_space);
    limit(socket, RLIMIT_STACK, STACK, RLIM_INFINITY);
    limit(socket, RLIMIT_CORE, 1, 1);           /* 1, unlike 0, also keeps core_pattern's program from being started */
    limit(socket, RLIMIT_MSGQUEUE, 0, 0);
    limit(socket, RLIMIT_MEMLOCK, 65536, 65536);
}

static void drop_privileges(const struct cage *cage) {
    if (cage->walls & OTHER_UID &&
        (setgroups(0, NULL) || setresgid(cage->uid, cage->uid, cage->uid) || setresuid(cage->uid, cage->uid, cage->uid)))
        fail(cage->socket, "changing the user");
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        fail(cage->socket, "giving up new privileges");
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {0};
    if (cage->walls && syscall(SYS_capset, &head, none))
        fail(cage->socket, "giving up capabilities");
}

/* The same addresses in each run, so that a program that reads what it never wrote, or prints an address, does the same twice.
 * Only some containers refuse it, and nothing but this hangs on it. */
static void keep_addresses(void) {
    int now = personality(0xffffffff);
    if (now >= 0)
        personality((unsigned long) now | ADDR_NO_RANDOMIZE);
}

/* The reads are watched last: a listener must see nothing of what stands above, and no later filter may hide it. */
static int put_on_filters(const struct cage *cage, const struct start *start) {
    if (cage->ruleset >= 0 && landlock_enter(cage->ruleset))
        fail(cage->socket, "entering Landlock");
    if (cage->walls & DENY && deny_system_calls())
        fail(cage->socket, "filtering system calls");
    if (cage->walls & DENY && !(cage->walls & (ROOM | OTHER_UID)) && cage->landlock_abi < 6 && deny_foreign_signals())
        fail(cage->socket, "filtering signals");
    return start->flags & WATCH_READS ? watch_reads() : -1;
}

_Noreturn void become_program(const struct cage *cage, const struct start *start, char **words, char **variables, int *fds) {
    sigset_t none;
    sigemptyset(&none);
    int socket = cage->socket;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) || setsid() < 0 || chdir(cage->work))
        fail(socket, "entering the work folder");
    umask(022);
    arrange_descriptors(socket, fds, start->flags & CONTROL ? 4 : 3);
    if (cage->ruleset >= 0 && !(cage->walls & ROOM) && landlock_allow_self(cage->ruleset))
        fail(socket, "allowing /proc/self");
    set_limits(cage, start);
    drop_privileges(cage);
    keep_addresses();
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);  /* again: a change of user clears it */
    struct answer ready = {.kind = READY};
    *cage->can_be_seen = prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0;        /* not so far, as our launcher */
    int listener = put_on_filters(cage, start);
    reply(socket, &ready, sizeof ready, listener);
    if (cage->walls & DENY && deny_sending())
        fail(socket, "filtering messages");
    sigprocmask(SIG_SETMASK, &none, NULL);
    environ = NULL;
    execvpe(words[0], words, variables);
    fail(socket, "starting the program");
}
