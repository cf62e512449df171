"""The referee of java-nim, which plays the user.

It reads boards and what the computer says that it takes, and follows the program's own game. Where a board is not what the last
move makes of the one before, either the program plays on with what it shows, or it only shows it wrongly: both are kept as
positions that are possible, and only moves are typed that mean the same in both. In every other game its player is strong, so
that a program is also seen losing; in the others any move may be typed. A refusal is known by what it is: the matches
stay, and the user is asked again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from itertools import product
from operator import xor

from grader.games.ground import Way
from grader.games.referee import UNREAD, Answers, Fault, Heard, Ruling

from .play import SIZES
from .rules import COMPUTER, ROWS, USER, Move, Position, Rows, best, moves, outcome, result

ILLEGAL_MOVE = "illegal-move"  # the computer takes what the rules do not allow, or nothing
POOR_MOVE = "poor-move"  # it could leave an exclusive or of 0, and does not
WRONG_START = "wrong-start"  # the first board is not what was typed
WRONG_BOARD = "wrong-board"  # the board is not what the move makes of it
WRONG_TELLING = "wrong-telling"  # it says that it takes something else than it takes
NO_BOARD_AFTER_USER = "no-board-after-user"
NO_BOARD_AFTER_COMPUTER = "no-board-after-computer"
REFUSED_LEGAL = "refused-legal"  # a legal answer is not taken
ENDED_EARLY = "ended-early"  # the game is over while there are matches
GOES_ON = "goes-on"  # the last match is taken, and the program asks for a move
WRONG_WINNER = "wrong-winner"
NO_WINNER = "no-winner"
TURN_LOST = "turn-lost"  # a wrong answer is refused, and the computer moves
ACCEPTS_NEGATIVE_START = "accepts-negative-start"
ACCEPTS_WRONG_ROW = "accepts-wrong-row"
ACCEPTS_EMPTY_ROW = "accepts-empty-row"
ACCEPTS_ZERO = "accepts-zero"
ACCEPTS_NEGATIVE = "accepts-negative"
ACCEPTS_TOO_MANY = "accepts-too-many"

OCCASIONS = {
    "start": "games that began with the numbers that were typed",
    "move": "legal moves of the user",
    "moved": "legal moves of the user that were carried out",
    "reply": "moves of the computer",
    "won": "moves of the computer where it could leave an exclusive or of 0",
    "board-user": "moves of the user in games with a board that can be read",
    "board-computer": "moves of the computer in games with a board that can be read",
    "end": "games whose last match was taken",
    "win": "games whose winner had to be named",
    "negative-start": "negative numbers of matches to begin with",
    "wrong-row": "rows that do not exist",
    "empty-row": "rows without matches",
    "zero": "moves of no match",
    "negative": "moves of a negative number of matches",
    "too-many": "moves of more matches than the row has",
    "refusal": "invalid answers that were refused",
}
OCCASIONS_OF = {
    ILLEGAL_MOVE: ("reply",),
    POOR_MOVE: ("won",),
    WRONG_START: ("start",),
    WRONG_BOARD: ("move",),
    WRONG_TELLING: ("reply",),
    NO_BOARD_AFTER_USER: ("board-user",),
    NO_BOARD_AFTER_COMPUTER: ("board-computer",),
    REFUSED_LEGAL: ("move",),
    ENDED_EARLY: ("end",),
    GOES_ON: ("end",),
    WRONG_WINNER: ("win",),
    NO_WINNER: ("win",),
    TURN_LOST: ("refusal",),
    ACCEPTS_NEGATIVE_START: ("negative-start",),
    ACCEPTS_WRONG_ROW: ("wrong-row",),
    ACCEPTS_EMPTY_ROW: ("empty-row",),
    ACCEPTS_ZERO: ("zero",),
    ACCEPTS_NEGATIVE: ("negative",),
    ACCEPTS_TOO_MANY: ("too-many",),
}
FAULTS = tuple(OCCASIONS_OF)
"""The kinds of faults that the referee finds, besides what it cannot read."""

_OF_ROWS = (ACCEPTS_WRONG_ROW, ACCEPTS_EMPTY_ROW)

_WRONG_SIZES = ("-1", "-4")
_WRONG_ROWS = ("0", "4", "5", "-1")
_ANYTHING = ((1, 1), (2, 1), (3, 1))
_MOST_MATCHES = 200
"""No row of these games is longer: whatever is printed beyond that is read as so many."""


@dataclass(frozen=True, slots=True)
class State:
    """All that the referee remembers.

    ``starts`` are the numbers typed to begin with. ``rows`` are the matches as the program shows them, none until the first move
    is asked for; ``meant`` are those by the rules, where the program has once shown others: either it plays on with what it
    shows, or it only shows it wrongly. ``unseen`` says that the computer has moved since, and nothing told its move.

    ``asks`` is what the program asked for last (row, count, again); ``row`` and ``count`` are what was typed of the user's move,
    ``typed`` is the last number. ``due`` is the fault that the program commits unless it refuses what was typed last;
    ``late`` says that the row is wrong and the program asked for the number first; ``refused`` that a number to begin with
    was refused, as it seemed.

    ``strong`` says that the player wins where it can, and tries no negative numbers to begin with. ``seen`` says that a board was
    read, ``over`` that the game is over, ``winner`` who should still be named then. ``doubtful`` says that the computer
    took nothing that the board shows: it may have taken what was not there, and whatever comes of that is not judged.
    ``pending`` is the fault of a move of the computer that would be right if the row ``row_in_doubt`` were empty: the user
    tries next to take what is shown of it.
    """

    starts: Rows = ()
    rows: Rows = ()
    meant: Rows = ()
    unseen: bool = False
    asks: str = ""
    row: int = 0
    count: int = 0
    typed: int = 0
    due: str = ""
    late: bool = False
    refused: bool = False
    strong: bool = False
    seen: bool = False
    doubtful: bool = False
    pending: Fault | None = None
    row_in_doubt: int = 0
    over: bool = False
    winner: str = ""

    @property
    def possible(self) -> tuple[Rows, ...]:
        """The matches that there may be, as they are shown first."""
        return (self.rows, self.meant) if self.meant and self.meant != self.rows else (self.rows,)


START = State()
STARTS = (START, State(strong=True))
"""Every other game is played to win, so that a program is also seen losing; its numbers to begin with are never negative."""

_ROWS_ASKED = ("row", "move")
_AMOUNTS = {"amount": 0, "amount-1": 1, "amount-2": 2, "amount-3": 3}


def answers(state: State, _question: str) -> Answers:
    """What may be typed, by what ``hear`` took the question for: only what is legal, or wrong, in all positions that are possible."""
    if state.asks == "again":
        return Answers(("n",))
    if not state.rows:
        return Answers(SIZES, () if state.strong else _WRONG_SIZES)
    if state.late or state.over:
        return Answers(("1",))
    good = _playable(state)
    if state.pending:
        return Answers((str(good[0][0 if state.asks == "row" else 1]),))
    if state.asks == "row":
        empty = tuple(str(row) for row in range(1, ROWS + 1) if not any(rows[row - 1] for rows in state.possible))
        return Answers(tuple(dict.fromkeys(str(row) for row, _ in good)), (*_WRONG_ROWS, *empty * 2))
    most = _most(state)
    wrong = ("0", "-1", "-3", str(most + 1), str(most + 5))
    return Answers(tuple(str(n) for row, n in good if row == state.row) or ("1",), wrong)


def _playable(state: State) -> tuple[Move, ...]:
    """The moves that are typed: such as are legal in all positions that are possible, where there are any."""
    if state.pending:
        return ((state.row_in_doubt, state.rows[state.row_in_doubt - 1]),)
    if state.unseen:  # of a row with two matches or more one is left, if the computer did not take them all
        return tuple((row, 1) for row, n in enumerate(state.rows, 1) if n > 1) or moves(Position(state.rows))
    common = tuple(m for m in moves(Position(state.rows)) if all(_allowed(rows, m) for rows in state.possible))
    winning = tuple(m for m in best(Position(state.rows)) if m in common) if state.strong else ()
    return winning or common or moves(Position(state.rows)) or _ANYTHING


def _most(state: State) -> int:
    """How many matches the chosen row has at most."""
    return max(rows[state.row - 1] for rows in state.possible)


def answer(state: State, _question: str, text: str) -> State:
    """The state after ``text`` was typed, legal or not."""
    if state.asks == "again" or state.late or state.over:
        return state
    number = int(text)
    state = replace(state, typed=number)
    if not state.rows:
        wrong = ACCEPTS_NEGATIVE_START if number < 0 else ""
        return replace(state, due=wrong, starts=state.starts if wrong else (*state.starts, number))
    if state.asks == "row":
        chosen = replace(state, row=number, count=0)
        exists = 1 <= number <= ROWS
        return replace(chosen, due=ACCEPTS_WRONG_ROW if not exists else "" if _most(chosen) else ACCEPTS_EMPTY_ROW)
    too_many = number > _most(state)
    wrong = ACCEPTS_TOO_MANY if too_many else ACCEPTS_ZERO if not number else ACCEPTS_NEGATIVE if number < 0 else ""
    return replace(state, count=0 if wrong else number, due=wrong)


# --- all positions that can be reached

POSITIONS = "positions in which the computer has to move"


def openings(largest: int) -> tuple[Rows, ...]:
    """The rows with which a game can begin, the longest games first: they come through many positions."""
    sizes = range(1, largest + 1)
    return tuple(sorted(product(sizes, repeat=ROWS), key=sum, reverse=True))


def place(state: State, _question: str) -> Rows | None:
    """The rows from which the user has to choose; None where they are not known for sure, or something else is asked for."""
    unsure = state.unseen or state.doubtful or state.pending or state.late or state.over or len(state.possible) > 1
    return None if unsure or state.asks != "row" else state.rows or None


def ways(place: Rows) -> tuple[Way, ...]:
    """The user's moves, small ones first: they make long games."""
    return tuple(_way(Position(place), move) for move in sorted(moves(Position(place)), key=lambda move: move[1]))


