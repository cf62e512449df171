"""The reference for java-nim (Praktikumsaufgabe 3): the exact transcript as a generator, the rules, and the referee.

``python reference/java_nim.py`` plays it on a terminal. Three rows of matches, of any size; a move takes at least one match
from one row; whoever takes the last match wins. The user moves first, the computer leaves an exclusive or of 0 where it can.

The referee reads boards and what the computer says that it takes. Its player is strong in games whose first row begins
with an odd number, so that a program is also seen losing; in all others any move may be typed.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import reduce
from operator import xor

from grader.games.referee import UNREAD, Answers, Fault, Heard, Ruling
from grader.sessions.reference import Choice, Line, Play, perform

USER = "user"
COMPUTER = "computer"
ROWS = 3

Rows = tuple[int, ...]
Move = tuple[int, int]
"""A row from 1, and how many matches are taken from it."""


# ------------------------------------------------------------------------------------------------------------- the rules


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


# ----------------------------------------------------------------------------------------------------------- the dialogue


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


# ------------------------------------------------------------------------------------------------------------ the referee

ILLEGAL_MOVE = "illegal-move"  # the computer takes what the rules do not allow
POOR_MOVE = "poor-move"  # it could leave an exclusive or of 0, and does not
WRONG_START = "wrong-start"  # the first board is not what was typed: no other can be trusted
WRONG_BOARD = "wrong-board"  # the board is not what the moves make of it
WRONG_TELLING = "wrong-telling"  # it says that it takes something else than it takes
NO_BOARD_AFTER_USER = "no-board-after-user"
NO_BOARD_AFTER_COMPUTER = "no-board-after-computer"
UNREAD_BOARD = "unread-board"  # none was shown yet that could be read, so that nobody knows what its boards are like
REFUSED_LEGAL = "refused-legal"  # a legal answer is not taken
ENDED_EARLY = "ended-early"  # the program is over while there are matches
GOES_ON = "goes-on"  # the last match is taken, and the program asks for a move
WRONG_WINNER = "wrong-winner"
NO_WINNER = "no-winner"
ACCEPTS_NEGATIVE_START = "accepts-negative-start"
ACCEPTS_WRONG_ROW = "accepts-wrong-row"
ACCEPTS_EMPTY_ROW = "accepts-empty-row"
ACCEPTS_ZERO = "accepts-zero"
ACCEPTS_NEGATIVE = "accepts-negative"
ACCEPTS_TOO_MANY = "accepts-too-many"

FAULTS = (
    ILLEGAL_MOVE, POOR_MOVE, WRONG_START, WRONG_BOARD, WRONG_TELLING, NO_BOARD_AFTER_USER, NO_BOARD_AFTER_COMPUTER,
    UNREAD_BOARD, REFUSED_LEGAL, ENDED_EARLY, GOES_ON, WRONG_WINNER, NO_WINNER, ACCEPTS_NEGATIVE_START, ACCEPTS_WRONG_ROW, ACCEPTS_EMPTY_ROW, ACCEPTS_ZERO,
    ACCEPTS_NEGATIVE, ACCEPTS_TOO_MANY,
)  # fmt: skip
"""The kinds of faults that the referee finds, besides what it cannot read."""

OCCASIONS: dict[str, str] = {}
OCCASIONS_OF: dict[str, tuple[str, ...]] = {}

_WRONG = {
    ACCEPTS_NEGATIVE_START: "a negative number of matches to begin with",
    ACCEPTS_WRONG_ROW: "a row that does not exist",
    ACCEPTS_EMPTY_ROW: "a row without matches",
    ACCEPTS_ZERO: "a move of no match",
    ACCEPTS_NEGATIVE: "a negative number of matches",
    ACCEPTS_TOO_MANY: "more matches than the row has",
}
_OF_ROWS = (ACCEPTS_WRONG_ROW, ACCEPTS_EMPTY_ROW)

SIZES = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "13")
_WRONG_SIZES = ("-1", "-4")
_WRONG_ROWS = ("0", "4", "5", "-1")


@dataclass(frozen=True, slots=True)
class State:
    """All that the referee remembers.

    ``starts`` are the numbers typed to begin with, ``position`` is None until the first move is asked for. ``asks`` is what
    the program asked for last (row, count, again); ``row`` and ``count`` are what was typed of the user's move. ``due`` is
    the fault that the program commits unless it refuses what was typed last; ``late`` says that the row is wrong and the
    program asked for the number first; ``refused`` that a number to begin with was refused, as it seemed. ``strong`` says
    that the player wins where it can, ``seen`` that a board was read, ``over`` that the last match was taken.
    """

    starts: Rows = ()
    position: Position | None = None
    asks: str = ""
    row: int = 0
    count: int = 0
    due: str = ""
    late: bool = False
    refused: bool = False
    strong: bool = False
    seen: bool = False
    over: bool = False


START = State()

_AMOUNTS = {"amount": 0, "amount-1": 1, "amount-2": 2, "amount-3": 3}


def answers(state: State, _question: str) -> Answers:
    """What may be typed, by what ``hear`` took the question for."""
    position = state.position
    if state.asks == "again":
        return Answers(("n",))
    if position is None:
        return Answers(SIZES, _WRONG_SIZES)
    if state.late:
        return Answers(("1",))
    good = (best(position) if state.strong else ()) or moves(position)
    if state.asks == "row":
        empty = tuple(str(row) for row, n in enumerate(position.rows, 1) if not n)
        return Answers(tuple(dict.fromkeys(str(row) for row, _ in good)), (*_WRONG_ROWS, *empty))
    most = position.rows[state.row - 1]
    wrong = ("0", "-1", "-3", str(most + 1), str(most + 5))
    return Answers(tuple(str(n) for row, n in good if row == state.row), wrong)


def answer(state: State, _question: str, text: str) -> State:
    """The state after ``text`` was typed, legal or not."""
    if state.asks == "again" or state.late:
        return state
    number = int(text)
    position = state.position
    if position is None:
        return _start_typed(state, number)
    if state.asks == "row":
        exists = 1 <= number <= ROWS
        wrong = "" if exists and position.rows[number - 1] else ACCEPTS_EMPTY_ROW if exists else ACCEPTS_WRONG_ROW
        return replace(state, row=number, count=0, due=wrong)
    too_many = number > position.rows[state.row - 1]
    wrong = ACCEPTS_TOO_MANY if too_many else ACCEPTS_ZERO if not number else ACCEPTS_NEGATIVE if number < 0 else ""
    return replace(state, count=0 if wrong else number, due=wrong)


def _start_typed(state: State, number: int) -> State:
    if number < 0:
        return replace(state, due=ACCEPTS_NEGATIVE_START)
    return replace(state, starts=(*state.starts, number), due="")


def due(state: State) -> str:
    """What a program that breaks now has not refused; empty where nothing was to be refused."""
    return state.due


def hear(state: State, heard: Heard) -> Ruling:
    """Rule on what the program said in one turn."""
    if state.over:
        return _goes_on(state, heard)
    if state.position is None:
        return _setting_up(state, heard)
    if state.due:
        return _refusal(state, state.position, heard)
    if not state.count:
        return _row_taken(state, state.position, heard)
    return _moved(state, state.position, heard)


def _stop(state: State, kind: str, message: str, *before: Fault) -> Ruling:
    return Ruling(state, (*before, Fault(kind, message, stops=True)))


# --- the numbers to begin with


def _setting_up(state: State, heard: Heard) -> Ruling:
    """The program asks for a number to begin with, or begins."""
    if heard.ended:
        return _stop(state, state.due or ENDED_EARLY, "the program ends before the game has begun")
    row = _AMOUNTS.get(heard.question or "")
    if heard.question == "repeat" or (row is not None and not _boards(heard)):
        return _start_asked(state, row or 0)
    if heard.question is None:
        return Ruling(state)
    if len(state.starts) < ROWS or state.due:
        if state.due or state.refused:
            return _stop(state, ACCEPTS_NEGATIVE_START, f"{_WRONG[ACCEPTS_NEGATIVE_START]} is accepted")
        return _stop(state, UNREAD, "a move is asked for before three numbers were typed")
    return _begun(state, heard)


def _start_asked(state: State, row: int) -> Ruling:
    """A number to begin with is asked for: of row ``row``, or of 0 where it is not said which."""
    expected = len(state.starts) + 1
    if row in (0, expected):
        return Ruling(replace(state, refused=state.refused or bool(state.due), due=""))
    if state.due and row == expected + 1:
        return _stop(state, ACCEPTS_NEGATIVE_START, f"{_WRONG[ACCEPTS_NEGATIVE_START]} is accepted")
    if state.due and row == 1:
        return Ruling(replace(state, starts=(), refused=True, due=""))
    if row == expected - 1:
        return _stop(state, REFUSED_LEGAL, f"{state.starts[-1]} matches in row {row} are refused")
    return _stop(state, UNREAD, f"the matches of row {row} are asked for where row {expected} should be")


def _begun(state: State, heard: Heard) -> Ruling:
    rows = state.starts[-ROWS:]
    wrong = [board for board in _boards(heard) if board != rows]
    if wrong:
        said = f"the first board shows the rows {_shown(wrong[0])}, and {_shown(rows)} were typed"
        return _stop(state, WRONG_START, said)
    if heard.question != "row":
        return _stop(state, UNREAD, "something else than a row is asked for at the first move")
    return Ruling(
        replace(state, position=Position(rows), asks="row", strong=rows[0] % 2 == 1, seen=bool(_boards(heard)))
    )


# --- an answer that must be refused, a row


def _refusal(state: State, position: Position, heard: Heard) -> Ruling:
    """What was typed is wrong: it, or the whole move, must be asked for again."""
    what = _WRONG[state.due]
    if heard.ended:
        return _stop(state, state.due, f"{what} is not asked for again: the program ends")
    if _acts(heard) or any(board != position.rows for board in _boards(heard)):
        return _stop(state, state.due, f"{what} is accepted")
    asks = _asks(state, heard)
    if asks == "row":
        return Ruling(replace(state, asks="row", row=0, due="", late=False))
    return _count_again(state) if asks == "count" else Ruling(state)


def _count_again(state: State) -> Ruling:
    """After something wrong the number is asked for: again, or, where the row is wrong, before that is noticed."""
    if state.due not in _OF_ROWS:
        return Ruling(replace(state, asks="count", due=""))
    if not state.late:
        return Ruling(replace(state, asks="count", late=True))
    what = _WRONG[state.due]
    return _stop(state, state.due, f"after {what} only the number is asked for again, and none can be right")


def _row_taken(state: State, position: Position, heard: Heard) -> Ruling:
    """A row with matches was chosen: the number must be asked for."""
    if heard.ended:
        return _stop(state, ENDED_EARLY, f"the program ends while the rows are {_shown(position.rows)}")
    wrong = [board for board in _boards(heard) if board != position.rows]
    if wrong:
        return _stop(state, WRONG_BOARD, f"the rows are {_shown(wrong[0])} instead of {_shown(position.rows)}")
    asks = _asks(state, heard)
    if asks == "row":
        has = f"it has {position.rows[state.row - 1]} matches"
        return _stop(state, REFUSED_LEGAL, f"row {state.row} is refused, and {has}")
    return Ruling(replace(state, asks="count") if asks == "count" else state)


# --- a move of the user, and the computer's


def _moved(state: State, before: Position, heard: Heard) -> Ruling:
    """The user's move is legal: it must be carried out, and the computer must move."""
    boards = _boards(heard)
    state = replace(state, seen=state.seen or bool(boards))
    if _refused(state, before, heard):
        what = f"{state.count} of {before.rows[state.row - 1]} matches of row {state.row}"
        return _stop(state, REFUSED_LEGAL, f"{what} are refused")
    position = result(before, (state.row, state.count))
    others = [board for board in dict.fromkeys(boards) if board != position.rows]
    shown = boards[:1] == (position.rows,)
    over = outcome(position) is not None
    if over and not others:
        return _ended(state, position, heard)
    if over or len(others) > 1 or (others and not shown and not _between(position, others[0])):
        return _stop(state, WRONG_BOARD, f"the rows are {_shown(others[0])} instead of {_shown(position.rows)}")
    missing = () if shown else (_no_board(state, NO_BOARD_AFTER_USER),)
    return _replied(state, position, others[0] if others else None, heard, missing)


