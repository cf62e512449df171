"""The judgement on a program that departs from the rules.

Charges come from its departures alone, each once, where it first shows. All else is judged as far as it can be seen behind them.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from grader.games.learn.fit import Departure
from grader.games.pile.departures import OVER, Custom, Moment, course
from grader.games.pile.faults import OCCASIONS_OF
from grader.games.pile.fitting import Explained, Step, seen
from grader.games.pile.rounds import LEFT, OURS, Play, Round, stones
from grader.games.pile.ruling import false_counts, note, untold
from grader.games.pile.talk import Part
from grader.games.pile.telling import Telling
from grader.games.pile.truths import EACH

UNREAD_FIRST: Mapping[Hashable, str] = {
    "program": "it reads no answer to who moves first: the program always begins",
    "user": "it reads no answer to who moves first: the user always begins",
}
"""What is said instead of “whatever is answered” where no answer is read, by who begins."""


class Account:
    """Notes in the games of a program what its departures charge, and what could be seen beside them."""

    def __init__(self, player: Explained, telling: Telling) -> None:
        self._player = player
        self._telling = telling
        self._departures = player.explanation.departures
        self._tells = any(one.name in (OURS, EACH) for one in player.explanation.meanings.values())
        self._hides = frozenset(kind for one in self._departures for kind in one.hides)

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
        mine = course(self._player.custom, talk, game.answers, game.lefts)
        without = course(Custom.of(self._player.rules, others), talk, game.answers, game.lefts)
        for step, one, other in zip(game.steps, mine, without, strict=False):
            if one == other:
                continue
            if departure.field == "begins" and not talk.firsts:  # nothing is answered where nothing is asked
                play.note(
                    step.at + 1, "unasked-first", UNREAD_FIRST.get(departure.value, departure.sentence), stops=True
                )
            elif departure.charge:
                where = (
                    ""
                    if isinstance(one.asks, Part) or departure.field == "begins"
                    else f", here with {stones(one.after)} left"
                )
                play.note(step.at + 1, departure.charge, f"{departure.sentence}{where}", stops=True)
            return

    def told(self, rounds: Sequence[Round]) -> None:
        """Rule on the numbers that the rounds tell, and on those that they do not tell."""
        kinds = {one.charge for one in self._departures}
        for one in rounds if "wrong-count" not in kinds else ():
            claims = self._telling.told(one)
            note(one, claims)
            if any(each.meaning in LEFT for each in claims):
                one.play.saw("count")
            false = next(false_counts(one, claims), None)
            if false:
                one.fault("wrong-count", false)
        untold(rounds, self._telling)

    def hide(self, plays: Sequence[Play]) -> None:
        """Take back the faults that follow from what is charged, and the occasions for them; what is right there counts."""
        for kind in self._hides:
            showing = [play for play in plays if any(fault.kind == kind for _, fault in play.faults)]
            for play in showing:
                play.faults[:] = [(turn, fault) for turn, fault in play.faults if fault.kind != kind]
            for play in plays if showing else ():
                for name in OCCASIONS_OF[kind]:
                    play.occasions.pop(name, None)

    def _saw(self, play: Play, step: Step, moment: Moment, *, first: bool) -> None:
        """Count what could be seen in a step."""
        names: list[str] = []
        if first:
            names += ["begun", "stones", "first", f"begin-{play.mover}"]
        names += ["taken"] * bool(moment.yours) + ["turn"] * bool(moment.yours and moment.ours)
        # If one step has several moves, nobody knows the single ones, unless the program tells them.
        if len(moment.ours) == 1 or self._tells:
            for between, ours in zip((moment.between, *moment.left), moment.ours, strict=False):
                self.move(play, step.at, between, ours)
        else:
            names += ["computer"] * len(moment.ours)
        names += ["end"] * (moment.asks == OVER)
        play.saw(*names)
        play.positions[step.at + 1] = stones(moment.after)

    def move(self, play: Play, at: int, between: int, ours: int) -> None:
        """Rule on a move of the program before the wait ``at``, where it found so many stones."""
        if between <= 0 or not ours:
            return
        remainder, best = between % 3, self._player.rules.best(between)
        play.saw("computer", f"remainder-{remainder}")
        if ours != best:
            illegal = "" if ours in self._player.rules.moves(between) else ", which is not allowed"
            message = f"of {stones(between)} the program takes {ours}{illegal}; the strategy takes {best}"
            play.note(at + 1, f"poor-move-{remainder}", message)