def _way(position: Position, move: Move) -> Way:
    after = result(position, move)
    ends = outcome(after) is not None
    return Way(move, after.rows, counts=None if ends else after.rows, wins=not reduce(xor, after.rows), ends=ends)


def typed(state: State, _question: str, aim: tuple[int, ...]) -> str | None:
    """What is typed for a way, or a beginning: one number after the other. What is in doubt is tried before."""
    if state.asks == "again" or state.late or state.over or state.unseen or state.doubtful:
        return None
    if not state.rows:
        return str(aim[len(state.starts)]) if len(state.starts) < len(aim) else None
    row, count = _playable(state)[0] if state.pending else aim
    return str(row) if state.asks == "row" else str(count)


def due(state: State) -> str:
    """What a program that breaks now has not refused; empty where nothing was to be refused."""
    return state.due


def silence(state: State) -> str:
    """What a program that prints nothing waits for: after one question for all numbers, or for a row and a number, the next of them."""
    if state.over or state.asks == "again":
        return ""
    if not state.rows:
        return "amount" if (state.starts or state.due) and len(state.starts) < ROWS else ""
    return "amount" if state.asks == "row" and state.row and not state.late else ""


def hear(state: State, heard: Heard) -> Ruling:
    """Rule on what the program said in one turn; in a doubtful game only on whether it can be read."""
    ruling = _ruled(state, heard)
    if not state.doubtful:
        return ruling
    return Ruling(ruling.state, tuple(fault for fault in ruling.faults if fault.kind == UNREAD))


