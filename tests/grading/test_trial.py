"""How a result is worded: the command that shows a run again."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import pytest

from grader.build.built import Built
from grader.grading import dialects
from grader.grading.trial import Trial, show_again
from grader.results import Verdict
from grader.source import SourceFile
from tests.build.conftest import handed_in, spec
from tests.graded import graded

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("files", "shown"),
    [
        ({"main.c": "x"}, "main.c"),
        ({"main.c": "x", "report.pdf": "x"}, "main.c"),
        ({"main.c": "x", "Nim.H": "x"}, "."),
    ],
)
def test_a_program_is_shown_again_with_its_headers(files, shown):
    """A lone source has its name; where headers lie beside it, what holds them all is named."""
    described = replace_id(spec(language="c", sources=["main.c"]), "c-nim")
    built = Built(Verdict.ACCEPTED, "c", sources=(SourceFile("main.c", "x"),))
    trial = Trial(described, handed_in(files), built, Mock())
    assert show_again(trial, ("a\n",), "gcc") == f"grader run --spec c-nim {shown} --input 'a\\n'"


def replace_id(described, name):
    """The spec under the name of another assignment."""
    return described.model_copy(update={"assignment": name})


def test_a_spec_that_students_do_not_have_is_not_named():
    """Only the bundled specs have names that mean the same everywhere: without one the program is named with its headers."""
    described = spec(language="c", sources=["main.c"])
    built = Built(Verdict.ACCEPTED, "c", sources=(SourceFile("main.c", "x"),))
    trial = Trial(described, handed_in({"main.c": "x", "nim.h": "x"}), built, Mock())
    assert show_again(trial, (), "gcc") == "grader run main.c nim.h"


def test_a_program_in_several_files_is_shown_again_by_their_names():
    """The command has the student's own files, in their order, and where the program begins if that is not as usual."""
    described = spec(language="mips", sources=["*.asm", "*.s"], profiles=["mars"])
    sources = (SourceFile("BTL 1/Main.ASM", "x"), SourceFile("BTL 1/board.asm", "x"))
    built = Built(Verdict.ACCEPTED, "mips", sources=sources, usual="mars", start="main")
    trial = Trial(described, handed_in({}), built, Mock())
    assert show_again(trial, ("4\n",), "mars") == (
        "grader run 'BTL 1/Main.ASM' 'BTL 1/board.asm' --input '4\\n' --start main"
    )


def test_the_rules_of_a_program_are_found_once_if_it_says_the_same_under_each_profile(monkeypatch):
    """A program that never takes from row B is explained once, and charged under both profiles."""
    found, departed = [], dialects.departed
    monkeypatch.setattr(dialects, "departed", lambda *given: found.append(departed(*given)) or found[-1])
    program = next((ROOT / "fixtures/lc3-nim/wrong-answer/row-b-never-shrinks").rglob("*.asm"))
    grade = graded(ROOT / "specs/lc3-nim.yaml", {program.name: program.read_bytes()})
    assert [[one.sentence for one in departures] for departures in found] == [
        ["the program leaves row B as it was after a move"]
    ]
    assert any(case.verdict is Verdict.WRONG_ANSWER for case in grade.cases)
