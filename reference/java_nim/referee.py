"""The referee of java-nim, which plays the user.

The decisions of a game of heaps are those of `grader.games.heaps`. Special here are the numbers to begin with, which are typed, and a
move in two answers, a row and a number. In every other game the player is strong, so that a program is also seen losing; in the
others any move may be typed.
"""

from __future__ import annotations

import re
from dataclasses import replace

from grader.games.event import Refused
from grader.games.heaps.facing import AGAIN, COMPUTER, COUNT, MOVE, SIZE, State, Turn
from grader.games.heaps.moving import Move, between
from grader.games.heaps.refusing import LOST, REFUSED, became, judged, legal_refused
from grader.games.heaps.replying import believed, early
from grader.games.heaps.witness import last_words_of, moved, ruled
from grader.games.referee import UNREAD, Fault, Heard, Ruling

from .game import AMOUNTS, GAME, Typed, tell
from .turns import ROWS, called_by_place, odd_labels

_WORD = re.compile(r"[^\W\d_]+")
_BEGINS = (SIZE, "amount-1")
"""Questions with which another game begins behind the end of one: a program may play on and on by a loop in ``main``."""
_OF_ROWS = ("wrong-row", "empty-row")
_FOR_EVER = 10
"""Refusals in one turn: no program has so many words for one."""
_BLANK = "we could not read any match on the first board"


def due(state: State) -> str:
    """The refusal that a program neglects if it breaks now, or the next question; empty if nothing was to be refused."""
    if state.wrong == LOST:
        return "turn-lost"
    return f"{state.wrong}-taken" if state.wrong else ""


def silence(state: State) -> str:
    """The question of a program that prints nothing: a number to begin with, or behind a row the number to take."""
    own = state.own
    if state.over or state.asks == AGAIN:
        return ""
    if not state.possible:
        # A program that asked for the first numbers without a word was charged for playing no game.
        return "amount" if len(own.starts) < ROWS else ""
    return "amount" if state.asks == MOVE and own.row and not own.late else ""


def hear(state: State, heard: Heard) -> Ruling:
    """Rule on what the program said in one turn."""
    if not state.possible and not state.over:
        return _setting_up(state, heard)
    if state.own.labels:
        heard = called_by_place(heard, state.own.labels)
    said = state.sees(
        GAME.turn(heard, state.asks)._replace(speaks=heard.aside or bool(_words(heard) - state.own.words)), ()
    )
    state = state._replace(seen=state.seen or bool(said.boards))
    ruling = ruled(GAME, state, said, wrong=_wrong, rest=_row_taken)
    after, faults = ruling.state, ruling.faults
    if after.asks == MOVE and (after.own.row or after.own.late):
        after = after._replace(own=after.own._replace(row=0, late=False))
    if after.over and heard.question in _BEGINS:
        after, faults = after._replace(asks=AGAIN), tuple(one for one in faults if one.kind != "plays-on")
    return Ruling(after, faults, ruling.occasions)


def _words(heard: Heard) -> frozenset[str]:
    """The words of the lines that state nothing which is known; a board in a program's own words is such lines, and its marks change."""
    return frozenset(" ".join(_WORD.findall(line)) for line in heard.words)


def last_words(state: State, heard: Heard) -> Ruling:
    """The ruling on a turn in which the program broke: it may carry out a move, name the winner, or refuse an answer, and never end."""
    turn = GAME.turn(heard, state.asks)
    # A program that printed its refusal for ever paid for accepting each kind of wrong number.
    if state.wrong and state.possible and turn.events.count(Refused()) >= _FOR_EVER:
        return Ruling(state._replace(wrong=LOST, plain=None), (), (state.wrong, "refusal"))
    return last_words_of(GAME, state, turn)


def position(state: State) -> str:
    """The matches that there must be in each row; empty before they are known."""
    return "\n".join(f"{number}: {'|' * matches}" for number, matches in enumerate(state.left, 1))


# --- the numbers to begin with