def _ruled(state: State, heard: Heard) -> Ruling:
    if state.over:
        return _after_the_end(state, heard)
    if not state.rows:
        return _setting_up(state, heard)
    if state.due:
        return _refusal(state, heard)
    if not state.count:
        return _row_taken(state, heard)
    return _moved(replace(state, seen=state.seen or bool(_boards(heard))), heard)


def last_words(state: State, heard: Heard) -> Ruling:
    """Of a turn in which the program broke, the winner: a program may name it and never end."""
    if state.over or state.due or not state.count or not _says(heard, *_WINNERS):
        return Ruling(state)
    ruling = hear(state, replace(heard, ended=True))
    if "win" not in ruling.occasions:
        return Ruling(state)
    return Ruling(ruling.state, tuple(f for f in ruling.faults if f.kind == WRONG_WINNER), ruling.occasions)


def _stop(state: State, kind: str, message: str, *occasions: str) -> Ruling:
    return Ruling(state, (Fault(kind, message, stops=True),), occasions)


# --- the numbers to begin with


def _setting_up(state: State, heard: Heard) -> Ruling:
    """The program asks for a number to begin with, or begins."""
    if heard.ended:
        said = f"after {_what(state)} the program ends" if state.due else "the program ends before the game has begun"
        return _stop(state, state.due or ENDED_EARLY, said, *_tried(state))
    row = _AMOUNTS.get(heard.question or "")
    if heard.question == "repeat" or (row is not None and not _boards(heard)):
        return _start_asked(state, row or 0)
    if heard.question is None:
        return Ruling(state)
    if state.due or (state.refused and len(state.starts) < ROWS):
        return _stop(state, ACCEPTS_NEGATIVE_START, _accepted(state), *_tried(state))
    if len(state.starts) < ROWS:
        return _stop(state, UNREAD, "a move is asked for before three numbers were typed")
    return _begun(state, heard)


def _start_asked(state: State, row: int) -> Ruling:
    """A number to begin with is asked for: of row ``row``, or of 0 where it is not said which."""
    expected = len(state.starts) + 1
    if row in (0, expected):
        return Ruling(replace(state, refused=state.refused or bool(state.due), due=""), (), _tried(state))
    if state.due and row == expected + 1:
        return _stop(state, ACCEPTS_NEGATIVE_START, _accepted(state), *_tried(state))
    if state.due and row == 1:
        return Ruling(replace(state, starts=(), refused=True, due=""), (), _tried(state))
    if row == expected - 1:
        fault = Fault(REFUSED_LEGAL, f"{state.starts[-1]} matches in row {row} to begin with are refused")
        return Ruling(replace(state, starts=state.starts[:-1]), (fault,))
    return _stop(state, UNREAD, f"the matches of row {row} are asked for where row {expected} should be")


