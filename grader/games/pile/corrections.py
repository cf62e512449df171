"""What staff have set of how one program was understood: it is taken as true, and what cannot be is said.

The keys and values are those of the lessons (``lessons``):

    opening: Enter, stones, first            # what is typed before the game, in this order
    first: m u                               # what lets the program begin, and what the user
    told-after: <n> stones are left          # the clauses in which a number, or marks, tell what is left
    told-program: I take <n> || I took <n>
    wins-user: Well done                     # what is said where the user has won
    wins-program: none                       # nothing is said of it
"""

from __future__ import annotations

from collections.abc import Mapping

from grader.games.pile.rounds import AFTER, OURS
from grader.games.pile.talk import Part
from grader.reading.slots import Slot, slot_of
from grader.reading.words import PROGRAM, USER
from grader.values import dataclass

OPENING, FIRST = "opening", "first"
TOLD = {f"told-{meaning}": meaning for meaning in (AFTER, OURS)}
WINS = {f"wins-{winner}": winner for winner in (PROGRAM, USER)}

KEYS = (OPENING, FIRST, *TOLD, *WINS)
"""What can be set."""

ENTER, NONE, OR = "Enter", "none", " || "
"""How an empty answer, nothing at all, and several clauses are written."""


class CorrectionError(Exception):
    """What staff have set cannot be taken as true; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """What staff have set; None, or no key, where they have set nothing.

    ``told`` are the slots that alone have a meaning, with the clauses that name them, ``wins`` the clauses that name a winner.
    """

    parts: tuple[str | Part, ...] | None
    firsts: tuple[str, str] | None
    told: Mapping[str, Mapping[Slot, str]]
    wins: Mapping[str, tuple[str, ...]]


def corrected(values: Mapping[str, str]) -> Corrected:
    """What these values of lessons mean. Raises CorrectionError."""
    for key in values:
        if key not in KEYS:
            raise CorrectionError(
                f"`{key}` was set for this wording, and can be set of no pile; what can is {', '.join(KEYS)}"
            )
    return Corrected(
        _parts(values[OPENING]) if OPENING in values else None,
        _firsts(values[FIRST]) if FIRST in values else None,
        {meaning: _slots(key, values[key]) for key, meaning in TOLD.items() if key in values},
        {winner: _clauses(values[key]) for key, winner in WINS.items() if key in values},
    )


def set_to(key: str, value: str, why: str) -> CorrectionError:
    """That a value cannot be taken as true, and why."""
    return CorrectionError(f"`{key}: {value}` was set for this wording: {why}")


def opening(parts: tuple[str | Part, ...]) -> str:
    """The answers before a game as they are written."""
    return ", ".join(part.value if isinstance(part, Part) else part or ENTER for part in parts)


def _parts(value: str) -> tuple[str | Part, ...]:
    named: Mapping[str, str | Part] = {ENTER: "", **{part.value: part for part in Part}}
    texts = [] if value.strip() == NONE else [each.strip() for each in value.split(",")]
    parts = tuple(named.get(text, text) for text in texts)
    if any(parts.count(part) > 1 for part in Part):
        raise set_to(OPENING, value, "`stones` and `first` stand there once, where the program asks for them")
    return parts


def _firsts(value: str) -> tuple[str, str]:
    texts = tuple(value.split())
    if len(set(texts)) != len(Part):
        raise set_to(FIRST, value, "it needs two answers, what lets the program begin, and what the user")
    return texts[0], texts[1]


def _clauses(value: str) -> tuple[str, ...]:
    return tuple(clause.strip() for clause in value.split(OR.strip()) if clause.strip() not in ("", NONE))


def _slots(key: str, value: str) -> Mapping[Slot, str]:
    found: dict[Slot, str] = {}
    for clause in _clauses(value):
        slot = slot_of(clause)
        if slot is None:
            raise set_to(key, value, f"“{clause}” needs one <n>, or <marks o>, where the number stands")
        found[slot] = clause
    return found
