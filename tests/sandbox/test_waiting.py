"""A program that waits for input is known to wait at once, and with all that it printed before in hand."""

import select
import signal

import pytest

from grader.sandbox import Cage, Event, Tier

ASKS = r"""
#include <stdio.h>
int main(void) {
    int n;
    setvbuf(stdout, NULL, _IONBF, 0);
    while (printf("Enter "), printf("n: "), scanf("%d", &n) == 1 && n)
        printf("got %d\n", n);
    printf("bye\n");
    return 3;
}
"""


def converse(process, rounds: int, prompt: bytes = b"Enter n: ") -> None:
    """Answer this number of prompts, which must all be whole."""
    before = b""
    for number in range(1, rounds + 1):
        assert process.wait_event() is Event.WAITS
        assert process.take_output() == before + prompt
        process.send(b"%d\n" % number)
        before = b"got %d\n" % number
    assert process.wait_event() is Event.WAITS
    assert process.take_output() == before + prompt


def test_two_thousand_prompts_in_two_parts_come_whole(in_tier, start):
    """Each of 2,000 prompts printed in two pieces comes whole, and waiting is known exactly, in every tier."""

    def scenario(tier):
        with Cage(tier) as cage:
            process = start(cage, ASKS)
            converse(process, 2000)
            assert process.how_waits == "exact"
            process.send(b"0\n")
            assert process.wait_event() is Event.ENDED
            assert process.take_output() == b"bye\n"
            assert (process.status.exit_code, process.status.signal, process.status.limit) == (3, None, None)

    in_tier(scenario)


def test_prompts_come_whole_by_proc_alone(in_tier, start):
    """If reads are not watched, looking at /proc tells the same, and is named."""

    def scenario(tier):
        with Cage(tier) as cage:
            process = start(cage, ASKS, watch=False)
            converse(process, 200)
            assert process.how_waits == "proc"

    in_tier(scenario)


def test_a_terminal_shows_prompts_and_echo(in_tier, start):
    """On a terminal what is typed appears before what the program prints next, with line ends as terminals write them."""

    def scenario(tier):
        with Cage(tier) as cage:
            process = start(cage, ASKS, terminal=True)
            before = b""
            for number in range(1, 301):
                assert process.wait_event() is Event.WAITS
                assert process.take_output() == before + b"Enter n: "
                process.send(b"%d\n" % number)
                before = b"%d\r\ngot %d\r\n" % (number, number)
            process.close_input()
            assert process.wait_event() is Event.ENDED
            assert process.take_output() == before + b"Enter n: bye\r\n"
            assert process.how_waits == "exact"

    in_tier(scenario)


def test_a_program_on_a_terminal_finds_one(tier, start):
    """On a terminal isatty says yes for all three streams, and there is no controlling terminal."""
    source = r"""
    #include <fcntl.h>
    #include <stdio.h>
    #include <unistd.h>
    int main(void) { printf("%d%d%d %d\n", isatty(0), isatty(1), isatty(2), open("/dev/tty", O_RDWR)); }
    """
    with Cage(tier) as cage:
        process = start(cage, source, terminal=True)
        assert process.wait_event() is Event.ENDED
        assert process.take_output() == b"111 -1\r\n"


ODD = r"""
#include <stdio.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>
int main(int count, char **words) {
    struct termios flags;
    char name[20];
    tcgetattr(0, &flags);
    flags.c_oflag = (tcflag_t)strtoul(words[1], 0, 0);
    flags.c_lflag &= ~(tcflag_t)ECHO;
    tcsetattr(0, TCSANOW, &flags);
    if (write(1, "one", 3) == 3 && (count > 2 || read(0, name, sizeof name) > 0))
        return write(1, "\tTwo\r\n\r", 8) != 8 || (count == 2 && read(0, name, sizeof name) < 0) ||
               write(1, "\rthree\tfour\n", 13) != 13;
}
"""


