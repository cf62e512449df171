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
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final, NoReturn, cast

from grader.build.apart.line import KINDS, SCALARS, AgainError, End, EndedError, LineError, Packer, builtin_name
from grader.build.apart.operators import ARITHMETIC, EQUAL, OPERATORS, ORDER

__tracebackhide__ = True  # of pytest: no frame of this module is shown

INHERITS: Final = (
    "a test cannot inherit from a class of the program, which is in another process: the spec needs `inside: true`"
)

UNNAMED: Final = (
    "the spec does not name the class {name} under `equality`, and a test compares it, or calculates, with plain data"
)

TIMED_OUT: Final = "it computed for too long"

FUNCTIONS: Final = frozenset(
    [
        "abs",
        "all",
        "any",
        "bin",
        "callable",
        "chr",
        "divmod",
        "format",
        "hash",
        "hex",
        "id",
        "isinstance",
        "issubclass",
        "iter",
        "len",
        "max",
        "min",
        "next",
        "oct",
        "ord",
        "pow",
        "print",
        "repr",
        "round",
        "sorted",
        "sum",
    ]
)
"""Functions of Python that a program may give to a test. One that runs code or opens files might be called there."""

SERVED: Final = frozenset(OPERATORS) - {"__hash__"}

STREAMS: Final = (io.StringIO, io.BytesIO)
"""Objects of Python's library with methods that a program may use when a test hands them over."""


class TooLongError(Exception):
    """The program computed for longer than one test may."""


class Origin:
    """Where an object of the program is: its number there, in which ``life`` of the program, and the names that lead to it from a module."""

    def __init__(self, end: Tests, number: int, path: tuple[str, ...] = ()) -> None:
        self.end, self.number, self.life, self.path = end, number, end.life, path


