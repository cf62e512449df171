"""Programs for four in a row, graded: those of the generator, with what is drawn of them set otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from grader.grading import Grading
from grader.results import Grade
from grader.spec.loader import load_assignment
from grader.submission import Form
from tests.graded import handed_in
from tests.wordings.board import BoardWording
from tests.wordings.made import made

ASSIGNMENT = load_assignment(Path(__file__).parents[3] / "specs" / "mips-connect4.yaml")


def program(**changes: object) -> BoardWording:
    """A right program that asks in English, with some of its sentences or manners set otherwise."""
    drawn = made("board-known-1-3")
    assert isinstance(drawn, BoardWording)
    plain = {
        "dialect": "mars", "labels": "1234567", "reads": "integer", "undo_style": "after", "undo_read": "line",
        "undo": ("Take it back ({undo}/{keep})? ", "y", "n"), "called": "number", "player": "Player ", "names": None, "pick": "",
        "menu": None, "pause": "", "rules": (), "starts": "42", "begins": "{player} starts.", "column": "{player}, column: ",
        "wins": "{player} has won!", "tie": "It is a tie.", "lost": "{player} loses.", "hello": "Four in a row", "again": None, "bye": "",
        "missing": "There is no such column.", "full": "It is full.", "cannot": "No.", "dropped": "", "undone": "", "violation": "",
        "line_prompts": False, "checks_first": True,
    }  # fmt: skip
    return replace(drawn, **{**plain, **changes})  # type: ignore[arg-type]


def graded(source: str | BoardWording, corrections: Mapping[str, Mapping[str, str]] | None = None) -> Grade:
    """The grade of a program."""
    text = source if isinstance(source, str) else source.source()
    with Grading(ASSIGNMENT, corrections=corrections or {}) as grading:
        return grading.grade(handed_in({"four.asm": text}, Form.FILE))


def verdicts(grade: Grade) -> dict[str, str]:
    """The verdicts of the cases that are not accepted, except the report, which is not handed in here."""
    return {
        case.id: str(case.verdict)
        for case in grade.cases
        if case.id != "report-pdf" and case.kind != "manual" and str(case.verdict) != "accepted"
    }


def points(grade: Grade, criterion: str) -> float | None:
    """The points for a criterion, None where it waits for a person."""
    found = next(one.points for one in grade.criteria if one.id == criterion)
    return None if found is None else float(found)
