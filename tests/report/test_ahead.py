"""The report for a student ahead of the deadline: the points that can be known, and how many are judged later."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.report.document import Later, ahead
from grader.results import Grade, for_student
from tests.commands import run_text
from tests.grading.small import PROGRAM, REFERENCE, SPEC, grading, submission

ROOT = Path(__file__).parents[2]
NIM = ROOT / "fixtures/lc3-nim/accepted/jump-table/submission/nim.asm"
HIDDEN = (
    SPEC.replace("criterion: play, differential", "criterion: secret, differential")
    .replace("criterion: play, visibility", "criterion: secret, visibility")
    .replace(
        "counts: each}",
        "counts: each}\n  - {id: secret, points: 10, title: Secret}\n  - {id: style, points: 5, title: Style, manual: true}",
    )
)


def checked(tmp_path: Path, spec: str) -> tuple[Grade, Later]:
    """A check of the small program."""
    with grading(tmp_path, spec=spec) as one:
        visible = {case.id for case in one.cases if case.visibility == "visible"}
        grade = for_student(one.grade(submission(PROGRAM), only=visible))
        return ahead(grade, one.assignment.spec)


def test_hidden_and_manual_points_are_judged_later(tmp_path):
    """Ten of 25 points can be known; a hidden case beside visible ones takes no points away, and is counted."""
    grade, later = checked(tmp_path, HIDDEN)
    assert (grade.score, grade.max_points, grade.open_points, grade.complete) == (10, 10, 0, True)
    assert later == Later(15, 1)
    grade, later = checked(tmp_path, SPEC)
    assert (grade.max_points, later) == (10, Later(0, 1))


def test_where_all_is_hidden_nothing_is_called_right(tmp_path):
    """``check`` says how many points are judged later, and neither 0 of 0 nor that there is nothing to fix."""
    (tmp_path / "reference.py").write_text(REFERENCE)
    (tmp_path / "small.yaml").write_text(HIDDEN.replace(", play: ", ", visibility: hidden, play: "))
    (tmp_path / "p.asm").write_text(PROGRAM)
    done = run_text("check", tmp_path / "small.yaml", tmp_path / "p.asm")
    assert "Small: no points are judged before you hand in, and 25 points after" in done.stdout
    assert "4 cases are judged after you hand in" in done.stdout
    assert "othing to fix" not in done.stdout
    assert "0 of 0" not in done.stdout


@pytest.mark.parametrize("option", [(), ("--all",)])
def test_what_a_loose_file_cannot_show_is_not_counted(option):
    """The name of the archive, the folder and the report are judged later, and nothing could not be judged here."""
    said = run_text("check", *option, "lc3-nim", NIM).stdout
    assert "90 of 90 points; 10 more are judged after you hand in" in said
    assert "3 cases are judged after you hand in" in said
    assert "could not be" not in said
