"""The statements of a program in each round: by the meanings that the fit gave its numbers, in words alone, or by drawings.

A place that nearly always tells how many stones are left, and once another number, has told a wrong count. One that is always off
by the same number also tells wrong counts. Moves without numbers may be told in words: then two sentences belong to
the two moves. If a round says different things of different numbers, and we do not see how, nothing is called untold.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import field, replace
from functools import cached_property

from grader.games.hear.drawn import drawing
from grader.games.hear.slots import FIRM, Slot, distinctive, numbered, segments
from grader.games.hear.words import split
from grader.games.learn.fit import ALWAYS, UNKNOWN, Meaning
from grader.games.pile.fitting import Place
from grader.games.pile.rounds import AFTER, BEFORE, BETWEEN, EACH, LEFT, OURS, OURS_BELOW, YOURS, YOURS_BELOW, Round
from grader.values import dataclass

LIKELY = 0.6
"""The share of its numbers that must be true of stones for a slot to tell any."""

ENOUGH = 4
"""The true numbers of a place from which on it is shown to people."""

SELDOM = 0.1
"""In so small a share of the rounds something may be left untold: at the end, say."""

TELLS: Mapping[str, str] = {
    **{name: name for name in (AFTER, BETWEEN, BEFORE, OURS, YOURS)},
    EACH: BETWEEN,
    OURS_BELOW: OURS,
    YOURS_BELOW: YOURS,
}
"""The meanings of numbers that tell stones that are left or taken, with those of a round."""


@dataclass(frozen=True, slots=True)
class Told:
    """A number in a round with what it means there, in the order of the text.

    ``shift`` is by how much it is always off. ``firm`` says that a number which is not true there is a mistake of the program, and
    not of ours.
    """

    meaning: str
    value: int
    quote: str
    shift: int = 0
    firm: bool = True


@dataclass(frozen=True)
class Telling:
    """The meanings of one program's numbers, and the sentences that mean a move of the program in words."""

    meanings: Mapping[Place, Meaning]
    sentences: Mapping[str, int] = field(default_factory=dict)
    drawings: Mapping[Round, str] = field(default_factory=dict)
    """The rounds that draw what is left, each with the sign that is drawn so often."""

    def told(self, one: Round) -> tuple[Told, ...]:
        """The numbers that a round tells, in order; what it draws, and tells in words, comes last."""
        words = [each for each in segments(one.text) if each.skeleton in self.sentences]
        drawings = [Told(AFTER, one.after, self.drawings[one])] if one in self.drawings else []
        return (
            *self._numbers(one),
            *(Told(OURS, self.sentences[each.skeleton], each.text) for each in words),
            *drawings,
        )

    def _numbers(self, one: Round) -> Iterator[Told]:
        # A table of all moves has the move of this round in its last row. Its first row has that of another round, which is nearly
        # always the same: a user takes one stone in most of our games. The move of this round itself is told for sure: a count
        # behind it, in “The computer removed 2 stones, leaving 6”, was printed before they were taken off.
        moves = {OURS: one.ours, YOURS: one.yours}
        right = {
            (slot, name) for _, slot, _, value in numbered(one.text) for name in moves if abs(value) == moves[name]
        }
        for quote, slot, time, value in numbered(one.text):
            meaning = self.meanings.get(Place(slot, time, one.movers))
            if meaning is not None and meaning.name in TELLS:
                name = AFTER if meaning.name == EACH and time else TELLS[meaning.name]
                below = meaning.name in (OURS_BELOW, YOURS_BELOW)
                elsewhere = (slot, name) in right and abs(value) != moves[name]
                # “9 - 1 = 8”, and then “- 2 = 6” behind either move: the first line of a game has words of its own.
                other = {OURS: YOURS, YOURS: OURS}.get(name, "")
                elsewhere |= abs(value) == moves.get(other) and other in self._movers_of[slot]
                firm = slot in self._telling and self._is_evidence(meaning) and not elsewhere
                yield Told(name, -value if below else value, quote, meaning.shift, firm)

    @cached_property
    def _movers_of(self) -> Mapping[Slot, Set[str]]:
        """The players whose moves each slot tells, at any of its places."""
        result: dict[Slot, set[str]] = defaultdict(set)
        for place, one in self.meanings.items():
            result[place.slot].add(TELLS.get(one.name, ""))
        return result

    @cached_property
    def _telling(self) -> frozenset[Slot]:
        """The slots that tell stones at most of their places. A table of all moves does so in small games alone."""
        values: Counter[Slot] = Counter()
        right: Counter[Slot] = Counter()
        for place, one in self.meanings.items():
            # “You take 1 and leave 0” says the same at each end, and tells what is left elsewhere.
            if one.name == ALWAYS and "E" in place.movers:
                continue
            values[place.slot] += one.values
            right[place.slot] += (one.values - one.misses) * (one.name in TELLS)
        return frozenset(slot for slot in values if right[slot] >= LIKELY * values[slot])

    def _is_evidence(self, meaning: Meaning) -> bool:
        """Whether a place tells what it means nearly always, or better than any other place.

        A screen that is drawn twice in most turns tells the move before in the place where it tells the move in the first turn.
        """
        others = (one for one in self.meanings.values() if TELLS.get(one.name) == TELLS[meaning.name])
        return _is_firm(meaning) or _share(meaning) >= max(map(_share, others))

    def left(self, text: str) -> int | None:
        """The number of stones that a text tells last as left, when the program has moved or nobody has; None if it tells none."""
        result = None
        for _, slot, time, value in numbered(text):
            meanings = [self.meanings.get(Place(slot, time, movers)) for movers in ("UP", "P", "")]
            if any(one is not None and _is_left(one, time) for one in meanings):
                result = value
        return result

    def slots(self, meaning: str) -> tuple[Slot, ...]:
        """The slots that tell this, as far as that is sure; what comes at the ends of games alone may be anything."""
        places = (
            place
            for place, one in self.meanings.items()
            if TELLS.get(one.name) == meaning and one.values - one.misses >= ENOUGH and place.slot in self._telling
        )
        return tuple(dict.fromkeys(place.slot for place in places))

    def movers(self, rounds: Sequence[Round]) -> frozenset[str]:
        """The words that stand wherever a move of the program is told, and nowhere with a move of the user."""
        sayings = [(each.meaning, frozenset(split(each.quote))) for one in rounds for each in self.told(one)]
        ours, yours = ([quote for meaning, quote in sayings if meaning == name] for name in (OURS, YOURS))
        return frozenset.intersection(*ours).difference(*yours) if ours else frozenset()

    def as_set(self, slots: Mapping[str, Collection[Slot]], constant: Collection[Slot]) -> Telling:
        """The same where a person has said which slots alone tell what is left, or what the program takes.

        A ``constant`` slot keeps its meaning. “I take two stones”, whatever is taken, tells no number, and cost two criteria a wrong one.
        """
        meanings = dict(self.meanings)
        for meaning, own in slots.items():
            kinds = (*LEFT, EACH) if meaning in LEFT else (OURS, OURS_BELOW)
            for place, one in self.meanings.items():
                if place.slot in own and one.name not in kinds and place.slot not in constant:
                    meanings[place] = replace(one, name=meaning, shift=0)
                elif place.slot not in own and one.name in kinds:
                    meanings[place] = replace(one, name=UNKNOWN, shift=0)
        return Telling(meanings, {} if OURS in slots else self.sentences, {} if AFTER in slots else self.drawings)