def _no_board(state: State, kind: str) -> Fault:
    """The fault of not showing the board; where none was ever read it may have been shown all the same."""
    if not state.seen:
        return Fault(UNREAD_BOARD, "a move was made, and no board could be read")
    return Fault(
        kind, f"the board is not shown after a move of the {USER if kind == NO_BOARD_AFTER_USER else COMPUTER}"
    )


def _refused(state: State, before: Position, heard: Heard) -> bool:
    """Whether a legal move was not taken: nothing has changed, and it is asked for again with a word of refusal."""
    unchanged = all(board == before.rows for board in _boards(heard))
    again = _asks(state, heard) == "count" or _says(heard, "refusal") or bool(_boards(heard))
    return unchanged and again and not heard.ended and not _acts(heard)


def _replied(state: State, position: Position, board: Rows | None, heard: Heard, faults: tuple[Fault, ...]) -> Ruling:
    """What the computer took, from the board that it shows or from what it says."""
    told = _told(heard)
    move = told if board is None else _between(position, board)
    if (
        move is None
        and board is None
        and sum(map(bool, position.rows)) == 1
        and (heard.ended or _says(heard, *_WINNERS))
    ):
        move = best(position)[0]  # as in the protocol: the last move is not shown
    if board is None and move is None:
        if _boards(heard).count(position.rows) > 1 and _says(heard, "computer-turn"):
            return _stop(state, ILLEGAL_MOVE, f"the computer takes nothing from {_shown(position.rows)}", *faults)
        if heard.ended:
            return _stop(state, ENDED_EARLY, f"the program ends while the rows are {_shown(position.rows)}")
        missing = _no_board(state, NO_BOARD_AFTER_COMPUTER)
        return _stop(state, UNREAD, "what the computer took is not shown", *faults, missing)
    if move is None or move not in moves(position):
        makes = f"makes {_shown(board)} of" if board else f"takes {told[1]} from row {told[0]} of" if told else "leaves"
        return _stop(state, ILLEGAL_MOVE, f"the computer {makes} {_shown(position.rows)}", *faults)
    return _judged(state, position, move, board, heard, faults)


