"""The games of one program that was explored, as cases look for faults in them, and the game that a report shows.

Each game is noted as it is played: what was found in it turn by turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from types import MappingProxyType

from grader.checks.ending import faulty
from grader.games.follow.following import Followed
from grader.games.hear.runs import Run
from grader.games.referee import ANSWERS, CRASH, Fault
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


# ---------------------------------------------------------------------------------------------------- one explored game


@dataclass(eq=False)
class Game:
    """One game as it was played; ``run`` is where it came to, ``seed`` that of the program's own random numbers.

    Turns are numbered from 1. ``readings`` says how a turn was read, and ``positions`` draws the position after it.
    """

    run: Run
    # Without its seed the command that shows a poor move again showed another game.
    seed: int | None = None
    faults: list[tuple[int, Fault]] = field(default_factory=list)
    occasions: Counter[str] = field(default_factory=Counter)
    readings: dict[int, tuple[str, ...]] = field(default_factory=dict)
    positions: dict[int, str] = field(default_factory=dict)

    def saw(self, *names: str) -> None:
        """Count what came about."""
        self.occasions.update(names)

    def note(
        self,
        turn: int,
        kind: str,
        message: str,
        *,
        stops: bool = False,
        about: tuple[str, ...] = (),
        causes: tuple[str, ...] = (),
    ) -> None:
        """Note a fault in a turn; ``stops`` says that what comes behind it is no right game any more."""
        self.faults.append((turn, Fault(kind, message, stops, about, causes)))

    @property
    def is_broken(self) -> bool:
        """Whether the program broke at the end of the game."""
        return self.run.ending is not None and faulty(self.run.ending)

    def broke(self, due: str = CRASH) -> None:
        """Note that the program broke, where it did and no fault says so yet: a crash, or the fault of not doing what was ``due``."""
        ending = self.run.ending
        if ending is not None and faulty(ending) and all(fault.message != ending.message for _, fault in self.faults):
            self.note(len(self.run.waits), due, ending.message, stops=True)

    def followed(self) -> Followed:
        """The game as cases judge it: the first turn with a fault comes first."""
        return Followed(
            self.run.transcript(),
            tuple(sorted(self.faults, key=lambda fault: fault[0])),
            seed=self.seed,
            occasions=MappingProxyType({ANSWERS: len(self.run.taken), **self.occasions}),
            readings=MappingProxyType(self.readings),
            positions=MappingProxyType(self.positions),
        )


def whole(games: Iterable[Game]) -> tuple[Followed, ...]:
    """Games that were played to their ends, as cases judge them: each says that the program broke, where it did."""
    plays = tuple(games)
    for game in plays:
        game.broke()
    return tuple(game.followed() for game in plays)
