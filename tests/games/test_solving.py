"""The values of small games, against what is known of them."""

from __future__ import annotations

from functools import reduce
from itertools import product
from operator import xor

import pytest

from grader.games.solving import Solver

Heaps = tuple[int, ...]


def moves(heaps: Heaps) -> list[tuple[int, int]]:
    """Take any number from one heap."""
    return [(heap, count) for heap, size in enumerate(heaps) for count in range(1, size + 1)]


def result(heaps: Heaps, move: tuple[int, int]) -> Heaps:
    """The heaps after a move."""
    heap, count = move
    return (*heaps[:heap], heaps[heap] - count, *heaps[heap + 1 :])


NIM = Solver(moves, result)
MISERE = Solver(moves, result, lost=lambda _: False)


@pytest.mark.parametrize("heaps", list(product(range(5), repeat=3)))
def test_nim_is_won_where_the_sum_is_not_zero(heaps):
    """Bouton's theorem: the player to move wins exactly where the nim-sum is not 0, and every winning move makes it 0."""
    assert NIM.wins(heaps) is (reduce(xor, heaps) != 0)
    assert all(reduce(xor, result(heaps, move)) == 0 for move in NIM.winning(heaps))


def test_where_nothing_wins_every_move_is_best():
    """In a lost position no move is better than another."""
    assert NIM.best((1, 1, 0)) == ((0, 1), (1, 1))
    assert NIM.best((2, 1, 0)) == ((0, 1),)


@pytest.mark.parametrize(("heaps", "won"), [((1,), False), ((2,), True), ((1, 1), True), ((1, 1, 1), False)])
def test_whoever_takes_the_last_may_lose(heaps, won):
    """The same rules with the other ending: a single stone loses."""
    assert MISERE.wins(heaps) is won
