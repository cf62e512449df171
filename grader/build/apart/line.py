"""The line between a course's tests and the program that they try: values as messages, and one end of it.

Theory of operation. Tests and program are two processes, each in a cage of its own, and the grader hands each frame of one to the other. Only
one of them runs at a time: a *request* goes out, and whoever sent it serves requests of the other end until the *reply* comes. Plain data
goes by value. Every other object stays where it is, and the other end gets its number. Containers that are handed over keep their
identity within one request, and come back changed if the other end changed them.

This module runs in both cages, without anything else of the grader: it imports the standard library alone.
"""

from __future__ import annotations

import builtins
import json
import socket
import sys
from abc import ABC, abstractmethod
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from types import EllipsisType, NotImplementedType
from typing import Any, NoReturn, cast

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


def _mapping(flat: Sequence[Any]) -> dict[Any, Any]:
    return dict(zip(flat[::2], flat[1::2], strict=True))


def _text(data: Any) -> list[Any]:
    return [data.decode("latin-1")]


def _data(parts: list[Any]) -> bytes:
    return str(parts[0]).encode("latin-1")


def _in_steps(one: Any) -> list[Any]:
    return [one.start, one.stop, one.step]


def _in_iso_form(one: Any) -> list[Any]:
    return [one.isoformat()]


Parts = Callable[[Any], list[Any]]

VALUES: dict[type, tuple[Parts, Callable[[list[Any]], Any]]] = {
    tuple: (list, tuple),
    frozenset: (list, frozenset),
    bytes: (_text, _data),
    complex: (lambda one: [one.real, one.imag], lambda parts: complex(*parts)),
    range: (_in_steps, lambda parts: range(*parts)),
    slice: (_in_steps, lambda parts: slice(*parts)),
    Fraction: (lambda one: [one.numerator, one.denominator], lambda parts: Fraction(*parts)),
    Decimal: (lambda one: [str(one)], lambda parts: Decimal(*parts)),
    date: (_in_iso_form, lambda parts: date.fromisoformat(*parts)),
    datetime: (_in_iso_form, lambda parts: datetime.fromisoformat(*parts)),
    time: (_in_iso_form, lambda parts: time.fromisoformat(*parts)),
    timedelta: (lambda one: [one.days, one.seconds, one.microseconds], lambda parts: timedelta(*parts)),
    type({}.keys()): (list, lambda parts: dict.fromkeys(parts).keys()),
    type({}.values()): (list, lambda parts: dict(enumerate(parts)).values()),
    type({}.items()): (list, lambda parts: dict(parts).items()),
    EllipsisType: (lambda _: [], lambda _: ...),
    NotImplementedType: (lambda _: [], lambda _: NotImplemented),
}
"""Types of plain data that never changes: the parts of a value, and how one is made of parts."""

CONTAINERS: dict[type, tuple[Parts, Callable[[list[Any]], tuple[Any, ...]]]] = {
    list: (list, lambda parts: (parts,)),
    set: (list, lambda parts: (parts,)),
    bytearray: (_text, lambda parts: (_data(parts),)),
    deque: (lambda one: [one.maxlen, *one], lambda parts: (parts[1:], parts[0])),
    dict: (_flat, lambda parts: (_mapping(parts),)),
    OrderedDict: (_flat, lambda parts: (_mapping(parts),)),
    Counter: (_flat, lambda parts: (_mapping(parts),)),
    defaultdict: (lambda one: [one.default_factory, *_flat(one)], lambda parts: (parts[0], _mapping(parts[1:]))),
}
"""Types of containers: the parts of a value, and the arguments of ``__init__`` that fill an empty one with parts."""

KINDS = frozenset({*VALUES, *CONTAINERS})
"""The types of plain data, beside scalars. An object of a class that inherits from one of them is not plain: its class may do anything."""

_NAMED = {kind.__name__: kind for kind in KINDS}


def _written(value: Any, pack: Callable[[Any], Any]) -> list[Any]:
    """A node of a message: the name of a type, and the parts of a value."""
    kind = type(value)
    return [kind.__name__, [pack(part) for part in (VALUES.get(kind) or CONTAINERS[kind])[0](value)]]


