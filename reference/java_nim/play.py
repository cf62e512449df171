"""The dialogue of java-nim: questions, rows and moves, exactly as in the protocol of the assignment."""

from __future__ import annotations

from collections.abc import Generator

from grader.games.heaps.facing import USER
from grader.games.heaps.moving import Heaps, Move, Position, allowed, balancing, legal
from grader.sessions.reference import Choice, Line, Play

from .turns import ROWS

SIZES = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "13")
"""With so many matches a row begins in drawn games."""


def play() -> Play:
    """The whole dialogue as in the protocol of the assignment."""
    yield Choice("first-line", "")
    yield "NIM-Spiel\n-----\n"
    rows: Heaps = ()
    while len(rows) < ROWS:
        rows = (*rows, (yield from _start(len(rows) + 1)))
    position = Position(rows)
    yield "\n"
    yield from _board(rows)
    while any(position.heaps):
        mover = position.player
        if mover == USER:
            position = position.after((yield from _move(position.heaps)))
        else:
            yield "Der Computer ist am Zug!\n\n"
            position = position.after((balancing(position.heaps) or _least(position.heaps))[0])
        if any(position.heaps) or mover == USER:
            yield from _board(position.heaps)
        else:
            yield Choice("last-board", "")
    yield "Sie haben" if mover == USER else "Der Computer hat"
    yield " dieses Spiel gewonnen!"
    yield Choice("last-newline", "\n")


def _least(rows: Heaps) -> tuple[Move, ...]:
    """One match from each row that has any: what the protocol plays where no move wins."""
    return tuple(move for move in legal(rows) if move[1] == 1)


def _start(row: int) -> Generator[str | Choice | Line, str, int]:
    while True:
        yield f"Streichhoelzeranzahl der {row}. Reihe: "
        number = _number((yield Line(legal=SIZES)))
        if number is not None and number > 0:
            return number
        yield "Ungueltige Anzahl!\n"


def _move(rows: Heaps) -> Generator[str | Choice | Line, str, Move]:
    yield "Sie sind am Zug!\n"
    while True:
        yield "Aus welcher Reihe moechten Sie Streichhoelzer entnehmen? "
        row = _number((yield Line(legal=tuple(str(row) for row, n in enumerate(rows, 1) if n))))
        yield "Wieviele Streichhoelzer moechten Sie entnehmen? "
        count = _number((yield Line(legal=tuple(str(n) for where, n in legal(rows) if where + 1 == row))))
        if row is not None and count is not None and allowed(rows, (row - 1, count)):
            yield "\n"
            return row - 1, count
        yield "Ungueltiger Zug!\n"


def _board(rows: Heaps) -> Play:
    yield "Aktueller Spielstand:\n-----\n"
    for row, matches in enumerate(rows, 1):
        yield f"{row}. Reihe: "
        for drawn in range(0, matches, 5):
            if drawn:
                yield Choice("gap", "  ")
            yield "|" * min(5, matches - drawn)
        yield "\n"
    yield "\n"


def _number(text: str) -> int | None:
    digits = text.strip().removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 10 else None
