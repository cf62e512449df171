"""Heaps that are never shown, or in no way that is read: they follow from the moves that a program tells, as long as these are legal.

If it tells no moves either, heaps are found by what it accepts and refuses: a walk down from a number that is too large. More stones than a
heap holds are refused, and a refusal changes nothing. So K, K - 1, … is typed for one heap: the first number that is not refused is its
size. The words of a refusal are known from the start of a game, where legal moves are known. A program is followed so only where walks find
the heaps of the start.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from functools import lru_cache
from itertools import chain, islice

from grader.checks.ending import faulty
from grader.games.heaps.duel import Manner
from grader.games.hear.display import Heaps, Slot
from grader.games.hear.runs import Answers, Run, Runs
from grader.games.hear.slots import LEVELS, Segment, key, segments
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


# ---------------------------------------------------------------------------------------------------------------- walks


Saying = frozenset[str]
"""A text as the skeletons of its clauses."""

FAR = 7
"""Stones above those that a heap holds: so many may be refused in other words than one too many, and both are learned."""


@dataclass(frozen=True, slots=True)
class Walks:
    """The heaps by what is accepted: a witness where nothing is shown or told.

    A refusal has a clause of ``refusing``, which nothing else has; without such clauses it says exactly what one of ``wrong`` says. A
    move is asked for with the key ``asks``, its second part, where there is one, with ``more``; keys have ``level`` lines. ``whole`` says
    that after a refusal the whole move is asked for again, and not only its second part.
    """

    runs: Runs
    manner: Manner
    level: int
    asks: str
    more: str
    refusing: Saying = frozenset()
    wrong: frozenset[Saying] = frozenset()
    whole: bool = True
    slots: tuple[Slot, ...] = field(default=())

    @property
    def quote(self) -> str:
        """How the heaps are known, for a person."""
        return "the moves that the program accepts and refuses"

    def boards(self, _text: str) -> tuple[tuple[int, Heaps], ...]:
        """No heaps are shown."""
        return ()

    def heaps(self, run: Run, most: Heaps) -> Heaps | None:
        """The heaps where a run waits for a move, each of ``most`` stones at most; None if that is not what walks find."""
        if run.ending is not None or key(run.output, self.level) != self.asks:
            return None
        sizes = [self._size(run.answers, heap, n + 1) for heap, n in enumerate(most)]
        result = tuple(size for size in sizes if size is not None)
        return result if len(result) == len(most) and all(n <= m for n, m in zip(result, most, strict=True)) else None

    def _size(self, answers: Answers, heap: int, most: int) -> int | None:
        """The size of a heap by a walk down from ``most``; None if an answer leads where no move is asked for."""
        down = [self.manner.takes(heap, count) for count in range(most, 0, -1)]
        all_refused = chain(*down) if self.whole else (*down[0], *(count for _, count in down[1:]))
        self.runs.run((*answers, *all_refused))  # at once: each answer alone would be a run
        for refused_by, parts in enumerate(down):
            outcome = self._after(answers, parts)
            if outcome is None:
                return None
            answers, is_refused = outcome
            if not is_refused:
                return most - refused_by
        return 0

    def _after(self, answers: Answers, parts: Answers) -> tuple[Answers, bool] | None:
        """The answers with a move behind them, or with as much of it as is asked for, and whether it is refused."""
        if len(parts) > 1 and key(self.runs.run(answers).output, self.level) == self.more:
            if self.manner.count_first:
                return None  # only a heap is asked for again, and the number stays wrong
            parts = parts[1:]
        run = self.runs.run(answers)
        for number, part in enumerate(parts):
            answers = (*answers, part)
            run = self.runs.run(answers)
            if number + 1 < len(parts) and key(run.output, self.level) != self.more:
                return (answers, True) if key(run.output, self.level) == self.asks else None
        if run.ending is not None and faulty(run.ending):
            return None
        sentences = _saying(run.output)
        return answers, bool(sentences & self.refusing) if self.refusing else sentences in self.wrong


def _saying(text: str) -> Saying:
    return frozenset(segment.skeleton for segment in segments(text))


def walks(runs: Runs, manner: Manner, opening: Answers, start: Heaps) -> Walks | None:
    """The walks of a program that waits for its first move behind ``opening``; None if they do not find the heaps of the start."""
    bare = _asking(runs, manner, opening)

    def answered(heap: int, count: int) -> Saying:
        return _saying(runs.run((*opening, *manner.takes(heap, count))).output)

    if bare is None or answered(0, 1) == answered(
        0, start[0] + FAR
    ):  # most ways in and manners fail here, at the first look
        return None
    legal = [answered(heap, count) for heap, n in enumerate(start) for count in (1, n)]
    illegal = [answered(heap, count) for heap, n in enumerate(start) for count in (n + 1, n + FAR)]
    first_part = manner.takes(0, 1)[:1] if bare.more else ()
    questions = [_saying(runs.run(answers).output) for answers in (opening, (*opening, *first_part))]
    refusing = frozenset[str]().union(*illegal, *_of_emptied(bare, opening, start)).difference(*legal, *questions)
    if not all(words & refusing for words in illegal):
        refusing = frozenset()
        if frozenset(illegal) & frozenset(legal):
            return None
    too_many = (*opening, *manner.takes(0, start[0] + 1))
    whole = manner.count_first or not bare.more or key(runs.run(too_many).output, bare.level) != bare.more
    walker = replace(bare, refusing=refusing, wrong=frozenset(illegal), whole=whole)
    return walker if walker.heaps(runs.run(opening), start) == start else None


def _asking(runs: Runs, manner: Manner, opening: Answers) -> Walks | None:
    """How moves are asked for behind an opening, no refusal known; None if the parts of a move are asked for alike."""
    first, parts = runs.run(opening), manner.takes(0, 1)
    second = runs.run((*opening, *parts[:1])) if len(parts) > 1 else None
    if first.ending is not None or (second is not None and second.ending is not None):
        return None
    for level in LEVELS:
        asks, more = key(first.output, level), key(second.output, level) if second else ""
        if asks != more:
            return Walks(runs, manner, level, asks, more)
    return None


def _of_emptied(bare: Walks, opening: Answers, start: Heaps) -> Iterator[Saying]:
    """The texts on a heap that the user has just emptied, where a move is asked for then, and again."""
    for heap, n in enumerate(start):
        emptied = (*opening, *bare.manner.takes(heap, n))
        waits = [bare.runs.run(answers) for answers in (emptied, (*emptied, *bare.manner.takes(heap, 1)))]
        if all(run.ending is None and key(run.output, bare.level) == bare.asks for run in waits):
            yield _saying(waits[-1].output)
