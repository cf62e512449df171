"""The fit of one program that plays on a pile: what its games show, beside what each hypothesis foretells of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from grader.games.learn.fit import Departures, Fit, Foretold, Number, fit
from grader.games.pile.departures import ENDLESS, OVER, ROWS, TAKE, Custom, Moment, course, moves
from grader.games.pile.rounds import Play
from grader.games.pile.rules import Rules
from grader.games.pile.talk import PROGRAM, USER, Part, Talk
from grader.reading.keys import key
from grader.reading.slots import Slot, slots_of
from grader.transcript import EndingKind
from grader.values import dataclass

AFTER, BETWEEN, BEFORE, START, OURS, YOURS, EACH = "after", "between", "before", "start", "program", "user", "each"

COSTS: Mapping[str, float] = {
    AFTER: 0,
    BETWEEN: 0,
    OURS: 0,
    YOURS: 0,
    EACH: 0,
    BEFORE: 0.1,
    START: 0.1,
    "all of the user": 0.3,
    "all of the program": 0.3,
    "all": 0.3,
    "most": 0.3,
    "move of the user": 0.35,
    "move of the program": 0.35,
    "move": 0.4,
    "next move": 0.4,
    "player": 0.4,
    "player from 1": 0.4,
}
"""The meanings that a number may have, with what each costs. Counters cost most: in short games they are equal to other things by chance."""

SEVERAL = 3
"""An end is foretold where it could have come otherwise if at least so many waits came before it in the game."""

_ENDLESS = frozenset({EndingKind.TIME_LIMIT, EndingKind.BUDGET, EndingKind.OUTPUT_LIMIT})


@dataclass(frozen=True)
class Step:
    """A wait of a game as it was seen, or its end: what was printed since the wait before, and the key of the question."""

    at: int
    text: str
    key: str
    slots: tuple[tuple[Slot, int, int], ...]


@dataclass(frozen=True)
class Seen:
    """One game as it was seen: the answers without those to pauses, and a step before each and after the last."""

    play: Play
    answers: tuple[str, ...]
    steps: tuple[Step, ...]
    ends: str


def seen(play: Play, talk: Talk) -> Seen:
    """A game as the fit sees it: without pauses."""
    places = [*range(play.opening), *play.asked]
    if not places or play.end > places[-1]:
        places.append(play.end)
    places = [at for at in places if at < len(play.run.waits)]
    steps: list[Step] = []
    for number, at in enumerate(places):
        text = play.said(places[number - 1] if number else -1, at)
        steps.append(Step(at, text, key(play.run.waits[at].output, talk.level), tuple(_numbered(text))))
    ending = play.run.ending
    ends = OVER if play.over is not None else TAKE
    if play.is_broken:
        ends = ENDLESS if ending is not None and ending.kind in _ENDLESS else ""
    return Seen(play, tuple(play.typed(at) for at in places[: len(steps) - 1]), tuple(steps), ends)


def _numbered(text: str) -> Iterator[tuple[Slot, int, int]]:
    """The numbers of a text: the slot of each, how often that came before in the text, and its value."""
    times: Counter[Slot] = Counter()
    for slot, value in slots_of(text):
        yield slot, times[slot], value
        times[slot] += 1


def explained(plays: Sequence[Play], talk: Talk, rules: Rules) -> Fit | None:
    """The cheapest explanation of these games."""
    games = [seen(play, talk) for play in plays]
    return fit((*ROWS, *moves(rules)), partial(_foretold, games, talk, rules), COSTS)


def _foretold(games: Sequence[Seen], talk: Talk, rules: Rules, departures: Departures) -> Foretold:
    custom = Custom.of(rules, departures)
    wrong = right = 0
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    paired: list[tuple[Step, Moment]] = []
    for game in games:
        moments = list(course(custom, talk, game.answers))
        pairs = list(zip(game.steps, moments, strict=False))
        wrong += _missed(game, moments)
        right += moments[-1].asks == OVER and not _missed(game, moments) and len(pairs) > len(talk.parts) + SEVERAL
        for step, moment in pairs:
            if moment.asks not in (OVER, ENDLESS):
                kinds[step.key][str(moment.asks)] += 1
        paired += [(step, moment) for step, moment in pairs if not isinstance(moment.asks, Part)]
    if len(kinds) > 1:  # where all questions are “Enter: ” they tell nothing
        wrong += sum(sum(seen.values()) - max(seen.values()) for seen in kinds.values())
    return Foretold(wrong, right, lambda: [number for step, moment in paired for number in _truths(step, moment)])


def _missed(game: Seen, moments: Sequence[Moment]) -> int:
    """How many waits of a game were foretold wrongly."""
    length = len(moments) - len(game.steps)
    if not game.ends:  # it broke: nobody knows how it would have gone on
        return max(-length, 0)
    if length:
        return abs(length)
    last = moments[-1].asks
    return int((OVER if last == OVER else ENDLESS if last == ENDLESS else TAKE) != game.ends)


def _truths(step: Step, moment: Moment) -> Iterator[Number]:
    """The numbers of a step with what is true of each."""
    for slot, time, value in step.slots:
        yield Number(slot, (slot, time, moment.movers), value, true(moment, time))


def true(moment: Moment, time: int) -> Mapping[str, int]:
    """What is true of a number in a step, by name, where its slot came so often before in the step."""
    both: list[int] = [sum(take for who, take in moment.made if who == player) for player in (PROGRAM, USER)]
    number = [sum(who == player for who, _ in moment.made) for player in (PROGRAM, USER)]
    mover = USER if moment.asks == TAKE else PROGRAM
    found = {
        AFTER: moment.after,
        BEFORE: moment.before,
        START: moment.start,
        "all of the user": both[USER],
        "all of the program": both[PROGRAM],
        "all": sum(both),
        "most": min(2, moment.after),
        "move of the user": number[USER] + (moment.asks == TAKE),
        "move of the program": number[PROGRAM],
        "move": sum(number),
        "next move": sum(number) + 1,
        "player": mover,
        "player from 1": mover + 1,
    }
    if moment.yours:
        found |= {YOURS: moment.yours, BETWEEN: moment.between}
    if moment.ours:
        found[OURS] = moment.ours[min(time, len(moment.ours) - 1)]
        each = (moment.between, *moment.left)
        found[EACH] = each[min(time, len(each) - 1)]
    return found
