"""The referee of java-nim, which plays the user.

The decisions of a game of heaps are those of `grader.games.heaps`. Special here are the numbers to begin with, which are typed, and a
move in two answers, a row and a number. In every other game the player is strong, so that a program is also seen losing; in the
others any move may be typed.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from grader.games.ground import Way
from grader.games.heaps import positions
from grader.games.heaps.ending import early
from grader.games.heaps.facing import AGAIN, COMPUTER, COUNT, MOVE, USER, HeapsGame, State, Turn
from grader.games.heaps.moving import Heaps, Move, allowed, legal
from grader.games.heaps.refusing import REFUSED, became, judged, legal_refused
from grader.games.heaps.ruling import last_words_of, ruled
from grader.games.heaps.witness import believed
from grader.games.referee import UNREAD, Answers, Fault, Heard, Ruling

from .faults import OCCASIONS, OCCASIONS_OF, WHY
from .play import SIZES
from .rules import ROWS, Position, best
from .turns import AMOUNTS, boards, turn


def _winning(heaps: Heaps) -> tuple[Move, ...]:
    return tuple((row - 1, count) for row, count in best(Position(heaps)))


def _tell(heaps: Heaps) -> str:
    return f"rows of {', '.join(map(str, heaps))}"


GAME = HeapsGame(
    occasions_of=OCCASIONS_OF,
    occasions=OCCASIONS,
    tell=_tell,
    say=lambda move: f"{move[1]} from row {move[0] + 1}",
    things="matches",
    players={USER: "the user", COMPUTER: "the computer"},
    why=WHY,
    winning=_winning,
    skips=frozenset({"wrong-row", "negative", "too-many"}),
)
"""Taking no match, in silence, is to accept a move of no match: there a turn that is lost shows by a word alone."""

_OF_ROWS = ("wrong-row", "empty-row")
_WRONG_SIZES = ("-1", "-4")
_WRONG_ROWS = ("0", "4", "5", "-1")
_ANYTHING = ((0, 1), (1, 1), (2, 1))


class Typed(NamedTuple):
    """What the referee remembers besides: what was typed.

    ``starts`` are the numbers to begin with, and ``refused`` says that one of them was refused, as it seemed. ``row`` is the row of a move,
    from 1, once it was typed; ``late`` says that it is wrong and that the program asked for the number first. ``strong`` says that the player wins
    where it can, and tries no negative numbers to begin with.
    """

    starts: Heaps = ()
    refused: bool = False
    row: int = 0
    late: bool = False
    strong: bool = False


START = State(own=Typed())
STARTS = (START, State(own=Typed(strong=True)))
"""Every other game is played to win, so that a program is also seen losing; its numbers to begin with are never negative."""


# --- what is typed


def answers(state: State, _question: str) -> Answers:
    """What may be typed, by what ``hear`` took the question for: only what is legal, or wrong, in all positions that are possible."""
    own = state.own
    if state.asks == AGAIN:
        return Answers(("n",))
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
        return tuple((row, 1) for row, n in enumerate(state.heaps) if n > 1) or legal(state.heaps)
    common = tuple(m for m in legal(state.heaps) if all(allowed(heaps, m) for heaps in state.possible))
    winning = tuple(m for m in _winning(state.heaps) if m in common) if state.own.strong else ()
    return winning or common or legal(state.heaps) or _ANYTHING


def _most(state: State, row: int) -> int:
    """How many matches a row has at most."""
    return max(heaps[row - 1] for heaps in state.possible)


def answer(state: State, _question: str, text: str) -> State:
    """The state after ``text`` was typed, legal or not."""
    own = state.own
    if state.asks == AGAIN or own.late or state.over:
        return state
    number = int(text)
    if not state.possible:
        what = f"{number} matches in row {len(own.starts) + 1} to begin with"
        starts = own.starts if number < 0 else (*own.starts, number)
        return state._replace(typed=what, wrong="negative-start" if number < 0 else "", own=own._replace(starts=starts))
    if state.asks == MOVE:
        exists = 1 <= number <= ROWS
        wrong = "wrong-row" if not exists else "" if _most(state, number) else "empty-row"
        move = (number - 1, 0) if wrong == "empty-row" else None
        return state._replace(typed=f"row {number}", move=move, wrong=wrong, own=own._replace(row=number))
    wrong = "zero" if not number else "negative" if number < 0 else "too-many" if number > _most(state, own.row) else ""
    return state._replace(typed=f"taking {number} from row {own.row}", move=(own.row - 1, number), wrong=wrong)


# --- all positions that can be reached

POSITIONS = "positions in which the computer has to move"


def openings(largest: int) -> tuple[Heaps, ...]:
    """The rows with which a game can begin, the longest games first: they come through many positions."""
    sizes = range(1, largest + 1)
    return tuple(sorted(product(sizes, repeat=ROWS), key=sum, reverse=True))


def place(state: State, _question: str) -> Heaps | None:
    """The rows from which the user has to choose; None where they are not known for sure, or something else is asked for."""
    return state.heaps if state.asks == MOVE and not state.own.late and positions.sure(state) else None


def ways(place: Heaps) -> tuple[Way, ...]:
    """The user's moves, small ones first: they make long games."""
    moves = sorted(legal(place), key=lambda move: move[1])
    return tuple(positions.way(GAME, place, move, (move[0] + 1, move[1])) for move in moves)


