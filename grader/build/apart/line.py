"""The line between a course's tests and the program that they try: values as messages, and one end of it.

Theory of operation. Tests and program are two processes, each in a cage of its own, and the grader hands each frame of one to the other. Only
one of them runs at a time: a *request* goes out, and whoever sent it serves requests of the other end until the *reply* comes. Plain data
goes by value. Every other object stays where it is, and the other end gets its number. Containers that are handed over keep their
identity within one request, and come back changed if the other end changed them.

This module runs in both cages, without anything else of the grader: it imports the standard library alone.
"""

from __future__ import annotations

import base64
import builtins
import json
import socket
import sys
from abc import ABC, abstractmethod
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from types import EllipsisType, NotImplementedType
from typing import Any, NoReturn

__tracebackhide__ = True  # of pytest: no frame of this module is shown

MESSAGE, MORE, GO_ON, GONE = b"m", b"+", b",", b"!"
"""Kinds of frames: the last one of a message, another one of it, the answer to that, and the end of the program, with a sentence. Only the
grader sends the last one."""

LARGEST_FRAME = 48 << 10
"""Bytes of a frame: less than any system keeps of a socket that nobody reads."""

LARGEST_MESSAGE = 16 << 20
"""Bytes of a message: a list of a million numbers. A program could fill the memory of its tests with more."""

HEAD = 4
"""Bytes of a frame's head: the length of what follows, whose first byte is the kind."""

SCALARS = frozenset({type(None), bool, int, float, str})


class EndedError(Exception):
    """The program has ended, so that it answers nothing any more."""

    __module__ = "builtins"  # shown without it


class AgainError(Exception):
    """The program was started again before it got a request, which has to be made once more."""


class LineError(Exception):
    """A message makes no sense, or cannot be sent."""


# ------------------------------------------------------------------------------------------------------------ plain data


def _flat(mapping: Any) -> list[Any]:
    return [one for pair in mapping.items() for one in pair]


def _pairs(flat: Sequence[Any]) -> list[tuple[Any, Any]]:
    return list(zip(flat[::2], flat[1::2], strict=True))


def _fill_mapping(mapping: Any, parts: list[Any]) -> None:
    mapping.clear()
    for key, value in _pairs(parts):  # `Counter.update` would add
        mapping[key] = value


def _fill_set(one: set[Any], parts: list[Any]) -> None:
    one.clear()
    one.update(parts)


def _fill_list(one: Any, parts: list[Any]) -> None:
    one[:] = parts


def _fill_deque(one: deque[Any], parts: list[Any]) -> None:
    one.clear()
    one.extend(parts[1:])


def _fill_default(one: defaultdict[Any, Any], parts: list[Any]) -> None:
    one.default_factory = parts[0]
    _fill_mapping(one, parts[1:])


Kind = tuple[str, Callable[[Any], list[Any]], Callable[[list[Any]], Any], Callable[[Any, list[Any]], None] | None]
"""How a type is written: its sign, the parts of a value, how one is made of parts, and how one that can change is filled again."""

KINDS: dict[type, Kind] = {
    list: ("list", list, lambda _: [], _fill_list),
    dict: ("dict", _flat, lambda _: {}, _fill_mapping),
    set: ("set", list, lambda _: set(), _fill_set),
    bytearray: (
        "bytearray",
        lambda one: [base64.b64encode(one).decode()],
        lambda _: bytearray(),
        lambda one, parts: _fill_list(one, base64.b64decode(parts[0])),  # type: ignore[arg-type]
    ),
    deque: ("deque", lambda one: [one.maxlen, *one], lambda parts: deque(maxlen=parts[0]), _fill_deque),
    OrderedDict: ("ordered", _flat, lambda _: OrderedDict(), _fill_mapping),
    Counter: ("counter", _flat, lambda _: Counter(), _fill_mapping),
    defaultdict: ("default", lambda one: [one.default_factory, *_flat(one)], lambda _: defaultdict(), _fill_default),
    tuple: ("tuple", list, tuple, None),
    frozenset: ("frozenset", list, frozenset, None),
    bytes: ("bytes", lambda one: [base64.b64encode(one).decode()], lambda parts: base64.b64decode(parts[0]), None),
    complex: ("complex", lambda one: [one.real, one.imag], lambda parts: complex(*parts), None),
    range: ("range", lambda one: [one.start, one.stop, one.step], lambda parts: range(*parts), None),
    slice: ("slice", lambda one: [one.start, one.stop, one.step], lambda parts: slice(*parts), None),
    Fraction: ("fraction", lambda one: [one.numerator, one.denominator], lambda parts: Fraction(*parts), None),
    Decimal: ("decimal", lambda one: [str(one)], lambda parts: Decimal(parts[0]), None),
    date: ("date", lambda one: [one.isoformat()], lambda parts: date.fromisoformat(parts[0]), None),
    datetime: ("datetime", lambda one: [one.isoformat()], lambda parts: datetime.fromisoformat(parts[0]), None),
    time: ("time", lambda one: [one.isoformat()], lambda parts: time.fromisoformat(parts[0]), None),
    timedelta: (
        "timedelta",
        lambda one: [one.days, one.seconds, one.microseconds],
        lambda parts: timedelta(*parts),
        None,
    ),
    type({}.keys()): ("keys", list, lambda parts: dict.fromkeys(parts).keys(), None),
    type({}.values()): ("values", list, lambda parts: dict(enumerate(parts)).values(), None),
    type({}.items()): ("items", list, lambda parts: dict(parts).items(), None),
    EllipsisType: ("ellipsis", lambda _: [], lambda _: ..., None),
    NotImplementedType: ("not-implemented", lambda _: [], lambda _: NotImplemented, None),
}
"""The types of plain data, beside scalars. An object of a class that inherits from one of them is not plain: its class may do anything."""

