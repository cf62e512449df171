"""The rules of c-nim (Project 3): heaps of 5, 4 and 3 stones; whoever takes the last stone wins."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from grader.games.solving import Solver

LETTERS = "abc"
USER, COMPUTER = 1, 2


@dataclass(frozen=True, slots=True)
class Position:
    """The stones in each heap, and the player (1 or 2) whose turn it is."""

    heaps: tuple[int, ...] = (5, 4, 3)
    player: int = USER


START = Position()


def moves(position: Position) -> tuple[str, ...]:
    """Every legal move: ``c2`` takes two stones from heap C. A program takes the letters in either case."""
    return tuple(
        f"{letter}{n}" for letter, stones in zip(LETTERS, position.heaps, strict=True) for n in range(1, stones + 1)
    )


def result(position: Position, move: str) -> Position:
    """The position after a legal move."""
    taken, count = LETTERS.index(move[0]), int(move[1:])
    heaps = tuple(n - count if i == taken else n for i, n in enumerate(position.heaps))
    return Position(heaps, 3 - position.player)


def outcome(position: Position) -> int | None:
    """The winner once no stone is left: the player who took the last one; None while the game goes on."""
    return None if any(position.heaps) else 3 - position.player


SOLVER: Solver[Position, str] = Solver(moves, result)


def best(position: Position) -> tuple[str, ...]:
    """What the computer may do: any winning move, or else one stone from the first heap that has any."""
    return SOLVER.winning(position) or moves(position)[:1]


def canonical(typed: str) -> str:
    """A typed move as ``moves`` writes it; empty where it is no letter followed by a number that can be one."""
    found = re.fullmatch(r"\s*([a-z])\s*([+-]?\d{1,18})\s*", typed, re.IGNORECASE | re.ASCII)
    return f"{found[1].lower()}{int(found[2])}" if found else ""


@lru_cache(maxsize=1 << 10)
def either_case(legal: tuple[str, ...]) -> tuple[str, ...]:
    """Moves as they may be typed: with a small or a capital letter."""
    return (*legal, *(move.upper() for move in legal))
