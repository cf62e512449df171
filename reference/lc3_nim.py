"""The reference for lc3-nim (LAB 04): the exact transcript as a generator, and the rules of the game as pure functions.

``python reference/lc3_nim.py`` plays it on a terminal. Rows A, B, C begin with 3, 5 and 8 rocks; a move is a row and a
number of rocks, typed as two keys without Enter; whoever takes the last rock loses.
"""

from __future__ import annotations

from dataclasses import dataclass

from grader.sessions.reference import Choice, Keys, Play, perform

ROWS = "ABC"


@dataclass(frozen=True, slots=True)
class State:
    """The rocks in each row, and the player (1 or 2) whose turn it is."""

    rocks: tuple[int, int, int] = (3, 5, 8)
    player: int = 1


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


def play() -> Play:
    """The whole dialogue. What the assignment leaves open is a named choice of the spec."""
    state = State()
    yield from _board(state)
    while outcome(state) is None:
        yield f"Player {state.player}, choose a row and number of rocks: "
        move = yield Keys(2, legal=moves(state))
        yield "\n"
        if move not in moves(state):
            yield "Invalid move. Try again.\n"
            continue
        state = result(state, move)
        yield Choice("blank-line", "\n")
        if outcome(state) is None:
            yield from _board(state)
    yield f"Player {outcome(state)} Wins."
    yield Choice("last-newline", "\n")


def _board(state: State) -> Play:
    for row, rocks in zip(ROWS, state.rocks, strict=True):
        yield f"ROW {row}:"
        if rocks:
            yield " " + "o" * rocks
        else:
            yield Choice("empty-row", " ")
        yield "\n"


if __name__ == "__main__":
    perform(play)
