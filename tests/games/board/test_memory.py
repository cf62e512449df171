"""Boards in memory: tables of bytes or words, by rows or columns, and points of a picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from grader.games.board.memory import alone, memory_layout, value
from grader.games.families.fourinarow.rules import COLUMNS, ROWS, RULES

PAGE = 4096


def position(columns: Sequence[int]) -> str:
    """The position after these columns."""
    found = RULES.start
    for number, column in enumerate(columns):
        found = RULES.dropped(found, column, "AB"[number % 2])
    return found


def memory(place: Callable[[int, int], list[int]], size: int, values: str, columns: Sequence[int]) -> dict[int, bytes]:
    """The memory of a program that keeps its board at these places, a count of pieces, and the heights of columns."""
    pages = bytearray(4 * PAGE)
    now = position(columns)
    for column in range(COLUMNS):
        for row in range(ROWS):
            for at in place(column, row):
                pages[at * size : (at + 1) * size] = ord(values[".AB".index(now[column * ROWS + row])]).to_bytes(
                    size, "little"
                )
    pages[8] = len(columns)
    for column in columns:
        pages[20 + 4 * column] += 1
    return {number: bytes(pages[number * PAGE : (number + 1) * PAGE]) for number in range(4)}


def picture(column: int, row: int) -> list[int]:
    """A piece of 36 points on a display that is 64 wide."""
    return [1024 + 64 * (8 * (ROWS - 1 - row) + y) + 8 * column + x for y in range(1, 7) for x in range(1, 7)]


@pytest.mark.parametrize(
    ("place", "size"),
    [
        (lambda c, r: [100 + 7 * r + c], 1),
        (lambda c, r: [100 + 7 * (ROWS - 1 - r) + c], 1),
        (lambda c, r: [100 + 6 * c + r], 4),
        (lambda c, r: [300 + 8 * r + c], 4),
        (picture, 4),
    ],
    ids=["bytes by rows", "rows from above", "words by columns", "rows of eight", "points"],
)
@pytest.mark.parametrize("values", ["\0\1\2", ".XO"])
def test_a_board_is_found_where_its_cells_lie_at_equal_distances(place, size, values) -> None:
    """Heights and counts change with the columns too, and are no board."""
    found = memory_layout(RULES, lambda columns: memory(place, size, values, columns), RULES.fits)
    assert found is not None
    moves = (3, 3, 0, 6, 6, 2, 3)
    seen = "".join(found.values[value(memory(place, size, values, moves), at, found.size)] for at in found.places)
    assert seen == position(moves)


def test_without_a_board_nothing_is_found() -> None:
    """Only counts change."""
    assert memory_layout(RULES, lambda columns: memory(lambda _c, _r: [], 4, "\0\1\2", columns), RULES.fits) is None


def test_what_one_future_alone_has_changed_is_told() -> None:
    """A place that all columns have changed is no place of one of them."""
    futures = [{0: bytes([n == at for at in range(8)]) + bytes([n, 9, 9, 9])} for n in range(7)]
    assert [set(one) & set(range(8)) for one in alone(futures, 1)] == [{n} for n in range(7)]