def typed(state: State, _question: str, aim: tuple[int, ...]) -> str | None:
    """What is typed for a way, or a beginning: one number after the other. What is in doubt is tried before."""
    if state.asks == AGAIN or state.own.late or state.over or state.unseen or state.doubtful:
        return None
    if not state.possible:
        starts = state.own.starts
        return str(aim[len(starts)]) if len(starts) < len(aim) else None
    row, count = aim
    if state.pending:
        row, count = state.in_doubt + 1, state.heaps[state.in_doubt]
    return str(row) if state.asks == MOVE else str(count)


# --- what is said


def due(state: State) -> str:
    """What a program that breaks now has not refused; empty where nothing was to be refused."""
    return f"{state.wrong}-taken" if state.wrong else ""


def silence(state: State) -> str:
    """What a program that prints nothing waits for: after one question for all numbers, or for a row and a number, the next of them."""
    own = state.own
    if state.over or state.asks == AGAIN:
        return ""
    if not state.possible:
        return "amount" if (own.starts or state.wrong) and len(own.starts) < ROWS else ""
    return "amount" if state.asks == MOVE and own.row and not own.late else ""


def hear(state: State, heard: Heard) -> Ruling:
    """Rule on what the program said in one turn."""
    if not state.possible and not state.over:
        return _setting_up(state, heard)
    said = turn(heard, state.asks)
    state = state._replace(seen=state.seen or bool(said.boards))
    ruling = ruled(GAME, state, said, wrong=_wrong, rest=_row_taken)
    after = ruling.state
    if after.asks == MOVE and (after.own.row or after.own.late):
        after = after._replace(own=after.own._replace(row=0, late=False))
    return Ruling(after, ruling.faults, ruling.occasions)


def last_words(state: State, heard: Heard) -> Ruling:
    """Of a turn in which the program broke, the winner: a program may name it and never end."""
    return last_words_of(GAME, state, turn(heard, state.asks))


def position(state: State) -> str:
    """The matches that there must be in each row; empty before they are known."""
    return "\n".join(f"{number}: {'|' * matches}" for number, matches in enumerate(state.heaps, 1))


# --- the numbers to begin with


def _setting_up(state: State, heard: Heard) -> Ruling:
    """The program asks for a number to begin with, or begins."""
    own, tried = state.own, (state.wrong,) if state.wrong else ()
    if heard.ended:
        said = f"after {state.typed} the program ends" if state.wrong else "the program ends before the game has begun"
        return _stop(state, due(state) or "ended-early", said, *tried)
    row = AMOUNTS.get(heard.question or "")
    if heard.question == "repeat" or (row is not None and not boards(heard.facts, ended=False)):
        return _size_asked(state, row or 0)
    if heard.question is None:
        return Ruling(state)
    if state.wrong or (own.refused and len(own.starts) < ROWS):
        return _negative_taken(state)
    if len(own.starts) < ROWS:
        return _stop(state, UNREAD, "a move is asked for before three numbers were typed")
    return _begun(state, heard)


