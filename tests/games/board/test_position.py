"""Positions as strings."""

from __future__ import annotations

import re

import pytest

from grader.games.board.dialogue import signs_of
from grader.games.board.layout import Layout
from grader.games.board.rules import full, single
from grader.games.families.fourinarow.rules import RULES
from grader.games.hear.picture import Picture

START, LABELS = RULES.start, single("1234567")
dropped = RULES.dropped


def test_a_piece_falls_onto_the_others() -> None:
    """And the column is one higher."""
    position = dropped(dropped(START, 2, "A"), 2, "B")
    assert RULES.lands(position, 2) == 14
    assert position[12:14] == "AB"


def test_the_message_says_where_boards_differ() -> None:
    """The lowest row first."""
    due = dropped(START, 3, "A")
    assert RULES.difference(due, START, LABELS) == "no piece lies in column 4, row 1 from below"
    assert RULES.difference(START, due, LABELS) == "a piece lies in column 4, row 1 from below"
    assert RULES.difference(due, dropped(START, 3, "B"), LABELS) == "another piece lies in column 4, row 1 from below"


def test_columns_are_called_as_the_program_calls_them() -> None:
    """A program that counts from 0 is told of its own column 6, in the message and below the board."""
    due, labels = dropped(START, 6, "A"), single("0123456")
    assert RULES.difference(due, START, labels) == "no piece lies in column 6, row 1 from below"
    assert RULES.drawn(due, labels, ("X", "O")).split("\n")[6] == "  0   1   2   3   4   5   6"
    assert RULES.drawn(due, LABELS, ("X", "O")).split("\n")[6] == "  1   2   3   4   5   6   7"


@pytest.mark.parametrize(
    ("marks", "signs"),
    [
        ({"X": "A", "O": "B"}, ("X", "O")),
        ({"Y": "B", "R": "A"}, ("R", "Y")),
        ({"X": "A"}, ("●", "○")),
        ({}, ("●", "○")),
    ],
    ids=["marks", "the second player first", "one mark", "painted"],
)
def test_a_position_is_drawn_with_the_marks_of_the_program(marks, signs) -> None:
    """Numbers would contradict a program that calls another player 1; a program without two marks has two signs of ours."""
    layout = Layout(re.compile(""), (), marks, (), (0, 1), (1, 0), 6)
    assert signs_of(layout, Picture()) == signs
    assert RULES.drawn(dropped(START, 0, "B"), LABELS, signs).split("\n")[5].startswith(f"| {signs[1]} |   |")


def test_lines_are_found_through_the_last_piece() -> None:
    """Four upwards; the board is not full."""
    position = START
    for _ in range(4):
        position = dropped(position, 5, "A")
    assert RULES.made(position, 5) == ("upwards",)
    assert not full(position)
