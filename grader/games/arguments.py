"""Arguments of routines: drawn by a seed from what a spec allows, and made smaller while a call still fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from grader.spec.ranges import Range
from grader.spec.things import Bytes, Nodes, Text, Thing, Words

Values = Mapping[str, Any]
"""Each argument as the reference gets it: a number, a text, a list; the thing itself if the reference does not get it."""

_EDGES = 8
"""One drawn number in eight is the least or the most that it may be: most mistakes are at the edges."""


def draw(ranges: Mapping[str, Range], random: Random) -> dict[str, Any]:
    """One set of arguments."""
    values: dict[str, Any] = {}
    # A row that is as long as another one is drawn behind it.
    for name, one in sorted(ranges.items(), key=lambda item: bool(item[1].like)):
        length = len(values[one.like]) if one.like else None
        values[name] = _sample(one, random, length)
    return completed(ranges, {name: values[name] for name in ranges})


def completed(ranges: Mapping[str, Range], values: Values) -> dict[str, Any]:
    """The same with the lengths that belong to them, and the items of rows in order that are sorted."""
    whole = dict(values)
    for name, one in ranges.items():
        if one.like:  # the other one may have been made shorter
            whole[name] = whole[name][: len(whole[one.like])]
        if one.sorted:
            whole[name] = sorted(whole[name])
    for name, one in ranges.items():
        if one.of:
            whole[name] = len(whole[one.of])
    return whole


def _fit(ranges: Mapping[str, Range], values: Values) -> bool:
    """Whether rows have the lengths of those that they are like, and no item twice where all are to be distinct."""
    alike = all(len(values[name]) == len(values[one.like]) for name, one in ranges.items() if one.like)
    return alike and all(len({*values[name]}) == len(values[name]) for name, one in ranges.items() if one.distinct)


def _sample(one: Range, random: Random, length: int | None = None) -> Any:
    if one.kind == "number":
        return _number(one, random)
    if one.kind in ("string", "line"):
        length = _length(one, random) if length is None else length
        text = "".join(random.choices(one.chars, k=length)) if one.chars else ""
        return text + "\n" * (one.kind == "line")
    if one.kind in ("array", "bytes", "list"):
        length = _length(one, random) if length is None else length
        if one.distinct:
            return random.sample(range(one.least, one.most + 1), min(length, one.most - one.least + 1))
        return [_number(one, random) for _ in range(length)]
    return 0 if one.of else one.thing


def _number(one: Range, random: Random) -> int:
    if one.only:
        return random.choice(one.only)
    share = random.random()  # a method for whole numbers takes three times as long
    if share < 1 / _EDGES:
        return one.least if share < 1 / _EDGES / 2 else one.most
    return one.least + int(random.random() * (one.most - one.least + 1))


def _length(one: Range, random: Random) -> int:
    return random.randint(one.shortest, one.longest)


def thing_of(one: Range, value: Any) -> Thing:
    """The contents of a register or of memory for a value."""
    if isinstance(value, str):
        return Text(value)
    if isinstance(value, list):
        if one.kind == "bytes":
            return Bytes(tuple(value))
        return Words(tuple(value)) if one.kind == "array" else Nodes(tuple((item,) for item in value), one.fields)
    thing: Thing = value
    return thing


def shrunk(
    ranges: Mapping[str, Range], values: Values, fails: Callable[[dict[str, Any]], bool], *, attempts: int = 300
) -> dict[str, Any]:
    """The smallest arguments that were found to fail: rows as short, and numbers as near to 0, as they may be.

    ``values`` themselves must fail. At most ``attempts`` others are tried.
    """
    smallest = dict(values)
    progress = True
    while progress:
        progress = False
        for name, one in ranges.items():
            for candidate in _smaller(one, smallest[name]):
                if attempts <= 0:
                    return smallest
                attempts -= 1
                trial = completed(ranges, {**smallest, name: candidate})
                if _fit(ranges, trial) and trial != smallest and fails(trial):
                    smallest, progress = trial, True
                    break
    return smallest


def _smaller(one: Range, value: Any) -> Iterator[Any]:
    """The values of a range that are smaller than a value, the smallest first."""
    if one.kind == "number":
        yield from _nearer(one, value)
    elif one.kind == "line":
        yield from (text + "\n" for text in _shorter(replace(one, kind="string"), value.removesuffix("\n")))
    elif one.kind in ("string", "array", "bytes", "list"):
        # A row that is as long as another one is made shorter with that.
        yield from _shorter(replace(one, shortest=len(value)) if one.like else one, value)


def _nearer(one: Range, value: int) -> Iterator[int]:
    """Numbers between this one and the simplest of its range."""
    if one.only:
        yield from one.only[: one.only.index(value)]
        return
    simplest = min(max(0, one.least), one.most)
    step = value - simplest
    while step:
        yield value - step
        step = int(step / 2)


def _shorter(one: Range, row: Any) -> Iterator[Any]:
    """Rows with a stretch left out, the longest first, and then rows with one simpler item."""
    size = len(row) - one.shortest
    while size > 0:
        for at in range(0, len(row) - size + 1, size):
            yield row[:at] + row[at + size :]
        size //= 2
    for at, item in enumerate(row):
        if one.kind == "string":
            if item != one.chars[0]:
                yield row[:at] + one.chars[0] + row[at + 1 :]
        else:
            yield from ([*row[:at], simpler, *row[at + 1 :]] for simpler in _nearer(one, item))