def _begun(state: State, heard: Heard) -> Ruling:
    typed, boards = state.starts[-ROWS:], _boards(heard)
    if heard.question not in _ROWS_ASKED:
        return _stop(state, UNREAD, "something else than a row is asked for at the first move")
    shown = boards[-1] if boards else typed
    if not any(shown):
        return _stop(state, UNREAD, "no match could be read on the first board")
    begun = replace(state, rows=shown, meant=typed, asks="row", seen=bool(boards))
    if shown == typed:
        return Ruling(begun, (), ("start",))
    said = f"{_shown(typed)} matches were typed to begin with, and the first board shows {_shown(shown)}"
    return Ruling(begun, (Fault(WRONG_START, said),), ("start",))


# --- an answer that must be refused, a row


def _what(state: State) -> str:
    """What was typed last, in words."""
    if state.due == ACCEPTS_NEGATIVE_START or not state.rows:
        return f"{state.typed} matches in row {len(state.starts) + 1} to begin with"
    return f"row {state.typed}" if state.due in _OF_ROWS else f"{state.typed} matches of row {state.row}"


def _accepted(state: State) -> str:
    """That what was typed last is accepted, and why it must not be."""
    most = _most(state) if state.due == ACCEPTS_TOO_MANY else 0
    reasons = {
        ACCEPTS_WRONG_ROW: "there are the rows 1, 2 and 3",
        ACCEPTS_EMPTY_ROW: "no match is left in it",
        ACCEPTS_ZERO: "at least one match must be taken",
        ACCEPTS_NEGATIVE: "at least one match must be taken",
        ACCEPTS_TOO_MANY: f"the row has {most}",
    }
    if state.due not in reasons:
        return "a negative number of matches to begin with was accepted"
    return f"{_what(state)} {'was' if state.due in _OF_ROWS else 'were'} accepted: {reasons[state.due]}"


def _tried(state: State) -> tuple[str, ...]:
    """The occasion that a wrong answer gives."""
    return OCCASIONS_OF[state.due] if state.due else ()


def _refusal(state: State, heard: Heard) -> Ruling:
    """What was typed is wrong: it, or the whole move, must be asked for again, and the matches stay."""
    if heard.ended or _acts(heard) or any(board not in state.possible for board in _boards(heard)):
        return _not_refused(state, heard)
    asks = _asks(state, heard)
    if asks == "row":
        asked = replace(state, asks="row", row=0, due="", late=False)
        return Ruling(asked, (), (*_tried(state), "refusal"))
    return _count_again(state) if asks == "count" else Ruling(state)


def _count_again(state: State) -> Ruling:
    """After something wrong the number is asked for: again, or, where the row is wrong, before that is noticed."""
    if state.due not in _OF_ROWS:
        return Ruling(replace(state, asks="count", due=""), (), (*_tried(state), "refusal"))
    if not state.late:
        return Ruling(replace(state, asks="count", late=True))
    said = f"after {_what(state)} only the number is asked for again, and none can be right"
    return _stop(state, state.due, said, *_tried(state))


def _not_refused(state: State, heard: Heard) -> Ruling:
    """The matches change, the computer moves or the program ends: the answer was accepted, or it was refused and the turn is lost.

    Where nothing is taken, the turn is lost; but taking no match, in silence, is to accept a move of no match. Where another row
    has lost matches than the one that was typed, rows are mixed up, which shows in legal moves, too, and is judged there.
    """
    boards, seen = _boards(heard), _tried(state)
    if _turn_is_lost(state, heard):
        said = f"{_what(state)} must be asked for again, and the computer moves instead"
        return _believed(state, heard, (Fault(TURN_LOST, said),), (*seen, "refusal"))
    others = [row for row, (n, m) in enumerate(zip(state.rows, (*boards, state.rows)[0], strict=True), 1) if m < n]
    if state.due != ACCEPTS_WRONG_ROW and others and state.row not in others:
        return _believed(state, heard, (), ())
    ends = heard.ended and not _acts(heard)
    said = f"{_what(state)} must be asked for again, and the program ends" if ends else _accepted(state)
    return _believed(state, heard, (Fault(state.due, said),), seen)


def _turn_is_lost(state: State, heard: Heard) -> bool:
    """Whether the computer moves, and nothing was taken before."""
    boards, refused = _boards(heard), _says(heard, "refusal")
    reply = refused and len(boards) == 1 and _between(state.rows, boards[0]) is not None
    untouched = not boards or boards[0] in state.possible or reply
    nothing = state.due in (ACCEPTS_ZERO, ACCEPTS_EMPTY_ROW)
    last = _says(heard, "computer-wins") and sum(map(bool, state.rows)) == 1
    moves_on = _acts(heard) and (last or not (heard.ended or _says(heard, *_WINNERS)))
    return untouched and (refused or not nothing) and (moves_on or (reply and not heard.ended))