def _share(meaning: Meaning) -> float:
    """The share of its numbers that are true."""
    return 1 - meaning.misses / meaning.values


def _is_firm(meaning: Meaning) -> bool:
    """Whether nearly all of its numbers are true."""
    return _share(meaning) >= FIRM


def _is_left(meaning: Meaning, time: int) -> bool:
    """Whether a place tells what is left behind the move of the program, firmly."""
    # A count may stand behind each move, but not before the first: the second such number tells what is left.
    means = meaning.name == AFTER or (meaning.name == EACH and time > 0)
    return means and _is_firm(meaning) and not meaning.shift


def telling(rounds: Sequence[Round], meanings: Mapping[Place, Meaning]) -> Telling:
    """The telling of a program with these meanings, as all rounds with known numbers show it."""
    known = [one for one in rounds if not one.over]
    moves = [one for one in known if one.ours]
    meanings = {**meanings, **_constant(known, meanings)}
    telling = Telling(meanings)
    kinds = {one: {each.meaning for each in telling.told(one)} for one in moves}
    # “I take one off” has a number, and “I take a pair” has none
    sentences = {} if all(OURS in each for each in kinds.values()) else _sentences(rounds)
    count = sum(bool(each & {*LEFT}) for each in kinds.values())
    drawings, share = ({}, 0.0) if count == len(moves) else _drawings(moves)
    return Telling(meanings, sentences, drawings if share * len(moves) > count else {})


