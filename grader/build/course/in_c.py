"""The files of a course in C and C++, compiled without what a student hands in.

Theory of operation. An error in a file of the course that is there without any submission is the course's. Headers that the spec
names as a student's are left empty, and any other header that is missing is the course's. Beside empty headers a name that is
missing may be the student's. Only an error that names nothing counts there, and only where the compiler tells it of a submission
as well. All places are those that gcc reports for the files of the course alone. So a source cannot move an error into a file of
the course by `#line`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Final

from grader.build import gcc
from grader.build.chosen import SUFFIXES
from grader.build.course.lot import Lot, may_be_students, mistake
from grader.build.pieces import Piece
from grader.build.recipe import AFTER_ALL
from grader.build.tool import Product
from grader.sandbox import Cage
from grader.source import Diagnostic, Severity
from grader.submission import SubmittedFile
from grader.values import dataclass

# The compiler tells one missing header at a time, and is run once more for each.
_MOST_STUBS: Final = 20
_EMPTY: Final = "grader_empty"
_NO_FILE: Final = "No such file or directory"
_MISSING = re.compile(rf"(?m)^[^:\n]+:\d+:\d+: fatal error: (?P<name>[^:\n]+): {_NO_FILE}$")
_TWICE = re.compile(
    r"(?<![^/:\s])(?P<file>[^/:\s]{1,200}):(?P<line>\d{1,7}): multiple definition of [`'](?P<name>[^'`\n]{1,200})'; "
    r"[^\n]{0,400}?(?P<other>[^/:\s]{1,200}):\d{1,7}: first"
)
_REFUSED = re.compile(
    r"cannot find (?P<library>-l[^\s:]+)|unrecognized command[- ]line option [‘'](?P<option>[^’']+)[’']"
)
# The one header of Catch2 2 took gcc 20 s, and each program was told that it does not compile.
_STOPPED: Final = "the compiler takes too much for the `files` of the tests alone"
_SLOW: Final = f"{_STOPPED}: it was stopped at its limit: {{limit}}"
_QUICKER: Final = "include less, or use a framework that is installed as a library"
_LAY_IT_THERE: Final = (
    "name it in `files` of the tests or in `program.support`, or in `submission` where students hand it in"
)
_QUOTED = re.compile(r"[‘'](?P<word>[^’']+)[’']")
_MAIN = re.compile(r"\bmain\s*\(")
_NAME = re.compile(r"[A-Za-z_]\w*")
_KEYWORD: Final = re.compile(
    r"auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|int|long|register|return|short|signed"
    r"|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|class|template|public|private"
)


@dataclass(frozen=True, slots=True)
class Alone:
    """The compiler's messages about the course's files alone; ``stubbed`` if headers of students were left empty for it."""

    errors: tuple[Diagnostic, ...]
    stubbed: bool

    @property
    def mistakes(self) -> tuple[Diagnostic, ...]:
        """Those that are the course's whatever is handed in."""
        if not self.stubbed:
            return self.errors
        return tuple(one for one in self.errors if _NO_FILE in one.message or one.message.startswith(_STOPPED))

    def explains(self, joint: Iterable[Diagnostic]) -> Diagnostic | None:
        """The error of the course that stops it from building with a submission as well; None if that may be the submission's.

        ``joint`` is what the compiler says of both together, in its order.
        """
        errors = [one for one in joint if one.severity is Severity.ERROR]
        if self.mistakes or not errors:
            return next(iter(self.mistakes), None)
        own = {_key(one): one for one in self.errors if not _names_something(one.message)}
        files = {one.span.source.name for one in self.errors if one.span}
        outside = [one for one in errors if one.span is None or one.span.source.name not in files]
        return None if outside else own.get(_key(errors[0]))


def alone(lot: Lot) -> Alone:
    """The compiler's messages about a course's files. Raises JudgeError where a tool of ours fails."""
    sources = lot.ending(*SUFFIXES[lot.language])
    if not sources and not lot.flags:
        return Alone((), stubbed=False)
    recipe = gcc.recipe(lot.language)
    product = lot.seen((recipe.version(lot.workshop),), lambda: _look(lot, sources))
    if not product.said:
        return Alone((), stubbed=False)
    outputs = json.loads(product.said)
    diagnostics = recipe.read(Product({"compiled": b""}, outputs["compiler"]), lot.texts)
    placed = [one for one in diagnostics if one.severity is Severity.ERROR and one.span is not None]
    errors = [mistake(one.message, one.span, _LAY_IT_THERE if _NO_FILE in one.message else "") for one in placed]
    errors += [mistake(_SLOW.format(limit=outputs["stopped"]), hint=_QUICKER)] if outputs["stopped"] else []
    return Alone((*_refused(outputs["flags"]), *errors, *_twice(outputs["linker"], lot)), stubbed=outputs["stubbed"])