@pytest.mark.parametrize("flag", [*(1 << number for number in range(16)), 0x1800, 0xFFFF, 0])
def test_no_flag_of_a_terminal_shows_what_is_ours(tier, compile_c, run_as, flag):
    """Whatever a terminal makes of output, a program that waits between two lines has the same on it as one that does not."""
    with Cage(tier) as cage:
        cage.put("program", compile_c(ODD), executable=True, kept=True)
        shown = {}
        for words in ((), ("at once",)):
            process = cage.start(run_as("./program", str(flag | 1), *words, terminal=True))
            shown[words] = b""
            while process.wait_event() is Event.WAITS:
                shown[words] += process.take_output()
                process.send(b"Ann\n")
            assert process.status.exit_code == 0
            shown[words] += process.take_output()
        assert shown[()] == shown["at once",]
        assert b"three" in shown[()].lower()


def test_a_program_that_spoils_its_terminal_is_ended(start):
    """If no wall keeps a program from giving its terminal another line discipline, that is its end, and no error of ours."""
    source = r"""
    #include <stdio.h>
    #include <sys/ioctl.h>
    int main(void) {
        int discipline = 27;
        printf("%d", getchar());
        fflush(stdout);
        ioctl(0, TIOCSETD, &discipline);
        getchar();
        for (;;);
    }
    """
    with Cage(Tier.BARE) as cage:
        process = start(cage, source, terminal=True)
        assert process.wait_event() is Event.WAITS
        process.send(b"A\n")
        assert process.wait_event() is Event.ENDED
        assert (process.status.exit_code, process.status.signal) == (None, signal.SIGKILL)


@pytest.mark.parametrize("terminal", [False, True])
def test_a_read_of_nothing_is_no_wait(in_tier, start, terminal):
    """A program that reads zero bytes asks for no input, and goes on at once."""
    source = r"""
    #include <stdio.h>
    #include <sys/uio.h>
    #include <unistd.h>
    int main(void) {
        char letter;
        long nothing = read(0, &letter, 0) + readv(0, NULL, 0);
        printf("%ld", nothing);
        fflush(stdout);
        return read(0, &letter, 1) != 1;
    }
    """

    def scenario(tier):
        with Cage(tier) as cage:
            process = start(cage, source, terminal=terminal)
            assert process.wait_event() is Event.WAITS
            assert process.take_output() == b"0"
            process.send(b"x\n")
            assert process.wait_event() is Event.ENDED
            assert process.status.exit_code == 0

    in_tier(scenario)


def test_half_a_line_on_a_terminal_leaves_it_waiting(tier, start):
    """In cooked mode a line without its end is not given to the program, which is then said to wait again."""
    with Cage(tier) as cage:
        process = start(cage, ASKS, terminal=True)
        assert process.wait_event() is Event.WAITS
        process.send(b"1")
        assert process.wait_event() is Event.WAITS
        assert process.take_output() == b"Enter n: 1"
        process.send(b"2\n")
        assert process.wait_event() is Event.WAITS
        assert process.take_output().endswith(b"got 12\r\nEnter n: ")


def test_the_end_of_input_is_read_after_what_was_given(in_tier, start):
    """A program reads all that it was sent, then the end of input, and is not said to wait any more."""

    def scenario(tier):
        with Cage(tier) as cage:
            process = start(cage, ASKS)
            process.send(b"5\n6\n")
            process.close_input()
            assert process.wait_event() is Event.ENDED
            assert process.take_output() == b"Enter n: got 5\nEnter n: got 6\nEnter n: bye\n"

    in_tier(scenario)


def test_a_program_that_still_waits_is_said_to_wait_again(tier, start):
    """Asking again without sending anything gives the same event, and no output."""
    with Cage(tier) as cage:
        process = start(cage, ASKS)
        assert process.wait_event() is Event.WAITS
        process.take_output()
        assert process.wait_event() is Event.WAITS
        assert process.take_output() == b""


