"""The families of games, and the method of exploring that belongs to the ``game`` section of a spec."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from grader.games.study import Method
from grader.spec.game import Game

FAMILIES = {
    "pile": "grader.games.pile",
    "board": "grader.games.families.fourinarow",
    "tictactoe": "grader.games.families.tictactoe",
}
"""The package of each family, by the key of its section in a spec; its ``method(section, reference)`` makes a method of exploring."""


def method(game: Game, reference: ModuleType) -> Method:
    """The method for this game; ``reference`` holds its pure rules. Raises JudgeError."""
    # A family is imported where a spec needs it: most do not, and each worker and each `check` would wait for it.
    family = import_module(FAMILIES[game.family])
    explored: Method = family.method(getattr(game, game.family), reference)
    return explored
