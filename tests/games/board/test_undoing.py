"""Moves that are taken back, on small programs."""

from __future__ import annotations

from collections import Counter

import pytest

from grader.games.board.playing import Player
from grader.games.families.fourinarow.undoing import Undoing
from tests.games.board.small import Small, account, opening_of


def undone(small: Small) -> tuple[Undoing, Counter[str], set[str]]:
    """What was found of a program: how, what came about, and the kinds of faults."""
    games_of = account()
    undoing = Undoing(Player(opening_of(small), games_of), 3)
    undoing.explore()
    games = games_of.followed()
    seen: Counter[str] = Counter()
    for game in games:
        seen.update(game.occasions)
    return undoing, seen, {fault.kind for game in games for _, fault in game.faults}


def test_a_question_that_offers_it_is_found() -> None:
    """No fault, and all that is judged came about."""
    undoing, seen, faults = undone(Small())
    assert undoing.taking.asks
    assert not faults
    assert min(seen[name] for name in ("first", "undoable", "undone", "used-up")) >= 3


@pytest.mark.parametrize("key", ["u", "Z", "back", "-1"])
def test_a_key_where_a_column_is_asked_for_is_found(key) -> None:
    """The prompt names it."""
    undoing, _, faults = undone(Small(undo=(key,), column=f"{{name}}, your column ({key} takes back): "))
    assert (undoing.taking.way, faults) == (key, set())


@pytest.mark.parametrize(
    ("small", "faults"),
    [
        (Small(undo=("",)), {"undo-not-asked"}),
        (Small(undos=2), {"undo-not-asked"}),
        (Small(undos=4), {"undo-fourth"}),
        (Small(first_stays=False), {"undo-first"}),
        (Small(undo=("u",), column="{name}, your column (u takes back): ", first_stays=False), {"undo-first"}),
        (Small(leaves=True), {"undo-board"}),
    ],
    ids=["none", "two", "four", "first", "first by a key", "piece stays"],
)
def test_what_is_wrong_with_undos_is_told_apart(small, faults) -> None:
    """Each has a fault of its own, and nothing else."""
    assert undone(small)[2] == faults
