/* The common part of the launcher's sources, and the messages between it and wire.py.
 *
 * A message is one packet on a SOCK_SEQPACKET socket: a fixed head in the machine's own byte order, then strings that end in
 * NUL. File descriptors travel beside it.
 */
#ifndef GRADER_LAUNCHER_H
#define GRADER_LAUNCHER_H

#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#define WORK "/box"             /* the work folder as a program in a room sees it */
#define SHARED_PIECE (1 << 20)  /* the filter lets no piece of shared memory be larger, and each counts as so much */
#define MAX_MESSAGE (192 * 1024)
#define MAX_STRINGS 4096
#define MAX_FDS 4

enum request { SETUP = 1, START, KILL, LOOK };
enum reply { HELLO = 1, READY, FAILED, ENDED, LOOKED };

/* Which walls a cage has; the tiers in tiers.py are sets of these. */
enum wall {
    ROOM = 1,        /* namespaces and a root of its own */
    BORROWED = 2,    /* ... inside a user namespace, for who is not root */
    OTHER_UID = 4,
    LANDLOCK = 8,    /* demanded; without it Landlock is used where the kernel has it, if any wall is up */
    DENY = 16,       /* the filter of system calls */
};

struct setup {       /* followed by: work folder, then the readable paths, then the hidden ones */
    uint32_t kind, walls;
    uint32_t uid, inodes;
    uint64_t work_size;
    uint32_t strings, hidden;
};

enum start_flag { WATCH_READS = 1, CONTROL = 2 };

struct start {       /* followed by the words of the command, then NAME=value; descriptors: stdin, stdout, stderr[, control] */
    uint32_t kind, flags;
    uint64_t cpu_us, memory, processes, file_size, files, address_space;
    uint32_t words, variables;
};

enum limit { NO_LIMIT, CPU, MEMORY, PROCESSES, FILE_SIZE };

struct ended {
    uint32_t kind;
    int32_t wait_status;
    uint32_t limit, unused;
    uint64_t cpu_us, peak;
    uint64_t asleep_us;         /* in which all of it slept by its own doing, as far as that was seen */
};

enum look { BUSY, WAITS, CANNOT_TELL };

struct answer {      /* HELLO (value: version of Landlock, the work folder beside it), READY (the listener) */
    uint32_t kind;
    int32_t value;
};

struct looked {
    uint32_t kind;
    int32_t seen;               /* enum look */
    uint64_t cpu_us;            /* of the whole run so far */
};

struct failed {
    uint32_t kind;
    int32_t error;
    char step[64];
};

/* The cage as the launcher knows it. */
struct cage {
    int socket;
    uint32_t walls, uid, inodes;
    uint64_t work_size;
    const char *work;           /* as the program sees it */
    int work_fd;
    const char **readable;      /* ends in NULL, as does hidden */
    const char **hidden;        /* entries of a readable folder that may not be read */
    int landlock_abi;           /* 0: none */
    int ruleset;                /* -1: none */
    uint64_t own_tasks;         /* tasks that the user had before; RLIMIT_NPROC counts them too */
    volatile int *can_be_seen;  /* shared with the program until it is one: whether all of it can be looked into from now on */
};

/* launcher.c */
_Noreturn void fail(int socket, const char *step);
void reply(int socket, const void *message, size_t size, int fd);

/* room.c */
void enter_namespaces(const struct cage *cage);
void furnish_room(struct cage *cage);

/* landlock.c */
int lies_in(const char *path, const char *folder);
int landlock_version(void);
int landlock_rules(const struct cage *cage);
int landlock_allow_self(int ruleset);
int landlock_enter(int ruleset);

/* filter.c */
void prepare_denial(int as_ourselves);
int deny_system_calls(void);
int deny_foreign_signals(void);
int watch_reads(void);
int deny_sending(void);

/* program.c */
_Noreturn void become_program(const struct cage *cage, const struct start *start, char **words, char **variables, int *fds);

/* tree.c */
struct usage {
    uint64_t cpu_us, resident;
    uint64_t tasks;
};

struct tree_view {
    int whole;                  /* every process that /proc shows but us, rather than our descendants */
    uid_t uid;                  /* whom to look as */
    gid_t gid;
    const volatile int *can_be_seen;    /* see struct cage */
};

uint64_t tasks_of(uid_t uid);
struct usage measure_tree(const struct tree_view *view, uint64_t memory);
struct unseen {
    uint64_t memory, disk;
};

struct unseen measure_unseen(const struct tree_view *view, uint64_t file_size);
int tree_sleeps(const struct tree_view *view);
void kill_tree(const struct tree_view *view);
enum look look_at_tree(const struct tree_view *view, dev_t dev, ino_t ino, uint64_t *cpu_us);
int over_size(const char *path, uint64_t size, uint64_t entries);


/* tool.c */
int run_tool(char **words);

/* attacks.c */
int attack(const char *name, const char *outside, pid_t grader);

#endif
