"""The view and the reach of a program, and the failures of the sandbox itself."""

import os
import shutil
import signal
import time
from pathlib import Path

import pytest

from grader.errors import JudgeError
from grader.sandbox import Cage, Event, LaunchError, Tier, complete, wire
from grader.sessions.jdk import java_home


def shell(cage, run_as, script):
    """The output of a shell script in the cage."""
    return complete(cage, run_as("sh", "-c", script)).output.decode()


def test_the_environment_is_what_was_given(in_tier, run_as, monkeypatch):
    """Nothing is inherited; only HOME and TMPDIR are added, and name the work folder."""
    monkeypatch.setenv("GRADER_SECRET", "42")

    def scenario(tier):
        with Cage(tier) as cage:
            lines = sorted(shell(cage, run_as, "exec env").splitlines())
            assert [line for line in lines if not line.startswith(("PWD=", "_=", "OLDPWD="))] == [
                f"HOME={cage.path}",
                "LANG=C.UTF-8",
                "PATH=/usr/bin:/bin",
                f"TMPDIR={cage.path}",
            ]
            assert f"PWD={cage.path}" in lines

    in_tier(scenario)


def test_only_the_standard_streams_are_open(in_tier, start):
    """A program finds descriptors 0, 1 and 2, and no other."""
    source = r"""
    #include <fcntl.h>
    int main(void) {
        int open_ones = 0;
        for (int fd = 0; fd < 64; fd++)
            open_ones += fcntl(fd, F_GETFD) >= 0;
        return open_ones;
    }
    """

    def scenario(tier):
        with Cage(tier) as cage:
            process = start(cage, source)
            assert process.wait_event() is Event.ENDED
            assert process.status.exit_code == 3

    in_tier(scenario)


def test_signals_are_as_a_shell_leaves_them(tier, start):
    """No signal is blocked or ignored, whatever the grader ignores, so that a broken pipe kills."""
    source = r"""
    #include <signal.h>
    #include <stddef.h>
    int main(void) {
        sigset_t blocked;
        struct sigaction action;
        int odd = 0;
        sigprocmask(SIG_BLOCK, NULL, &blocked);
        for (int number = 1; number < 32; number++) {
            sigaction(number, NULL, &action);
            odd += sigismember(&blocked, number) || action.sa_handler != SIG_DFL;
        }
        return odd;
    }
    """
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGHUP, signal.SIGTERM)}
    try:
        with Cage(tier) as cage:
            process = start(cage, source)
            assert process.wait_event() is Event.ENDED
            assert process.status.exit_code == 0
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def test_a_path_is_readable_where_it_was_named(in_tier, run_as):
    """An extra folder can be read under its own path, and not written; what lies beside it is not seen."""

    def scenario(tier):
        base = Path(f"/tmp/grader-test-{os.getpid()}-{tier}")
        (base / "given").mkdir(parents=True)
        (base / "secret").mkdir()
        try:
            base.chmod(0o755)
            (base / "given" / "file").write_text("readable", encoding="utf-8")
            (base / "secret" / "file").write_text("secret", encoding="utf-8")
            with Cage(tier, readable=(base / "given",)) as cage:
                assert shell(cage, run_as, f"cat {base}/given/file") == "readable"
                cage.clean()
                assert shell(cage, run_as, f"cat {base}/given/file") == "readable"
                if tier is not Tier.BARE:
                    assert shell(cage, run_as, f"cat {base}/secret/file; echo 1 > {base}/given/new && echo wrote") == ""
        finally:
            for name in ("given", "secret"):
                for file in (base / name).iterdir():
                    file.unlink()
                (base / name).rmdir()
            base.rmdir()

    in_tier(scenario)