def _judged(
    state: State, position: Position, move: Move, board: Rows | None, heard: Heard, faults: tuple[Fault, ...]
) -> Ruling:
    """A legal move of the computer: it must be a good one, shown and told as it is."""
    after, told, good = result(position, move), _told(heard), best(position)
    if told is not None and told != move:
        said = f"the computer says that it takes {told[1]} from row {told[0]}, and takes {move[1]} from row {move[0]}"
        faults += (Fault(WRONG_TELLING, said),)
    if good and move not in good:
        should = " or ".join(f"{count} from row {row}" for row, count in good)
        said = (
            f"the computer takes {move[1]} from row {move[0]} of {_shown(position.rows)}, where it should take {should}"
        )
        faults += (Fault(POOR_MOVE, said),)
    if outcome(after) is not None:
        return _ended(state, after, heard, *faults)
    if board is None:
        faults += (_no_board(state, NO_BOARD_AFTER_COMPUTER),)
    if _says(heard, *_WINNERS):
        faults += (Fault(WRONG_WINNER, f"a winner is named while the rows are {_shown(after.rows)}"),)
    if heard.ended:
        return _stop(state, ENDED_EARLY, f"the program ends while the rows are {_shown(after.rows)}", *faults)
    if heard.question is not None and heard.question != "row":
        return _stop(state, UNREAD, "something else than a row is asked for after a move of the computer", *faults)
    return Ruling(replace(state, position=after, asks="row", row=0, count=0), faults)


