"""What the pages show, computed before any template runs: dialogues cut to a readable size, differences in three parts.

A turn of a student's program may hold a megabyte. What is shown of it is a window around the place where it differs,
or its two ends; of a long dialogue the first turns, those around the first that differs, and the last. Every cut is
announced: the record holds all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from grader.report import shown, words
from grader.results import CaseResult, Finding, Grade, JudgedTurn, Number

TURN_LIMIT = 4_000
_BEFORE, _AFTER = 400, 1_600  # characters shown before and after the first difference of a turn
_HEAD, _AROUND, _TAIL = 40, 30, 10  # turns shown of a long dialogue


@dataclass(frozen=True, slots=True)
class Difference:
    """Two texts in three parts: what both begin with, what differs, what both end with. All visible, ready to show."""

    before: str
    expected: str
    actual: str
    after: str

    @classmethod
    def of(cls, expected: str, actual: str) -> Difference:
        """The difference of two texts whose blanks are already marked."""
        start = _shared(expected, actual)
        end = _shared(expected[start:][::-1], actual[start:][::-1])
        tail = expected[len(expected) - end :]
        return cls(expected[:start], expected[start : len(expected) - end], actual[start : len(actual) - end], tail)


@dataclass(frozen=True, slots=True)
class Share:
    """How the points of a grade divide: earned, lost and open, none below zero, for the bar below the score."""

    earned: Number
    lost: Number
    open: Number

    @classmethod
    def of(cls, grade: Grade) -> Share:
        """The division of a grade; a bonus beyond the maximum leaves nothing lost."""
        lost = words.exact(grade.max_points, grade.score, grade.open_points)
        return cls(max(0, grade.score), max(0, lost), max(0, grade.open_points))


@dataclass(frozen=True, slots=True)
class TurnView:
    """One turn as it is shown. ``skipped`` counts the turns left out before it; ``key`` is the input, None at the end."""

    number: int
    output: str
    key: str | None
    difference: Difference | None
    skipped: int = 0


def dialogue(case: CaseResult) -> tuple[TurnView, ...]:
    """The turns of a case, cut to a readable size."""
    return tuple(_views(case.turns, _chosen(case.turns)))


def of_finding(finding: Finding) -> Difference:
    """What a finding expected and what it found, whose blanks are marked already."""
    return Difference.of(*(shown.exposed(shown.clipped(t, TURN_LIMIT)) for t in (finding.expected, finding.actual)))


def first_different(case: CaseResult) -> int | None:
    """The number of the first turn that differs, from 1."""
    return next((i for i, turn in enumerate(case.turns, 1) if turn.expected is not None), None)


def _chosen(turns: tuple[JudgedTurn, ...]) -> list[int]:
    """The indices of the turns to show: all, or those of a long dialogue that matter."""
    total = len(turns)
    if total <= _HEAD + 2 * _AROUND + _TAIL:
        return list(range(total))
    differs = next((i for i, turn in enumerate(turns) if turn.expected is not None), 0)
    near = range(max(0, differs - _AROUND), min(total, differs + _AROUND))
    return sorted({*range(_HEAD), *near, *range(total - _TAIL, total)})


def _views(turns: tuple[JudgedTurn, ...], chosen: list[int]) -> Iterator[TurnView]:
    previous = -1
    for index in chosen:
        turn = turns[index]
        differs = None if turn.expected is None else _window(turn.expected, turn.output)
        output = shown.clipped(turn.output, TURN_LIMIT) if differs is None else ""
        pressed = None if turn.typed is None else shown.key(turn.typed)
        yield TurnView(index + 1, output, pressed, differs, index - previous - 1)
        previous = index


def _window(expected: str, actual: str) -> Difference:
    """The difference of two raw texts, made visible, in a window around the first place where they part."""
    start = _shared(expected, actual)
    cut = max(0, start - _BEFORE)
    left, right = (shown.marked(_cut(text, cut, start + _AFTER)) for text in (expected, actual))
    return Difference.of(left, right)


def _cut(text: str, start: int, end: int) -> str:
    return f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"


def _shared(left: str, right: str) -> int:
    """How many characters both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False)))