def test_a_room_holds_the_system_and_little_else(run_as):
    """In a room of its own a program sees no home folders, no other processes and a user of its own."""
    if os.geteuid() != 0:
        pytest.skip("the room is the same for others")
    try:
        cage = Cage(Tier.STRONG)
    except LaunchError as error:
        pytest.skip(str(error))
    with cage:
        cage.put("look", b"ls /; echo --; ls /home /root /var /srv 2>/dev/null; id -un; ls -d /proc/[0-9]* | wc -l")
        done = complete(cage, run_as("sh", "look"))
        names, rest = done.output.decode().split("--\n")
        assert {"box", "dev", "etc", "proc", "tmp", "usr"} <= set(names.split())
        assert set(names.split()) <= {
            "bin",
            "box",
            "dev",
            "etc",
            "lib",
            "lib32",
            "lib64",
            "libx32",
            "proc",
            "sbin",
            "tmp",
            "usr",
        }
        user, processes = rest.split()
        assert user == "student"
        assert int(processes) <= 4  # the launcher, sh and ls; wc may not have begun


def test_two_cages_of_root_are_two_users(run_as):
    """Each cage of root runs its programs under a user id of its own, which is never root."""
    if os.geteuid() != 0:
        pytest.skip("only root has other users to give")
    with Cage(Tier.CONTAINER) as one, Cage(Tier.CONTAINER) as other:
        ids = {shell(cage, run_as, "id -u").strip() for cage in (one, other)}
    assert len(ids) == 2
    assert "0" not in ids


def test_one_program_at_a_time(tier, start, run_as):
    """A second program is refused while the first one runs, and started when that has ended."""
    source = "#include <unistd.h>\nint main(void) { pause(); }"
    with Cage(tier) as cage:
        process = start(cage, source)
        with pytest.raises(LaunchError, match="another program"):
            cage.start(run_as("true"))
        process.kill()
        assert complete(cage, run_as("true")).status.exit_code == 0


def test_cleaning_ends_what_runs(tier, start):
    """A program that still runs when its cage is cleaned is killed first."""
    with Cage(tier) as cage:
        process = start(cage, "#include <unistd.h>\nint main(void) { pause(); }")
        cage.clean()
        assert process.status.signal == signal.SIGKILL


