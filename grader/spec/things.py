"""What a spec puts into registers and memory: numbers, texts, words in a row, linked nodes; and ranges to draw them from.

One way to write them serves everywhere. In a place of memory a text or a list *is* what lies there; in a register or in a
word it is an address of it. ``@name`` is the address of a label, or of a block of the spec's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

NEXT = "next"
"""The field of a node that holds the address of the one after it."""

NODE = ("value", NEXT)
"""What a node is made of, where the spec does not say."""

LARGEST_BLOCK = 4096
"""So many words or bytes at most lie in one place: what is meant for more is a program, not a routine."""


@dataclass(frozen=True, slots=True)
class Text:
    """Characters and a zero after them: a word each on an LC-3, a byte each on a MIPS machine."""

    text: str


@dataclass(frozen=True, slots=True)
class Words:
    """Words in a row: an array, or a structure."""

    items: tuple[Thing, ...]


@dataclass(frozen=True, slots=True)
class Bytes:
    """Bytes in a row; on an LC-3 each has a word."""

    items: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Nodes:
    """Linked nodes: each item holds what its fields hold, but for the one called ``next``."""

    items: tuple[tuple[Thing, ...], ...]
    fields: tuple[str, ...] = NODE


@dataclass(frozen=True, slots=True)
class Space:
    """So many words of an LC-3, or bytes, of which nothing is said."""

    size: int


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a label or of a block, by its name: ``@list`` is called so with its sign."""

    name: str


Thing = int | Text | Words | Bytes | Nodes | Space | Address

_KEYS = ("string", "bytes", "list", "node", "space", "to")
MAPPINGS = frozenset(_KEYS)
"""The keys of a mapping that is one thing, and not a thing for each of several places."""

_HOW = "a number, a text, a list of words, {list: […], node: [value, next]}, {bytes: […]}, {string: …}, {space: 12} or {to: …}"


_WORDS = {"lc3": (-(1 << 15), (1 << 16) - 1), "mips": (-(1 << 31), (1 << 32) - 1)}


def word_problem(number: int, language: str) -> str:
    """Why a number is no word of a machine, signed or not; empty where it is one."""
    least, most = _WORDS[language]
    return "" if least <= number <= most else f"{number} is not a word: {least}…{most}"


def numbers_in(value: object, loc: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], int]]:
    """Each number in what a spec has written, with where it stands in it."""
    if isinstance(value, int) and not isinstance(value, bool):
        yield loc, value
    elif isinstance(value, list | tuple):
        for at, item in enumerate(value):
            yield from numbers_in(item, (*loc, at))
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from numbers_in(item, (*loc, key))


def read_thing(value: object) -> Thing:
    """What a spec has written. Raises ValueError."""
    if isinstance(value, bool) or value is None or isinstance(value, float):
        raise ValueError(f"{_said(value)} is nothing that memory holds: write {_HOW}")
    if isinstance(value, int):
        return _word(value)
    if isinstance(value, str):
        return Address(value[1:]) if value.startswith("@") and len(value) > 1 else Text(_latin(value))
    if isinstance(value, list | tuple):
        return Words(tuple(read_thing(item) for item in value))
    if isinstance(value, Mapping):
        return _mapping({str(key): inner for key, inner in value.items()})
    raise ValueError(f"write {_HOW}")


def _mapping(value: Mapping[str, object]) -> Thing:
    kinds = [key for key in value if key != "node"]
    unknown = [key for key in value if key not in MAPPINGS]
    if unknown or len(kinds) != 1 or ("node" in value and "list" not in value):
        raise ValueError(f"`{next(iter(unknown), ', '.join(value))}` is not one thing: write {_HOW}")
    kind, inner = kinds[0], value[kinds[0]]
    if kind == "string":
        return Text(_latin(inner))
    if kind == "bytes":
        return Bytes(tuple(_number(item, -128, 255, "a byte") for item in _items(inner, kind)))
    if kind == "space":
        return Space(_number(inner, 1, LARGEST_BLOCK, "a size"))
    if kind == "to":
        return Words((read_thing(inner),))
    fields = _fields(value.get("node", NODE))
    return Nodes(tuple(_node(item, fields) for item in _items(inner, kind)), fields)


def _node(item: object, fields: tuple[str, ...]) -> tuple[Thing, ...]:
    held = [item] if len(fields) == 2 and not isinstance(item, list | tuple) else _items(item, "a node")
    if len(held) != len(fields) - 1:
        raise ValueError(f"a node holds {', '.join(field for field in fields if field != NEXT)}, and not {item}")
    return tuple(read_thing(one) for one in held)


def _fields(value: object) -> tuple[str, ...]:
    fields = tuple(str(item).strip() for item in _items(value, "node"))
    if fields.count(NEXT) != 1 or len(fields) < 2 or len(set(fields)) != len(fields):
        raise ValueError("a node has fields with names, and one of them is `next`: [value, next]")
    return fields