def _size_asked(state: State, row: int) -> Ruling:
    """A number to begin with is asked for: of row ``row``, or of 0 where it is not said which."""
    own, expected = state.own, len(state.own.starts) + 1
    if row in (0, expected) or (state.wrong and row == 1):
        starts = own.starts if row in (0, expected) else ()
        asked = state._replace(wrong="", own=own._replace(starts=starts, refused=own.refused or bool(state.wrong)))
        return Ruling(asked, (), (state.wrong,) if state.wrong else ())
    if state.wrong and row == expected + 1:
        return _negative_taken(state)
    if row == expected - 1:
        fault = Fault("refused-legal", f"{own.starts[-1]} matches in row {row} to begin with are refused")
        return Ruling(state._replace(own=own._replace(starts=own.starts[:-1])), (fault,))
    return _stop(state, UNREAD, f"the matches of row {row} are asked for where row {expected} should be")


def _negative_taken(state: State) -> Ruling:
    said = "a negative number of matches to begin with was accepted"
    return _stop(state, "negative-start-taken", said, *((state.wrong,) if state.wrong else ()))


def _begun(state: State, heard: Heard) -> Ruling:
    said = turn(heard)
    if said.asks != MOVE:
        return _stop(state, UNREAD, "something else than a row is asked for at the first move")
    starts = state.own.starts[-ROWS:]
    shown = said.boards[-1] if said.boards else starts
    if not any(shown):
        return _stop(state, UNREAD, "no match could be read on the first board")
    begun = state._replace(possible=tuple(dict.fromkeys((shown, starts))), asks=MOVE, seen=bool(said.boards))
    wrong = Fault("wrong-start", f"{_tell(starts)} were typed to begin with, and the first board shows {_tell(shown)}")
    return Ruling(begun, () if shown == starts else (wrong,), ("start",))


def _stop(state: State, kind: str, message: str, *occasions: str) -> Ruling:
    return Ruling(state, (Fault(kind, message, stops=True),), occasions)


# --- a row, and then a number


def _wrong(state: State, said: Turn) -> Ruling:
    """What was typed is wrong: it, or the whole move, must be asked for again, and the matches stay."""
    own, refused = state.own, became(GAME, state, said) == REFUSED
    if refused and state.wrong in _OF_ROWS and said.asks == COUNT:
        if not own.late:  # the row may be refused once the number is typed
            return Ruling(state._replace(asks=COUNT, own=own._replace(late=True)))
        message = f"after {state.typed} only the number is asked for again, and none can be right"
        return _stop(state, due(state), message, state.wrong)
    if refused and not said.asks:
        return Ruling(state)
    end, faults, occasions = judged(GAME, state, said)
    if end == REFUSED:
        return GAME.ruling(state._replace(asks=said.asks, move=None, wrong=""), faults, occasions)
    return believed(GAME, state, said, faults, occasions)


def _row_taken(state: State, said: Turn) -> Ruling:
    """A row with matches was chosen: the number must be asked for."""
    if said.ended or said.asks == AGAIN:
        return early(GAME, state, COMPUTER, said)
    faults: tuple[Fault, ...] = ()
    shown = said.boards[-1] if said.boards else state.heaps
    if shown not in state.possible and any(shown) and not state.unseen:
        faults = (Fault("wrong-board", f"there are {_tell(state.heaps)}, and {_tell(shown)} are shown"),)
        state = state._replace(possible=(shown, state.heaps))
    if said.asks == MOVE:
        ruling = legal_refused(GAME, state, said, (state.own.row - 1, 1))
        return Ruling(ruling.state, (*faults, *ruling.faults), ruling.occasions)
    return Ruling(state._replace(asks=said.asks or state.asks), faults)
