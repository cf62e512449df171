"""Things that a spec puts into registers and memory: numbers, texts, words in a row, linked nodes.

One way to write them serves everywhere. In a place of memory a text or a list *is* what lies there; in a register or in a
word it is an address of it. ``@name`` is the address of a label, or of a block of the spec's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from grader.machines.families import TRAITS
from grader.values import dataclass

NEXT = "next"
"""The field of a node that holds the address of the one after it."""

NODE = ("value", NEXT)
"""The default fields of a node."""

LARGEST_BLOCK = 4096
"""Maximum words or bytes in one place: code that needs more is a program, not a routine."""


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
    """Linked nodes: each item has the values of its fields, except ``next``."""

    items: tuple[tuple[Thing, ...], ...]
    fields: tuple[str, ...] = NODE


@dataclass(frozen=True, slots=True)
class Space:
    """Words of an LC-3, or bytes, with any contents; ``size`` is their number."""

    size: int


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a label or of a block, by its name, or so many addresses behind it: ``@list+2`` is called so with its sign."""

    name: str
    offset: int = 0


Thing = int | Text | Words | Bytes | Nodes | Space | Address

_KEYS = ("string", "bytes", "list", "node", "space", "to")
MAPPINGS = frozenset(_KEYS)
"""The keys of a mapping that is one thing, and not a thing for each of several places."""

_HOW = "a number, a text, a list of words, {list: […], node: [value, next]}, {bytes: […]}, {string: …}, {space: 12} or {to: …}"


def word_problem(number: int, language: str) -> str:
    """Why a number is no word of a machine, signed or not; empty if it is one."""
    bits = TRAITS[language].bits
    least, most = -(1 << bits - 1), (1 << bits) - 1
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
    """The thing that a spec has written. Raises ValueError."""
    # `true` is a number for Python, and a slip in a spec.
    if isinstance(value, bool) or value is None or isinstance(value, float):
        raise ValueError(f"{as_written(value)} is nothing that memory holds: write {_HOW}")
    if isinstance(value, int):
        return read_word(value)
    if isinstance(value, str):
        return Address(*behind(value[1:])) if value.startswith("@") and len(value) > 1 else Text(read_latin(value))
    if isinstance(value, list | tuple):
        return Words(tuple(read_thing(item) for item in value))
    if isinstance(value, Mapping):
        return _mapping({str(key): inner for key, inner in value.items()})
    raise ValueError(f"write {_HOW}")


_BEHIND = re.compile(r"(.+)([+-](?:0?[xX][0-9A-Fa-f]{1,8}|[0-9]{1,9}))")


def behind(name: str) -> tuple[str, int]:
    """The name of a place, and how many addresses behind it is meant: ``ROW+16``, ``ROW-x10``."""
    matched = _BEHIND.fullmatch(name)
    if matched is None:
        return name, 0
    sign, digits = matched[2][0], matched[2][1:].lower()
    number = int(digits.rpartition("x")[2], 16) if "x" in digits else int(digits)
    return matched[1], -number if sign == "-" else number


def _mapping(value: Mapping[str, object]) -> Thing:
    kinds = [key for key in value if key != "node"]
    unknown = [key for key in value if key not in MAPPINGS]
    if unknown or len(kinds) != 1 or ("node" in value and "list" not in value):
        raise ValueError(f"`{next(iter(unknown), ', '.join(value))}` is not one thing: write {_HOW}")
    kind, inner = kinds[0], value[kinds[0]]
    if kind == "string":
        return Text(read_latin(inner))
    if kind == "bytes":
        # C has both signed and unsigned ones, and people write what they mean.
        return Bytes(tuple(read_number(item, -128, 255, "a byte") for item in _items(inner, kind)))
    if kind == "space":
        return Space(read_number(inner, 1, LARGEST_BLOCK, "a size"))
    if kind == "to":
        return Words((read_thing(inner),))
    fields = read_fields(value.get("node", NODE))
    return Nodes(tuple(_node(item, fields) for item in _items(inner, kind)), fields)


