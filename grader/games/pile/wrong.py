"""Wrong answers to a program with known rules: each game with one is foretold as refused, as accepted, and otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.games.learn.fit import MISSED, WRONG
from grader.games.pile.departures import ACCEPTED, AS, ENDS, LOST, REFUSED, TAKE, course
from grader.games.pile.fitting import Explained, Place, missed, seen, true
from grader.games.pile.refusing import PILES, SHORT, Refusals, Trial
from grader.games.pile.rounds import Play
from grader.games.pile.talk import PROGRAM, USER
from grader.reading.twins import Goes

DOUBT = 0.5
"""Where a wrong answer that was refused explains a game nearly as well as one that was accepted, it was refused."""

LONG = (14, *PILES)
"""Piles that are large enough for the game to go on behind a wrong number."""


class RefusalsByFit(Refusals):
    """Tries wrong answers, and rules by what foretells the game behind them best."""

    player: Explained

    def _plain(self) -> Play | None:
        """A game in which the user can take one stone, better one that comes to its end."""
        plays = [self.player.play(stones, mover) for mover in (USER, PROGRAM) for stones in self._piles(LONG)]
        moved = [play for play in plays if play.refused is None and len(play.asked) > 1 and self._takes_one(play)]
        return next((play for play in moved if play.is_whole), next(iter(moved), None))

    def _takes_one(self, play: Play) -> bool:
        return any(moment.yours for _, _, moment in self.player.moments(play))

    def _after_opening(self, plain: Play, trial: Trial, place: int, step: int) -> Goes:  # noqa: ARG002  it is foretold
        return self._goes_by(trial.twin, REFUSED, self._number(trial, place, step), (ACCEPTED, *AS, ENDS))

    def _number(self, trial: Trial, place: int, step: int) -> int:
        """How many wrong answers were typed up to this one."""
        return (trial.at - place) // step + 1

    def _after_take(self, plain: Play, trial: Trial, number: int) -> Goes:  # noqa: ARG002  it is foretold
        return self._goes_by(trial.twin, REFUSED, number, (ACCEPTED, LOST, ENDS))

    def _takes_same(self, plain: Play, twin: Play) -> bool:  # noqa: ARG002  it is foretold
        return self._goes_by(twin, REFUSED, 1, (ACCEPTED, LOST, ENDS)) is Goes.ALIKE

    def _accepted(self, trials: Sequence[Trial]) -> None:
        for trial in trials:
            lost, carried = (self._cost(trial.twin, (comes,)) for comes in (LOST, ACCEPTED))
            self._judge.not_refused(trial, turn=lost < carried or (lost == carried and trial.text == "0"))

    def _too_many(self) -> None:
        many = str(self.player.rules.most)
        for stones in self._piles(SHORT):
            for mover in (USER, PROGRAM):
                plain = self.player.play(stones, mover)
                at = next(
                    (
                        step.at
                        for step, _, moment in self.player.moments(plain)
                        if moment.asks == TAKE and moment.after == 1
                    ),
                    None,
                )
                if at is None or at not in plain.asked:
                    continue
                before = [plain.typed(one) for one in plain.asked if one < at]
                twin = self.player.play(stones, mover, (*before, many))
                trial = Trial("too-many", many, twin, at, twin.run.waits[at].output)
                self._judge.rule(trial, self._goes_by(twin, REFUSED, 1, (ACCEPTED, LOST, ENDS)))
                return

    def _goes_by(self, twin: Play, right: str, number: int, others: Sequence[str]) -> Goes:
        """How a game goes on behind so many wrong answers, where all before the last are refused."""
        first = (REFUSED,) * (number - 1)
        refused = self._cost(twin, (*first, right))
        other = min(self._cost(twin, (*first, comes)) for comes in others)
        if refused <= other + DOUBT:
            return Goes.ALIKE if refused < WRONG else Goes.UNREAD
        return Goes.OTHERWISE

    def _cost(self, play: Play, wrong: tuple[str, ...]) -> float:
        """The cost of a game where this comes of its wrong answers: waits and known numbers that come otherwise."""
        game = seen(play, self.player.talk)
        moments = list(course(replace(self.player.custom, wrong=wrong), self.player.talk, game.answers))
        cost = WRONG * missed(game, moments)
        for step, moment in zip(game.steps, moments, strict=False):
            for slot, time, value in step.slots:
                meaning = self.player.explanation.meanings.get(Place(slot, time, moment.movers))
                told = true(moment, time)
                if meaning is not None and meaning.is_known and meaning.name in told:
                    cost += MISSED * (told[meaning.name] + meaning.shift != value)
        return cost
