/* A room: namespaces, and a root of its own that holds the system read-only and one small folder to write in.
 *
 * All that is brought in is cloned from the old root first (open_tree), since the new root is then mounted over /tmp.
 */
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Names of ours, since the headers of older systems lack some. */
enum { CLONE_TREE = 428, MOVE_TREE = 429, SET_ATTRIBUTES = 442 };
enum { CLONE = 1, RECURSIVE = 0x8000, EMPTY_PATH = 0x1000, FROM_EMPTY_PATH = 4 };
enum { READ_ONLY = 1, NO_SUID = 2, NO_DEVICES = 4, NO_EXEC = 8 };

#define NEW_ROOT "/tmp"
#define EMPTY_FILE "./empty"
#define MOST_PIECES 256

struct attributes {
    uint64_t set, clear, propagation, userns;
};

struct piece {
    const char *path;
    int tree;                   /* a detached clone; -1: none */
    int hidden;                 /* nothing shall be seen there */
};

static const char *const SYSTEM[] = {
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
    "/etc/alternatives", "/etc/localtime", "/etc/java", "/etc/java-8-openjdk", "/etc/java-11-openjdk", "/etc/java-17-openjdk",
    "/etc/java-21-openjdk", "/etc/java-25-openjdk", NULL,
};
/* Not /dev/zero: mapped, it is shared memory. */
static const char *const DEVICES[] = {"/dev/null", "/dev/full", "/dev/random", "/dev/urandom", NULL};

static void write_file(const struct cage *cage, const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0 || write(file, text, strlen(text)) < 0 || close(file))
        fail(cage->socket, path);
}

/* A user namespace holds one user: oneself. */
static void map_oneself(const struct cage *cage, uid_t uid, gid_t gid) {
    char line[64];
    write_file(cage, "/proc/self/setgroups", "deny");
    snprintf(line, sizeof line, "%u %u 1", uid, uid);
    write_file(cage, "/proc/self/uid_map", line);
    snprintf(line, sizeof line, "%u %u 1", gid, gid);
    write_file(cage, "/proc/self/gid_map", line);
}

/* Returns in the first process of the new namespaces; the old process waits for it and ends with it. */
void enter_namespaces(const struct cage *cage) {
    uid_t uid = getuid();
    gid_t gid = getgid();
    int borrowed = cage->walls & BORROWED ? CLONE_NEWUSER : 0;
    if (unshare(CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP | borrowed))
        fail(cage->socket, "making namespaces");
    if (borrowed)
        map_oneself(cage, uid, gid);
    pid_t first = fork();
    if (first < 0)
        fail(cage->socket, "forking into the namespaces");
    if (first == 0) {
        if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) || setsid() < 0)
            fail(cage->socket, "becoming the first process");
        return;
    }
    close(cage->socket);
    int status;
    while (waitpid(first, &status, 0) < 0 && errno == EINTR)
        ;
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 127);
}

static int clone_tree(const struct cage *cage, const char *path, uint64_t attributes) {
    int tree = (int)syscall(CLONE_TREE, AT_FDCWD, path, CLONE | RECURSIVE | O_CLOEXEC);
    if (tree < 0)
        return -1;
    struct attributes wanted = {.set = attributes};
    if (syscall(SET_ATTRIBUTES, tree, "", EMPTY_PATH | RECURSIVE, &wanted, sizeof wanted))
        fail(cage->socket, path);
    return tree;
}

/* Adds what is there of `paths`; a symbolic link is made anew later, its target is brought in by its own path. */
static size_t gather(const struct cage *cage, const char *const *paths, uint64_t attributes, struct piece *pieces, size_t count) {
    for (; *paths; paths++) {
        struct stat info;
        if (lstat(*paths, &info))
            continue;
        if (count == MOST_PIECES)
            errno = E2BIG, fail(cage->socket, "gathering what can be read");
        pieces[count].path = *paths;
        pieces[count].hidden = 0;
        pieces[count].tree = S_ISLNK(info.st_mode) ? -1 : clone_tree(cage, *paths, attributes);
        if (pieces[count].tree < 0 && !S_ISLNK(info.st_mode))
            fail(cage->socket, *paths);
        count++;
    }
    return count;
}

