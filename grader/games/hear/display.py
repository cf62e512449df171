"""The places where a program shows its heaps: numbers, or rows of marks, in lines that hold the known truth.

A line without its numbers, or without the row of marks at its end, is the same in all texts. The right lines, and the right
numbers in them, are found in a text whose heaps are known. The same places are read in all other texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, combinations, pairwise

from grader.games.hear.slots import STEM, plain, signed
from grader.games.hear.words import words
from grader.values import dataclass

Heaps = tuple[int, ...]

MOST_SLOTS = 24
"""A text with more numbers or rows of marks than this shows no few heaps."""

MOST_NEAR = 8
"""Maximum places of a text that are looked at where none show all heaps rightly: all threes of them are tried."""

MOST_DISPLAYS = 12
"""Maximum ways to find the heaps in a text that are tried, those first in which they stand alike."""

_NUMBER = re.compile(r"(?<![\w-])-\d{1,9}|\d{1,9}")
_WORD = re.compile(r"[^\W\d_]+")
_COUNTABLE = re.compile(r"#[ \t]*+([^\W\d_])[^\W\d_]*+")
"""A number and the word behind it, whose first letter is always the same: “3 Hölzer” and “1 Holz”."""
_TAIL = re.compile(r"(?<=\d)[ \t]++([._=~-])(?:[ \t]{0,3}\1)*+[ \t]*+$")
"""A number and as many signs of punctuation behind it: “TOP 3 ...”."""
_COUNTED = re.compile(r"(?<![ \t])[ \t]*+[(\[=][ \t]*+\d{1,9}\b[^\d\n]*+$")
"""The count behind a row of marks: “||| (3)”, “ooo = 3 stones”. A number alone may stand behind a letter that names the row."""
_SIDE = re.compile(r"(?<![^\W\d])(?P<sign>[oOxXiIlL]|[^\w\s.,:;=()\[\]{}<>-])(?:[ \t]{0,3}(?P=sign))*(?![^\W\d])")
"""A row of marks that stands anywhere in a line."""
_LAST, _CLOSING = re.compile(r"(?<!\S)\S{1,20}\s{0,3}\Z"), re.compile(r"[ \t]{0,3}[\])}>]{1,3}")
_NOTHING = r"(?:[^\w\s]|[^\W\d_]{2,9})??"
"""The sign or word that stands for an empty row: “1[-] 2[|||]”, “1: leer, 2: |||”."""
HEAP = "<n>"
"""A heap in a stretch of a line."""
_SIGNS = "oO0xXiIlL"
"""Letters, and a digit, that are drawn as marks; of other signs all are but these:"""
_NO_MARKS = ".,:;=()[]{}<>-_"
_BEFORE, _BEHIND = " \t:.=|>[({-", "])}|>/"
"""Signs that stand before a row of marks, and that may close it."""

LONGEST, GAP, PADDING = 250, 3, 60
"""Maximum marks that are counted, blanks between two of them, and blanks behind the last."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of marks at the end of a line, from ``start`` to ``end``."""

    start: int
    end: int
    sign: str
    count: int


def _row(line: str, signs: str = _SIGNS) -> _Row | None:
    """The row of marks at the end of a line; None without one. A closing bracket is no mark."""
    bare = line.rstrip()
    if bare and bare[-1] in _BEHIND:
        inner = bare[:-1].rstrip()
        row = _row_up_to(line, len(inner), signs) if len(bare) - len(inner) <= PADDING else None
        if row is not None and row.sign != bare[-1]:
            return row
    return _row_up_to(line, len(bare), signs)


