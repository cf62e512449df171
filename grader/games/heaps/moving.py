"""Heaps and moves, whatever an assignment calls them: a move takes at least one thing from one heap, and only what is there.

A program has a conduct: what it makes of a move that is typed, and what it takes, as fields that say how that departs from the rules. The
departures of a family are rows with a field and a value of it (``learn.fit``). A referee whose states have such a conduct rules by it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache, reduce
from operator import xor
from typing import NamedTuple

Heaps = tuple[int, ...]
Move = tuple[int, int]
"""A heap from 0, and how many are taken from it."""


def legal(heaps: Heaps) -> tuple[Move, ...]:
    """Every legal move."""
    return tuple((heap, count) for heap, n in enumerate(heaps) for count in range(1, n + 1))


def allowed(heaps: Heaps, move: Move) -> bool:
    """Whether a move is legal."""
    heap, count = move
    return 0 <= heap < len(heaps) and 1 <= count <= heaps[heap]


def less(heaps: Heaps, move: Move) -> Heaps:
    """The heaps that a legal move leaves."""
    heap, count = move
    return (*heaps[:heap], heaps[heap] - count, *heaps[heap + 1 :])


def between(before: Heaps, after: Heaps) -> Move | None:
    """The move that makes one of the other; None if no legal move does."""
    changes = [(heap, n - m) for heap, (n, m) in enumerate(zip(before, after, strict=True)) if n != m]
    return changes[0] if len(changes) == 1 and allowed(before, changes[0]) else None


def emptied(heaps: Heaps, heap: int) -> Heaps:
    """The heaps with one of them empty."""
    return _with(heaps, heap, 0)


class Position(NamedTuple):
    """The heaps, and the player (1 or 2) who moves next."""

    heaps: Heaps
    player: int = 1

    def after(self, move: Move) -> Position:
        """The position after a legal move."""
        return Position(less(self.heaps, move), 3 - self.player)


@lru_cache(maxsize=1 << 12)
def balancing(heaps: Heaps) -> tuple[Move, ...]:
    """The legal moves that leave an exclusive or of 0: where who takes the last one wins, these keep the win. None if it is 0 already."""
    return tuple(move for move in legal(heaps) if not reduce(xor, less(heaps, move)))


# -------------------------------------------------------------------------------------------------- how a program plays


STAYS, ADDS, ONE, ONE_MORE, ONE_FEWER = "stays", "adds", "one", "one-more", "one-fewer"
"""The change of the heap from which a move takes."""

_LEFT: Mapping[str, Callable[[int, int], int]] = {
    STAYS: lambda n, _count: n,
    ADDS: lambda n, count: n + count,
    ONE: lambda n, _count: n - 1,
    ONE_MORE: lambda n, count: n - count - 1,
    ONE_FEWER: lambda n, count: n - count + 1,
}


ILLEGAL, POOR = "illegal", "poor"
"""The moves of a computer that breaks the rules: some are illegal, and legal ones may be poor."""


class Drawing(NamedTuple):
    """The wrong drawing of a heap, or of every heap if it is -1: ``pairs`` of what one holds and what is shown then.

    Without pairs nothing that is shown of it is believed.
    """

    heap: int
    pairs: tuple[tuple[int, int], ...] = ()

    def may_hold(self, shown: int) -> frozenset[int]:
        """The numbers for which this one is shown; a number of no pair is shown as it is."""
        kept = () if any(n == shown for n, _ in self.pairs) else (shown,)
        return frozenset((*kept, *(n for n, drawn in self.pairs if drawn == shown)))

    def doubts(self, heaps: Heaps) -> bool:
        """Whether heaps that are shown may be several others: 5 and 6 may look alike."""
        drawn = heaps if self.heap < 0 else heaps[self.heap : self.heap + 1]
        return bool(self.pairs) and any(len(self.may_hold(n)) != 1 for n in drawn)

    def held(self, heaps: Heaps, due: Heaps) -> Heaps:
        """The heaps that there are where these are shown; those that are ``due`` if they may be."""
        known = tuple(self.may_hold(n) if self.pairs else frozenset({m}) for n, m in zip(heaps, due, strict=True))
        held = tuple(m if m in may else min(may, default=n) for n, m, may in zip(heaps, due, known, strict=True))
        return held if self.heap < 0 else _with(heaps, self.heap, held[self.heap])


class Exchanged(NamedTuple):
    """Heaps that are shown in each other’s places: ``places`` has for each place the heap that is shown there."""

    places: tuple[int, ...]

    def doubts(self, _heaps: Heaps) -> bool:
        """False: it is known what there is."""
        return False

    def held(self, heaps: Heaps, _due: Heaps) -> Heaps:
        """The heaps that there are where these are shown."""
        return tuple(heaps[self.places.index(heap)] for heap in range(len(heaps)))


class Naming(NamedTuple):
    """The heaps from which a program takes where each heap is typed, and the one behind the last; -1 where it refuses the move.

    Where all letters are shifted, the one ``before`` the first takes from a heap as well.
    """

    heaps: tuple[int, ...] = ()
    before: int = -1

    def heap(self, typed: int) -> int:
        """The heap from which it takes where this one is typed."""
        if typed == -1:
            return self.before
        return self.heaps[typed] if 0 <= typed < len(self.heaps) else typed


class Conduct(NamedTuple):
    """The conduct of a program; all fields as they are here are right.

    It takes from other ``heaps`` than are typed, and adds ``more`` to a number that is typed. Both come before it looks whether a move is
    legal. ``otherwise`` is a heap, -1 for every heap, and what comes of it where a move takes from it. A heap that goes ``astray`` keeps
    its shown things after any move. A heap may only be ``drawn`` wrongly, or in the place of another. ``inverted`` is a heap, or -1, whose legal moves it refuses and
    whose illegal ones it takes, and whether the whole heap may be taken. One that ``misreports`` carries out legal moves and calls them
    invalid. It accepts moves of more than there is, which change nothing. One that is ``unbounded`` accepts these beside the legal ones.
    A game that is ``numbered`` has so many heaps, and the program takes from the heap at the place that the typed number counts from 0.
    ``strangers`` says that it does not ask players 1 and 2 in turn, and ``lost`` that some moves of the computer are illegal, and
    perhaps others ``POOR``.
    At these occasions of a game that ``begins`` the other player does. Its games end when so many are left (``rest``), or never if that is
    -1, and it may name the ``loser`` as the winner.
    """

    heaps: Naming = Naming()
    more: int = 0
    otherwise: tuple[int, str] | None = None
    astray: int | None = None
    drawn: Drawing | Exchanged | None = None
    inverted: tuple[int, bool] | None = None
    misreports: bool = False
    unbounded: bool = False
    numbered: int = 0
    strangers: bool = False
    lost: str = ""
    begins: frozenset[str] = frozenset()
    rest: int = 0
    loser: bool = False

    def shows(self, occasions: Collection[str], left: Collection[int]) -> frozenset[str]:
        """The kinds of faults that right rules must find in a turn with these occasions, whose moves leave so many things."""
        others = self.begins.intersection(occasions)
        due = (
            ("no-alternation", "start" in others),
            ("wrong-starter", others - {"start"}),
            ("wrong-winner", self.loser and {"win", "win-1", "win-2"}.intersection(occasions)),
            ("plays-on", self.rest < 0 and "end" in occasions),
            ("ended-early", self.rest > 0 and self.rest in left),
        )
        return frozenset(kind for kind, is_due in due if is_due)

    def reads(self, move: Move) -> Move:
        """A move that is typed, as the program reads it."""
        if 0 <= move[0] < self.numbered:
            return move[1], move[1]
        return self.heaps.heap(move[0]), move[1] + self.more

    def takes(self, heaps: Heaps, move: Move) -> bool:
        """Whether the program takes a move that it has read."""
        if self.misreports or (self.unbounded and not allowed(heaps, move)):
            return 0 <= move[0] < len(heaps) and move[1] > heaps[move[0]]
        if self.inverted is None or self.inverted[0] not in (-1, move[0]) or not 0 <= move[0] < len(heaps):
            return allowed(heaps, move)
        return not allowed(heaps, move) or (self.inverted[1] and move[1] == heaps[move[0]])

    def plays_right(self, positions: Sequence[Heaps], move: Move) -> bool:
        """Whether right rules make the same of a move that was read, in each of these positions, if what is shown is believed."""
        right = (self.takes(heaps, move) == allowed(heaps, move) for heaps in positions)
        return all(right) and all(self.after(heaps, move, ()) == RIGHT.after(heaps, move, ()) for heaps in positions)

    def loses_count(self, heap: int) -> bool:
        """Whether nobody knows what comes of an illegal number for this heap: where it holds more than it shows, more may be taken."""
        otherwise = self.otherwise if self.otherwise is None or self.otherwise[1] in (STAYS, ADDS) else None
        known = [one[0] for one in (otherwise, self.inverted) if one is not None]
        return heap in (*known, self.astray) or -1 in known

    def seen(self, boards: Sequence[Heaps], due: Heaps) -> tuple[Heaps, ...]:
        """The heaps that there are, by those that it shows and those that are ``due``."""
        return tuple(boards) if self.drawn is None else tuple(self.drawn.held(heaps, due) for heaps in boards)

    def after(self, heaps: Heaps, move: Move, boards: Sequence[Heaps]) -> Heaps:
        """The heaps behind a move that the program takes; ``boards`` are those that it shows."""
        heap, count = move
        if not 0 <= heap < len(heaps) or (self.misreports and not allowed(heaps, move)):
            return heaps
        rest = _with(heaps, heap, heaps[heap] - count)
        if self.otherwise is not None and self.otherwise[0] in (-1, heap):
            rest = _with(heaps, heap, _LEFT[self.otherwise[1]](heaps[heap], count))
        if self.astray is not None and boards:
            rest = _with(rest, self.astray, boards[0][self.astray])
        return rest


def _with(heaps: Heaps, heap: int, n: int) -> Heaps:
    return (*heaps[:heap], max(n, 0), *heaps[heap + 1 :])


RIGHT = Conduct()
