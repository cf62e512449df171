"""The end of the line at which the tests stand: objects of the program as *handles*, and its modules as the tests import them.

Theory of operation. Each class of the program has a class here, with the same name and with bases alike. So ``isinstance``, ``type`` and
``pytest.raises`` need nothing special. An instance knows the number of an object of the program and nothing else.
Whatever is done with a handle is done in the program. Only one thing is decided here: whether a handle equals plain data, or is less.
A program that gives an object which is equal to everything gives no right answer.

This module runs in the cage of the tests, without anything else of the grader than ``line`` and ``operators``.
"""

from __future__ import annotations

import builtins
import io
import sys
from collections.abc import Callable, Iterable
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final, NoReturn, cast

from grader.build.apart.line import (
    KINDS,
    SCALARS,
    AgainError,
    End,
    EndedError,
    LineError,
    Packer,
    builtin_name,
    error_of,
)
from grader.build.apart.operators import ARITHMETIC, EQUAL, OPERATORS, ORDER

__tracebackhide__ = True  # of pytest: no frame of this module is shown

INHERITS: Final = (
    "a test cannot inherit from a class of the program, which is in another process: the spec needs `inside: true`"
)

UNNAMED: Final = (
    "the spec does not name the class {name} under `equality`, and a test compares it, or calculates, with plain data"
)

TIMED_OUT: Final = "it computed for too long"

FUNCTIONS: Final = "abs all any bin callable chr divmod format hash hex id isinstance issubclass iter len max min next oct ord pow print repr round sorted sum"
"""Functions of Python that a program may give to a test. One that runs code or opens files might be called there."""

SERVED: Final = {"getattr": getattr, "setattr": setattr, **OPERATORS}
del SERVED["__hash__"]

STREAMS: Final = (io.StringIO, io.BytesIO)
"""Objects of Python's library with methods that a program may use when a test hands them over."""


class TooLongError(Exception):
    """The program computed for longer than one test may."""


class Origin:
    """The place of an object of the program: its number there, the ``life`` of the program, and the names that lead to it from a module."""

    def __init__(self, end: Tests, number: int, path: tuple[str, ...] = ()) -> None:
        self.end, self.number, self.life, self.path = end, number, end.life, path


class Proxy:
    """Something of the program: whatever is done with it is done there. Names that begin with ``grader_`` are ours."""

    grader_origin: Origin

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__all__" and not isinstance(self, Handle):
            raise AttributeError(f"{self!r} has no attribute {name!r}")
        return self.grader_origin.end.taken(self, name)

    def __setattr__(self, name: str, value: object) -> None:
        if name.startswith(("__", "grader_")):
            (type if isinstance(self, type) else object).__setattr__(
                self, name, value
            )  # `super` takes a class for its own
        else:
            _asked("setattr", self, name, value)

    def __delattr__(self, name: str) -> None:
        _asked("delattr", self, name)

    def __dir__(self) -> list[str]:
        return list(_asked("dir", self))


def _asked(do: str, one: Proxy, *values: object) -> Any:
    return one.grader_origin.end.request(do, one, *values)


def _forward(name: str) -> Callable[..., Any]:
    return lambda self, *args: _asked(name, self, *args)


def _calling(self: Proxy, *args: object, **named: object) -> Any:
    return _asked("__call__", self, args, named)


def _operator(name: str) -> Callable[[Any, object], Any]:
    return lambda self, other: _calculated(name, self, other)


