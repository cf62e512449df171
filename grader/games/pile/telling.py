"""The numbers that a program tells in each round: how many stones are left and how many it takes, by what fits the truth.

A slot that nearly always says how many stones are left, and once another number, has told a wrong count. One that is always off
by the same number tells wrong counts, too. What is told in no number may be told in words: then two sentences belong to the two
moves. Where a round says different things of different numbers, and we do not see how, nothing is called untold.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial

from grader.games.hear.drawn import drawing
from grader.games.hear.slots import ENOUGH, FIRM, Fit, Segment, Slot, fits, placed, segments, slots_of
from grader.games.pile.rounds import AFTER, BEFORE, BETWEEN, COUNTED, LEFT, OURS, START, TURN, YOURS, Round
from grader.values import dataclass

SHIFTS = (-2, -1, 1, 2)
"""Numbers by which a count may be off in every turn."""

NEARLY_ALL = 0.95
"""The share of true numbers from which a place explains them. A program that prints only numbers, “5”, “- 1”, “4”, has four of five of
them right without places where the piles are small: 1 is then a move and a number of stones."""

SELDOM = 0.1
"""In so small a share of the rounds something may be left untold: at the end, say."""


@dataclass(frozen=True, slots=True)
class Told:
    """A number in a round with what it means there, in the order of the text."""

    meaning: str
    value: int
    quote: str
    shift: int = 0


@dataclass(frozen=True)
class Telling:
    """The meanings of one program's slots, and the sentences that mean a move of the program in words."""

    slots: Mapping[Slot, Fit]
    shifted: Mapping[Slot, int]
    sentences: Mapping[str, int]
    below: Mapping[Slot, str] = field(default_factory=dict)
    """Slots of which a number below zero tells what is taken, and by whom: “-2” where “7” tells what is left."""

    drawn: Mapping[Round, str] = field(default_factory=dict)
    """The rounds that draw what is left, and by which sign: how often that comes is right."""

    repeated: frozenset[str] = frozenset()
    """Skeletons whose slots mean something else at each place of a round: “Player 2 takes 1, 5 left” said of both players."""

    def cut(self, text: str) -> tuple[Segment, ...]:
        """The clauses of a text as they are told apart here."""
        return placed(text, self.repeated)

    def told(self, one: Round) -> tuple[Told, ...]:
        """The numbers that a round tells, in order."""
        said = tuple(self.of_text(one.text))
        if one in self.drawn:
            return (*said, Told(AFTER, one.after, self.drawn[one]))
        return said

    def of_text(self, text: str) -> Iterator[Told]:
        """The numbers that a text tells, in order."""
        return (told for segment in self.cut(text) for told in self.of(segment))

    def of(self, segment: Segment) -> Iterator[Told]:
        """The numbers that a clause tells."""
        for slot, value in segment.slots():
            fit = self.slots.get(slot)
            taken = _of_place(self.below, slot) if value < 0 else None
            if taken is not None:
                yield Told(taken, -value, segment.text)
            elif fit is not None:
                yield Told(fit.meaning, value, segment.text)
            elif slot in self.shifted:
                yield Told(AFTER, value, segment.text, self.shifted[slot])
        if segment.skeleton in self.sentences:
            yield Told(OURS, self.sentences[segment.skeleton], segment.text)

    def tells(self, meaning: str) -> bool:
        """Whether there is a firm slot with this meaning, or words for it."""
        firm = any(fit.meaning == meaning and fit.share >= FIRM for fit in self.slots.values())
        return firm or meaning in self.below.values() or (meaning == OURS and bool(self.sentences))

    def as_set(self, slots: Mapping[str, Collection[Slot]]) -> Telling:
        """The same where a person has said which slots alone have a meaning."""
        kept = {slot: fit for slot, fit in self.slots.items() if fit.meaning not in slots}
        surely = {slot: Fit(meaning, 1.0, ENOUGH) for meaning, named in slots.items() for slot in named}
        shifted = {} if AFTER in slots else self.shifted
        below = {
            slot: meaning for slot, meaning in self.below.items() if meaning not in slots or slot in slots[meaning]
        }
        drawn = {} if AFTER in slots else self.drawn
        return replace(
            self,
            slots=kept | surely,
            shifted=shifted,
            sentences={} if OURS in slots else self.sentences,
            below=below,
            drawn=drawn,
        )


