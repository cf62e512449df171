"""What is the position after a turn? Three witnesses: the heaps that are shown, the move that is told, and what is legal.

The heaps that are shown after a move must be what it leaves. Where they are not, either the program plays on with what it shows, or it only shows
it wrongly: both are kept as possible, until later heaps tell which it is. A move of the computer is seen from the heaps, or told; where the text fixes how it
is told that is believed first. Where neither shows it, the heaps of the next turn tell.
"""

from __future__ import annotations

from dataclasses import replace

from grader.games.heaps.ending import early, ended
from grader.games.heaps.facing import AGAIN, COMPUTER, COUNT, MOVE, SIZE, USER, HeapsGame, State, Turn
from grader.games.heaps.moving import Heaps, Move, allowed, between, emptied, legal, less
from grader.games.heaps.refusing import legal_refused, refuses_legal
from grader.games.referee import UNREAD, Fault, Ruling

Faults = tuple[Fault, ...]


def moved(game: HeapsGame, state: State, turn: Turn) -> Ruling:
    """The user's move is legal: it must be carried out, and the other one must move."""
    move = state.move
    assert move is not None
    if refuses_legal(state, turn):
        return legal_refused(game, state, turn, move)
    if state.unseen:
        return _seen_at_last(game, state, turn, move)
    if state.pending:  # it could be taken: the computer's move was what it seemed to be
        known = state._replace(pending=None, possible=state.possible[:1], doubtful=state.pending.kind == "illegal-move")
        ruling = moved(game, known, turn)
        later = tuple(fault for fault in ruling.faults if fault.kind == UNREAD or not known.doubtful)
        return game.ruling(ruling.state, (state.pending, *later), ruling.occasions)
    afters = tuple(less(heaps, move) for heaps in state.possible if allowed(heaps, move)) or (state.heaps,)
    return _finished(game, state, turn, afters) or _carried_out(game, state, turn, afters)


def _finished(game: HeapsGame, state: State, turn: Turn, afters: tuple[Heaps, ...]) -> Ruling | None:
    """The ruling where the game is over by this move, or for the program; None where it goes on."""
    nothing = not any(map(any, turn.boards))
    over = turn.finishes and (len(afters) > 1 or not game.computer)
    believed_over = over and state.doubtful and not game.computer
    if believed_over or (not all(map(any, afters)) and (nothing or over)):
        sure = nothing or not game.computer  # else the computer may have taken what is shown
        made = ("move", "moved") if turn.finishes or turn.boards else ("move",)
        return ended(game, state, turn, state.player if sure else 0, (), made)
    if not game.computer and turn.finishes:
        return early(game, state._replace(possible=afters), state.player, turn, "move")
    return None


def _carried_out(game: HeapsGame, state: State, turn: Turn, afters: tuple[Heaps, ...]) -> Ruling:
    """What the user's move leaves, and what the computer makes of it."""
    shown = _changes(turn.boards)
    after, faults, rest = _board_after(game, state, afters, shown, turn)
    meant = next((heaps for heaps in afters[::-1] if heaps != after), after) if after not in afters[1:] else after
    changed = (shown or turn.told is not None) and after != state.heaps
    occasions = ("move", *(("moved",) if changed else ()), *(("board-user",) if state.seen else ()))
    doubtful = state.doubtful or (game.board_doubts and any(fault.kind == "wrong-board" for fault in faults))
    state = state._replace(possible=(after, meant) if meant != after else (after,), doubtful=doubtful)
    if not game.computer:
        return game.ruling(asked(state, turn), faults, occasions)
    reply = replied(game, state, rest, turn)
    if doubtful:
        reply = game.ruling(reply.state, reply.faults, reply.occasions, doubtful=True)
    if any(fault.kind == "ended-early" for fault in reply.faults):  # nothing need be shown of a game that is over
        faults = tuple(fault for fault in faults if fault.kind != "no-board-after-user")
    return game.ruling(reply.state, (*faults, *reply.faults), (*occasions, *reply.occasions))


def _changes(boards: tuple[Heaps, ...]) -> tuple[Heaps, ...]:
    """The boards, without those that show the same again."""
    return tuple(board for at, board in enumerate(boards) if not at or board != boards[at - 1])


def _board_after(
    game: HeapsGame, state: State, afters: tuple[Heaps, ...], shown: tuple[Heaps, ...], turn: Turn
) -> tuple[Heaps, Faults, tuple[Heaps, ...]]:
    """The heaps after the user's move, what is wrong with how they are shown, and what is shown behind that.

    Heaps that are shown once may be those after the computer's move, unless its turn is announced behind them.
    """
    if shown and shown[0] in afters:
        return shown[0], (), shown[1:]
    single = game.computer and len(shown) == 1
    skipped = next((after for after in afters if single and between(after, shown[0])), None)
    if not shown or (skipped and not turn.own):
        missing = Fault("no-board-after-user", f"after {state.typed}, a legal move, it is not shown what is left")
        unread = Fault(UNREAD, "a move was made, and no board could be read")
        return skipped or afters[0], (missing if state.seen else unread,), shown
    left = f"{state.typed} leaves {game.tell(afters[0])}, and {game.tell(shown[0])} are shown"
    return shown[0] if any(shown[0]) else afters[0], (Fault("wrong-board", left),), shown[1:]


