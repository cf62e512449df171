"""C and C++ programs: compiled by gcc in the cage, with a terminal's habit of showing a prompt before a read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from hashlib import sha256
from pathlib import PurePosixPath

from grader.bounded import number
from grader.build import notes
from grader.build.recipe import Recipe, Task
from grader.build.tool import TOOL_LIMITS, Product, ToolRun, run_tool
from grader.build.workshop import Workshop
from grader.errors import JudgeError
from grader.sandbox import Cage, Command
from grader.source import Diagnostic, Severity, SourceFile
from grader.spec.kinds.tests import UnitTests

Names = tuple[str, ...]

# Of our own names: a student’s file or folder called `program` was in the linker’s way.
_PROGRAM = "grader_program"
_OURS = "grader_terminal.c"
_OURS_COMPILED = "grader_terminal.o"
_CHECKED = "grader_checked"
_COMPILERS = {"c": "gcc", "cpp": "g++"}
# A column is a character of the line only where a tab counts as one.
_USUAL = ("-O1", "-g", "-Wall", "-fdiagnostics-plain-output", "-ftabstop=1")
_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}

_COMPLAINT = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+): (?P<severity>fatal error|error|warning): (?P<message>.*?)"
    r"(?: \[(?P<flag>-W[^\]]+)\])?$"
)
_LINKER = re.compile(r"undefined reference to .*|multiple definition of [`'][^'`]*'")
_SHOWN_TEXT = 2000
_EMPTY = "there is no program in this file"
_NEEDS_MAIN = "a program needs a function called main"

HINTS: tuple[tuple[str, str], ...] = (
    (r"expected ['‘]?;", "put a semicolon at the end of the statement before"),
    (r"undeclared|was not declared", "declare it before it is used; spelling and case count"),
    (r"implicit declaration", "include the header that declares it, or write its prototype above"),
    (r"end of input", "a closing brace is missing somewhere above"),
    (r"reference to [`']main'", _NEEDS_MAIN),
    (r"undefined reference", "it is called but never defined; check the spelling of its name"),
    (r"multiple definition", "define it once; other files only declare it"),
    (r"No such file or directory", "hand in the header as well, or include a standard header"),
    (r"too (?:few|many) arguments", "call it with as many arguments as it is defined with"),
    (r"conflicting types", "prototype and definition must have the same types"),
)
"""Advice on complaints that beginners meet, first match first."""


def _make(task: Task, tests: UnitTests | None, language: str) -> Product:
    """The program; sources that no program is made of are compiled and not linked. Code that is linked into all programs is made once for these flags."""
    if tests is None and not task.spec.starts_program:
        with task.workshop.cage().furnish(task.files) as cage:
            run = run_gcc(cage, language, *task.flags, *plain(cage, task.names), "-c")
            return _product(run, {_CHECKED: b"1"} if run.succeeded else {})
    flags = _fitting(task.flags)
    words = ("ours", recipe(language).name, _version(task.workshop, language), *flags)
    # Half of the time that a short program took to compile went into our own lines.
    ours = task.workshop.product(words, partial(our_part, task.workshop, language, flags))
    with task.workshop.cage().furnish({**task.files, **ours.files}) as cage:
        return linked(cage, language, task.flags, task.names)


def our_part(workshop: Workshop, language: str, flags: Names) -> Product:
    """The code that is linked into every program, compiled. Raises JudgeError where the compiler refuses it.

    It needs only the flags that make code fit to the program's, such as ``-m32`` and ``-fsanitize=address``. Other flags of a course, such
    as a standard of C++ and no warnings, are for students.
    """
    with workshop.cage().furnish({_OURS: notes.LINKED}) as cage:
        run = run_gcc(cage, language, *_fitting(flags), "-x", "c", "-c", _OURS, "-o", _OURS_COMPILED)
        compiled = cage.take(_OURS_COMPILED, TOOL_LIMITS.file_size) if run.succeeded else None
    if not compiled:
        why = run.stopped or run.errors.strip()[:_SHOWN_TEXT]
        raise JudgeError(
            f"the compiler refuses what is linked into every program: {why}",
            hint="the machine may be busy: grade again" if run.stopped else "look at `flags` in the spec",
        )
    return Product({_OURS_COMPILED: compiled})


def _fitting(flags: Names) -> Names:
    """The flags that our part is compiled with: with ``-Werror`` or a standard of C++, which a course asks of students, it would not compile."""
    return tuple(flag for flag in flags if flag.startswith(("-m", "-f")))


def run_gcc(cage: Cage, language: str, *words: str) -> ToolRun:
    """The compiler with our usual flags, then these words."""
    argv = (_COMPILERS[language], *_USUAL, *words)
    return run_tool(cage, Command(argv=argv, limits=TOOL_LIMITS, environment=_ENVIRONMENT), wrapped=True)


def linked(cage: Cage, language: str, flags: Names, names: Names) -> Product:
    """The program of sources that lie in a cage beside our part."""
    libraries = [flag for flag in flags if flag.startswith("-l")]  # a linker looks for what was missing before them
    others = [flag for flag in flags if flag not in libraries]
    words = (*others, *plain(cage, names), _OURS_COMPILED, "-o", _PROGRAM, *libraries, "-lm")
    run = run_gcc(cage, language, *words)
    program = cage.take(_PROGRAM, TOOL_LIMITS.file_size) if run.succeeded else None
    return _product(run, {_PROGRAM: program} if program else {})


def _product(run: ToolRun, files: Mapping[str, bytes]) -> Product:
    """The result of a run; a compiler that was stopped may have been in the middle of a flood of messages."""
    return Product(files, run.errors[:_SHOWN_TEXT] if run.stopped else run.errors, run.stopped)


def plain(cage: Cage, names: Names) -> Iterator[str]:
    """The sources of a cage by names that no part of gcc takes for an option or a list of them: another file includes such a one."""
    for at, name in enumerate(names):
        path = PurePosixPath(name)
        # A source called `-specs=evil.c` was read as an option, and cc1 reads lists of options from names such as
        # `@a.c`.
        if name.startswith("-") or path.name.startswith("@"):
            including = f"grader_source_{at}{path.suffix}"
            cage.put(including, f'#include "{name}"\n'.encode("utf-8", "surrogateescape"))
            yield including
        else:
            yield name


def _read(product: Product, texts: Mapping[str, SourceFile]) -> tuple[Diagnostic, ...]:
    """The messages with their places in the sources, by the paths under which they were compiled."""
    complaints = [d for line in product.said.splitlines() if (d := _diagnostic(line, texts)) is not None]
    failed = not product.files and not product.stopped
    # An empty main.c was told of an undefined reference to main.
    if failed and not any(source.text.strip() for source in texts.values()):
        # The linker would miss a `main` in words of its own.
        span = next((source.span(1, 1) for source in texts.values()), None)
        if span is not None:
            return (Diagnostic(Severity.ERROR, "no-program", _EMPTY, span, _NEEDS_MAIN),)
    if failed and not any(d.severity is Severity.ERROR for d in complaints):
        text = product.said.strip()[:_SHOWN_TEXT] or "it said nothing"
        complaints.insert(0, Diagnostic(Severity.ERROR, "compiler", f"the compiler failed: {text}", None, ""))
    return (*product.stop(), *dict.fromkeys(complaints))


def _diagnostic(line: str, texts: Mapping[str, SourceFile]) -> Diagnostic | None:
    matched = _COMPLAINT.match(line)
    if matched is None:
        missed = _LINKER.search(line)
        return Diagnostic(Severity.ERROR, "linker", missed[0], None, _hint(missed[0])) if missed else None
    message = matched["message"]
    source = texts.get(matched["file"].removeprefix("./"))
    row, column = number(matched["line"]), number(matched["column"])  # a #line of the student's may say anything
    span = source.span(row, column) if source and row is not None and column is not None else None
    if span is None:
        message = f"{matched['file']}:{matched['line']}: {message}"
    severity = Severity.WARNING if matched["severity"] == "warning" else Severity.ERROR
    return Diagnostic(severity, (matched["flag"] or "compiler").lstrip("-").lower(), message, span, _hint(message))


def _hint(message: str) -> str:
    return next((hint for pattern, hint in HINTS if re.search(pattern, message)), "")


def _version(workshop: Workshop, language: str) -> str:
    return workshop.version((_COMPILERS[language], "--version"))


def recipe(language: str) -> Recipe:
    """How programs in C (``c``) and C++ (``cpp``) are made."""
    return Recipe(
        name=" ".join((*_USUAL, _PROGRAM, sha256(notes.LINKED).hexdigest()[:8])),
        version=partial(_version, language=language),
        make=partial(_make, language=language),
        read=_read,
        environment=_ENVIRONMENT,
        command=lambda _: (f"./{_PROGRAM}",),
        notes=_PROGRAM,
    )
