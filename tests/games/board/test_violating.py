"""Wrong columns, on small programs."""

from __future__ import annotations

import pytest

from grader.games.board.ends import Account
from grader.games.board.opening import opened
from grader.games.board.playing import Player
from grader.games.board.violating import Violating
from tests.games.board.small import Small


def faults(small: Small) -> set[str]:
    """The kinds of faults that wrong columns show, and how games were lost by them."""
    account = Account()
    Violating(Player(opened(small.runs()), account), (), 3).explore()
    ends = {end.by for end in account.ends if end.by == "violations"}
    return ends | {fault.kind for game in account.followed() for _, fault in game.faults}


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
