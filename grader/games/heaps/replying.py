"""Rulings on the move of the computer, and on the end of a game and its winner. The last thing is taken, or not; a winner is named, or not.

A move of the computer is told, seen from the heaps that are shown, or the next heaps tell it. If the text fixes how a move is told, the
telling counts more than the heaps that are shown.
"""

from __future__ import annotations

from dataclasses import replace

from grader.games.event import NOBODY, Named, Told
from grader.games.heaps.facing import AGAIN, COMPUTER, COUNT, MOVE, SIZE, USER, HeapsGame, State, Turn
from grader.games.heaps.moving import Heaps, Move, allowed, between, emptied, legal, less
from grader.games.referee import UNREAD, Fault, Ruling

ABOUT_WINNERS = ("no-winner", "wrong-winner")
WAITS_ON = "the program names the winner, but then waits for input and does not halt"


def ended(
    game: HeapsGame, state: State, turn: Turn, taker: int, faults: tuple[Fault, ...], occasions: tuple[str, ...]
) -> Ruling:
    """The last one is taken, by this player (0 if it is not sure who that was): the winner is to be named, and the game is over."""
    over = state._replace(move=None, over=True, empty=True, winner=game.wins(taker) if taker else 0)
    ruling = after_the_end(game, over, turn)
    return game.ruling(ruling.state, (*faults, *ruling.faults), (*occasions, "end", *ruling.occasions))


def after_the_end(game: HeapsGame, state: State, turn: Turn) -> Ruling:
    """The winner is named now, or later: a program that first asks for a move has made one mistake, not two.

    If two people play, nobody can say any more who wins once moves were asked for.
    """
    faults: tuple[Fault, ...] = ()
    occasions: tuple[str, ...] = ()
    offers = turn.asks == AGAIN and not game.halts
    goes_on = (game.halts or bool(turn.asks)) and not offers and not turn.ended
    judges = bool(state.winner) and not state.named
    if judges and (turn.winners or not goes_on):
        # “You have won! It is the computer’s turn. The computer has won!”: the second name comes of the turn too many, which is charged.
        first = next((one.player for one in turn.events if isinstance(one, Named)), None)
        faults = () if goes_on and first == state.winner else named(game, state, turn)
        unread = any(fault.kind == UNREAD for fault in faults)
        occasions = () if unread else ("win", f"win-{state.winner}")
        state = state._replace(named=True)
    if goes_on and turn.winners and game.halts:
        return game.ruling(state, (*faults, Fault("no-halt", WAITS_ON, stops=True)), occasions)
    if goes_on and (judges or game.computer):
        on = f"none of the {game.things} is left, but the game goes on"
        faults = (*faults, Fault("plays-on", on, stops=game.computer and (state.named or not state.winner)))
        return game.ruling(state._replace(named=state.named or not game.computer), faults, occasions)
    return game.ruling(state._replace(asks=turn.asks), faults, occasions)


def named(game: HeapsGame, state: State, turn: Turn) -> tuple[Fault, ...]:
    """The faults of the winner that is named."""
    winner = state.winner
    taker = winner if game.last_wins else 3 - winner
    wins = " and wins" if game.last_wins else f", so {game.players[winner]} wins"
    took = f"{game.players[taker]} took the last of the {game.things}{wins}"
    others = turn.winners - {winner}
    if others - {NOBODY}:
        other = game.players.get(min(others), f"player {min(others)}")  # “Player 0 wins!” names nobody who plays
        return (Fault("wrong-winner", f"{took}, but the program names {other} as the winner"),)
    if turn.winners - {NOBODY}:
        return ()
    if turn.unnamed and not turn.winners:
        return (
            Fault(UNREAD, f"{took}, but we could not read whom the program names as the winner", about=ABOUT_WINNERS),
        )
    return (Fault("no-winner", f"{took}, but the program names no winner"),)


