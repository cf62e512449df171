"""Ranges of the drawn arguments of calls: ``1..200``, ``array 1..8 of -9..9``, ``string 0..12 of a-z`` and so on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from grader.spec.things import (
    LARGEST_BLOCK,
    NODE,
    Address,
    Space,
    Thing,
    as_written,
    behind,
    read_fields,
    read_latin,
    read_number,
    read_word,
)
from grader.values import dataclass

TYPES: Mapping[str, tuple[type, ...]] = {
    "number": (int,),
    "string": (str,),
    "line": (str,),
    "array": (list,),
    "bytes": (bytes, list),
    "list": (list,),
}
"""The types that a reference takes for each kind of range."""


@dataclass(frozen=True, slots=True)
class Range:
    """The range of a drawn argument.

    ``kind`` is ``number``, ``string``, ``line``, ``array``, ``bytes``, ``list``, ``length``, ``space`` or ``fixed``. ``least`` and ``most``
    bound numbers, also within a row; ``shortest`` and ``longest`` how many there are; ``chars`` are those of a text, the
    simplest first. A length is that of the argument ``of``; ``only`` are the possible values; ``thing`` is fixed. A row
    has the length of the argument that it is ``like``, is in order where it is ``sorted``, and has no item twice where it is ``distinct``.
    """

    kind: str
    least: int = 0
    most: int = 0
    shortest: int = 0
    longest: int = 0
    chars: str = ""
    of: str = ""
    only: tuple[int, ...] = ()
    fields: tuple[str, ...] = NODE
    thing: Thing = 0
    like: str = ""
    sorted: bool = False
    distinct: bool = False

    @property
    def told(self) -> bool:
        """Whether the reference gets this argument: all but space and addresses."""
        return self.kind not in ("space", "fixed") or isinstance(self.thing, int)


_INT = r"[+-]?(?:0[xX][0-9A-Fa-f]+|[0-9]+)"
_SPAN = rf"(?P<least>{_INT}) *\.\. *(?P<most>{_INT})"
_COUNT = r"(?:(?P<shortest>[0-9]+)(?: *\.\. *(?P<longest>[0-9]+))?|same length as (?P<like>\S+))"
_HOW = r"(?P<sorted> sorted)?(?P<distinct> distinct)?"
_RANGES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("number", re.compile(_SPAN)),
    ("only", re.compile(rf"any of (?P<only>{_INT}(?: *, *{_INT})*)")),
    ("array", re.compile(rf"array {_COUNT} of {_SPAN}{_HOW}")),
    ("bytes", re.compile(rf"bytes {_COUNT} of {_SPAN}{_HOW}")),
    ("list", re.compile(rf"list {_COUNT} of {_SPAN}{_HOW}(?: by (?P<fields>\w+(?:, *\w+)+))?")),
    ("string", re.compile(rf"string {_COUNT} of (?P<chars>.+)", re.DOTALL)),
    ("line", re.compile(rf"line {_COUNT} of (?P<chars>.+)", re.DOTALL)),
    ("length", re.compile(r"length of (?P<of>\S+)")),
    ("space", re.compile(r"space (?P<size>[0-9]+)")),
)
RANGES = "1..200, `any of 1, 5`, `array 1..8 of -9..9`, `string 0..12 of a-z`, `list 0..6 of 1..99`, `length of R0`, `array same length as R0 of 0..9 sorted distinct`, `space 12` or @label"


def read_range(value: object) -> Range:
    """The range of an argument, from ``1..200``, ``array 1..8 of -9..9`` and so on. Raises ValueError."""
    if isinstance(value, int) and not isinstance(value, bool):
        return Range("fixed", thing=read_word(value))
    if isinstance(value, str) and value.startswith("@") and len(value) > 1:
        return Range("fixed", thing=Address(*behind(value[1:])))
    text = value if isinstance(value, str) else ""
    for kind, pattern in _RANGES:
        # The last of the characters to draw may be a blank.
        matched = pattern.fullmatch(text if kind in ("string", "line") else text.strip())
        if matched is not None:
            return _built(kind, matched.groupdict())
    raise ValueError(f"{as_written(value)} is no range: write {RANGES}")


def _built(kind: str, parts: Mapping[str, str | None]) -> Range:
    """A range of this kind, of what its pattern has found."""
    if kind == "only":
        only = tuple(read_word(int(item, 0)) for item in (parts["only"] or "").replace(" ", "").split(","))
        return Range("number", min(only), max(only), only=only)
    if kind == "length":
        return Range(kind, of=parts["of"] or "")
    if kind == "space":
        return Range(kind, thing=Space(read_number(int(parts["size"] or 0), 1, LARGEST_BLOCK, "a size")))
    if kind == "number":
        return Range(kind, *_span(parts))
    # How long a row may be that is like another one, that one knows.
    like = parts["like"] or ""
    shortest, longest = (0, LARGEST_BLOCK) if like else _counts(parts)
    if kind in ("string", "line"):
        return Range(kind, shortest=shortest, longest=longest, chars=_chars(parts["chars"] or ""), like=like)
    fields = read_fields((parts.get("fields") or ", ".join(NODE)).split(","))
    least, most = _span(parts)
    distinct = bool(parts["distinct"])
    if distinct and not like and most - least + 1 < longest:
        raise ValueError(f"{least}..{most} has no {longest} numbers that are distinct")
    row = Range(kind, least, most, shortest, longest, fields=fields, like=like)
    return replace(row, sorted=bool(parts["sorted"]), distinct=distinct)


def _span(parts: Mapping[str, str | None]) -> tuple[int, int]:
    least, most = read_word(int(parts["least"] or "0", 0)), read_word(int(parts["most"] or "0", 0))
    if least > most:
        raise ValueError(f"{least}..{most} is empty: the smaller number comes first")
    return least, most


def _counts(parts: Mapping[str, str | None]) -> tuple[int, int]:
    shortest = int(parts["shortest"] or 0)
    longest = int(parts["longest"] or shortest)
    if shortest > longest or longest > LARGEST_BLOCK:
        how = f"from the shortest to the longest, {LARGEST_BLOCK} at most"
        raise ValueError(f"{shortest}..{longest} is no length: {how}")
    return shortest, longest


def _chars(written: str) -> str:
    """The characters that ``a-z0-9_`` names, in the order of the spec."""
    chars: list[str] = []
    at = 0
    while at < len(written):
        # A hyphen at either end is a character of its own.
        first = last = written[at]
        if at + 2 < len(written) and written[at + 1] == "-":
            last = written[at + 2]
            at += 2
        if last < first:
            raise ValueError(f"{first}-{last} is empty: the earlier character comes first")
        chars += map(chr, range(ord(first), ord(last) + 1))
        at += 1
    return read_latin("".join(dict.fromkeys(chars)))
