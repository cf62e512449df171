"""lc3-nim as a game of heaps, in the words of its assignment."""

from __future__ import annotations

from typing import NamedTuple

from grader.games.heaps.duel import Duel
from grader.games.heaps.facing import HeapsGame, State
from grader.games.heaps.moving import Heaps

from . import rules
from .faults import AFTER_DOUBT, OCCASIONS, OCCASIONS_OF, WHY
from .rules import ROWS
from .turns import stated

RIGHT: Heaps = rules.State().rocks


def tell(rocks: Heaps) -> str:
    """Rows in words."""
    return ", ".join(f"{row} {n}" for row, n in zip(ROWS, rocks, strict=True))


GAME = HeapsGame(
    stated=stated,
    occasions_of=OCCASIONS_OF,
    occasions=OCCASIONS,
    tell=tell,
    say=lambda move: f"{ROWS[move[0]]}{move[1]}",
    things="rocks",
    players={1: "player 1", 2: "player 2"},
    why=WHY,
    computer=False,
    last_wins=False,
    halts=True,
    board_doubts=True,
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
    """What the referee also remembers.

    ``refusals`` are the moves that were refused since the last board. ``waits`` says that the program wants one more key after a move.
    ``nobody`` says that a player was asked whom there is not. A register that a subroutine spoils makes “Player 0” of the next, and a
    winner of the same kind follows from it. ``opening`` has the lines of the first turn that state nothing, such as a title.

    ``meant`` are the rocks that there are if a wrong first board was only drawn wrongly, and ``astray`` the rows that it showed wrongly;
    ``drawn`` says that it was.
    """

    refusals: tuple[str, ...] = ()
    waits: bool = False
    nobody: bool = False
    opening: frozenset[str] = frozenset()
    meant: Heaps = ()
    astray: frozenset[int] = frozenset()
    drawn: bool = False


START = State(seen=True, own=Keys())
