"""Annotations, the step summary and the notices for GitHub."""

import json
import re
from dataclasses import replace

import pytest

from grader.report import github
from grader.results import Finding, Verdict, Weight
from grader.source import SourceFile
from tests.report.sample_grades import SAMPLES, case, compile_error, full_marks, hostile, runtime_error, wrong_answer

COMMAND = re.compile(r"::(error|notice) [^\n]*::[^\n]*")


@pytest.mark.parametrize("name", SAMPLES)
def test_every_line_is_one_command_of_ours(name: str) -> None:
    """Whatever a student writes, each line is an error or a notice, and the last two are Classroom's."""
    lines = github.annotations(SAMPLES[name]()).splitlines()
    assert all(COMMAND.fullmatch(line) for line in lines)
    assert [line.split("::")[1] for line in lines[-2:]] == [
        "notice title=Autograding complete",
        "notice title=Autograding report",
    ]


def test_an_error_stands_at_its_line() -> None:
    """A finding with a place is annotated at file, line and column, with its hint.

    The text also names file and line.
    """
    first = github.annotations(runtime_error()).splitlines()[0]
    assert first.startswith("::error file=nim.asm,line=88,col=9,title=Refuses count::the program ran into data: ")
    assert first.endswith("%0Aat nim.asm:88:9%0AThe subroutine CHECK falls through into its data: it has no RET.")


def test_an_error_without_a_place_stands_at_the_first_line_of_the_program() -> None:
    """GitHub shows in a pull request only what stands in a file; where there is no program no file is named."""
    lost = case("c", Verdict.WRONG_ANSWER, title="T", findings=(Finding("x", "it differs"),))
    grade = replace(full_marks(), cases=(lost,), sources=(SourceFile("src/nim.asm", ""), SourceFile("lib.asm", "")))
    assert github.annotations(grade).splitlines()[0] == "::error file=src/nim.asm,line=1,title=T::it differs"
    assert github.annotations(replace(grade, sources=())).splitlines()[0] == "::error title=T::it differs"


def test_properties_are_escaped() -> None:
    """In a property colons and commas are escaped as well, so that none ends it."""
    finding = Finding("x", "50% of\nit", place="a:b,c.asm:1:2")
    grade = replace(full_marks(), cases=(case("c", Verdict.WRONG_ANSWER, title="T: 100%, sure", findings=(finding,)),))
    first = github.annotations(grade).splitlines()[0]
    assert first == "::error file=a%3Ab%2Cc.asm,line=1,col=2,title=T%3A 100%25%2C sure::50%25 of⏎it%0Aat a:b,c.asm:1:2"


@pytest.mark.parametrize(("count", "shown"), [(9, 9), (10, 10), (11, 10)])
def test_no_more_errors_than_are_shown(count: int, shown: int) -> None:
    """GitHub shows ten errors of a step, and those with a place come first; notes are not errors."""
    findings = tuple(Finding("x", f"m{n}") for n in range(count - 1))
    placed = (Finding("n", "note", weight=Weight.NOTE), Finding("x", "placed", place="a.asm:3:1"))
    grade = replace(full_marks(), cases=(case("c", Verdict.WRONG_ANSWER, findings=(*findings, *placed)),))
    errors = [line for line in github.annotations(grade).splitlines() if line.startswith("::error")]
    assert len(errors) == shown
    assert "placed" in errors[0]


def test_a_slip_is_annotated_once() -> None:
    """A kind of slip is annotated where it is seen first, and not in every case."""
    text = github.annotations(wrong_answer())
    assert text.count("a blank line is missing") == 1
    assert "title=Sample run::" in text


def test_classroom_reads_the_points() -> None:
    """The notices hold the points as Classroom expects them."""
    *_, complete, report = github.annotations(wrong_answer()).splitlines()
    assert complete == "::notice title=Autograding complete::Points 63.75/100"
    assert json.loads(report.split("::")[2]) == {"totalPoints": 63.75, "maxPoints": 100}


def test_a_fence_cannot_be_left() -> None:
    """Text in the log stands between a stop and a resume command with a token that the text cannot hold."""
    text = "::error::mine\n::stop-commands::x\n::x::\n"
    first, *inside, last = github.fenced(text).splitlines()
    token = first.removeprefix("::stop-commands::")
    assert last == f"::{token}::"
    assert len(token) == 64
    assert "\n".join(inside) + "\n" == text
    assert github.fenced(text + "x").splitlines()[0] != first


def test_the_summary_tells_points_and_cases() -> None:
    """The summary tells the score, each criterion, what to fix first and each case that failed."""
    text = github.summary(wrong_answer())
    for part in ("| ✗ | Invalid moves are refused and asked again | 6.25 / 25 |", "**What to fix first:**", "Invalid·move!⏎",
                 "<details><summary>Refuses wrong row: wrong answer</summary>"):  # fmt: skip
        assert part in text


def test_the_summary_shows_diagnostics() -> None:
    """The messages of the assembler are in a code block."""
    assert "```text\nnim.asm:12:9: error" in github.summary(compile_error())


def test_hostile_text_is_no_markup() -> None:
    """In the summary student text stands in fences longer than its own, or with its markup as references."""
    text = github.summary(hostile())
    outside = re.sub(r"^(`{3,})text\n.*?^\1\n", "", text, flags=re.DOTALL | re.MULTILINE)
    assert "<script" not in outside
    assert "`" not in outside
    assert {line.count("|") for line in outside.splitlines() if line.startswith("|")} == {5}
    assert "\n````text\n" in text


def test_a_huge_grade_fits() -> None:
    """Cases that would make the summary longer than GitHub takes are counted and left out."""
    finding = Finding("x", "y" * 15_000)
    cases = tuple(case(f"c{n}", Verdict.WRONG_ANSWER, findings=(finding,)) for n in range(200))
    text = github.summary(replace(full_marks(), cases=cases))
    assert 800_000 < len(text.encode()) < 1_000_000
    assert re.search(r"\d+ more cases would not fit here", text)
