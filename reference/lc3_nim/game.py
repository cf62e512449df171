"""lc3-nim as a game of heaps in the words of its assignment: its faults and their occasions."""

from __future__ import annotations

from typing import NamedTuple

from grader.bounded import length
from grader.games.heaps.duel import Duel
from grader.games.heaps.facing import HeapsGame, State
from grader.games.heaps.moving import Heaps

from .turns import ROWS, say, stated

RIGHT: Heaps = (3, 5, 8)
"""The rocks with which each game begins."""

OCCASIONS = {
    "start": "first boards",
    "moved": "valid moves that were accepted and carried out",
    "other-heap": "whole turns after accepted moves in a second row",
    "move": "valid moves",
    "turn": "turns after a valid move",
    "wrong-row": "moves in a row that does not exist",
    "lower-case": "moves with a row in lower case",
    "zero": "moves of zero rocks",
    "too-many": "moves of more rocks than the row has",
    "no-digit": "moves whose number is no digit",
    "refusal": "invalid moves that were refused",
    "end": "games whose last rock was taken",
    "win-1": "games that player 1 won",
    "win-2": "games that player 2 won",
    "banner": "games that came to an end",
    "gone-on": "valid moves after an invalid one",
}
OCCASIONS_OF = {
    "wrong-start": ("start",),
    "wrong-board": ("move",),
    "no-board": ("move",),
    "refused-legal": ("move",),
    "further-key": ("move",),
    "no-alternation": ("turn",),
    "wrong-row-taken": ("wrong-row",),
    "lower-case-taken": ("lower-case",),
    "zero-taken": ("zero",),
    "too-many-taken": ("too-many",),
    "no-digit-taken": ("no-digit",),
    "twice-refused": ("wrong-row",),
    "turn-lost": ("refusal",),
    "carried-out": ("refusal",),
    "no-message": ("refusal",),
    "ended-early": ("end",),
    "plays-on": ("end",),
    "wrong-winner": ("win-1", "win-2"),
    "no-winner": ("win-1", "win-2"),
    "no-halt": ("banner",),
    "after-refusal": ("gone-on",),
    "same-boards": ("moved",),
}
FAULTS = tuple(OCCASIONS_OF)

_STILL = ("wrong-board", "no-board", "no-alternation", "further-key", "wrong-winner", "no-winner", "no-halt")
AFTER_DOUBT = frozenset(
    {*_STILL, *(name for kind in _STILL for name in OCCASIONS_OF[kind]), "moved", "other-heap", "end"}
)
"""Faults that are judged after a wrong board: a program's play with its own rocks follows from it, above all refusals and the end."""

WHY = {
    "wrong-row": "there is no such row",
    "lower-case": "rows are capital letters",
    "zero": "zero rocks is no valid move",
    "too-many": "the row has not so many rocks",
    "no-digit": "the number is no digit",
}
"""Why each kind of invalid move is invalid."""


def tell(rocks: Heaps) -> str:
    """Rows in words."""
    return ", ".join(f"{row} {length(n)}" for row, n in zip(ROWS, rocks, strict=True))


GAME = HeapsGame(
    stated=stated,
    occasions_of=OCCASIONS_OF,
    occasions=OCCASIONS,
    tell=tell,
    say=say,
    things="rocks",
    heap="row",
    players={1: "player 1", 2: "player 2"},
    why=WHY,
    computer=False,
    last_wins=False,
    halts=True,
    after_doubt=AFTER_DOUBT,
)
DUEL = Duel(
    game=GAME,
    starts=(RIGHT,),
    labels=ROWS,
    illegal=(("D", "2"), ("A", "0"), ("A", "9"), ("A", "*"), ("a", "2"), ("1", "1")),
    enter="further-key",
)


class Keys(NamedTuple):
    """The referee's additional memory.

    ``refusals`` are the moves that were refused since the last board. ``waits`` says that the program wants one more key after a move.
    ``nobody`` says that a player was asked who does not exist. A register that a subroutine spoils makes “Player 0” of the next, and a
    winner of the same kind follows from it. ``named`` says that a question behind a move has named a player, ``first`` that the first
    question has. ``opening`` has the lines of the first turn that state nothing, such as a title.
    """

    refusals: tuple[str, ...] = ()
    waits: bool = False
    nobody: bool = False
    named: bool = False
    first: bool = False
    opening: frozenset[str] = frozenset()


START = State(seen=True, own=Keys())
