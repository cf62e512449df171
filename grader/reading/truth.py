"""The state of a game from its futures: two moments are the same state where the same further answers bring the same future.

What a program says on the way is compared as text, and never understood. So a state is known of programs in any words, and of
those that tell nothing; and what they tell can then be checked against it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from enum import IntEnum

from grader.reading.slots import Slot, plain, segments, slots_of

Future = tuple[str, ...]
"""What was printed after each further answer, up to the end of the game."""


class Likeness(IntEnum):
    """How much two futures are alike: in their words only, or also in all their numbers."""

    NONE = 0
    WORDS = 1
    EXACT = 2


def future(outputs: Sequence[str], *, ended: bool) -> Future:
    """The outputs as a future; a program that goes on saying the same for ever says it once."""
    last = len(outputs)
    while not ended and last > 1 and outputs[last - 1] == outputs[last - 2]:
        last -= 1
    return tuple(plain(text) for text in outputs[:last])


def alike(one: Future, other: Future) -> Likeness:
    """How much two futures are alike."""
    if len(one) != len(other):
        return Likeness.NONE
    if one == other:
        return Likeness.EXACT
    same = all(_words(a) == _words(b) for a, b in zip(one, other, strict=True))
    return Likeness.WORDS if same else Likeness.NONE


def _words(text: str) -> tuple[str, ...]:
    return tuple(one.skeleton for one in segments(text))


def states(seen: Future, known: Mapping[int, Future], begun_with: Collection[Slot] = ()) -> tuple[int, ...]:
    """The states whose futures are like this one: exactly if there are any, else in their words and in most of their numbers.

    A program that also counts its turns says other numbers in a later game; those that tell of the state are the same. What tells
    with what a game has begun, ``begun_with``, tells nothing of the state in it.
    """
    likeness = {
        state: (one, _shared(seen, known[state], one, begun_with))
        for state in known
        if (one := alike(seen, known[state]))
    }
    most = max(likeness.values(), default=None)
    return tuple(state for state, one in likeness.items() if one == most)


MOST_TAKEN = 2
"""What one move may take: a number that is never less than before, and grows by as much at least, counts what was taken, or turns."""


def beginnings(known: Mapping[int, Future]) -> frozenset[Slot]:
    """The slots that tell how a game began or went on, and not the state in it, by the futures of fresh games.

    Such a slot says again and again the state with which its game began, “3 of 21 left”. Or it only grows, “you have taken 4”: in a game that is
    under way it is further on than in a fresh one of the same state.
    """
    right: dict[Slot, set[int]] = defaultdict(set)
    wrong: set[Slot] = set()
    falls: set[Slot] = set()
    grown: Counter[Slot] = Counter()
    for state, one in known.items():
        before: dict[Slot, int] = {}
        least: dict[Slot, int] = {}
        for slot, value in (pair for text in one for pair in slots_of(text)):
            right[slot].add(state)
            if value != state:
                wrong.add(slot)
            if value < before.get(slot, value):
                falls.add(slot)
            before[slot] = value
            grown[slot] = max(grown[slot], value - least.setdefault(slot, value))
    begun = {slot for slot in right if slot not in wrong}
    growing = {slot for slot, most in grown.items() if most >= MOST_TAKEN and slot not in falls}
    return frozenset(slot for slot in begun | growing if len(right[slot]) > 2)


def _shared(one: Future, other: Future, likeness: Likeness, begun_with: Collection[Slot]) -> int:
    """How many numbers are the same at the same places of two futures with the same words."""
    if likeness is Likeness.EXACT:
        return 0
    pairs = (zip(segments(a), segments(b), strict=True) for a, b in zip(one, other, strict=True))
    slots = (pair for both in pairs for x, y in both for pair in zip(x.slots(), y.slots(), strict=True))
    return sum(a == b for (slot, a), (_, b) in slots if slot not in begun_with)