POLLS = r"""
#include <poll.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>
int main(int count, char **words) {
    char line[100];
    int epoll = epoll_create1(0);
    struct epoll_event wanted = {.events = EPOLLIN}, got;
    epoll_ctl(epoll, EPOLL_CTL_ADD, 0, &wanted);
    for (int i = 0; i < 30; i++) {
        struct pollfd input = {0, POLLIN, 0};
        fd_set set;
        FD_ZERO(&set);
        FD_SET(0, &set);
        write(1, "Enter ", 6);
        write(1, "n: ", 3);
        if (i % 4 == 0)
            poll(&input, 1, -1);
        else if (i % 4 == 1)
            while (poll(&input, 1, 20) == 0)
                ;
        else if (i % 4 == 2)
            select(1, &set, NULL, NULL, NULL);
        else
            epoll_wait(epoll, &got, 1, -1);
        ssize_t size = read(0, line, sizeof line);
        write(1, "got ", 4);
        write(1, line, size);
    }
}
"""


def test_programs_that_poll_before_they_read_wait_too(in_tier, start):
    """poll, select and epoll on standard input are waits, found by /proc, and said to be."""

    def scenario(tier):
        with Cage(tier) as cage:
            process = start(cage, POLLS)
            converse(process, 29)
            assert process.how_waits == "proc"
            process.send(b"30\n")
            assert process.wait_event() is Event.ENDED

    in_tier(scenario)


def test_root_without_the_capability_to_trace_can_look(start, without_capabilities):
    """If root may not trace, as in Docker, looking at /proc still works."""
    sys_ptrace, sys_admin = 19, 21

    def scenario(tier):
        with Cage(tier) as cage:
            for source, watch in ((POLLS, True), (ASKS, False)):
                process = start(cage, source, watch=watch)
                converse(process, 29)
                assert process.how_waits == "proc"
                process.kill()

    without_capabilities(scenario, sys_ptrace, sys_admin)


def test_a_select_that_only_sleeps_is_no_wait(tier, start):
    """Select without descriptors is a way to sleep: the program goes on by itself, and is not asked to."""
    source = r"""
    #include <stdio.h>
    #include <sys/select.h>
    int main(void) {
        for (int i = 0; i < 5; i++) {
            struct timeval pause = {0, 30000};
            select(0, NULL, NULL, NULL, &pause);
        }
        puts("done");
    }
    """
    with Cage(tier) as cage:
        process = start(cage, source)
        assert process.wait_event() is Event.ENDED
        assert process.take_output() == b"done\n"


def test_who_only_sleeps_still_has_something_to_say(tier, start):
    """While one process polls its input and another sleeps for a while, the program does not wait: it goes on by itself."""
    source = r"""
    #include <poll.h>
    #include <sys/wait.h>
    #include <time.h>
    #include <unistd.h>
    int main(void) {
        struct pollfd input = {0, POLLIN, 0};
        struct timespec pause = {0, 150000000};
        if (fork() == 0)
            return poll(&input, 1, -1);
        nanosleep(&pause, NULL);
        write(1, "late", 4);
        wait(NULL);
    }
    """
    with Cage(tier) as cage:
        process = start(cage, source)
        assert process.wait_event() is Event.WAITS
        assert process.take_output() == b"late"


def test_a_copy_of_standard_input_is_waited_for(in_tier, start):
    """A program that reads a duplicate of descriptor 0 waits like any other."""
    source = r"""
    #include <unistd.h>
    int main(void) {
        char line[100];
        int copy = dup(0);
        close(0);
        for (int i = 0; i < 5; i++) {
            write(1, "Enter n: ", 9);
            ssize_t size = read(copy, line, sizeof line);
            write(1, "got ", 4);
            write(1, line, size);
        }
    }
    """

    def scenario(tier):
        with Cage(tier) as cage:
            process = start(cage, source)
            converse(process, 4)

    in_tier(scenario)