FORBIDDEN = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>
static void say(const char *what, long result) { printf("%s %s\n", what, result < 0 ? strerrorname_np(errno) : "ok"); }
int main(void) {
    struct rlimit limit = {1, 1};
    char zeros[128] = {0};
    int ends[2], pair[2], zero = 0, file = open("file", O_RDWR | O_CREAT, 0600);
    struct msghdr empty = {0};
    pid_t child = fork();
    if (child == 0)
        return usleep(200000);
    pipe(ends);
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    say("clone into a user namespace", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
    say("clone3", syscall(435, zeros, 88));
    say("a system call of tomorrow", syscall(1000));
#ifdef __x86_64__
    say("a system call of x32", syscall(0x40000000 + SYS_getpid));
#endif
    say("the limits of another", syscall(SYS_prlimit64, getppid(), RLIMIT_NOFILE, NULL, &limit));
    say("its own limits", syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &limit));
    say("another personality", personality(ADDR_NO_RANDOMIZE));
    say("asking for its personality", personality(0xffffffff));
    say("typing for itself", ioctl(0, TIOCSTI, "x"));
    say("another line discipline", ioctl(0, TIOCSETD, &zero));
    say("room beyond the end of a file", fallocate(file, FALLOC_FL_KEEP_SIZE, 0, 4096));
    say("room in a file", fallocate(file, 0, 0, 4096));
    say("an attribute of a file", fsetxattr(file, "user.x", "x", 1, 0));
    say("sending a descriptor", sendmsg(pair[0], &empty, 0));
    say("writing to a pair", send(pair[0], "x", 1, 0));
    say("an address", bind(pair[0], (struct sockaddr *)zeros, sizeof zeros));
    say("a thread with descriptors of its own", syscall(SYS_clone, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD, 0, 0, 0, 0));
    say("descriptors of its own", syscall(436, 3000, 3001, 2));
    say("hiding from /proc", prctl(PR_SET_DUMPABLE, 0));
    say("a large pipe", fcntl(ends[0], F_SETPIPE_SZ, 1 << 20));
    say("a device", mknod("device", S_IFCHR | 0600, 0x103));
    say("a FIFO", mkfifo("fifo", 0600));
    say("killing a child", kill(child, SIGKILL));
    say("waiting for it", wait(NULL));
}
"""


def test_system_calls_are_judged_by_their_arguments(in_tier, start):
    """What depends on an argument is refused with that argument alone, and forking and waiting work as ever."""
    wanted = {
        "clone into a user namespace": "EPERM",
        "clone3": "ENOSYS",
        "a system call of tomorrow": "ENOSYS",
        "a system call of x32": "ENOSYS",
        "the limits of another": "EPERM",
        "its own limits": "ok",
        "another personality": "EPERM",
        "asking for its personality": "ok",
        "typing for itself": "ENOTTY",
        "another line discipline": "ENOTTY",
        "room beyond the end of a file": "EPERM",
        "room in a file": "ok",
        "an attribute of a file": "EOPNOTSUPP",
        "sending a descriptor": "EPERM",
        "writing to a pair": "ok",
        "an address": "EPERM",
        "a thread with descriptors of its own": "EPERM",
        "descriptors of its own": "EPERM",
        "hiding from /proc": "EPERM",
        "a large pipe": "EPERM",
        "a device": "EPERM",
        "a FIFO": "ok",
        "killing a child": "ok",
        "waiting for it": "ok",
    }

    def scenario(tier):
        if tier is Tier.BARE:
            return
        with Cage(tier) as cage:
            process = start(cage, FORBIDDEN)
            assert process.wait_event() is Event.ENDED
            lines = process.take_output().decode().splitlines()
            assert lines
            for line in lines:
                what, _, result = line.rpartition(" ")
                # If Landlock cannot keep signals in, the user tier lets a program signal itself alone.
                assert result == wanted[what] or (tier is Tier.USER and what == "killing a child"), line

    in_tier(scenario)


def test_a_program_that_cannot_be_started_is_our_fault(in_tier, run_as):
    """A command that is not there raises, and the cage can be used again."""

    def scenario(tier):
        with Cage(tier) as cage:
            for _ in range(3):
                try:
                    complete(cage, run_as("./none"))
                except LaunchError as error:
                    assert "starting the program: No such file" in str(error)  # noqa: PT017 (no pytest in a child)
                else:
                    raise AssertionError("it was started")
                assert complete(cage, run_as("true")).status.exit_code == 0

    in_tier(scenario)


def test_an_answer_about_a_program_that_never_started_is_not_about_the_next(tier, run_as):
    """A look at a program that could not be started is answered after its end, and the next one starts."""
    with Cage(tier) as cage:
        process = cage.start(run_as("./none"))
        time.sleep(0.2)  # by now its end is told
        process._launcher.look()
        process._looking = True
        with pytest.raises(LaunchError, match="starting the program"):
            process.wait_event()
        assert complete(cage, run_as("true")).status.exit_code == 0


def test_a_launcher_that_dies_is_our_fault(tier, start):
    """Killing the launcher is a judge error with a hint, not an ending of the program."""
    source = "#include <unistd.h>\nint main(void) { pause(); }"
    with Cage(tier) as cage:
        process = start(cage, source)
        os.kill(cage._launcher._child.pid, signal.SIGKILL)
        with pytest.raises(JudgeError, match="launcher has died"):
            process.wait_event()
        with pytest.raises(JudgeError):
            start(cage, source)


def test_a_missing_launcher_is_said_with_the_remedy(tier, monkeypatch):
    """Without the compiled launcher the message says how it comes to be."""
    monkeypatch.setattr(wire, "LAUNCHER", Path("/nowhere/launcher"))
    with pytest.raises(JudgeError, match="build_ext"):
        Cage(tier)


def test_a_launcher_that_cannot_be_started_is_our_own_fault(tier, monkeypatch, tmp_path):
    """A file that may not be executed is told with its place, as nothing of the student's."""
    (tmp_path / "launcher").write_bytes(b"")
    monkeypatch.setattr(wire, "LAUNCHER", tmp_path / "launcher")
    with pytest.raises(LaunchError, match="cannot be started"):
        Cage(tier)


