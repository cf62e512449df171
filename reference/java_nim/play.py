"""The dialogue of java-nim: questions, rows and moves, exactly as in the protocol of the assignment."""

from __future__ import annotations

from collections.abc import Generator

from grader.sessions.reference import Choice, Line, Play

from .rules import COMPUTER, ROWS, USER, Move, Position, Rows, best, moves, outcome, result

SIZES = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "13")
"""With so many matches a row begins in drawn games."""


def play() -> Play:
    """The whole dialogue as in the protocol of the assignment."""
    yield Choice("first-line", "")
    yield "NIM-Spiel\n-----\n"
    rows: Rows = ()
    while len(rows) < ROWS:
        rows = (*rows, (yield from _start(len(rows) + 1)))
    position = Position(rows)
    yield "\n"
    yield from _board(position)
    while outcome(position) is None:
        if position.mover == USER:
            position = result(position, (yield from _move(position)))
        else:
            yield "Der Computer ist am Zug!\n\n"
            position = result(position, (best(position) or _least(position))[0])
        if outcome(position) is None or position.mover == COMPUTER:
            yield from _board(position)
        else:
            yield Choice("last-board", "")
    yield "Sie haben" if outcome(position) == USER else "Der Computer hat"
    yield " dieses Spiel gewonnen!"
    yield Choice("last-newline", "\n")


def _least(position: Position) -> tuple[Move, ...]:
    """One match from each row that has any: what the protocol plays where no move wins."""
    return tuple(move for move in moves(position) if move[1] == 1)


def _start(row: int) -> Generator[str | Choice | Line, str, int]:
    while True:
        yield f"Streichhoelzeranzahl der {row}. Reihe: "
        number = _number((yield Line(legal=SIZES)))
        if number is not None and number > 0:
            return number
        yield "Ungueltige Anzahl!\n"


def _move(position: Position) -> Generator[str | Choice | Line, str, Move]:
    yield "Sie sind am Zug!\n"
    while True:
        yield "Aus welcher Reihe moechten Sie Streichhoelzer entnehmen? "
        row = _number((yield Line(legal=tuple(dict.fromkeys(str(row) for row, _ in moves(position))))))
        yield "Wieviele Streichhoelzer moechten Sie entnehmen? "
        count = _number((yield Line(legal=tuple(str(n) for where, n in moves(position) if where == row))))
        if row is not None and count is not None and (row, count) in moves(position):
            yield "\n"
            return row, count
        yield "Ungueltiger Zug!\n"


def _board(position: Position) -> Play:
    yield "Aktueller Spielstand:\n-----\n"
    for row, matches in enumerate(position.rows, 1):
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