def _node(item: object, fields: tuple[str, ...]) -> tuple[Thing, ...]:
    # `{list: [3, 1]}`: of one value in a node brackets would be noise.
    held = [item] if len(fields) == 2 and not isinstance(item, list | tuple) else _items(item, "a node")
    if len(held) != len(fields) - 1:
        raise ValueError(f"a node holds {', '.join(field for field in fields if field != NEXT)}, and not {item}")
    return tuple(read_thing(one) for one in held)


def read_fields(value: object) -> tuple[str, ...]:
    """The names of the fields of a node. Raises ValueError."""
    fields = tuple(str(item).strip() for item in _items(value, "node"))
    # Without a `next` it would be an array of structures; with two it is no list.
    if fields.count(NEXT) != 1 or len(fields) < 2 or len(set(fields)) != len(fields):
        raise ValueError("a node has fields with names, and one of them is `next`: [value, next]")
    return fields


def _items(value: object, what: str) -> Sequence[object]:
    if not isinstance(value, list | tuple) or len(value) > LARGEST_BLOCK:
        raise ValueError(f"`{what}` is a list")
    return value


def read_word(value: int) -> int:
    """A number that fits into the largest word of any machine. Raises ValueError."""
    return read_number(value, -(1 << 31), (1 << 32) - 1, "a word")


def read_number(value: object, least: int, most: int, what: str) -> int:
    """A whole number within bounds; ``what`` says what is expected. Raises ValueError."""
    # `true` is 1 for Python.
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{as_written(value)} is not {what}: {least}…{most}")
    return value


def read_latin(value: object) -> str:
    """A text of characters that fit into a byte each, without a zero. Raises ValueError."""
    text = value if isinstance(value, str) else str(value) if isinstance(value, int) else None
    # A cell of text is one byte on either machine, and 0 ends it.
    if text is None or any(ord(char) > 255 or char == "\0" for char in text) or len(text) > LARGEST_BLOCK:
        raise ValueError(f"{as_written(value)} is no text of characters with codes up to 255")
    return text


def as_written(value: object) -> str:
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
        raise ValueError(f"{as_written(value)} is not one of {SHAPES}: the reference gives the value itself")
    return Shape(matched[1], read_fields(matched[2].split(",")) if matched[2] else NODE)


def shaped(value: object, shape: Shape | None) -> Thing:
    """The value of a reference as a thing of a shape. Raises ValueError if it has another type."""
    usual = next((kind for type_, kind in _USUAL.items() if isinstance(value, type_)), "word")
    kind = shape.kind if shape else usual
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


# How a value lies in memory where the spec does not say; all others are words.
_USUAL: Mapping[type, str] = {str: "string", bytes: "bytes", bytearray: "bytes", list: "array", tuple: "array"}


# ------------------------------------------------------------------------------------------------- how they are told


@dataclass(frozen=True, slots=True)
class Odd:
    """A description of malformed contents: a text without an end, a list that runs in a circle."""

    said: str


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0"}


def shown(thing: Thing | Odd) -> str:
    """A thing as people read it, and as a command line takes it: ``12``, ``"ab"``, ``[3, 1]``, ``{list: [3, 1]}``."""
    match thing:
        case int():
            text = str(thing)
        case Odd(said=words):
            text = words
        case Text(text=plain):
            chars = (_ESCAPES.get(char) or (char if char.isprintable() else f"\\x{ord(char):02x}") for char in plain)
            text = f'"{"".join(chars)}"'
        case Words(items=items):
            text = f"[{', '.join(map(shown, items))}]"
        case Bytes(items=numbers):
            text = f"{{bytes: [{', '.join(map(str, numbers))}]}}"
        case Nodes(items=nodes, fields=fields):
            node = "" if fields == NODE else f", node: [{', '.join(fields)}]"
            text = f"{{list: [{', '.join(shown(one[0] if len(one) == 1 else Words(one)) for one in nodes)}]{node}}}"
        case Space(size=size):
            text = f"{{space: {size}}}"
        case Address(name=name, offset=offset):
            text = f'"@{name}{offset:+}"' if offset else f'"@{name}"'
    return text
