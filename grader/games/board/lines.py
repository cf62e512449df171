"""Lines of four on a board, by position."""

from __future__ import annotations

from functools import lru_cache

from grader.games.board.position import COLUMNS, EMPTY, ROWS

DIRECTIONS = {"across": (1, 0), "upwards": (0, 1), "rising": (1, 1), "falling": (1, -1)}
LENGTH = 4


def _lines() -> list[tuple[str, tuple[int, ...]]]:
    found = []
    for name, (right, up) in DIRECTIONS.items():
        for column in range(COLUMNS):
            for row in range(ROWS):
                last = column + (LENGTH - 1) * right, row + (LENGTH - 1) * up
                if last[0] < COLUMNS and 0 <= last[1] < ROWS:
                    cells = tuple((column + n * right) * ROWS + row + n * up for n in range(LENGTH))
                    found.append((name, cells))
    return found


LINES = _lines()
_THROUGH = {cell: [line for line in LINES if cell in line[1]] for cell in range(COLUMNS * ROWS)}


def made(position: str, column: int) -> tuple[str, ...]:
    """The directions of the lines that the highest piece of a column is part of."""
    at = column * ROWS + ROWS - 1
    while position[at] == EMPTY:
        at -= 1
    owner = position[at]
    return tuple(name for name, cells in _THROUGH[at] if all(position[cell] == owner for cell in cells))


@lru_cache(maxsize=4)
def number(direction: str) -> int:
    """How many lines there are in a direction."""
    return sum(name == direction for name, _ in LINES)


def full(position: str) -> bool:
    """Whether no cell is empty."""
    return EMPTY not in position
