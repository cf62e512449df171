"""Every limit stops a program that goes over it, says which it was, and leaves one just below it alone."""

import os
import signal
from pathlib import Path

import pytest

from grader.sandbox import Cage, Event, Span, Tier, complete

MIB = 1 << 20

SPINS = r"""
#include <stdlib.h>
#include <time.h>
int main(int count, char **words) {
    double seconds = 0.1;
    while (clock() < seconds * CLOCKS_PER_SEC)
        ;
}
"""

SPINS_IN_CHILDREN = r"""
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int main(void) {
    for (int i = 0; i < 3; i++)
        if (fork() == 0) {
            while (clock() < 0.06 * CLOCKS_PER_SEC)
                ;
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
}
"""

FILLS = r"""
#include <stdlib.h>
#include <string.h>
int main(void) { memset(malloc(32 << 20), 1, 32 << 20); return 5; }
"""

FILLS_IN_CHILDREN = r"""
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    for (int i = 0; i < 4; i++)
        if (fork() == 0) {
            memset(malloc(10 << 20), 1, 10 << 20);
            usleep(300000);
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
    return 5;
}
"""

SHARES = r"""
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    memset(malloc(20 << 20), 1, 20 << 20);
    for (int i = 0; i < 5; i++)
        if (fork() == 0) {
            usleep(300000);
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
    return 5;
}
"""

SHARES_BRIEFLY = r"""
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int main(void) {
    memset(malloc(20 << 20), 1, 20 << 20);
    struct timespec begun, now;
    int alive = 0;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    do {
        if (fork() == 0) {
            usleep(rand() % 1000);
            _exit(0);
        }
        rand();
        if (alive++ >= 8)
            wait(NULL);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - begun.tv_sec) * 1000 + (now.tv_nsec - begun.tv_nsec) / 1000000 < 500);
    while (wait(NULL) > 0)
        ;
    return 5;
}
"""

FORKS = r"""
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    for (int i = 0; i < 5; i++)
        if (fork() == 0) {
            usleep(200000);
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
    return 5;
}
"""

PRINTS = r"""
#include <stdio.h>
int main(void) { for (int i = 0; i < 100000; i++) putchar('x'); return 5; }
"""

WRITES = r"""
#include <stdio.h>
int main(void) {
    FILE *file = fopen("big", "w");
    for (int i = 0; i < 100000; i++)
        fputc('x', file);
    return fclose(file) ? 6 : 5;
}
"""


@pytest.mark.parametrize(
    ("source", "limit", "over", "within"),
    [
        pytest.param(SPINS, "cpu", {"cpu": 0.04}, {"cpu": 2.0}, id="cpu"),
        pytest.param(SPINS_IN_CHILDREN, "cpu", {"cpu": 0.12}, {"cpu": 3.0}, id="cpu of children"),
        pytest.param(FILLS, "memory", {"memory": 24 * MIB}, {"memory": 48 * MIB}, id="memory"),
        pytest.param(FILLS_IN_CHILDREN, "memory", {"memory": 24 * MIB}, {"memory": 64 * MIB}, id="memory of children"),
        pytest.param(FORKS, "processes", {"processes": 5}, {"processes": 6}, id="processes"),
        pytest.param(PRINTS, "output", {"output": 99999}, {"output": 100000}, id="output"),
        pytest.param(WRITES, "file-size", {"file_size": 99999}, {"file_size": 100000}, id="file size"),
    ],
)
def test_a_limit_holds_and_is_named(in_tier, start, source, limit, over, within):
    """Over the limit the program is killed and the limit named; within it the program is left alone."""

    def scenario(tier):
        with Cage(tier) as cage:
            process = start(cage, source, **over)
            assert process.wait_event() is Event.LIMIT
            assert process.status.limit == limit
            process = start(cage, source, **within)
            assert process.wait_event() is Event.ENDED, process.status
            assert process.status.limit is None

    in_tier(scenario)


@pytest.mark.parametrize("source", [SHARES, SHARES_BRIEFLY])
def test_shared_memory_counts_once(source, in_tier, start):
    """Six processes that share 20 MiB use 20 MiB, not 120; nor do many that end while they are looked at."""

    def scenario(tier):
        with Cage(tier) as cage:
            process = start(cage, source, memory=32 * MIB)
            assert process.wait_event() is Event.ENDED
            assert process.status.exit_code == 5

    in_tier(scenario)


