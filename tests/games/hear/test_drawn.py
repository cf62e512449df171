"""Numbers that are told by how often a sign comes, wherever and whatever it is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grader.games.hear.drawn import COUNTED, NO_DRAWING, drawing

LEFT = (9, 7, 6, 4, 3, 1, 8, 5)


def said(draw: Callable[[int], str]) -> list[str]:
    """Turns that draw what is left, beside other words."""
    return [f"I take {1 + left % 2}.\n{draw(left)}\nYour move: " for left in LEFT]


def in_groups(number: int) -> str:
    """Groups of five."""
    return "  ".join("o" * min(5, number - at) for at in range(0, number, 5))


@pytest.mark.parametrize(
    ("draw", "sign"),
    [
        (lambda n: "=" * n, "="),
        (lambda n: "*\n" * n, "*"),
        (in_groups, "o"),
        (lambda n: ", ".join("O" * n), "O"),
        (lambda n: "(..)" * n, "("),
        (lambda n: " ".join(map(str, range(1, n + 1))), COUNTED),
        (lambda n: "Stein " * n, "Stein"),
        (lambda n: "X" * n + "." * (20 - n), "X"),
    ],
)
def test_a_sign_that_comes_as_often_as_it_should_tells_a_number(draw, sign):
    """In rows, columns, groups, lists or words; what comes always as often beside it does not matter."""
    found = drawing(said(draw), [LEFT])
    assert (found.sign, found.share) == (sign, 1.0)


def test_what_follows_something_else_is_no_drawing():
    """A row that never changes, or that changes in its own way, tells nothing."""
    assert drawing(said(lambda _n: "====="), [LEFT]) == NO_DRAWING
    assert drawing(said(lambda n: "=" * (n % 3)), [LEFT]) == NO_DRAWING
    assert drawing([], [[]]) == NO_DRAWING


def test_a_drawing_that_is_wrong_now_and_then_is_still_one():
    """The turns in which it is right are named."""
    texts = said(lambda n: "=" * (n + (n == 3)))
    assert drawing(texts, [LEFT]).turns == frozenset(range(8)) - {4}
