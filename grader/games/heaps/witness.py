"""The position after a turn, by three witnesses: the heaps that are shown, the move that is told, and what is legal.

The heaps that are shown after a move must be what it leaves. If they are wrong, the program plays on with the shown
heaps, or it only shows them wrongly. Both are kept as possible, until later heaps tell which it is. A move of the computer is
seen from the heaps, or told. If the text fixes how it is told, the telling counts first. If neither shows the move, the heaps of
the next turn tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import cast

from grader.games.event import Asked, Named, Refused, Shown
from grader.games.heaps.facing import FirstMove, HeapsGame, State, Turn
from grader.games.heaps.moving import Heaps, Move, between, less
from grader.games.heaps.refusing import called_wrong, legal_refused, refuses_legal
from grader.games.heaps.replying import Faults, after_the_end, asked, believed, early, ended, replied, strategy
from grader.games.referee import UNREAD, Fault, Ruling

Rule = Callable[[State, Turn], Ruling]

SEVERAL = 3
"""Different first moves that must have been carried out before it counts that nothing depends on them."""


def ruled(game: HeapsGame, state: State, turn: Turn, *, wrong: Rule, rest: Rule) -> Ruling:
    """Rule on a turn. ``wrong`` rules after an answer that must be refused, and ``rest`` where no whole move was typed."""
    if state.over:
        ruling = after_the_end(game, state, turn)
    elif state.wrong:
        ruling = wrong(state, turn)
    elif state.move is None:
        ruling = rest(state, turn)
    else:
        ruling = moved(game, state, turn)
    if turn.announced and not state.announces:
        ruling = replace(ruling, state=cast(State, ruling.state)._replace(announces=True))
    if state.doubtful:
        return game.ruling(ruling.state, ruling.faults, ruling.occasions, doubtful=True)
    return ruling


def last_words_of(game: HeapsGame, state: State, turn: Turn) -> Ruling:
    """The ruling on a turn in which the program broke: a program may carry out a move, or name the winner, and never end."""
    ruling = Ruling(state)
    if state.over or state.wrong or state.move is None:
        return ruling
    if turn.winners:
        ruling = moved(game, state, turn._replace(ended=True))
    if not any(name.startswith("win") for name in ruling.occasions):
        return Ruling(state, (), ("moved",) if shows_move(state, turn) else ())
    return Ruling(
        ruling.state, tuple(fault for fault in ruling.faults if fault.kind == "wrong-winner"), ruling.occasions
    )


def shows_move(state: State, turn: Turn) -> bool:
    """Whether the heaps that are shown first are those that the legal move leaves, with no message before them."""
    # A computer whose turn never ended, or broke, was held against the move of the user: it was said that none is carried out.
    kinds = [type(one) for one in turn.events]
    calm = Shown in kinds and Refused not in kinds[: kinds.index(Shown)]
    move = state.move
    return (
        calm
        and move is not None
        and any(
            state.conduct.after(heaps, move, turn.boards) == turn.boards[0] != heaps
            for heaps in state.possible
            if state.conduct.takes(heaps, move)
        )
    )


def follows(state: State) -> tuple[str, ...]:
    """The kinds of faults that a program may show by breaking now: behind a legal move it may have carried that out wrongly."""
    # A program that also took from the first row broke as it drew less than no matches there, and paid for its ending as well.
    is_legal = state.move is not None and state.move[1] > 0 and not state.wrong and not state.over
    return ("wrong-board", "refused-legal") if is_legal else ()


def moved(game: HeapsGame, state: State, turn: Turn) -> Ruling:
    """The user's move is legal: it must be carried out, and the other one must move."""
    move = state.move
    assert move is not None
    if refuses_legal(state, turn):
        return legal_refused(game, state, turn, move)
    turn = _behind_refusal(state, turn)
    if state.unseen:
        return _reply_at_last(game, state, turn, move)
    if state.pending:  # it could be taken: the computer's move was what it seemed to be
        known = state._replace(pending=None, possible=state.possible[:1], doubtful=state.pending.kind == "illegal-move")
        ruling = moved(game, known, turn)
        later = tuple(fault for fault in ruling.faults if fault.kind == UNREAD or not known.doubtful)
        return game.ruling(ruling.state, (_earlier(state.pending), *later), ruling.occasions)
    conduct, befores = state.conduct, [heaps for heaps in state.possible if state.conduct.takes(heaps, move)]
    afters = tuple(conduct.after(heaps, move, turn.boards) for heaps in befores) or (state.heaps,)
    ruling = _finished(game, state, turn, afters) or _carried_out(game, state, turn, afters)
    # Sure to be legal and carried out, in a game that goes on. An output that is shown or asked again belongs to a
    # further answer: it is read where nobody gave one.
    called = turn.refuses and not turn.calls_reply_wrong
    if called and not turn.finishes and turn.boards[:1] == afters and _changes(turn.boards) == turn.boards:
        return game.ruling(ruling.state, (called_wrong(game, state), *ruling.faults), ruling.occasions)
    return ruling