def asked(state: State, turn: Turn) -> State:
    """The state in which the next move is asked for."""
    return state._replace(asks=turn.asks, move=None, wrong="")


# ------------------------------------------------------------------------------------------------ the computer's move


def replied(game: HeapsGame, state: State, rest: tuple[Heaps, ...], turn: Turn) -> Ruling:
    """What the computer took, from the heaps that are shown after the user's move or from what it says."""
    told = turn.told
    if told and game.told_first:
        return _reply_told(game, state, told, rest, turn)
    if rest:
        return _reply_shown(game, state, rest[-1], turn)
    if told and allowed(state.heaps, told):
        missing = Fault("no-board-after-computer", "it is not shown what a move of the computer leaves")
        return reply_made(game, state, told, turn, (missing,) if any(less(state.heaps, told)) and state.seen else ())
    last = next((heaps for heaps in state.possible if sum(map(bool, heaps)) == 1), ())
    if last and (turn.ended or turn.winners):  # the last move need not be shown
        return reply_made(game, state._replace(possible=(last,)), (game.winning(last) or legal(last))[0], turn)
    return early(game, state, USER, turn) if turn.finishes else _no_reply(game, state, turn)


def _reply_told(game: HeapsGame, state: State, told: Move, rest: tuple[Heaps, ...], turn: Turn) -> Ruling:
    """A move that is told as the text wants it is believed: the heaps must be what it leaves."""
    if not allowed(state.heaps, told):
        idle = Fault("illegal-move", f"with {game.tell(state.heaps)} the computer takes {game.say(told)}")
        return believed(game, state, turn, (idle,), ("reply",))
    after = less(state.heaps, told)
    if rest and rest[-1] != after:
        left = f"{game.say(told)} leaves {game.tell(after)}, and {game.tell(rest[-1])} are shown"
        ruling = reply_made(game, state, told, turn, (Fault("wrong-board", left),))
        known: State = ruling.state  # type: ignore[assignment]
        after_all = known if known.over else known._replace(possible=(rest[-1],), doubtful=game.board_doubts)
        return Ruling(after_all, ruling.faults, ruling.occasions)
    missing = Fault("no-board-after-computer", "it is not shown what a move of the computer leaves")
    return reply_made(game, state, told, turn, () if rest or not any(after) else (missing,))


def _no_reply(game: HeapsGame, state: State, turn: Turn) -> Ruling:
    """The game goes on, and no legal move of the computer is shown or said: there is none, or the next board tells it."""
    told = turn.told
    if told or (turn.boards.count(state.heaps) > 1 and (turn.announced or game.told_first)):
        took = game.say(told) if told else "nothing"
        idle = Fault("illegal-move", f"with {game.tell(state.heaps)} the computer takes {took}")
        if len(state.possible) > 1:  # where boards are drawn wrongly a move may not show on them
            return _on(game, state._replace(doubtful=True), turn)
        heap = None if told or game.told_first else _heap_in_doubt(game, state)
        if heap is not None:
            return _on(game, _doubting(state, heap, idle), turn)
        return _on(
            game, state._replace(doubtful=not game.told_first), turn, (idle,), ("reply",) if game.told_first else ()
        )
    if not state.seen:
        unread = Fault(UNREAD, "no board could be read, and what the computer took is not said", stops=True)
        return game.ruling(state, (unread,), ())
    return _on(game, state._replace(unseen=True, possible=state.possible[:1]), turn)


def _reply_shown(game: HeapsGame, state: State, board: Heaps, turn: Turn) -> Ruling:
    """The computer's move shows on the board; where the one before was wrong it may follow from what is meant."""
    for heaps in state.possible:
        move = between(heaps, board)
        if move is not None:
            known = state if heaps == state.heaps else state._replace(possible=(heaps,))
            untold = Fault(
                "untold-move", f"the heaps show that the computer took {game.say(move)}, and no text tells it"
            )
            return reply_made(game, known, move, turn, () if turn.told else (untold,))
    said = (
        f"the computer leaves {game.tell(board)} of {game.tell(state.heaps)}: a move takes {game.things} from one heap"
    )
    faults = () if len(state.possible) > 1 else (Fault("illegal-move", said),)
    if not any(board):
        return game.ruling(state._replace(over=True), faults, ("reply",))
    seen = ("board-computer",) if state.seen else ()
    return _on(game, state._replace(possible=(board,)), turn, faults, ("reply", *seen))


