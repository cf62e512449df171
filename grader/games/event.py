"""The statements of a program on its game, as typed events: the only vocabulary between hearing and ruling.

Each reference makes events of the facts that the patterns of its spec find, in one place. A learned sentence is an event at once.
Referees know nothing of either way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields

from grader.values import dataclass

USER, COMPUTER = 1, 2
"""The players; where two people play they are players 1 and 2."""

NOBODY = -1
"""The player of a question or a banner in which a symbol, or nothing, stands in the place of the name: “Player #”."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that a program says; ``quote`` is the sentence that says it, empty if that is not known."""

    quote: str = field(default="", compare=False, kw_only=True)

    @property
    def name(self) -> str:
        """Its name in reports."""
        return type(self).__name__.casefold()

    @property
    def values(self) -> Mapping[str, str]:
        """Its values in reports, by name."""
        values = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "quote"}
        return {name: str(value) for name, value in values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Shown(Event):
    """The heaps are shown, all of them."""

    heaps: tuple[int, ...]

    @property
    def values(self) -> Mapping[str, str]:
        """The heaps, one after the other."""
        return {"heaps": " ".join(map(str, self.heaps))}


@dataclass(frozen=True, slots=True)
class Partly(Event):
    """Only a part of the heaps is shown: ``heaps`` has None for each that is not, and is empty where nobody can tell which those are."""

    heaps: tuple[int | None, ...] = ()

    @property
    def values(self) -> Mapping[str, str]:
        """None: what is not shown stands in no report as a heap with nothing."""
        return {}


@dataclass(frozen=True, slots=True)
class Misnamed(Event):
    """A heap (from 0) is shown under the name of another."""

    heap: int

    @property
    def values(self) -> Mapping[str, str]:
        """The heap from 1, as people count."""
        return {"heap": str(self.heap + 1)}


@dataclass(frozen=True, slots=True)
class Told(Event):
    """The program says that the computer takes so many things from a heap (from 0)."""

    heap: int
    count: int

    @property
    def values(self) -> Mapping[str, str]:
        """The heap from 1, as people count, and the number."""
        return {"heap": str(self.heap + 1), "count": str(self.count)}


@dataclass(frozen=True, slots=True)
class Acting(Event):
    """The program announces the computer’s turn."""


@dataclass(frozen=True, slots=True)
class Asked(Event):
    """The program asks for something, and says which player it asks; None if it does not say."""

    question: str
    player: int | None = None


@dataclass(frozen=True, slots=True)
class Begins(Event):
    """The program says who begins."""

    player: int


@dataclass(frozen=True, slots=True)
class Named(Event):
    """The program names the winner; None if somebody wins of whom it could not be read who it is."""

    player: int | None


@dataclass(frozen=True, slots=True)
class Score(Event):
    """The program shows how many games a player has won; None if that is no number."""

    player: int
    wins: int | None


@dataclass(frozen=True, slots=True)
class Refused(Event):
    """The program says what it says of illegal answers only."""
