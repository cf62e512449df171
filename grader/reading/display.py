"""Where a program shows its heaps: numbers, or rows of marks, at places of its lines that hold what is known to be true.

A line without its numbers, or without the row of marks at its end, is known again whatever these hold. Which lines, and which number in
them, is found in a text of which it is known what it must show; the same places are read in all others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from grader.reading.slots import STEM, plain

Heaps = tuple[int, ...]

MOST_SLOTS = 24
"""A text with more numbers or rows of marks than this shows no few heaps."""

MOST_DISPLAYS = 12
"""So many ways at most to find the heaps in a text are tried, those first in which they stand alike."""

_NUMBER = re.compile(r"(?<![\w-])-\d{1,9}|\d{1,9}")
_WORD = re.compile(r"[^\W\d_]+")
_RUN = re.compile(
    r"(?:^|(?<=[\s:.=|>\[({-]))(?P<sign>[^\w\s.:,;=()\[\]{}>-]|[oO0xXiIlL])(?:[ \t]{0,3}(?P=sign)){0,250}"
    r"(?=[ \t]{0,60}[\])}|>/]?[ \t]{0,20}$)"
)
_NO_ZEROS = re.compile(_RUN.pattern.replace("oO0", "oO"))
"""A row of marks beside numbers, among which 0 is no mark."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a heap is shown: a line without its numbers, and which of them; for marks the line without them, and the mark."""

    line: str
    index: int = 0
    sign: str = ""

    def value(self, line: str) -> int | None:
        """What a line shows here; None where it is another line."""
        if not self.sign:
            bare, numbers = _numbers(line)
            return numbers[self.index] if bare == self.line and self.index < len(numbers) else None
        run = _RUN.search(line)
        if run and run["sign"] == self.sign and _without(line, run) == self.line:
            return run[0].count(self.sign)
        return 0 if _squeezed(line) == self.line else None


@dataclass(frozen=True, slots=True)
class Display:
    """The slots of all heaps in the order of the text, and which heap each of them shows."""

    slots: tuple[Slot, ...]
    heaps: tuple[int, ...]

    @property
    def quote(self) -> str:
        """The lines by which it is known, for a person."""
        return " / ".join(dict.fromkeys(f"{slot.line} {slot.sign * 3}".strip() for slot in self.slots))

    def boards(self, text: str) -> tuple[tuple[int, Heaps], ...]:
        """Each board that a text shows, with the number of its last line."""
        found: list[tuple[int, Heaps]] = []
        values: list[int] = []
        for number, line in enumerate(lines(text)):
            last = -1
            while True:
                slot = self.slots[len(values)]
                value = slot.value(line) if slot.sign == "" or last < 0 else None
                if value is None or (slot.sign == "" and slot.index <= last):
                    break
                last = slot.index
                values.append(value)
                if len(values) == len(self.slots):
                    found.append((number, self._ordered(values)))
                    values = []
                    break
            if last < 0 and values and (value := self.slots[0].value(line)) is not None:
                values = [value]
        return tuple(found)

    def _ordered(self, values: list[int]) -> Heaps:
        by_heap = dict(zip(self.heaps, values, strict=True))
        return tuple(by_heap[heap] for heap in range(len(values)))


def lines(text: str) -> list[str]:
    """The lines of a text without the codes that only colour it."""
    return plain(text).splitlines()


def displays(text: str, start: Heaps) -> Iterator[Display]:
    """Displays of a text that show these heaps, which must all be different: all numbers or all marks, in any order.

    Those come first that stand in like places near to each other, in the order of the heaps.
    """
    numbers: list[tuple[Slot, int, int]] = []
    marks: list[tuple[Slot, int, int]] = []
    for at, line in enumerate(lines(text)):
        bare, found = _numbers(line)
        numbers += [(Slot(bare, index), value, at) for index, value in enumerate(found) if value in start]
        run = _RUN.search(line)
        if run and run[0].count(run["sign"]) in start:
            marks.append((Slot(_without(line, run), 0, run["sign"]), run[0].count(run["sign"]), at))
    for among in (numbers[-MOST_SLOTS:], marks[-MOST_SLOTS:]):
        ranked: list[tuple[int, int, bool, int, tuple[Slot, ...], tuple[int, ...]]] = []
        for group in combinations(among, len(start)):
            slots, values, places = zip(*group, strict=True)
            if sorted(values) == sorted(start):
                unlike = len({(slot.index, slot.sign) for slot in slots})
                ranked.append((places[-1] - places[0], unlike, values != start, len(ranked), slots, values))
        for *_, slots, values in sorted(ranked)[:MOST_DISPLAYS]:
            yield Display(slots, tuple(map(start.index, values)))


def _numbers(line: str) -> tuple[str, tuple[int, ...]]:
    """A line without its numbers, and these; a row of marks at its end changes with them, and is left out."""
    run = _NO_ZEROS.search(line)
    if run:
        line = line[: run.start()] + line[run.end() :]
    bare = _WORD.sub(lambda word: word[0][:STEM], _NUMBER.sub("#", line))
    return "".join(bare.split()), tuple(map(int, _NUMBER.findall(line)))


def _without(line: str, run: re.Match[str]) -> str:
    return _squeezed(line[: run.start()] + line[run.end() :])


def _squeezed(line: str) -> str:
    return "".join(line.split())
