"""The values that staff have set of how one program with a pile is understood.

A value has the form in which the lesson of its key shows it:

    opening: Enter, stones, first            # what is typed before the game, in this order
    first: m u                               # what lets the program begin, and what the user
    told-after: <n> stones are left          # the clauses in which a number, or marks, tell what is left
    told-program: I take <n> || I took <n>
    wins-user: Well done                     # what is said where the user has won
    wins-program: none                       # nothing is said of it
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from grader.games.learn import table
from grader.games.learn.table import Row, Settings, clauses
from grader.games.pile.rounds import AFTER, OURS
from grader.games.pile.talk import Part
from grader.reading.slots import Slot, slot_of
from grader.reading.words import PROGRAM, USER
from grader.values import dataclass

OPENING, FIRST = "opening", "first"
TOLD = {f"told-{meaning}": meaning for meaning in (AFTER, OURS)}
WINS = {f"wins-{winner}": winner for winner in (PROGRAM, USER)}


@dataclass(frozen=True)
class Corrections(Settings):
    """The values that are set, None where none is.

    ``told`` are the slots that alone have a meaning, with the clauses that name them, ``wins`` the clauses that name a winner.
    """

    parts: tuple[str | Part, ...] | None = None
    firsts: tuple[str, str] | None = None
    told: Mapping[str, Mapping[Slot, str]] = field(default_factory=dict)
    wins: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def opening(parts: tuple[str | Part, ...]) -> str:
    """The answers before a game as they are written."""
    return table.written(part.value if isinstance(part, Part) else part for part in parts)


def _parts(value: str) -> tuple[str | Part, ...]:
    named = {part.value: part for part in Part}
    parts = tuple(named.get(text, text) for text in table.parts(value))
    if any(parts.count(part) > 1 for part in Part):
        raise ValueError(f"in “{value}” `stones` and `first` must stand once, where the program asks for them")
    return parts


def _firsts(value: str) -> tuple[str, str]:
    texts = tuple(value.split())
    if len(set(texts)) != len(Part):
        raise ValueError(f"“{value}” needs two answers, what lets the program begin, and what the user")
    return texts[0], texts[1]


def _slots(value: str) -> Mapping[Slot, str]:
    slots = {slot_of(clause): clause for clause in clauses(value)}
    if None in slots:
        raise ValueError(f"“{slots[None]}” needs one <n>, or <marks o>, where the number stands")
    return {slot: clause for slot, clause in slots.items() if slot is not None}


ROWS = (
    Row(OPENING, _parts, "parts"),
    Row(FIRST, _firsts, "firsts"),
    *(Row(key, _slots, "told", meaning) for key, meaning in TOLD.items()),
    *(Row(key, clauses, "wins", winner) for key, winner in WINS.items()),
)
"""What staff can set of a program with a pile."""
