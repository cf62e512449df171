"""Memory as it is while a program waits: what of it differs between futures, where a program shows nothing in its text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

Pages = Mapping[int, bytes]
"""Pages of memory by number; all are of one size."""

_NOT_ZERO = re.compile(rb"[^\0]")

MOST_CHANGED = 60
"""Maximum places that one future alone has changed; of more the first of each run of equal values is looked at."""


def pages(session: object) -> Pages:
    """The pages of memory that a session has written; empty if its memory cannot be looked at."""
    result: Pages = getattr(session, "pages", {})
    return result


def value(memory: Pages, place: int, size: int) -> int:
    """The number of so many bytes at a place, which counts such numbers; 0 if nothing was written."""
    length = len(next(iter(memory.values()), b"")) or 1
    page, at = divmod(place * size, length)
    return int.from_bytes(memory.get(page, b"")[at : at + size], "little")


def alone(futures: Sequence[Pages], size: int) -> list[dict[int, int]]:
    """For each future the places that it alone has changed, with their values."""
    units: list[dict[int, int]] = [{} for _ in futures]
    for place, values in _differing(futures, size):
        usual, number = Counter(values).most_common(1)[0]
        if number >= len(values) - 2:
            for one, had in zip(units, values, strict=True):
                if had != usual:
                    one[place] = had
    return [_thinned(one) for one in units]


def _differing(futures: Sequence[Pages], size: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    length = max((len(page) for memory in futures for page in memory.values()), default=0)
    blank = bytes(length)
    for number in sorted({number for memory in futures for number in memory}):
        versions = [memory.get(number, blank) for memory in futures]
        if len(set(versions)) == 1:
            continue
        units = [memoryview(version).cast("I" if size == 4 else "B") for version in versions]
        for at in _differences(versions, size):
            yield number * (length // size) + at, tuple([unit[at] for unit in units])


def _differences(versions: Sequence[bytes], size: int) -> list[int]:
    """The numbers of the units that are not the same in all versions of a page, found by bits: few of a thousand are."""
    first = int.from_bytes(versions[0], "little")
    differs = 0
    for version in versions[1:]:
        differs |= int.from_bytes(version, "little") ^ first
    matches = _NOT_ZERO.finditer(differs.to_bytes(len(versions[0]), "little"))
    return list(dict.fromkeys([one.start() // size for one in matches]))


def _thinned(places: dict[int, int]) -> dict[int, int]:
    if len(places) <= MOST_CHANGED:
        return places
    first = [place for place in places if places.get(place - 1) != places[place]]
    return {place: places[place] for place in first[:MOST_CHANGED]}
