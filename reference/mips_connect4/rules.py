"""The rules of four in a row (CO2007): seven columns of six, three undos and three violations for each player."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

COLUMNS, ROWS, UNDOS, VIOLATIONS, TIE = 7, 6, 3, 3, 0
T = TypeVar("T")
_STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))
_CELLS = [(column, row) for column in range(COLUMNS) for row in range(ROWS)]
_RUNS = [tuple((c + n * right, r + n * up) for n in range(4)) for right, up in _STEPS for c, r in _CELLS]
LINES = tuple(run for run in _RUNS if run[3][0] < COLUMNS and 0 <= run[3][1] < ROWS)
"""Every four cells (column, row from the bottom) in a line: 24 across, 21 upwards, 24 on a slant."""


@dataclass(frozen=True, slots=True)
class State:
    """A position: whose turn it is, the pieces in each column from the bottom, undos left, and violations made.

    ``open_move`` is the column of a piece that its player may still take back; the turn passes when it is kept.
    """

    player: int = 1
    columns: tuple[tuple[int, ...], ...] = ((),) * COLUMNS
    undos: tuple[int, ...] = (UNDOS, UNDOS)
    violations: tuple[int, ...] = (0, 0)
    open_move: int | None = None


def moves(state: State) -> tuple[str, ...]:
    """Every legal move: a column from ``1``, or ``undo`` and ``keep`` while the last piece may be taken back."""
    if outcome(state) is not None:
        return ()
    if state.open_move is not None:
        return ("undo", "keep")
    return tuple(str(n) for n, column in enumerate(state.columns, 1) if len(column) < ROWS)


def result(state: State, move: str) -> State:
    """The state after a legal move; any other in place of a column is a violation, and the same player moves again."""
    one = state.player - 1
    if state.open_move is not None:
        return undo(state) if move == "undo" else replace(state, player=3 - state.player, open_move=None)
    if move not in moves(state):
        return replace(state, violations=_put(state.violations, one, state.violations[one] + 1))
    column = int(move) - 1
    dropped = replace(state, columns=_put(state.columns, column, (*state.columns[column], state.player)))
    later = any(state.player in pieces for pieces in state.columns)  # the first piece of a player stays
    if later and state.undos[one] and outcome(dropped) is None:
        return replace(dropped, open_move=column)
    return replace(dropped, player=3 - state.player)


def undo(state: State) -> State:
    """The state after the open move was taken back: its player moves again."""
    assert state.open_move is not None
    one = state.player - 1
    columns = _put(state.columns, state.open_move, state.columns[state.open_move][:-1])
    return replace(state, columns=columns, undos=_put(state.undos, one, state.undos[one] - 1), open_move=None)


@lru_cache(maxsize=256)
def outcome(state: State) -> int | None:
    """The winner, by four in a line or by the opponent's third violation; TIE on a full board; None in between."""
    for player in (1, 2):
        if state.violations[2 - player] >= VIOLATIONS or _line(state, player):
            return player
    return TIE if all(len(column) == ROWS for column in state.columns) else None


def _line(state: State, player: int) -> bool:
    own = {(c, r) for c, column in enumerate(state.columns) for r, owner in enumerate(column) if owner == player}
    return any(own.issuperset(line) for line in LINES)


def _put(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    return (*values[:at], value, *values[at + 1 :])
