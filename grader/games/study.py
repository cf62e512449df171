"""What is known of one program that plays games, and the games in which cases look for faults.

There are three ways to such games: answers are drawn by a set, a program is led through all positions, or a method that knows a family
of games explores it. A case does not ask which way it was: it sees a `Dialect`, and `Games` of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from types import MappingProxyType
from typing import Protocol

from grader.games.following import Followed
from grader.games.referee import Tables
from grader.reading.learned import Learned
from grader.reading.runs import Runs
from grader.results import Proof
from grader.spec.kinds.runs import GameSet
from grader.values import dataclass

Shows = Callable[[Followed], bool]
"""Whether a game shows a fault that is looked for."""

NO_NOTES: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Example:
    """The game that shows a fault in a report, and ``notes`` on how the game was found, by the codes of their findings."""

    followed: Followed
    notes: Mapping[str, str] = field(default_factory=lambda: NO_NOTES)


class Games(Protocol):
    """The games of one program in which a case looks for faults."""

    @property
    def known(self) -> Sequence[Followed]:
        """The games that were played by now."""

    def played(self, shows: Shows) -> Sequence[Followed]:
        """The games of the set, played up to the first that shows a fault; all of them where they were played before."""

    def example(self, failed: Followed, number: int, kind: str, shows: Shows) -> Example:
        """The game to show for the first fault of a kind in a game, the last of ``number`` games; ``shows`` tells that fault."""

    def proof(self) -> Proof | None:
        """How far all positions were tried; None where that is not what the games are for."""


class Dialect(Protocol):
    """How one program talks and is understood, under a profile."""

    @property
    def learned(self) -> Learned:
        """What was learned of its words."""

    @property
    def obstacle(self) -> str:
        """The reason why the program could not be followed at all, through no fault of its own that we know of; then a person decides."""

    @property
    def notes(self) -> Mapping[str, str]:
        """Sentences for staff and the student on how it was judged, by the codes of their findings."""

    def of(self, games: GameSet | None) -> Games:
        """The games of a set; None stands for all games of a program that is explored."""

    def samples(self, sets: Iterable[GameSet]) -> Iterator[Followed]:
        """Games that show much of the program: drawn by these sets, or the longest of those that explored it."""

    def studied(self) -> Study:
        """The games and lessons for a person who wants to know how the program is understood."""


@dataclass(frozen=True, slots=True)
class Study:
    """The dialect of a program that was explored, and its games as they were played and ruled on: every case looks at all of them."""

    games: tuple[Followed, ...] = ()
    learned: Learned = Learned()
    obstacle: str = ""
    notes: Mapping[str, str] = field(default_factory=lambda: NO_NOTES)

    @property
    def known(self) -> tuple[Followed, ...]:
        """The games."""
        return self.games

    def of(self, _games: GameSet | None) -> Study:
        """Itself."""
        return self

    def played(self, _shows: Shows) -> tuple[Followed, ...]:
        """The games."""
        return self.games

    def example(self, failed: Followed, _number: int, _kind: str, _shows: Shows) -> Example:
        """The game that failed: the methods try short games first."""
        return Example(failed)

    def proof(self) -> None:
        """Nothing: a method says in a lesson how far it came."""

    def samples(self, _sets: Iterable[GameSet]) -> Iterator[Followed]:
        """The games, the longest first."""
        yield from sorted(self.games, key=lambda one: (-len(one.transcript.inputs), one.transcript.inputs))

    def studied(self) -> Study:
        """Itself."""
        return self


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

        ``corrections`` are values of lessons, by key, that a person has set: they are taken as true. Raises SpentError where no
        further run is made before there is anything to judge; what the budget of the submission raises passes through.
        """