class Meta(Proxy, type):
    """A class of the program."""

    grader_named: bool
    """Whether a test took it by its name: then it is a matter of the assignment how it compares with plain data."""
    grader_plain: bool
    """Whether it inherits from plain data."""

    def __new__(cls, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> Meta:
        """A class as the program described it. Raises TypeError where a test inherits from it."""
        if "grader_origin" not in space:
            raise TypeError(INHERITS)
        return super().__new__(cls, name, bases, space)

    def __bool__(cls) -> bool:
        return True

    __call__ = _calling
    __iter__, __len__, __getitem__, __contains__ = map(_forward, ("__iter__", "__len__", "__getitem__", "__contains__"))


class Handle(Proxy, metaclass=Meta):
    """An object of the program."""

    grader_origin: Any = None  # of the class: here it is that of the object

    __eq__, __ne__ = map(_operator, EQUAL)
    __hash__, __repr__, __str__, __format__ = map(_forward, ("__hash__", "__repr__", "__str__", "__format__"))
    __copy__ = _forward("copy")

    def __deepcopy__(self, _memo: object) -> Any:
        return _asked("deepcopy", self)


def _is_plain(value: object) -> bool:
    return type(value) in SCALARS or type(value) in KINDS or bool(builtin_name(value))


def _is_named(kind: Meta) -> bool:
    """Whether a test took a class, or one that it inherits from, by its name."""
    return any(one.grader_named for one in kind.__mro__ if isinstance(one, Meta) and one is not Handle)


def _is_in_spec(kind: Meta) -> bool:
    """Whether the spec names it as a class whose objects say themselves what plain data they equal."""
    return any(one.__name__ in kind.grader_origin.end.equality for one in kind.__mro__)


def _calculated(name: str, one: Any, other: object) -> Any:
    """The result of an operator between an object and another. Plain data is compared here, as far as the object is plain data itself.

    An object whose difference to any number is 0.0 passes ``abs(result - 4) < 1e-6``. So the program calculates with plain data only where
    the spec says so. Where a test took the class by its name that is a matter of the spec.
    """
    kind = cast(Meta, type(one))
    if isinstance(other, (Handle, Meta)) or (_is_plain(other) and _is_in_spec(kind)):
        return _asked(name, one, other)
    if not _is_plain(other):
        return NotImplemented
    if kind.grader_plain:
        value = _asked("plain", one)
        return getattr(value, name, lambda _: NotImplemented)(other) if _is_plain(value) else NotImplemented
    if name not in EQUAL and _is_named(kind):
        raise TypeError(UNNAMED.format(name=kind.__name__))
    return NotImplemented


def _contained(one: Any, other: object) -> bool:
    """Whether an object holds another. One that no test took by its class is looked through here."""
    kind = cast(Meta, type(one))
    if isinstance(other, (Handle, Meta)) or _is_named(kind) or _is_in_spec(kind):
        return bool(_asked("__contains__", one, other))
    return any(other is each or other == each for each in one)


_ALWAYS: Final = {"__repr__", "__str__", "__format__", "__hash__", *EQUAL}
"""The methods that every handle has."""

_FORWARDED: Final[dict[str, Callable[..., Any]]] = {
    **{name: _forward(name) for name in OPERATORS if name not in _ALWAYS},
    **{name: _operator(name) for name in (*ARITHMETIC, *ORDER)},
    "__call__": _calling,
    "__contains__": _contained,
}
"""Those that a handle has where its class has them."""

# An exception that came up in a test is compared and shown as any other.
_AS_ERROR: Final[dict[str, Any]] = {
    "__eq__": object.__eq__,
    "__ne__": object.__ne__,
    "__hash__": object.__hash__,
    "__repr__": BaseException.__repr__,
    "__str__": lambda self: self.grader_text,
    "__format__": object.__format__,
}


class Tests(End):
    """The end of the tests. Of the classes in ``equality`` the objects say themselves what they equal; ``own`` are the modules of the tests."""

    def __init__(self, descriptor: int, equality: Iterable[str], own: Iterable[str]) -> None:
        super().__init__(descriptor)
        self.equality = frozenset(equality)
        self.life = 0
        self.fresh = True
        self.modules: dict[str, Module] = {}
        self.too_long: type[BaseException] = TooLongError
        self._own = frozenset(own)
        self._classes: dict[tuple[str, str], Meta] = {}
        self._numbered: dict[tuple[int, int], Any] = {}

    # what tests do

    def begin(self) -> None:
        """A test begins: it may compute for as long as the first did."""
        self.fresh = True

    def taken(self, one: Proxy, name: str) -> Any:
        """An attribute of something of the program, which a test takes by its name."""
        value, way = self.request("getattr", one, name), one.grader_origin.path
        if isinstance(value, (Handle, Meta)) and way and not value.grader_origin.path:
            value.grader_origin.path = (*way, name)
        if isinstance(value, Meta):
            value.grader_named = True
        return value

    def _number(self, origin: Origin) -> int:
        """The number of an object of the program. Where the program was started again, those with a name are looked for again; raises EndedError for others."""
        if origin.life != self.life:
            if not origin.path:
                raise EndedError("it was made before the program ended")
            one: Any = self.modules[origin.path[0]]
            for name in origin.path[1:]:
                one = self.taken(one, name)
            origin.number, origin.life = one.grader_origin.number, self.life
        return origin.number

    # the line

    def reference(self, value: object, packer: Packer) -> object:  # noqa: ARG002
        """An object of the program, or one of the tests."""
        if isinstance(value, (Handle, Meta)):
            return ["yours", self._number(value.grader_origin)]
        if isinstance(value, Module):
            return ["module", value.__name__]
        if isinstance(value, BaseException):
            value = value.with_traceback(None)
        return ["mine", self.number_of(value), type(value).__name__]

    def object_of(self, packed: list[Any]) -> object:
        """A handle for an object of the program, or an object of the tests."""
        match packed:
            case ["mine", int(number), int(kind)]:
                return self._handle(number, self._numbered[self.life, kind])
            case ["class", int(number)]:
                return self._numbered[self.life, number]
            case ["yours", int(number)]:
                return self.numbered(number)
            case ["module", str(name)]:
                return self.modules.setdefault(name, Module(name, self))
            case _:
                raise LineError(f"no object: {packed}")

    def _handle(self, number: int, kind: Meta, *args: object) -> Any:
        known: Any = self._numbered.get((self.life, number))
        if known is None:
            known = kind.__new__(kind, *args) if issubclass(kind, BaseException) else object.__new__(cast(type, kind))
            known.grader_origin = Origin(self, number)
            self._numbered[self.life, number] = known
        return known

    def classes(self, message: dict[str, Any]) -> None:
        """Make the classes that a message describes; those of an earlier life of the program are the same."""
        for one in message["classes"]:
            number, key = int(one["number"]), (str(one["module"]), str(one["qualname"]))
            known = self._classes.get(key)
            if known is None or known.grader_origin.life == self.life:
                known = self._made(one)
            known.grader_origin.number, known.grader_origin.life = number, self.life
            self._classes[key] = self._numbered[self.life, number] = known

    def _made(self, one: dict[str, Any]) -> Meta:
        bases: list[type] = []
        for base in one["bases"]:
            kind = getattr(builtins, base, None) if isinstance(base, str) else self._numbered[self.life, int(base)]
            # only those of exceptions matter: who catches them asks by class
            if isinstance(kind, Meta) or (isinstance(kind, type) and issubclass(kind, Exception)):
                bases.append(kind)
        own = [base for base in bases if isinstance(base, Meta)]
        is_error = any(issubclass(base, BaseException) for base in bases) or bool(one["error"])
        bases = bases if own else [Handle, *(bases or ([Exception] if is_error else []))]
        space: dict[str, Any] = {
            "grader_origin": Origin(self, int(one["number"])),
            "grader_named": False,
            "grader_plain": bool(one["plain"]),
            "__module__": str(one["module"]),
            "__qualname__": str(one["qualname"]),
        }
        space |= _AS_ERROR if is_error else {name: _FORWARDED[name] for name in one["specials"] if name in _FORWARDED}
        try:
            return Meta(str(one["name"]), tuple(bases), space)
        except TypeError:  # an order of bases that only the program's own classes allow
            return Meta(str(one["name"]), (Handle, *([Exception] if is_error else [])), space)

    def builtin(self, name: str) -> object:
        """A type of Python, or a function that does no harm in a test."""
        known = getattr(builtins, name, None)
        if isinstance(known, type) or name in FUNCTIONS.split():
            return known
        raise LineError(f"the program gives the function {name}")

    def before_reply(self, reply: dict[str, object]) -> None:
        """Tell the first request of each test as such."""
        if self.fresh and "do" in reply:
            reply["fresh"] = True
            self.fresh = False

    def received(self, message: dict[str, Any]) -> None:
        """Print what the program printed."""
        for stream, text in ((sys.stdout, message.get("out")), (sys.stderr, message.get("errors"))):
            if text:
                stream.write(str(text))

    def gone(self, why: str) -> NoReturn:
        """The program has ended: what comes next starts it again. Raises EndedError, or what tells that it took too long."""
        self.life += 1
        self.fresh = True
        kind, _, sentence = why.partition(":")
        if kind == "again":
            raise AgainError
        if kind == "time":
            raise self.too_long(TIMED_OUT)
        raise EndedError(f"{sentence} while a test called it")

    def raised(self, message: dict[str, Any], unpack: Callable[[Any], Any]) -> BaseException:
        """An exception of the program, with the lines of the program at which it came up."""
        error: Any
        match message:
            case {"yours": int(number)}:
                error = self.numbered(number)
            case {"too-long": True}:
                error = self.too_long(TIMED_OUT)
            case {"error": str(name)}:
                error = error_of(name, unpack(message["args"]))
            case _:
                _, number, kind = message["error"]
                error = self._handle(number, self._numbered[self.life, kind], *unpack(message["args"]))
                error.grader_text = str(message["text"])
        for line in message["trace"]:
            error.add_note(str(line))
        return cast(BaseException, error)

    def error(self, error: BaseException, packer: Packer) -> dict[str, object]:
        """An exception of a test, such as one of a function that it handed over."""
        args = [one for one in error.args if _is_plain(one)]
        return {"error": type(error).__name__, "args": packer.pack(args), "number": self.number_of(error)}

    # what the program does with objects of the tests

    def serve(self, request: dict[str, Any], unpack: Callable[[Any], Any]) -> object:
        """Do what the program asks for with an object that a test handed over."""
        do, values = request["do"], [unpack(one) for one in request["values"]]
        if do == "input":
            return input(*values)
        if do == "readline":
            return sys.stdin.readline()
        # Of what was handed over alone: who may call ``type`` here makes a class that is equal to everything.
        if request["values"][0][0] != "yours":
            raise LineError("this was never handed over")
        if do not in SERVED or (do in ("getattr", "setattr") and not self._is_open(values[0], values[1])):
            raise AttributeError(f"an object of the tests gives no {values[-1]!r} to the program")
        return SERVED[do](*values)

    def _is_open(self, one: object, name: str) -> bool:
        """Whether the program may take an attribute: of objects whose class a test made, and of streams; nothing that leads elsewhere."""
        kind = type(one)
        return not name.startswith("_") and (kind.__module__ in self._own or kind in STREAMS)


# ---------------------------------------------------------------------------------------------------------------- modules


class Module(Proxy, ModuleType):
    """A module of the program, as a test imports it."""

    def __init__(self, name: str, end: Tests) -> None:
        super().__init__(name)
        self.grader_origin = Origin(end, 0, (name,))


class Finder:
    """Finds the modules of the program for the tests: it is asked before anything else finds modules."""

    def __init__(self, end: Tests, names: Iterable[str]) -> None:
        self._end = end
        self._names = frozenset(names)

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:  # noqa: ARG002
        """The origin of a module of the program; None for all others."""
        if name.partition(".")[0] not in self._names:
            return None
        return ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """A stand-in for the module."""
        return self._end.modules.setdefault(spec.name, Module(spec.name, self._end))

    def exec_module(self, module: ModuleType) -> None:
        """Have the program import it, or do so again."""
        self._end.request("import", module.__name__, "grader_imported" in module.__dict__)
        module.__dict__["grader_imported"] = True
