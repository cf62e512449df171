"""c-nim as a game of heaps, in the words of its assignment, and the match that its games make."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from grader.games.heaps.duel import Duel
from grader.games.heaps.facing import COMPUTER, USER, HeapsGame, State
from grader.games.heaps.moving import Heaps, Move, legal

from .faults import AFTER_DOUBT, OCCASIONS, OCCASIONS_OF, WHY
from .rules import LETTERS, SOLVER, Position
from .turns import stated

RIGHT = Position().heaps


def say(move: Move) -> str:
    """A move as the assignment writes it."""
    return f"{chr(ord('a') + move[0])}{move[1]}"


def tell(heaps: Heaps) -> str:
    """Heaps in words."""
    return ", ".join(f"{letter.upper()} {n}" for letter, n in zip(LETTERS, heaps, strict=True))


@lru_cache(maxsize=1 << 12)
def winning(heaps: Heaps) -> tuple[Move, ...]:
    """The moves that keep a win; empty where no move does."""
    return tuple((LETTERS.index(move[0]), int(move[1:])) for move in SOLVER.winning(Position(heaps)))


GAME = HeapsGame(
    stated=stated,
    occasions_of=OCCASIONS_OF,
    occasions=OCCASIONS,
    tell=tell,
    say=say,
    things="stones",
    players={USER: "player 1", COMPUTER: "player 2"},
    why=WHY,
    winning=winning,
    stall=lambda heaps: legal(heaps)[0],
    told_first=True,
    again=True,
    board_doubts=True,
    after_doubt=AFTER_DOUBT,
    repeats="retry",
)
DUEL = Duel(
    game=GAME,
    starts=(RIGHT,),
    labels=LETTERS,
    illegal=(("d", "4"), ("a", "0"), ("b", "-1"), ("c", "9"), ("x", "1")),
    names={"player 1": "user", "player 2": "program"},
    untold="untold-move",
    unshown="no-board",
    oddly="refused-legal",
    yes="answer-refused",
    unlike="own-words",
)


class Match(NamedTuple):
    """What the referee remembers of the games so far.

    ``starter`` must start the next game, 0 where a mistake leaves that open. ``wins`` are those of the user and of the computer, None where
    a mistake leaves them open. ``games`` are those that are over. ``stopped`` says that the user wants no more games, and
    ``well`` that the user plays the first game well, and then every second one.
    """

    starter: int = USER
    wins: tuple[int | None, int | None] = (0, 0)
    games: int = 0
    stopped: bool = False
    well: bool = False

    def after(self, winner: int) -> Match:
        """The match after a game: it is counted, and its loser starts the next. Nobody has won where a mistake leaves that open."""
        user, computer = self.wins
        wins = (_more(user, winner == USER), _more(computer, winner == COMPUTER)) if winner else (None, None)
        return self._replace(starter=3 - winner if winner else 0, wins=wins, games=self.games + 1)


def _more(wins: int | None, more: bool) -> int | None:
    return None if wins is None else wins + more


START = State(seen=True, own=Match())
STARTS = (START, START._replace(own=Match(well=True)))
"""The user plays the second game of one match well, and the first of the next: some programs play only one."""
