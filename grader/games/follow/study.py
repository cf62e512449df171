"""The games of one program that was explored, as cases look for faults in them, and the game that a report shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from types import MappingProxyType

from grader.games.follow.following import Followed
from grader.results import Learned
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


@dataclass(frozen=True, slots=True)
class Study:
    """The dialect of a program that was explored, and its games as they were played and ruled on: every case looks at all of them.

    ``obstacle`` is the reason why the program could not be followed at all, for no reason that we can blame on it: then a person decides.
    ``notes`` are sentences for staff and the student on how it was judged, by the codes of their findings.
    """

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
