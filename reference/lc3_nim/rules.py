"""The rules of lc3-nim (LAB 04): three rows of rocks; whoever takes the last rock loses."""

from __future__ import annotations

from dataclasses import dataclass

ROWS = "ABC"


@dataclass(frozen=True, slots=True)
class State:
    """The rocks in each row, and the player (1 or 2) whose turn it is."""

    rocks: tuple[int, int, int] = (3, 5, 8)
    player: int = 1


START = State()


def moves(state: State) -> tuple[str, ...]:
    """Every legal move, as typed: ``B2`` takes two rocks from row B."""
    return tuple(f"{row}{n}" for row, rocks in zip(ROWS, state.rocks, strict=True) for n in range(1, rocks + 1))


def result(state: State, move: str) -> State:
    """The state after a legal move."""
    row, count = ROWS.index(move[0]), int(move[1])
    rocks = tuple(n - count if i == row else n for i, n in enumerate(state.rocks))
    return State((rocks[0], rocks[1], rocks[2]), 3 - state.player)


def outcome(state: State) -> int | None:
    """The winner once no rock is left: the player who did not take the last one; None while the game goes on."""
    return None if any(state.rocks) else state.player
