/* One part of a compiler, such as cc1, as or ld: `gcc -wrapper` starts it through us.
 *
 * gcc says in text alone how a part ended, and a source can write any line into that text. So the wait status of each part goes
 * to the control socket, which no part that reads a source holds.
 */
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CONTROL_SOCKET 3
#define BEGINS (-1)             /* as in grader/build/tool.py: a part that begins and has no status was killed with us */

static void report(int32_t what) {
    while (write(CONTROL_SOCKET, &what, sizeof what) < 0 && errno == EINTR)
        continue;
}

int run_tool(char **words) {
    const char *slash = strrchr(words[0], '/');
    const char *name = slash ? slash + 1 : words[0];
    int status;
    report(BEGINS);
    pid_t pid = fork();
    if (pid == 0) {
        if (strcmp(name, "collect2"))           /* it reads no source, and starts ld, which reports as well */
            fcntl(CONTROL_SOCKET, F_SETFD, FD_CLOEXEC);
        execvp(words[0], words);
        _exit(127);
    }
    if (pid < 0)
        return 127;                             /* no status: this machine lacks processes */
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return 127;
    report(status);
    if (WIFSIGNALED(status))
        raise(WTERMSIG(status));                /* so that gcc sees what it would see without us */
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
