"""Which way of exploring belongs to the ``game`` section of a spec."""

from __future__ import annotations

from types import ModuleType

from grader.errors import JudgeError
from grader.games.study import Method
from grader.spec.game import Game


def method(game: Game, reference: ModuleType) -> Method:
    """The method for this game; ``reference`` holds its pure rules. Raises JudgeError."""
    # A family is imported where a spec needs it: most do not, and each worker and each `check` would wait for it.
    if game.pile is not None:
        from grader.games.pile import PileMethod

        return PileMethod(game.pile, reference)
    if game.board is not None:
        from grader.games.board import BoardMethod

        return BoardMethod(game.board, reference)
    raise JudgeError("the spec names no family of games")
