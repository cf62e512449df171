"""The judgement on a program that departs from the rules.

Charges come from its departures alone, each once, where it first shows. All else is judged as far as it can be seen behind them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import cast

from grader.games.learn.fit import Departure
from grader.games.pile.departures import OVER, Custom, Moment, course
from grader.games.pile.faults import OCCASIONS_OF
from grader.games.pile.fitting import AFTER, BETWEEN, EACH, OURS, YOURS, Explained, Place, Step, seen, true
from grader.games.pile.rounds import Play, stones
from grader.games.pile.talk import Part
from grader.games.pile.telling import Telling
from grader.reading.slots import Fit as Share
from grader.reading.slots import Slot

LEFT = (AFTER, BETWEEN, EACH)
"""The meanings of a number that tells how many stones are left."""


def telling_of(player: Explained) -> Telling:
    """The slots that tell something: each by what most of its values mean."""
    values: dict[Slot, Counter[str]] = defaultdict(Counter)
    for place, meaning in player.explanation.meanings.items():
        name = AFTER if meaning.name in LEFT else meaning.name
        values[cast(Place, place).slot]["" if meaning.shift else name] += meaning.values - meaning.misses
    slots: dict[Slot, Share] = {}
    for slot, counted in values.items():
        (name, number), total = counted.most_common(1)[0], sum(counted.values())
        if name in (AFTER, OURS, YOURS):
            slots[slot] = Share(name, number / total, total)
    return Telling(slots, {}, {})


class Account:
    """Notes in the games of a program what its departures charge, and what could be seen beside them."""

    def __init__(self, player: Explained) -> None:
        self._player = player
        self._departures = player.explanation.departures
        hidden = {kind for one in self._departures for kind in one.hides}
        self.hides = frozenset(hidden)
        self._unseen = frozenset(name for kind in hidden for name in OCCASIONS_OF.get(kind, ()))
        self._meanings = player.explanation.meanings
        self.sentence = "; ".join(one.sentence for one in self._departures)

    def note(self, play: Play) -> None:
        """Note what one game shows."""
        for one in self._departures:
            self._charge(play, one)
        for number, (step, _, moment) in enumerate(self._player.moments(play)):
            self._saw(play, step, moment, first=not number)

    def _charge(self, play: Play, departure: Departure) -> None:
        """Charge a departure in the turn in which a game without it would go on otherwise."""
        game = seen(play, self._player.talk)
        others = tuple(one for one in self._departures if one is not departure)
        talk = self._player.talk
        mine = course(self._player.custom, talk, game.answers)
        without = course(Custom.of(self._player.rules, others), talk, game.answers)
        for step, one, other in zip(game.steps, mine, without, strict=False):
            if one == other:
                continue
            if departure.charge:
                play.note(step.at + 1, departure.charge, f"{departure.sentence}{_where(one)}", stops=True)
            return

    def _saw(self, play: Play, step: Step, moment: Moment, *, first: bool) -> None:
        """Count what could be seen in a step."""
        names: list[str] = []
        if first:
            names += ["begun", "stones", "first", f"begin-{play.mover}"]
        names += ["taken"] * bool(moment.yours) + ["turn"] * bool(moment.yours and moment.ours)
        self._moves(play, step, moment)
        names += ["count"] * any(name in LEFT for name in self._told(step, moment))
        names += ["told"] * bool(self._tells(LEFT) and self._tells((OURS,)))
        names += ["end"] * (moment.asks == OVER)
        play.saw(*(name for name in names if name not in self._unseen))
        play.positions[step.at + 1] = stones(moment.after)

    def _moves(self, play: Play, step: Step, moment: Moment) -> None:
        """Rule on the moves of the program in a step."""
        found = (moment.between, *moment.left)
        for between, ours in zip(found, moment.ours, strict=False):
            if between <= 0:
                continue
            remainder, best = between % 3, self._player.rules.best(between)
            play.saw("computer")
            if f"poor-move-{remainder}" in self.hides:
                continue
            play.saw(f"remainder-{remainder}")
            if ours != best:
                illegal = "" if ours in self._player.rules.moves(between) else ", which is not allowed"
                message = f"of {stones(between)} the program takes {ours}{illegal}; the strategy takes {best}"
                play.note(step.at + 1, f"poor-move-{remainder}", message)

    def _told(self, step: Step, moment: Moment) -> Iterator[str]:
        """The meanings of the true numbers that a step tells."""
        for slot, time, value in step.slots:
            meaning = self._meanings.get(Place(slot, time, moment.movers))
            if meaning is not None and meaning.is_known and true(moment, time).get(meaning.name) == value:
                yield meaning.name

    def _tells(self, names: Sequence[str]) -> bool:
        """Whether some place tells one of these, with several values."""
        return any(one.name in names and not one.shift and one.values > one.misses for one in self._meanings.values())


def _where(moment: Moment) -> str:
    """The stones that are left there, as an end of a sentence."""
    if isinstance(moment.asks, Part):
        return ""
    return f", here with {stones(moment.after)} left"
