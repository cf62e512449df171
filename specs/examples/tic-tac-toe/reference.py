"""The reference for tic-tac-toe: its rules, and a game in words of our own.

``python specs/examples/tic-tac-toe/reference.py`` plays it on a terminal.
"""

from __future__ import annotations

from collections.abc import Generator

from grader.sessions.reference import Line, Play, perform

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
START = " " * 9


def moves(cells: str) -> tuple[int, ...]:
    """The cells that are free, counted from 0 row by row."""
    return tuple(number for number, sign in enumerate(cells) if sign == " ")


def result(cells: str, cell: int) -> str:
    """The cells after a legal move: X begins."""
    sign = "XO"[(9 - len(moves(cells))) % 2]
    return cells[:cell] + sign + cells[cell + 1 :]


def outcome(cells: str) -> str | None:
    """The winner's sign, "" for a tie, None while the game goes on."""
    for a, b, c in LINES:
        if cells[a] == cells[b] == cells[c] != " ":
            return cells[a]
    return None if " " in cells else ""


def play() -> Play:
    """The whole dialogue, in words of our own: the lab leaves them open."""
    cells = START
    while outcome(cells) is None:
        yield _board(cells)
        cells = result(cells, (yield from _ask(cells)))
    yield _board(cells)
    winner = outcome(cells)
    yield f"Player {winner} wins!\n" if winner else "It is a tie.\n"


def _ask(cells: str) -> Generator[str | Line, str, int]:
    """Ask until the answer is a free cell."""
    legal = {str(cell + 1): cell for cell in moves(cells)}
    while True:
        yield f"Player {'XO'[(9 - len(legal)) % 2]}, choose a cell (1-9): "
        answer = yield Line(legal=tuple(legal))
        if answer in legal:
            return legal[answer]
        yield "This cell is not free. Choose another one.\n"


def _board(cells: str) -> str:
    rows = [" " + " | ".join(cells[at : at + 3]) for at in (0, 3, 6)]
    return "\n" + "\n---+---+---\n".join(rows) + "\n\n"


if __name__ == "__main__":
    perform(play)
