"""The last move of the program, where a game ends with it: futures do not tell it, since none is behind it."""

from __future__ import annotations

from dataclasses import replace

from grader.games.pile.ledger import Games
from grader.games.pile.rounds import OURS, Round
from grader.games.pile.telling import Telling

FEW = 2
"""With so few stones left the game is over but for one move."""


def settled(games: Games, learned: Telling) -> Games:
    """The games with the program's last move as it tells it, where it ends a game with more than one stone to take."""
    asked = any(one.before == 1 and one.yours for played in games.values() for one in played)
    return {
        play: tuple(_as_told(one, learned, last_is_asked=asked) for one in played) for play, played in games.items()
    }


def _as_told(one: Round, learned: Telling, *, last_is_asked: bool) -> Round:
    """The last round with the move of the program that it tells; of the last two stones it may have taken one alone.

    A program that tells its moves, and then of none, did not move.
    """
    if not one.over or one.between is None or one.between <= 0 or not one.moves:
        return one
    said = [each.value for each in learned.told(one) if each.meaning == OURS]
    if said:
        return replace(one, after=max(one.between - said[-1], 0))
    if not last_is_asked and learned.tells(OURS):
        return replace(one, after=one.between)
    if one.between == FEW and not last_is_asked:
        return replace(one, after=1)
    return one
