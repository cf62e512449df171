"""Endings of Java programs by what they wrote to standard error, which may be anything."""

from __future__ import annotations

import pytest

from grader.sandbox import Status
from grader.sessions.java_endings import Endings
from grader.sessions.native import ending_of
from grader.source import SourceFile
from grader.spec.model import Limits
from grader.transcript import Ending, EndingKind

SOURCE = SourceFile("src/Nim.java", "class Nim {\n  void play() { throw null; }\n}\n")
ENDINGS = Endings(frozenset({"Nim", "nim.Heap$1"}), (SOURCE,))


def ending(code: int, written: bytes) -> Ending:
    """How a run ended that came to this exit code and wrote this to standard error."""
    return ending_of(Status(code, None, None, 0.0, 0), written, Limits(), ENDINGS.explain)


def test_a_trace_is_cut_to_the_lines_of_the_program():
    """Frames of Java and of what started the program are left out; the place is in a file of the student."""
    said = (
        'left over\nException in thread "main" java.lang.NullPointerException: two\nlines\n'
        "\tat java.base/java.util.Objects.requireNonNull(Objects.java:208)\n\tat nim.Heap$1.run(Given.java:7)\n"
        "\tat Nim.play(Nim.java:2)\n\tat grader.host.CaseHost$Run.call(CaseHost.java:170)\n"
    )
    thrown = ending(1, said.encode())
    assert thrown.message == "uncaught exception: NullPointerException: two lines"
    assert (thrown.place, thrown.last_steps) == (
        "src/Nim.java:2",
        ("nim.Heap$1.run (Given.java:7)", "Nim.play (Nim.java:2)"),
    )
    assert "void play() { throw null; }" in thrown.excerpt


def test_a_trace_counts_only_beside_exit_code_1():
    """A program that exits with another code, or normally, was not ended by the exception that it shows."""
    said = b'Exception in thread "main" java.lang.Error\n\tat Nim.play(Nim.java:2)\n'
    assert [ending(code, said).kind for code in (0, 1, 2)] == [
        EndingKind.ENDED,
        EndingKind.EXCEPTION,
        EndingKind.EXIT_CODE,
    ]


@pytest.mark.parametrize("line", ["0", "5", "9" * 9, "9" * 5000, "-1", "x"])
def test_a_forged_line_is_no_trouble(line):
    """A line that the source does not have, or that is no number, has no excerpt."""
    said = f'Exception in thread "main" java.lang.Error\n\tat Nim.play(Nim.java:{line})\n'
    thrown = ending(1, said.encode())
    assert (thrown.kind, thrown.excerpt) == (EndingKind.EXCEPTION, "")


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
    assert ending(1, said).kind is EndingKind.EXIT_CODE