def _fill(one: Any, parts: list[Any]) -> None:
    """Give a container other contents."""
    one.clear()
    type(one).__init__(one, *CONTAINERS[type(one)][1](parts))


def builtin_name(value: object) -> str:
    """The name of a type or a function of Python itself, such as ``len`` or ``ValueError``; empty for all else."""
    if not isinstance(value, type) and type(value) is not type(len):
        return ""
    name = value.__name__
    return name if getattr(builtins, name, None) is value else ""


def error_of(name: str, args: Sequence[Any]) -> BaseException:
    """An exception of Python itself, or one of a class of that name if Python has none, or if it would end more than a test."""
    kind = getattr(builtins, name, None)
    if isinstance(kind, type) and issubclass(kind, (Exception, SystemExit)):
        with suppress(TypeError):  # such as of UnicodeDecodeError
            return kind(*args)
    return cast(BaseException, type(name, (Exception,), {})(*args))


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
        if name := builtin_name(value):
            return ["builtin", name]
        if type(value) not in KINDS:
            return self._end.reference(value, self)
        number = len(self.objects)
        self.objects.append(value)
        self._number[id(value)] = number
        place = len(self.nodes)
        self.nodes.append(None)
        self.nodes[place] = _written(value, self.pack)
        return [number]

    def changed(self, before: Sequence[object]) -> dict[str, object]:
        """The containers among those known whose contents are others than ``before``, as they were received."""
        changed: dict[str, object] = {}
        for number, node in enumerate(before):
            if type(self.objects[number]) in CONTAINERS:
                now = _written(self.objects[number], self.pack)
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
            name, parts = self._nodes[number - self._first]
            kind: Any = _NAMED[name]
            if kind in VALUES:
                self._made[number] = VALUES[kind][1]([self.unpack(part) for part in parts])
            else:
                self._made[number] = one = kind.__new__(kind)  # before its parts: it may hold itself
                _fill(one, [self.unpack(part) for part in parts])
        return self._made[number]

    def change(self, changed: dict[str, Any]) -> None:
        """Give the containers of the request the contents that they have at the other end."""
        for number, (_, parts) in changed.items():
            _fill(self._made[int(number)], [self.unpack(part) for part in parts])


# ---------------------------------------------------------------------------------------------------------------- an end


class End(ABC):
    """One end of the line. A subclass says what it does for requests, and how it stands for objects of the other end."""

    def __init__(self, descriptor: int) -> None:
        self._socket = socket.socket(fileno=descriptor)
        self._objects: list[object] = []
        self._numbers: dict[int, int] = {}
        sys.set_int_max_str_digits(0)  # JSON writes numbers in decimal, which Python bounds

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
        self._send({"do": do, "values": [packer.pack(one) for one in values], **more}, packer)
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
        self._send({**reply, "changed": packer.changed(request["nodes"])}, packer)

    def classes(self, message: dict[str, Any]) -> None:  # noqa: B027 -- the tests describe none
        """Learn of the classes that a message describes."""

    # frames

    def _send(self, message: dict[str, object], packer: Packer) -> None:
        message |= {"nodes": packer.nodes, "classes": [*packer.classes.values()]}
        self.before_reply(message)
        data = json.dumps(message, separators=(",", ":")).encode()
        while len(data) > LARGEST_FRAME:
            self._put(MORE, data[:LARGEST_FRAME])
            data = data[LARGEST_FRAME:]
            if self._take()[0] != GO_ON:
                raise LineError("another frame was due")
        self._put(MESSAGE, data)

    def _receive(self) -> dict[str, Any]:
        parts: list[bytes] = []
        while True:
            kind, data = self._take()
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

    def _take(self) -> tuple[bytes, bytes]:
        data = self._read(int.from_bytes(self._read(HEAD)))
        if data[:1] == GONE:
            self.gone(data[1:].decode())
        return data[:1], data[1:]

    def _read(self, length: int) -> bytes:
        parts = b""
        while len(parts) < length:
            part = self._socket.recv(length - len(parts))
            if not part:
                raise EndedError("the line is closed")
            parts += part
        return parts
