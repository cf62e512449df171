"""The sentences on a crash: its line, and a hint that is about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.checks.ending import crash_hint, explain
from grader.grading import Grading
from grader.intake.source import read_submission
from grader.report import console
from grader.report.document import Look
from grader.spec.loader import load_assignment
from grader.transcript import Ending, EndingKind, Transcript, Turn, Usage

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("kind", "message", "about"),
    [
        ("exception", "uncaught exception: StringIndexOutOfBoundsException: begin 0, end -1", "An index"),
        ("exception", "uncaught exception: IndexError: list index out of range", "An index"),
        ("exception", 'uncaught exception: NullPointerException: because "zug" is null', "no object"),
        ("exception", "a method calls itself without end (StackOverflowError)", "calls never end"),
        ("exception", "uncaught exception: ZeroDivisionError: division by zero", "divisor"),
        ("exception", "uncaught exception: NameError: name 'taken' is not defined", "This name"),
        ("exception", "uncaught exception: MyOwnException, caused by NumberFormatException: x", "typed"),
        ("exception", "uncaught exception: MyOwnException: KeyNotFound", "from the innermost outwards"),
        ("signal", "it was ended by SIGSEGV: segmentation fault", "the array index or the pointer"),
        ("signal", "it was ended by SIGKILL: it was killed", ""),
        ("ended", "the program ended", ""),
    ],
)
def test_a_hint_is_about_the_crash(kind, message, about):
    """Of exceptions by their names, the outermost known one; any other has a hint on how to look for it."""
    ending = Ending(EndingKind(kind), message)
    hint = crash_hint(ending)
    assert about in hint
    assert bool(hint) == bool(about)
    assert explain(Transcript((Turn(""),), ending, Usage())).hint == hint


@pytest.mark.parametrize(
    ("spec", "fixture", "case", "place", "about"),
    [
        ("java-nim", "breaks-when-an-empty-row-is-drawn", "over", "Nim.java:158: ", "Index liegt außerhalb"),
        (
            "pile-nim",
            "variable-is-unset-where-the-program-begins",
            "more-games",
            "nim.py:19: ",
            "This name has no value",
        ),
    ],
)
def test_a_crash_of_a_real_program_names_its_line_first(spec, fixture, case, place, about):
    """In the short report; the hint of the case, on the strategy or the last match, does not stand there."""
    from grader.languages import language
    from grader.report.translation import translated

    program = ROOT / "fixtures" / spec / "runtime-error" / fixture / "submission"
    with Grading(load_assignment(ROOT / "specs" / f"{spec}.yaml"), unsafe=True) as grading:
        grade = grading.grade(read_submission(program), only={case})
    spoken = language(grade.language)
    lines = console.brief(translated(grade, spoken), Look(width=100, language=spoken)).splitlines()
    assert any(line.strip().startswith(place) for line in lines)
    assert about in " ".join(lines)
    assert len(lines) <= 10
