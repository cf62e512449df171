"""Positions of a board that fills, as strings: column by column from the lowest row, a sign for each cell.

The players are ``A`` and ``B``, by their marks; who of them begins is another matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

COLUMNS = 7
ROWS = 6
EMPTY = "."
START = EMPTY * (COLUMNS * ROWS)
OTHER = {"A": "B", "B": "A"}
LABELS = tuple(map(str, range(1, COLUMNS + 1)))
"""What columns are called, unless a program calls them otherwise."""


def height(position: str, column: int) -> int:
    """How many pieces lie in a column (from 0)."""
    return ROWS - position.count(EMPTY, column * ROWS, (column + 1) * ROWS)


def dropped(position: str, column: int, player: str) -> str:
    """The position after a piece was dropped into a column that is not full."""
    at = column * ROWS + height(position, column)
    return position[:at] + player + position[at + 1 :]


class Spot(NamedTuple):
    """A position, and the player whose turn it is."""

    position: str
    mover: str

    def after(self, column: int) -> Spot:
        """The next one, after a piece in a column."""
        return Spot(dropped(self.position, column, self.mover), OTHER[self.mover])


def difference(due: str, shown: str, labels: Sequence[str] = LABELS) -> str:
    """Where a board first differs from what should be there, row by row from below; columns are called by their ``labels``."""
    for row in range(ROWS):
        for column in range(COLUMNS):
            at = column * ROWS + row
            if due[at] != shown[at]:
                found, expected = shown[at] != EMPTY, due[at] != EMPTY
                what = "another piece lies" if found and expected else "a piece lies" if found else "no piece lies"
                return f"{what} in column {labels[column]}, row {row + 1} from below"
    return ""


def drawn(position: str, beginner: str, labels: Sequence[str] = LABELS) -> str:
    """A position for a report, the top row first and the ``labels`` of the columns below: 1 is who began."""
    signs = {EMPTY: " ", beginner: "1", OTHER[beginner]: "2"}
    rows = (" | ".join(signs.get(position[c * ROWS + r], "?") for c in range(COLUMNS)) for r in reversed(range(ROWS)))
    return "\n".join(f"| {row} |" for row in rows) + "\n" + "".join(f" {label:^3}" for label in labels).rstrip()
