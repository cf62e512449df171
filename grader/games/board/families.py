"""Places in which seven futures, one for each column, differ one by one: there a piece lies."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from grader.games.board.frame import Grid
from grader.values import dataclass

Place = tuple[int, int]
"""A line, counted from the end of a text (0 is the last), and a place in it."""

FITS = 5
"""So many of the seven columns must show their cell: a program that refuses one, or confuses two, can still be read."""


@dataclass(frozen=True, slots=True)
class Family:
    """Places that move by ``step`` from column to column, one for each piece of ink of a mark; ``fits`` columns show it."""

    step: Place
    places: tuple[Place, ...]
    fits: int


def families(futures: Sequence[Grid]) -> list[Family]:
    """The families of places in which the futures of the seven columns differ one by one, the best first."""
    changed = [dict[Place, str]() for _ in futures]
    for line in range(max(map(len, futures))):
        rows = [grid[-1 - line] if line < len(grid) else "" for grid in futures]
        if len(set(rows)) == 1:
            continue
        width = max(map(len, rows))
        for column, signs in enumerate(zip(*(row.ljust(width) for row in rows), strict=True)):
            usual, number = Counter(signs).most_common(1)[0]
            if len(signs) - 2 <= number < len(signs):
                for n, sign in enumerate(signs):
                    if sign != usual:
                        changed[n][line, column] = sign
    return sorted(_families(changed), key=lambda one: (-one.fits, -len(one.places)))


def _families(changed: Sequence[Mapping[Place, str]]) -> Iterator[Family]:
    votes: Counter[tuple[Place, Place]] = Counter()
    for n, (here, there) in enumerate(pairwise(changed)):
        if len(here) * len(there) > 4_000:
            continue
        for line, column in here:
            for line2, column2 in there:
                down, right = line2 - line, column2 - column
                if (down == 0) != (right == 0):
                    votes[(line - n * down, column - n * right), (down, right)] += 1
    fits: dict[Place, list[tuple[int, Place]]] = defaultdict(list)
    for (first, step), number in votes.items():
        if number >= FITS - 2:
            # the same mark in all: a future without a board differs everywhere, but shows none
            signs = (there.get(moved(first, step, n)) for n, there in enumerate(changed))
            fitting = max(Counter(sign for sign in signs if sign is not None).values(), default=0)
            if fitting >= FITS:
                fits[step].append((-fitting, first))
    for step, found in fits.items():
        found.sort()  # of a faulty column one piece may fit less than the other
        yield Family(step, tuple(place for _, place in found), -found[0][0])


def moved(place: Place, step: Place, times: int) -> Place:
    """A place, so many steps further."""
    return place[0] + times * step[0], place[1] + times * step[1]