def test_a_readable_path_that_is_not_there_is_our_fault(tier):
    """A cage cannot show what does not exist."""
    with pytest.raises(JudgeError, match="/nowhere/jdk"):
        Cage(tier, readable=(Path("/nowhere/jdk"),))


def test_a_hundred_programs_leave_no_descriptor_behind(in_tier, start):
    """However a run ends, all its descriptors are given back."""
    source = r"""
    #include <stdio.h>
    int main(void) { int n; return scanf("%d", &n) == 1 ? n : 0; }
    """

    def scenario(tier):
        with Cage(tier) as cage:
            start(cage, source).kill()
            before = len(list(Path("/proc/self/fd").iterdir()))
            for number in range(100):
                process = start(cage, source, terminal=number % 3 == 0, control=number % 5 == 0)
                process.wait_event()
                process.send(b"7\n") if number % 2 else process.kill()
                process.wait_event()
            assert len(list(Path("/proc/self/fd").iterdir())) == before

    in_tier(scenario)


def test_a_jvm_and_a_python_event_loop_run(in_tier, run_as):
    """A Java compiler, a JVM with its files and channels, and Python's asyncio need nothing that is refused."""
    javac, python = java_home() / "bin" / "javac", shutil.which("python3", path="/usr/bin:/usr/local/bin")
    assert python, "there is no Python of the system: sudo apt-get install python3"
    java = b"""
        import java.nio.file.*;
        public class Main {
            public static void main(String[] words) throws Exception {
                Files.writeString(Path.of("left"), new java.util.Scanner(System.in).nextLine());
                System.out.println(Files.readString(Path.of("left")));
            }
        }
    """
    loop = b"import asyncio\nasync def main():\n    await asyncio.sleep(0)\n    print('done')\nasyncio.run(main())\n"
    jvm = {"memory": 1 << 29, "processes": 64}
    flags = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")

    def scenario(tier):
        with Cage(tier, readable=(java_home(),)) as cage:
            cage.put("Main.java", java)
            cage.put("loop.py", loop)
            done = complete(cage, run_as(str(javac), *(f"-J{flag}" for flag in flags), "Main.java", **jvm))
            assert done.status.exit_code == 0, done
            process = cage.start(run_as(str(javac.with_name("java")), *flags, "Main", **jvm))
            assert process.wait_event() is Event.WAITS
            assert process.how_waits == "exact"
            process.send(b"hello\n")
            assert process.wait_event() is Event.ENDED
            assert process.take_output() == b"hello\n"
            assert complete(cage, run_as(python, "loop.py")).output == b"done\n"

    in_tier(scenario)


NEVER_SET = r"""
#include <stdio.h>
#include <stdlib.h>
int global;
int main(void) {
    int values[64], sum = 0;
    for (int i = 0; i < 64; i++)
        sum += values[i];
    printf("%d %p %p %p %p\n", sum, (void *) values, (void *) &global, malloc(10), (void *) main);
}
"""


def test_what_was_never_written_is_the_same_in_each_run(in_tier, compile_c, run_as):
    """Addresses do not change from run to run, nor does what a program finds in variables that it never set."""

    def scenario(tier):
        with Cage(tier) as cage:
            cage.put("program", compile_c(NEVER_SET, "-w"), executable=True, kept=True)
            printed = {complete(cage, run_as("./program")).output for _ in range(4)}
            assert len(printed) == 1
            assert printed != {b""}

    in_tier(scenario)