def test_a_quick_program_over_its_memory_is_over_all_the_same(tier, start):
    """Memory that is used and given back between two looks of the watcher still counts: the verdict is not by chance."""
    with Cage(tier) as cage:
        for _ in range(5):
            process = start(cage, FILLS, memory=24 * MIB)
            assert process.wait_event() is Event.LIMIT
            assert process.status.limit == "memory"
            assert process.status.peak > 24 * MIB


def test_a_quick_program_over_its_time_is_over_all_the_same(tier, start):
    """Time that was used between two looks of the watcher counts when the program has ended."""
    source = SPINS.replace("0.1", "0.012")
    with Cage(tier) as cage:
        for limit, event in ((0.005, Event.LIMIT), (2, Event.ENDED)):
            process = start(cage, source, cpu=limit)
            assert process.wait_event() is event
            assert process.status.limit == ("cpu" if event is Event.LIMIT else None)


def test_the_address_space_is_limited_where_asked(tier, start):
    """With a limit on the address space malloc fails, and the program decides what to do."""
    source = "#include <stdlib.h>\nint main(void) { return malloc(64 << 20) ? 5 : 6; }"
    with Cage(tier) as cage:
        for space, code in ((32 * MIB, 6), (128 * MIB, 5)):
            process = start(cage, source, address_space=space)
            assert process.wait_event() is Event.ENDED
            assert process.status.exit_code == code


def test_one_wait_can_be_bounded(in_tier, start):
    """Limits of computing time, without earlier computing, and of the clock; the length of a wait is known."""
    source = r"""
    #include <stdio.h>
    #include <time.h>
    #include <unistd.h>
    int main(void) {
        int milliseconds;
        while (printf("? "), fflush(stdout), scanf("%d", &milliseconds) == 1) {
            clock_t begun = clock();
            while (clock() - begun < milliseconds * (CLOCKS_PER_SEC / 1000))
                ;
            usleep(milliseconds < 0 ? -1000 * milliseconds : 0);
        }
    }
    """

    def scenario(tier):
        with Cage(tier) as cage:
            for last, most, limit in ((b"3000\n", Span(0.1, 20), "cpu"), (b"-3000\n", Span(20, 0.1), "wall")):
                process = start(cage, source)
                assert process.wait_event() is Event.WAITS
                for _ in range(3):
                    process.send(b"50\n")
                    assert process.wait_event(Span(0.1, 20)) is Event.WAITS
                    assert 0 <= process.took.cpu <= process.took.wall + 0.1
                process.send(last)
                assert process.wait_event(most) is Event.LIMIT
                assert process.status.limit == limit
                assert process.status.cpu < 1

    in_tier(scenario)


def test_only_the_time_that_we_wait_for_it_is_on_the_wall_clock(tier, start):
    """A program that sleeps too long is stopped; one that waits for input while we are busy is not."""
    sleeps = "#include <unistd.h>\nint main(void) { sleep(20); }"
    asks = r"""
    #include <stdio.h>
    #include <unistd.h>
    int main(void) { int n; puts("n?"); fflush(stdout); while (scanf("%d", &n) == 1) usleep(1000); return n; }
    """
    with Cage(tier) as cage:
        process = start(cage, sleeps, wall=0.2)
        assert process.wait_event() is Event.LIMIT
        assert (process.status.limit, process.status.signal) == ("wall", signal.SIGKILL)
        process = start(cage, asks, wall=0.5)
        for _ in range(3):
            assert process.wait_event() is Event.WAITS
            start(other := Cage(tier), sleeps, wall=0.25).wait_event()
            other.close()
            process.send(b"1\n")
        process.close_input()
        assert process.wait_event() is Event.ENDED


def test_each_wait_has_the_wall_clock_for_itself_up_to_a_bound(tier, start):
    """A program that pauses in each turn may take longer than the limit in all, but not ten times as long."""
    pauses = r"""
    #include <stdio.h>
    #include <unistd.h>
    int main(void) { while (getchar() != EOF) usleep(200000); }
    """
    with Cage(tier) as cage:
        process = start(cage, pauses, wall=0.5)
        turns = 0
        while process.wait_event() is Event.WAITS:
            process.send(b"\n")
            turns += 1
    assert process.status.limit == "wall"
    assert 4 < turns <= 26


