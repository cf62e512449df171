"""Rounds of games: the user takes, the program takes, and how many stones there were before, between and after.

The numbers come from futures. What the program took is what lies between two of them, and needs no telling.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from grader.games.pile.play import Play
from grader.games.pile.plays import Player
from grader.games.pile.talk import PROGRAM
from grader.values import dataclass

AFTER, BETWEEN, BEFORE, OURS, YOURS = "after", "between", "before", "program", "user"
"""What a number in a round can be: stones after it, between both moves, before it, and what was taken by either."""

START, TURN = "start", "turn"
"""Numbers that are told besides: with how many stones the game began, and how often the user has moved."""

LEFT = (AFTER, BETWEEN, BEFORE)


@dataclass(frozen=True)
class Round:
    """A stretch of a game from the wait ``start``, where the user took ``yours``, to the wait ``stop``.

    In the first round nobody asks the user: ``yours`` is 0. ``between`` is the number of stones that the program finds, ``after`` what
    it leaves; None where that is not known. ``ours`` is what it took, None where it was not to move or nobody knows. ``over`` says
    that the game is over at ``stop``.
    """

    play: Play
    start: int
    stop: int
    before: int | None
    yours: int
    after: int | None
    over: bool = False
    moves: bool = True
    stays: bool = False
    """Whether what the user takes is not taken off."""

    @property
    def between(self) -> int | None:
        """The stones that the program finds."""
        if self.before is None:
            return None
        return self.before if self.stays else self.before - self.yours

    @property
    def ours(self) -> int | None:
        """How many stones the program took."""
        if not self.moves or self.between is None or self.after is None:
            return None
        return self.between - self.after

    @property
    def text(self) -> str:
        """What was said in it."""
        return self.play.said(self.start, self.stop)

    @property
    def turn(self) -> int:
        """The number of the turn in which it ends, from 1."""
        return self.stop + 1

    @property
    def truth(self) -> Mapping[str, int]:
        """What is true of it, by name."""
        numbers = {
            AFTER: self.after,
            BETWEEN: self.between,
            OURS: self.ours,
            YOURS: self.yours or None,
            BEFORE: self.before,
        }
        if self.after is not None:
            numbers |= {START: self.play.stones, TURN: sum(at <= self.start for at in self.play.asked) + 1}
        return MappingProxyType({name: number for name, number in numbers.items() if number is not None})


def rounds(player: Player, play: Play) -> tuple[Round, ...]:
    """The rounds of a game, as far as the numbers of stones are known at all."""
    return tuple(_rounds(player, play))


def _rounds(player: Player, play: Play) -> Iterator[Round]:
    program = play.mover == PROGRAM
    stop = play.asked[0] if play.asked else play.end
    left = player.begun(play, stop) if play.asked else 0 if play.over is not None else None
    program = program or player.always_begins
    over = not play.asked and play.over is not None
    yield Round(play, play.opening - 1, stop, play.stones, 0, left, over, moves=program)
    for number, at in enumerate(play.asked):
        yours = int(play.typed(at))
        last = number + 1 == len(play.asked)
        stop = play.end if last else play.asked[number + 1]
        over = last and play.over is not None
        if last and not over and stop <= at:
            return
        likely = () if left is None else player.rules.after(left - yours, left)
        after = 0 if over else player.stones(play, stop, likely)
        one = Round(play, at, stop, left, yours, after, over)
        yield replace(one, moves=one.between is None or one.between > 0)
        left = after


def as_it_takes(played: Sequence[Round]) -> tuple[Round, ...]:
    """The rounds of a program that never takes off what the user takes."""
    return tuple(replace(one, stays=True, moves=one.moves or one.yours > 0) for one in played)
