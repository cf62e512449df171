"""Whether the computer plays optimally from every number of stones, in as few games as can show it.

In one long game it is to move from twenty numbers. The user's moves are chosen such that they are numbers not tried yet. How many
stones there are on the way is what the program tells, if what it tells adds up and the end of the game is that of a fresh game
with so many stones. A silent program is believed to play well until that end: where each of its moves must have been the greatest
or the least that is allowed for the game to end there and then, they are proved by counting.
"""

from __future__ import annotations

from collections.abc import Sequence

from grader.games.pile.plays import Player
from grader.games.pile.rounds import AFTER, Play, Round
from grader.games.pile.talk import PROGRAM, USER
from grader.games.pile.telling import Telling
from grader.reading.runs import SpentError
from grader.reading.slots import FIRM, segments
from grader.values import dataclass

MOST_GAMES = 8
"""In so many games at most."""


@dataclass(frozen=True)
class Proof:
    """Long games with the rounds of which the numbers are sure, and the piles from which the computer's move was seen."""

    games: dict[Play, tuple[Round, ...]]
    tried: frozenset[int]


def prove(player: Player, learned: Telling, tried: frozenset[int]) -> Proof:
    """Try all piles from which no move was seen yet."""
    games: dict[Play, tuple[Round, ...]] = {}
    plan = player.rules.game.plan
    piles = frozenset(range(1, plan.proved_to + 1))
    missing = set(piles - tried)
    mover = PROGRAM if player.talk.proved else USER
    try:
        for _ in range(MOST_GAMES if player.largest == plan.user_begins else 0):
            if not missing:
                break
            game = _Game(player, learned, missing, max(missing), mover)
            rounds = game.rounds()
            games[game.play] = rounds
            seen = {one.between for one in rounds if one.ours}
            if not seen & missing:
                break
            missing -= seen
    except SpentError:
        pass
    return Proof(games, piles - missing)


def shortest(player: Player, learned: Telling, poor: Sequence[Round]) -> dict[Play, tuple[Round, ...]]:
    """Games that begin with the positions of these rounds, where the program tells that it moves there as it did: easier to see."""
    games: dict[Play, tuple[Round, ...]] = {}
    for one in {(one.between or 0) % 3: one for one in poor}.values() if player.talk.proved else ():
        play = player.play(one.between or 0, PROGRAM)
        if play.asked and told_left(learned, play.said(play.opening - 1, play.asked[0])) == one.after:
            games[play] = (Round(play, play.opening - 1, play.asked[0], one.between, 0, one.after),)
    return games


def told_left(learned: Telling, said: str) -> int | None:
    """What is told last of the stones that are left."""
    firm = {slot for slot, fit in learned.slots.items() if fit.meaning == AFTER and fit.share >= FIRM}
    told = ((slot, value) for one in segments(said) for slot, value in one.slots() if slot in firm)
    values = [value for slot, value in told if value >= 0 or slot not in learned.below]
    return values[-1] if values else None


class _Game:
    """One long game, from ``start`` stones that the program finds, through as many missing numbers as can be."""

    def __init__(self, player: Player, learned: Telling, missing: set[int], start: int, mover: int) -> None:
        self._player = player
        self._learned = learned
        self._missing = set(missing)
        self._between = start
        self._program_moved = mover == PROGRAM
        self._told: list[int | None] = []
        self._left: list[int] = []
        self._stones = start if mover == PROGRAM else start + 1
        self._mover = mover
        self.play = player.chosen(self._stones, mover, self._choose)

    def _choose(self, said: str) -> str:
        """The move after which the program finds a number that is missing, as the game is believed to stand."""
        if not self._left and not self._program_moved:
            left: int = self._stones
            told: int | None = left
        else:
            told = told_left(self._learned, said)
            most = self._player.rules.most + 1
            expected = self._between - self._player.rules.best(self._between)
            left = told if told is not None and 0 < self._between - told <= most else expected
            self._missing.discard(self._between)
        self._told.append(told)
        self._left.append(left)
        good = [take for take in self._player.rules.moves(left) if left - take in self._missing]
        take = good[0] if good and left > self._player.largest else 1
        self._between = left - take
        return str(take)

    def rounds(self) -> tuple[Round, ...]:
        """The rounds of which the numbers are sure: all up to a wait that is known by its future, if they add up."""
        play = self.play
        joint = next((n for n, left in enumerate(self._left) if left <= self._player.largest), None)
        if joint is None or play.refused is not None:
            return ()
        at = play.asked[joint]
        if self._player.stones(play, at, (self._left[joint],)) != self._left[joint]:
            return ()
        made = tuple(self._made(joint))
        told = all(told == left for told, left in zip(self._told[: joint + 1], self._left, strict=False))
        return made if told or _extreme(made) else ()

    def _made(self, joint: int) -> list[Round]:
        play, made = self.play, []
        if self._mover == PROGRAM:
            made.append(Round(play, play.opening - 1, play.asked[0], self._stones, 0, self._left[0]))
        for number in range(joint):
            yours = int(play.typed(play.asked[number]))
            start, stop = play.asked[number : number + 2]
            made.append(Round(play, start, stop, self._left[number], yours, self._left[number + 1]))
        return made


def _extreme(rounds: Sequence[Round]) -> bool:
    """Whether the program took two each time, or one each time: no other legal moves would have led as far."""
    return len({one.ours for one in rounds}) == 1
