"""The content of the pages, computed before any template runs: shortened dialogues, differences in three parts.

A turn of a student's program may hold a megabyte. The page shows a window around its first difference, or its two ends.
A long dialogue shows the first turns, those around the first difference, and the last. Every cut is announced; the
record holds everything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile

from grader.report import shown
from grader.results import CaseResult, Coverage, Finding, Grade, JudgedTurn, Number, Verdict, exact
from grader.source import SourceFile
from grader.values import dataclass

_PLACE = re.compile(r"\A(.+?):(\d+)(?::\d+)?")
_TABS = 8  # columns of a tab, as on a terminal and in the listings of assemblers
_MOST_LISTED = 200_000  # characters of all sources
TURN_LIMIT = 4_000  # characters shown of a turn
_BEFORE, _AFTER = 400, 1_600  # characters shown before and after the first difference of a turn
_HEAD, _AROUND, _TAIL = 40, 30, 10  # turns shown of a long dialogue


@dataclass(frozen=True, slots=True)
class Difference:
    """Two texts in three parts: the shared beginning, the difference, the shared end. All is marked, ready to show."""

    before: str
    expected: str
    actual: str
    after: str

    @classmethod
    def of(cls, expected: str, actual: str) -> Difference:
        """The difference of two texts whose blanks are already marked."""
        start = _shared(expected, actual)
        # The end is looked for behind the shared beginning, or the parts would overlap in `aa` and `aaa`.
        end = _shared(expected[start:][::-1], actual[start:][::-1])
        tail = expected[len(expected) - end :]
        return cls(expected[:start], expected[start : len(expected) - end], actual[start : len(actual) - end], tail)


@dataclass(frozen=True, slots=True)
class Share:
    """The points of a grade for the bar below the score: earned, lost and open, each at least zero."""

    earned: Number
    lost: Number
    open: Number

    @classmethod
    def of(cls, grade: Grade) -> Share:
        """The division of a grade; a bonus beyond the maximum leaves nothing lost."""
        lost = exact(grade.max_points, grade.score, grade.open_points)
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
    """The turns of a case, cut to a readable size: of a long dialogue those that matter."""
    total = len(case.turns)
    if total <= _HEAD + 2 * _AROUND + _TAIL:
        return tuple(_views(case.turns, range(total)))
    differs = (first_different(case) or 1) - 1
    near = range(max(0, differs - _AROUND), min(total, differs + _AROUND))
    return tuple(_views(case.turns, sorted({*range(_HEAD), *near, *range(total - _TAIL, total)})))


@dataclass(frozen=True, slots=True)
class Mark:
    """A finding at a line of a source, with its case; without a case if the assembler or compiler found it."""

    message: str
    case: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some lines of a source with their numbers, up to a line with a finding, or to the end.

    ``never`` says that none of them was ever executed, as far as is known; otherwise that is known of none.
    """

    numbers: str
    text: str
    marks: tuple[Mark, ...]
    never: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """One file of a program, with the findings at its lines."""

    name: str
    lines: int
    marked: int
    missed: int
    stretches: tuple[Stretch, ...]


def listings(grade: Grade) -> tuple[Listing, ...]:
    """The sources of a program, with the findings at their lines, each once however many cases have it."""
    names = {source.name for source in grade.sources}
    marks: dict[tuple[str, int], dict[str, Mark]] = {}
    for case in grade.cases:
        if case.verdict.blames_student or case.verdict is Verdict.NEEDS_REVIEW:
            for finding in case.findings:
                name, line = _line_of(finding.place)
                if name in names:
                    marks.setdefault((name, line), {}).setdefault(finding.message, Mark(finding.message, case.id))
    for message in grade.diagnostics:
        place, _, complaint = message.partition("\n")[0].partition(": ")
        name, line = _line_of(place)
        if name in names:
            complaint = re.sub(r"^(error|warning|note): ", "", complaint)
            marks.setdefault((name, line), {}).setdefault(complaint, Mark(complaint, ""))
    left, shown = _MOST_LISTED, []
    coverage = {one.file: one for one in grade.coverage}
    for source in grade.sources:
        left -= len(source.text)
        if left >= 0:
            shown.append(_listing(source, marks, coverage.get(source.name)))
    return tuple(shown)


def _line_of(place: str) -> tuple[str, int]:
    match = _PLACE.fullmatch(place)
    return (match[1], int(match[2])) if match else ("", 0)


def _listing(
    source: SourceFile, marks: Mapping[tuple[str, int], Mapping[str, Mark]], coverage: Coverage | None
) -> Listing:
    count = len(source.lines)
    marked = {line for name, line in marks if name == source.name and 0 < line <= count}
    never = coverage.never if coverage else ()
    ends = marked | {first - 1 for first, _ in never} | {last for _, last in never} | {count}
    stretches = []
    first = 1
    for last in sorted(end for end in ends if 0 < end <= count):
        text = "\n".join(source.lines[first - 1 : last]).expandtabs(_TABS)
        numbers = "\n".join(map(str, range(first, last + 1)))
        missed = any(begin <= first <= end for begin, end in never)
        stretches.append(Stretch(numbers, text, tuple(marks.get((source.name, last), {}).values()), missed))
        first = last + 1
    return Listing(source.name, count, len(marked), coverage.missed if coverage else 0, tuple(stretches))


def of_finding(finding: Finding) -> Difference:
    """The difference that a finding shows, in texts whose blanks are marked already."""
    return Difference.of(*(shown.exposed(shown.clipped(t, TURN_LIMIT)) for t in (finding.expected, finding.actual)))


def first_different(case: CaseResult) -> int | None:
    """The number of the first turn that differs, from 1."""
    return next((i for i, turn in enumerate(case.turns, 1) if turn.expected is not None), None)


def _views(turns: tuple[JudgedTurn, ...], indices: Iterable[int]) -> Iterator[TurnView]:
    previous = -1
    for index in indices:
        turn = turns[index]
        differs = None
        if turn.expected is not None:  # the difference in a window around the first place where the texts part
            # A board that was printed a hundred times differs in one place far behind.
            start = _shared(turn.expected, turn.output)
            begin, end = max(0, start - _BEFORE), start + _AFTER
            differs = Difference.of(
                *(
                    shown.marked(f"{'…' if begin else ''}{text[begin:end]}{'…' if end < len(text) else ''}")
                    for text in (turn.expected, turn.output)
                )
            )
        output = shown.clipped(turn.output, TURN_LIMIT) if differs is None else ""
        pressed = None if turn.typed is None else shown.key(turn.typed)
        yield TurnView(index + 1, output, pressed, differs, index - previous - 1)
        previous = index


def _shared(left: str, right: str) -> int:
    """The number of characters at the beginning that both share."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False)))