static void make_parents(const struct cage *cage, char *path) {
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(path, 0755) && errno != EEXIST)
            fail(cage->socket, path);
        *slash = '/';
    }
}

/* Gathers the hidden paths to be covered: a folder by an empty folder, a file by an empty file. */
static size_t gather_hidden(const struct cage *cage, struct piece *pieces, size_t count) {
    for (const char **path = cage->hidden; *path; path++) {
        if (count == MOST_PIECES)
            errno = E2BIG, fail(cage->socket, "gathering what is hidden");
        pieces[count++] = (struct piece){.path = *path, .tree = -1, .hidden = 1};
    }
    return count;
}

static int by_depth(const void *one, const void *other) {
    size_t a = strlen(((const struct piece *)one)->path), b = strlen(((const struct piece *)other)->path);
    return (a > b) - (a < b);
}

/* Lets `piece` appear at its own path under the new root, which is the current folder. */
static void place(const struct cage *cage, const struct piece *piece) {
    char path[4096];
    struct stat info;
    snprintf(path, sizeof path, ".%s", piece->path);
    make_parents(cage, path);
    if (fstat(piece->tree, &info))
        fail(cage->socket, piece->path);
    if (S_ISDIR(info.st_mode)) {
        if (mkdir(path, 0755) && errno != EEXIST)
            fail(cage->socket, piece->path);
    } else
        write_file(cage, path, "");
    if (syscall(MOVE_TREE, piece->tree, "", AT_FDCWD, path, FROM_EMPTY_PATH))
        fail(cage->socket, piece->path);
    close(piece->tree);
}

/* A cover can be written to until all is placed, since a readable piece may lie in what is hidden. */
static void cover(const struct cage *cage, const char *hidden) {
    char path[4096];
    struct stat info;
    snprintf(path, sizeof path, ".%s", hidden);
    if (lstat(path, &info))
        return;
    unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
    if (S_ISDIR(info.st_mode) ? mount("nothing", path, "tmpfs", flags, "size=64k,nr_inodes=1024,mode=755")
                              : mount(EMPTY_FILE, path, NULL, MS_BIND, NULL))
        fail(cage->socket, hidden);
}

static void seal_covers(const struct cage *cage) {
    struct attributes sealed = {.set = READ_ONLY | NO_SUID | NO_DEVICES};
    char path[4096];
    for (const char **hidden = cage->hidden; *hidden; hidden++) {
        snprintf(path, sizeof path, ".%s", *hidden);
        if (access(path, F_OK) == 0 && syscall(SET_ATTRIBUTES, AT_FDCWD, path, 0, &sealed, sizeof sealed))
            fail(cage->socket, *hidden);
    }
}

static void place_link(const struct cage *cage, const char *old_path, int old_root) {
    char path[4096], target[4096];
    ssize_t size = readlinkat(old_root, old_path + 1, target, sizeof target - 1);
    if (size < 0)
        fail(cage->socket, old_path);
    target[size] = 0;
    snprintf(path, sizeof path, ".%s", old_path);
    make_parents(cage, path);
    if (symlink(target, path))
        fail(cage->socket, old_path);
}

static void make_folder(const struct cage *cage, const char *path, mode_t mode) {
    gid_t group = cage->walls & OTHER_UID ? cage->uid : getgid();
    if (mkdir(path, 0700) || chown(path, getuid(), group) || chmod(path, mode))
        fail(cage->socket, path);
}

