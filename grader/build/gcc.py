"""C and C++ programs: compiled by gcc in the cage, with a terminal's habit of showing a prompt before a read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from pathlib import PurePosixPath

from grader.bounded import number
from grader.build import notes
from grader.build.product import Product
from grader.build.recipe import Files, Names, Recipe
from grader.build.tool import TOOL_LIMITS, ToolRun, run_tool
from grader.errors import JudgeError
from grader.sandbox import Cage, Command
from grader.source import Diagnostic, Severity, SourceFile

_PROGRAM = "grader_program"
_OURS = "grader_terminal.c"
_OURS_COMPILED = "grader_terminal.o"
_CHECKED = "grader_checked"
AFTER_ALL = ("-idirafter", ".")
"""Headers of the course are found in ``<>`` as well; those of the system that have the same name go before them."""
_COMPILERS = {"c": "gcc", "cpp": "g++"}
_USUAL = ("-O1", "-g", "-Wall", "-fdiagnostics-plain-output", "-ftabstop=1")
_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}

_COMPLAINT = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+): (?P<severity>fatal error|error|warning): (?P<message>.*?)"
    r"(?: \[(?P<flag>-W[^\]]+)\])?$"
)
_LINKER = re.compile(r"(?P<message>undefined reference to .*|multiple definition of [`'][^'`]*')")
_SHOWN_TEXT = 2000
_EMPTY = "there is no program in this file"

HINTS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), hint)
    for pattern, hint in (
        (r"expected ['‘]?;", "put a semicolon at the end of the statement before"),
        (r"undeclared|was not declared", "declare it before it is used; spelling and case count"),
        (r"implicit declaration", "include the header that declares it, or write its prototype above"),
        (r"end of input", "a closing brace is missing somewhere above"),
        (r"reference to [`']main'", "a program needs a function called main"),
        (r"undefined reference", "it is called, and nowhere defined; look at the spelling of its name"),
        (r"multiple definition", "define it once; other files only declare it"),
        (r"No such file or directory", "hand the header in, too, or include one that every computer has"),
        (r"too (?:few|many) arguments", "call it with as many arguments as it is defined with"),
        (r"conflicting types", "prototype and definition must say the same types"),
    )
)
"""What to do about complaints that beginners meet, first match first."""


def _ours(cage: Cage, flags: Names, language: str) -> Product:
    """What is linked into every program, compiled. Raises JudgeError where the compiler refuses it.

    Of the flags it needs those for code that fits to the program's: what else a course asks for, such as a standard of C++ and no
    warnings, is for students.
    """
    cage.put(_OURS, notes.LINKED)
    run = run_gcc(cage, language, *_for_code(flags), "-x", "c", "-c", _OURS, "-o", _OURS_COMPILED)
    compiled = cage.take(_OURS_COMPILED, TOOL_LIMITS.file_size) if run.succeeded else None
    if not compiled:
        why = run.stopped or run.errors.strip()[:_SHOWN_TEXT]
        raise JudgeError(
            f"the compiler refuses what is linked into every program: {why}", hint="look at `flags` in the spec"
        )
    return Product({_OURS_COMPILED: compiled})


def run_gcc(cage: Cage, language: str, *words: str) -> ToolRun:
    """The compiler with our usual flags, then these words."""
    argv = (_COMPILERS[language], *_USUAL, *words)
    return run_tool(cage, Command(argv=argv, limits=TOOL_LIMITS, environment=_ENVIRONMENT), wrapped=True)


def _for_code(flags: Names) -> Names:
    """The flags by which code differs that is to be linked: ``-m32``, ``-fsanitize=address``."""
    return tuple(flag for flag in flags if flag.startswith(("-m", "-f")))


def _compile(cage: Cage, files: Files, sources: Names, flags: Names, language: str) -> Product:
    for name, data in files.items():
        cage.put(name, data)
    plain = (_plain(cage, number, name) for number, name in enumerate(sources))
    libraries = [flag for flag in flags if flag.startswith("-l")]  # a linker looks for what was missing before them
    told = [flag for flag in flags if flag not in libraries]
    run = run_gcc(cage, language, *told, *plain, _OURS_COMPILED, "-o", _PROGRAM, *libraries, "-lm")
    program = cage.take(_PROGRAM, TOOL_LIMITS.file_size) if run.succeeded else None
    return _product(run, {_PROGRAM: program} if program else {})


def _check(cage: Cage, files: Files, sources: Names, flags: Names, language: str) -> Product:
    """The sources compiled and not linked, where nothing starts them by themselves: there is no program then."""
    for name, data in files.items():
        cage.put(name, data)
    plain = (_plain(cage, number, name) for number, name in enumerate(sources))
    run = run_gcc(cage, language, *flags, *plain, "-c")
    return _product(run, {_CHECKED: b"1"} if run.succeeded else {})


def _product(run: ToolRun, files: Files) -> Product:
    """What came of a run; a compiler that was stopped may have been in the middle of a flood of messages."""
    return Product(files, run.errors[:_SHOWN_TEXT] if run.stopped else run.errors, run.stopped)


def _plain(cage: Cage, number: int, name: str) -> str:
    """The source by a name that no part of gcc takes for an option or a list of them: another file includes it."""
    path = PurePosixPath(name)
    if not name.startswith("-") and not path.name.startswith("@"):
        return name
    including = f"grader_source_{number}{path.suffix}"
    cage.put(including, f'#include "{name}"\n'.encode("utf-8", "surrogateescape"))
    return including


def _read(product: Product, sources: Mapping[str, SourceFile]) -> tuple[Diagnostic, ...]:
    """The messages with their places in the sources, by the paths under which they were compiled."""
    found = [d for line in product.said.splitlines() if (d := _diagnostic(line, sources)) is not None]
    if not product.files and not product.stopped and not any(d.severity is Severity.ERROR for d in found):
        said = product.said.strip()[:_SHOWN_TEXT] or "it said nothing"
        found.insert(0, Diagnostic(Severity.ERROR, "compiler", f"the compiler failed: {said}", None, ""))
    empty = None if any(source.text.strip() for source in sources.values()) else next(iter(sources.values()), None)
    if (
        empty is not None and not product.files and not product.stopped
    ):  # the linker would miss a `main` in words of its own
        return (
            Diagnostic(
                Severity.ERROR, "no-program", _EMPTY, empty.span(1, 1), "a program needs a function called main"
            ),
        )
    return (*product.stop(), *dict.fromkeys(found))


def _diagnostic(line: str, sources: Mapping[str, SourceFile]) -> Diagnostic | None:
    matched = _COMPLAINT.match(line)
    if matched is None:
        linker = _LINKER.search(line)
        return (
            Diagnostic(Severity.ERROR, "linker", linker["message"], None, _hint(linker["message"])) if linker else None
        )
    message = matched["message"]
    source = sources.get(matched["file"].removeprefix("./"))
    row, column = number(matched["line"]), number(matched["column"])  # a #line of the student's may say anything
    span = source.span(row, column) if source and row is not None and column is not None else None
    if span is None:
        message = f"{matched['file']}:{matched['line']}: {message}"
    severity = Severity.WARNING if matched["severity"] == "warning" else Severity.ERROR
    return Diagnostic(severity, (matched["flag"] or "compiler").lstrip("-").lower(), message, span, _hint(message))


def _hint(message: str) -> str:
    return next((hint for pattern, hint in HINTS if pattern.search(message)), "")


def recipe(language: str) -> Recipe:
    """How programs in C (``c``) and C++ (``cpp``) are made."""
    return Recipe(
        name=" ".join((*_USUAL, _PROGRAM, sha256(notes.LINKED).hexdigest()[:8])),
        version=(_COMPILERS[language], "--version"),
        make=partial(_compile, language=language),
        ours=partial(_ours, language=language),
        check=partial(_check, language=language),
        read=_read,
        command=lambda _: (f"./{_PROGRAM}",),
        environment=_ENVIRONMENT,
        notes=_PROGRAM,
    )
