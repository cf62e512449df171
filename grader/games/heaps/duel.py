"""The part of a reference that describes its game of heaps, so that programs are followed that talk it over in words of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from grader.games.heaps.facing import HeapsGame
from grader.games.heaps.moving import Heaps
from grader.values import dataclass

USER, COMPUTER = "user", "program"
"""The players against each other, as the words of all languages know them."""

Typed = tuple[str, str]
"""A move as the assignment writes it, a heap and a number: ``("c", "2")``; it need not be legal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """A game of heaps of two people or against the computer, as its reference knows it.

    ``starts`` are heaps with which games begin: typed before the game where ``sizes``, else there is one. ``labels`` are the signs of
    the heaps, and ``apart`` says that heap and number are asked for one after the other. ``illegal`` are moves that must be
    refused at the first of the starts, of several kinds.

    ``names`` is what the assignment itself calls the players. The rest are kinds of faults, empty if the assignment allows what they
    say. ``untold``: the program tells no move of the computer. ``unshown``: it shows no heaps. ``oddly``: it wants moves typed by other
    signs than the assignment’s. ``yes``: it wants another yes. ``enter``: it wants Enter after a move. ``unlike``: it talks the game over
    in other words than the assignment’s.
    """

    game: HeapsGame
    starts: tuple[Heaps, ...]
    labels: str
    illegal: tuple[Typed, ...]
    sizes: bool = False
    apart: bool = False
    names: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    untold: str = ""
    unshown: str = ""
    oddly: str = ""
    yes: str = ""
    enter: str = ""
    unlike: str = ""