def _behind_refusal(state: State, turn: Turn) -> Turn:
    """The last turn of a game, without heaps that a refusal of nothing that was typed shows once more before the move is read."""
    # The Enter of the last answer was read as a letter: “Illegal move!”, the old heaps, the question, and then “Player 1 wins!”.
    kinds = [type(one) for one in turn.events]
    if not turn.finishes or kinds[:1] != [Refused] or Asked not in kinds:
        return turn
    end = kinds.index(Asked)
    old = kinds[:end].count(Shown)
    if Named not in kinds[end:] or any(board not in state.possible for board in turn.boards[:old]):
        return turn
    return turn._replace(boards=turn.boards[old:], own=max(0, turn.own - old))


def _finished(game: HeapsGame, state: State, turn: Turn, afters: tuple[Heaps, ...]) -> Ruling | None:
    """The ruling where the game is over by this move, or for the program; None if it goes on."""
    nothing = all(n <= 0 for board in turn.boards for n in board)  # a game that goes on may go below nothing
    over = turn.finishes and (len(afters) > 1 or not game.computer)
    believed_over = over and state.doubtful and not game.computer
    if believed_over or (not all(map(any, afters)) and (nothing or over)):
        sure = nothing or not game.computer  # else the computer may have taken what is shown
        shows = (turn.finishes or bool(turn.boards)) and not believed_over
        occasions = ("move", "moved", "other-heap") if shows else ("move",)
        return ended(game, state, turn, state.player if sure else 0, (), occasions)
    if not game.computer and turn.finishes:
        return early(game, state._replace(possible=afters), state.player, turn, "move")
    return None


def _carried_out(game: HeapsGame, state: State, turn: Turn, afters: tuple[Heaps, ...]) -> Ruling:
    """The ruling on the heaps that the user's move leaves, and on the computer's answer."""
    boards = _changes(turn.boards)
    after, faults, rest = _board_after(game, state, afters, boards, turn)
    if game.told_first and turn.claim and 0 < turn.own < len(turn.boards):
        rest = turn.boards[turn.own :]  # what is shown again behind a move should have changed
    alternative = next((heaps for heaps in afters[::-1] if heaps != after), after) if after not in afters[1:] else after
    # More heaps than one have fewer things where a move is believed that the program had refused.
    smaller = {heap for heap, (n, m) in enumerate(zip(state.heaps, after, strict=True)) if m < n}
    if not boards and turn.claim is None:
        # A program that drew one row, and asked the same player always, was said to carry out no move, and lost everything.
        smaller &= {heap for heap, n in enumerate(turn.part or ()) if n == after[heap]}
    fewer = frozenset(smaller)
    occasions = ("move", "moved") if fewer else ("move",)
    if state.first_move is not None and fewer - state.first_move.fewer:
        occasions = (*occasions, "other-heap")
    elif fewer and state.first_move is None and state.move is not None:
        # A program that plays one game by heart, whatever is typed, earned two thirds: the first moves of its games
        # are compared.
        state = state._replace(first_move=FirstMove(state.move, after, fewer))
    if state.seen:
        occasions = (*occasions, "board-user")
    doubtful = state.doubtful or any(fault.kind == "wrong-board" for fault in faults)
    state = state._replace(possible=(after, alternative) if alternative != after else (after,), doubtful=doubtful)
    if not game.computer:
        return game.ruling(asked(state, turn), faults, occasions)
    reply = replied(game, state, rest, turn)
    if doubtful:
        reply = game.ruling(reply.state, reply.faults, reply.occasions, doubtful=True)
    if any(fault.kind == "ended-early" for fault in reply.faults):  # nothing need be shown of a game that is over
        faults = tuple(fault for fault in faults if fault.kind != "no-board-after-user")
    return game.ruling(reply.state, (*faults, *reply.faults), (*occasions, *reply.occasions))


