"""Which moves win: the value of every position of a small game, worked out from its rules alone."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import lru_cache
from typing import Generic, TypeVar

S = TypeVar("S", bound=Hashable)
M = TypeVar("M", bound=Hashable)


class Solver(Generic[S, M]):
    """The winning moves of a game of two players without draws, in which every play ends.

    ``moves(state)`` are the legal moves, ``result(state, move)`` is the state after one, with the other player to move.
    ``lost(state)`` says of a state without moves whether the player who would have to move has lost.
    """

    def __init__(
        self,
        moves: Callable[[S], Iterable[M]],
        result: Callable[[S, M], S],
        lost: Callable[[S], bool] = lambda _: True,
    ) -> None:
        self._moves = moves
        self._result = result
        self._lost = lost
        self.winning = lru_cache(maxsize=None)(
            lambda state: tuple(move for move in self._moves(state) if not self.wins(self._result(state, move)))
        )

    def wins(self, state: S) -> bool:
        """Whether the player to move wins with best play."""
        moves = tuple(self._moves(state))
        return bool(self.winning(state)) if moves else not self._lost(state)

    def best(self, state: S) -> tuple[M, ...]:
        """The moves that keep the best outcome: the winning ones, or all where none wins."""
        return self.winning(state) or tuple(self._moves(state))
