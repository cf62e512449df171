"""Heaps that are neither shown nor told are found by what a program accepts and refuses: a walk down from a number that is too large.

More stones than a heap holds are refused, and a refusal changes nothing. So K, K - 1, … is typed for one heap: the first number that is
not refused is its size. What a refusal says is known from the start of a game, where it is known what is legal. A program is followed
so only where walks find the heaps of the start.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from itertools import chain

from grader.checks.ending import faulty
from grader.games.heaps.duel import Duel, Typed
from grader.games.heaps.manner import Manner
from grader.reading.display import Heaps, Slot
from grader.reading.keys import LEVELS, key
from grader.reading.runs import Answers, Run, Runs
from grader.reading.slots import segments
from grader.values import dataclass

Saying = frozenset[str]
"""What a text says, as the skeletons of its clauses."""

FAR = 7
"""So many stones more than a heap holds are refused in the same words as one more, or in others: both are learned."""


@dataclass(frozen=True, slots=True)
class Walks:
    """The heaps by what is accepted: a witness where nothing is shown or told.

    A refusal has a clause of ``refusing``, which nothing else has; where there are none it says exactly what one of ``wrong`` says. A
    move is asked for with the key ``asks``, its second part, where there is one, with ``more``; keys have ``level`` lines. ``whole`` says
    that after a refusal the whole move is asked for again, and not only its second part.
    """

    runs: Runs
    duel: Duel
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
        return "what is accepted and what is refused"

    def boards(self, _text: str) -> tuple[tuple[int, Heaps], ...]:
        """No heaps are shown."""
        return ()

    def heaps(self, run: Run, most: Heaps) -> Heaps | None:
        """The heaps where a run waits for a move, each of ``most`` stones at most; None where that is not what walks find."""
        if run.ending is not None or key(run.output, self.level) != self.asks:
            return None
        sizes = [self._size(run.answers, heap, n + 1) for heap, n in enumerate(most)]
        known = tuple(size for size in sizes if size is not None)
        return known if len(known) == len(most) and all(n <= m for n, m in zip(known, most, strict=True)) else None

    def _size(self, answers: Answers, heap: int, most: int) -> int | None:
        """The size of a heap by a walk down from ``most``; None where an answer leads where no move is asked for."""
        self.runs.run((*answers, *self._down(heap, most)))  # at once: each answer alone would be a run
        for count in range(most, 0, -1):
            typed = self.typed(answers, (self.duel.labels[heap], str(count)))
            if typed is None:
                return None
            answers, refused = typed
            if not refused:
                return count
        return 0

    def _down(self, heap: int, most: int) -> Answers:
        """The answers of a walk, as long as all are refused."""
        moves = [(self.duel.labels[heap], str(count)) for count in range(most, 0, -1)]
        parts = [self.manner.typed(move, self.duel.labels) for move in moves]
        if self.whole:
            return tuple(chain.from_iterable(parts))
        return (*parts[0], *(count for _, count in parts[1:]))

    def typed(self, answers: Answers, move: Typed) -> tuple[Answers, bool] | None:
        """The answers with this move behind them, or with as much of it as is asked for, and whether it is refused."""
        parts = self.manner.typed(move, self.duel.labels)
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
        return answers, self.refuses(run.output)

    def refuses(self, text: str) -> bool:
        """Whether a text says what refusals say."""
        said = _saying(text)
        return bool(said & self.refusing) if self.refusing else said in self.wrong


def _saying(text: str) -> Saying:
    return frozenset(segment.skeleton for segment in segments(text))


def walks(runs: Runs, duel: Duel, manner: Manner, opening: Answers, start: Heaps) -> Walks | None:
    """The walks of a program that waits for its first move behind ``opening``; None where they do not find the heaps of the start."""
    bare = _asking(runs, duel, manner, opening)
    if bare is None or not _tells_apart(bare, opening, start):
        return None
    legal = [_answered(bare, opening, move) for move in _legal(duel, start)]
    illegal = [_answered(bare, opening, move) for move in _illegal(duel, start)]
    asked = [_saying(run.output) for run in (runs.run(opening), runs.run((*opening, *_first_part(bare))))]
    usual, wrong = frozenset[str]().union(*legal, *asked), frozenset(illegal)
    refusing = frozenset[str]().union(*illegal, *_of_emptied(bare, opening, start)) - usual
    if not all(said & refusing for said in illegal):
        refusing = frozenset()
        if wrong & frozenset(legal):
            return None
    too_many = (*opening, *manner.typed((duel.labels[0], str(start[0] + 1)), duel.labels))
    whole = manner.count_first or not bare.more or key(runs.run(too_many).output, bare.level) != bare.more
    found = replace(bare, refusing=refusing, wrong=wrong, whole=whole)
    return found if found.heaps(runs.run(opening), start) == start else None


def _asking(runs: Runs, duel: Duel, manner: Manner, opening: Answers) -> Walks | None:
    """How moves are asked for behind an opening, no refusal known; None where the parts of a move are asked for alike."""
    first = runs.run(opening)
    parts = manner.typed((duel.labels[0], "1"), duel.labels)
    second = runs.run((*opening, *parts[:1])) if len(parts) > 1 else None
    if first.ending is not None or (second is not None and second.ending is not None):
        return None
    for level in LEVELS:
        asks, more = key(first.output, level), key(second.output, level) if second else ""
        if asks != more:
            return Walks(runs, duel, manner, level, asks, more)
    return None


def _tells_apart(bare: Walks, opening: Answers, start: Heaps) -> bool:
    """Whether other words follow a legal move than one of too many stones: most ways in and manners fail here, at the first look."""
    label = bare.duel.labels[0]
    return _answered(bare, opening, (label, "1")) != _answered(bare, opening, (label, str(start[0] + FAR)))


def _answered(bare: Walks, answers: Answers, move: Typed) -> Saying:
    parts = bare.manner.typed(move, bare.duel.labels)
    return _saying(bare.runs.run((*answers, *parts)).output)


def _first_part(bare: Walks) -> Answers:
    """What is typed before the second part of a move is asked for; nothing where a move has one."""
    return bare.manner.typed((bare.duel.labels[0], "1"), bare.duel.labels)[:1] if bare.more else ()


def _legal(duel: Duel, start: Heaps) -> Iterator[Typed]:
    for label, n in zip(duel.labels, start, strict=True):
        yield from ((label, "1"), (label, str(n)))


def _illegal(duel: Duel, start: Heaps) -> Iterator[Typed]:
    for label, n in zip(duel.labels, start, strict=True):
        yield from ((label, str(n + 1)), (label, str(n + FAR)))


def _of_emptied(bare: Walks, opening: Answers, start: Heaps) -> Iterator[Saying]:
    """What is said of a heap that the user has just emptied, where a move is asked for then, and again."""
    for label, n in zip(bare.duel.labels, start, strict=True):
        emptied = (*opening, *bare.manner.typed((label, str(n)), bare.duel.labels))
        again = (*emptied, *bare.manner.typed((label, "1"), bare.duel.labels))
        waits = [bare.runs.run(answers) for answers in (emptied, again)]
        if all(run.ending is None and key(run.output, bare.level) == bare.asks for run in waits):
            yield _saying(waits[-1].output)
