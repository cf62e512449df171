"""The dialogue of lc3-nim: boards, questions and refusals, exactly as a program must print them."""

from __future__ import annotations

from grader.games.heaps.moving import Heaps, Position, legal
from grader.sessions.reference import Choice, Keys, Play

from .game import RIGHT
from .turns import ROWS, say


def play() -> Play:
    """The whole dialogue. Places that the assignment leaves open are named choices of the spec."""
    position = Position(RIGHT)
    yield from _board(position.heaps)
    while any(position.heaps):
        yield f"Player {position.player}, choose a row and number of rocks: "
        moves = {say(move): move for move in legal(position.heaps)}
        typed = yield Keys(2, legal=tuple(moves))
        yield "\n"
        if typed not in moves:
            yield "Invalid move. Try again.\n"
            continue
        position = position.after(moves[typed])
        yield Choice("blank-line", "\n")
        if any(position.heaps):
            yield from _board(position.heaps)
    yield f"Player {position.player} Wins."  # who took the last rock has lost
    yield Choice("last-newline", "\n")


def _board(heaps: Heaps) -> Play:
    for row, rocks in zip(ROWS, heaps, strict=True):
        yield f"ROW {row}:"
        if rocks:
            yield " " + "o" * rocks
        else:
            yield Choice("empty-row", " ")
        yield "\n"