def _row_up_to(line: str, end: int, signs: str) -> _Row | None:
    sign = line[end - 1 : end]
    if not sign or not (sign in signs or not (sign.isalnum() or sign in _NO_MARKS)):
        return None
    start, count = end - 1, 1
    while count < LONGEST:
        before = line[max(start - GAP - 1, 0) : start].rstrip(" \t")
        if not before.endswith(sign):
            break
        start, count = max(start - GAP - 1, 0) + len(before) - 1, count + 1
    if count == LONGEST:  # rocks that were counted below zero are thousands of marks
        start = len(line[:start].rstrip(sign))
    return _Row(start, end, sign, count) if not start or line[start - 1] in _BEFORE else None


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of a heap: a line without its numbers, and which of them; for marks the line without them, and the mark.

    A row that has only its marks is a blank line when it is empty, and most blank lines are no row. So the first row is known by the line
    ``above`` it. Each other row is known by how many lines it stands ``below`` the row before, 0 where that is open.

    Heaps may stand side by side ``within`` a line that says other things as well: then ``line`` is only the stretch from the first to
    the last of them.
    """

    line: str
    index: int = 0
    sign: str = ""
    above: str | None = None
    below: int = 0
    within: bool = False

    def value(self, line: str, above: str = "") -> int | None:
        """The value that a line shows here, below the line ``above``; None for another line."""
        if self.within:
            heaps = _pattern(self.line, self.sign).search(line)
            if heaps is None:
                return None
            return heaps[self.index + 1].count(self.sign) if self.sign else int(heaps[self.index + 1])
        if not self.sign:
            numbers = next((numbers for bare, numbers in _readings(line) if bare == self.line), ())
            return numbers[self.index] if self.index < len(numbers) else None
        row = _row(line)
        if row and row.sign == self.sign and _without(line, row) == self.line:
            return row.count
        # The blank line above a heading was taken for the empty first row of the board.
        return 0 if _named(line) == self.line and self.above in (None, _bare(above)) else None


@dataclass(frozen=True, slots=True)
class Display:
    """The slots of all heaps in the order of the text, and which heap each of them shows."""

    slots: tuple[Slot, ...]
    heaps: tuple[int, ...]

    @property
    def quote(self) -> str:
        """The lines that identify it, for a person."""
        lines = (slot.line if slot.within else f"{slot.line} {slot.sign * 3}".strip() for slot in self.slots)
        return " / ".join(dict.fromkeys(lines))

    def boards(self, text: str) -> tuple[tuple[int, Heaps], ...]:
        """Each board that a text shows, with the number of its last line."""
        result: list[tuple[int, Heaps]] = []
        values: list[int] = []
        row = 0
        rows = lines(text)
        for number, (above, line) in enumerate(pairwise(("", *rows))):
            below = self.slots[len(values)].below
            if number < row + below:  # between two rows
                continue
            if below and self._is_name(rows[number : number + 2]):
                row += 1
                continue
            if below and number > row + below:
                values = []
            last = -1
            while True:
                slot = self.slots[len(values)]
                beside = slot.within or not slot.sign
                value = slot.value(line, above) if beside or last < 0 else None
                if value is None or (beside and slot.index <= last):
                    break
                last, row = slot.index, number
                values.append(value)
                if len(values) == len(self.slots):
                    by_heap = sorted(zip(self.heaps, values, strict=True))
                    result.append((number, tuple(value for _, value in by_heap)))
                    values = []
                    break
            # A board that was begun and not ended is ignored if another one begins.
            if last < 0 and values and (value := self.slots[0].value(line, above)) is not None:
                values, row = [value], number
        return tuple(result)

    def _is_name(self, two: Sequence[str]) -> bool:
        """Whether a blank line stands where the name of the last row was, and the row is the line below it."""
        # “ROW C: ” was never printed, and behind the first board a line end was: 0 rocks were read above seven.
        first, last = self.slots[0], self.slots[-1]
        blank = bool(first.line) and not last.line and not two[0].strip()
        return blank and any(last.value(line) for line in two[1:])

    def shown(self, text: str, _rest: Heaps) -> list[Heaps]:
        """Each board that a text shows."""
        return [heaps for _, heaps in self.boards(text)]

    def written(self, text: str, labels: str) -> str:
        """The lines of a text in which the heaps stand, as staff write them: ``A: <a> || B: <b>``, or ``A <a |>`` for rows of marks.

        Empty where the text does not show them all, or they stand side by side within a line.
        """
        if self.slots[0].within or not self.boards(text):
            return ""
        by_row: dict[int, list[tuple[Slot, str]]] = {}
        rest = list(zip(self.slots, (labels[heap] for heap in self.heaps), strict=True))
        rows = lines(text)
        for number, line in enumerate(rows):
            while rest and rest[0][0].value(line):
                by_row.setdefault(number, []).append(rest.pop(0))
                if by_row[number][-1][0].sign:
                    break
        return "" if rest else OR.join(_with_signs(rows[number], slots) for number, slots in by_row.items())


def beside(text: str, slots: Sequence[Slot]) -> str:
    """A text without heaps that stand side by side in its lines: what is said before and behind them are lines of their own."""
    # A question that draws the rows in its own line was another one for each number of matches.
    return _pattern(slots[0].line, slots[0].sign).sub("\n", plain(text)) if slots and slots[0].within else text


def lines(text: str) -> list[str]:
    """The lines of a text without the codes that only colour it."""
    return plain(text).splitlines()


def slots_of(text: str, *, marks: bool) -> list[tuple[Slot, int]]:
    """The places of a text with a number, or with a row of marks, and what they show; the last ones where there are many."""
    slots: list[tuple[Slot, int]] = []
    for line in lines(text):
        row = _row(line)
        if marks and row:
            slots.append((Slot(_without(line, row), 0, row.sign), row.count))
        elif not marks:
            bare, numbers = _numbers(line)
            slots += [(Slot(bare, index), value) for index, value in enumerate(numbers)]
    return slots[-MOST_NEAR:]


def displays(text: str, start: Heaps) -> Iterator[Display]:
    """Displays of a text that show these heaps, which must all be different: all numbers or all marks, in any order.

    Those come first that stand in like places near to each other, in the order of the heaps.
    """
    numbers: list[tuple[Slot, int, int]] = []
    spelled: list[tuple[Slot, int, int]] = []
    marks: list[tuple[Slot, int, int]] = []
    rows = lines(text)
    for at, line in enumerate(rows):
        for found, (bare, amounts) in ((numbers, _numbers(line)), (spelled, _numbers(_in_digits(line)))):
            found += [(Slot(bare, index), value, at) for index, value in enumerate(amounts) if value in start]
        row = _row(line)
        if row and row.count in start:
            marks.append((Slot(_without(line, row), 0, row.sign), row.count, at))
    within = [list(_side_by_side(line, start)) for line in reversed(rows)]
    # “a(3) b(4) c(9), which row?” was read in that question alone, and no board seemed to come behind a move.
    yield from (one for one in chain.from_iterable(within) if _WORD.match(one.slots[0].line))
    # The last places of a text: the heaps stand right above the question, and rules with numbers in them at the top.
    for among in (numbers[-MOST_SLOTS:], marks[-MOST_SLOTS:], () if spelled == numbers else spelled[-MOST_SLOTS:]):
        ranked: list[tuple[int, int, bool, int, tuple[Slot, ...], tuple[int, ...]]] = []
        for group in combinations(among, len(start)):
            slots, values, places = zip(*group, strict=True)
            if sorted(values) == sorted(start):
                unlike = len({(slot.index, slot.sign) for slot in slots})
                located = tuple(_with_row_above(slots, places, rows))
                ranked.append((places[-1] - places[0], unlike, values != start, len(ranked), located, values))
        for *_, slots, values in sorted(ranked)[:MOST_DISPLAYS]:
            yield Display(slots, tuple(map(start.index, values)))
    yield from chain.from_iterable(within)


def _side_by_side(line: str, start: Heaps) -> Iterator[Display]:
    """Displays of a line in which these heaps stand side by side, as rows of one mark or as numbers."""
    marks = [(one.span(), one[0].count(one["sign"]), one["sign"]) for one in _SIDE.finditer(line)]
    numbers = [(one.span(), int(one[0]), "") for one in _NUMBER.finditer(line)]
    for among in (marks, numbers):
        kept = [one for one in among if one[1] in start][-MOST_NEAR:]
        for group in combinations(kept, len(start)):
            spans, values, signs = zip(*group, strict=True)
            parts = [line[before[1] : after[0]] for before, after in pairwise(spans)]
            if sorted(values) != sorted(start) or len(set(signs)) > 1 or not all(part.strip() for part in parts):
                continue
            # What stands before the first heap belongs to it if it looks like what stands before the others: “A(3) B(4)”, “1: ||| 2: ||”.
            named, others = _LAST.search(line[: spans[0][0]]), _LAST.search(parts[0])
            first = named[0] if named and others and _shape(named[0]) == _shape(others[0]) else ""
            closing = _CLOSING.match(line, spans[-1][1])
            ends = spans[0][0] - len(first), closing.end() if closing else spans[-1][1]
            if not signs[0] and line.strip() == line[slice(*ends)].strip():
                continue  # these numbers are known by their whole line
            stretch = HEAP.join((first.lstrip(), *parts, line[spans[-1][1] : ends[1]]))
            slots = tuple(Slot(stretch, at, signs[0], within=True) for at in range(len(start)))
            yield Display(slots, tuple(map(start.index, values)))


def _shape(label: str) -> str:
    return re.sub(r"\w+", "w", label.strip())


@lru_cache(maxsize=64)
def _pattern(stretch: str, sign: str) -> re.Pattern[str]:
    """The pattern of a stretch with heaps: any numbers may stand beside them, and for an empty row one sign or word."""
    parts = (re.escape(part) for part in re.split(r"(\d+|\s+|<n>)", stretch) if part)
    heap = rf"((?:[ \t]{{0,3}}+{re.escape(sign)})*+)[ \t]*+{_NOTHING}[ \t]*+" if sign else r"[ \t]*+(-?\d{1,9})[ \t]*+"
    known = {re.escape(HEAP): heap}
    each = (
        known.get(part) or (r"\d+" if part.isdigit() else part if part.strip("\\ \t") else r"[ \t]*") for part in parts
    )
    return re.compile("".join(each))


def _with_row_above(slots: Sequence[Slot], places: Sequence[int], rows: Sequence[str]) -> Iterator[Slot]:
    """The slots, those of rows without a label with what stands above them."""
    for number, (slot, at) in enumerate(zip(slots, places, strict=True)):
        if slot.line or not slot.sign:
            yield slot
        elif number:
            yield replace(slot, below=at - places[number - 1])
        else:
            yield replace(slot, above=_bare(rows[at - 1]) if at else "")


def _with_signs(line: str, slots: list[tuple[Slot, str]]) -> str:
    """A line with signs where heaps stand."""
    line = next((one for one in (line, _in_digits(line)) if _numbers(one)[0] == slots[0][0].line), line)
    row = _row(line) if slots[0][0].sign else _row(line, _SIGNS.replace("0", ""))
    if row and slots[0][0].sign:
        return f"{line[: row.start]}<{slots[0][1]} {row.sign}>{line[row.end :]}".strip()
    numbers = [number.span() for number in _NUMBER.finditer(line[: row.start] if row else line)]
    return signed(line, [(numbers[slot.index], f"<{label}>") for slot, label in slots]).strip()


OR = " || "
"""The sign between lines that show the heaps, or clauses that say the same, where people write them."""

_RARE, _PLACE = 987_654_321, re.compile(r"<(\w)(?: (\S))?>")


def display_of(value: str, labels: str) -> Display | None:
    """The display that is written so; None if it does not name each heap once."""
    slots: list[Slot] = []
    heaps: list[int] = []
    for line in value.split(OR.strip()):
        places = list(_PLACE.finditer(line))
        heaps += [labels.casefold().find(place[1].casefold()) for place in places]
        if len(places) == 1 and places[0][2]:
            sign, start = places[0][2], places[0].start()
            sample = f"{line[:start]}{sign * 2}{line[places[0].end() :]}".strip()
            row = _row(sample)
            slots += [Slot(_without(sample, row), 0, row.sign)] if row else []
        else:
            bare, numbers = _numbers(_PLACE.sub(str(_RARE), line).strip())
            slots += [Slot(bare, index) for index, n in enumerate(numbers) if n == _RARE]
    whole = sorted(heaps) == list(range(len(labels))) and len(slots) == len(heaps)
    return Display(tuple(slots), tuple(heaps)) if whole else None


@lru_cache(maxsize=1024)
def _readings(line: str) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """A line without its numbers, and these, in each way to read it."""
    # “| 1 | ooo (3)” is “| 1 |  (0)” where nothing is left: the bar before the marks was read as a row of one.
    # “Oben liegen 3 Hölzer” is “Oben liegt kein Holz” then: a program was charged for not showing its heaps.
    return _numbers(line), _numbers(line, drawn=False), _numbers(_in_digits(line))


def _in_digits(line: str) -> str:
    """A line with digits in place of words for numbers and for nothing."""
    values = {**words().numbers, **dict.fromkeys(words().nothing, 0)}
    return _WORD.sub(lambda word: str(values.get(word[0].casefold(), word[0])), line)


def _numbers(line: str, *, drawn: bool = True) -> tuple[str, tuple[int, ...]]:
    """A line without its numbers, and these.

    Where a row of marks is ``drawn`` at its end, or before its count there, the row changes with them, and is left out.
    """
    count, signs = _COUNTED.search(line) if drawn else None, _SIGNS.replace("0", "")
    row = (_row(line, signs) or (_row(line[: count.start()], signs) if count else None)) if drawn else None
    if row:
        line = line[: row.start] + line[row.end :]
    line = _TAIL.sub("", line)
    bare = _COUNTABLE.sub(r"#\1", _WORD.sub(lambda word: word[0][:STEM], _NUMBER.sub("#", line)))
    return "".join(bare.split()), tuple(map(int, _NUMBER.findall(line)))


def _without(line: str, row: _Row) -> str:
    return _named(line[: row.start] + line[row.end :])


def _named(line: str) -> str:
    """The line of a row without blanks and without the numbers that change with it: the first one names the row."""
    # “R1  110b  |||” was another row for each number of matches.
    first = _NUMBER.search(line)
    end = first.end() if first else len(line)
    return _squeezed(line[:end] + _NUMBER.sub("#", line[end:]))


def _bare(line: str) -> str:
    """A line without its numbers and blanks."""
    return _squeezed(_NUMBER.sub("#", line))


def _squeezed(line: str) -> str:
    return "".join(line.split())
