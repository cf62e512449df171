"""Which way of exploring belongs to the ``game`` section of a spec."""

from __future__ import annotations

from types import ModuleType

from grader.errors import JudgeError
from grader.games.board import BoardMethod
from grader.games.pile import PileMethod
from grader.games.study import Method
from grader.spec.game import Game


def method(game: Game, reference: ModuleType) -> Method:
    """The method for this game; ``reference`` holds its pure rules. Raises JudgeError."""
    if game.pile is not None:
        return PileMethod(game.pile, reference)
    if game.board is not None:
        return BoardMethod(game.board, reference)
    raise JudgeError("the spec names no family of games")
