"""Was it refused? The effect of an answer, legal or wrong: it is carried out or refused, or refused in a wrong way.

A refusal is known by what it is: the heaps stay, and the same is asked again. A word says why, and where nothing shows the heaps
the word alone tells a refusal.
"""

from __future__ import annotations

from grader.games.heaps.facing import AGAIN, COUNT, MOVE, HeapsGame, State, Turn
from grader.games.heaps.moving import Heaps, Move, allowed, between, emptied
from grader.games.referee import Fault, Ruling

REFUSED, TAKEN, LOST, CARRIED_OUT, ELSEWHERE = "refused", "taken", "lost", "carried-out", "elsewhere"
"""Ends of a wrong answer. The turn is lost where it is refused and the game goes on; it may also be refused and yet carried out.
If it takes things from another heap (``elsewhere``), refusing is not judged: such a program mixes up heaps in legal moves as well."""


def keeps(state: State, turn: Turn) -> bool:
    """Whether all heaps that are shown are those that there were."""
    return all(board in state.possible for board in turn.boards)


def asks_again(state: State, turn: Turn) -> bool:
    """Whether the same player is asked, and nobody has moved or won."""
    return not turn.ended and not turn.acts and turn.asks != AGAIN and turn.player in (None, state.player)


# --------------------------------------------------------------------------------------------------------- legal moves


def refuses_legal(state: State, turn: Turn) -> bool:
    """Whether a legal move was not taken: nothing has changed, and it is asked for again, with a word or with the same heaps."""
    says_so = turn.refuses or turn.asks == COUNT or (bool(turn.boards) and not state.unseen)
    return says_so and keeps(state, turn) and asks_again(state, turn)


def legal_refused(game: HeapsGame, state: State, turn: Turn, move: Move | None) -> Ruling:
    """The ruling on a legal move, or on the heap of one (None), that was refused: it is a fault where it is sure to be legal."""
    sure = not state.unseen and (move is None or all(allowed(heaps, move) for heaps in state.possible))
    sentence = f"{state.typed} is legal with {game.tell(state.heaps)}, but the program refuses it"
    fault = Fault("refused-legal", sentence, passes=True)
    faults = drawn_wrongly(game, state) or ((fault,) if sure else ())
    after = state._replace(asks=turn.asks or MOVE, move=None, pending=None)
    return game.ruling(after, faults, ("move",))


def called_wrong(game: HeapsGame, state: State) -> Fault:
    """The fault of a message that calls a legal move invalid, although the move is carried out: of its own kind, where the assignment has it."""
    move, heaps = state.typed, game.tell(state.heaps)
    kind = "called-invalid" if "called-invalid" in game.occasions_of else "refused-legal"
    return Fault(kind, f"{move} is legal with {heaps}; the program carries it out, but calls it invalid")


def drawn_wrongly(game: HeapsGame, state: State) -> tuple[Fault, ...]:
    """The fault of showing things in an empty heap, where that explains a move of the computer and what is refused now."""
    if state.pending is None:
        return ()
    sentence = f"the program shows {game.tell(state.heaps)}, but refuses to let the player take what it shows of heap {state.in_doubt + 1}"
    return (Fault("wrong-board", f"{sentence}: the heap is empty"),)


# -------------------------------------------------------------------------------------------------------- wrong answers


def became(game: HeapsGame, state: State, turn: Turn) -> str:
    """How the program dealt with a wrong answer."""
    same = asks_again(state, turn)
    if keeps(state, turn) and same and (turn.refuses or not turn.ended):
        return REFUSED
    if turn.refuses and keeps(state, turn) and _gives_up(state, turn):
        return LOST
    # A message, the heaps as they were and the same question counted as accepting, since other heaps stood above.
    if turn.refuses and not keeps(state, turn) and _stays(state, turn):
        return REFUSED
    if _passes(game, state, turn):
        return LOST
    # “Invalid move.”, another board and the question for the other player were said to accept the move.
    if turn.refuses and (same or not (game.computer or turn.finishes) or _takes(state, turn)):
        return CARRIED_OUT
    return ELSEWHERE if _elsewhere(state, turn) else TAKEN


def _takes(state: State, turn: Turn) -> bool:
    """Whether the first heaps that are shown are those that the wrong move leaves: the refusal was for it, and not for a move of the computer."""
    # “Illegal move!”, the heaps without what was typed and a move of the computer were three rules broken, and not one.
    heap, count = state.move or (-1, 0)
    if not 0 <= heap < len(state.heaps) or not turn.boards or turn.boards[0] in state.possible:
        return False
    lefts = {state.heaps[heap] - count, 0}
    return turn.boards[0] in [(*state.heaps[:heap], left, *state.heaps[heap + 1 :]) for left in lefts]


def _gives_up(state: State, turn: Turn) -> bool:
    """Whether the game ends, though the last move can have emptied one heap at most: the program ends, or names a winner.

    A game that broke off at each refusal, with a winner that nobody knew, was told that it accepts all that it refuses.
    """
    named = bool(turn.winners) and turn.claim is None and sum(map(bool, state.heaps)) > 1
    return (turn.ended and not turn.acts) or (named and turn.asks != MOVE)


def _stays(state: State, turn: Turn) -> bool:
    """Whether the heaps that are shown last are those that there were, and the same player is asked for a move: what was shown before is no matter."""
    behind = turn.boards[turn.own if turn.claim else 0 :]
    asks = turn.asks == MOVE and not turn.ended and not turn.winners and turn.player in (None, state.player)
    return asks and bool(behind) and behind[-1] in state.possible


