"""How a move is typed: which signs stand for the heaps, and whether heap and number come in one answer or in two."""

from __future__ import annotations

from grader.reading.runs import Answers
from grader.values import dataclass

Move = tuple[str, str]
"""A heap and a number as the assignment writes them: ``("c", "2")``; they need not be legal."""


@dataclass(frozen=True, slots=True)
class Manner:
    """One manner of typing moves. ``labels`` are the signs of the heaps, ``gap`` stands between heap and number in one answer."""

    labels: str
    apart: bool = False
    gap: str = ""
    count_first: bool = False

    def typed(self, move: Move, usual: str) -> Answers:
        """The answers for a move whose heap is written by the ``usual`` labels; what is wrong there stays wrong."""
        heap, count = self._heap(move[0], usual), move[1]
        parts = (count, heap) if self.count_first else (heap, count)
        return parts if self.apart else (self.gap.join(parts),)

    def _heap(self, heap: str, usual: str) -> str:
        if self.labels.casefold() == usual.casefold():
            return heap
        at = usual.casefold().find(heap.casefold())
        if 0 <= at < len(self.labels):
            return self.labels[at]
        return "7" if self.labels.isdigit() else "x"


def manners(usual: str, *, apart: bool) -> tuple[Manner, ...]:
    """What is tried: the assignment's own manner first, other signs for the heaps last."""
    labels = dict.fromkeys((usual, "123", "ABC", "abc", "012"))
    shapes = ((apart, ""), (not apart, ""), (False, " "))
    return tuple(
        Manner(signs, two, gap, first)
        for signs in labels
        for first in (False, True)
        for two, gap in shapes
        if two or gap or not (signs.isdigit() and usual.isdigit())  # "32" is a number
    )