def _setting_up(state: State, heard: Heard) -> Ruling:
    """The program asks for a number to begin with, or begins."""
    own, tried = state.own, (state.wrong,) if state.wrong else ()
    if heard.ended and own.again:
        return Ruling(state, (replace(_refused(own), stops=True),), tried)
    if heard.ended:
        # A program whose computer makes all moves begins a game.
        over = "the program ends before the user has made a move"
        said = f"after {state.typed} the program ends" if state.wrong else over
        return _stop(state, due(state) or "ended-early", said, *tried)
    row = AMOUNTS.get(heard.question or "")
    if heard.question == "repeat" or (row is not None and not GAME.turn(heard).boards):
        return _size_asked(state, row or 0)
    if heard.question is None:
        return Ruling(state)
    if state.wrong or (own.refused and len(own.starts) < ROWS):
        return _negative_taken(state)
    missing = tuple(range(len(own.starts) + 1, ROWS + 1))
    known = own._replace(starts=(*own.starts, *(0 for _ in missing)), unasked=(*own.unasked, *missing))
    return _begun(state._replace(own=known), heard)


def _size_asked(state: State, row: int) -> Ruling:
    """A number to begin with is asked for: of row ``row``, or of 0 where it is not said which."""
    own, expected = state.own._replace(named=row), len(state.own.starts) + 1
    is_again = 0 < row == state.own.named
    # A program that asks for the rows 0, 1 and 2 was charged for refusing each number, and for taking a negative one.
    is_next = row in (0, expected) or (row == expected - 1 and is_again == bool(state.wrong))
    if is_next or (state.wrong and row == 1):
        starts = own.starts if is_next else ()
        seems = bool(state.wrong) and not row  # a question that names its row is surely asked again
        asked = state._replace(wrong="", own=own._replace(starts=starts, refused=own.refused or seems))
        return Ruling(asked, (), (state.wrong,) if state.wrong else ())
    if state.wrong and row == expected + 1:
        return _negative_taken(state)
    if row == expected - 1:
        again = own._replace(starts=own.starts[:-1], again=own.again or (own.legal[-1], row))
        if len(own.legal) < ROWS:  # the question may only name a wrong row: the first board shows that
            return Ruling(state._replace(own=again))
        return Ruling(state._replace(own=again._replace(again=())), (_refused(again),))
    if row > expected and not state.wrong:  # rows that are passed over are empty, as it seems
        passed = range(expected, row)
        own = own._replace(starts=(*own.starts, *(0 for _ in passed)), unasked=(*own.unasked, *passed))
        return Ruling(state._replace(own=own))
    return _stop(state, UNREAD, f"the program asks for the matches of row {row}, but row {expected} comes next")


def _refused(own: Typed) -> Fault:
    number, row = own.again
    return Fault("refused-legal", f"the program refuses {number} matches in row {row} to begin with")


def _negative_taken(state: State) -> Ruling:
    said = "the program accepts a negative number of matches to begin with"
    return _stop(state, "negative-start-taken", said, *((state.wrong,) if state.wrong else ()))


def _begun(state: State, heard: Heard) -> Ruling:
    """The game begins. Where its board shows all numbers, none was refused, though a row was asked for again: it has a wrong name there."""
    own = state.own
    if not own.again:
        return _shown(state, heard)
    if GAME.turn(called_by_place(heard, odd_labels(heard))).boards[-1:] == (own.legal,):
        return _shown(state._replace(own=own._replace(starts=own.legal, unasked=(), again=())), heard)
    ruling = _shown(state._replace(own=own._replace(again=())), heard)
    return replace(ruling, faults=(_refused(own), *ruling.faults))


