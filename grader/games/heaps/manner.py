"""How a move is typed: which signs stand for the heaps, and whether heap and number come in one answer or in two."""

from __future__ import annotations

from grader.games.heaps.duel import Duel, Typed
from grader.games.hear.runs import Answers
from grader.spec.expectations import ENTER
from grader.values import dataclass


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
