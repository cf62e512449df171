"""The part of a grade that a student may see."""

from dataclasses import replace

import pytest

from grader.results import HIDDEN_MESSAGE, CriterionResult, Status, Verdict, Visibility, for_student
from grader.transcript import Usage
from tests.report.sample_grades import case, full_marks, needs_review, wrong_answer


@pytest.mark.parametrize("verdict", Verdict)
def test_a_hidden_case_shows_its_verdict_alone(verdict: Verdict) -> None:
    """Of a hidden case neither findings, dialogue, usage nor command are left, and only a failure is said to have failed."""
    hidden = replace(wrong_answer().cases[3], verdict=verdict, visibility=Visibility.HIDDEN, profile="classic")
    (seen,) = for_student(replace(full_marks(), cases=(hidden,))).cases
    assert (seen.usage, seen.turns, seen.ending, seen.again, seen.profile) == (Usage(), (), "", "", "")
    assert [f.message for f in seen.findings] == ([HIDDEN_MESSAGE] if verdict.blames_student else [])
    assert seen.verdict is verdict


def test_a_staff_case_is_gone() -> None:
    """A student does not learn that a case for staff exists."""
    staff = case("secret", Verdict.WRONG_ANSWER, visibility=Visibility.STAFF)
    assert for_student(replace(full_marks(), cases=(staff,))).cases == ()


def test_a_visible_case_stays() -> None:
    """A visible case is shown as it is."""
    visible = wrong_answer().cases[3]
    assert for_student(replace(full_marks(), cases=(visible,))).cases == (visible,)


def test_notes_are_for_staff() -> None:
    """The list of what a person should look at is not for students."""
    assert needs_review().review
    assert for_student(needs_review()).review == ()


def test_a_charge_names_only_visible_cases() -> None:
    """A slip seen in hidden cases alone is charged without saying what it is; else its visible cases are named."""
    grade = wrong_answer()
    (charge,) = for_student(grade).criteria[1].charges
    assert charge.cases == ("sample-run", "long-game")
    hidden = tuple(replace(c, visibility=Visibility.HIDDEN) for c in grade.cases)
    (charge,) = for_student(replace(grade, cases=hidden)).criteria[1].charges
    assert (charge.cases, charge.message) == ((), HIDDEN_MESSAGE)


def test_projecting_twice_changes_nothing() -> None:
    """A projected grade is its own projection."""
    once = for_student(wrong_answer())
    assert for_student(once) == once


@pytest.mark.parametrize(
    ("criteria", "nothing"),
    [
        ({"moves": (Status.NEEDS_REVIEW, None)}, True),
        ({"moves": (Status.NEEDS_REVIEW, None), "refusals": (Status.JUDGE_ERROR, None)}, True),
        ({"moves": (Status.NEEDS_REVIEW, None), "report": (Status.MANUAL, None)}, True),
        ({"moves": (Status.NEEDS_REVIEW, None), "refusals": (Status.GRADED, 0)}, False),
        ({"report": (Status.MANUAL, None)}, False),
        ({}, False),
    ],
)
def test_whether_nothing_was_judged(criteria: dict[str, tuple[Status, int | None]], *, nothing: bool) -> None:
    """It is so where points can be earned automatically, and each of them is open: a zero is judged, and what a person grades does not count."""
    results = tuple(CriterionResult(name, name, points, 10, status) for name, (status, points) in criteria.items())
    assert replace(full_marks(), criteria=results).nothing_judged is nothing
