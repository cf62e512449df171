"""The part of a reference that describes its game of heaps, so that programs are followed that talk it over in words of their own.

A program has a manner in which it takes moves: which signs stand for the heaps, and whether heap and number come in one answer or in two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from grader.games.heaps.facing import HeapsGame
from grader.games.heaps.moving import Heaps
from grader.games.hear.runs import Answers
from grader.spec.expectations import ENTER
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


# -------------------------------------------------------------------------------------------------- how a move is typed


@dataclass(frozen=True, slots=True)
class Manner:
    """One manner of typing moves.

    ``labels`` are the signs of the heaps, and ``usual`` those of the assignment. ``gap`` stands between heap and number in one
    answer. ``enter`` says that a program which reads keys wants Enter behind them.
    """

    labels: str
    usual: str
    apart: bool = False
    gap: str = ""
    count_first: bool = False
    enter: bool = False

    def typed(self, move: Typed) -> Answers:
        """The answers for a move as the assignment writes it; what is wrong there stays wrong."""
        heap, count = self._heap(move[0]), move[1]
        parts = (count, heap) if self.count_first else (heap, count)
        return parts if self.apart else (self.gap.join(parts) + ENTER * self.enter,)

    def takes(self, heap: int, count: int) -> Answers:
        """The answers for so many things of a heap (from 0)."""
        return self.typed((self.usual[heap], str(count)))

    @property
    def one_of_last(self) -> str:
        """How one thing of the last heap is typed: no heap is called so by another manner."""
        parts = self.takes(len(self.usual) - 1, 1)
        return ", ".join((*(part.removesuffix(ENTER) for part in parts), *("Enter",) * self.enter))

    def is_usual(self, duel: Duel) -> bool:
        """Whether it is the assignment's own manner."""
        return self == type(self)(duel.labels, duel.labels, duel.apart)

    def _heap(self, heap: str) -> str:
        if self.labels.casefold() == self.usual.casefold():
            return heap
        at = self.usual.casefold().find(heap.casefold())
        if 0 <= at < len(self.labels):
            return self.labels[at]
        return "7" if self.labels.isdigit() else "x"


@dataclass(frozen=True, slots=True)
class Keys(Manner):
    """A manner of typing moves as two keys. Each key may be wrong in a way of its own, such as a letter in lower case."""

    def _heap(self, heap: str) -> str:
        """The assignment's sign for this program's and the other way round; with those beside them, which are wrong in both."""
        both = (self.usual, self.labels)
        ours, theirs = (f"{chr(ord(signs[0]) - 1)}{signs}{chr(ord(signs[-1]) + 1)}" for signs in both)
        swap = {**dict(zip(theirs, ours, strict=True)), **dict(zip(ours, theirs, strict=True))}
        return swap.get(heap, heap)


def manners(duel: Duel) -> tuple[Manner, ...]:
    """The manners that are tried: the assignment's own manner first, other signs for the heaps last, and Enter behind keys behind that."""
    if not duel.game.computer:
        return tuple(
            Keys(signs, duel.labels, count_first=first, enter=enter)
            for enter in (False, True)
            for first in (False, True)
            for signs in (duel.labels, "123", "abc", "012")
        )
    labels = dict.fromkeys((duel.labels, "123", "ABC", "abc", "012"))
    shapes = ((duel.apart, ""), (not duel.apart, ""), (False, " "))
    return tuple(
        Manner(signs, duel.labels, two, gap, first)
        for signs in labels
        for first in (False, True)
        for two, gap in shapes
        if two or gap or not (signs.isdigit() and duel.labels.isdigit())  # "32" is a number
    )
