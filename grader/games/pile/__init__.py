"""Exploring programs that play on a pile that is counted."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

from grader.games.follow.study import Study
from grader.games.hear.runs import Runs
from grader.games.pile.exploring import explored
from grader.games.pile.faults import OCCASIONS, OCCASIONS_OF
from grader.games.pile.rules import rules
from grader.games.referee import Tables, tables
from grader.spec.game import Pile
from grader.values import dataclass


@dataclass(frozen=True)
class PileMethod:
    """How programs are followed that play on a pile that is counted."""

    game: Pile
    reference: ModuleType

    @property
    def tables(self) -> Tables:
        """The kinds of faults that it finds, and the occasions for each."""
        return tables(OCCASIONS, OCCASIONS_OF)

    def explore(self, runs: Runs, corrections: Mapping[str, str]) -> Study:
        """Play a program and rule on it."""
        return explored(runs, rules(self.game, self.reference), corrections)


method = PileMethod
"""The way to explore programs of this family, as a spec sets it."""
