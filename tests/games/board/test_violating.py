"""Wrong columns, on small programs."""

from __future__ import annotations

import pytest

from grader.games.board.playing import Player
from grader.games.families.fourinarow.violating import Violating
from tests.games.board.small import Small, account, opening_of


def faults(small: Small) -> set[str]:
    """The kinds of faults that wrong columns show, and how games were lost by them."""
    games = account()
    Violating(Player(opening_of(small), games), (), 3).explore()
    ends = {end.by for end in games.ends if end.by == "violations"}
    return ends | {fault.kind for game in games.followed() for _, fault in game.faults}


def test_the_third_violation_ends_the_game() -> None:
    """Refused twice, lost at the third, for each player and each kind of wrong column."""
    assert faults(Small()) == {"violations"}


@pytest.mark.parametrize(
    ("small", "found"),
    [
        (Small(third=False), {"third-violation"}),
        (Small(passes=True), {"turn-lost-full", "turn-lost-missing"}),
    ],
    ids=["never lost", "turn passes"],
)
def test_what_is_wrong_with_violations_is_told_apart(small, found) -> None:
    """A game that is never lost, and a turn that is."""
    assert found <= faults(small)
