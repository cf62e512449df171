"""Endings of Java programs by what they wrote to standard error, which may be anything."""

from __future__ import annotations

import pytest

from grader.sessions.java_endings import Endings
from grader.source import SourceFile
from grader.spec.model import Limits
from grader.transcript import EndingKind

SOURCE = SourceFile("src/Nim.java", "class Nim {\n  void play() { throw null; }\n}\n")
ENDINGS = Endings(Limits(), frozenset({"Nim", "nim.Heap$1"}), (SOURCE,))


def test_a_trace_is_cut_to_the_lines_of_the_program():
    """Frames of Java and of what started the program are left out; the place is in a file of the student."""
    said = (
        'left over\nException in thread "main" java.lang.NullPointerException: two\nlines\n'
        "\tat java.base/java.util.Objects.requireNonNull(Objects.java:208)\n\tat nim.Heap$1.run(Given.java:7)\n"
        "\tat Nim.play(Nim.java:2)\n\tat grader.host.CaseHost$Run.call(CaseHost.java:170)\n"
    )
    ending = ENDINGS.of_run(1, said.encode())
    assert ending.message == "an exception that nothing caught: NullPointerException: two lines"
    assert (ending.place, ending.last_steps) == (
        "src/Nim.java:2",
        ("nim.Heap$1.run (Given.java:7)", "Nim.play (Nim.java:2)"),
    )
    assert "void play() { throw null; }" in ending.excerpt


def test_a_trace_counts_only_beside_exit_code_1():
    """A program that exits with another code, or normally, was not ended by the exception that it shows."""
    said = b'Exception in thread "main" java.lang.Error\n\tat Nim.play(Nim.java:2)\n'
    assert [ENDINGS.of_run(code, said).kind for code in (0, 1, 2)] == [
        EndingKind.ENDED,
        EndingKind.EXCEPTION,
        EndingKind.EXIT_CODE,
    ]


@pytest.mark.parametrize("line", ["0", "5", "9" * 9, "9" * 5000, "-1", "x"])
def test_a_forged_line_is_no_trouble(line):
    """A line that the source does not have, or that is no number, has no excerpt."""
    said = f'Exception in thread "main" java.lang.Error\n\tat Nim.play(Nim.java:{line})\n'
    ending = ENDINGS.of_run(1, said.encode())
    assert (ending.kind, ending.excerpt) == (EndingKind.EXCEPTION, "")


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"\xff\x00",
        b'Exception in thread "main" ',
        b"Caused by: \n\tat \n",
        b"\tat a/" * 50_000,
        b"Caused by: x\n" * 50_000,
    ],
)
def test_whatever_else_is_said_is_an_exit_code(said):
    """No text on standard error raises or is taken for an exception."""
    assert ENDINGS.of_run(1, said).kind is EndingKind.EXIT_CODE
