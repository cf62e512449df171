"""Under what conditions a batch was judged."""

import pytest

from grader.report.conditions import Conditions

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
    """Where some were run without a cage they are named; where all were, no name is needed. What was not run is not counted."""
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
