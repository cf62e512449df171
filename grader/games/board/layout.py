"""The places of a board's cells in a text, found by the changes when a piece is dropped into one column or another.

Futures, one for each column, differ in one place each: those places lie on a line at equal distances. A second piece on top of
the first gives the other direction. Everything else in the lines of the board is its frame. The frame finds it again in any text.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

from grader.bounded import remembered
from grader.games.board.rules import EMPTY, Rules
from grader.values import dataclass

T = TypeVar("T")

Grid = Sequence[str]
"""Lines of signs."""

Place = tuple[int, int]
"""A line, counted from the end of a text (0 is the last), and a place in it."""


REST = "[^\n]*"
"""The pattern of the rest of a line, which is not the same in all boards."""


@dataclass(frozen=True, slots=True)
class Family:
    """Places that move by ``step`` from column to column, one for each piece of ink of a mark; ``fits`` columns show it."""

    step: Place
    places: tuple[Place, ...]
    fits: int


def families(futures: Sequence[Grid], fits: int) -> list[Family]:
    """The families of places in which the futures of the columns differ one by one, the best first; ``fits`` of them at least."""
    changes = [dict[Place, str]() for _ in futures]
    for line in range(max(map(len, futures))):
        rows = {n: grid[-1 - line] if line < len(grid) else "" for n, grid in enumerate(futures) if grid}
        if len(set(rows.values())) == 1:
            continue
        width = max(map(len, rows.values()))
        for column, signs in enumerate(zip(*(row.ljust(width) for row in rows.values()), strict=True)):
            usual, number = Counter(signs).most_common(1)[0]
            if len(signs) - 2 <= number < len(signs):
                for n, sign in zip(rows, signs, strict=True):
                    if sign != usual:
                        changes[n][line, column] = sign
    return sorted(_families(changes, fits), key=lambda one: (-one.fits, -len(one.places)))


def _families(changes: Sequence[Mapping[Place, str]], least: int) -> Iterator[Family]:
    fits: dict[Place, list[tuple[int, Place]]] = defaultdict(list)
    # the same mark in all: a future without a board differs everywhere, but shows none
    for first, step, _, fitting in in_a_row(changes, least):
        fits[step].append((-fitting, first))
    for step, group in fits.items():
        group.sort()  # of a faulty column one piece may fit less than the other
        yield Family(step, tuple(place for _, place in group), -group[0][0])


def in_a_row(changes: Sequence[Mapping[Place, T]], least: int) -> Iterator[tuple[Place, Place, T, int]]:
    """Places at equal distances, one for each future, at which it alone has something: the first, the step, what most have, and how many."""
    votes: Counter[tuple[Place, Place]] = Counter()
    for n, (here, there) in enumerate(pairwise(changes)):
        if len(here) * len(there) > 4_000:
            continue
        for line, column in here:
            for line2, column2 in there:
                down, right = line2 - line, column2 - column
                if (down == 0) != (right == 0):
                    votes[(line - n * down, column - n * right), (down, right)] += 1
    for (first, step), number in votes.items():
        if number >= least - 2:
            signs = (one[place] for n, one in enumerate(changes) if (place := moved(first, step, n)) in one)
            sign, fitting = Counter(signs).most_common(1)[0]
            if fitting >= least:
                yield first, step, sign, fitting


def moved(place: Place, step: Place, times: int) -> Place:
    """A place, so many steps further."""
    return place[0] + times * step[0], place[1] + times * step[1]


@dataclass(frozen=True, slots=True)
class Futures:
    """The texts after one piece in each column, and after a second one on top of it; ``prompts`` are lines with questions."""

    rules: Rules
    first: Sequence[Grid]
    second: Sequence[Grid]
    prompts: Collection[str] = ()


@dataclass(frozen=True)
class Layout:
    """The places of a board's cells, and the marks in them.

    ``pattern`` finds a board in a text; its groups are the cells. ``order`` has the number of each cell among them,
    column by column from the lowest row. ``marks`` maps a sign to the player whose piece it is. ``across`` is how columns follow each other, ``up`` how rows do.
    """

    pattern: re.Pattern[str]
    order: tuple[int, ...]
    marks: Mapping[str, str]
    empties: tuple[str, ...]
    across: Place
    up: Place
    rows: int
    drawn: bool = True

    @cached_property
    def boards(self) -> Callable[[str], tuple[str, ...]]:
        """All boards that a text shows, as positions; ``?`` where a cell holds no known sign."""
        return remembered(self._boards)

    def _boards(self, text: str) -> tuple[str, ...]:
        return tuple(self._position(match.groups()) for match in self.pattern.finditer(text))

    def _position(self, cells: Sequence[str]) -> str:
        marks, empties = self.marks, self.empties
        return "".join(
            EMPTY if (sign := cells[at] or " ") == empties[n] else marks.get(sign, "?")
            for n, at in enumerate(self.order)
        )

    def beyond(self, known: str, text: str, column: int, row: int) -> str | None:
        """The sign in a text where a cell beside the board would lie, by where the last board lies in a ``known`` one that ends alike."""
        boards = list(self.pattern.finditer(known))
        if not boards:
            return None
        starts = ((n, boards[-1].start(group + 1)) for n, group in enumerate(self.order))
        number, at = next(((n, at) for n, at in starts if at >= 0), (0, -1))
        if at < 0:  # blanks at the ends of lines are cut, and cells with them
            return None
        right, above = column - number // self.rows, row - number % self.rows
        line = known.count("\n", 0, at) - known.count("\n") - 1 + right * self.across[0] - above * self.up[0]
        place = at - known.rfind("\n", 0, at) - 1 + right * self.across[1] + above * self.up[1]
        lines = text.split("\n")
        if not -len(lines) <= line < 0 or place < 0:
            return None
        return lines[line][place : place + 1] or " "

    @property
    def hangs(self) -> bool:
        """Whether the pieces of a column that stands are heaped up from above."""
        return self.up[0] < 0


def layout(futures: Futures, may_be: Callable[[str, str], bool] = lambda _one, _two: True) -> Layout | None:
    """The layout of a board, None without one; ``may_be`` says whether two signs may be the marks."""
    for one in families(futures.first, futures.rules.fits):
        for two in families(futures.second, futures.rules.fits):
            # Other labels of cells show a board that lies on its side upright.
            if one.step != two.step or (one.step[0] and not futures.rules.falls):
                continue
            result = _stacked(futures, one, two, may_be)
            if result is not None:
                return result
    return None


def _sign(grid: Grid, place: Place) -> str:
    line = grid[-1 - place[0]] if 0 <= place[0] < len(grid) else ""
    return line[place[1]] if 0 <= place[1] < len(line) else " "


def _usual(futures: Sequence[Grid], first: Place, step: Place, fits: int) -> str | None:
    """The sign that most columns show at their own place."""
    sign, number = Counter(_sign(grid, moved(first, step, n)) for n, grid in enumerate(futures)).most_common(1)[0]
    return sign if number >= fits else None


def _stacked(futures: Futures, one: Family, two: Family, may_be: Callable[[str, str], bool]) -> Layout | None:
    """The layout in which the second piece lies beside the first, across the direction in which columns follow."""
    first, second, step, fits = futures.first, futures.second, one.step, futures.rules.fits
    olds = [(place, _usual(first, place, step, fits)) for place in one.places]
    for shift in sorted(range(-12, 13), key=abs):
        for old, mark in olds:
            lower = (old[0] + shift, old[1])
            if mark is None or lower not in two.places or _usual(second, lower, step, fits) != mark:
                continue
            for upper in sorted(two.places, key=lambda place: abs(place[0] - lower[0]) + abs(place[1] - lower[1])):
                up = upper[0] - lower[0], upper[1] - lower[1]
                other = _usual(second, upper, step, fits)
                crosses = (up[0] == 0) != (up[1] == 0) and (up[0] == 0) == (step[1] == 0)
                if not futures.rules.falls and up[0] < 0:
                    continue
                if not crosses or other is None or other == mark or not may_be(mark, other):
                    continue
                there_before = _usual(first, (upper[0] - shift, upper[1]), step, fits) == other
                if not there_before:  # else it is more ink of the first piece
                    ink = _ink((old, one.places), (upper, two.places), step=step, up=up)
                    result = _layout(futures, (old, lower), step, up, (mark, other), ink)
                    if result is not None:
                        return result
    return None


def _ink(*marks: tuple[Place, Sequence[Place]], step: Place, up: Place) -> frozenset[Place]:
    """Further ink of pieces beside their sign: places relative to it, nearer than the next cell."""
    lines, width = max(abs(step[0]), abs(up[0])), max(abs(step[1]), abs(up[1]))
    far = {(place[0] - at[0], place[1] - at[1]) for at, places in marks for place in places}
    return frozenset((down, right) for down, right in far if abs(down) < lines and abs(right) < width) - {(0, 0)}


def _layout(
    futures: Futures, at: tuple[Place, Place], step: Place, up: Place, marks: tuple[str, str], more: Collection[Place]
) -> Layout | None:
    first, second, rules = futures.first, futures.second, futures.rules
    old, lower = at
    cells = [moved(moved(lower, step, column), up, row) for column in range(rules.columns) for row in range(rules.rows)]
    lines = [line for line, _ in cells]
    top, bottom = max(lines), min(lines)
    if bottom < 0 or min(place for _, place in cells) < 0 or len(set(cells)) != len(cells):
        return None
    shift = lower[0] - old[0]
    cuts = [_cut(grid, top - shift, bottom - shift) for grid in first] + [_cut(grid, top, bottom) for grid in second]
    usable = [rows for rows in cuts if rows is not None]
    grouped: dict[int, dict[int, int]] = defaultdict(dict)
    for n, (line, place) in enumerate(cells):
        grouped[top - line][place] = n
    empties = _empties(usable, cells, top, marks)
    if empties is None:
        return None
    signs = {*marks, *empties}
    good = [
        rows for rows in usable if all((rows[top - line][place : place + 1] or " ") in signs for line, place in cells)
    ]
    if len(good) < rules.fits:
        return None
    inked = {(top - line - down, place + right) for line, place in cells for down, right in more}
    ink = {(top - line, place) for line, place in cells} | inked
    framed = all(
        any(sign != " " for n, sign in enumerate(row) if (number, n) not in ink)
        for number, row in enumerate(good[0])
        if number in grouped
    )
    alphabet = "[" + "".join(map(re.escape, sorted(signs))) + "]"
    cell = "([^\n])" if framed else f"({alphabet})"
    blanks = " " in signs
    patterns = [
        _row(
            grouped.get(number, {}),
            [rows[number] for rows in good],
            cell,
            blanks,
            {place for line, place in inked if line == number},
        )
        for number in range(top - bottom + 1)
    ]
    # A list of the moves beside the board goes on in its next row, where nothing stood behind the first pieces.
    if any(one.endswith(REST) for one in patterns):
        patterns = [one if one.endswith(REST) else f"{one}(?: {REST})?" for one in patterns]
    order = [n for number in sorted(grouped) for _, n in sorted(grouped[number].items())]
    lines_of_board = _with_margins(
        patterns, first, second, (old[0] - lower[0], top, bottom), futures.prompts, framed=framed
    )
    return Layout(
        re.compile("(?m)^" + "\n".join(lines_of_board) + "$"),
        tuple(order.index(n) for n in range(len(cells))),
        {marks[0]: "A", marks[1]: "B"},
        empties,
        (-step[0], step[1]),
        up,
        rules.rows,
    )


def _cut(grid: Grid, top: int, bottom: int) -> list[str] | None:
    if bottom < 0 or top >= len(grid):
        return None
    return [grid[-1 - line] for line in range(top, bottom - 1, -1)]


def _empties(
    cuts: Sequence[Sequence[str]], cells: Sequence[Place], top: int, marks: Sequence[str]
) -> tuple[str, ...] | None:
    """The sign of each empty cell; None if there are too many kinds of them, which are then none."""
    empties = []
    for line, place in cells:
        signs = Counter(rows[top - line][place : place + 1] or " " for rows in cuts)
        for mark in marks:
            del signs[mark]
        if not signs:
            return None
        empties.append(signs.most_common(1)[0][0])
    return tuple(empties) if len(set(empties)) <= 14 or len(set(empties)) == len(empties) else None


def _row(cells: Mapping[int, int], rows: Sequence[str], cell: str, blanks: bool, inked: Collection[int] = ()) -> str:
    """The pattern of a line: its cells, and what is the same in all lines that were seen.

    ``blanks`` may be cells; at places that are ``inked`` a piece has more ink, though none was seen there yet.
    """
    width = max(*map(len, rows), max(cells, default=-1) + 1)
    padded = [row.ljust(width) for row in rows]
    free = {n for n in range(width) if n in inked or len({row[n] for row in padded}) > 1}
    end = max(cells, default=-1)
    parts = []
    for n in range(width):
        if n in cells:
            parts.append(cell)
        # Counts of undos stand beside the board and change only later: a piece was not seen to fall behind them.
        elif n > end and (n in free or padded[0][n].isdigit()):
            while parts and parts[-1] == re.escape(" "):  # where nothing stands behind them, they are cut
                parts.pop()
            return "".join(parts) + REST
        elif n in free:
            parts.append("[^\n]")
        else:
            parts.append(re.escape(padded[0][n]))
    last = max((n for n in range(width) if n not in cells and any(row[n] != " " for row in padded)), default=-1)
    if blanks and last < end:  # blanks at the ends of lines were cut, and empty cells with them
        return _open_ended(cells, padded, cell, last, free)
    return "".join(parts)


def _open_ended(cells: Mapping[int, int], rows: Sequence[str], cell: str, last: int, free: Collection[int]) -> str:
    """The pattern of a line behind whose last ink there are cells: blanks at its end are not there."""
    start = "".join(cell if n in cells else "[^\n]" if n in free else re.escape(rows[0][n]) for n in range(last + 1))
    rest = ""
    for n in range(len(rows[0]) - 1, last, -1):
        between = "[^\n]" if n in free else " "
        rest = f"(?:{cell}{rest})?" if n in cells else f"(?:{between}{rest})?" if rest or n in free else ""
    return start + rest


def _with_margins(
    patterns: list[str],
    first: Sequence[Grid],
    second: Sequence[Grid],
    at: tuple[int, int, int],
    prompts: Collection[str],
    *,
    framed: bool,
) -> list[str]:
    """The patterns with a line above and below, where that is always the same: a board without a frame is found by them.

    Only lines that read as rows of a ``framed`` board are added, such as the heading “| 1 | 2 | 3 |”. A line of the ``prompts`` is no frame:
    another question may follow the next board.
    """
    shift, top, bottom = at
    above: list[str] = []
    below: list[str] = []
    for line, row, margin in ((top + 1, patterns[0], above), (bottom - 1, patterns[-1], below)):
        frames = {
            (grid[-1 - number] if 0 <= number < len(grid) else None)
            for grids, number in ((first, line + shift), (second, line))
            for grid in grids
        }
        common = frames.pop() if len(frames) == 1 else None
        if common and common.strip() and common.strip() not in prompts and (not framed or re.fullmatch(row, common)):
            # The number of undos that are left stands in the line below, and no board was found behind the first undo.
            margin.append(
                re.sub(r"\d+", r"\\d+", re.escape(common)) if any(map(str.isalpha, common)) else re.escape(common)
            )
    return [*above, *patterns, *below]