def _constant(rounds: Sequence[Round], meanings: Mapping[Place, Meaning]) -> Mapping[Place, Meaning]:
    """The places that tell the moves of a program which always takes the same number: for the fit they never change, and tell nothing.

    Those that say the same where it has not moved tell no move.
    """
    moves = [one for one in rounds if one.ours]
    if len({one.ours for one in moves}) != 1:
        return {}
    # “How many stones do you want to remove (1 or 2)?” seemed to tell the moves of a program that always takes one.
    unmoved: dict[Slot, set[int]] = defaultdict(set)
    for one in (one for one in rounds if not one.ours):
        for _, slot, _, value in numbered(one.text):
            unmoved[slot].add(value)
    right: dict[Place, bool] = {}
    for one in moves:
        for _, slot, time, value in numbered(one.text):
            place = Place(slot, time, one.movers)
            right[place] = right.get(place, True) and value == one.ours and unmoved.get(slot) != {value}
    constant = {
        place: one for place, one in meanings.items() if one.name in (ALWAYS, OURS) and not (one.misses or one.shift)
    }
    return {place: replace(constant[place], name=OURS if right[place] else ALWAYS) for place in right.keys() & constant}


def _drawings(rounds: Sequence[Round]) -> tuple[Mapping[Round, str], float]:
    """The rounds that draw what is left, once or twice, behind either move or both; and how large a share of all they are."""
    after, between = [one.after for one in rounds], [one.between for one in rounds]
    amounts = [
        [times * (a * x + b * y) for x, y in zip(after, between, strict=True)]
        for times in (1, 2)
        for a, b in ((1, 0), (0, 1), (1, 1))
    ]
    result = drawing([one.text for one in rounds], amounts)
    return {rounds[at]: result.sign for at in result.turns}, result.share


def _sentences(rounds: Sequence[Round]) -> Mapping[str, int]:
    """Skeletons that come with one move of the program and never with the other, and together with nearly all; or else such as have words that do."""
    texts = {
        move: [[each.skeleton for each in segments(one.text)] for one in rounds if one.ours == move and not one.over]
        for move in (1, 2)
    }
    by_move = _by_move(texts)
    if not all(map(by_move.get, texts)):
        # “Ada picks a pair of stones.”: a program that draws its name by lot says that in a few games only, and “pair” in all.
        # “You pick a pair of stones.” also stands at ends at which the program has not moved.
        others = {each.skeleton for one in rounds if not one.ours for each in segments(one.text)}
        own = {move: [[one for one in each if one not in others] for each in texts[move]] for move in texts}
        words = _by_move({move: [" ".join(each).split() for each in own[move]] for move in own})
        by_move = {
            move: {one for each in own[move] for one in each if not words.get(move, set()).isdisjoint(one.split())}
            for move in own
        }
    return {skeleton: move for move in by_move for skeleton in by_move[move]} if all(map(by_move.get, texts)) else {}


def _by_move(texts: Mapping[int, Sequence[Collection[str]]]) -> Mapping[int, set[str]]:
    """The sentences or words that nearly all texts of each move have, and none of the other."""
    return {move: distinctive(texts[move], texts[3 - move], FIRM) for move in texts if len(texts[move]) > 1}


def unexplained(
    rounds: Sequence[Round], telling: Telling, true: Mapping[Round, Collection[int | None]]
) -> frozenset[Round]:
    """The rounds with a true number whose meaning we do not know.

    A number that is always the same explains nothing, unless it comes only where it is true: “1 stone is left”.
    """
    by_slot: dict[Slot, list[tuple[Round, int]]] = defaultdict(list)
    for one in rounds:
        for _, slot, time, value in numbered(one.text):
            meaning = telling.meanings.get(Place(slot, time, one.movers))
            if meaning is None or not meaning.is_known:
                by_slot[slot].append((one, abs(value)))  # “Robot -1 => 3” may tell a move below zero
    result: set[Round] = set()
    for places in by_slot.values():
        right = [one for one, value in places if value in true[one]]
        if len(right) == len(places) or len({value for _, value in places}) > 1:
            result.update(right)
    return frozenset(result)
