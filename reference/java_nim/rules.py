"""The rules of java-nim (Praktikumsaufgabe 3): three rows of matches; whoever takes the last match wins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import xor

USER = "user"
COMPUTER = "computer"
ROWS = 3

Rows = tuple[int, ...]
Move = tuple[int, int]
"""A row from 1, and how many matches are taken from it."""


@dataclass(frozen=True, slots=True)
class Position:
    """The matches in each row, and whose turn it is."""

    rows: Rows
    mover: str = USER


def moves(position: Position) -> tuple[Move, ...]:
    """Every legal move."""
    return tuple((row, count) for row, n in enumerate(position.rows, 1) for count in range(1, n + 1))


def result(position: Position, move: Move) -> Position:
    """The position after a legal move."""
    row, count = move
    rows = tuple(n - count if number == row else n for number, n in enumerate(position.rows, 1))
    return Position(rows, COMPUTER if position.mover == USER else USER)


def outcome(position: Position) -> str | None:
    """Who took the last match; None while there are matches."""
    if any(position.rows):
        return None
    return COMPUTER if position.mover == USER else USER


def best(position: Position) -> tuple[Move, ...]:
    """The moves that leave an exclusive or of 0, which win; none where it is 0 already."""
    return tuple(move for move in moves(position) if not reduce(xor, result(position, move).rows))
