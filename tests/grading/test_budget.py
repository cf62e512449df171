"""The resources for judging one submission, and the cases that are not reached."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from grader.cli.main import cli
from grader.errors import JudgeError
from grader.grading.budget import OverBudgetError, Spent, broken_off_after
from grader.results import OVER_BUDGET, Status, Verdict
from grader.spec.model import Budget
from tests.grading.small import PROGRAM, REFERENCE, SPEC, assignment, grading, submission

SLOW = PROGRAM.replace(
    "LOOP    LEA R0, ASK", "LOOP    LD R6, MANY\nCOUNT   ADD R6, R6, #-1\n        BRp COUNT\n        LEA R0, ASK"
).replace("NL      .FILL x0A", "NL      .FILL x0A\nMANY    .FILL x7FFF")
"""It counts to 32,767 before each question: a right program that takes its time."""


HANGS = REFERENCE.replace("    while True:\n", "    while True: pass\n    while True:\n")


def with_budget(instructions: str) -> str:
    """The small spec, with a budget of so many instructions for a submission."""
    return SPEC.replace("output: 2000}", f"output: 2000, submission: {{instructions: {instructions}}}}}")


def test_a_right_program_stays_within_the_budget(tmp_path):
    """The usual budget of a spec is far more than a right program needs."""
    grade = grading(tmp_path).grade(submission(SLOW))
    assert {case.verdict for case in grade.cases} == {Verdict.ACCEPTED}
    assert grade.complete


def test_past_the_budget_the_rest_is_unjudged_and_open(tmp_path):
    """Earlier verdicts stand; cases without one cost nothing by themselves, say why, and their points are open."""
    grade = grading(tmp_path, spec=with_budget("150k")).grade(submission(SLOW))
    verdicts = {case.id: case.verdict for case in grade.cases}
    assert verdicts["start"] is Verdict.ACCEPTED
    assert verdicts["games"] is Verdict.UNJUDGED
    games = next(case for case in grade.cases if case.id == "games")
    assert [finding.code for finding in games.findings] == [OVER_BUDGET]
    assert games.findings[0].message == "not judged: this submission used up its budget of 150,000 instructions"
    assert not grade.complete
    assert any("used up its budget" in sentence for sentence in grade.review)


def test_to_run_out_gains_nothing(tmp_path):
    """The points of cases that were not reached are open, also if those that were reached are all right."""
    grade = grading(tmp_path, spec=with_budget("150k")).grade(submission(SLOW))
    play = next(criterion for criterion in grade.criteria if criterion.id == "play")
    assert play.status is Status.NEEDS_REVIEW
    assert grade.open_points == 4  # one of its three cases was judged


def test_the_budget_ends_at_the_same_run_every_time(tmp_path):
    """Instructions are counted, not timed: two gradings are equal in every case."""
    judge = grading(tmp_path, spec=with_budget("700k"))
    first, again = (judge.grade(submission(SLOW)) for _ in range(2))
    assert first.cases == again.cases
    assert first.score == again.score
    assert any(case.over_budget for case in first.cases)


def test_a_defect_that_was_found_stands_where_the_budget_ends_its_shrinking(tmp_path):
    """The game that failed is shown as it was played."""
    wrong = SLOW.replace('"got "', '"gut "')
    grade = grading(tmp_path, spec=with_budget("450k")).grade(submission(wrong))
    assert Verdict.WRONG_ANSWER in {case.verdict for case in grade.cases}
    assert not grade.has_judge_error


def test_clocks_are_a_backstop():
    """If instructions cannot be counted, our own computing and the time that passes end it, and the reason stays."""
    for budget, what in (
        (Budget(cpu=0.001), "0.001 s of computing by the grader"),
        (Budget(wall=0.001), "0.001 s"),
    ):
        spent = Spent(budget)
        sum(range(1_000_000))
        assert spent.reason == f"not judged: this submission used up its budget of {what}"
        assert spent.reason is spent.reason
    assert Spent().reason == ""


class Counted:
    """A session that executes instructions."""

    instructions = 0


def test_the_instructions_of_all_sessions_are_added_up():
    """A session counts while it runs and after it was left."""
    spent = Spent(Budget(instructions=10))
    one, other = Counted(), Counted()
    spent.begin()
    spent.counts(one)
    one.instructions = 4
    spent.begin()
    one.instructions = 0  # its machine is reset for the next
    spent.counts(other)
    other.instructions = 6
    assert (spent.instructions, spent.reason) == (10, "")
    other.instructions = 7
    with pytest.raises(OverBudgetError, match="10 instructions"):
        spent.begin()


def test_judging_that_hangs_is_broken_off():
    """Whatever it is at, and though every other exception is caught there; what comes in time is not disturbed."""

    def stubborn() -> None:
        while True:
            try:
                re.match("(a*)*b", "a" * 1000)
            except Exception:  # noqa: BLE001  as the judge does it
                continue

    with pytest.raises(JudgeError, match="broken off after"), broken_off_after(0.5):
        stubborn()
    with broken_off_after(60):
        pass


def test_check_says_that_judging_was_broken_off(tmp_path):
    """The command ends with an error that says so."""
    assignment(
        tmp_path, spec=SPEC.replace("output: 2000}", "output: 2000, submission: {wall: 0.3 s}}"), reference=HANGS
    )
    (tmp_path / "p.asm").write_text(PROGRAM)
    for command in ("check", "grade"):
        ran = CliRunner().invoke(
            cli, [command, str(tmp_path / "small.yaml"), str(tmp_path / "p.asm")], standalone_mode=False
        )
        assert isinstance(ran.exception, JudgeError)
        assert "judging this submission was broken off after 0.6 s" in str(ran.exception)