def _shown(state: State, heard: Heard) -> Ruling:
    # A program that called its first two rows “2. Reihe” was charged for a wrong board, and for none.
    labels = odd_labels(heard)
    by_place = called_by_place(heard, labels)
    if labels and GAME.turn(by_place).boards[-1:] == (state.own.starts[-ROWS:],):
        heard, state = by_place, state._replace(own=state.own._replace(labels=labels))
    said = state.sees(GAME.turn(heard), state.own.starts[-ROWS:])
    if said.asks != MOVE:
        return _stop(state, UNREAD, "at the first move the program must ask for a row, but asks for something else")
    state = state._replace(own=state.own._replace(words=_words(heard)))
    starts, unasked = state.own.starts[-ROWS:], state.own.unasked
    shown = said.boards[-1] if said.boards else starts
    if shown == starts and len(state.own.starts) - len(unasked) == ROWS:  # the rows 2, 3 and 4 were asked for
        unasked = ()
    if not any(shown) and said.boards:  # matches may be drawn by marks that nobody thought of: each row is tried
        return Ruling(state._replace(possible=(shown,), asks=MOVE, seen=True, own=state.own._replace(blank=True)))
    if not any(shown):
        return _stop(state, UNREAD, _BLANK)
    if unasked and not said.boards:
        return _stop(state, UNREAD, "the program asks for a move before three numbers were typed")
    if unasked:
        rows = " and ".join(map(str, unasked))
        lacks = f"the program does not ask for the number of matches of row {rows}; the first board shows {tell(shown)}"
        begun = state._replace(possible=(shown,), asks=MOVE, seen=True)
        return Ruling(begun, (Fault("wrong-start", lacks),), ("start",))
    begun = state._replace(possible=tuple(dict.fromkeys((shown, starts))), asks=MOVE, seen=bool(said.boards))
    wrong = Fault("wrong-start", f"{tell(starts)} were typed to begin with, but the first board shows {tell(shown)}")
    return Ruling(begun, () if shown == starts else (wrong,), ("start",))


def _stop(state: State, kind: str, message: str, *occasions: str) -> Ruling:
    return Ruling(state, (Fault(kind, message, stops=True),), occasions)


# --- a row, and then a number


def _wrong(state: State, said: Turn) -> Ruling:
    """The typed number is wrong: it, or the whole move, must be asked for again, and the matches stay."""
    own, refused = state.own, became(GAME, state, said) == REFUSED
    if own.blank and not refused:
        return _stop(state, UNREAD, _BLANK)
    if refused and state.wrong in _OF_ROWS and said.asks == COUNT:
        if not own.late:  # the row may be refused once the number is typed
            return Ruling(state._replace(asks=COUNT, own=own._replace(late=True)))
        message = f"after {state.typed} the program asks only for the number again, and no number can be right"
        return _stop(state, due(state), message, state.wrong)
    if refused and not said.asks:
        return Ruling(state)
    end, faults, occasions = judged(GAME, state, said)
    if end == REFUSED:
        return GAME.ruling(state._replace(asks=said.asks, move=None, wrong=""), faults, occasions)
    return believed(GAME, state, said, faults, occasions)


def _unasked(state: State, said: Turn) -> Move | None:
    """The move that a program makes of a row alone, whose number it does not ask for; None if it makes none.

    A program that took 1 each time was charged for playing no game.
    """
    row = state.own.row - 1
    if not 0 <= row < ROWS or state.unseen or (said.asks != MOVE and not said.ended):
        return None
    if not said.boards:
        is_last = said.winners and sum(state.heaps) == state.heaps[row] == 1
        return (row, 1) if is_last else None
    move = between(state.heaps, said.boards[0])
    return move if move is not None and move[0] == row else None


def _row_taken(state: State, said: Turn) -> Ruling:
    """A row with matches was chosen: the number must be asked for."""
    unasked = _unasked(state, said)
    if unasked is not None:
        count = unasked[1]
        lacks = f"after {state.typed} the program does not ask for a number, and takes {count}"
        ruling = moved(GAME, state._replace(move=unasked), said)
        return Ruling(ruling.state, (Fault("wrong-board", lacks), *ruling.faults), ruling.occasions)
    if said.ended or said.asks == AGAIN:
        return early(GAME, state, COMPUTER, said)
    faults: tuple[Fault, ...] = ()
    shown = said.boards[-1] if said.boards else state.heaps
    if shown not in state.possible and any(shown) and not state.unseen:
        faults = (Fault("wrong-board", f"there are {tell(state.heaps)}, but the program shows {tell(shown)}"),)
        state = state._replace(possible=(shown, state.heaps))
    if said.asks == MOVE:
        ruling = legal_refused(GAME, state, said, (state.own.row - 1, 1))
        return Ruling(ruling.state, (*faults, *ruling.faults), ruling.occasions)
    return Ruling(state._replace(asks=said.asks or state.asks), faults)
