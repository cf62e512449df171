"""Four in a row as a small program in Python, whose words and rules can be changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.games.board.dialogue import Opening
from grader.games.board.ends import Account
from grader.games.board.opening import opened
from grader.games.board.rules import OTHER, Spot
from grader.games.families.fourinarow.rules import COLUMNS, ROWS, RULES
from grader.games.hear.runs import Runs
from grader.sessions.reference import Line, Play, SpeakingReference


@dataclass(frozen=True)
class Small:
    """A program: ``opens`` are questions before the game, ``undo`` the answers that take back and keep, or only a key.

    It ends behind ``most`` pieces. An undo leads ``back`` from what was before the move and behind it; none is known behind a column
    that ``stays``.
    """

    opens: tuple[str, ...] = ()
    column: str = "{name}, your column: "
    labels: Sequence[str] = "1234567"
    names: tuple[str, str] = ("Red", "Blue")
    offer: str = "Back ({0}/{1})? "
    undo: tuple[str, ...] = ("y", "n")
    first_stays: bool = True
    undos: int = 3
    stays: int = -1
    back: Callable[[Spot, Spot], Spot] = lambda before, _after: before
    refuses: bool = True
    passes: bool = False
    third: bool = True
    wins: str = "{winner} wins!\n"
    changes: bool = True
    most: int = COLUMNS * ROWS

    def runs(self) -> Runs:
        """Its runs; with an odd seed the other player begins."""
        return Runs(lambda seed: SpeakingReference(lambda: self.play(seed or 0), echo=False))

    def play(self, seed: int) -> Play:
        """A game."""
        for question in self.opens:
            yield question
            yield Line()
        spot = Spot(RULES.start, "AB"[seed % 2 if self.changes else 0])
        left, bad, moved = (
            {"A": self.undos, "B": self.undos},
            {"A": 0, "B": 0},
            {"A": not self.first_stays, "B": not self.first_stays},
        )
        last: tuple[Spot, int] | None = None
        while True:
            yield self.drawn(spot.position)
            if COLUMNS * ROWS - spot.position.count(".") == self.most:
                return
            while True:
                yield self.column.format(name=self.called(spot.mover))
                typed = yield Line()
                may_go = last is not None and left[last[0].mover] and last[1] != self.stays
                if len(self.undo) == 1 and typed == self.undo[0] and last and may_go:
                    spot, column = last
                    left[spot.mover] -= 1
                    last = None
                    yield self.drawn(spot.position)
                    continue
                column = [*self.labels].index(typed) if typed in [*self.labels] else -1
                if column >= 0 and RULES.lands(spot.position, column) is not None:
                    break
                bad[spot.mover] += 1
                yield "No.\n"
                if self.third and bad[spot.mover] == 3:
                    yield self.wins.format(winner=self.called(OTHER[spot.mover]))
                    return
                if self.passes:
                    spot = Spot(spot.position, OTHER[spot.mover])
            after = RULES.after(spot, column)
            may_go = moved[spot.mover] and left[spot.mover] and column != self.stays
            if len(self.undo) > 1 and may_go and not RULES.made(after.position, column):
                yield self.drawn(after.position) + self.offer.format(*self.undo)
                if (yield Line()) == self.undo[0]:
                    left[spot.mover] -= 1
                    spot = self.back(spot, after)
                    continue
            last = (spot, column) if moved[spot.mover] else None
            moved[spot.mover] = True
            if RULES.made(after.position, column) or "." not in after.position:
                yield self.drawn(after.position)
                yield (
                    self.wins.format(winner=self.called(spot.mover))
                    if RULES.made(after.position, column)
                    else "Nobody wins.\n"
                )
                return
            spot = after

    def called(self, player: str) -> str:
        """The name of a player."""
        return self.names["AB".index(player)]

    @staticmethod
    def drawn(position: str) -> str:
        """The board."""
        signs = {".": ".", "A": "X", "B": "O"}
        rows = (
            "|" + "|".join(signs[position[c * ROWS + r]] for c in range(COLUMNS)) + "|\n" for r in reversed(range(ROWS))
        )
        return "".join(rows)


def played(columns: str) -> str:
    """The position after these columns; the first one is player A's."""
    return RULES.after(Spot(RULES.start, "A"), *(int(column) - 1 for column in columns)).position


def opening_of(small: Small) -> Opening:
    """The way to its first column."""
    return opened(RULES, small.runs())


def account() -> Account:
    """An account of no games yet."""
    return Account(lambda position: position)