def test_another_file_as_descriptor_0_is_not_our_input(tier, start):
    """A program that closes its input and reads a file under that number is not said to wait."""
    source = r"""
    #include <fcntl.h>
    #include <unistd.h>
    int main(void) {
        char text[100];
        close(0);
        open("file", O_RDONLY);
        write(1, text, read(0, text, sizeof text));
    }
    """
    with Cage(tier) as cage:
        cage.put("file", b"from the file")
        process = start(cage, source)
        assert process.wait_event() is Event.ENDED
        assert process.take_output() == b"from the file"


def test_readers_that_were_forked_wait(in_tier, start):
    """Children that read in turn are seen to wait, whichever of them reads."""
    source = r"""
    #include <stdio.h>
    #include <sys/wait.h>
    #include <unistd.h>
    int main(void) {
        char line[100];
        for (int i = 0; i < 20; i++) {
            if (fork() == 0) {
                write(1, "Enter n: ", 9);
                ssize_t size = read(0, line, sizeof line);
                write(1, "got ", 4);
                write(1, line, size);
                _exit(0);
            }
            wait(NULL);
        }
    }
    """

    def scenario(tier):
        with Cage(tier) as cage:
            process = start(cage, source)
            converse(process, 19)
            assert process.how_waits == "exact"

    in_tier(scenario)


def test_two_readers_at_once_both_get_input(in_tier, start):
    """Two processes that read at the same time are given a line each, and the program ends."""
    source = r"""
    #include <sys/wait.h>
    #include <unistd.h>
    int main(void) {
        char line[100];
        pid_t child = fork();
        read(0, line, 2);
        write(1, "got\n", 4);
        if (child == 0)
            _exit(0);
        wait(NULL);
        write(1, "end\n", 4);
    }
    """

    def scenario(tier):
        with Cage(tier) as cage:
            process = start(cage, source)
            output, sent = b"", 0
            while process.wait_event() is Event.WAITS:
                sent += 1
                assert sent < 10
                process.send(b"x\n")
            output = process.take_output()
            assert output == b"got\ngot\nend\n"

    in_tier(scenario)


def test_a_thread_that_reads_waits(in_tier, start):
    """Reads are seen whichever thread makes them."""
    source = r"""
    #include <pthread.h>
    #include <stdio.h>
    static void *ask(void *unused) {
        int n;
        setvbuf(stdout, NULL, _IONBF, 0);
        while (printf("Enter "), printf("n: "), scanf("%d", &n) == 1)
            printf("got %d\n", n);
        return unused;
    }
    int main(void) {
        pthread_t thread;
        pthread_create(&thread, NULL, ask, NULL);
        pthread_join(thread, NULL);
    }
    """

    def scenario(tier):
        with Cage(tier) as cage:
            process = start(cage, source)
            converse(process, 200)
            assert process.how_waits == "exact"

    in_tier(scenario)


def test_a_static_program_waits(in_tier, start):
    """A program that is linked statically is watched like any other."""

    def scenario(tier):
        with Cage(tier) as cage:
            process = start(cage, ASKS, "-static")
            converse(process, 200)
            assert process.how_waits == "exact"

    in_tier(scenario)


def test_a_read_that_a_signal_interrupts_waits_once_more(tier, start):
    """A timer that keeps interrupting a read neither loses the wait nor the input."""
    source = r"""
    #include <signal.h>
    #include <stdio.h>
    #include <sys/time.h>
    static void tick(int number) { (void)number; }
    int main(void) {
        struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
        struct itimerval every = {{0, 1000}, {0, 1000}};
        int n;
        sigaction(SIGALRM, &action, NULL);
        setitimer(ITIMER_REAL, &every, NULL);
        setvbuf(stdout, NULL, _IONBF, 0);
        while (printf("Enter "), printf("n: "), scanf("%d", &n) == 1)
            printf("got %d\n", n);
    }
    """
    with Cage(tier) as cage:
        process = start(cage, source)
        converse(process, 200)


