/* Landlock by its three system calls: what of the file system a program may open. Rules are made once, entered per program. */
#define _GNU_SOURCE
#include "launcher.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Names of ours, since the headers of older systems lack some. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { VERSION = 1, PATH_BENEATH = 1 };
enum { EXECUTE = 1, WRITE_FILE = 2, READ_FILE = 4, READ_DIR = 8, TRUNCATE = 1 << 14, IOCTL_DEV = 1 << 15 };
enum { NO_TCP = 3, NO_SIGNALS_OR_SOCKETS_OUT = 3 };

#define READ (EXECUTE | READ_FILE | READ_DIR)
#define ON_FILES (EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV)

struct rules {
    uint64_t files, tcp, scopes;
};

struct beneath {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

/* All rights on files that a version knows: 13 in the first, one more each in versions 2, 3 and 5. */
static uint64_t rights(int version) {
    return (1u << (13 + (version >= 2) + (version >= 3) + (version >= 5))) - 1;
}

/* Paths that programs need to start, if the work folder is no root of its own. A path that is not there is left out. */
static const char *const SYSTEM[] = {
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
    "/etc/alternatives", "/etc/localtime", "/etc/java", "/etc/java-8-openjdk", "/etc/java-11-openjdk", "/etc/java-17-openjdk",
    "/etc/java-21-openjdk", "/etc/java-25-openjdk", "/proc/meminfo", "/proc/cpuinfo", "/proc/stat", "/proc/sys/vm",
    "/proc/filesystems", "/proc/version", "/sys/devices/system/cpu", "/sys/fs/cgroup", NULL,
};
static const char *const ROOT[] = {"/", NULL};
/* Not /dev/zero: mapped, it is shared memory. */
static const char *const DEVICES[] = {"/dev/null", "/dev/full", "/dev/random", "/dev/urandom", NULL};

int landlock_version(void) {
    long version = syscall(CREATE_RULESET, NULL, 0, VERSION);
    return version < 0 ? 0 : (int)version;
}

static int allow(int ruleset, const char *path, uint64_t allowed) {
    struct stat info;
    struct beneath rule = {.allowed = allowed, .parent = open(path, O_PATH | O_CLOEXEC)};
    if (rule.parent < 0)
        return errno == ENOENT || errno == EACCES ? 0 : -1;
    if (fstat(rule.parent, &info) == 0 && !S_ISDIR(info.st_mode))
        rule.allowed &= ON_FILES;
    long done = syscall(ADD_RULE, ruleset, PATH_BENEATH, &rule, 0);
    close(rule.parent);
    return (int)done;
}

static int allow_all(int ruleset, const char *const *paths, uint64_t allowed) {
    int done = 0;
    while (done == 0 && *paths)
        done = allow(ruleset, *paths++, allowed);
    return done;
}

/* Whether `path` lies in `folder`, however deep, and is not the folder itself; both are free of links. */
int lies_in(const char *path, const char *folder) {
    size_t size = strlen(folder);
    return !strncmp(path, folder, size) && (path[size] == '/' || (path[size] && size == 1));
}

static int allow_shown(int ruleset, const char *path, const char *const *hidden);

/* The entries of a folder that may be read. A link among them would be a second way to what it points to. */
static int allow_entries(int ruleset, const char *path, const char *const *hidden) {
    char entry[4096];
    struct stat info;
    int done = 0;
    DIR *folder = opendir(path);
    if (!folder)
        return errno == ENOENT || errno == EACCES ? 0 : -1;
    for (struct dirent *next; done == 0 && (next = readdir(folder));) {
        int size = snprintf(entry, sizeof entry, "%s/%s", path, next->d_name);
        if (size < (int)sizeof entry && strcmp(next->d_name, ".") && strcmp(next->d_name, "..") &&
            lstat(entry, &info) == 0 && !S_ISLNK(info.st_mode))
            done = allow_shown(ruleset, entry, hidden);
    }
    closedir(folder);
    return done;
}

/* Landlock can only allow, and to allow a folder is to allow everything in it. So if a folder holds something hidden, its other
 * entries are allowed one by one. The folder itself may be listed: Python finds no module in a folder that it cannot list. */
static int allow_shown(int ruleset, const char *path, const char *const *hidden) {
    int holds = 0;
    for (const char *const *other = hidden; *other; other++) {
        if (!strcmp(*other, path))
            return 0;
        holds |= lies_in(*other, path);
    }
    if (!holds)
        return allow(ruleset, path, READ);
    return allow(ruleset, path, READ_DIR) || allow_entries(ruleset, path, hidden) ? -1 : 0;
}

/* Allows to read these paths, except hidden ones, whatever links name them. */
static int allow_all_shown(int ruleset, const char *const *paths, const char *const *hidden) {
    int done = 0;
    for (; done == 0 && *paths; paths++) {
        char *path = realpath(*paths, NULL);
        if (path)
            done = allow_shown(ruleset, path, hidden);
        free(path);
    }
    return done;
}

/* The ruleset, or -1 with errno. In a room the root itself holds nothing that may not be read. */
int landlock_rules(const struct cage *cage) {
    int version = cage->landlock_abi;
    struct rules rules = {.files = rights(version), .tcp = NO_TCP, .scopes = NO_SIGNALS_OR_SOCKETS_OUT};
    size_t size = version < 4 ? 8 : version < 6 ? 16 : 24;
    int ruleset = (int)syscall(CREATE_RULESET, &rules, size, 0);
    if (ruleset < 0)
        return -1;
    uint64_t writing = (READ_FILE | WRITE_FILE | TRUNCATE) & rules.files;
    /* In a room what is hidden is covered. */
    static const char *const nothing[] = {NULL};
    const char *const *hidden = cage->walls & ROOM ? nothing : (const char *const *)cage->hidden;
    if (allow_all_shown(ruleset, cage->walls & ROOM ? ROOT : SYSTEM, hidden) ||
        allow_all_shown(ruleset, (const char *const *)cage->readable, hidden) ||
        allow_all(ruleset, DEVICES, writing) ||
        allow(ruleset, cage->work, rules.files) ||
        (cage->walls & ROOM && allow(ruleset, "/tmp", rules.files))) {
        close(ruleset);
        return -1;
    }
    return ruleset;
}

/* In /proc only the program's own folder is shown, if the rest of it tells of other people. */
int landlock_allow_self(int ruleset) {
    return allow(ruleset, "/proc/self", READ);
}

int landlock_enter(int ruleset) {
    return (int)syscall(RESTRICT_SELF, ruleset, 0);
}