def _believed(state: State, heard: Heard, faults: tuple[Fault, ...], occasions: tuple[str, ...]) -> Ruling:
    """The game goes on with what is shown after a mistake, if a row is asked for."""
    rows = (state.rows, *_boards(heard))[-1]
    if heard.question not in _ROWS_ASKED or not any(rows):
        return Ruling(replace(state, over=True), tuple(replace(fault, stops=True) for fault in faults), occasions)
    asked = replace(
        state, rows=rows, meant=(), unseen=False, pending=None, asks="row", row=0, count=0, due="", late=False
    )
    return Ruling(asked, faults, occasions)


def _row_taken(state: State, heard: Heard) -> Ruling:
    """A row with matches was chosen: the number must be asked for."""
    if heard.ended or heard.question == "again":
        return _early(state, COMPUTER, heard)
    boards = _boards(heard)
    faults: tuple[Fault, ...] = ()
    if boards and boards[-1] not in state.possible and any(boards[-1]) and not state.unseen:
        said = f"the rows have {_shown(state.rows)} matches, and the board shows {_shown(boards[-1])}"
        faults = (Fault(WRONG_BOARD, said),)
        state = replace(state, rows=boards[-1], meant=state.rows)
    asks = _asks(state, heard)
    if asks == "row":
        sure = not state.unseen and all(rows[state.row - 1] for rows in state.possible)
        has = f"row {state.row} is refused, and it has {state.rows[state.row - 1]} matches"
        refused = _drawn_wrongly(state) or ((Fault(REFUSED_LEGAL, has),) if sure else ())
        return Ruling(replace(state, row=0, pending=None), (*faults, *refused), ("move",))
    return Ruling(replace(state, asks="count") if asks == "count" else state, faults)


# --- a move of the user, and the computer's


def _moved(state: State, heard: Heard) -> Ruling:
    """The user's move is legal: it must be carried out, and the computer must move."""
    move, shown = (state.row, state.count), _changes(_boards(heard))
    if _refused(state, heard):
        return _move_refused(state, heard)
    if state.unseen:
        return _seen_at_last(state, heard, move, shown)
    if state.pending:  # there were matches to take: the computer's move was what it seemed to be
        known = replace(state, pending=None, meant=(), doubtful=state.pending.kind == ILLEGAL_MOVE)
        ruling = hear(known, heard)
        return Ruling(ruling.state, (state.pending, *ruling.faults), ruling.occasions)
    afters = tuple(_less(rows, move) for rows in state.possible if _allowed(rows, move))
    doubt = len(afters) > 1
    if not all(map(any, afters)) and (not any(map(any, shown)) or (doubt and _finishes(heard))):
        sure = not any(map(any, shown))  # else the computer may have taken what is shown
        return _ended(state, USER if sure else "", heard, (), ("move", "moved"))
    after, faults, rest = _board_after(state, afters, shown, of_user=bool(_boards_of_user(heard)))
    meant = next((rows for rows in afters[::-1] if rows != after), ()) if after not in afters[1:] else ()
    occasions = ("move", *(("moved",) if after != state.rows else ()), *(("board-user",) if state.seen else ()))
    ruling = _replied(replace(state, rows=after, meant=meant), rest, heard)
    return Ruling(ruling.state, (*faults, *ruling.faults), (*occasions, *ruling.occasions))


def _refused(state: State, heard: Heard) -> bool:
    """Whether a legal move was not taken: nothing has changed, and it is asked for again with a word of refusal."""
    unchanged = all(board in state.possible for board in _boards(heard))
    again = _asks(state, heard) == "count" or _says(heard, "refusal") or (bool(_boards(heard)) and not state.unseen)
    return unchanged and again and not heard.ended and not _acts(heard)


def _move_refused(state: State, heard: Heard) -> Ruling:
    move = (state.row, state.count)
    sure = not state.unseen and all(_allowed(rows, move) for rows in state.possible)
    said = f"{state.count} of {state.rows[state.row - 1]} matches of row {state.row} are refused"
    asks = _asks(state, heard) or "row"
    asked = replace(state, asks=asks, row=state.row if asks == "count" else 0, count=0, pending=None)
    return Ruling(asked, _drawn_wrongly(state) or ((Fault(REFUSED_LEGAL, said),) if sure else ()), ("move",))


def _drawn_wrongly(state: State) -> tuple[Fault, ...]:
    """The fault of drawing matches in an empty row, where that explains a move of the computer and what is refused now."""
    if state.pending is None:
        return ()
    row = state.row_in_doubt
    said = f"{state.rows[row - 1]} matches are shown in row {row}, and it is refused to take them: the row is empty"
    return (Fault(WRONG_BOARD, said),)


