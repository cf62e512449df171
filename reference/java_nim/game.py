"""java-nim as a game of heaps in the words of its assignment: its faults, their occasions, and what is typed of a move."""

from __future__ import annotations

from typing import NamedTuple

from grader.bounded import length
from grader.games.heaps.duel import Duel
from grader.games.heaps.facing import AGAIN, COMPUTER, COUNT, MOVE, SIZE, USER, HeapsGame, State
from grader.games.heaps.moving import Heaps, balancing

from .turns import stated

OCCASIONS = {
    "start": "games that began with the numbers that were typed",
    "move": "legal moves of the user",
    "moved": "legal moves of the user that were accepted and carried out",
    "other-heap": "whole turns after accepted moves in a second row",
    "reply": "moves of the computer",
    "won": "moves of the computer where it could leave an exclusive or of 0",
    "board-user": "moves of the user in games with a board that can be read",
    "board-computer": "moves of the computer in games with a board that can be read",
    "end": "games whose last match was taken",
    "win": "games whose winner had to be named",
    "negative-start": "negative numbers of matches to begin with",
    "wrong-row": "rows that do not exist",
    "empty-row": "rows without matches",
    "zero": "moves of no match",
    "negative": "moves of a negative number of matches",
    "too-many": "moves of more matches than the row has",
    "refusal": "invalid answers that were refused",
}
OCCASIONS_OF = {
    "illegal-move": ("reply",),
    "poor-move": ("won",),
    "wrong-start": ("start",),
    "wrong-board": ("move",),
    "wrong-telling": ("reply",),
    "no-board-after-user": ("board-user",),
    "no-board-after-computer": ("board-computer",),
    "refused-legal": ("move",),
    "called-invalid": ("moved",),
    "ended-early": ("end",),
    "plays-on": ("end",),
    "wrong-winner": ("win",),
    "no-winner": ("win",),
    "turn-lost": ("refusal",),
    "negative-start-taken": ("negative-start",),
    "wrong-row-taken": ("wrong-row",),
    "empty-row-taken": ("empty-row",),
    "zero-taken": ("zero",),
    "negative-taken": ("negative",),
    "too-many-taken": ("too-many",),
    "same-boards": ("moved",),
}
FAULTS = tuple(OCCASIONS_OF)

_STILL = ("wrong-board", "no-board-after-user", "no-board-after-computer", "no-winner")
AFTER_DOUBT = frozenset(
    {*_STILL, *(name for kind in _STILL for name in OCCASIONS_OF[kind]), "moved", "other-heap", "reply", "end"}
)
"""Faults that are judged after a wrong board. A program takes from another row than it shows, or shows one that is below nothing as empty:
the moves of the computer follow from that. One mistake in a move of the user was charged 29 points, 11 of them for the strategy."""

WHY = {
    "negative-start": "a row cannot begin with a negative number of matches",
    "wrong-row": "there are the rows 1, 2 and 3",
    "empty-row": "no match is left in it",
    "zero": "at least one match must be taken",
    "negative": "at least one match must be taken",
    "too-many": "the row has not so many matches",
}
"""Why each kind of wrong answer is wrong."""


def tell(heaps: Heaps) -> str:
    """Rows in words."""
    return f"rows of {', '.join(map(length, heaps))}"


AMOUNTS = {SIZE: 0, COUNT: 0, "amount": 0, "amount-1": 1, "amount-2": 2, "amount-3": 3}
"""Questions for a number of matches, and the row that they name."""

GAME = HeapsGame(
    stated=stated,
    questions={"row": MOVE, "move": MOVE, "again": AGAIN, **dict.fromkeys(AMOUNTS, COUNT)},
    repeats="repeat",
    occasions_of=OCCASIONS_OF,
    occasions=OCCASIONS,
    tell=tell,
    say=lambda move: f"{move[1]} from row {move[0] + 1}",
    things="matches",
    heap="row",
    players={USER: "the user", COMPUTER: "the computer"},
    why=WHY,
    winning=balancing,
    after_doubt=AFTER_DOUBT,
)
DUEL = Duel(
    game=GAME,
    starts=((3, 4, 9), (7, 2, 6), (1, 2, 3), (11, 8, 5), (2, 5, 4), (6, 1, 4), (4, 6, 2)),
    sizes=True,
    labels="123",
    apart=True,
    illegal=(("4", "1"), ("0", "1"), ("1", "0"), ("2", "-1"), ("3", "99")),
)


class Typed(NamedTuple):
    """The referee's additional memory: the numbers typed.

    ``starts`` are the numbers to begin with, 0 for each of the rows ``unasked``, which the program has passed over. ``refused`` says that
    one of them was refused, as it seemed, and ``named`` is the row that was named as the last one was asked for, 0 for none. ``legal`` are all
    legal ones that were typed, and ``again`` is the first of them behind which its row was asked for again, with that row. ``row`` is the row of a move,
    from 1, once it was typed; ``late`` says that it is wrong and that the program asked for the number first. ``strong`` says that the player wins
    where it can, and tries no negative numbers to begin with. ``blank`` says that all rows seem to be empty from the beginning.
    ``words`` are the lines that were said with the first board and state nothing that is known. ``labels`` are what the program calls
    its rows, from above, where these are not called 1, 2 and 3.
    """

    starts: Heaps = ()
    unasked: tuple[int, ...] = ()
    legal: Heaps = ()
    again: tuple[int, ...] = ()
    refused: bool = False
    named: int = 0
    blank: bool = False
    row: int = 0
    late: bool = False
    strong: bool = False
    words: frozenset[str] = frozenset()
    labels: tuple[int, ...] = ()


START = State(own=Typed())
STARTS = (START, State(own=Typed(strong=True)))
"""Every other game is played to win, so that a program is also seen losing; its numbers to begin with are never negative."""
