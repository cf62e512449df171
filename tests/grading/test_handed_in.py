"""Submissions that are looked at without a run."""

from __future__ import annotations

import pytest

from grader.results import Occasion, Verdict
from tests.grading.small import PROGRAM, SPEC, grading, submission

FORBIDS = SPEC + "  - {id: no-in, title: Without IN, criterion: play, source: {forbidden: [IN]}, shows: %d}\n"
LINES = len([line for line in PROGRAM.splitlines() if line.strip() and ".ORIG" not in line and ".END" not in line])


@pytest.mark.parametrize(("needed", "verdict"), [(LINES, Verdict.ACCEPTED), (LINES + 1, Verdict.NOT_SHOWN)])
def test_what_leaves_everything_out_shows_nothing(tmp_path, needed, verdict):
    """A case that forbids something rests on the lines of code; one line too few, and nothing is earned by it."""
    result = grading(tmp_path, spec=FORBIDS % needed).grade(submission()).cases[-1]
    assert (result.id, result.verdict) == ("no-in", verdict)
    assert result.occasions == (Occasion("lines of code", LINES, needed),)
    if verdict is Verdict.NOT_SHOWN:
        assert f"lines of code ({LINES}; at least {needed} needed)" in result.findings[0].message


def test_what_is_forbidden_and_there_is_told_in_the_shortest_program(tmp_path):
    """The visible part is judged, however little else there is."""
    spec = (FORBIDS % 1000).replace("[IN]", "[GETC]")
    assert grading(tmp_path, spec=spec).grade(submission()).cases[-1].verdict is Verdict.WRONG_ANSWER
