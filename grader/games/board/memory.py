"""Boards that are only painted: their cells lie in memory at equal distances, in a table of the program or as points of a picture.

The play of such a program is judged by memory; a person must see whether its picture shows the same. Memory is compared as it is while the
program waits: what of it differs between futures.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from grader.games.board.layout import in_a_row
from grader.games.board.rules import EMPTY, Rules, Spot
from grader.games.hear.runs import Wait
from grader.sessions.session import Session
from grader.values import dataclass

SIZES = (4, 1)
"""A cell is a word, or a byte."""

Pages = Mapping[int, bytes]
"""Pages of memory by number; all are of one size."""

Future = Callable[[Sequence[int]], Pages | None]
"""The memory behind these moves; None if the program does not wait there."""


@dataclass(frozen=True, slots=True)
class MemoryLayout:
    """The places of a board's cells in memory, column by column from the lowest row, and the values of their pieces."""

    rules: Rules
    places: tuple[int, ...]
    size: int
    values: Mapping[int, str]
    pattern: re.Pattern[str] = re.compile("(?!)")
    hangs: bool = False
    drawn: bool = False

    @property
    def marks(self) -> Mapping[str, str]:
        """No signs: nothing is shown."""
        return {}

    @property
    def _cells_beside(self) -> tuple[tuple[int, int], ...]:
        """Cells that larger boards have: column and row."""
        return (-1, 0), (self.rules.columns, 0), (0, self.rules.rows)

    def look(self, session: Session) -> str:
        """The position in the memory of a session, and what lies beside it; ``?`` where a cell holds another value."""
        memory = pages(session)
        start = self.places[0]
        across, up = self.places[self.rules.rows] - start, self.places[1] - start
        places = [start + column * across + row * up for column, row in self._cells_beside]
        # a place beside the board may be a cell of it: a table has its next row there
        beside = (
            EMPTY if place in self.places else self.values.get(value(memory, place, self.size), "?") for place in places
        )
        return _read(self, memory) + "".join(beside)

    def beside(self, wait: Wait, column: int, row: int) -> str:
        """The player whose piece lies where a cell beside the board would."""
        at = len(self.places) + self._cells_beside.index((column, row))
        return wait.seen[at : at + 1]

    def boards(self, text: str) -> tuple[str, ...]:
        """The observations, as all boards that a moment shows."""
        return (text[: len(self.places)],) if text else ()


def falls(rules: Rules, future: Future) -> bool:
    """Whether one piece in each column changes places at equal distances."""
    first = [future(rules.stack(column, 1)) for column in range(rules.columns)]
    return all(first) and any(any(_rows(alone([one or {} for one in first], size), rules.fits)) for size in SIZES)


def memory_layout(rules: Rules, future: Future, least: int) -> MemoryLayout | None:
    """The layout by the futures of one piece in each column, of a second one on top of it, and of a column that is full.

    At ``least`` so many columns must be read as they were played.
    """
    first = [future(rules.stack(column, 1)) for column in range(rules.columns)]
    second = [future(rules.stack(column, 2)) for column in range(rules.columns)]
    middle = rules.columns // 2
    tower = future(rules.stack(middle, rules.rows))
    if tower is None or any(one is None for one in (*first, *second)):
        return None
    ones, twos = [one or {} for one in first], [two or {} for two in second]
    for size in SIZES:
        lower = alone(ones, size)
        above: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for start, step, mark in _rows(alone(twos, size), rules.fits):
            above[step].append((start, mark))
        for start, step, mark in _rows(lower, rules.fits):
            for other, against in above[step]:
                column = start + middle * step, other - start
                if mark == against or not _stacks(rules, tower, column, (mark, against), size):
                    continue
                result = _layout(rules, (start, step, other - start), (mark, against), size, ones[0])
                if result is not None and _right(result, (ones, twos, tower), least):
                    return result
    return None


def _rows(changes: Sequence[Mapping[int, int]], least: int) -> Iterator[tuple[int, int, int]]:
    """Rows of places with the same value, one for each future: the first place, the step, and the value."""
    rows = in_a_row([{(0, place): had for place, had in one.items()} for one in changes], least)
    yield from (
        (start, step, mark) for _, start, step, mark in sorted((abs(s), at, s, m) for (_, at), (_, s), m, _ in rows)
    )


