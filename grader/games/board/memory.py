"""Boards that are only painted: their cells lie in memory at equal distances, in a table of the program or as points of a picture.

Of such a program the play is judged by memory; whether its picture shows the same is for a person to see.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise, product

from grader.games.board.families import FITS
from grader.games.board.position import COLUMNS, EMPTY, ROWS, START, dropped
from grader.reading.memory import Pages, alone, pages, value
from grader.reading.runs import Wait
from grader.sessions.session import Session
from grader.values import dataclass

SIZES = (4, 1)
"""A cell is a word, or a byte."""

BESIDE = ((-1, 0), (COLUMNS, 0), (0, ROWS))
"""Cells that larger boards have: column and row."""

Future = Callable[[Sequence[int]], Pages | None]
"""The memory behind pieces in these columns; None where the program does not wait there."""


@dataclass(frozen=True, slots=True)
class MemoryLayout:
    """Where the cells of a board lie in memory, column by column from the lowest row, and the values of their pieces."""

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

    def look(self, session: Session) -> str:
        """The position in the memory of a session, and what lies beside it; ``?`` where a cell holds another value."""
        memory = pages(session)
        return _read(self, memory) + self._beside(memory)

    def beside(self, wait: Wait, column: int, row: int) -> str:
        """Whose piece lies where a cell beside the board would."""
        at = len(self.places) + BESIDE.index((column, row))
        return wait.seen[at : at + 1]

    def boards(self, seen: str) -> tuple[str, ...]:
        """What was seen, as all boards that a moment shows."""
        return (seen[: len(self.places)],) if seen else ()

    def _beside(self, memory: Pages) -> str:
        """What lies beside the board, where that is no cell of it: a table has the next row there."""
        start, across, up = self.places[0], self.places[ROWS] - self.places[0], self.places[1] - self.places[0]
        places = [start + column * across + row * up for column, row in BESIDE]
        return "".join(
            EMPTY if place in self.places else self.values.get(value(memory, place, self.size), "?") for place in places
        )


def falls(future: Future) -> bool:
    """Whether one piece in each column changes places at equal distances."""
    first = [future((column,)) for column in range(COLUMNS)]
    return all(first) and any(any(_rows(alone([one or {} for one in first], size))) for size in SIZES)


def memory_layout(future: Future, least: int = FITS) -> MemoryLayout | None:
    """The layout by the futures of one piece in each column, of a second one on top of it, and of a column that is full.

    At ``least`` so many columns must be read as they were played.
    """
    first = [future((column,)) for column in range(COLUMNS)]
    second = [future((column, column)) for column in range(COLUMNS)]
    tower = future((3,) * ROWS)
    if tower is None or any(one is None for one in (*first, *second)):
        return None
    ones, twos = [one or {} for one in first], [two or {} for two in second]
    for size in SIZES:
        lower = alone(ones, size)
        above: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for start, step, mark in _rows(alone(twos, size)):
            above[step].append((start, mark))
        for start, step, mark in _rows(lower):
            for other, against in above[step]:
                if mark == against or not _stacks(tower, (start + 3 * step, other - start), (mark, against), size):
                    continue
                found = _layout((start, step, other - start), (mark, against), size, ones[0])
                if found is not None and _right(found, (ones, twos, tower), least):
                    return found
    return None


def _rows(changed: Sequence[Mapping[int, int]]) -> Iterator[tuple[int, int, int]]:
    """Rows of places with the same value, one for each future: the first place, the step, and the value."""
    votes: Counter[tuple[int, int]] = Counter()
    for n, (here, there) in enumerate(pairwise(changed)):
        for one, two in product(here, there):
            if two != one:
                votes[one - n * (two - one), two - one] += 1
    fitting = []
    for (start, step), number in votes.items():
        if number < FITS - 2:
            continue
        values = Counter(one[place] for n, one in enumerate(changed) if (place := start + n * step) in one)
        mark, fits = values.most_common(1)[0]
        if fits >= FITS:
            fitting.append((abs(step), start, step, mark))
    yield from ((start, step, mark) for _, start, step, mark in sorted(fitting))


def _layout(at: tuple[int, int, int], marks: tuple[int, int], size: int, memory: Pages) -> MemoryLayout | None:
    """The layout with this first place and these steps, where its cells are apart and those above are all alike."""
    start, across, up = at
    places = tuple(start + column * across + row * up for column in range(COLUMNS) for row in range(ROWS))
    empties = {value(memory, place, size) for n, place in enumerate(places) if n % ROWS > 1}
    if min(places) < 0 or len(set(places)) < len(places) or len(empties) > 1 or empties & set(marks):
        return None
    return MemoryLayout(places, size, {marks[0]: "A", marks[1]: "B", empties.pop(): EMPTY})


def _stacks(tower: Pages, at: tuple[int, int], marks: tuple[int, int], size: int) -> bool:
    """Whether a full column is found from this place on, with this step: most places are ruled out by it."""
    start, up = at
    return all(value(tower, start + row * up, size) == marks[row % 2] for row in range(ROWS))


def _right(layout: MemoryLayout, seen: tuple[Sequence[Pages], Sequence[Pages], Pages], least: int) -> bool:
    """Whether the futures are read as they were played, but for a faulty column or two."""
    ones, twos, tower = seen
    due = [_after((column,)) for column in range(COLUMNS)], [_after((column, column)) for column in range(COLUMNS)]
    right = [
        sum(_read(layout, m) == one for m, one in zip(k, d, strict=True))
        for k, d in zip((ones, twos), due, strict=True)
    ]
    return min(right) >= least and _read(layout, tower) == _after((3,) * ROWS)


def _read(layout: MemoryLayout, memory: Pages) -> str:
    return "".join(layout.values.get(value(memory, place, layout.size), "?") for place in layout.places)


def _after(columns: Sequence[int]) -> str:
    position = START
    for number, column in enumerate(columns):
        position = dropped(position, column, "AB"[number % 2])
    return position
