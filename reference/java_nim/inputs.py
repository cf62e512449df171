"""Input for java-nim: legal answers and those that must be refused, and the ways through all positions."""

from __future__ import annotations

from itertools import product

from grader.games.ground import Way
from grader.games.heaps.facing import AGAIN, MOVE, State
from grader.games.heaps.moving import Heaps, Move, allowed, balancing, legal
from grader.games.referee import Answers

from .game import GAME
from .play import SIZES
from .turns import ROWS

_ANYTHING = ((0, 1), (1, 1), (2, 1))
_WRONG_SIZES = ("-1", "-4")
_WRONG_ROWS = ("0", "4", "5", "-1")
"""0 and 4 may lie in an array of four or five rows, where nothing breaks; 5 and -1 lie in none."""


def answers(state: State, _question: str) -> Answers:
    """The answers that may be typed to the question that ``hear`` found: only those that are legal, or wrong, in all possible positions."""
    own = state.own
    if state.asks == AGAIN:
        return Answers((), leaves=True)
    if not state.possible:
        return Answers(SIZES, () if own.strong else _WRONG_SIZES)
    if own.late or state.over:
        return Answers(("1",))
    good = _playable(state)
    if state.pending:
        return Answers((str(good[0][0] + 1 if state.asks == MOVE else good[0][1]),))
    if state.asks == MOVE:
        empty = tuple(str(row + 1) for row in range(ROWS) if not any(heaps[row] for heaps in state.possible))
        return Answers(tuple(dict.fromkeys(str(row + 1) for row, _ in good)), (*_WRONG_ROWS, *empty * 2))
    most = _most(state, own.row)
    wrong = ("0", "-1", "-3", str(most + 1), str(most + 5))
    return Answers(tuple(str(n) for row, n in good if row + 1 == own.row) or ("1",), wrong)


def _playable(state: State) -> tuple[Move, ...]:
    """The moves that are typed: such as are legal in all positions that are possible, where there are any."""
    if state.pending:
        return ((state.in_doubt, state.heaps[state.in_doubt]),)
    if state.unseen:  # of a row with two matches or more one is left, if the computer did not take them all
        return tuple((row, 1) for row, n in enumerate(state.heaps) if n > 1) or legal(state.heaps) or _ANYTHING
    common = tuple(m for m in legal(state.heaps) if all(allowed(heaps, m) for heaps in state.possible))
    strong = tuple(m for m in balancing(state.heaps) if m in common) if state.own.strong else ()
    return strong or common or legal(state.heaps) or _ANYTHING


def _most(state: State, row: int) -> int:
    """How many matches a row has at most."""
    return max(heaps[row - 1] for heaps in state.possible)


def answer(state: State, _question: str, text: str) -> State:
    """The state after ``text`` was typed, legal or not."""
    own = state.own
    if own.late or state.over:
        return state
    number = int(text)
    if not state.possible:
        what = f"{number} matches in row {len(own.starts) + 1} to begin with"
        if number < 0:
            return state._replace(typed=what, wrong="negative-start")
        known = own._replace(starts=(*own.starts, number), legal=(*own.legal, number))
        return state._replace(typed=what, wrong="", own=known)
    if state.asks == MOVE:
        exists = 1 <= number <= ROWS
        wrong = "wrong-row" if not exists else "" if _most(state, number) else "empty-row"
        move = (number - 1, 0) if wrong == "empty-row" else None
        return state._replace(typed=f"row {number}", move=move, wrong=wrong, own=own._replace(row=number))
    wrong = "zero" if not number else "negative" if number < 0 else "too-many" if number > _most(state, own.row) else ""
    return state._replace(typed=f"taking {number} from row {own.row}", move=(own.row - 1, number), wrong=wrong).read()


# --- all positions that can be reached

POSITIONS = "positions in which the computer has to move"


def openings(largest: int) -> tuple[Heaps, ...]:
    """The rows with which a game can begin, the longest games first: they come through many positions."""
    sizes = range(1, largest + 1)
    return tuple(sorted(product(sizes, repeat=ROWS), key=sum, reverse=True))


def place(state: State, _question: str) -> Heaps | None:
    """The rows from which the user has to choose; None where they are not known for sure, or the program asks for something else for."""
    return state.heaps if state.asks == MOVE and not state.own.late and state.sure else None


def ways(place: Heaps) -> tuple[Way, ...]:
    """The user's moves, small ones first: they make long games."""
    moves = sorted(legal(place), key=lambda move: move[1])
    return tuple(GAME.way(place, move, (move[0] + 1, move[1])) for move in moves)


def typed(state: State, _question: str, aim: tuple[int, ...]) -> str | None:
    """The numbers for a way, or for a beginning, one after the other. A number in doubt is tried before."""
    if state.own.late or state.over or state.unseen or state.doubtful:
        return None
    if not state.possible:
        starts = state.own.starts
        return str(aim[len(starts)]) if len(starts) < len(aim) else None
    row, count = aim
    if state.pending:
        row, count = state.in_doubt + 1, state.heaps[state.in_doubt]
    return str(row) if state.asks == MOVE else str(count)
