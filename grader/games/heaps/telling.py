"""Heaps that are never shown, or in no way that is read: they follow from the moves that a program tells, as long as these are legal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice

from grader.games.hear.display import Heaps, Slot
from grader.games.hear.slots import Segment, segments
from grader.values import dataclass

LETTERS = "abc"
"""Names that a computer may give the heaps, though they are typed as numbers."""

HEAP = "@"
"""The sign in a skeleton for a letter that may be that of a heap."""


MOST_COUNTS = 12
"""Maximum numbers of one sentence that are looked at: no sentence that tells a move has more."""


@dataclass(frozen=True, slots=True)
class Source:
    """The place of a value: a skeleton, and the letter or number in it; ``base`` is the name of the first heap."""

    skeleton: str
    index: int
    letter: bool = False
    base: int = 0

    def value(self, segment: Segment, labels: str) -> int | None:
        """The value that a segment tells here; None if it is another one."""
        skeleton, letters = masked(segment, labels)
        among: Sequence[int] = letters if self.letter else segment.values
        return among[self.index] - self.base if skeleton == self.skeleton and self.index < len(among) else None


def masked(segment: Segment, labels: str) -> tuple[str, tuple[int, ...]]:
    """A skeleton with the letters of heaps left out, and which heaps these are."""
    return _masked(segment.skeleton, labels)


# A turn of 4,000 joined emoji is 4,000 numbers: its clauses were masked once for each way to tell a move.
@lru_cache(maxsize=1024)
def _masked(skeleton: str, labels: str) -> tuple[str, tuple[int, ...]]:
    words = skeleton.split()
    heaps = tuple(labels.index(word) for word in words if len(word) == 1 and word in labels)
    return " ".join(HEAP if len(word) == 1 and word in labels else word for word in words), heaps


def letters_in(text: str) -> list[re.Match[str]]:
    """The letters of a text that may stand for heaps."""
    return list(re.finditer(rf"(?<![^\W\d_])[{LETTERS}](?![^\W\d_])", text.casefold()))


@dataclass(frozen=True, slots=True)
class Telling:
    """The heaps by what is told of the computer's moves: a witness where no heaps are shown."""

    heap: Source
    count: Source
    labels: str
    slots: tuple[Slot, ...] = ()

    @property
    def quote(self) -> str:
        """The sentence that tells the number, for a person."""
        return self.count.skeleton

    def boards(self, _text: str) -> tuple[tuple[int, Heaps], ...]:
        """No heaps are shown."""
        return ()

    def shown(self, text: str, rest: Heaps) -> list[Heaps]:
        """The heaps that a told move leaves of the ``rest``; nothing if it tells none that is legal."""
        return self.after(segments(text), rest)

    def after(self, clauses: Sequence[Segment], rest: Heaps) -> list[Heaps]:
        """The same of a text that is cut into its clauses."""
        heap = count = None
        for segment in clauses:
            at, amount = self.heap.value(segment, self.labels), self.count.value(segment, self.labels)
            heap, count = heap if at is None else at, count if amount is None else amount
        if heap is None or count is None or not 0 <= heap < len(rest) or not 0 < count <= rest[heap]:
            return []
        return [tuple(n - count if at == heap else n for at, n in enumerate(rest))]


def tellings(text: str, rest: Heaps, labels: str) -> Iterator[Telling]:
    """Ways to read a legal move from a text, a heap and a number of one sentence."""
    clauses = segments(text)
    for segment in clauses:
        skeleton, letters = masked(segment, labels)
        heaps = chain(
            (Source(skeleton, at, letter=True) for at in range(len(letters))),
            (
                Source(skeleton, at, base=base)
                for base in (1, 0)
                for at, number in enumerate(segment.values)
                if 0 <= number - base < len(rest)
            ),
        )
        # A number of 5,000 digits is many: only those that can be a count are tried with each heap.
        counts = [at for at, number in enumerate(segment.values) if 0 < number <= max(rest)][:MOST_COUNTS]
        for heap in islice(heaps, MOST_COUNTS):
            for at in counts:
                telling = Telling(heap, Source(skeleton, at), labels)
                if (heap.letter or heap.index != at) and telling.after(clauses, rest):
                    yield telling
