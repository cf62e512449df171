"""Lists that a program goes on writing: what is new in them is told apart."""

from __future__ import annotations

import pytest

from grader.games.hear.history import heads, news

WRITTEN = {
    "moves with their players": ("Moves: (none)", "Moves: A1 B2", "Moves: A1 B2 A1 B1", "Moves: A1 B2 A1 B1 A2", "Moves: A1 B2 A1 B1 A2 B1"),
    "a list in brackets behind a number": ("n = 9 log = []", "n = 7 log = [1, 1]", "n = 5 log = [1, 1, 1]", "n = 4 log = [1, 1, 1, 1]"),
    "a sum behind its entries": ("left: 9 - 1 = 8", "left: 9 - 1 - 2 = 6", "left: 9 - 1 - 2 - 1 = 5", "left: 9 - 1 - 2 - 1 - 2 = 3"),
    "words behind a sum": ("gone 1 = 1, left 8", "gone 1+2 = 3, left 6", "gone 1+2+1 = 4, left 5", "gone 1+2+1+2 = 6, left 3"),
    "piles": ("pile: 9", "pile: 9 > 7", "pile: 9 > 7 > 5", "pile: 9 > 7 > 5 > 4"),
    "a table of moves, printed behind each of two": ("Move?", "took\nI 1\ntook\nI 1\nC 2\nMove?", "took\nI 1\nC 2\nI 1\ntook\nI 1\nC 2\nI 1\nC 1\nMove?"),
    "the last three rows of a table": tuple(
        "\n".join(("move left", "----", *(f"{n} {9 - n}" for n in range(max(1, last - 2), last + 1)), "----", "Move?"))
        for last in range(1, 7)
    ),
}  # fmt: skip
NEW = {
    "moves with their players": ["Moves: (none)", "Moves: A1 B2", "Moves A1 B1", "Moves A2", "Moves B1"],
    "a list in brackets behind a number": ["n = 9 log = []", "n = 7 log 1, 1", "n = 5 log 1", "n = 4 log 1"],
    "a sum behind its entries": ["left: 9 - 1 = 8", "left 2 = 6", "left 1 = 5", "left 2 = 3"],
    "words behind a sum": ["gone 1 = 1, left 8", "gone 2 = 3, left 6", "gone 1 = 4, left 5", "gone 2 = 6, left 3"],
    "piles": ["pile: 9", "pile 7", "pile 5", "pile 4"],
    "a table of moves, printed behind each of two": [
        "Move?",
        "took\nI 1\ntook\nC 2\nMove?",
        "took\nI 1\ntook\nC 1\nMove?",
    ],
    "the last three rows of a table": [
        "move left\n----\n1 8\n----\nMove?",
        *(f"move left\n{n} {9 - n}\n----\nMove?" for n in range(2, 7)),
    ],
}


def test_a_line_above_a_table_is_not_its_head():
    """“I take 2” stands above the whole table: only the line just above the rows, or above a rule, tells what is new in them."""
    rows = [f"{n} {30 - n}\n" for n in range(20)]
    outputs = [
        f"I take 2\n----\nmove left\n----\n{''.join(rows[max(0, last - 4) : last])}----\nMove?" for last in range(1, 12)
    ]
    assert heads(outputs) == {"move left\n"}


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_new_in_a_list_is_told_apart(name):
    """The word before the list is kept: it says what the entries are."""
    outputs = WRITTEN[name]
    assert news(outputs, heads(outputs)) == NEW[name]


@pytest.mark.parametrize(
    "outputs",
    [
        ("9 stones left", "7 stones left", "5 stones left", "4 stones left"),
        ("Turn 1", "Turn 2", "Turn 3", "Turn 4", "Turn 1"),
        ("You take 1", "You take 1 again", "You take 2", "You take 1"),
        ("Stones |||||||", "Stones |||||", "Stones ||||", "Stones |"),
        ("Your move:", "Your move:", "Your move: no, again:", "Your move:"),
        ("took\nI 1\nC 2\nMove?", "took\nI 1\nC 2\nMove?", "took\nI 1\nC 1\nMove?", "took\nI 1\nC 1\nMove?"),
    ],
)
def test_other_lines_are_no_lists(outputs):
    """They do not go on as they did before, or not in most turns."""
    assert heads(outputs) == frozenset()
    assert news(outputs, frozenset()) == outputs
