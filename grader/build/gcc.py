"""C and C++ programs: compiled by gcc in the cage, with a terminal's habit of showing a prompt before a read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from pathlib import PurePosixPath

from grader.bounded import number
from grader.build import notes
from grader.build.recipe import Files, Names, Recipe
from grader.build.workshop import TOOL_LIMITS, Product
from grader.errors import JudgeError
from grader.sandbox import Cage, Command, Completed, complete
from grader.source import Diagnostic, Severity, SourceFile

_PROGRAM = "grader_program"
_OURS = "grader_terminal.c"
_OURS_COMPILED = "grader_terminal.o"
_CHECKED = "grader_checked"
_COMPILERS = {"c": "gcc", "cpp": "g++"}
_USUAL = ("-O1", "-g", "-Wall", "-fdiagnostics-plain-output", "-ftabstop=1")
_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}

_COMPLAINT = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+): (?P<severity>fatal error|error|warning): (?P<message>.*?)"
    r"(?: \[(?P<flag>-W[^\]]+)\])?$"
)
_LINKER = re.compile(r"(?P<message>undefined reference to .*|multiple definition of [`'][^'`]*')")
_SHOWN_TEXT = 2000

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
    argv = (_COMPILERS[language], *_USUAL, *_for_code(flags), "-x", "c", "-c", _OURS, "-o", _OURS_COMPILED)
    done = complete(cage, Command(argv=argv, limits=TOOL_LIMITS, environment=_ENVIRONMENT))
    compiled = cage.take(_OURS_COMPILED, TOOL_LIMITS.file_size) if done.status.exit_code == 0 else None
    if compiled is None:
        raise JudgeError(
            f"the compiler refuses what is linked into every program: {_said(done).strip()[:_SHOWN_TEXT]}",
            hint="look at `flags` in the spec",
        )
    return Product({_OURS_COMPILED: compiled})


def _for_code(flags: Names) -> Names:
    """The flags by which code differs that is to be linked: ``-m32``, ``-fsanitize=address``."""
    return tuple(flag for flag in flags if flag.startswith(("-m", "-f")))


def _compile(cage: Cage, files: Files, sources: Names, flags: Names, language: str) -> Product:
    for name, data in files.items():
        cage.put(name, data)
    plain = (_plain(cage, number, name) for number, name in enumerate(sources))
    libraries = [flag for flag in flags if flag.startswith("-l")]  # a linker looks for what was missing before them
    told = [flag for flag in flags if flag not in libraries]
    argv = (_COMPILERS[language], *_USUAL, *told, *plain, _OURS_COMPILED, "-o", _PROGRAM, *libraries, "-lm")
    done = complete(cage, Command(argv=argv, limits=TOOL_LIMITS, environment=_ENVIRONMENT))
    program = cage.take(_PROGRAM, TOOL_LIMITS.file_size) if done.status.exit_code == 0 else None
    return Product({_PROGRAM: program} if program else {}, _said(done))


def _check(cage: Cage, files: Files, sources: Names, flags: Names, language: str) -> Product:
    """The sources compiled and not linked, where nothing starts them by themselves: there is no program then."""
    for name, data in files.items():
        cage.put(name, data)
    plain = (_plain(cage, number, name) for number, name in enumerate(sources))
    argv = (_COMPILERS[language], *_USUAL, *flags, *plain, "-c")
    done = complete(cage, Command(argv=argv, limits=TOOL_LIMITS, environment=_ENVIRONMENT))
    return Product({_CHECKED: b"1"} if done.status.exit_code == 0 else {}, _said(done))


def _plain(cage: Cage, number: int, name: str) -> str:
    """The source by a name that no part of gcc takes for an option or a list of them: another file includes it."""
    path = PurePosixPath(name)
    if not name.startswith("-") and not path.name.startswith("@"):
        return name
    including = f"grader_source_{number}{path.suffix}"
    cage.put(including, f'#include "{name}"\n'.encode("utf-8", "surrogateescape"))
    return including


def _said(done: Completed) -> str:
    """The compiler's messages; where it was stopped, a line that says by which limit."""
    said = done.errors.decode("utf-8", "replace")
    if done.status.limit:
        return f"{said[:_SHOWN_TEXT]}\n{STOPPED} {done.status.limit}"
    return said


STOPPED = "the compiler was stopped at its limit:"


def _read(product: Product, sources: Mapping[str, SourceFile]) -> tuple[Diagnostic, ...]:
    """The messages with their places in the sources, by the paths under which they were compiled."""
    found = [d for line in product.said.splitlines() if (d := _diagnostic(line, sources)) is not None]
    if not product.files and not any(d.severity is Severity.ERROR for d in found):
        found.insert(0, _whole(product.said))
    return tuple(dict.fromkeys(found))


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


def _whole(said: str) -> Diagnostic:
    """The complaint of a compiler that said nothing with a place: it was stopped, or it broke."""
    stopped = next((line for line in said.splitlines() if line.startswith(STOPPED)), "")
    message = stopped or f"the compiler failed: {said.strip()[:_SHOWN_TEXT] or 'it said nothing'}"
    hint = "it includes or expands without end, or holds something huge" if stopped else ""
    return Diagnostic(Severity.ERROR, "compiler", message, None, hint)


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
