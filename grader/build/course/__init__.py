"""The course's own files, looked at before anything that is handed in: a mistake in them would cost every student.

Whose fault it is where something does not build or begin is told by the file. What fails in a file of the course without any
submission is the course's, and commands refuse the spec. What only a submission shows, in a file of the course, and names
nothing that a student should define, leaves points open. Everything else is the student's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from grader.build.course import in_c, in_python
from grader.build.course.lot import MISTAKE, Lot, lots_of, mistake, placed
from grader.build.java import RECIPE, tools
from grader.build.recipe import Recipe, Task
from grader.build.tool import Product
from grader.build.workshop import Workshop
from grader.machines.families import family
from grader.source import Diagnostic, Severity, SourceFile
from grader.spec.kinds.tests import UnitTests
from grader.spec.loader import Assignment
from grader.submission import SubmittedFile

__all__ = ["MISTAKE", "Lot", "MistakeError", "course_mistakes", "product_of"]


def course_mistakes(assignment: Assignment, workshop: Workshop | None) -> tuple[Diagnostic, ...]:
    """Every mistake in the course's files that would show with each submission, with its place.

    Only simulated programs need no workshop. Raises JudgeError where a tool of ours fails.
    """
    if workshop is None:
        return tuple(placed(one, assignment) for one in _in_assembly(assignment))
    errors = (placed(one, assignment) for lot in lots_of(assignment, workshop) for one in mistakes(lot))
    return tuple(dict.fromkeys(_in_spec(one, assignment) for one in errors))


def mistakes(lot: Lot) -> tuple[Diagnostic, ...]:
    """Those in one lot. Raises JudgeError where a tool of ours fails."""
    if lot.language in ("c", "cpp"):
        return in_c.alone(lot).mistakes
    return _in_java(lot) if lot.language == "java" else in_python.mistakes(lot)


class MistakeError(Exception):
    """A file of the course is wrong, so that a submission does not build with it; ``diagnostic`` says what is."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.one_line())
        self.diagnostic = diagnostic


def product_of(recipe: Recipe, task: Task, tests: UnitTests | None = None) -> Product:
    """The product of a task, along with the course's ``tests`` if there are any; kept by all that it depends on.

    Raises MistakeError where it does not build by a mistake of the course: nothing of that is kept. Raises JudgeError where a tool of
    ours fails.
    """

    def make() -> Product:
        product = recipe.make(task, tests)
        if not product.files:
            lot = Lot(task.spec, task.chosen.language, task.support, tests, task.workshop)
            fault = _fault(lot, recipe.read(product, task.texts), task.chosen.files)
            if fault is not None:
                raise MistakeError(fault)
        return product

    purpose = "tests" if tests else "" if task.spec.starts_program else "check"
    return task.workshop.product(task.ingredients(recipe.name, recipe.version(task.workshop), purpose), make)


def _fault(lot: Lot, joint: Sequence[Diagnostic], handed_in: Sequence[SubmittedFile]) -> Diagnostic | None:
    """The mistake of the course in what does not build; ``joint`` is what the compiler says of both together, in its order."""
    if lot.language not in ("c", "cpp"):
        return next(iter(mistakes(lot)), None)
    twice = any(one.code == "linker" and one.message.endswith(" of `main'") for one in joint)
    explanation = in_c.alone(lot).explains(joint)
    return explanation or (in_c.two_mains(handed_in, lot.files) if twice else None)


def _in_spec(one: Diagnostic, assignment: Assignment) -> Diagnostic:
    """A mistake without a place where the spec names what it is about, in backquotes."""
    if one.span is not None:
        return one
    source = SourceFile.from_bytes(str(assignment.path), assignment.path.read_bytes())
    _, _, behind = one.message.partition("`")
    word = behind.partition("`")[0]
    number = next((at for at, line in enumerate(source.lines, start=1) if word in line), 1)
    column = source.lines[number - 1].find(word) + 1
    return replace(one, span=source.span(number, max(1, column), column + len(word) if column > 0 else None))


# ------------------------------------------------------------------------------------------------------------------ Java

_SYNTAX: Final = re.compile(
    r"expected\d*|illegal-.*|not-stmt|premature-eof|unclosed-.*|orphaned|else-without-if|(?:catch|finally)-without-try|malformed-.*|invalid-.*"
)
_OTHERS: Final = re.compile(r"package (?:org|com|net|io|java|javax|junit)\b")
_MISSING: Final = ("cant-resolve", "cant-ref", "doesnt-exist")


def _in_java(lot: Lot) -> tuple[Diagnostic, ...]:
    """Mistakes in the course's classes, whatever is handed in. Raises JudgeError where a tool of ours fails.

    A compiler that misses classes tells what is missing as an error like any other. So only some errors count: those of syntax, behind
    which javac looks for nothing; a package of others, such as `org.junit`; and all of them where nothing is missing.
    """
    texts = lot.texts
    sources = tuple(texts[name] for name in lot.ending(".java"))
    if not sources:
        return ()
    jars = {name: lot.contents[name] for name in lot.ending(".jar")}
    words = lot.ingredients(RECIPE.name, tools())
    product = lot.workshop.product(words, lambda: lot.workshop.java.make((), sources, lot.flags, jars))
    errors = [one for one in RECIPE.read(product, texts) if one.severity is Severity.ERROR]
    missing = any(one.code.startswith(_MISSING) for one in errors)
    others = [one for one in errors if one.code == "doesnt-exist" and _OTHERS.match(one.message)]
    certain = [one for one in errors if not missing or _SYNTAX.fullmatch(one.code) or one in others]
    # Behind the first error on a line javac tells of others that come of it.
    first = {(one.span.source.name, one.span.line) if one.span else ("", 0): one for one in reversed(certain)}
    return tuple(mistake(one.message, one.span) for one in certain if one in first.values())


# -------------------------------------------------------------------------------------------------------------- assembly

_OF_STUDENTS: Final = frozenset(["undefined-label", "bad-number", "before-orig", "include"])
"""Complaints about what may stand in the file of a student: a label, what is before, or a file itself."""


def _in_assembly(assignment: Assignment) -> tuple[Diagnostic, ...]:
    """Mistakes in the support of a simulated program, under each of its profiles, whatever is handed in."""
    program = assignment.spec.program
    language = family(program.simulated or "")
    texts = [SourceFile.from_bytes(file.path, file.data) for file in assignment.support]
    if not texts:
        return ()
    dialects = {program.dialect or language.dialect_of(profile) for profile in program.profiles}
    first, *more = texts
    by_dialect = [
        [one for one in language.assemble(first, dialect, {}, more, "").errors if one.code not in _OF_STUDENTS]
        for dialect in sorted(dialects)
    ]
    fewest = min(by_dialect, key=len)
    return tuple(mistake(one.message, one.span) for one in fewest)