def _board_after(
    state: State, afters: tuple[Rows, ...], shown: tuple[Rows, ...], *, of_user: bool
) -> tuple[Rows, tuple[Fault, ...], tuple[Rows, ...]]:
    """The matches after the user's move, what is wrong with their board, and the boards behind it.

    A single board may be the computer's, unless the computer's turn is announced behind it (``of_user``).
    """
    if shown and shown[0] in afters:
        return shown[0], (), shown[1:]
    skipped = next((after for after in afters if len(shown) == 1 and _between(after, shown[0])), None)
    if not shown or (skipped and not of_user):
        missing = Fault(NO_BOARD_AFTER_USER, "the board is not shown after a move of the user")
        unread = Fault(UNREAD, "a move was made, and no board could be read")
        return skipped or afters[0], (missing if state.seen else unread,), shown
    took = f"taking {state.count} from row {state.row} of the rows {_shown(state.rows)} leaves {_shown(afters[0])}"
    wrong = Fault(WRONG_BOARD, f"{took}, and the board shows {_shown(shown[0])}")
    return shown[0] if any(shown[0]) else afters[0], (wrong,), shown[1:]


def _seen_at_last(state: State, heard: Heard, move: Move, shown: tuple[Rows, ...]) -> Ruling:
    """The computer's last move was not shown: the board after the user's next tells it."""
    missing = Fault(NO_BOARD_AFTER_COMPUTER, "the board is not shown after a move of the computer")
    if not shown and _finishes(heard):
        return Ruling(replace(state, over=True), (missing,), ("board-computer",))
    if not shown:
        unread = Fault(UNREAD, "neither the board nor a word tells what the computer took", stops=True)
        return Ruling(state, (missing, unread) if state.seen else (unread,))
    before = tuple(n + move[1] if row == move[0] else n for row, n in enumerate(shown[0], 1))
    reply = _between(state.rows, before)
    now = replace(state, rows=before, unseen=False)
    if reply is None:
        idle = Fault(ILLEGAL_MOVE, f"the computer takes nothing from the rows {_shown(state.rows)}")
        return _believed(now, heard, (idle if before == state.rows else missing,), ("move", "moved"))
    faults, occasions = _reply_judged((state.rows,), reply)
    ruling = _moved(now, heard)
    return Ruling(ruling.state, (missing, *faults, *ruling.faults), ("board-computer", *occasions, *ruling.occasions))


def _replied(state: State, rest: tuple[Rows, ...], heard: Heard) -> Ruling:
    """What the computer took, from the board that it shows or from what it says."""
    told = _told(heard)
    if rest:
        return _reply_shown(state, rest[-1], told, heard)
    if told and _allowed(state.rows, told):
        missing = (Fault(NO_BOARD_AFTER_COMPUTER, "the board is not shown after a move of the computer"),)
        return _reply_made(state, told, None, heard, missing if any(_less(state.rows, told)) and state.seen else ())
    last = next((rows for rows in state.possible if sum(map(bool, rows)) == 1), ())
    if last and (heard.ended or _says(heard, *_WINNERS)):  # as in the protocol: the last move is not shown
        return _reply_made(replace(state, rows=last, meant=()), best(Position(last))[0], None, heard)
    return _early(state, USER, heard) if _finishes(heard) else _no_reply(state, told, heard)


def _no_reply(state: State, told: Move | None, heard: Heard) -> Ruling:
    """The game goes on, and no legal move of the computer is shown or said: there is none, or the next board tells it."""
    if told or (_boards(heard).count(state.rows) > 1 and _says(heard, "computer-turn")):
        took = f"{told[1]} from row {told[0]} of" if told else "nothing from"
        idle = Fault(ILLEGAL_MOVE, f"the computer takes {took} the rows {_shown(state.rows)}")
        if len(state.possible) > 1:  # where boards are drawn wrongly a move may not show on them
            return _asked(replace(state, doubtful=True), heard)
        row = 0 if told else _row_in_doubt(state)
        if row:
            return _asked(_doubting(state, row, idle), heard)
        return _asked(replace(state, doubtful=True), heard, (idle,))
    if not state.seen:
        return _stop(state, UNREAD, "no board could be read, and what the computer took is not said")
    return _asked(replace(state, unseen=True, meant=()), heard)


def _reply_shown(state: State, board: Rows, told: Move | None, heard: Heard) -> Ruling:
    """The computer's move shows on the board; where the one before was wrong it may follow from what is meant."""
    move = _between(state.rows, board)
    if move is not None:
        return _reply_made(state, move, told, heard)
    if state.meant and _between(state.meant, board):
        return _reply_made(
            replace(state, rows=state.meant, meant=()), _between(state.meant, board) or (0, 0), told, heard
        )
    said = f"the computer makes {_shown(board)} of the rows {_shown(state.rows)}: a move takes matches from one row"
    faults = () if len(state.possible) > 1 else (Fault(ILLEGAL_MOVE, said),)
    if not any(board):
        return Ruling(replace(state, over=True), faults, ("reply",))
    ruling = _asked(replace(state, rows=board, meant=()), heard, faults)
    seen = ("board-computer",) if state.seen else ()
    return Ruling(ruling.state, ruling.faults, ("reply", *seen))


