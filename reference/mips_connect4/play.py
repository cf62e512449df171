"""A dialogue that plays four in a row: an example, since the wording of programs is their own.

Other programs share only the order of events with this one, not the text. If the assignment leaves the order open,
this one judges a column first and asks about taking back afterwards, and asks nothing once the game is decided.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

from grader.sessions.reference import Line, Play

from .rules import COLUMNS, ROWS, VIOLATIONS, State, moves, outcome, result

Marks = dict[int, str]
T = TypeVar("T")
Part = Generator[str | Line, str, T]


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


def piece(state: State, cell: tuple[int, int]) -> int:
    """The player whose piece lies in a cell (column and row from 0, from the left and the bottom); 0 where none does."""
    column, row = cell
    return state.columns[column][row] if row < len(state.columns[column]) else 0


def _board(state: State, marks: Marks) -> str:
    """The grid, the top row first."""
    shown = {0: " ", **marks}
    rows = (" | ".join(shown[piece(state, (c, r))] for c in range(COLUMNS)) for r in reversed(range(ROWS)))
    return "\n" + "".join(f"| {row} |\n" for row in rows) + "  " + "   ".join(map(str, range(1, COLUMNS + 1))) + "\n\n"