/* One file system of limited size holds the work folder and /tmp. */
static void place_work(const struct cage *cage) {
    char options[128];
    mode_t mode = cage->walls & OTHER_UID ? 01770 : 0700;
    snprintf(options, sizeof options, "size=%llu,nr_inodes=%u,mode=755", (unsigned long long)cage->work_size, cage->inodes);
    if (mkdir("." WORK, 0755) || mkdir("./tmp", 0755) || mkdir("./new", 0755) ||
        mount("work", "./new", "tmpfs", MS_NOSUID | MS_NODEV, options))
        fail(cage->socket, "mounting the work folder");
    make_folder(cage, "./new/work", mode);
    make_folder(cage, "./new/tmp", mode);
    if (mount("./new/work", "." WORK, NULL, MS_BIND, NULL) || mount("./new/tmp", "./tmp", NULL, MS_BIND, NULL) ||
        umount2("./new", MNT_DETACH) || rmdir("./new"))
        fail(cage->socket, "placing the work folder");
}

static void place_names(const struct cage *cage) {
    char line[128];
    uid_t uid = cage->walls & OTHER_UID ? cage->uid : getuid();
    gid_t gid = cage->walls & OTHER_UID ? cage->uid : getgid();
    snprintf(line, sizeof line, "student:x:%u:%u::" WORK ":/bin/sh\n", uid, gid);
    write_file(cage, "./etc/passwd", line);
    snprintf(line, sizeof line, "student:x:%u:\n", gid);
    write_file(cage, "./etc/group", line);
}

static void move_in(const struct cage *cage) {
    struct attributes sealed = {.set = READ_ONLY | NO_SUID | NO_DEVICES};
    /* Before the old root goes: in a user namespace the kernel gives a new /proc only to who sees a whole one. */
    if (mkdir("./proc", 0755) || mount("proc", "./proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL))
        fail(cage->socket, "mounting /proc");
    if (syscall(SYS_pivot_root, ".", ".") || umount2(".", MNT_DETACH) || chdir("/"))
        fail(cage->socket, "leaving the old root");
    if (syscall(SET_ATTRIBUTES, AT_FDCWD, "/", 0, &sealed, sizeof sealed))
        fail(cage->socket, "sealing the root");
    if (sethostname("grader", 6))
        fail(cage->socket, "naming the room");
}

void furnish_room(struct cage *cage) {
    struct piece pieces[MOST_PIECES];
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
        fail(cage->socket, "making mounts private");
    size_t count = gather(cage, SYSTEM, READ_ONLY | NO_SUID | NO_DEVICES, pieces, 0);
    count = gather(cage, cage->readable, READ_ONLY | NO_SUID | NO_DEVICES, pieces, count);
    count = gather(cage, DEVICES, NO_SUID | NO_EXEC, pieces, count);
    count = gather_hidden(cage, pieces, count);
    int old_root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    umask(022);
    if (old_root < 0 || mount("room", NEW_ROOT, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,nr_inodes=1024,mode=755") ||
        chdir(NEW_ROOT))
        fail(cage->socket, "mounting the room");
    if (mkdir("./etc", 0755))
        fail(cage->socket, "mounting the room");
    place_names(cage);
    place_work(cage);
    /* Folders before what lies in them: what lies deeper decides whether it can be read. */
    qsort(pieces, count, sizeof *pieces, by_depth);
    write_file(cage, EMPTY_FILE, "");
    for (size_t i = 0; i < count; i++)
        if (pieces[i].hidden)
            cover(cage, pieces[i].path);
        else if (pieces[i].tree >= 0)
            place(cage, &pieces[i]);
        else
            place_link(cage, pieces[i].path, old_root);
    seal_covers(cage);
    if (unlink(EMPTY_FILE))
        fail(cage->socket, "mounting the room");
    close(old_root);
    move_in(cage);
    cage->work = WORK;
    cage->work_fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);      /* the grader walks from here to /box and /tmp */
    if (cage->work_fd < 0)
        fail(cage->socket, "opening the work folder");
}
