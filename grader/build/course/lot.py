"""Files that a course builds together: its support, and those of one run of tests; and which of them may be a student's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from grader.build.tool import Product
from grader.build.workshop import Workshop
from grader.source import Diagnostic, Severity, SourceFile, Span
from grader.spec.kinds.tests import UnitTests
from grader.spec.languages import Language
from grader.spec.loader import Assignment
from grader.spec.model import Spec
from grader.submission import SubmittedFile
from grader.values import dataclass

MISTAKE = "course"
"""The code of a mistake in a file of the course."""


def mistake(message: str, span: Span | None = None, hint: str = "") -> Diagnostic:
    """A mistake in a file of the course. Hints of compilers are for students, and not for it."""
    return Diagnostic(Severity.ERROR, MISTAKE, message, span, hint)


@dataclass(frozen=True, slots=True)
class Lot:
    """Files of a course that are built together, without anything that a student hands in.

    ``tests`` is the run that they belong to, None for `support` alone.
    """

    spec: Spec
    language: Language
    files: tuple[SubmittedFile, ...]
    tests: UnitTests | None
    workshop: Workshop

    @property
    def flags(self) -> tuple[str, ...]:
        """The options that the spec gives to the compiler."""
        return self.spec.program.flags.get(self.language, ())

    @property
    def texts(self) -> Mapping[str, SourceFile]:
        """The files as texts, by their names."""
        return {file.path: SourceFile.from_bytes(file.path, file.data) for file in self.files}

    @property
    def contents(self) -> Mapping[str, bytes]:
        """All that lies in the folder of a run, by name."""
        ours = {name: content.data for name, content in self.spec.program.files.items()}
        return {**ours, **{file.path: file.data for file in self.files}}

    def ending(self, *suffixes: str) -> tuple[str, ...]:
        """The names of the files that end so."""
        return tuple(file.path for file in self.files if file.path.casefold().endswith(suffixes))

    def ingredients(self, *words: str) -> list[str | bytes]:
        """All that a look at these files depends on."""
        contents = (part for file in sorted(self.contents.items()) for part in file)
        return ["course", *words, self.language, *self.flags, "--", *student_names(self.spec), *contents]

    def seen(self, words: tuple[str, ...], look: Callable[[], Product]) -> Product:
        """The result of a look at these files. It is kept if there was no message: a library may be installed the next time."""
        return self.workshop.product(self.ingredients(*words), look, lambda product: not product.said)


def lots_of(assignment: Assignment, workshop: Workshop) -> Iterator[Lot]:
    """Everything that the course of an assignment builds, each run of its tests once."""
    spec = assignment.spec
    for language in spec.program.language:
        runs = {case.tests.same_run: case.tests for case in spec.cases if case.tests}
        for tests in runs.values() or (None,):
            given = tuple(assignment.tests[name] for name in tests.files) if tests else ()
            names = {file.path for file in given}
            kept = tuple(file for file in assignment.support if file.path not in names)
            yield Lot(spec, language, (*kept, *given), tests, workshop)


def student_names(spec: Spec) -> tuple[str, ...]:
    """The names and patterns of files that a student hands in, as the spec tells them."""
    named = (*spec.program.sources, *spec.submission.required, *spec.submission.optional)
    return tuple(dict.fromkeys(PurePosixPath(name).name for name in named))


def may_be_students(spec: Spec, name: str) -> bool:
    """Whether the spec names this file among those that students hand in, or has a pattern for it."""
    wanted = PurePosixPath(name).name.casefold()
    return any(fnmatchcase(wanted, known.casefold()) for known in student_names(spec))


def placed(diagnostic: Diagnostic, assignment: Assignment) -> Diagnostic:
    """A diagnostic of a file in the folder of a run, with the place of that file beside the spec."""
    if diagnostic.span is None:
        return diagnostic
    named = (*assignment.tests, *assignment.spec.program.support)
    name = next((one for one in named if PurePosixPath(one).name == diagnostic.span.source.name), None)
    if name is None:
        return diagnostic
    source = SourceFile(str(assignment.path.parent / name), diagnostic.span.source.text)
    return replace(diagnostic, span=replace(diagnostic.span, source=source))