def _reply_made(state: State, move: Move, told: Move | None, heard: Heard, faults: tuple[Fault, ...] = ()) -> Ruling:
    """A legal move of the computer."""
    befores = tuple(rows for rows in state.possible if _allowed(rows, move))
    judged, occasions = _reply_judged(befores, move)
    in_doubt = _row_in_doubt(state, move[0]) if judged and state.rows[move[0] - 1] > move[1] else 0
    faults = (*faults, *(() if in_doubt else judged))
    if told is not None and told != move:
        said = f"the computer says that it takes {told[1]} from row {told[0]}, and takes {move[1]} from row {move[0]}"
        faults = (*faults, Fault(WRONG_TELLING, said))
    afters = tuple(_less(rows, move) for rows in befores)
    if len(befores) > 1 and _finishes(heard) and not any(_emptied(befores[1], move[0])):
        return _ended(state, COMPUTER, heard, faults, occasions)
    if not any(afters[0]) or (not all(map(any, afters)) and _finishes(heard)):
        return _ended(state, COMPUTER, heard, faults, occasions)
    state = replace(state, rows=afters[0], meant=afters[-1])
    if state.seen:
        occasions = (*occasions, "board-computer")
    if _finishes(heard):
        early = _early(state, COMPUTER, heard)
        return Ruling(early.state, (*faults, *early.faults), (*occasions, *early.occasions))
    if _says(heard, *_WINNERS):
        faults = (*faults, Fault(WRONG_WINNER, f"a winner is named while the rows have {_shown(state.rows)} matches"))
    ruling = _asked(_doubting(state, in_doubt, judged[0]) if in_doubt else state, heard, faults)
    return Ruling(ruling.state, ruling.faults, occasions)


def _row_in_doubt(state: State, row: int = 0) -> int:
    """The row that the computer may have emptied, so that its move is right and only the board is wrong; 0 where there is none."""
    rows = state.possible[-1]
    whole = [(number, n) for number, n in enumerate(rows, 1) if n and row in (0, number)]
    right = best(Position(rows)) or tuple(whole)
    return next((number for number, n in sorted(whole, key=lambda move: move[1]) if (number, n) in right), 0)


def _doubting(state: State, row: int, fault: Fault) -> State:
    """The state in which a row may be empty although matches are shown in it."""
    return replace(state, meant=_emptied(state.possible[-1], row), pending=fault, row_in_doubt=row)


def _emptied(rows: Rows, row: int) -> Rows:
    return tuple(0 if number == row else n for number, n in enumerate(rows, 1))


def _reply_judged(befores: tuple[Rows, ...], move: Move) -> tuple[tuple[Fault, ...], tuple[str, ...]]:
    """Whether a legal move is that of the strategy, in all positions that are possible."""
    good = [best(Position(rows)) for rows in befores]
    if not all(good):
        return (), ("reply",)
    if any(move in winning for winning in good):
        return (), ("reply", "won")
    should = " or ".join(f"{count} from row {row}" for row, count in good[0])
    said = f"the computer takes {move[1]} from row {move[0]} of the rows {_shown(befores[0])}; {should} would have kept the win"
    return (Fault(POOR_MOVE, said),), ("reply", "won")


def _asked(state: State, heard: Heard, faults: tuple[Fault, ...] = ()) -> Ruling:
    """After a move of the computer the user's next row is asked for."""
    if heard.question is not None and heard.question not in _ROWS_ASKED:
        unread = Fault(UNREAD, "something else than a row is asked for after a move of the computer", stops=True)
        return Ruling(state, (*faults, unread))
    return Ruling(replace(state, asks="row", row=0, count=0), faults)


# --- the end

_WINS = {USER: "user-wins", COMPUTER: "computer-wins"}
_WINNERS = tuple(_WINS.values())


def _finishes(heard: Heard) -> bool:
    """Whether the game is over for the program: it has ended, or names a winner and asks for no move, or offers another game."""
    return heard.ended or heard.question == "again" or (heard.question is None and _says(heard, *_WINNERS))


def _early(state: State, mover: str, heard: Heard) -> Ruling:
    """The game is over while there are matches, unless others are meant than are shown.

    For the program the last match was taken by who moved last: naming that one is right, and naming the other follows from
    the mistake.
    """
    over = replace(state, over=True)
    if len(state.possible) > 1 or state.unseen:
        return Ruling(over)
    named = {fact for fact in _WINNERS if _says(heard, fact)} == {_WINS[mover]}
    said = f"the game ends while the rows have {_shown(state.rows)} matches"
    return _stop(over, ENDED_EARLY, said, *(("win",) if named else ()))


def _ended(state: State, winner: str, heard: Heard, faults: tuple[Fault, ...], occasions: tuple[str, ...]) -> Ruling:
    """The last match is taken: the winner must be named, and the program be over."""
    ruling = _after_the_end(replace(state, row=0, count=0, over=True, winner=winner), heard)
    return Ruling(ruling.state, (*faults, *ruling.faults), (*occasions, "end", *ruling.occasions))