# --- the end

_WINS = {USER: "user-wins", COMPUTER: "computer-wins"}
_WINNERS = tuple(_WINS.values())


def _ended(state: State, position: Position, heard: Heard, *faults: Fault) -> Ruling:
    """The last match is taken: the winner must be named, and the program be over."""
    winner = outcome(position) or ""
    others = [fact for side, fact in _WINS.items() if side != winner]
    took = f"the {winner} took the last match"
    if _says(heard, *others):
        faults += (Fault(WRONG_WINNER, f"{took}, and another winner is named"),)
    elif not _says(heard, _WINS[winner]) and _says(heard, "end-word"):
        faults += (Fault(UNREAD, f"{took}, and who is said to win could not be read"),)
    elif not _says(heard, _WINS[winner]):
        faults += (Fault(NO_WINNER, f"{took}, and no winner is named"),)
    over = replace(state, position=position, row=0, count=0, over=True)
    ruling = _goes_on(over, heard)
    return Ruling(ruling.state, (*faults, *ruling.faults))


def _goes_on(state: State, heard: Heard) -> Ruling:
    if heard.ended or heard.question is None:
        return Ruling(state)
    if heard.question == "again" and state.asks != "again":
        return Ruling(replace(state, asks="again"))
    return _stop(state, GOES_ON, "the last match is taken, and the program goes on")