def _look(lot: Lot, sources: tuple[str, ...]) -> Product:
    with lot.workshop.cage().furnish(lot.contents) as cage:
        flags = [flag for flag in lot.flags if not flag.startswith("-l")]
        compiler, stubbed, stopped = _compiled(cage, lot, (*flags, *AFTER_ALL), sources) if sources else ("", False, "")
        objects = [f"{PurePosixPath(name).stem}.o" for name in sources]
        linker = ""
        if not compiler and len(objects) > 1:
            # Linked in part, what is missing may be the student’s; what is there twice is told.
            linker = gcc.run_gcc(cage, lot.language, "-r", "-nostdlib", *objects, "-o", f"{_EMPTY}.o").errors
        empty = f"{_EMPTY}{SUFFIXES[lot.language][0]}"
        cage.put(empty, b"int main(void)\n{\n    return 0;\n}\n")
        libraries = set(lot.flags) - set(flags)
        tried = gcc.run_gcc(cage, lot.language, *flags, *AFTER_ALL, empty, "-o", _EMPTY, *libraries)
    outputs = {
        "compiler": compiler,
        "linker": linker,
        "flags": "" if tried.succeeded else tried.errors,
        "stopped": stopped,
    }
    return Product({}, json.dumps({**outputs, "stubbed": stubbed}) if any(outputs.values()) else "")


def _compiled(cage: Cage, lot: Lot, flags: tuple[str, ...], sources: tuple[str, ...]) -> tuple[str, bool, str]:
    """The compiler's errors, whether headers of students were left empty for it, and the limit at which it was stopped.

    All are empty if the sources compile.
    """
    # A misspelt `#include "chek.h"` in a driver of the course cost every student its tests.
    stubs: set[str] = set()
    while True:
        run = gcc.run_gcc(cage, lot.language, *flags, *sources, "-c")
        # A header with such a path lies outside of what may be written here.
        missing = {name for name in _MISSING.findall(run.errors) if name[0] != "/" and ".." not in name.split("/")}
        lacking = {name for name in missing if may_be_students(lot.spec, name)} - stubs
        if run.succeeded or not lacking or len(stubs) > _MOST_STUBS:
            return "" if run.succeeded else run.errors, bool(stubs), run.stopped
        for name in lacking:
            cage.put(name, b"")
        stubs |= lacking


def _refused(errors: str) -> Iterable[Diagnostic]:
    """A library that is not installed, or an option that the compiler does not know."""
    for match in _REFUSED.finditer(errors):
        wanted = match["library"] or match["option"]
        message = f"the compiler cannot use `{wanted}`, which stands in `program.flags`"
        yield mistake(message, hint="install it on this machine, or remove it")


def _twice(errors: str, lot: Lot) -> Iterable[Diagnostic]:
    """The names that two files of the course define."""
    texts = lot.texts
    for match in _TWICE.finditer(errors):
        source = texts.get(match["file"])
        message = f"`{match['name']}` is defined here and in {match['other']}: no program can have both"
        yield mistake(message, source.span(int(match["line"]), 1) if source else None)


def _key(one: Diagnostic) -> tuple[str, int, str]:
    return (one.span.source.name, one.span.line, one.message) if one.span else ("", 0, one.message)


def _names_something(message: str) -> bool:
    """Whether an error names something that the student's files could define."""
    words = (match["word"] for match in _QUOTED.finditer(message))
    return any(_NAME.search(word) and not _KEYWORD.fullmatch(word) for word in words) or _NO_FILE in message


def two_mains(handed_in: Iterable[SubmittedFile], support: Iterable[SubmittedFile]) -> Diagnostic | None:
    """The `main` of a file of the course, where a program has one of its own."""
    ours = next((piece for piece in map(Piece.of, support) if piece.defines_main), None)
    own = next((file.path for file in handed_in if Piece.of(file).defines_main), None)
    if ours is None or own is None:
        return None
    line = next((number for number, text in enumerate(ours.source.lines, start=1) if _MAIN.search(text)), 1)
    message = f"`main` is defined here and in {own}: no program can have both"
    return mistake(message, ours.source.span(line, 1))
