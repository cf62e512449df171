"""Input for c-nim: legal answers and those that must be refused, and the ways through all positions."""

from __future__ import annotations

from functools import lru_cache

from grader.games.ground import Way
from grader.games.heaps.facing import AGAIN, COMPUTER, MOVE, State
from grader.games.heaps.moving import Heaps, balancing, legal
from grader.games.referee import Answers

from .game import GAME
from .turns import LETTERS, RIGHT, move_of, say

BAD_LETTERS = "dexz"  # next to the heaps and far from them: programs compute an index from the letter
BAD_ANSWERS = ("p", "x", "q", "a")  # p is that of the sample run, and a is what was typed before
_ANYTHING = ("a1", "b1", "c1")
_WELL = 200
"""How much likelier than others the best moves are in a game that the user plays well."""


def answers(state: State, question: str) -> Answers:
    """The answers that may be typed now. Every second game the user plays well, so that both win and both start.

    The other moves stay legal even then, so that what was typed in a game may be typed again in a shorter one.
    """
    if _asks(state, question) == AGAIN:
        return Answers(("y", "Y", "y", "Y", "n", "N"), BAD_ANSWERS)
    if not state.possible:
        return Answers(())
    moves = tuple(map(say, legal(state.heaps))) or _ANYTHING
    if state.own.well != bool(state.own.games % 2) and any(state.heaps):
        moves = (*moves, *map(say, (balancing(state.heaps) or legal(state.heaps)) * _WELL))
    return Answers(either_case(moves), either_case(_illegal(state.heaps)))


@lru_cache(maxsize=1 << 10)
def either_case(moves: tuple[str, ...]) -> tuple[str, ...]:
    """Moves as they may be typed: with a small or a capital letter."""
    return (*moves, *(move.upper() for move in moves))


def _asks(state: State, question: str) -> str:
    return state.asks if question == "retry" else question


def answer(state: State, question: str, text: str) -> State:
    """The match after ``text`` was typed, legal or not."""
    asks = _asks(state, question)
    if asks == AGAIN:
        known = text.strip().lower()
        wrong = "" if known in ("y", "n") else "answer"
        return state._replace(
            asks=AGAIN, typed=text, move=None, wrong=wrong, own=state.own._replace(stopped=known == "n")
        )
    (heap, count), heaps = move_of(text), state.heaps or RIGHT
    wrong = "letter" if heap >= len(heaps) else "negative" if count < 0 else "zero" if not count else ""
    wrong = wrong or ("too-many" if count > heaps[heap] else "")
    known = state._replace(asks=MOVE, typed=text, move=(heap, count), wrong=wrong, possible=state.possible or (RIGHT,))
    return known.read()


def _illegal(heaps: Heaps) -> tuple[str, ...]:
    """Moves that must be refused: another letter, no stones or fewer, more stones than the heap has."""
    letters = [f"{letter}{n}" for letter, n in zip(BAD_LETTERS, (4, 2, 1, 3), strict=True)]
    counts = [f"{letter}{n}" for letter, stones in zip(LETTERS, heaps, strict=True) for n in (0, -1, stones + 1)]
    return (*letters, *counts, "a10")  # a program that reads one digit takes 1


# --- all positions that can be reached

POSITIONS = "positions in which the computer has to move"


def place(state: State, question: str) -> tuple[Heaps, int] | None:
    """The heaps, and who began the game; no heaps between two games, and None where either is not known for sure."""
    if not state.own.starter:
        return None
    if _asks(state, question) == AGAIN:
        return (), state.own.starter
    return (state.heaps, state.own.starter) if state.sure else None


def ways(place: tuple[Heaps, int]) -> tuple[Way, ...]:
    """The user's moves; between two games a y, after which the computer may have to begin."""
    heaps, starter = place
    if not heaps:
        begun = (RIGHT, starter)
        return (Way("y", leads=("begins", *begun), counts=begun if starter == COMPUTER else None),)
    return tuple(GAME.way(heaps, move, say(move), starter) for move in legal(heaps))


def typed(state: State, question: str, aim: object) -> str | None:
    """The answer for a way, in either case of letters, as long as the way's end is known."""
    known = place(state, question)
    return None if known is None else str(aim).upper() if sum(known[0]) % 2 else str(aim)
