"""What a reference tells of its game, so that programs are followed that talk it over in words of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from types import MappingProxyType

from grader.reading.display import Heaps
from grader.reading.facts import Fact
from grader.values import dataclass

USER, COMPUTER = "user", "program"
"""The players, as the words of all languages know them."""


@dataclass(frozen=True, slots=True)
class Board:
    """The heaps are shown."""

    heaps: Heaps


@dataclass(frozen=True, slots=True)
class Told:
    """It is said how many stones the computer takes, and from which heap (from 0)."""

    heap: int
    count: int


@dataclass(frozen=True, slots=True)
class Turn:
    """The computer’s turn is announced."""


@dataclass(frozen=True, slots=True)
class Starts:
    """It is said who begins."""

    player: str


@dataclass(frozen=True, slots=True)
class Winner:
    """It is said who has won; empty where somebody is named, and it could not be read who."""

    player: str


@dataclass(frozen=True, slots=True)
class Score:
    """The wins of both are shown."""

    user: int
    computer: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something is said that is said of illegal answers only."""


Event = Board | Told | Turn | Starts | Winner | Score | Refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """A game of heaps against the computer, as its reference knows it.

    ``starts`` are heaps with which games begin: typed before the game where ``sizes``, else there is one. ``labels`` are the signs of
    the heaps, and ``apart`` says that heap and number are asked for one after the other. ``illegal`` are moves that must be
    refused at the first of the starts, of several kinds, and ``best`` the winning moves, as heap (from 0) and number.

    ``asks`` is what the referee calls the questions: for a ``move``, for ``more`` of one, for a ``size``, and for ``again``; ``facts``
    are the facts of the spec that events state. ``names`` is what the assignment itself calls the players. ``untold`` is the kind of
    fault that it is to tell no move of the computer, ``unshown`` to show no heaps, ``oddly`` to want moves typed by other signs than the assignment’s, ``yes`` to
    want another yes, and ``unlike`` to talk the game over in other words than the assignment’s; empty where that is none.
    """

    starts: tuple[Heaps, ...]
    sizes: bool
    labels: str
    apart: bool
    illegal: tuple[tuple[str, str], ...]
    best: Callable[[Heaps], Sequence[tuple[int, int]]]
    asks: Mapping[str, str]
    facts: Callable[[Sequence[Event]], tuple[Fact, ...]]
    split: Callable[[str], tuple[str, str]] = lambda text: (text[:1], text[1:])
    names: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    untold: str = ""
    unshown: str = ""
    oddly: str = ""
    yes: str = ""
    unlike: str = ""
