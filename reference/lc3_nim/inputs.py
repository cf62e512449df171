"""Input for lc3-nim: legal answers and those that must be refused, and the ways through all positions."""

from __future__ import annotations

from grader.games.ground import Way
from grader.games.heaps.facing import State
from grader.games.heaps.moving import Heaps, Position, legal
from grader.games.referee import Answers

from .turns import ROWS, say

_ANYTHING = ("A1", "B1", "C1")
_STRANGE_ROWS = ("D2", "E1", "Z1", "@1", "&2", "11")
_STRANGE_COUNTS = ("A*", "B!", "C/", "A:", "B ", "C+")


def answers(state: State, _question: str) -> Answers:
    """The answers that may be typed now, and those that must be refused: only those that mean the same in all possible positions."""
    if state.own.waits:
        return Answers(("\n",))
    if state.over:
        return Answers(_ANYTHING)
    moves = _moves(state.heaps)
    legal = tuple(move for move in moves if all(not _why_wrong(move, rocks) for rocks in state.possible))
    wrong = tuple(
        move for move in _wrong_moves(state.heaps) if all(_why_wrong(move, rocks) for rocks in state.possible)
    )
    return Answers(legal or moves or _ANYTHING, wrong)


def answer(state: State, _question: str, text: str) -> State:
    """The state after two keys were typed; what comes of them is settled by what the program says next."""
    if state.own.waits or state.over:
        return state._replace(own=state.own._replace(waits=False)) if state.own.waits else state
    row, count = ord(text[0]) - ord(ROWS[0]), ord(text[1]) - ord("0")  # programs count on behind 9: “:” is ten
    return state._replace(typed=text, wrong=_why_wrong(text, state.heaps), move=(row, count)).read()


def _moves(rocks: Heaps) -> tuple[str, ...]:
    return tuple(say(move) for move in legal(rocks) if move[1] <= 9)


def _wrong_moves(rocks: Heaps) -> tuple[str, ...]:
    """Invalid moves, about as many of each kind."""
    rows = tuple(zip(ROWS, rocks, strict=True))
    lower = tuple(f"{row.lower()}{min(n, 2)}" for row, n in rows if n)
    above = tuple(f"{row}{n + 1}" for row, n in rows if n < 9) + tuple(f"{row}9" for row, n in rows if n < 9)
    zeros = tuple(f"{row}0" for row, _ in rows)
    return (*_STRANGE_ROWS, *_STRANGE_COUNTS, *lower * 2, *zeros * 2, *above)


def _why_wrong(move: str, rocks: Heaps) -> str:
    """Why a move is invalid; empty where it is valid."""
    row, count = move[:1], move[1:]
    if row not in ROWS or not row:
        return "lower-case" if row in ROWS.lower() else "wrong-row"
    if not (count.isascii() and count.isdigit()):
        return "no-digit"
    if count == "0":
        return "zero"
    return "too-many" if int(count) > rocks[ROWS.index(row)] else ""


# --- all positions that can be reached

POSITIONS = "positions, with every valid move and every kind of invalid one"


def place(state: State, _question: str) -> Position | None:
    """The rocks, and whose turn it is; None where either is not known for sure."""
    known = state.sure and not state.own.nobody and not state.own.waits
    return Position(state.heaps, state.player) if known else None


def ways(place: Position) -> tuple[Way, ...]:
    """The answers that are typed there: invalid moves of each kind, and then every valid one."""
    invalid = (Way(move, leads=(place, move), counts=place, stays=True) for move in _one_of_each(place))
    valid = (
        Way(move, leads=(place, move), counts=place, ends=int(move[1]) == sum(place.heaps))
        for move in _moves(place.heaps)
    )
    return (*invalid, *valid)


def _one_of_each(place: Position) -> tuple[str, ...]:
    """Invalid moves for one position: one of each kind, another in another position; in each row one rock too many, and none."""
    rows = tuple(zip(ROWS, place.heaps, strict=True))
    at = sum(place.heaps) + place.heaps[0] + place.player
    strange = (_STRANGE_ROWS[at % len(_STRANGE_ROWS)], _STRANGE_COUNTS[at % len(_STRANGE_COUNTS)])
    left = tuple(f"{row.lower()}{min(n, 2)}" for row, n in rows if n)
    above = tuple(f"{row}{n + 1}" for row, n in rows if n < 9)
    return (*strange, left[at % len(left)], f"{ROWS[at // 3 % len(ROWS)]}0", *above)


def typed(state: State, question: str, aim: object) -> str | None:
    """The answer for a way, as long as the way's end is known."""
    return str(aim) if place(state, question) else None