SIGNS = {kind[0]: kind for kind in KINDS.values()}


def builtin_name(value: object) -> str:
    """The name of a type or a function of Python itself, such as ``len`` or ``ValueError``; empty for all else."""
    if not isinstance(value, type) and type(value) is not type(len):
        return ""
    name = value.__name__
    return name if getattr(builtins, name, None) is value else ""


class Packer:
    """Values on their way into one message: each container once, by its number in a table of nodes.

    ``known`` are the containers of the request that is answered: they have the first numbers.
    """

    def __init__(self, end: End, known: Sequence[object] = ()) -> None:
        self._end = end
        self.objects = list(known)
        self._number = {id(one): number for number, one in enumerate(known)}
        self.nodes: list[object] = []
        self.classes: dict[int, dict[str, object]] = {}

    def pack(self, value: object) -> object:
        """A value as JSON: a scalar is itself, and all else a list."""
        if type(value) in SCALARS:
            return value
        number = self._number.get(id(value))
        if number is not None:
            return [number]
        kind = KINDS.get(type(value))
        name = builtin_name(value) if kind is None else ""
        if name:
            return ["builtin", name]
        if kind is None:
            return self._end.reference(value, self)
        number = len(self.objects)
        self.objects.append(value)
        self._number[id(value)] = number
        place = len(self.nodes)
        self.nodes.append(None)
        self.nodes[place] = [kind[0], [self.pack(one) for one in kind[1](value)]]
        return [number]

    def changed(self, before: Sequence[object]) -> dict[str, object]:
        """The containers among those known whose contents are others than ``before``, as they were received."""
        changed: dict[str, object] = {}
        for number, node in enumerate(before):
            one = self.objects[number]
            kind = KINDS[type(one)]
            if kind[3] is not None:
                now = [kind[0], [self.pack(part) for part in kind[1](one)]]
                if json.dumps(now) != json.dumps(node):  # 1 and True are equal, and not the same
                    changed[str(number)] = now
        return changed


class Unpacker:
    """The values of one message; ``objects`` are those of its table of nodes, behind those of the request that it answers."""

    def __init__(self, end: End, nodes: Sequence[Any], known: Sequence[object] = ()) -> None:
        self._end = end
        self._nodes = nodes
        self._first = len(known)
        self._made: dict[int, object] = dict(enumerate(known))

    @property
    def objects(self) -> list[object]:
        """The containers in the order of their numbers."""
        return [self._container(number) for number in range(self._first + len(self._nodes))]

    def unpack(self, packed: Any) -> Any:
        """The value of what was packed. Raises LineError."""
        if not isinstance(packed, list):
            return packed
        if len(packed) == 1:
            return self._container(packed[0])
        if packed[0] == "builtin":
            return self._end.builtin(packed[1])
        return self._end.object_of(packed)

    def _container(self, number: int) -> object:
        if number not in self._made:
            sign, parts = self._nodes[number - self._first]
            kind = SIGNS[sign]
            if kind[3] is None:
                self._made[number] = kind[2]([self.unpack(part) for part in parts])
            else:
                self._made[number] = one = kind[2](parts)
                kind[3](one, [self.unpack(part) for part in parts])
        return self._made[number]

    def change(self, changed: dict[str, Any]) -> None:
        """Give the containers of the request the contents that they have at the other end."""
        for number, (sign, parts) in changed.items():
            fill = SIGNS[sign][3]
            assert fill is not None
            fill(self._made[int(number)], [self.unpack(part) for part in parts])


# ---------------------------------------------------------------------------------------------------------------- an end


