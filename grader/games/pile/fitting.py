"""The fit of one program that plays on a pile: what its games show, beside what each hypothesis foretells of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from grader.games.hear.history import heads
from grader.games.hear.runs import Answers, Run, Runs, SpentError
from grader.games.hear.slots import LEVELS, NO_KEY, Slot, key, numbered
from grader.games.learn.fit import FORETOLD, Departures, Explanation, Fit, Foretold, Meaning, Number, fit, meant
from grader.games.learn.way import NATIVE, ways
from grader.games.pile.departures import ENDLESS, LONGEST, OVER, ROWS, TAKE, Custom, Moment, course, departures
from grader.games.pile.plays import Player, with_pauses
from grader.games.pile.rounds import COSTS, EACH, OURS, TYPED, Play, Round, true
from grader.games.pile.rules import Rules
from grader.games.pile.talk import PROGRAM, USER, Part, Talk
from grader.transcript import EndingKind
from grader.values import dataclass

MOST_NUMBERS = 40
"""Maximum numbers of a step that are looked at, the last ones: each hypothesis has a meaning for each, and a program that floods prints thousands."""

SEVERAL = 3
"""An end is foretold where it could have come otherwise if at least so many waits came before it in the game."""

SILENT = 6.0
"""The cost of a program that tells numbers, and none where both have moved: it is likelier that it has refused what was typed."""

OTHERWISE = 10.0
"""The cost of a question that is asked in other words behind each refusal, such as “Try again: ”: it is likelier that another one came."""

_ENDLESS = frozenset({EndingKind.TIME_LIMIT, EndingKind.BUDGET, EndingKind.OUTPUT_LIMIT})


class Place(NamedTuple):
    """A place in a step: a slot, how often it came before in the step, and who has moved in it."""

    # “5”, “- 1”, “4” in one round have one slot: the last number was taken for all three, and a right program charged.
    slot: Slot
    time: int
    movers: str


@dataclass(frozen=True)
class Step:
    """A wait of a game as it was seen, or its end: what was printed since the wait before, and the keys of the question, of ever more lines."""

    at: int
    text: str
    keys: tuple[str, ...]
    slots: tuple[tuple[Slot, int, int], ...]

    @property
    def key(self) -> str:
        """The key of the fewest lines."""
        return self.keys[0]


@dataclass(frozen=True)
class Seen:
    """One game as it was seen: the answers without those to pauses, and a step before each and after the last."""

    play: Play
    answers: tuple[str, ...]
    steps: tuple[Step, ...]
    ends: str
    lefts: tuple[int | None, ...] = ()
    """The stones that are told before each step, where the program is followed by that."""


def seen(play: Play, talk: Talk) -> Seen:
    """A game as the fit sees it: without pauses."""
    places = [*range(play.opening), *play.move_waits]
    if not places or play.end > places[-1]:
        places.append(play.end)
    places = [at for at in places if at < len(play.run.waits)]
    ending = play.run.ending
    ends = OVER if play.over is not None else TAKE
    if play.is_broken:
        ends = ENDLESS if ending is not None and ending.kind in _ENDLESS else ""
        places = places if ends else places[:-1]  # nobody knows what it was about to do where it broke
    steps: list[Step] = []
    for number, at in enumerate(places):
        text = play.said(places[number - 1] if number else -1, at)
        keys = tuple(key(play.run.waits[at].output, level) for level in LEVELS if level >= talk.level)
        steps.append(Step(at, text, keys, tuple(one[1:] for one in numbered(text))[-MOST_NUMBERS:]))
    answers = tuple(play.typed(at) for at in places[: len(steps) - 1])
    return Seen(play, answers, tuple(steps), ends, tuple(_lefts(steps, talk, ends)))


def _lefts(steps: Sequence[Step], talk: Talk, ends: str) -> Iterator[int | None]:
    for step in steps if talk.slot is not None else ():
        # Many programs tell at the end who has won, and how many stones there were before their last move.
        yield 0 if ends == OVER and step is steps[-1] else talk.left(step.text)


def _foretold(games: Sequence[Seen], talk: Talk, rules: Rules, hypothesis: Departures, most: int) -> Foretold:
    custom = Custom.of(rules, hypothesis)
    wrong = right = 0
    prompts: list[tuple[Sequence[str], str]] = []
    paired: list[tuple[Step, Moment]] = []
    refused: list[tuple[Step, int, str]] = []
    questions: dict[tuple[Part, bool], Counter[str]] = defaultdict(Counter)
    for game in games:
        moments = list(course(custom, talk, game.answers, game.lefts))
        pairs = list(zip(game.steps, moments, strict=False))
        misses = missed(game, moments)
        wrong += misses
        if wrong > most:  # most hypotheses are dropped after a few games
            return Foretold(wrong, 0, list)
        right += moments[-1].asks == OVER and not misses and len(pairs) > len(talk.parts) + SEVERAL
        for step, moment in pairs:
            if step.key and moment.asks not in (OVER, ENDLESS) and not moment.refused:  # silence may ask two things
                prompts.append((step.keys, str(moment.asks)))
            if isinstance(moment.asks, Part):
                questions[moment.asks, moment.refused][step.key] += 1
        paired += [(step, moment) for step, moment in pairs if not isinstance(moment.asks, Part)]
        begun = enumerate(zip(pairs[1:], game.answers, strict=False), start=1)
        refused += [(step, at, text) for at, ((step, now), text) in begun if isinstance(now.asks, Part) and now.refused]
    if len({keys[0] for keys, _ in prompts}) > 1:  # where all questions are “Enter: ” they tell nothing
        # “Who starts (0 = Ada, 1 = you)?” names another opponent each time.
        wrong += _mixed(prompts) + (0 if talk.chance else sum(map(_others, questions.values())))
    silent = _is_silent([step for step, moment in paired if moment.movers.startswith("UP")])
    again = [
        part
        for part, is_refused in questions
        if is_refused and not questions[part, True].keys() <= questions[part, False].keys()
    ]
    more = SILENT * silent + OTHERWISE * bool(again) + _behind_refusals(refused)
    return Foretold(wrong, right, lambda: [number for step, moment in paired for number in _truths(step, moment)], more)


def _mixed(prompts: Sequence[tuple[Sequence[str], str]]) -> int:
    """How many questions have the words of one for something else, by as many lines as tell them apart best.

    “Choice: ” asked who begins and for each move, below “Do you want to begin?” and “One or two?”.
    """
    least = len(prompts)
    for lines in range(len(prompts[0][0])):
        kinds: dict[str, Counter[str]] = defaultdict(Counter)
        for keys, kind in prompts:
            kinds[keys[lines]][kind] += 1
        least = min(least, sum(map(_others, kinds.values())))
        if not least:
            break
    return least


def _others(counts: Counter[str]) -> int:
    """How many of these are not the most frequent one."""
    return counts.total() - max(counts.values())


def _is_silent(steps: Sequence[Step]) -> bool:
    """Whether no number changes in steps in which both are said to have moved."""
    values: dict[Slot, set[int]] = defaultdict(set)
    for step in steps:
        for slot, _, value in step.slots:
            values[slot].add(value)
    return len(steps) >= SEVERAL and all(len(some) == 1 for some in values.values())


def _behind_refusals(refused: Sequence[tuple[Step, int, str]]) -> float:
    """The cost of the numbers behind answers before the game that are refused: each step with its number, and what was typed before it.

    “The program refuses every number” explained a program that never ends as well as that did: what it told of its game cost nothing.
    Behind a refusal a program may say what was typed, and count its questions, as it may count moves. That it does speaks for nothing.
    """
    told: list[Number] = []
    for step, at, text in refused:
        true = {"move": at, "next-move": at + 1, **({TYPED: int(text)} if text.isdigit() else {})}
        told += (Number(slot, (slot, time), value, true) for slot, time, value in step.slots)
    return sum(one.cost for one in meant(told, COSTS).values())


def missed(game: Seen, moments: Sequence[Moment]) -> int:
    """How many waits of a game were foretold wrongly."""
    # A program that is followed by its telling must tell that: a refusal of 2 at the first move was taken for two moves.
    waits = [(now, number) for now, number in zip(moments, game.lefts, strict=False) if now.asks == TAKE]
    mistold = sum(number != now.after and (number is not None or bool(now.movers)) for now, number in waits)
    length = len(moments) - len(game.steps)
    if not game.ends:  # it broke: nobody knows how it would have gone on
        return max(-length, 0) + mistold
    if length:
        return abs(length) + mistold
    last = moments[-1].asks
    if last is Part.STONES and moments[-1].refused and game.steps[-1].key == game.steps[-2].key:
        return mistold  # the question for the stones may also come behind the end of a game
    return int((OVER if last == OVER else ENDLESS if last == ENDLESS else TAKE) != game.ends) + mistold


def _truths(step: Step, moment: Moment) -> Iterator[Number]:
    """The numbers of a step with what is true of each."""
    # Most slots come once in a step, and the same is true of all that do. Each hypothesis asks for the truths of some thousand numbers.
    truths = {time: true(moment, time) for time in {time for _, time, _ in step.slots}}
    for slot, time, value in step.slots:
        yield Number(slot, Place(slot, time, moment.movers), value, truths[time])


FILLED = ((8, USER, ("2",)), (9, USER, ("2", "1", "2")), (9, PROGRAM, ("2",)))
"""Games in which the user also takes two, beside those of the plan: a program may refuse to let him take one."""

MANY = 2
"""Minimum number of departures that are looked at once more, with each question as one of the game. “You must take the last stone” was taken
for a question behind the end, which made “ends with one stone” of it."""

TRIED = 3
"""Waits of a program at which its first question may stand, if no game was found behind any."""

ASKED = ((Part.STONES, Part.FIRST), (Part.FIRST, Part.STONES), (Part.STONES,))
"""The questions before a game, in the orders in which they may come."""


def explained(player: Player, most: int = MANY, known: Set[str] | None = None) -> Explained | None:
    """The player who knows the rules that the program plays; None if it is not sure. A question behind the end may belong to the game.

    ``known`` are the sentences of its departures if staff have set them.
    """
    fits: list[tuple[Talk, Fit]] = []
    for talk in _talks(player.talk):
        one = player.with_talk(after=talk.after, parts=talk.parts, firsts=talk.firsts)
        games = _games(one)
        foretell = partial(_foretold, games, one.talk, one.rules)
        rows = ROWS if one.talk.slot is not None else departures(player.rules)  # its moves are what it tells
        result = fit(rows, foretell, COSTS, most, known)
        # A program that ends behind the first move of every game might play by any rule: “the program moves on alone” explains it best.
        # That is true only of one that tells more moves, each with its number.
        is_short = not any(len(game.steps) > len(one.talk.parts) + 2 for game in games)
        if result is not None and not (is_short and not _tells_moves(result.best.meanings)):
            fits.append((one.talk, result))
            if result.is_sure and len(result.best.departures) < MANY:
                break
    talk, best = min(fits, key=lambda each: each[1].best.cost, default=(player.talk, None))
    if best is not None and best.is_sure:
        return Explained(player, talk, best.best)
    teller = player.told()
    return None if teller is None else explained(teller, most, known)


def _tells_moves(meanings: Mapping[Hashable, Meaning]) -> bool:
    """Whether moves of the program behind its first one are told, or the stones behind these: the third count of a step is one."""
    since = {OURS: 1, EACH: 2}
    told = (one for at, one in meanings.items() if isinstance(at, Place) and at.time >= since.get(one.name, LONGEST))
    return sum(one.values for one in told) >= FORETOLD


def _talks(talk: Talk) -> Iterator[Talk]:
    """The ways in which the questions of a program may be meant, as they were found first."""
    yield talk
    if talk.after:
        yield replace(talk, after=frozenset())
    if Part.FIRST in talk.parts:
        # A program that printed this question and read no answer took 0 and 1 for moves: six charges came of that.
        yield replace(talk, parts=tuple(part for part in talk.parts if part is not Part.FIRST), firsts=())


def entered(runs: Runs, rules: Rules, known: Set[str] | None = None) -> Explained | None:
    """The same for a program into which no way was found: its first question may be any of the first waits."""
    first = (str(rules.game.first.program), str(rules.game.first.user))
    leads = (lead for lead, _, again in ways(runs, NATIVE) if not again)
    for lead in islice(leads, TRIED):
        for parts in ASKED:
            player = Player(runs, Talk((*lead, *parts), first if Part.FIRST in parts else (), anew=NO_KEY), rules)
            plays = [game.play for game in _games(player)]
            # Old rows of a table were read as new ones in a program whose games break if the user begins.
            player = player.with_talk(lists=frozenset[str]().union(*(heads(play.run.turns) for play in plays)))
            # A program that refused 1 and paused behind its end was said to play no game: samples, in which only 1 is typed, never ended.
            ended = [play for play in plays if play.is_whole]
            paused = with_pauses(player, ended) if ended else player
            for one in (player, paused) if paused.talk.after else (player,):
                result = explained(one, 1, known)  # pairs would take a second at each wait
                if result is not None:
                    return result
    return None


def _games(player: Player) -> list[Seen]:
    """The games of the plan, and others in which the user takes more, if these are moves at all; none with as many stones as in one that hung."""
    plays: dict[Play, None] = {}
    largest = player.largest
    try:
        for size, mover, takes in (*player.plan(), *(FILLED if player.talk.pile is None else ())):
            if player.talk.pile is None and size > largest:
                continue
            play = player.play(size, mover, takes)
            if play.run.ending is not None and play.run.ending.kind in _ENDLESS:
                largest = size - 1
            if play.refused is None or not takes:
                plays[play] = None
    except SpentError:
        pass
    return [seen(play, player.talk) for play in plays]


class Explained(Player):
    """A player who knows the rules that the program plays, so that the stones at each wait are foretold."""

    def __init__(self, player: Player, talk: Talk, explanation: Explanation) -> None:
        super().__init__(player.runs, talk, player.rules)
        self.explanation = explanation
        self.custom = Custom.of(player.rules, explanation.departures)
        self._explained = _games(self)
        if self.custom.refuses(1, LONGEST, LONGEST):
            self.filler = "2"

    @property
    def meanings(self) -> Mapping[Place, Meaning]:
        """The meanings of the numbers that it prints."""
        return {place: one for place, one in self.explanation.meanings.items() if isinstance(place, Place)}

    def with_talk(self, **changes: Any) -> Explained:
        """The same with what was found of the talk, by its fields."""
        return Explained(self, replace(self.talk, **changes), self.explanation)

    def games(self) -> tuple[Play, ...]:
        """The games that were explained; the same with other moves of the user where what is usually typed is refused."""
        again = _games(self) if self.custom.refuses(1, LONGEST, LONGEST) else ()
        return tuple(dict.fromkeys(one.play for one in (*self._explained, *again)))

    def asked(self) -> Mapping[str, Set[str]]:
        """The things that each question asks for in the games that were explained, by its key; a refused answer says nothing of it."""
        kinds: dict[str, set[str]] = defaultdict(set)
        for game in self._explained:
            for step, now in zip(game.steps, course(self.custom, self.talk, game.answers, game.lefts), strict=False):
                if step.key and not now.refused:
                    kinds[step.key].add(str(now.asks))
        return kinds

    def foretells(self, play: Play) -> bool:
        """Whether a game goes as its rules foretell: one with so many stones as were typed."""
        game = seen(play, self.talk)
        return not missed(game, list(course(self.custom, self.talk, game.answers, game.lefts)))

    def asks_again(self, play: Play) -> bool:
        """Whether the number of stones was asked for again: by its rules, or where these foretell another game."""
        place = self.talk.place(Part.STONES)
        if play.refused is not None or self.foretells(play):
            return play.refused == place
        return super()._refusal(play.run.answers[: play.opening], play.run) == place

    def moments(self, play: Play) -> Iterator[tuple[Step, Step | None, Moment]]:
        """The waits of a game behind the questions before it: each with the one before it, and what is foretold of it."""
        game = seen(play, self.talk)
        foretold = course(self.custom, self.talk, game.answers, game.lefts)
        for before, step, moment in zip((None, *game.steps), game.steps, foretold, strict=False):
            if not isinstance(moment.asks, Part):
                yield step, before, moment

    def rounds(self, play: Play) -> tuple[Round, ...]:
        """The rounds of a game. A refusal belongs to none, and nobody can tell single moves where the program makes several."""
        return tuple(self._rounds(play))

    def _rounds(self, play: Play) -> Iterator[Round]:
        for step, before, moment in self.moments(play):
            over = moment.asks == OVER
            if moment.refused or len(moment.ours) > 1:
                continue
            begins = not moment.moves and self.custom.begins(play.mover) == PROGRAM
            moves = bool(moment.ours) or begins or bool(moment.yours and moment.between > 0)
            yield Round(
                play,
                before.at if before else -1,
                step.at,
                moment.before,
                moment.yours,
                moment.between,
                sum(moment.ours) if moves else None,
                max(moment.after, 0) if over else moment.after,
                over,
            )

    def _refusal(self, opening: Answers, run: Run) -> int | None:
        foretold = list(course(self.custom, self.talk, opening))
        if self._are_known(opening):
            return next((number for number, moment in enumerate(foretold[1:]) if moment.refused), None)
        return super()._refusal(opening, run)

    def _are_known(self, opening: Answers) -> bool:
        """Whether the rules say what comes of these answers before a game."""
        if len(opening) != len(self.talk.parts):
            return False
        pairs = zip(self.talk.parts, opening, strict=True)
        return all(part is not Part.FIRST or text in self.talk.firsts for part, text in pairs)
