"""Heaps and moves, whatever an assignment calls them: a move takes at least one thing from one heap, and only what is there."""

from __future__ import annotations

from functools import lru_cache, reduce
from operator import xor
from typing import NamedTuple

Heaps = tuple[int, ...]
Move = tuple[int, int]
"""A heap from 0, and how many are taken from it."""


def legal(heaps: Heaps) -> tuple[Move, ...]:
    """Every legal move."""
    return tuple((heap, count) for heap, n in enumerate(heaps) for count in range(1, n + 1))


def allowed(heaps: Heaps, move: Move) -> bool:
    """Whether a move is legal."""
    heap, count = move
    return 0 <= heap < len(heaps) and 1 <= count <= heaps[heap]


def less(heaps: Heaps, move: Move) -> Heaps:
    """The heaps that a legal move leaves."""
    heap, count = move
    return (*heaps[:heap], heaps[heap] - count, *heaps[heap + 1 :])


def between(before: Heaps, after: Heaps) -> Move | None:
    """The move that makes one of the other; None if no legal move does."""
    changes = [(heap, n - m) for heap, (n, m) in enumerate(zip(before, after, strict=True)) if n != m]
    return changes[0] if len(changes) == 1 and allowed(before, changes[0]) else None


def emptied(heaps: Heaps, heap: int) -> Heaps:
    """The heaps with one of them empty."""
    return (*heaps[:heap], 0, *heaps[heap + 1 :])


class Position(NamedTuple):
    """The heaps, and the player (1 or 2) who moves next."""

    heaps: Heaps
    player: int = 1

    def after(self, move: Move) -> Position:
        """The position after a legal move."""
        return Position(less(self.heaps, move), 3 - self.player)


@lru_cache(maxsize=1 << 12)
def balancing(heaps: Heaps) -> tuple[Move, ...]:
    """The legal moves that leave an exclusive or of 0: where who takes the last one wins, these keep the win. None if it is 0 already."""
    return tuple(move for move in legal(heaps) if not reduce(xor, less(heaps, move)))
