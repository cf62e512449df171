"""The frame of a board: patterns of its lines, by which it is found again in any text of a program."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

Grid = Sequence[str]
"""Lines of signs."""


def row(cells: Mapping[int, int], rows: Sequence[str], cell: str, blanks: bool, inked: Collection[int] = ()) -> str:
    """The pattern of a line: its cells, and what is the same in all lines that were seen.

    ``blanks`` may be cells; at places that are ``inked`` a piece has more ink, though none was seen there yet.
    """
    width = max(*map(len, rows), max(cells, default=-1) + 1)
    padded = [row.ljust(width) for row in rows]
    open_ = {n for n in range(width) if n in inked or len({row[n] for row in padded}) > 1}
    end = max(cells, default=-1)
    parts = []
    for n in range(width):
        if n in cells:
            parts.append(cell)
        elif n in open_:
            if n > end:
                return "".join(parts) + "[^\n]*"
            parts.append("[^\n]")
        else:
            parts.append(re.escape(padded[0][n]))
    last = max((n for n in range(width) if n not in cells and any(row[n] != " " for row in padded)), default=-1)
    if blanks and last < end:  # blanks at the ends of lines were cut, and empty cells with them
        return _open_ended(cells, padded, cell, last, open_)
    return "".join(parts)


def _open_ended(cells: Mapping[int, int], rows: Sequence[str], cell: str, last: int, open_: Collection[int]) -> str:
    """The pattern of a line behind whose last ink there are cells: blanks at its end are not there."""
    start = "".join(cell if n in cells else "[^\n]" if n in open_ else re.escape(rows[0][n]) for n in range(last + 1))
    rest = ""
    for n in range(len(rows[0]) - 1, last, -1):
        between = "[^\n]" if n in open_ else " "
        rest = f"(?:{cell}{rest})?" if n in cells else f"(?:{between}{rest})?" if rest or n in open_ else ""
    return start + rest


def with_margins(
    patterns: list[str],
    first: Sequence[Grid],
    second: Sequence[Grid],
    at: tuple[int, int, int],
    asked: Collection[str],
) -> list[str]:
    """The patterns with a line above and below, where that is always the same: a board without a frame is found by them.

    What is ``asked`` is no frame: another question may follow the next board.
    """
    shift, top, bottom = at
    for line, where in ((top + 1, 0), (bottom - 1, len(patterns))):
        seen = {
            (grid[-1 - number] if 0 <= number < len(grid) else None)
            for grids, number in ((first, line + shift), (second, line))
            for grid in grids
        }
        common = seen.pop() if len(seen) == 1 else None
        if common and common.strip() and common.strip() not in asked:
            patterns.insert(where if where == 0 else len(patterns), re.escape(common))
    return patterns
