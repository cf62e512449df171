"""Games found by experiment: what an exploration of one program shows, and what a method of exploring offers.

A method knows a family of games (a pile that is counted, a board that fills), and no wording. It plays a program by experiments
on ``Runs``, follows its state, and rules on what it did. Cases look at all games of the study for faults of their own kinds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType
from typing import Protocol

from grader.games.following import Followed
from grader.games.referee import Tables
from grader.reading.learned import Learned
from grader.reading.runs import Runs
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Study:
    """The games of one program as they were played and ruled on, and what was learned of its wording.

    ``obstacle`` is a sentence where the program could not be followed at all, through no fault of its own that we know of:
    then nothing is judged, and a person decides.
    """

    games: tuple[Followed, ...] = ()
    learned: Learned = Learned()
    obstacle: str = ""
    notes: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Sentences for staff and the student on how it was judged, by the code of the finding that has them."""


class Method(Protocol):
    """A way to explore programs of one family of games."""

    @property
    def tables(self) -> Tables:
        """The kinds of faults that it finds, and the occasions for each."""

    def explore(self, runs: Runs, corrections: Mapping[str, str]) -> Study:
        """Play a program and rule on it.

        ``corrections`` are values of lessons, by key, that a person has set: they are taken as true. Raises SpentError where no
        further run is made before there is anything to judge; what the budget of the submission raises passes through.
        """
