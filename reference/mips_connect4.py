"""The reference for mips-connect4 (Four in a Row): a playable game, and its rules.

``python reference/mips_connect4.py`` plays it on a terminal. Two players drop pieces into seven columns of six; four of
one's own in a line win, across, upwards or on a slant. After the first piece each player may take back three moves, each
before the opponent's turn. A column that does not exist or is full is a violation; the third one loses the game. A full
board is a tie.

Wording is each program's own: what other programs share with this one is the order of events, not the text. Where the
assignment leaves the order open, this one judges a column first and asks about taking back afterwards, and asks nothing
once the game is decided.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from random import choice
from typing import TypeVar

from grader.sessions.reference import Line, Play, perform

COLUMNS = 7
ROWS = 6
UNDOS = 3
VIOLATIONS = 3
TIE = 0

Cell = tuple[int, int]
Marks = dict[int, str]
T = TypeVar("T")
Part = Generator[str | Line, str, T]
_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def _lines() -> tuple[tuple[Cell, ...], ...]:
    """Every four cells (column, row from the bottom) in a line: 24 across, 21 upwards, 24 on a slant."""
    starts = ((c, r, dc, dr) for dc, dr in _DIRECTIONS for c in range(COLUMNS) for r in range(ROWS))
    runs = (tuple((c + n * dc, r + n * dr) for n in range(4)) for c, r, dc, dr in starts)
    return tuple(run for run in runs if run[3][0] < COLUMNS and 0 <= run[3][1] < ROWS)


LINES = _lines()


@dataclass(frozen=True, slots=True)
class State:
    """A position: whose turn it is, the pieces, and what each player has used up.

    ``columns`` holds the players (1 or 2) whose pieces lie in each column, from the bottom. ``undos`` are those left,
    ``violations`` those made. ``open_move`` is the column of a piece that its player may still take back; the turn passes
    when it is kept.
    """

    player: int = 1
    columns: tuple[tuple[int, ...], ...] = ((),) * COLUMNS
    undos: tuple[int, int] = (UNDOS, UNDOS)
    violations: tuple[int, int] = (0, 0)
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
    if state.open_move is not None:
        return undo(state) if move == "undo" else _pass_on(state)
    if move not in moves(state):
        return replace(state, violations=_changed(state.violations, state.player, 1))
    dropped = _drop(state, int(move) - 1)
    if outcome(dropped) is None and _may_undo(dropped):
        return dropped
    return _pass_on(dropped)


def undo(state: State) -> State:
    """The state after the open move was taken back: its player moves again."""
    assert state.open_move is not None, "only an open move can be taken back"
    columns = list(state.columns)
    columns[state.open_move] = columns[state.open_move][:-1]
    left = _changed(state.undos, state.player, -1)
    return replace(state, columns=tuple(columns), undos=left, open_move=None)


@lru_cache(maxsize=256)
def outcome(state: State) -> int | None:
    """The winner, by four in a line or by the opponent's third violation; TIE on a full board; None in between."""
    for player in (1, 2):
        if state.violations[player - 1] >= VIOLATIONS:
            return 3 - player
    for player in (1, 2):
        if _has_line(state, player):
            return player
    return TIE if all(len(column) == ROWS for column in state.columns) else None


def _has_line(state: State, player: int) -> bool:
    """Whether a player has four in a line, by one bit a cell, with a clear bit above each column that ends its lines."""
    bits = 0
    for number, column in enumerate(state.columns):
        for row, owner in enumerate(column):
            if owner == player:
                bits |= 1 << number * (ROWS + 1) + row
    steps = (across * (ROWS + 1) + up for across, up in _DIRECTIONS)
    return any(bits & bits >> step & bits >> 2 * step & bits >> 3 * step for step in steps)


def piece(state: State, cell: Cell) -> int:
    """The player whose piece lies in a cell (column and row from 0, from the left and the bottom); 0 where none does."""
    column, row = cell
    return state.columns[column][row] if row < len(state.columns[column]) else 0


def _drop(state: State, column: int) -> State:
    columns = list(state.columns)
    columns[column] = (*columns[column], state.player)
    return replace(state, columns=tuple(columns), open_move=column)


def _may_undo(state: State) -> bool:
    """A player's first piece stays; later ones may be taken back as long as there are undos left."""
    pieces = sum(column.count(state.player) for column in state.columns)
    return pieces > 1 and state.undos[state.player - 1] > 0


def _pass_on(state: State) -> State:
    return replace(state, player=3 - state.player, open_move=None)


def _changed(counts: tuple[int, int], player: int, by: int) -> tuple[int, int]:
    """The counts of both players with one of them changed."""
    one, two = counts
    return (one + by, two) if player == 1 else (one, two + by)


def play(first: int = 1, *, seed: int = 0) -> Play:
    """A whole game. ``first`` is the starting player, who picks a piece; with a ``seed``, that says who it is."""
    first = 1 + seed % 2 if seed else first
    yield f"Four in a Row\nPlayer {first} starts.\n"
    marks = yield from _pick(first)
    state = State(first)
    yield _board(state, marks)
    while outcome(state) is None:
        state = yield from _step(state, marks)
    winner = outcome(state)
    if VIOLATIONS in state.violations:
        yield f"That was violation {VIOLATIONS}: player {state.player} loses.\n"
    yield f"Player {winner} ({marks[winner]}) wins!\n" if winner else "It is a tie.\n"


def _pick(first: int) -> Part[Marks]:
    """Ask the starting player for a piece until it is one."""
    while True:
        yield f"Player {first}, pick your piece, X or O: "
        mark = yield Line(legal=("X", "O"))
        if mark in ("X", "O"):
            return {first: mark, 3 - first: "O" if mark == "X" else "X"}
        yield "There are only X and O.\n"


def _step(state: State, marks: Marks) -> Part[State]:
    """Ask for one move, and say what came of it."""
    name = f"Player {state.player} ({marks[state.player]})"
    if state.open_move is not None:
        left = state.undos[state.player - 1]
        yield f"{name}, undo this move, {left} left? (y/n): "
        answer = yield Line(legal=("y", "n"))
        if answer not in ("y", "n"):
            yield "Answer y or n.\n"
            return state
        after = result(state, "undo" if answer == "y" else "keep")
        if answer == "y":
            yield _board(after, marks)
        return after
    yield f"{name}, choose a column (1-{COLUMNS}): "
    column = yield Line(legal=moves(state))
    after = result(state, column)
    yield _board(after, marks) if column in moves(state) else _refusal(column, after)
    return after


def _refusal(column: str, after: State) -> str:
    wrong = (
        f"Column {column} is full." if column in map(str, range(1, COLUMNS + 1)) else f"There is no column {column}."
    )
    return f"{wrong} Player {after.player} has {after.violations[after.player - 1]} of {VIOLATIONS} violations.\n"


def _board(state: State, marks: Marks) -> str:
    """The grid, the top row first."""
    shown = {0: " ", **marks}
    rows = (" | ".join(shown[piece(state, (c, r))] for c in range(COLUMNS)) for r in reversed(range(ROWS)))
    return "\n" + "".join(f"| {row} |\n" for row in rows) + "  " + "   ".join(map(str, range(1, COLUMNS + 1))) + "\n\n"


if __name__ == "__main__":
    perform(partial(play, choice((1, 2))))
