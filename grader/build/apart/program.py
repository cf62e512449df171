"""The end of the line at which a program stands that was handed in: it does what the tests ask for.

This module runs in the cage of the program, without anything else of the grader than ``line``. All that it tells is the program's word: a
program can do here whatever it likes.
"""

from __future__ import annotations

import builtins
import importlib
import io
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from types import FrameType, ModuleType
from typing import Any, Final, cast

from grader.build.apart.line import KINDS, End, EndedError, LineError, Packer, builtin_name, error_of
from grader.build.apart.operators import ACCESS, OPERATORS

TRACE: Final = 8
"""Lines of the program that an error shows, the last ones."""


RETURNS: Final = "_grader_number"
"""The attribute of an exception of the tests that has passed through the program: the tests get their own back."""


class TooLongError(BaseException):
    """The program computes for longer than one test may."""


class Remote:
    """An object of the tests, such as a function that they hand over."""

    grader_end: Program

    def __init__(self, end: Program, number: int, name: str) -> None:
        self.__dict__.update(grader_end=end, grader_number=number, grader_name=name)

    def __call__(self, *args: object, **named: object) -> object:
        """Call it in the tests."""
        return cast(object, self.grader_end.request("__call__", self, args, named))

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return cast(object, self.grader_end.request("getattr", self, name))

    def __setattr__(self, name: str, value: object) -> None:
        self.grader_end.request("setattr", self, name, value)

    def __repr__(self) -> str:
        return f"<{self.grader_name} of a test>"


def _special(name: str) -> Callable[..., object]:
    def forward(self: Remote, *args: object) -> object:
        return cast(object, self.grader_end.request(name, self, *args))

    return forward


for _name in OPERATORS:
    if _name not in ("__call__", "__repr__", "__str__", "__format__", "__hash__", "__bool__", "__eq__", "__ne__"):
        setattr(Remote, _name, _special(_name))


class Typed(io.TextIOBase):
    """The standard input of the program: that of the tests."""

    def __init__(self, end: Program) -> None:
        self._end = end

    def readline(self, _size: int | None = -1) -> str:  # type: ignore[override]
        """A line that the tests type."""
        return str(self._end.request("readline"))

    def read(self, _size: int | None = -1) -> str:
        """All that the tests type."""
        return "".join(self)


class Program(End):
    """The end of the program. A test may compute for half of what is left of ``cpu`` seconds, so that one that never ends leaves something to others."""

    def __init__(self, descriptor: int, cpu: float) -> None:
        super().__init__(descriptor)
        self._cpu = cpu
        self._runs = False
        self._described: set[int] = set()
        self._printed = {"out": io.StringIO(), "errors": io.StringIO()}
        self._remotes: dict[int, Remote] = {}
        signal.signal(signal.SIGPROF, self._too_long)
        sys.stdin, sys.stdout, sys.stderr = Typed(self), *self._printed.values()
        builtins.input = lambda prompt="": self.request("input", str(prompt))

    def _too_long(self, _number: int, _frame: FrameType | None) -> None:
        if self._runs:
            raise TooLongError

    def serve(self, request: dict[str, Any], unpack: Callable[[Any], Any]) -> object:
        """Do what a test asks for."""
        if request.get("fresh"):
            left = max((self._cpu - time.process_time()) / 2, 0.01)
            signal.setitimer(signal.ITIMER_PROF, left, 0.05)  # again and again: a program may catch whatever comes
        before, self._runs = self._runs, True
        try:
            return _ACTIONS[request["do"]](*map(unpack, request["values"]))
        finally:
            self._runs = before

    # what the tests are told of objects

    def reference(self, value: object, packer: Packer) -> object:
        """An object, with its class where the tests do not know that."""
        if isinstance(value, Remote):
            return ["yours", value.grader_number]
        if isinstance(value, type):
            return ["class", self._class(value, packer)]
        if isinstance(value, ModuleType) and sys.modules.get(value.__name__) is value and _is_own(value):
            return ["module", value.__name__]
        return ["mine", self.number_of(value), self._class(type(value), packer)]

    def _class(self, kind: type, packer: Packer) -> int:
        number = self.number_of(kind)
        if number in self._described or number in packer.classes:
            return number
        mine = [base for base in kind.__bases__ if base is not object and base not in PLAIN and base not in KINDS]
        bases = [builtin_name(base) or self._class(base, packer) for base in mine]
        packer.classes[number] = {
            "number": number,
            "name": kind.__name__,
            "module": str(kind.__module__),
            "qualname": kind.__qualname__,
            "bases": bases,
            "specials": sorted(name for name in OPERATORS if getattr(kind, name, None) is not None),
            "error": issubclass(kind, BaseException),
            "plain": any(base in PLAIN for base in kind.__mro__[1:]),
        }
        return number

    def before_reply(self, reply: dict[str, object]) -> None:
        """Send along what was printed, and remember which classes were described."""
        for name, stream in self._printed.items():
            reply[name] = stream.getvalue()
            stream.seek(0)
            stream.truncate()
        self._described |= {one["number"] for one in reply["classes"]}  # type: ignore[attr-defined]

    def object_of(self, packed: list[Any]) -> object:
        """An object of the tests, or one of the program."""
        match packed:
            case ["yours", int(number)]:
                return self.numbered(number)
            case ["mine", int(number), str(name)]:
                return self._remotes.setdefault(number, Remote(self, number, name))
            case ["module", str(name)]:
                return importlib.import_module(name)
            case _:
                raise LineError(f"no object: {packed}")

    def builtin(self, name: str) -> object:
        """Any type or function of Python."""
        return getattr(builtins, name)

    def error(self, error: BaseException, packer: Packer) -> dict[str, object]:
        """An exception with the lines of the program at which it came up."""
        return {
            "error": builtin_name(type(error)) or self.reference(error, packer),
            "args": packer.pack(error.args),
            "yours": getattr(error, "__dict__", {}).get(RETURNS),
            "text": _text(error),
            "trace": _trace(error),
            "too-long": isinstance(error, TooLongError),
        }

    def raised(self, message: dict[str, Any], unpack: Callable[[Any], Any]) -> BaseException:
        """An exception of the tests, such as one of a function that they handed over."""
        error = error_of(str(message["error"]), unpack(message["args"]))
        error.__dict__[RETURNS] = message["number"]
        return error


