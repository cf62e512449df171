"""Positions as strings."""

from __future__ import annotations

from grader.games.board.lines import full, made
from grader.games.board.position import START, difference, drawn, dropped, height


def test_a_piece_falls_onto_the_others() -> None:
    """And the column is one higher."""
    position = dropped(dropped(START, 2, "A"), 2, "B")
    assert height(position, 2) == 2
    assert position[12:14] == "AB"


def test_the_message_says_where_boards_differ() -> None:
    """The lowest row first."""
    due = dropped(START, 3, "A")
    assert difference(due, START) == "no piece lies in column 4, row 1 from below"
    assert difference(START, due) == "a piece lies in column 4, row 1 from below"
    assert difference(due, dropped(START, 3, "B")) == "another piece lies in column 4, row 1 from below"


def test_columns_are_called_as_the_program_calls_them() -> None:
    """A program that counts from 0 is told of its own column 6, in the message and below the board."""
    due, labels = dropped(START, 6, "A"), tuple("0123456")
    assert difference(due, START, labels) == "no piece lies in column 6, row 1 from below"
    assert drawn(due, "A", labels).split("\n")[6] == "  0   1   2   3   4   5   6"
    assert drawn(due, "A").split("\n")[6] == "  1   2   3   4   5   6   7"


def test_a_position_is_drawn_with_the_beginner_as_1() -> None:
    """Whatever mark that is."""
    assert "1" in drawn(dropped(START, 0, "B"), "B").split("\n")[5]


def test_lines_are_found_through_the_last_piece() -> None:
    """Four upwards; the board is not full."""
    position = START
    for _ in range(4):
        position = dropped(position, 5, "A")
    assert made(position, 5) == ("upwards",)
    assert not full(position)