# --- what was heard


def _says(heard: Heard, *facts: str) -> bool:
    return any(said.fact in facts for said in heard.facts)


def _acts(heard: Heard) -> bool:
    """Whether the computer moves, as it says, or somebody wins."""
    return _says(heard, "computer-turn", *_WINNERS) or _told(heard) is not None


def _asks(state: State, heard: Heard) -> str | None:
    """What is asked for in the middle of a game: a row, a count, the same as before, or None where it is none of these."""
    if heard.question in _AMOUNTS:
        return "count"
    return {"row": "row", "repeat": state.asks}.get(heard.question or "")


def _boards(heard: Heard) -> tuple[Rows, ...]:
    """The boards that were shown. A row that comes again begins a new one; a row that is left out is empty.

    Where the program ended in the middle of a board, that one says nothing.
    """
    boards: list[dict[int, int]] = []
    for said in heard.facts:
        row, matches = said.number("row"), said.number("matches")
        if said.fact not in ("row", "numbered-row") or row is None or matches is None:
            continue
        if not boards or row in boards[-1]:
            boards.append({})
        boards[-1][row] = matches
    if heard.ended and boards and len(boards[-1]) < ROWS:
        boards.pop()
    return tuple(tuple(board.get(row, 0) for row in range(1, ROWS + 1)) for board in boards)


def _told(heard: Heard) -> Move | None:
    """What the computer says that it takes."""
    for said in reversed(heard.facts):
        row, count = said.number("row") or said.number("which"), said.number("count")
        if said.fact in ("takes-from", "from-takes") and row is not None and count is not None:
            return row, count
    return None


def _between(position: Position, rows: Rows) -> Move | None:
    """The move that makes ``rows`` of a position; None where no legal move does."""
    return next((move for move in moves(position) if result(position, move).rows == rows), None)


def _shown(rows: Rows) -> str:
    return ", ".join(map(str, rows))


if __name__ == "__main__":
    perform(play)
