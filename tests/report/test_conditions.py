"""Under what conditions a batch was judged."""

from dataclasses import replace

import pytest

from grader.report.overview import Conditions, Row
from grader.results import COURSE_FAULT, MANY_ERRORS, Finding, Verdict
from tests.report.sample_grades import case, full_marks

GUESS = "waits told by silence"


@pytest.mark.parametrize(
    ("judged", "wanted"),
    [
        ([], ""),
        (["", ""], ""),
        (["strong", "", "strong"], "run in the sandbox tier strong"),
        ([f"strong, {GUESS}"], "run in the sandbox tier strong"),
        (["strong", "bare", "strong"], "run in the sandbox tiers bare (1), strong (2)"),
    ],
)
def test_the_tiers_are_told(judged: list[str], wanted: str) -> None:
    """One tier is named, several with how many submissions each; where nothing was run there is nothing to say."""
    assert Conditions.of((str(n), sandbox) for n, sandbox in enumerate(judged)).sentence() == wanted


def test_nothing_is_wrong_with_a_cage() -> None:
    """A tier with walls and waits told by events are no concern, and neither is a simulated program."""
    assert Conditions.of([("a", "user"), ("b", "")]).concerns == ()


def test_programs_without_a_cage_are_a_grave_concern() -> None:
    """If some were run without a cage they are named; if all were, no name is needed. A case that was not run is not counted."""
    (some,) = Conditions.of([("a", "strong"), ("b", "bare"), ("c", "")]).concerns
    assert (some.grave, some.submissions) == (True, ("b",))
    assert "1 of 2 submissions ran with the rights of whoever called the grader (tier bare)" in some.text
    (every,) = Conditions.of([("a", "bare"), ("b", "bare"), ("c", "")]).concerns
    assert every.submissions == ()
    assert "all 2 submissions ran" in every.text


def test_guessed_waits_are_a_concern_of_their_own() -> None:
    """Each way of guessing is told with those whose waits it told, after what is graver."""
    grave, *concerns = Conditions.of(
        [("a", f"bare, {GUESS}"), ("b", f"bare, waits told so, {GUESS}"), ("c", "bare")]
    ).concerns
    assert grave.grave
    assert [(concern.grave, concern.submissions) for concern in concerns] == [(False, ("a", "b")), (False, ("b",))]
    assert "2 of 3 submissions had their waits told by silence, not by an event" in concerns[0].text


def row(submission: str, *, errors: int = 0, cut_short: bool = False) -> Row:
    """A row of an index with so many judge errors."""
    wrong = Finding("judge-error", "the grader failed: ValueError: \x1b[2J")
    cases = tuple(case(f"case-{n}", Verdict.JUDGE_ERROR, findings=(wrong,)) for n in range(errors))
    return replace(Row.of(replace(full_marks(), submission=submission, cases=cases)), cut_short=cut_short)


def test_a_fault_of_the_course_is_told_once() -> None:
    """With how many it meets, and never as an alarm about what was handed in."""
    fault = "a file of the course is wrong; this costs no points: test_x.py, line 1: NameError: name 'x' is not defined"
    wrong = tuple(case(f"case-{n}", Verdict.JUDGE_ERROR, findings=(Finding(COURSE_FAULT, fault),)) for n in range(9))
    rows = [Row.of(replace(full_marks(), submission=name, cases=wrong)) for name in ("a", "b")]
    (concern,) = Conditions.of_rows([*rows, row("c")]).concerns
    assert (
        concern.text == f"{fault}. The points of 2 of 3 submissions stay open by it: correct the file, and call again"
    )
    assert (concern.submissions, concern.grave) == (("a", "b"), True)


def test_many_judge_errors_in_one_submission_are_an_alarm() -> None:
    """One or two are an accident; three and more come first of all, with the submissions, even where it is the only one."""
    assert Conditions.of_rows([row("a"), row("b", errors=MANY_ERRORS - 1)]).concerns == ()
    (alarm,) = Conditions.of_rows([row("a"), row("b", errors=MANY_ERRORS)]).concerns
    assert (alarm.submissions, alarm.grave) == (("b",), True)
    assert "the grader failed on 3 cases or more of 1 of 2 submissions" in alarm.text
    assert (
        "b, alarm: the grader failed on 3 of 3 cases, first with “the grader failed: ValueError: ⟨ESC⟩[2J”"
        in alarm.text
    )
    assert "look at it by hand" in alarm.text
    assert Conditions.of_rows([row("b", errors=9)]).concerns[0].submissions == ("b",)


def test_what_was_not_judged_to_the_end_is_told() -> None:
    """Points that are open since a budget was used up are for a person."""
    (concern,) = Conditions.of_rows([row("a", cut_short=True), row("b")]).concerns
    assert concern.submissions == ("a",)
    assert "1 of 2 submissions used up the budget" in concern.text