def early(game: HeapsGame, state: State, mover: int, turn: Turn, *occasions: str) -> Ruling:
    """The game is over while there is something left, unless other heaps are meant than are shown.

    The player who moved last took the last one, by the program's own view. To name the winner that follows is right,
    and to name the other follows from the mistake.
    """
    over = state._replace(over=True, move=None)
    if len(state.possible) > 1 or state.unseen:
        return game.ruling(over, (), occasions)
    claim = "a winner is named" if turn.winners else "the program ends" if turn.ended else "the game ends"
    faults = [
        Fault(
            "ended-early",
            f"{claim}, although there are {game.things} left: {game.tell(state.heaps)}",
            stops=not game.again,
        )
    ]
    winner = game.wins(mover)
    if game.halts and turn.winners and not turn.ended:
        faults.append(Fault("no-halt", WAITS_ON, stops=True))
    right = ("win", f"win-{winner}") if turn.winners == {winner} else ()
    return game.ruling(over, faults, (*occasions, "end", *right))


# --------------------------------------------------------------------------------------------- the move of the computer


Faults = tuple[Fault, ...]


def asked(state: State, turn: Turn) -> State:
    """The state in which the next move is asked for."""
    return state._replace(asks=turn.asks, move=None, wrong="")


def replied(game: HeapsGame, state: State, rest: tuple[Heaps, ...], turn: Turn) -> Ruling:
    """The ruling on the computer’s move, from the heaps that are shown after the user's move or from what it says."""
    claim = turn.claim
    if claim and game.told_first:
        return _reply_told(game, state, claim, rest, turn)
    if rest:
        return _reply_shown(game, state, rest[-1], turn)
    if claim and allowed(state.heaps, claim):
        missing = Fault("no-board-after-computer", "the program does not show what a move of the computer leaves")
        return reply_made(game, state, claim, turn, (missing,) if any(less(state.heaps, claim)) and state.seen else ())
    last = next((heaps for heaps in state.possible if sum(map(bool, heaps)) == 1), ())
    is_named = turn.winners == {game.wins(COMPUTER)} if game.told_first else turn.winners or turn.unnamed
    is_silent = state.announces and not turn.announced
    if last and turn.ended and not (game.told_first or is_named or is_silent):
        # It took the last one, or it ends with one heap left: nothing tells which, and in either case nobody is named.
        unnamed = f"the program ends where {game.tell(last)} were left for the computer, and names no winner"
        faults = () if turn.speaks else (Fault("no-winner", unnamed),)
        return game.ruling(state._replace(over=True, move=None), faults, ())
    # “You win!” with two matches left and no word of the move that the program announces in all other turns: nobody took the last ones.
    # Nor where such a program just ends: a loop that forgot the first row was charged for a missing winner as well.
    is_early = is_silent and turn.winners == {game.wins(USER)}
    if last and is_named and not is_early:  # the last move need not be shown
        return reply_made(game, state._replace(possible=(last,)), (game.winning(last) or legal(last))[0], turn)
    return early(game, state, USER, turn) if turn.finishes else _no_reply(game, state, turn)


def _reply_told(game: HeapsGame, state: State, claim: Move, rest: tuple[Heaps, ...], turn: Turn) -> Ruling:
    """A move that is told as the text wants it is believed: the heaps must be what it leaves."""
    if not allowed(state.heaps, claim):
        idle = Fault("illegal-move", f"with {game.tell(state.heaps)} the computer takes {game.say(claim)}")
        return believed(game, state, turn, (idle,), ("reply",))
    after = less(state.heaps, claim)
    moves = sum(isinstance(one, Told) for one in turn.events)
    if moves > 1 and rest[-1:] != (after,):  # else the same move is told twice
        several = Fault("illegal-move", f"the computer moves {moves} times in one turn")
        # A program that calls its own move invalid moves again for that reason, and is charged for the message.
        return believed(game, state, turn, () if turn.calls_reply_wrong else (several,), ("reply",))
    if rest and rest[-1] != after:
        message = f"{game.say(claim)} leaves {game.tell(after)}, but the program shows {game.tell(rest[-1])}"
        ruling = reply_made(game, state, claim, turn, (Fault("wrong-board", message),))
        known: State = ruling.state  # type: ignore[assignment]
        after_all = known if known.over else known._replace(possible=(rest[-1],), doubtful=True)
        return Ruling(after_all, ruling.faults, ruling.occasions)
    missing = Fault("no-board-after-computer", "the program does not show what a move of the computer leaves")
    return reply_made(game, state, claim, turn, () if rest or not any(after) else (missing,))