def test_a_program_is_watched_while_nobody_waits_for_it(tier, start):
    """A child that eats memory while its parent waits for input is killed, though the driver is busy elsewhere."""
    source = r"""
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <unistd.h>
    int main(void) {
        char line[10];
        if (fork() == 0) {
            usleep(100000);
            memset(malloc(64 << 20), 1, 64 << 20);
            pause();
        }
        read(0, line, 10);
        pause();
    }
    """
    with Cage(tier) as cage:
        process = start(cage, source, memory=32 * MIB, wall=5)
        assert process.wait_event() is Event.WAITS
        process.send(b"x\n")
        assert process.wait_event() is Event.LIMIT
        assert process.status.limit == "memory"


def test_a_flood_is_cut_at_the_limit(tier, start):
    """Exactly as much of an endless output is kept as the limit allows, on each stream."""
    source = r"""
    #include <stdio.h>
    int main(int count, char **words) { for (;;) fputs("0123456789", stderr); }
    """
    with Cage(tier) as cage:
        for terminal in (False, True):
            process = start(cage, source, output=12345, terminal=terminal)
            assert process.wait_event() is Event.LIMIT
            assert process.status.limit == "output"
            assert len(process.take_output() if terminal else process.take_errors()) == 12345


def test_open_files_are_limited(tier, start):
    """A program can open as many files as the limit says, its standard streams among them."""
    source = r"""
    #include <stdio.h>
    #include <unistd.h>
    int main(void) { int n = 3; while (dup(0) >= 0) n++; return n; }
    """
    with Cage(tier) as cage:
        process = start(cage, source, files=20)
        assert process.wait_event() is Event.ENDED
        assert process.status.exit_code == 20


def test_a_full_work_folder_stops_the_program_or_its_writing(in_tier, start):
    """Many files that are small enough each do not fit together."""
    source = r"""
    #include <stdio.h>
    #include <unistd.h>
    int main(void) {
        static char text[1 << 20];
        for (int i = 0; i < 16; i++) {
            char name[20];
            sprintf(name, "file%d", i);
            FILE *file = fopen(name, "w");
            if (!file || fwrite(text, 1, sizeof text, file) < sizeof text || fclose(file))
                return 9;
        }
        sleep(1);
        return 0;
    }
    """

    def scenario(tier):
        with Cage(tier, work_size=4 << 20) as cage:
            process = start(cage, source)
            process.wait_event()
            assert process.status.limit == "file-size" or process.status.exit_code == 9
        with Cage(tier, work_size=32 << 20) as cage:
            process = start(cage, source)
            assert process.wait_event() is Event.ENDED
            assert process.status.exit_code == 0

    in_tier(scenario)


def test_strays_are_gone_when_the_program_has_ended(in_tier, start):
    """A child in a session of its own, which ignores what signals it can, does not outlive the program."""
    source = r"""
    #include <signal.h>
    #include <stdio.h>
    #include <unistd.h>
    int main(void) {
        for (int number = 1; number < 32; number++)
            signal(number, SIG_IGN);
        if (fork() == 0) {
            setsid();
            if (fork() == 0)
                for (;;) {
                    write(1, "x", 1);
                    usleep(100);
                }
            _exit(0);
        }
        usleep(20000);
    }
    """

    def scenario(tier):
        with Cage(tier) as cage:
            for _ in range(10):
                process = start(cage, source)
                assert process.wait_event() is Event.ENDED
                assert process.silent

    in_tier(scenario)


def test_a_killed_program_is_gone_with_its_children(in_tier, start):
    """Killing ends the whole tree at once, also one that forks as fast as it can."""
    source = r"""
    #include <unistd.h>
    int main(void) {
        write(1, "on", 2);
        for (;;)
            if (fork() > 0)
                _exit(0);
    }
    """
    keeps_parent = source.replace("_exit(0);", "pause();")

    def scenario(tier):
        with Cage(tier) as cage:
            for text in (source, keeps_parent):
                process = start(cage, text, processes=64, wall=1)
                process.wait_event()
                process.kill()
                assert process.status is not None

    in_tier(scenario)


