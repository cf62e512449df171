"""Real C programs in a cage: when they wait, what they print, how they end."""

from __future__ import annotations

import pytest

from grader.sessions.native import NativeSession
from grader.sessions.session import END_OF_INPUT, play
from grader.transcript import EndingKind

ADDER = """
    int a, b;
    printf("Two numbers: ");
    if (scanf("%d%d", &a, &b) != 2) return 7;
    printf("%d\\nAgain? ", a + b);
    getchar();
    return getchar() == 'y' ? main() : 0;
"""
LIMITS = {"cpu": "500 ms", "wall": "3 s", "memory": "64 MiB", "output": "100 KiB", "processes": 4, "storage": "1 MiB"}


@pytest.fixture
def start(program_of):
    """Starts a program with these statements in its ``main``."""

    def start(body: str, before: str = "", *, terminal: bool = False) -> NativeSession:
        headers = "".join(
            f"#include <{name}.h>\n" for name in ("stdio", "stdlib", "string", "unistd", "signal", "time")
        )
        source = f"{headers}{before}\nint main(void)\n{{\n{body}\n}}\n"
        return program_of(source, LIMITS, terminal=terminal).start("")

    return start


def test_a_dialogue_has_its_turns(start):
    """Each turn ends where the program asks for input, with all that it printed, prompts without a line end too."""
    transcript = play(start(ADDER), ["1 2\n", "y\n", "3\n", "4\n", "n\n"])
    assert [turn.output for turn in transcript.turns] == [
        "Two numbers: ", "3\nAgain? ", "Two numbers: ", "", "7\nAgain? ", "",
    ]  # fmt: skip
    assert transcript.ending.kind is EndingKind.ENDED


def test_a_prompt_in_two_parts_is_one_turn(start):
    """A program that prints half a prompt, sleeps and prints the rest is waited for."""
    session = start('printf("half "); fflush(stdout); usleep(150000); printf("whole"); getchar(); return 0;')
    assert session.advance() is None
    assert session.take_output() == b"half whole"
    assert session.how_waits == "exact"


def test_the_end_of_input_can_be_given(start):
    """A program that reads to the end of its input ends when it is told that there is no more."""
    transcript = play(start(ADDER), [END_OF_INPUT])
    assert transcript.ending.kind is EndingKind.EXIT_CODE
    assert "exit code 7" in transcript.ending.message


def test_a_program_that_wants_more_is_left_waiting(start):
    """After the last input of its case a program may wait: that is no time-out."""
    assert play(start(ADDER), ["1\n"]).ending.kind is EndingKind.STILL_WAITING


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        ("return 0;", EndingKind.ENDED, "ended"),
        ("exit(3);", EndingKind.EXIT_CODE, "exit code 3"),
        ("char *p = 0; *p = 1; return 0;", EndingKind.SIGNAL, "SIGSEGV: segmentation fault"),
        ("abort();", EndingKind.SIGNAL, "SIGABRT"),
        ("volatile int z = 0; return 10 / z;", EndingKind.SIGNAL, "divided by zero"),
        ("for (;;) ;", EndingKind.TIME_LIMIT, "more than 0.5 s"),
        ("for (;;) sleep(1);", EndingKind.TIME_LIMIT, "without asking for input"),
        ('for (;;) puts("again");', EndingKind.OUTPUT_LIMIT, "102,400 bytes"),
        ("for (;;) memset(malloc(1 << 20), 1, 1 << 20);", EndingKind.MEMORY_LIMIT, "64 MiB"),
        ('FILE *f = fopen("f", "w"); for (;;) fputs("again", f);', EndingKind.FILE_LIMIT, "to a file"),
        ("fclose(stdout); fclose(stdin); return 0;", EndingKind.ENDED, "ended"),
        ('system("rm -rf $PWD 2>/dev/null"); return 0;', EndingKind.ENDED, "ended"),
    ],
)
def test_an_end_is_told_in_words(start, body, kind, said):
    """Exit codes, signals and limits each have their kind and a sentence."""
    ending = play(start(body), []).ending
    assert (ending.kind, said in ending.message) == (kind, True), ending.message


@pytest.mark.parametrize(("printed", "kind"), [(100_000, EndingKind.STILL_WAITING), (110_000, EndingKind.OUTPUT_LIMIT)])
def test_an_answer_allows_as_much_output_again(start, printed, kind):
    """A right game with large boards is no loop: the limit holds for a turn, and ten times as much for the run."""
    body = f'for (;;) {{ for (int i = 0; i < {printed // 10}; i++) fputs("123456789\\n", stdout); fflush(stdout); getchar(); }}'
    assert play(start(body), ["\n"] * 3).ending.kind is kind
    assert play(start(body), ["\n"] * 11).ending.kind is EndingKind.OUTPUT_LIMIT


def test_a_recursion_without_end_is_told(start):
    """A stack that overflows is a segmentation fault whose meaning names recursion."""
    ending = play(
        start("return f(1);", "int f(int n) { volatile char room[9000]; room[0] = 1; return f(n + 1) + room[0]; }"), []
    ).ending
    assert "recursion" in ending.message


def test_each_run_has_an_empty_folder(start):
    """Files that one run leaves in its folder are gone in the next, whether it was left waiting or has ended."""
    session = start(
        'FILE *f = fopen("left", "r"); puts(f ? "there" : "none"); f = fopen("left", "w"); fclose(f); getchar(); return 0;'
    )
    for ends in (False, True, True, False):
        assert session.advance() is None
        assert session.take_output() == b"none\n"
        if ends:
            session.send("\n")
            assert session.advance() is not None
        session = session._program.start("")


def test_a_terminal_is_one(start):
    """If a spec asks for a terminal the program talks to one, and otherwise through pipes."""
    body = 'printf("%d%d", isatty(0), isatty(1)); getchar(); return 0;'
    for terminal, said in ((True, b"11"), (False, b"00")):
        session = start(body, terminal=terminal)
        assert session.advance() is None
        assert session.take_output() == said


def test_bytes_of_any_kind_are_text(start):
    """Zeros and bytes that are no UTF-8 come through as they are, and make no turn of their own."""
    transcript = play(start('fwrite("a\\0\\xff\\xfe", 1, 4, stdout); getchar(); return 0;'), ["x\n"])
    assert transcript.turns[0].output == "a\0\\xff\\xfe"


def test_only_a_program_that_runs_again_is_started_ahead(start):
    """One play runs the program once; after a second run the next one waits already."""
    session = start(ADDER)
    program = session._program
    play(session, [END_OF_INPUT])
    assert program._ahead is None
    play(program.start(""), [END_OF_INPUT])
    assert program._ahead is not None


def test_what_goes_wrong_ahead_is_told_when_it_is_asked_for(start):
    """A program that breaks as soon as it starts breaks in each run, and in no run before it."""
    program = start('puts("once"); abort();')._program
    for _ in range(3):
        transcript = play(program.start(""), [])
        assert transcript.turns[0].output == "once\n"
        assert transcript.ending.kind is EndingKind.SIGNAL