def _no_reply(game: HeapsGame, state: State, turn: Turn) -> Ruling:
    """The game goes on, and no legal move of the computer is shown or said: it made no move, or the next board tells it."""
    claim = turn.claim
    if claim or (turn.boards.count(state.heaps) > 1 and (turn.announced or game.told_first)):
        took = game.say(claim) if claim else "nothing"
        idle = Fault("illegal-move", f"with {game.tell(state.heaps)} the computer takes {took}")
        if len(state.possible) > 1:  # where boards are drawn wrongly a move may not show on them
            return _on(game, state._replace(doubtful=True), turn)
        heap = None if claim or game.told_first else _heap_in_doubt(game, state)
        if heap is not None:
            return _on(game, _doubting(state, heap, idle), turn)
        return _on(
            game, state._replace(doubtful=not game.told_first), turn, (idle,), ("reply",) if game.told_first else ()
        )
    if not state.seen:
        unread = Fault(
            UNREAD, "we could not read the board, and the program does not say what the computer took", stops=True
        )
        return game.ruling(state, (unread,), ())
    # The program calls the user’s move invalid and asks again: the computer had no turn, and was charged for taking nothing in it.
    kept = turn.refuses and not turn.announced and turn.asks == MOVE
    faults: Faults = ()
    # “The computer has won!” stood in place of each board, and cost nothing.
    if turn.winners and all(sum(map(bool, heaps)) > 1 for heaps in state.possible):
        early_name = f"a winner is named, although no move can take all that is left: {game.tell(state.heaps)}"
        faults = (Fault("wrong-winner", early_name),)
    return _on(game, state._replace(unseen=not kept, possible=state.possible[:1]), turn, faults)


def _reply_shown(game: HeapsGame, state: State, board: Heaps, turn: Turn) -> Ruling:
    """The computer's move shows on the board; where the one before was wrong it may follow from what is meant."""
    for heaps in state.possible:
        move = between(heaps, board)
        if move is not None:
            known = state if heaps == state.heaps else state._replace(possible=(heaps,))
            untold = Fault(
                "untold-move",
                f"the heaps show that the computer took {game.say(move)}, but the program does not say so",
            )
            return reply_made(game, known, move, turn, () if turn.claim else (untold,))
    sentence = (
        f"the computer leaves {game.tell(board)} of {game.tell(state.heaps)}: a move takes {game.things} from one heap"
    )
    faults = () if len(state.possible) > 1 else (Fault("illegal-move", sentence),)
    if not any(board):
        return game.ruling(state._replace(over=True, empty=True), faults, ("reply",))
    extra = ("board-computer",) if state.seen else ()
    return _on(game, state._replace(possible=(board,)), turn, faults, ("reply", *extra))