PLAIN: Final[dict[type, Callable[[Any], object]]] = {
    int: lambda one: int.__add__(one, 0),
    float: lambda one: float.__add__(one, 0.0),
    str: lambda one: str.__str__(one)[:],
    bytes: lambda one: bytes.__getitem__(one, slice(None)),
    tuple: lambda one: tuple(tuple.__iter__(one)),
    list: lambda one: list(list.__iter__(one)),
    dict: lambda one: dict(dict.items(one)),
    set: lambda one: set(set.__iter__(one)),
    frozenset: lambda one: frozenset(frozenset.__iter__(one)),
}
"""The types of plain data that classes inherit from, with how the data is taken out of an object by them."""


def _import(name: str, again: bool) -> None:
    try:
        importlib.reload(sys.modules[name]) if again else importlib.import_module(name)
    except SystemExit as ended:
        raise ImportError(f"{name} ends the program when it is imported, by exit({ended.code or ''})") from ended


def _plain(one: object) -> object:
    """The plain data that an object is by inheritance: a named tuple as a tuple."""
    return next(PLAIN[base](one) for base in type(one).__mro__ if base in PLAIN)


_ACTIONS: Final[dict[str, Callable[..., Any]]] = {**OPERATORS, **ACCESS, "import": _import, "plain": _plain}


def _is_own(module: ModuleType) -> bool:
    """Whether a module lies in the folder of the program."""
    return os.path.dirname(os.path.abspath(getattr(module, "__file__", None) or "/-/-")) == os.getcwd()  # noqa: PTH100, PTH109, PTH120 -- loads faster


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException:  # noqa: BLE001 -- a class of the program may do anything
        return ""


def _trace(error: BaseException) -> list[str]:
    """The lines of the program that led to an exception, the innermost last."""
    here = os.getcwd() + os.sep  # noqa: PTH109
    frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename.startswith(here)]
    lines = [f"{one.filename.removeprefix(here)}:{one.lineno}: in {one.name}" for one in frames]
    if isinstance(error, SyntaxError) and str(error.filename).startswith(here):
        lines.append(f"{str(error.filename).removeprefix(here)}:{error.lineno}: {error.msg}")
    return lines[-TRACE:]


def run(cpu: float) -> None:
    """Serve the tests until these end."""
    try:
        Program(3, cpu).serve_all()
    except EndedError:
        os._exit(0)