def telling(played: Sequence[Round]) -> Telling:
    """The telling that all rounds with known numbers show."""
    known = [one for one in played if not one.over]
    texts = {one: one.text for one in known}
    repeated = _repeated(known, texts)
    # A move below zero is one at any place: in the last round it stands alone, where else the stones are told behind it.
    below = {**_below(known, texts, ()), **_below(known, texts, repeated)}
    taken = partial(_taken, below)
    found = fits([(texts[one], _ordered(one)) for one in known], taken, repeated)
    shifted: dict[Slot, int] = {}
    for shift in SHIFTS:
        off = fits([(texts[one], {AFTER: one.after + shift}) for one in known if one.after], taken, repeated)
        for slot, fit in off.items():
            if fit.share >= FIRM and fit.turns >= len(SHIFTS) and (slot not in found or found[slot].share < fit.share):
                shifted[slot] = shift
    left = {slot: _any_left(slot, fit, known, texts, repeated) for slot, fit in found.items() if slot not in shifted}
    has_move = OURS in below.values() or any(fit.meaning == OURS and fit.share >= FIRM for fit in left.values())
    surely = max((fit.share for fit in left.values() if fit.meaning in LEFT), default=0.0)
    drawn: Mapping[Round, str] = {}
    if not shifted and surely < 1.0:
        drawn, share = _drawn(known, texts)
        if share > surely:
            left = {slot: fit for slot, fit in left.items() if fit.meaning not in LEFT}
        else:
            drawn = {}
    return Telling(left, shifted, {} if has_move else _sentences(known, texts), below, drawn, repeated)


def _repeated(known: Sequence[Round], texts: Mapping[Round, str]) -> frozenset[str]:
    """The skeletons that come several times in most rounds, and whose numbers are true only where places tell them apart."""
    times: dict[str, list[int]] = defaultdict(list)
    for one in known:
        for skeleton, number in Counter(clause.skeleton for clause in segments(texts[one]) if clause.values).items():
            times[skeleton].append(number)
    often = {skeleton for skeleton, numbers in times.items() if 2 * sum(n > 1 for n in numbers) >= len(numbers)}
    if not often:
        return frozenset()
    rounds = [(texts[one], _ordered(one)) for one in known]
    mixed = {slot.skeleton for slot in _mixed(known, texts, fits(rounds)) if slot.skeleton in often}
    clear: Counter[str] = Counter()
    for slot, fit in fits(rounds, repeated=mixed).items():
        clear[slot.skeleton.partition("\0")[0]] += fit.share >= NEARLY_ALL and fit.meaning in (*LEFT, OURS, YOURS)
    return frozenset(skeleton for skeleton in mixed if clear[skeleton] > 1)


def _mixed(known: Sequence[Round], texts: Mapping[Round, str], found: Mapping[Slot, Fit]) -> Iterator[Slot]:
    """The slots with a meaning that many of their numbers do not have."""
    right: dict[Slot, list[bool]] = defaultdict(list)
    for one in known:
        left = {one.after, one.between, one.before}
        for slot, value in slots_of(texts[one]):
            if slot in found:
                meaning = found[slot].meaning
                right[slot].append(value in left if meaning in LEFT else value == one.truth.get(meaning))
    yield from (slot for slot, true in right.items() if sum(true) < NEARLY_ALL * len(true))


