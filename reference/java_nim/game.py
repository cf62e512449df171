"""java-nim as a game of heaps, in the words of its assignment, and what is typed of a move."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from grader.games.heaps.duel import Duel
from grader.games.heaps.facing import AGAIN, COMPUTER, COUNT, MOVE, SIZE, USER, HeapsGame, State
from grader.games.heaps.moving import Heaps, Move

from .faults import OCCASIONS, OCCASIONS_OF, WHY
from .rules import Position, best
from .turns import stated


@lru_cache(maxsize=1 << 12)
def winning(heaps: Heaps) -> tuple[Move, ...]:
    """The moves that leave an exclusive or of 0."""
    return tuple((row - 1, count) for row, count in best(Position(heaps)))


def tell(heaps: Heaps) -> str:
    """Rows in words."""
    return f"rows of {', '.join(map(str, heaps))}"


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
    players={USER: "the user", COMPUTER: "the computer"},
    why=WHY,
    winning=winning,
    skips=frozenset({"wrong-row", "negative", "too-many"}),
)
"""Taking no match, in silence, is to accept a move of no match: there a turn that is lost shows by a word alone."""

DUEL = Duel(
    game=GAME,
    starts=((3, 4, 9), (7, 2, 6), (1, 2, 3), (11, 8, 5), (2, 5, 4), (6, 1, 4), (4, 6, 2)),
    sizes=True,
    labels="123",
    apart=True,
    illegal=(("4", "1"), ("0", "1"), ("1", "0"), ("2", "-1"), ("3", "99")),
)


class Typed(NamedTuple):
    """What the referee also remembers: what was typed.

    ``starts`` are the numbers to begin with, 0 for each of the rows ``unasked``, which the program has passed over. ``refused`` says that
    one of them was refused, as it seemed. ``row`` is the row of a move,
    from 1, once it was typed; ``late`` says that it is wrong and that the program asked for the number first. ``strong`` says that the player wins
    where it can, and tries no negative numbers to begin with. ``blank`` says that all rows seem to be empty from the beginning.
    """

    starts: Heaps = ()
    unasked: tuple[int, ...] = ()
    refused: bool = False
    blank: bool = False
    row: int = 0
    late: bool = False
    strong: bool = False


START = State(own=Typed())
STARTS = (START, State(own=Typed(strong=True)))
"""Every other game is played to win, so that a program is also seen losing; its numbers to begin with are never negative."""
