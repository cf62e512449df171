"""Tests that cannot have a process of their own, since they reach into that of the program; pure.

A right program would fail them there, through no fault of its own: so a spec is wrong that has them without ``inside: true``.
"""

from __future__ import annotations

import ast
import platform
import re
import sys
from collections.abc import Collection, Iterator

from grader.values import dataclass

FIXTURES = frozenset({"tmp_path", "tmp_path_factory", "tmpdir", "tmpdir_factory", "capfd", "capfdbinary"})
"""Fixtures of pytest whose files, or whose streams, the program does not see: it has a folder and streams of its own."""

MODULES = {
    "threading": "its threads cannot call the program at the same time",
    "multiprocessing": "its processes do not have the program",
    "concurrent": "its threads cannot call the program at the same time",
    "asyncio": "it runs what the program awaits",
    "subprocess": "it starts the program by itself",
    "runpy": "it starts the program by itself",
    "inspect": "it looks at the program's source",
}
"""Modules that a test does something with that only the process of the program allows."""

_STREAMS = frozenset({"builtins.input", "sys.stdin", "sys.stdout", "sys.stderr", "builtins.print"})
_CHANGES = frozenset({"chdir", "setenv", "delenv", "syspath_prepend"})


@dataclass(frozen=True)
class Reach:
    """A line of a test, and what in it reaches into the process of the program."""

    line: int
    what: str


def reaches(text: str, ours: Collection[str]) -> Iterator[Reach]:
    """All that reaches into the process of the program; ``ours`` are the modules of the tests. Nothing where the text is no Python."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    known = {*sys.stdlib_module_names, *ours, "pytest"}
    program = {name for name, module in _imported(tree) if module.partition(".")[0] not in known}
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef() if any(_root(base) in program for base in node.bases):
                yield Reach(node.lineno, f"the class {node.name} inherits from a class of the program")
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                taken = [one for one in node.args.args if one.arg in FIXTURES]
                yield from (Reach(node.lineno, f"{one.arg} is not seen by the program") for one in taken)
            case ast.Import() | ast.ImportFrom():
                for _, module in _imported(node):
                    if why := MODULES.get(module.partition(".")[0]):
                        yield Reach(node.lineno, f"the module {module} is imported, and {why}")
            case ast.Call(func=ast.Attribute(value=ast.Name(id="monkeypatch"), attr=name)) if name in _CHANGES:
                yield Reach(node.lineno, f"monkeypatch.{name} changes nothing for the program")
            case (
                ast.Call(func=ast.Attribute(attr="setattr" | "patch" | "object")) | ast.Call(func=ast.Name(id="patch"))
            ):
                if (name := _patched(node)) and name not in _STREAMS and name.partition(".")[0] not in program:
                    yield Reach(node.lineno, f"{name} is replaced for the tests alone")
            case ast.Call(func=ast.Attribute(value=ast.Name(id="random"), attr="seed")):
                yield Reach(node.lineno, "random.seed does not reach the random numbers of the program")
            case _:
                pass


def _imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Each name that an import gives, with its module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((one.asname or one.name.partition(".")[0], one.name) for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((one.asname or one.name, node.module or "") for one in node.names)


def _root(node: ast.expr) -> str:
    """The first name of an expression such as ``shapes.Account``."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _patched(call: ast.Call) -> str:
    """The name that a call replaces, as in ``setattr("builtins.input", …)`` or ``setattr(random, "randint", …)``.

    Empty if unclear.
    """
    match call.args:
        case [ast.Constant(value=str(name)), *_] if "." in name:
            return name
        case [(ast.Name() | ast.Attribute()) as one, ast.Constant(value=str(name)), *_]:
            return f"{ast.unparse(one)}.{name}"
        case _:
            return ""


# ----------------------------------------------------------------------------------------------------------------- C and C++

_NOT_CODE = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?|//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/)?")
_INCLUDED = re.compile(r"(?m)^[ \t]*#[ \t]*include[ \t]*[\"<](?P<name>[^\">\n]+)[\">]")
_STREAM = (re.compile(r"(?<![.>:\w])(?:f|fd|p)open\s*\(|\btmpfile\s*\("), "is not open in the program")
_TAKES_STREAM = re.compile(r"\bFILE\s*\*[^;{}()]{0,200}\)\s*;")
_OF_A_PROCESS = (
    (re.compile(r"(?<![.>:\w])(?:freopen|open|creat|pipe2?|dup[23]?)\s*\(|\bstd::[io]?fstream\b"), _STREAM[1]),
    (re.compile(r"\b(?:v?fork|pthread_create|thrd_create|std::j?thread)\b"), "calls no program beside the tests"),
    (re.compile(r"(?<![.>:\w])(?:signal|sigaction|alarm|setitimer|chdir|setenv|putenv|setlocale|srand(?:om|48)?)\s*\("), "changes nothing for the program"),
    (re.compile(r"\b(?:EXPECT|ASSERT)_(?:DEATH|EXIT)\w*\b"), "sees no end of the program"),
)  # fmt: skip
_FORKS = (re.compile(r"\bsrunner_create\s*\("), "starts a process for each test, unless CK_NOFORK is set")
FLAGS = re.compile(r"-static|-m(?:32|x32)|-nostdlib|-fsanitize=.*|-flto.*")
"""Flags of compilers that make no program of two parts, or one of more than two processes."""


def machine_divides() -> bool:
    """Whether tests in C and C++ can have a process of their own here: the runtime hands over registers of x86-64, under glibc."""
    return platform.machine() == "x86_64" and platform.libc_ver()[0] == "glibc"


def takes_streams(text: str) -> bool:
    """Whether a function that takes an open file is declared here. Files that a test opens to tell its results do no harm."""
    return _TAKES_STREAM.search(_NOT_CODE.sub(" ", text)) is not None


def reaches_in_c(text: str, students: Collection[str], *, streams: bool) -> Iterator[Reach]:
    """The same of tests in C and C++, for headers and sources that ``students`` hand in, and what belongs to each process alone.

    ``streams`` says whether the program takes open files.
    """
    patterns = [*_OF_A_PROCESS, *([_STREAM] if streams else []), *([] if "CK_NOFORK" in text else [_FORKS])]
    blank = _NOT_CODE.sub(lambda match: "\n" * match[0].count("\n"), text)
    for number, (line, code) in enumerate(zip(text.split("\n"), blank.split("\n"), strict=True), start=1):
        included = _INCLUDED.match(line)
        if included is not None and included["name"].rpartition("/")[2] in students:
            yield Reach(
                number, f"{included['name']} is handed in: whatever it defines would be compiled into the tests"
            )
        for pattern, why in patterns:
            match = pattern.search(code)
            if match is not None:
                yield Reach(number, f"{match[0].rstrip('( ')} {why}")