class End(ABC):
    """One end of the line. A subclass says what it does for requests, and how it stands for objects of the other end."""

    def __init__(self, descriptor: int) -> None:
        self._socket = socket.socket(fileno=descriptor)
        self._objects: list[object] = []
        self._numbers: dict[int, int] = {}

    # what a subclass adds

    @abstractmethod
    def serve(self, request: dict[str, Any], unpack: Callable[[Any], Any]) -> object:
        """The result of a request; whatever it raises is sent."""

    @abstractmethod
    def reference(self, value: object, packer: Packer) -> object:
        """An object that is no plain data, for the other end."""

    @abstractmethod
    def object_of(self, packed: list[Any]) -> object:
        """The object that the other end refers to. Raises LineError."""

    @abstractmethod
    def builtin(self, name: str) -> object:
        """A type or function of Python itself. Raises LineError."""

    @abstractmethod
    def error(self, error: BaseException, packer: Packer) -> dict[str, object]:
        """An exception for the other end."""

    @abstractmethod
    def raised(self, message: dict[str, Any], unpack: Callable[[Any], Any]) -> BaseException:
        """An exception of the other end."""

    @abstractmethod
    def before_reply(self, reply: dict[str, object]) -> None:
        """Add to a message what goes along with each."""

    def received(self, message: dict[str, Any]) -> None:  # noqa: B027 -- the program is sent nothing along
        """Take out of a message what comes along with each."""

    def gone(self, why: str) -> NoReturn:
        """The other end has ended."""
        raise EndedError(why)

    # requests

    def number_of(self, value: object) -> int:
        """The number of an object of this end; it is kept as long as the end is."""
        number = self._numbers.get(id(value))
        if number is None:
            number = self._numbers[id(value)] = len(self._objects)
            self._objects.append(value)
        return number

    def numbered(self, number: int) -> object:
        """The object of this end with that number. Raises LineError."""
        if not 0 <= number < len(self._objects):
            raise LineError("an object that was never handed over")
        return self._objects[number]

    def request(self, do: str, *values: object, **more: object) -> Any:
        """The result of a request to the other end; ``more`` are strings and numbers. Raises what the other end raised."""
        try:
            return self._request(do, *values, **more)
        except AgainError:
            return self._request(do, *values, **more)

    def _request(self, do: str, *values: object, **more: object) -> Any:
        packer = Packer(self)
        message: dict[str, object] = {"do": do, "values": [packer.pack(one) for one in values], **more}
        message |= {"nodes": packer.nodes, "classes": [*packer.classes.values()]}
        self.before_reply(message)
        self._send(message)
        while True:
            request = self._receive()
            self.received(request)
            if "do" in request:
                self._answer(request)
                continue
            unpacker = Unpacker(self, request["nodes"], packer.objects)
            self.classes(request)
            unpacker.change(request["changed"])
            if "error" in request:
                raise self.raised(request, unpacker.unpack)
            return unpacker.unpack(request["result"])

    def serve_all(self) -> None:
        """Serve requests for ever; ends by EndedError."""
        while True:
            message = self._receive()
            self.received(message)
            self._answer(message)

    def _answer(self, request: dict[str, Any]) -> None:
        unpacker = Unpacker(self, request["nodes"])
        reply: dict[str, object]
        try:
            self.classes(request)
            known = unpacker.objects
            result = self.serve(request, unpacker.unpack)
            packer = Packer(self, known)
            reply = {"result": packer.pack(result)}
        except EndedError:
            raise
        except BaseException as error:  # noqa: BLE001 -- all of them belong to the other end
            packer = Packer(self, unpacker.objects)
            reply = self.error(error, packer)
        reply["changed"] = packer.changed(request["nodes"])
        reply |= {"nodes": packer.nodes, "classes": [*packer.classes.values()]}
        self.before_reply(reply)
        self._send(reply)

    def classes(self, message: dict[str, Any]) -> None:  # noqa: B027 -- the tests describe none
        """Learn of the classes that a message describes."""

    # frames

    def _send(self, message: dict[str, object]) -> None:
        data = json.dumps(message, separators=(",", ":")).encode()
        while len(data) > LARGEST_FRAME:
            self._put(MORE, data[:LARGEST_FRAME])
            data = data[LARGEST_FRAME:]
            self._expect(GO_ON)
        self._put(MESSAGE, data)

    def _receive(self) -> dict[str, Any]:
        parts: list[bytes] = []
        while True:
            kind, data = self._take()
            if kind == GONE:
                self.gone(data.decode())
            parts.append(data)
            if kind == MESSAGE:
                break
            if sum(map(len, parts)) > LARGEST_MESSAGE:
                raise EndedError("a message is too long")
            self._put(GO_ON, b"")
        message = json.loads(b"".join(parts))
        if not isinstance(message, dict):
            raise LineError("a message is no object")
        return message

    def _put(self, kind: bytes, data: bytes) -> None:
        self._socket.sendall((len(data) + 1).to_bytes(HEAD) + kind + data)

    def _expect(self, kind: bytes) -> None:
        other, data = self._take()
        if other == GONE:
            self.gone(data.decode())
        if other != kind:
            raise LineError("another frame was due")

    def _take(self) -> tuple[bytes, bytes]:
        data = self._read(int.from_bytes(self._read(HEAD)))
        return data[:1], data[1:]

    def _read(self, length: int) -> bytes:
        parts = b""
        while len(parts) < length:
            part = self._socket.recv(length - len(parts))
            if not part:
                raise EndedError("the line is closed")
            parts += part
        return parts


def unbounded_numbers() -> None:
    """Let numbers of any length be written: JSON writes them in decimal, which Python bounds."""
    sys.set_int_max_str_digits(0)