def _items(value: object, what: str) -> Sequence[object]:
    if not isinstance(value, list | tuple) or len(value) > LARGEST_BLOCK:
        raise ValueError(f"`{what}` is a list")
    return value


def _word(value: int) -> int:
    return _number(value, -(1 << 31), (1 << 32) - 1, "a word")


def _number(value: object, least: int, most: int, what: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{_said(value)} is not {what}: {least}…{most}")
    return value


def _latin(value: object) -> str:
    text = value if isinstance(value, str) else str(value) if isinstance(value, int) else None
    if text is None or any(ord(char) > 255 or char == "\0" for char in text) or len(text) > LARGEST_BLOCK:
        raise ValueError(f"{_said(value)} is no text of characters with codes up to 255")
    return text


def _said(value: object) -> str:
    """A value as the file says it."""
    if value is None or isinstance(value, bool):
        return "nothing" if value is None else str(value).lower()
    return repr(value)


# ------------------------------------------------------------------------------------------------- what is expected of a reference


@dataclass(frozen=True, slots=True)
class Shape:
    """How a value of the reference lies in memory or in a register: ``word``, ``string``, ``array``, ``bytes``, or ``list``."""

    kind: str
    fields: tuple[str, ...] = NODE


_SHAPE = re.compile(r"(word|string|array|bytes|list)(?: by ([a-z_0-9]+(?:, *[a-z_0-9]+)+))?")
SHAPES = "word, string, array, bytes, list, or list by value, next"


def read_shape(value: object) -> Shape:
    """``word``, ``string``, ``array``, ``bytes``, ``list`` or ``list by next, value``. Raises ValueError."""
    matched = _SHAPE.fullmatch(value.strip()) if isinstance(value, str) else None
    if matched is None or (matched[2] and matched[1] != "list"):
        raise ValueError(f"{_said(value)} is none of {SHAPES}: the reference says what is there")
    return Shape(matched[1], _fields(matched[2].split(",")) if matched[2] else NODE)


def shaped(value: object, shape: Shape | None) -> Thing:
    """What a reference gave, as it should lie there. Raises ValueError where it is of another type."""
    kind = shape.kind if shape else _usual(value)
    if isinstance(value, int) and kind == "word":
        return int(value)
    if isinstance(value, str) and kind == "string":
        return Text(value)
    if isinstance(value, bytes | bytearray) and kind == "bytes":
        return Bytes(tuple(value))
    if isinstance(value, list | tuple) and kind in ("array", "bytes", "list"):
        if kind == "list":
            fields = shape.fields if shape else NODE
            return Nodes(tuple(_node(item, fields) for item in value), fields)
        return Bytes(tuple(value)) if kind == "bytes" else Words(tuple(shaped(item, None) for item in value))
    raise ValueError(f"the reference gave {value!r}, where {kind} is expected")


def _usual(value: object) -> str:
    if isinstance(value, str):
        return "string"
    if isinstance(value, bytes | bytearray):
        return "bytes"
    return "array" if isinstance(value, list | tuple) else "word"


# ------------------------------------------------------------------------------------------------- what is drawn by a seed

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
    """What an argument is drawn from.

    ``kind`` is ``number``, ``string``, ``line``, ``array``, ``bytes``, ``list``, ``length``, ``space`` or ``fixed``. ``least`` and ``most``
    bound numbers, also within a row; ``shortest`` and ``longest`` how many there are; ``chars`` are those of a text, the
    simplest first. ``of`` is the argument whose length it is; ``only`` are the values of which it is one; ``thing`` is fixed.
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

    @property
    def told(self) -> bool:
        """Whether the reference is given it: all but space and addresses."""
        return self.kind not in ("space", "fixed") or isinstance(self.thing, int)


_INT = r"[+-]?(?:0[xX][0-9A-Fa-f]+|[0-9]+)"
_SPAN = rf"(?P<least>{_INT}) *\.\. *(?P<most>{_INT})"
_COUNT = r"(?P<shortest>[0-9]+)(?: *\.\. *(?P<longest>[0-9]+))?"
_RANGES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("number", re.compile(_SPAN)),
    ("only", re.compile(rf"any of (?P<only>{_INT}(?: *, *{_INT})*)")),
    ("array", re.compile(rf"array {_COUNT} of {_SPAN}")),
    ("bytes", re.compile(rf"bytes {_COUNT} of {_SPAN}")),
    ("list", re.compile(rf"list {_COUNT} of {_SPAN}(?: by (?P<fields>\w+(?:, *\w+)+))?")),
    ("string", re.compile(rf"string {_COUNT} of (?P<chars>.+)", re.DOTALL)),
    ("line", re.compile(rf"line {_COUNT} of (?P<chars>.+)", re.DOTALL)),
    ("length", re.compile(r"length of (?P<of>\S+)")),
    ("space", re.compile(r"space (?P<size>[0-9]+)")),
)
RANGES = "1..200, `any of 1, 5`, `array 1..8 of -9..9`, `string 0..12 of a-z`, `list 0..6 of 1..99`, `length of R0`, `space 12` or @label"


def read_range(value: object) -> Range:
    """What an argument is drawn from: ``1..200``, ``array 1..8 of -9..9`` and so on. Raises ValueError."""
    if isinstance(value, int) and not isinstance(value, bool):
        return Range("fixed", thing=_word(value))
    if isinstance(value, str) and value.startswith("@") and len(value) > 1:
        return Range("fixed", thing=Address(value[1:]))
    text = value if isinstance(value, str) else ""
    for kind, pattern in _RANGES:
        matched = pattern.fullmatch(text if kind in ("string", "line") else text.strip())
        if matched is not None:
            return _BUILT.get(kind, _row)(kind, matched.groupdict())
    raise ValueError(f"{_said(value)} is no range: write {RANGES}")


def _row(kind: str, parts: Mapping[str, str | None]) -> Range:
    least, most = _span(parts)
    shortest, longest = _counts(parts)
    fields = _fields((parts.get("fields") or ", ".join(NODE)).split(","))
    return Range(kind, least, most, shortest, longest, fields=fields)


def _numbers(kind: str, parts: Mapping[str, str | None]) -> Range:
    return Range(kind, *_span(parts))


def _only(_: str, parts: Mapping[str, str | None]) -> Range:
    only = tuple(_word(int(item, 0)) for item in (parts["only"] or "").replace(" ", "").split(","))
    return Range("number", min(only), max(only), only=only)


def _text(kind: str, parts: Mapping[str, str | None]) -> Range:
    shortest, longest = _counts(parts)
    return Range(kind, shortest=shortest, longest=longest, chars=_chars(parts["chars"] or ""))


def _length(kind: str, parts: Mapping[str, str | None]) -> Range:
    return Range(kind, of=parts["of"] or "")


def _space(kind: str, parts: Mapping[str, str | None]) -> Range:
    return Range(kind, thing=Space(_number(int(parts["size"] or 0), 1, LARGEST_BLOCK, "a size")))


_BUILT: Mapping[str, Callable[[str, Mapping[str, str | None]], Range]] = {
    "number": _numbers,
    "only": _only,
    "string": _text,
    "line": _text,
    "length": _length,
    "space": _space,
}


def _span(parts: Mapping[str, str | None]) -> tuple[int, int]:
    least, most = _word(int(parts["least"] or "0", 0)), _word(int(parts["most"] or "0", 0))
    if least > most:
        raise ValueError(f"{least}..{most} is empty: the smaller number comes first")
    return least, most


def _counts(parts: Mapping[str, str | None]) -> tuple[int, int]:
    shortest = int(parts["shortest"] or 0)
    longest = int(parts["longest"] or shortest)
    if shortest > longest or longest > LARGEST_BLOCK:
        raise ValueError(
            f"{shortest}..{longest} is no length: from the shortest to the longest, {LARGEST_BLOCK} at most"
        )
    return shortest, longest


def _chars(written: str) -> str:
    """The characters that ``a-z0-9_`` names, in the order of the spec."""
    found: list[str] = []
    at = 0
    while at < len(written):
        first = last = written[at]
        if at + 2 < len(written) and written[at + 1] == "-":
            last = written[at + 2]
            at += 2
        if last < first:
            raise ValueError(f"{first}-{last} is empty: the earlier character comes first")
        found += map(chr, range(ord(first), ord(last) + 1))
        at += 1
    return _latin("".join(dict.fromkeys(found)))


# ------------------------------------------------------------------------------------------------- how they are told


@dataclass(frozen=True, slots=True)
class Odd:
    """What was found where something else should be, in words: a text that has no end, a list that runs in a circle."""

    said: str


def shown(thing: Thing | Odd) -> str:
    """A thing as people read it, and as a command line takes it: ``12``, ``"ab"``, ``[3, 1]``, ``{list: [3, 1]}``."""
    if isinstance(thing, int):
        return str(thing)
    if isinstance(thing, Odd):
        return thing.said
    return _LOOKS[type(thing)](thing)


def _shown_nodes(nodes: Nodes) -> str:
    items = ", ".join(shown(item[0] if len(item) == 1 else Words(item)) for item in nodes.items)
    node = "" if nodes.fields == NODE else f", node: [{', '.join(nodes.fields)}]"
    return f"{{list: [{items}]{node}}}"


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0"}


def _quoted(text: str) -> str:
    plain = "".join(_ESCAPES.get(char) or (char if char.isprintable() else f"\\x{ord(char):02x}") for char in text)
    return f'"{plain}"'


_LOOKS: Mapping[type, Callable[..., str]] = {
    Text: lambda thing: _quoted(thing.text),
    Words: lambda thing: f"[{', '.join(map(shown, thing.items))}]",
    Bytes: lambda thing: f"{{bytes: [{', '.join(map(str, thing.items))}]}}",
    Nodes: _shown_nodes,
    Space: lambda thing: f"{{space: {thing.size}}}",
    Address: lambda thing: f'"@{thing.name}"',
}
