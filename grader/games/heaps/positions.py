"""The ground of a game of heaps: positions in which a move is asked for, and the moves that lead on from each."""

from __future__ import annotations

from grader.games.ground import Place, Way
from grader.games.heaps.facing import HeapsGame, State
from grader.games.heaps.moving import Heaps, Move, less


def sure(state: State) -> bool:
    """Whether it is known for sure what there is, and the game goes on."""
    unsure = state.unseen or state.doubtful or state.pending or state.over or len(state.possible) != 1
    return not unsure and any(state.heaps)


def way(game: HeapsGame, heaps: Heaps, move: Move, answer: str | tuple[int, ...], *also: int) -> Way:
    """The way of a legal move against the computer; ``also`` is what else it may go by, such as who began."""
    after = less(heaps, move)
    leads: Place = (after, *also) if also else after
    ends = not any(after)
    return Way(answer, leads, counts=None if ends else leads, wins=not game.winning(after), ends=ends)
