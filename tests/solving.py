"""Which moves win, worked out by playing every game to its end: a check on the rules that references state."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import cache
from typing import TypeVar

S = TypeVar("S", bound=Hashable)
M = TypeVar("M", bound=Hashable)


def winning(
    moves: Callable[[S], Iterable[M]], result: Callable[[S, M], S], *, last_wins: bool = True
) -> Callable[[S], tuple[M, ...]]:
    """The function from a position to the moves that win there. A player who cannot move has lost, or has won if the last move loses."""

    @cache
    def wins(state: S) -> bool:
        left = tuple(moves(state))
        return any(not wins(result(state, move)) for move in left) if left else not last_wins

    return lambda state: tuple(move for move in moves(state) if not wins(result(state, move)))
