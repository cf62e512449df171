"""The families of games, and the method of exploring that belongs to the ``game`` section of a spec."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Protocol

from grader.games.follow.study import Study
from grader.games.hear.runs import Runs
from grader.games.referee import Tables
from grader.spec.game import Game

FAMILIES = {
    "pile": "grader.games.pile",
    "board": "grader.games.families.fourinarow",
    "tictactoe": "grader.games.families.tictactoe",
}
"""The package of each family, by the key of its section in a spec; its ``method(section, reference)`` makes a method of exploring."""


class Method(Protocol):
    """A way to explore programs of one family of games.

    It knows a family of games (a pile that is counted, a board that fills), and no wording. It plays a program by experiments
    on ``Runs``, follows its state, and rules on what it did.
    """

    @property
    def tables(self) -> Tables:
        """The kinds of faults that it finds, and the occasions for each."""

    def explore(self, runs: Runs, corrections: Mapping[str, str]) -> Study:
        """Play a program and rule on it.

        ``corrections`` are values of lessons, by key, that a person has set: they are taken as true. Raises SpentError if no
        further run is made before there is anything to judge; what the budget of the submission raises passes through.
        """


def method(game: Game, reference: ModuleType) -> Method:
    """The method for this game; ``reference`` holds its pure rules. Raises JudgeError."""
    # A family is imported where a spec needs it: most do not, and each worker and each `check` would wait for it.
    family = import_module(FAMILIES[game.family])
    explored: Method = family.method(getattr(game, game.family), reference)
    return explored