def _after_the_end(state: State, heard: Heard) -> Ruling:
    """The winner is named now, or later: a program that first asks for a move has made one mistake, not two."""
    faults: tuple[Fault, ...] = ()
    occasions: tuple[str, ...] = ()
    goes_on = heard.question is not None and (heard.question != "again" or state.asks == "again")
    if state.winner and (_says(heard, *_WINNERS) or not goes_on):
        faults = _named(state.winner, heard)
        occasions = () if any(fault.kind == UNREAD for fault in faults) else ("win",)
        state = replace(state, winner="")
    if heard.question == "again" and not goes_on:
        return Ruling(replace(state, asks="again"), faults, occasions)
    if not goes_on or heard.ended:
        return Ruling(state, faults, occasions)
    on = Fault(GOES_ON, "the last match is taken, and the program goes on", stops=not state.winner)
    return Ruling(state, (*faults, on), occasions)


def _named(winner: str, heard: Heard) -> tuple[Fault, ...]:
    """What is wrong with the winner that is named."""
    other = COMPUTER if winner == USER else USER
    took = f"the {winner} took the last match and wins"
    if _says(heard, _WINS[other]):
        return (Fault(WRONG_WINNER, f"{took}, and the {other} is named as the winner"),)
    if _says(heard, _WINS[winner]):
        return ()
    if _says(heard, "end-word"):
        return (Fault(UNREAD, f"{took}, and who is said to win could not be read"),)
    return (Fault(NO_WINNER, f"{took}, and no winner is named"),)


# --- rows and moves


def _allowed(rows: Rows, move: Move) -> bool:
    return 1 <= move[0] <= ROWS and 1 <= move[1] <= rows[move[0] - 1]


def _less(rows: Rows, move: Move) -> Rows:
    return tuple(n - move[1] if row == move[0] else n for row, n in enumerate(rows, 1))


def _between(before: Rows, after: Rows) -> Move | None:
    """The move that makes one of the other; None where no legal move does."""
    changed = [(row, n - m) for row, (n, m) in enumerate(zip(before, after, strict=True), 1) if n != m]
    return changed[0] if len(changed) == 1 and changed[0][1] > 0 else None


def _changes(boards: tuple[Rows, ...]) -> tuple[Rows, ...]:
    """The boards, without those that show the same again."""
    return tuple(board for at, board in enumerate(boards) if not at or board != boards[at - 1])


# --- what was heard


def _says(heard: Heard, *facts: str) -> bool:
    return any(fact.name in facts for fact in heard.facts)


def _acts(heard: Heard) -> bool:
    """Whether the computer moves, as it says, or somebody wins."""
    return _says(heard, "computer-turn", *_WINNERS) or _told(heard) is not None


def _asks(state: State, heard: Heard) -> str | None:
    """What is asked for in the middle of a game: a row, a count, the same as before, or None where it is none of these."""
    if heard.question in _AMOUNTS:
        return "count"
    return {**dict.fromkeys(_ROWS_ASKED, "row"), "repeat": state.asks}.get(heard.question or "")


def _boards(heard: Heard) -> tuple[Rows, ...]:
    """The boards that were shown. A row that comes again begins a new one; a row that is left out is empty.

    Where the program ended in the middle of a board, that one says nothing.
    """
    boards: list[dict[int, int]] = []
    for fact in heard.facts:
        row, matches = fact.number("row"), fact.number("matches")
        if fact.name not in ("row", "numbered-row") or row is None or matches is None:
            continue
        if not boards or row in boards[-1]:
            boards.append({})
        boards[-1][row] = min(matches, _MOST_MATCHES)
    if heard.ended and boards and len(boards[-1]) < ROWS:
        boards.pop()
    return tuple(tuple(board.get(row, 0) for row in range(1, ROWS + 1)) for board in boards)


def _boards_of_user(heard: Heard) -> tuple[Rows, ...]:
    """The boards before the computer's turn is announced; none where it is not."""
    turn = next((at for at, fact in enumerate(heard.facts) if fact.name in _TURNS), 0)
    return _boards(replace(heard, facts=heard.facts[:turn], ended=False))


_TURNS = ("computer-turn", "takes-from", "from-takes")


def _told(heard: Heard) -> Move | None:
    """What the computer says that it takes."""
    for fact in reversed(heard.facts):
        row, count = fact.number("row") or fact.number("which"), fact.number("count")
        if fact.name in ("takes-from", "from-takes") and row is not None and count is not None:
            return row, count
    return None


def _shown(rows: Rows) -> str:
    return ", ".join(map(str, rows))


def position(state: State) -> str:
    """The matches that there must be in each row; empty before they are known."""
    return "\n".join(f"{number}: {'|' * matches}" for number, matches in enumerate(state.rows, 1))