def test_compilers_and_pipelines_run_to_their_end(in_tier, run_as):
    """A run without dialogue takes its input at once and gives output, errors and status."""

    def scenario(tier):
        with Cage(tier) as cage:
            done = complete(cage, run_as("sh", "-c", "cat; echo oops >&2; exit 4"), b"\0\xff all bytes")
            assert (done.output, done.errors, done.status.exit_code) == (b"\0\xff all bytes", b"oops\n", 4)
            cage.put("main.c", b"int main(void) { return 9; }")
            assert complete(cage, run_as("gcc", "main.c", "-o", "main")).status.exit_code == 0
            cage.put("main", cage.take("main", MIB), executable=True)  # in the user tier a linker may not make it so
            assert complete(cage, run_as("./main")).status.exit_code == 9

    in_tier(scenario)


HOLDS = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#define MIB (1 << 20)
int main(void) {
    int count = COUNT;
    static char text[MIB];
    for (int i = 0; i < count; i++) {
        HOLD
    }
    usleep(600000);
    return 5;
}
"""
NAMELESS = """
    int file = open("file", O_RDWR | O_CREAT, 0600);
    unlink("file");
    if (write(file, text, MIB) != MIB) return 9;
"""
NAMELESS_MAPPED = """
    int file = open("file", O_RDWR | O_CREAT, 0600);
    unlink("file");
    if (write(file, text, MIB) != MIB || mmap(0, 4096, 3, MAP_SHARED, file, 0) == MAP_FAILED) return 9;
    close(file);
"""
SHARED = """
    char *memory = mmap(0, MIB, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    memset(memory, 1, MIB);
    munmap(memory + 4096, MIB - 4096);
"""
SOCKETS = """
    int pair[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    fcntl(pair[0], F_SETFL, O_NONBLOCK);
    while (write(pair[0], text, 4096) > 0);
"""


@pytest.mark.parametrize(
    ("hold", "limit", "over", "within"),
    [
        pytest.param(NAMELESS, "file-size", 12, 3, id="open files without a name"),
        pytest.param(NAMELESS_MAPPED, "file-size", 12, 3, id="mapped files without a name"),
        pytest.param(SHARED, "memory", 40, 5, id="shared memory out of sight"),
        pytest.param(SOCKETS, "memory", 100, 10, id="sockets that nobody reads"),
    ],
)
def test_what_no_process_seems_to_hold_counts(in_tier, start, hold, limit, over, within):
    """Disk and memory that only the kernel knows about is limited like what can be seen."""

    def scenario(tier):
        with Cage(tier, work_size=8 * MIB) as cage:
            options = {"memory": 32 * MIB, "file_size": MIB, "files": 256}
            process = start(cage, HOLDS.replace("COUNT", str(within)).replace("HOLD", hold), **options)
            assert process.wait_event() is Event.ENDED, process.status
            assert process.status.exit_code == 5
            process = start(cage, HOLDS.replace("COUNT", str(over)).replace("HOLD", hold), **options)
            process.wait_event()
            full_disk = process.status.exit_code == 9 and limit == "file-size"
            assert process.status.limit == limit or full_disk, process.status

    in_tier(scenario)


def test_mapped_files_count_as_what_they_hold(start):
    """If the kernel tells root how large a mapped file without a name is, many small ones are no large one."""
    if os.geteuid() != 0 or not _tells_mapped_files():
        pytest.skip("the kernel does not tell")
    hold = NAMELESS_MAPPED.replace("text, MIB) != MIB", "text, 4096) != 4096")
    with Cage(Tier.CONTAINER, work_size=8 * MIB) as cage:
        process = start(cage, HOLDS.replace("COUNT", "20").replace("HOLD", hold), file_size=MIB)
        assert process.wait_event() is Event.ENDED, process.status
        assert process.status.exit_code == 5


def _tells_mapped_files() -> bool:
    try:
        return any(path.stat() for path in Path("/proc/self/map_files").iterdir())
    except PermissionError:
        return False


def test_shared_memory_comes_in_small_pieces(tier, start):
    """A piece of shared memory of a mebibyte is given, a larger one is not."""
    source = r"""
    #define _GNU_SOURCE
    #include <sys/mman.h>
    int main(void) {
        long most = 1 << 20;
        return (mmap(0, most, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) * 2 +
               (mmap(0, most + 1, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
    }
    """
    with Cage(tier) as cage:
        process = start(cage, source)
        assert process.wait_event() is Event.ENDED
        assert process.status.exit_code == (3 if tier == "bare" else 2)
