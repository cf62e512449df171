"""The referee of c-nim, which plays the user.

The decisions of a game of heaps are those of `grader.games.heaps`. The text fixes how the computer tells its move, so the
told move counts more than the heaps that are shown. Special here is the match: who starts a game, the score, and whether another is played.
The start of each game is judged once, and after a mistake a game goes on from the heaps that are shown.
"""

from __future__ import annotations

from dataclasses import replace

from grader.games.event import Asked, Event
from grader.games.heaps.facing import AGAIN, MOVE, State, Turn
from grader.games.heaps.refusing import REFUSED, called_wrong, judged, keeps
from grader.games.heaps.replying import asked
from grader.games.heaps.witness import ruled, shows_move
from grader.games.referee import UNREAD, Fault, Heard, Ruling

from .game import GAME
from .match import OWN_CALLED_WRONG, after_answer, after_no, begun, next_game, over, resumed
from .turns import LETTERS, RIGHT, follows, passes

_QUESTION = Asked(AGAIN)


def hear(state: State, heard: Heard) -> Ruling:
    """Rule on what the program said up to its question, or to its end."""
    turn = state.sees(GAME.turn(heard, state.asks), RIGHT)
    another = next_game(state, turn)
    if another:
        return _unasked(state, heard, turn.events, another)
    if state.own.stopped:
        return after_no(state, turn)
    if state.asks == AGAIN:
        return after_answer(state, turn)
    if not state.possible:
        return over(begun(state, turn), turn)
    if state.wrong:
        return _after_illegal(state, turn)
    return _after_legal(state, turn)


def last_words(state: State, heard: Heard) -> Ruling:
    """The ruling on a turn in which the program broke: whether no was answered, illegal moves of the computer, and the end of a game.

    A program that breaks after no plays no other game. A computer that takes more than there is may move without end. The move
    of the user before that was carried out. Behind the end of a game, in the question for another one, the game itself has ended.
    """
    if state.own.stopped or state.wrong:
        return Ruling(state, (), ("no",) if state.own.stopped else ())
    turn = state.sees(GAME.turn(heard, state.asks), RIGHT)
    if state.possible and _QUESTION in turn.events:
        before = replace(heard, events=turn.events[: turn.events.index(_QUESTION) + 1], question=AGAIN, ended=False)
        ended = hear(state, before)
        between: State = ended.state  # type: ignore[assignment]
        if not between.possible:
            return replace(ended, state=between._replace(over=True))
    faults = tuple(replace(one, stops=False) for one in hear(state, heard).faults if one.kind == "illegal-move")
    return Ruling(state, faults, ("moved",) if shows_move(state, turn) else ())


def due(state: State) -> str:
    """The duty that a program neglects if it breaks now: to refuse, to end, or to wait for an answer; empty if nothing was due."""
    if state.wrong:
        return f"{state.wrong}-taken"
    if state.over:
        return "answer-refused"
    return "bad-end" if state.own.stopped else ""


def position(state: State) -> str:
    """The heaps that there must be, as the assignment shows them; empty where nobody knows them, and before the first ones."""
    # Beside heaps below nothing, which cannot be followed, the report showed those before the user's move.
    if state.doubtful:
        return ""
    return "\n".join(f"{letter}: {stones}" for letter, stones in zip(LETTERS, state.left, strict=False))


def _unasked(state: State, heard: Heard, events: tuple[Event, ...], another: int) -> Ruling:
    """Another game begins at this event behind the end of one: each is judged by its own part of the turn."""
    ended = hear(state, replace(heard, events=events[:another], question=AGAIN, ended=False))
    if any(fault.stops for fault in ended.faults):
        return ended
    unasked = Fault("never-asks", "the game is over, and the program begins another without asking for it")
    between: State = ended.state  # type: ignore[assignment]
    rest = between.sees(GAME.turn(replace(heard, events=events[another:]), AGAIN), RIGHT)
    ruling = over(begun(between, rest), rest)
    faults = (*ended.faults, unasked, *ruling.faults)
    return Ruling(ruling.state, faults, (*ended.occasions, *ruling.occasions))


# --- a move


def _after_legal(state: State, turn: Turn) -> Ruling:
    """A legal move was typed: besides what it leaves, the heaps are shown before each question, and what is typed is read once."""
    if not (turn.asks or turn.ended or turn.acts or turn.boards):
        return Ruling(state)  # nothing of it could be read
    ruling = ruled(GAME, state, turn, wrong=lambda *_: Ruling(state), rest=lambda *_: Ruling(state))
    kinds = {fault.kind for fault in ruling.faults}
    faults, occasions = ruling.faults, list(ruling.occasions)
    if "refused-legal" not in kinds and turn.asks == MOVE and not ruling.state.over:
        occasions.append("asked")
        if turn.refuses and not ruling.state.doubtful:
            twice = Fault("read-twice", "the program refuses a move that nobody made")
            faults = (*faults, OWN_CALLED_WRONG if turn.calls_reply_wrong else twice)
    elif turn.refuses and not (kinds & {"refused-legal", "plays-on"} or passes(turn) or state.doubtful):
        faults = (*faults, called_wrong(GAME, state))
    if not state.doubtful:
        case = "capital" if state.typed.strip()[:1].isupper() else "small"
        occasions += [case, *["heaps"] * (len(turn.boards) if "refused-legal" not in kinds else 0)]
    after = ruling.state
    heaps = after.heaps if after.over else next(filter(follows, after.possible), None)
    # Heaps below nothing cannot be followed: what comes of them is judged no more.
    known = after._replace(possible=(heaps,)) if heaps else after._replace(possible=(state.heaps,), doubtful=True)
    return over(GAME.ruling(known, faults, occasions), turn)


def _after_illegal(state: State, turn: Turn) -> Ruling:
    """The heaps stay, and are shown again."""
    if state.unseen and not state.doubtful and not keeps(state, turn):
        unseen = "the computer must have moved, but we could not read what it took"
        return Ruling(state, (Fault(UNREAD, unseen, stops=True),))
    end, faults, occasions = judged(GAME, state, turn)
    if end == REFUSED:
        if not turn.boards:
            shown = f"the program refuses {state.typed}, but does not show the heaps again"
            faults = (*faults, Fault("no-board", shown))
        noted = () if state.doubtful else (*occasions, "asked")
        return GAME.ruling(asked(state, turn), () if state.doubtful else faults, noted)
    faults = tuple(replace(fault, stops=turn.ended) for fault in faults)
    return GAME.ruling(resumed(state, turn), faults, occasions)
