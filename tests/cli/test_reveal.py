"""The day of a reveal, as the commands see it."""

from __future__ import annotations

import json
from datetime import date

import pytest

from grader.batch import opening, runner
from grader.cli import submissions

SPEC = """assignment: x
title: X
submission: {required: [a.asm]}
program: {language: lc3, sources: [a.asm]}
reveal: 2026-12-01
rubric: [{id: a, title: A, points: 1}]
cases:
  - {id: kept, title: Kept, criterion: a, visibility: hidden, transcript: "HELLO"}
"""
PROGRAM = '.ORIG x3000\nLEA R0, T\nPUTS\nHALT\nT .STRINGZ "GOODBYE"\n.END\n'


@pytest.fixture
def course(tmp_path):
    """A spec and one submission in a folder of them."""
    (tmp_path / "in" / "one").mkdir(parents=True)
    (tmp_path / "in" / "one" / "a.asm").write_text(PROGRAM)
    (tmp_path / "x.yaml").write_text(SPEC)
    return tmp_path


@pytest.mark.parametrize(("day", "told"), [(date(2026, 11, 30), False), (date(2026, 12, 1), True)])
def test_a_student_is_shown_hidden_cases_from_their_day_on(day, told, course, grader, monkeypatch):
    """What is expected there is in the report then, and the points are the same."""
    monkeypatch.setattr(submissions, "today", lambda: day)
    out = course / "grade.json"
    assert grader("grade", course / "x.yaml", course / "in" / "one", "--for", "student", "--json", out, "-q")[0] == 1
    grade = json.loads(out.read_text())
    assert (grade["score"], grade["revealed"]) == (0, told)
    assert ("HELLO" in out.read_text()) is told


def test_a_batch_writes_its_pages_anew_after_the_day(course, grader, monkeypatch):
    """No program runs again: `mark` is enough."""
    out = course / "out"
    monkeypatch.setattr(runner, "today", lambda: date(2026, 11, 30))
    grader("batch", course / "x.yaml", course / "in", "-o", out, "-j", 1)
    (page,) = (out / "students").glob("*.html")
    assert "and we do not show how" in page.read_text()
    monkeypatch.setattr(opening, "today", lambda: date(2026, 12, 1))
    grader("mark", out)
    assert "and we do not show how" not in page.read_text()
    assert "The text differs, at the start" in page.read_text()