def alike(states: Iterable[State]) -> tuple[Fault, ...]:
    """The fault of showing the same after the first move of each game, whatever is typed: such a program plays no game."""
    starts = [state.first_move for state in states if state.first_move is not None]
    if len({one.move for one in starts}) < SEVERAL or len({one.rest for one in starts}) > 1:
        return ()
    return (Fault("same-boards", "after the first move the program shows the same in every game, whatever was typed"),)


def _changes(boards: tuple[Heaps, ...]) -> tuple[Heaps, ...]:
    """The boards, without those that show the same again."""
    return tuple(board for at, board in enumerate(boards) if not at or board != boards[at - 1])


def _board_after(
    game: HeapsGame, state: State, afters: tuple[Heaps, ...], boards: tuple[Heaps, ...], turn: Turn
) -> tuple[Heaps, Faults, tuple[Heaps, ...]]:
    """The heaps after the user's move, what is wrong with how they are shown, and what is shown behind that.

    Heaps that are shown once may be those after the computer's move, unless its turn is announced behind them. Those before the user's move may
    be shown once more.
    """
    # A program that shows the old heaps once more above the new ones showed right heaps, and was charged.
    right = next((at for at, board in enumerate(boards) if board in afters), None)
    if right is not None and all(board in state.possible for board in boards[:right]):
        return boards[right], (), boards[right + 1 :]
    # A refusal that changes the heaps, in a game whose text fixes how the computer tells its move, is no move of the computer.
    silent = game.told_first and turn.claim is None and [type(one) for one in turn.events[:1]] == [Refused]
    single = game.computer and len(boards) == 1 and not silent
    later = next((after for after in afters if single and _replies(after, boards[0], turn)), None)
    part = tuple(n or 0 for n in turn.part or ())
    if not boards and part in afters:  # a row without rocks lost its name, which is no more than a slip of form
        return part, (), boards
    if not boards or (later and not turn.own):
        lacks = f"after the legal move {state.typed} the program does not show what is left"
        if turn.part is not None:
            lacks = f"after the legal move {state.typed} the program shows only a part of what is left"
        missing = Fault("no-board-after-user", lacks, passes=game.told_first)
        unread = Fault(UNREAD, "a move was made, but we could not read the board")
        return later or afters[0], (missing if state.seen else unread,), boards
    message = f"{state.typed} leaves {game.tell(afters[0])}, but the program shows {game.tell(boards[0])}"
    return boards[0] if any(boards[0]) else afters[0], (Fault("wrong-board", message),), boards[1:]


def _earlier(fault: Fault) -> Fault:
    """A fault of the computer's move that only the user's next move makes sure: the turn that is shown has the one behind it."""
    return replace(fault, message=f"{fault.message} (one turn earlier)")


def _replies(after: Heaps, board: Heaps, turn: Turn) -> bool:
    """Whether a board is what a move of the computer leaves: a legal one, or the one that it tells, though it may take too many."""
    by_claim = turn.claim is not None and 0 <= turn.claim[0] < len(after) and less(after, turn.claim) == board
    return by_claim or between(after, board) is not None


def _reply_at_last(game: HeapsGame, state: State, turn: Turn, move: Move) -> Ruling:
    """The computer's last move was not shown: the board after the user's next tells it."""
    boards = _changes(turn.boards)
    missing = Fault("no-board-after-computer", "the program does not show what a move of the computer leaves")
    if not boards and turn.finishes:
        return game.ruling(state._replace(over=True), () if game.told_first else (missing,), ("board-computer",))
    if not boards:
        unread = Fault(UNREAD, "neither the board nor a text tells what the computer took", stops=True)
        return game.ruling(state, (missing, unread) if state.seen else (unread,), ())
    heap, count = move
    before = tuple(n + count if at == heap else n for at, n in enumerate(boards[0]))
    reply = between(state.heaps, before)
    now = state._replace(possible=(before,), unseen=False)
    if reply is None:
        if before != state.heaps:
            return believed(game, now, turn, (missing,), ("move", "moved"))
        idle = _earlier(Fault("illegal-move", f"with {game.tell(state.heaps)} the computer takes nothing"))
        ruling = moved(game, now, turn)
        return game.ruling(ruling.state, (idle, *ruling.faults), ruling.occasions)
    faults, occasions = strategy(game, (state.heaps,), reply)
    ruling = moved(game, now, turn)
    return game.ruling(
        ruling.state, (missing, *faults, *ruling.faults), ("board-computer", *occasions, *ruling.occasions)
    )