def test_a_program_that_closes_its_streams_ends_all_the_same(in_tier, start):
    """Closed standard streams are no end: the program goes on, and its end is seen."""
    source = r"""
    #include <unistd.h>
    int main(void) {
        write(1, "last words", 10);
        close(0); close(1); close(2);
        usleep(20000);
        return 7;
    }
    """

    def scenario(tier):
        with Cage(tier) as cage:
            process = start(cage, source)
            assert process.wait_event() is Event.ENDED
            assert process.take_output() == b"last words"
            assert process.status.exit_code == 7

    in_tier(scenario)


def test_much_input_goes_through_a_small_pipe(in_tier, start):
    """Input of a megabyte is given as the program reads it, and it is not said to wait before it has read all."""
    source = r"""
    #include <stdio.h>
    int main(void) {
        long count = 0;
        while (getchar() != EOF)
            count++;
        printf("%ld\n", count);
    }
    """

    def scenario(tier):
        with Cage(tier) as cage:
            process = start(cage, source)
            process.send(bytes(1 << 20))
            assert process.wait_event() is Event.WAITS
            process.close_input()
            assert process.wait_event() is Event.ENDED
            assert process.take_output() == b"1048576\n"

    in_tier(scenario)


def test_input_that_nobody_reads_is_lost(tier, start):
    """Sending to a program that has closed its input, or has ended, harms nobody."""
    source = "#include <unistd.h>\nint main(void) { close(0); usleep(20000); return 0; }"
    with Cage(tier) as cage:
        process = start(cage, source)
        process.send(bytes(1 << 20))
        assert process.wait_event() is Event.ENDED
        process.send(b"more")
        process.close_input()
        process.kill()
        assert process.wait_event() is Event.ENDED


def test_a_program_that_is_killed_by_a_signal_says_which(in_tier, start):
    """A crash is an end with the number of its signal and without an exit code."""
    source = "#include <stdlib.h>\nint main(void) { abort(); }"

    def scenario(tier):
        with Cage(tier) as cage:
            process = start(cage, source)
            assert process.wait_event() is Event.ENDED
            assert (process.status.exit_code, process.status.signal, process.status.limit) == (None, 6, None)

    in_tier(scenario)


def test_the_control_socket_talks_both_ways(tier, start):
    """A text that a program writes to descriptor 3 is an event, with all that it printed before in hand."""
    source = r"""
    #include <stdio.h>
    #include <unistd.h>
    int main(void) {
        char word[16];
        for (;;) {
            ssize_t size = read(3, word, sizeof word);
            if (size <= 0 || word[0] == 'q')
                return 0;
            printf("told %.*s\n", (int)size, word);
            fflush(stdout);
            write(3, "done", 4);
        }
    }
    """
    with Cage(tier) as cage:
        process = start(cage, source, control=True, watch=False)
        for number in range(200):
            process.send_control(b"%d" % number)
            assert process.wait_event() is Event.CONTROL
            assert process.take_output() == b"told %d\n" % number
            assert process.take_control() == b"done"
        process.send_control(b"q")
        assert process.wait_event() is Event.ENDED
        assert process.take_control() == b""


def test_a_look_from_before_an_input_tells_nothing(tier, start):
    """The answer to a look that was asked for before an input may come after it, and is not taken for a new wait."""
    source = ASKS.replace('printf("got %d\\n", n);', 'printf("got %d", n), usleep(50000), printf("\\n");')
    assert source != ASKS
    with Cage(tier) as cage:
        process = start(cage, "#include <unistd.h>\n" + source)
        assert process.wait_event() is Event.WAITS
        process._launcher.look()
        process._looking = True
        select.select([process._launcher.socket], [], [])
        process.take_output()
        process.send(b"1\n")
        select.select(process._streams.readable, [], [])
        assert process.wait_event() is Event.WAITS
        assert process.take_output() == b"got 1\nEnter n: "
