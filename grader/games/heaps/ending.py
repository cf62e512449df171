"""Rulings on the end of a game and its winner. The last thing is taken, or not; a winner is named, or not."""

from __future__ import annotations

from grader.games.event import NOBODY
from grader.games.heaps.facing import AGAIN, HeapsGame, State, Turn
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
        faults = named(game, state, turn)
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
