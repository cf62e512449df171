"""The ruling on a turn in the middle of a game: which of the decisions is due."""

from __future__ import annotations

from collections.abc import Callable

from grader.games.heaps.ending import after_the_end
from grader.games.heaps.facing import HeapsGame, State, Turn
from grader.games.heaps.witness import moved
from grader.games.referee import Ruling

Rule = Callable[[State, Turn], Ruling]


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
    if state.doubtful:
        return game.ruling(ruling.state, ruling.faults, ruling.occasions, doubtful=True)
    return ruling


def last_words_of(game: HeapsGame, state: State, turn: Turn) -> Ruling:
    """Of a turn in which the program broke, the winner alone: a program may name it, and never end."""
    if state.over or state.wrong or state.move is None or not turn.winners:
        return Ruling(state)
    ruling = moved(game, state, turn._replace(ended=True))
    if not any(name.startswith("win") for name in ruling.occasions):
        return Ruling(state)
    return Ruling(
        ruling.state, tuple(fault for fault in ruling.faults if fault.kind == "wrong-winner"), ruling.occasions
    )