class Meta(type):
    """A class of the program."""

    grader_origin: Origin
    grader_named: bool
    """Whether a test took it by its name: then it is a matter of the assignment how it compares with plain data."""
    grader_plain: bool
    """Whether it inherits from plain data."""

    def __new__(cls, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> Meta:
        """A class as the program described it. Raises TypeError where a test inherits from it."""
        if "grader_origin" not in space and bases:
            raise TypeError(INHERITS)
        return super().__new__(cls, name, bases, space)

    def __call__(cls, *args: object, **named: object) -> Any:
        """Make an object of the class in the program."""
        return cls.grader_origin.end.request("call", cls, args, named)

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__") or name in Meta.__annotations__:
            raise AttributeError(name)
        return cls.grader_origin.end.taken("get", cls, name)

    def __setattr__(cls, name: str, value: object) -> None:
        if name.startswith("__") or name in Meta.__annotations__:
            super().__setattr__(name, value)
        else:
            cls.grader_origin.end.request("set", cls, name, value)

    def __delattr__(cls, name: str) -> None:
        cls.grader_origin.end.request("del", cls, name)

    def __dir__(cls) -> list[str]:
        return list(cls.grader_origin.end.request("dir", cls))

    def __iter__(cls) -> Iterator[Any]:
        return cast(Iterator[Any], cls.grader_origin.end.request("special", "__iter__", cls))

    def __len__(cls) -> int:
        return int(cls.grader_origin.end.request("special", "__len__", cls))

    def __bool__(cls) -> bool:
        return True

    def __getitem__(cls, key: object) -> Any:
        return cls.grader_origin.end.request("special", "__getitem__", cls, key)

    def __contains__(cls, one: object) -> bool:
        return bool(cls.grader_origin.end.request("special", "__contains__", cls, one))


class Handle(metaclass=Meta):
    """An object of the program."""

    grader_origin: Any  # of the class: here it is that of the object

    def __getattr__(self, name: str) -> Any:
        return _end(self).taken("get", self, name)

    def __setattr__(self, name: str, value: object) -> None:
        if name.startswith("__"):
            object.__setattr__(self, name, value)
        else:
            _end(self).request("set", self, name, value)

    def __delattr__(self, name: str) -> None:
        _end(self).request("del", self, name)

    def __dir__(self) -> list[str]:
        return list(_end(self).request("dir", self))

    def __eq__(self, other: object) -> bool:
        return cast(bool, _compared("__eq__", self, other))

    def __ne__(self, other: object) -> bool:
        return cast(bool, _compared("__ne__", self, other))

    def __hash__(self) -> int:
        return int(_end(self).request("special", "__hash__", self))

    def __repr__(self) -> str:
        return str(_end(self).request("special", "__repr__", self))

    def __str__(self) -> str:
        return str(_end(self).request("special", "__str__", self))

    def __format__(self, form: str) -> str:
        return str(_end(self).request("special", "__format__", self, form))

    def __copy__(self) -> Any:
        return _end(self).request("copy", self)

    def __deepcopy__(self, _memo: object) -> Any:
        return _end(self).request("deepcopy", self)


def _end(handle: Any) -> Tests:
    end: Tests = object.__getattribute__(handle, "grader_origin").end
    return end


def _is_plain(value: object) -> bool:
    return type(value) in SCALARS or type(value) in KINDS or bool(builtin_name(value))


def _is_named(kind: Meta) -> bool:
    """Whether a test took a class, or one that it inherits from, by its name."""
    return any(one.grader_named for one in kind.__mro__ if isinstance(one, Meta) and one is not Handle)


def _is_in_spec(kind: Meta) -> bool:
    """Whether the spec names it as a class whose objects say themselves what plain data they equal."""
    return any(one.__name__ in kind.grader_origin.end.equality for one in kind.__mro__)


def _compared(name: str, one: Any, other: object) -> Any:
    """What an object is beside another: plain data is compared here, as far as the object is plain data itself."""
    kind = cast(Meta, type(one))
    if isinstance(other, (Handle, Meta)) or (_is_plain(other) and _is_in_spec(kind)):
        return _end(one).request("special", name, one, other)
    return _as_plain(name, one, other)


def _calculated(name: str, one: Any, other: object) -> Any:
    """What comes of an operator between an object and another."""
    kind = cast(Meta, type(one))
    if isinstance(other, (Handle, Meta)) or (_is_plain(other) and _is_in_spec(kind)):
        return _end(one).request("special", name, one, other)
    return _as_plain(name, one, other)


def _as_plain(name: str, one: Any, other: object) -> Any:
    """What comes of an operator between an object and plain data, as far as the object is plain data itself.

    An object whose difference to any number is 0.0 passes ``abs(result - 4) < 1e-6``. So the program calculates with plain data only where
    the spec says so. Where a test took the class by its name that is a matter of the spec.
    """
    kind = cast(Meta, type(one))
    if not _is_plain(other):
        return NotImplemented
    if kind.grader_plain:
        value = _end(one).request("plain", one)
        return getattr(value, name, lambda _: NotImplemented)(other) if _is_plain(value) else NotImplemented
    if name not in EQUAL and _is_named(kind):
        raise TypeError(UNNAMED.format(name=kind.__name__))
    return NotImplemented


def _contained(one: Any, other: object) -> bool:
    """Whether an object holds another. One that no test took by its class is looked through here."""
    kind = cast(Meta, type(one))
    if isinstance(other, (Handle, Meta)) or _is_named(kind) or _is_in_spec(kind):
        return bool(_end(one).request("special", "__contains__", one, other))
    return any(other is each or other == each for each in one)


def _forward(name: str) -> Callable[..., Any]:
    def forward(self: Any, *args: object, **named: object) -> Any:
        if name == "__call__":
            return _end(self).request("call", self, args, named)
        if name == "__exit__":
            args = (args[0], args[1], None)
        return _end(self).request("special", name, self, *args)

    def calculate(self: Any, other: object) -> Any:
        return (_compared if name in ORDER else _calculated)(name, self, other)

    return _contained if name == "__contains__" else calculate if name in ARITHMETIC or name in ORDER else forward


_FORWARDED: Final = {name: _forward(name) for name in OPERATORS if name not in EQUAL}
_ALWAYS: Final = frozenset({"__repr__", "__str__", "__format__", "__hash__"})

# An exception that came up in a test is compared and shown as any other.
_AS_ERROR: Final[dict[str, Any]] = {
    "__eq__": object.__eq__,
    "__ne__": object.__ne__,
    "__hash__": object.__hash__,
    "__repr__": BaseException.__repr__,
    "__str__": lambda self: object.__getattribute__(self, "_grader_text"),
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

    def taken(self, do: str, one: Any, name: str) -> Any:
        """An attribute of an object of the program, which a test takes by its name."""
        value = self.request(do, one.__name__ if isinstance(one, Module) else one, name)
        way = (one.__name__,) if isinstance(one, Module) else one.grader_origin.path if isinstance(one, Meta) else ()
        if isinstance(value, (Handle, Meta)) and way and not _origin(value).path:
            _origin(value).path = (*way, name)
        if isinstance(value, Meta):
            value.grader_named = True
        return value

    def _number(self, origin: Origin) -> int:
        """The number of an object of the program. Where the program was started again, those with a name are looked for again; raises EndedError for others."""
        if origin.life != self.life:
            if not origin.path:
                raise EndedError("it was made before the program ended")
            one: Any = self.modules[origin.path[0]]
            for number, name in enumerate(origin.path[1:]):
                one = self.taken("get" if number else "module", one, name)
            origin.number, origin.life = _origin(one).number, self.life
        return origin.number

    # the line

    def reference(self, value: object, packer: Packer) -> object:  # noqa: ARG002
        """An object of the program, or one of the tests."""
        if isinstance(value, (Handle, Meta)):
            return ["yours", self._number(_origin(value))]
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
        known = self._numbered.get((self.life, number))
        if known is None:
            known = kind.__new__(kind, *args) if issubclass(kind, BaseException) else object.__new__(cast(type, kind))
            object.__setattr__(known, "grader_origin", Origin(self, number))
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
        specials = [name for name in one["specials"] if name in _FORWARDED and name not in _ALWAYS]
        space |= _AS_ERROR if is_error else {name: _FORWARDED[name] for name in specials}
        if "__len__" in specials:
            space.setdefault("__bool__", _FORWARDED["__bool__"])
        if not one["hash"]:
            space["__hash__"] = None
        try:
            return Meta(str(one["name"]), tuple(bases), space)
        except TypeError:  # an order of bases that only the program's own classes allow
            return Meta(str(one["name"]), (Handle, *([Exception] if is_error else [])), space)

    def builtin(self, name: str) -> object:
        """A type of Python, or a function that does no harm in a test."""
        known = getattr(builtins, name, None)
        if isinstance(known, type) or name in FUNCTIONS:
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
        error = self._error(message, unpack)
        for line in message["trace"]:
            error.add_note(str(line))
        return error

    def error(self, error: BaseException, packer: Packer) -> dict[str, object]:
        """An exception of a test, such as one of a function that it handed over."""
        args = [one for one in error.args if _is_plain(one)]
        return {"error": type(error).__name__, "args": packer.pack(args), "number": self.number_of(error), "text": ""}

    def _error(self, message: dict[str, Any], unpack: Callable[[Any], Any]) -> BaseException:
        if message["yours"] is not None:
            return cast(BaseException, self.numbered(int(message["yours"])))
        if message.get("too-long"):
            return self.too_long(TIMED_OUT)
        text, args = str(message["text"]), unpack(message["args"])
        if isinstance(message["error"], str):
            kind = getattr(builtins, message["error"], None)
            if isinstance(kind, type) and issubclass(kind, (Exception, SystemExit)):
                try:
                    return kind(*args)
                except TypeError:  # such as of UnicodeDecodeError
                    return cast(BaseException, type(kind.__name__, (Exception,), {})(text))
            # what ends pytest itself ends a test alone
            return cast(BaseException, type(message["error"], (Exception,), {})(text))
        _, number, kind = message["error"]
        error = self._handle(number, self._numbered[self.life, kind], *args)
        object.__setattr__(error, "_grader_text", text)
        return cast(BaseException, error)

    # what the program does with objects of the tests

    def serve(self, request: dict[str, Any], unpack: Callable[[Any], Any]) -> object:
        """Do what the program asks for with an object that a test handed over."""
        values = [unpack(one) for one in request["values"]]
        at = {"call": 0, "special": 1}.get(request["do"])
        # Of what was handed over alone: who may call ``type`` here makes a class that is equal to everything.
        if at is not None and request["values"][at][0] != "yours":
            raise LineError("this was never handed over")
        match request["do"]:
            case "call":
                one, args, named = values
                return one(*args, **named)
            case "get" if self._is_open(values[0], values[1]):
                return getattr(values[0], values[1])
            case "set" if self._is_open(values[0], values[1]):
                setattr(*values)
                return None
            case "special" if values[0] in SERVED:
                return OPERATORS[values[0]](*values[1:])
            case "input":
                return input(*values)
            case "readline":
                return sys.stdin.readline()
            case _:
                raise AttributeError(f"an object of the tests gives no {values[-1]!r} to the program")

    def _is_open(self, one: object, name: str) -> bool:
        """Whether the program may take an attribute: of objects whose class a test made, and of streams; nothing that leads elsewhere."""
        kind = type(one)
        return not name.startswith("_") and (kind.__module__ in self._own or kind in STREAMS)


def _origin(one: Any) -> Origin:
    return cast(
        Origin,
        type.__getattribute__(one, "grader_origin")
        if isinstance(one, type)
        else object.__getattribute__(one, "grader_origin"),
    )


# ---------------------------------------------------------------------------------------------------------------- modules


class Module(ModuleType):
    """A module of the program, as a test imports it."""

    def __init__(self, name: str, end: Tests) -> None:
        super().__init__(name)
        self.__dict__["_grader_end"] = end

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__all__":
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")
        return self.__dict__["_grader_end"].taken("module", self, name)

    def __setattr__(self, name: str, value: object) -> None:
        if name.startswith("__"):
            super().__setattr__(name, value)
        else:
            self.__dict__["_grader_end"].request("set_module", self.__name__, name, value)

    def __delattr__(self, name: str) -> None:
        self.__dict__["_grader_end"].request("del_module", self.__name__, name)

    def __dir__(self) -> Sequence[str]:
        return list(self.__dict__["_grader_end"].request("dir_module", self.__name__))


class Finder:
    """Finds the modules of the program for the tests: it is asked before anything else finds modules."""

    def __init__(self, end: Tests, names: Iterable[str]) -> None:
        self._end = end
        self._names = frozenset(names)

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:  # noqa: ARG002
        """Where a module of the program comes from; None for all others."""
        if name.partition(".")[0] not in self._names:
            return None
        return ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """A stand-in for the module."""
        return self._end.modules.setdefault(spec.name, Module(spec.name, self._end))

    def exec_module(self, module: ModuleType) -> None:
        """Have the program import it, or do so again."""
        again = module.__dict__.get("_grader_imported", False)
        self._end.request("import", module.__name__, again)
        module.__dict__["_grader_imported"] = True