def _passes(game: HeapsGame, state: State, turn: Turn) -> bool:
    """Whether the game goes on although nothing was taken: the computer moves, or the other player is asked."""
    boards = turn.boards
    # Row 4, taken in silence and without effect, cost three times what it costs with one: nothing was refused.
    if not turn.refuses:
        return False
    alone = game.computer and not game.told_first and len(boards) == 1
    reply = alone and any(between(heaps, boards[0]) for heaps in state.possible)
    untouched = not boards or boards[0] in state.possible or reply
    last = game.computer and turn.winners == {game.wins(2)} and sum(map(bool, state.heaps)) == 1
    others = turn.acts or turn.player not in (None, state.player)
    goes_on = others and (last or not (turn.ended or turn.winners))
    return untouched and (goes_on or (reply and not turn.ended))


def _elsewhere(state: State, turn: Turn) -> bool:
    """Whether things are gone, but not from the heap that was named, which there is; or from others as well, before the computer moves.

    A program that exchanges its rows behind the first board takes 9 from one that it shows with 8: it holds 13. One that adds where it
    must take judges a move by what that leaves, and takes any number.
    """
    if state.move is None or not turn.boards or not 0 <= state.move[0] < len(state.heaps):
        return False
    others = [heap for heap, (n, m) in enumerate(zip(state.heaps, turn.boards[0], strict=True)) if m < n]
    heap, count = state.move
    added = (*state.heaps[:heap], state.heaps[heap] + count, *state.heaps[heap + 1 :])
    shown = turn.boards[0]
    if (count > 0 and shown == added) or any(
        n < m for n, m in zip(emptied(state.heaps, heap), emptied(shown, heap), strict=True)
    ):
        return True
    before_reply = len(turn.boards) > 1 and turn.own != 0
    return bool(others) and (state.move[0] not in others or (before_reply and len(others) > 1))


def judged(
    game: HeapsGame, state: State, turn: Turn, start: Heaps = ()
) -> tuple[str, tuple[Fault, ...], tuple[str, ...]]:
    """How the program dealt with a wrong answer, and the faults and occasions that this gives. A game begins with the heaps of ``start``."""
    end, move, kind = became(game, state, turn), state.typed, state.wrong
    if end == ELSEWHERE or state.doubtful:
        return end, (), ()
    about = ("wrong-board",) if _writes_over(state, turn) else ()
    if end == TAKEN:
        ends = " and ends" if turn.ended and not turn.winners else ""
        causes: tuple[str, ...] = ("wrong-board",) if _was_legal(state, start) else ()
        if kind == "no-digit" and state.move is not None and state.move[1] > 9:
            # “:” is ten where the program counts: it accepts too many, or a row begins with eleven.
            is_there = allowed(state.heaps, state.move)
            causes = ("too-many-taken", *(("wrong-start", "wrong-board") if is_there else ()))
        elif kind == "lower-case":
            # A program that never looks beyond C takes D and a alike, and lost for both.
            causes = (*causes, "wrong-row-taken")
        taken = Fault(
            f"{kind}-taken", f"the program accepts {move}{ends}: {game.why[kind]}", causes=causes, about=about
        )
        return end, (taken,), (kind,)
    faults = []
    if end == LOST:
        instead = "the game goes on"
        if turn.winners and turn.asks != MOVE:
            instead = "the game ends"
        elif turn.ended:
            instead = "the program ends"
        elif turn.player not in (None, state.player):
            instead = f"player {turn.player} is asked"
        faults.append(Fault("turn-lost", f"after {move} the program must ask the same again, but {instead}"))
    if end == CARRIED_OUT:
        faults.append(
            Fault(
                "carried-out",
                f"the program refuses {move}, but changes the heaps anyway: {game.tell(turn.boards[0 if turn.acts else -1])} are left",
                about=about,
            )
        )
    if not (turn.refuses or turn.speaks) and end != LOST:  # “Nope, once more please.” is a message
        faults.append(Fault("no-message", f"the program refuses {move} without an error message"))
    return end, tuple(faults), (kind, "refusal")


def _was_legal(state: State, start: Heaps) -> bool:
    """Whether a move of too many would be legal at the start: a program that lost the moves since then still has these things."""
    # One that never cut a row shorter was charged for its rows, and for each move that took from what it still held.
    return state.wrong == "too-many" and state.move is not None and bool(start) and allowed(start, state.move)


def _writes_over(state: State, turn: Turn) -> bool:
    """Whether a wrong answer changes the heaps otherwise than by taking so many from the heap that was named.

    What is typed is written over the heaps then, and legal moves leave wrong heaps as well.
    """
    # x1 was refused and left 23 in the first heap: a program that lost three points for its heaps lost as many for that.
    if not (turn.boards and (turn.refuses or turn.own)):
        return turn.part is not None and not turn.boards
    named, count = state.move or (-1, 0)
    strangers = {named}.difference(range(len(state.heaps)))
    changes = [(at, n, m) for at, (n, m) in enumerate(zip(state.heaps, turn.boards[0], strict=True)) if n != m]
    takes = all(m in (n - count, max(n - count, 0)) and named in {at, *strangers} for at, n, m in changes)
    return len(changes) > 1 or not takes


def resumed(state: State, turn: Turn) -> State:
    """The game as it goes on after a wrong answer: from the heaps that are shown, if any are."""
    possible = turn.boards[-1:] or state.possible
    return state._replace(possible=possible, asks=turn.asks or state.asks, move=None, wrong="", pending=None)