def reply_made(game: HeapsGame, state: State, move: Move, turn: Turn, faults: Faults = ()) -> Ruling:
    """A legal move of the computer."""
    befores = tuple(heaps for heaps in state.possible if allowed(heaps, move))
    poor, occasions = strategy(game, befores, move)
    in_doubt = None
    if poor and state.heaps[move[0]] > move[1] and not game.told_first:
        in_doubt = _heap_in_doubt(game, state, move[0])
    if in_doubt is None:
        faults = (*faults, *poor)
    if turn.claim not in (None, move):
        sentence = f"the computer says that it takes {game.say(turn.claim)}, but takes {game.say(move)}"
        faults = (*faults, Fault("wrong-telling", sentence))
    afters = tuple(less(heaps, move) for heaps in befores)
    other_empty = len(befores) > 1 and not any(emptied(befores[1], move[0]))
    if not any(afters[0]) or (turn.finishes and (other_empty or not all(map(any, afters)))):
        return ended(game, state, turn, COMPUTER, faults, occasions)
    state = state._replace(possible=tuple(dict.fromkeys(afters)))
    if state.seen:
        occasions = (*occasions, "board-computer")
    if turn.finishes:
        over = early(game, state, COMPUTER, turn)
        faults = tuple(fault for fault in faults if fault.kind != "no-board-after-computer")
        return game.ruling(over.state, (*faults, *over.faults), (*occasions, *over.occasions))
    if turn.winners:
        message = f"a winner is named, although there are {game.things} left: {game.tell(state.heaps)}"
        faults = (*faults, Fault("wrong-winner", message))
    return _on(game, state if in_doubt is None else _doubting(state, in_doubt, poor[0]), turn, faults, occasions)


def strategy(game: HeapsGame, befores: tuple[Heaps, ...], move: Move) -> tuple[Faults, tuple[str, ...]]:
    """Whether a legal move is that of the strategy, in all positions that are possible."""
    good = [game.winning(heaps) for heaps in befores]
    if all(good):
        if any(move in winning for winning in good):
            return (), ("reply", "won")
        should = " or ".join(map(game.say, good[0]))
        sentence = f"with {game.tell(befores[0])} the computer takes {game.say(move)}; {should} would have kept the win"
        return (Fault("poor-move", sentence),), ("reply", "won")
    if game.stall is None or any(good):
        return (), ("reply",)
    right = game.stall(befores[0])
    sentence = f"with {game.tell(befores[0])} the computer takes {game.say(move)}; right is {game.say(right)}"
    return (Fault("wrong-stall", sentence),) if move != right else (), ("reply", "lost")


def _heap_in_doubt(game: HeapsGame, state: State, heap: int | None = None) -> int | None:
    """The heap that the computer may have emptied, so that its move is right and only the board is wrong; None if no heap may be so."""
    heaps = state.possible[-1]
    whole = [(at, n) for at, n in enumerate(heaps) if n and heap in (None, at)]
    right = game.winning(heaps) or tuple(whole)
    return next((at for at, n in sorted(whole, key=lambda move: move[1]) if (at, n) in right), None)


def _doubting(state: State, heap: int, fault: Fault) -> State:
    """The state in which a heap may be empty although something is shown in it."""
    heaps = emptied(state.possible[-1], heap)
    return state._replace(possible=(state.heaps, heaps), pending=fault, in_doubt=heap)


def _on(game: HeapsGame, state: State, turn: Turn, faults: Faults = (), occasions: tuple[str, ...] = ()) -> Ruling:
    """After a move of the computer the user's next one is asked for."""
    if turn.asks in (COUNT, SIZE):
        unread = Fault(
            UNREAD,
            "after a move of the computer the program must ask for a move, but asks for something else",
            stops=True,
        )
        return game.ruling(state, (*faults, unread), occasions)
    return game.ruling(asked(state, turn), faults, occasions)


def believed(game: HeapsGame, state: State, turn: Turn, faults: Faults, occasions: tuple[str, ...]) -> Ruling:
    """The game goes on with what is shown after a mistake, if a move is asked for."""
    heaps = turn.boards[-1] if turn.boards else state.heaps
    if turn.asks != MOVE or not any(heaps):
        stops = not (game.again and turn.asks == AGAIN)
        stopping = tuple(replace(fault, stops=stops) for fault in faults)
        return game.ruling(state._replace(over=True, empty=not any(heaps)), stopping, occasions)
    known = state._replace(possible=(heaps,), unseen=False, pending=None)
    return game.ruling(asked(known, turn), faults, occasions)