def reply_made(game: HeapsGame, state: State, move: Move, turn: Turn, faults: Faults = ()) -> Ruling:
    """A legal move of the computer."""
    befores = tuple(heaps for heaps in state.possible if allowed(heaps, move))
    judged, occasions = strategy(game, befores, move)
    in_doubt = None
    if judged and state.heaps[move[0]] > move[1] and not game.told_first:
        in_doubt = _heap_in_doubt(game, state, move[0])
    if in_doubt is None:
        faults = (*faults, *judged)
    if turn.told not in (None, move):
        said = f"the computer says that it takes {game.say(turn.told)}, and takes {game.say(move)}"
        faults = (*faults, Fault("wrong-telling", said))
    afters = tuple(less(heaps, move) for heaps in befores)
    other_empty = len(befores) > 1 and not any(emptied(befores[1], move[0]))
    if not any(afters[0]) or (turn.finishes and (other_empty or not all(map(any, afters)))):
        return ended(game, state, turn, COMPUTER, faults, occasions)
    state = state._replace(possible=tuple(dict.fromkeys(afters)))
    if state.seen:
        occasions = (*occasions, "board-computer")
    if turn.finishes:
        over = early(game, state, COMPUTER, turn)
        return game.ruling(over.state, (*faults, *over.faults), (*occasions, *over.occasions))
    if turn.winners:
        left = f"a winner is named, and there are {game.things} left: {game.tell(state.heaps)}"
        faults = (*faults, Fault("wrong-winner", left))
    return _on(game, state if in_doubt is None else _doubting(state, in_doubt, judged[0]), turn, faults, occasions)


def strategy(game: HeapsGame, befores: tuple[Heaps, ...], move: Move) -> tuple[Faults, tuple[str, ...]]:
    """Whether a legal move is that of the strategy, in all positions that are possible."""
    good = [game.winning(heaps) for heaps in befores]
    if all(good):
        if any(move in winning for winning in good):
            return (), ("reply", "won")
        should = " or ".join(map(game.say, good[0]))
        said = f"with {game.tell(befores[0])} the computer takes {game.say(move)}; {should} would have kept the win"
        return (Fault("poor-move", said),), ("reply", "won")
    if game.stall is None or any(good):
        return (), ("reply",)
    right = game.stall(befores[0])
    said = f"with {game.tell(befores[0])} the computer takes {game.say(move)}; right is {game.say(right)}"
    return (Fault("wrong-stall", said),) if move != right else (), ("reply", "lost")


def _heap_in_doubt(game: HeapsGame, state: State, heap: int | None = None) -> int | None:
    """The heap that the computer may have emptied, so that its move is right and only the board is wrong; None where there is none."""
    heaps = state.possible[-1]
    whole = [(at, n) for at, n in enumerate(heaps) if n and heap in (None, at)]
    right = game.winning(heaps) or tuple(whole)
    return next((at for at, n in sorted(whole, key=lambda move: move[1]) if (at, n) in right), None)


def _doubting(state: State, heap: int, fault: Fault) -> State:
    """The state in which a heap may be empty although something is shown in it."""
    meant = emptied(state.possible[-1], heap)
    return state._replace(possible=(state.heaps, meant), pending=fault, in_doubt=heap)


def _on(game: HeapsGame, state: State, turn: Turn, faults: Faults = (), occasions: tuple[str, ...] = ()) -> Ruling:
    """After a move of the computer the user's next one is asked for."""
    if turn.asks in (COUNT, SIZE):
        unread = Fault(UNREAD, "something else than a move is asked for after a move of the computer", stops=True)
        return game.ruling(state, (*faults, unread), occasions)
    return game.ruling(asked(state, turn), faults, occasions)


def _seen_at_last(game: HeapsGame, state: State, turn: Turn, move: Move) -> Ruling:
    """The computer's last move was not shown: the board after the user's next tells it."""
    shown = _changes(turn.boards)
    missing = Fault("no-board-after-computer", "it is not shown what a move of the computer leaves")
    if not shown and turn.finishes:
        return game.ruling(state._replace(over=True), (missing,), ("board-computer",))
    if not shown:
        unread = Fault(UNREAD, "neither the board nor a word tells what the computer took", stops=True)
        return game.ruling(state, (missing, unread) if state.seen else (unread,), ())
    heap, count = move
    before = tuple(n + count if at == heap else n for at, n in enumerate(shown[0]))
    reply = between(state.heaps, before)
    now = state._replace(possible=(before,), unseen=False)
    if reply is None:
        idle = Fault("illegal-move", f"with {game.tell(state.heaps)} the computer takes nothing")
        return believed(game, now, turn, (idle if before == state.heaps else missing,), ("move", "moved"))
    faults, occasions = strategy(game, (state.heaps,), reply)
    ruling = moved(game, now, turn)
    return game.ruling(
        ruling.state, (missing, *faults, *ruling.faults), ("board-computer", *occasions, *ruling.occasions)
    )


def believed(game: HeapsGame, state: State, turn: Turn, faults: Faults, occasions: tuple[str, ...]) -> Ruling:
    """The game goes on with what is shown after a mistake, if a move is asked for."""
    heaps = turn.boards[-1] if turn.boards else state.heaps
    if turn.asks != MOVE or not any(heaps):
        stops = not (game.again and turn.asks == AGAIN)
        stopping = tuple(replace(fault, stops=stops) for fault in faults)
        return game.ruling(state._replace(over=True), stopping, occasions)
    known = state._replace(possible=(heaps,), unseen=False, pending=None)
    return game.ruling(asked(known, turn), faults, occasions)