def _any_left(
    slot: Slot, fit: Fit, known: Sequence[Round], texts: Mapping[Round, str], repeated: Collection[str]
) -> Fit:
    """The fit of a slot that tells how many stones are left, now those after a round and now those within it."""
    if fit.meaning not in LEFT:
        return fit
    told = [(value, one) for one in known for found, value in slots_of(texts[one], repeated) if found == slot]
    right = sum(value in (one.after, one.between, one.before) for value, one in told)
    return replace(fit, share=max(fit.share, right / len(told)))


def _ordered(one: Round) -> dict[str, int]:
    """The truth of a round; where two meanings fit alike the first is taken."""
    truth = one.truth
    return {name: truth[name] for name in (AFTER, BETWEEN, START, TURN, OURS, YOURS, BEFORE, *COUNTED) if name in truth}


def _drawn(known: Sequence[Round], texts: Mapping[Round, str]) -> tuple[Mapping[Round, str], float]:
    """The rounds that draw what is left, once or twice, behind either move or both; and how large a share of all they are."""
    moved = [one for one in known if one.ours]
    if not moved:
        return {}, 0.0
    after, between = [one.after for one in moved], [one.between for one in moved]
    amounts = [
        [times * (a * x + b * y) for x, y in zip(after, between, strict=True)]
        for times in (1, 2)
        for a, b in ((1, 0), (0, 1), (1, 1))
    ]
    found = drawing([texts[one] for one in moved], amounts)
    return {moved[at]: found.sign for at in found.turns}, found.share


def _below(known: Sequence[Round], texts: Mapping[Round, str], repeated: Collection[str]) -> Mapping[Slot, str]:
    """The slots of which numbers below zero tell what was taken."""
    if not any(value < 0 for text in texts.values() for _, value in slots_of(text)):
        return {}
    # Where nobody knows how many are left the move of the program is not known, and a number tells nothing wrong.
    moves = [
        (texts[one], {name: number for name, number in one.truth.items() if name in (OURS, YOURS)}) for one in known
    ]
    found = fits(moves, lambda _slot, value: -value if value < 0 else None, repeated)
    return {slot: fit.meaning for slot, fit in found.items() if fit.share >= FIRM}


def _taken(below: Mapping[Slot, str], slot: Slot, value: int) -> int | None:
    return None if value < 0 and _of_place(below, slot) is not None else value


def _of_place(below: Mapping[Slot, str], slot: Slot) -> str | None:
    """The meaning of numbers below zero at a place of a round, or else at any place."""
    return below.get(slot) or below.get(replace(slot, skeleton=slot.skeleton.partition("\0")[0]))


def _sentences(known: Sequence[Round], texts: Mapping[Round, str]) -> Mapping[str, int]:
    """Skeletons that come with one move of the program and never with the other, and together with nearly all."""
    moved = [one for one in known if one.ours in (1, 2)]
    seen: dict[str, list[int]] = defaultdict(list)
    for one in moved:
        for skeleton in {segment.skeleton for segment in segments(texts[one])}:
            seen[skeleton].append(one.ours or 0)
    found: dict[str, int] = {}
    for move in (1, 2):
        number = sum(one.ours == move for one in moved)
        for skeleton, moves in seen.items():
            if set(moves) == {move} and number > 1 and len(moves) >= FIRM * number:
                found[skeleton] = move
    return found if set(found.values()) == {1, 2} else {}


def unexplained(
    played: Sequence[Round], learned: Telling, true: Mapping[Round, Collection[int | None]]
) -> frozenset[Round]:
    """The rounds with a number that is true and of which we do not know what it means.

    A number that is always the same explains nothing, unless it comes only where it is true: “1 stone is left”.
    """
    seen: dict[Slot, list[tuple[Round, int]]] = defaultdict(list)
    for one in played:
        for slot, value in slots_of(one.text, learned.repeated):
            if slot not in learned.slots:
                seen[slot].append((one, abs(value)))  # “Robot -1 => 3” may tell a move below zero
    found: set[Round] = set()
    for places in seen.values():
        right = [one for one, value in places if value in true[one]]
        if len(right) == len(places) or len({value for _, value in places}) > 1:
            found.update(right)
    return frozenset(found)