def _layout(
    rules: Rules, at: tuple[int, int, int], marks: tuple[int, int], size: int, memory: Pages
) -> MemoryLayout | None:
    """The layout with this first place and these steps, where its cells are apart and those above are all alike."""
    start, across, up = at
    places = tuple(start + column * across + row * up for column in range(rules.columns) for row in range(rules.rows))
    empties = {value(memory, place, size) for n, place in enumerate(places) if n % rules.rows > 1}
    if min(places) < 0 or len(set(places)) < len(places) or len(empties) > 1 or empties & set(marks):
        return None
    return MemoryLayout(rules, places, size, {marks[0]: "A", marks[1]: "B", empties.pop(): EMPTY})


def _stacks(rules: Rules, tower: Pages, at: tuple[int, int], marks: tuple[int, int], size: int) -> bool:
    """Whether a full column is found from this place on, with this step: most places are ruled out by it."""
    start, up = at
    return all(value(tower, start + row * up, size) == marks[row % 2] for row in range(rules.rows))


def _right(layout: MemoryLayout, futures: tuple[Sequence[Pages], Sequence[Pages], Pages], least: int) -> bool:
    """Whether the futures are read as they were played, except a faulty column or two."""
    rules = layout.rules
    ones, twos, tower = futures

    def fits(memory: Pages, column: int, height: int) -> bool:
        due = rules.after(Spot(rules.start, "A"), *rules.stack(column, height)).position
        return _read(layout, memory) == due

    right = [
        sum(fits(memory, column, height) for column, memory in enumerate(memories))
        for height, memories in enumerate((ones, twos), start=1)
    ]
    return min(right) >= least and fits(tower, rules.columns // 2, rules.rows)


def _read(layout: MemoryLayout, memory: Pages) -> str:
    return "".join(layout.values.get(value(memory, place, layout.size), "?") for place in layout.places)


# ----------------------------------------------------------------------------------------- what differs between futures


_NOT_ZERO = re.compile(rb"[^\0]")

MOST_CHANGED = 60
"""Maximum places that one future alone has changed; of more the first of each run of equal values is looked at."""


def pages(session: object) -> Pages:
    """The pages of memory that a session has written; empty if its memory cannot be looked at."""
    result: Pages = getattr(session, "pages", {})
    return result


def value(memory: Pages, place: int, size: int) -> int:
    """The number of so many bytes at a place, which counts such numbers; 0 if nothing was written."""
    length = len(next(iter(memory.values()), b"")) or 1
    page, at = divmod(place * size, length)
    return int.from_bytes(memory.get(page, b"")[at : at + size], "little")


def alone(futures: Sequence[Pages], size: int) -> list[dict[int, int]]:
    """For each future the places that it alone has changed, with their values."""
    units: list[dict[int, int]] = [{} for _ in futures]
    for place, values in _differing(futures, size):
        usual, number = Counter(values).most_common(1)[0]
        if number >= len(values) - 2:
            for one, had in zip(units, values, strict=True):
                if had != usual:
                    one[place] = had
    return [_thinned(one) for one in units]


def _differing(futures: Sequence[Pages], size: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    length = max((len(page) for memory in futures for page in memory.values()), default=0)
    blank = bytes(length)
    for number in sorted({number for memory in futures for number in memory}):
        versions = [memory.get(number, blank) for memory in futures]
        if len(set(versions)) == 1:
            continue
        units = [memoryview(version).cast("I" if size == 4 else "B") for version in versions]
        for at in _differences(versions, size):
            yield number * (length // size) + at, tuple([unit[at] for unit in units])


def _differences(versions: Sequence[bytes], size: int) -> list[int]:
    """The numbers of the units that are not the same in all versions of a page, found by bits: few of a thousand are."""
    first = int.from_bytes(versions[0], "little")
    differs = 0
    for version in versions[1:]:
        differs |= int.from_bytes(version, "little") ^ first
    matches = _NOT_ZERO.finditer(differs.to_bytes(len(versions[0]), "little"))
    return list(dict.fromkeys([one.start() // size for one in matches]))


def _thinned(places: dict[int, int]) -> dict[int, int]:
    if len(places) <= MOST_CHANGED:
        return places
    first = [place for place in places if places.get(place - 1) != places[place]]
    return {place: places[place] for place in first[:MOST_CHANGED]}
