"""The rules of all games of heaps, against what is known of them."""

from __future__ import annotations

from functools import reduce
from itertools import product
from operator import xor

from grader.games.heaps.moving import Position, balancing, legal, less
from tests.solving import winning

PLAYED_OUT = winning(legal, less)


def test_a_move_takes_one_thing_up_to_all_of_a_heap() -> None:
    """Heaps of 5, 4 and 3 allow twelve moves; an empty heap allows none."""
    assert len(legal((5, 4, 3))) == 12
    assert legal((0, 1, 2)) == ((1, 1), (2, 1), (2, 2))
    assert Position((5, 4, 3)).after((0, 5)) == Position((0, 4, 3), player=2)


def test_moves_that_leave_an_exclusive_or_of_0_are_those_that_win() -> None:
    """Bouton's theorem: they keep the win where the game is played out, and where it is 0 already no move does."""
    for heaps in product(range(5), repeat=3):
        assert balancing(heaps) == PLAYED_OUT(heaps)
        assert bool(balancing(heaps)) is (reduce(xor, heaps) != 0)
