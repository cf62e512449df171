"""The game of one pile: its rules, and the words in which the reference plays it."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.sessions.reference import Line, ReferenceSession, load, script
from tests.solving import winning

ROOT = Path(__file__).parents[2]
game = load(ROOT / "reference" / "pile_nim.py")
PROGRAM, USER = game.PROGRAM, game.USER


def test_one_or_two_stones_may_be_taken_if_there_are_so_many() -> None:
    """Two stones allow two to be taken, one stone one, and none nothing."""
    assert [game.moves(n) for n in (0, 1, 2, 3, 100)] == [(), (1,), (1, 2), (1, 2), (1, 2)]


def test_who_takes_the_last_stone_loses() -> None:
    """The winner is the one who would be next; nobody has won as long as a stone is left."""
    assert game.result(3, 2) == 1
    assert game.outcome(1, PROGRAM) is None
    assert game.outcome(0, USER) == USER
    assert game.outcome(0, PROGRAM) == PROGRAM


def test_the_strategy_of_the_text_is_the_best() -> None:
    """It makes the one move that wins where there is one, and takes one stone where none wins."""
    wins = winning(game.moves, game.result, last_wins=False)
    for stones in range(1, 61):
        assert game.best(stones) in game.moves(stones)
        assert wins(stones) == ((game.best(stones),) if stones % 3 != 1 else ())
        assert stones % 3 != 1 or game.best(stones) == 1


def told(*inputs: str) -> list[str]:
    """The output of the reference in each turn."""
    return [turn.text({}) for turn in script(game.play, inputs, echo=False).turns]


def test_the_reference_plays_a_game() -> None:
    """It asks for the pile and for who begins, tells each of its moves, and names the winner."""
    assert told("5", "1", "1", "1", "1") == [
        "How many stones shall be in the pile? ",
        "Who moves first (0 = program, 1 = user)? ",
        "Stones left: 5\nHow many do you take? ",
        "Stones left: 4\nThe computer takes 1.\nStones left: 3\nHow many do you take? ",
        "Stones left: 2\nThe computer takes 1.\nStones left: 1\nHow many do you take? ",
        "You took the last stone: the computer wins.\n",
    ]
    assert told("1", "0")[-1] == "Stones left: 1\nThe computer takes 1.\nYou win!\n"


@pytest.mark.parametrize(
    ("before", "wrong", "right"),
    [((), ("0", "-1", "", "x", "²"), "1"), (("4",), ("2", "-1", "01x"), "0"), (("4", "1"), ("0", "3", "-1"), "2")],
)
def test_the_reference_asks_again(before, wrong, right) -> None:
    """An answer that is not allowed changes nothing, however often it comes."""
    question = told(*before)[-1].splitlines()[-1]
    turns = told(*before, *wrong, right)
    for turn in turns[len(before) + 1 : -1]:
        assert turn.startswith("Invalid: it must be ")
        assert turn.endswith(f"\n{question}")
    assert turns[-1] == told(*before, right)[-1]


def test_two_of_one_stone_are_refused() -> None:
    """At the last stone only one may be taken."""
    session = ReferenceSession(game.play)
    for text in ("1", "1"):
        session.answer(text)
    assert session.request == Line(legal=("1",))
    assert told("1", "1", "2", "1")[-2:] == [
        "Invalid: it must be 1 or 2, and not more than there are.\nHow many do you take? ",
        told("1", "1", "1")[-1],
    ]
