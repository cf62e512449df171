"""Compiled and interpreted programs: from the files of a submission to a program in a cage.

The compiler has a cage of its own. Another serves all cases of the submission, each in an emptied folder.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Final

from grader.build import course, gcc, notes, python, python_tests, sanitizer
from grader.build.built import Built, course_fault
from grader.build.chosen import choose, without_copies
from grader.build.java_program import build_java
from grader.build.product import Product
from grader.build.recipe import Recipe
from grader.build.suites import run_compiled
from grader.build.task import Task
from grader.build.tool import TOOL_LIMITS
from grader.build.workshop import Workshop
from grader.errors import JudgeError
from grader.results import Verdict
from grader.sandbox import Cage, Command, room_for
from grader.sessions import jdk
from grader.sessions.native import NativeProgram, cage_limits
from grader.sessions.noted import Note
from grader.source import SourceFile
from grader.spec.kinds.tests import UnitTests
from grader.spec.model import Spec
from grader.submission import Submission, SubmittedFile


def build_native(
    spec: Spec,
    support: tuple[SubmittedFile, ...],
    submission: Submission,
    workshop: Workshop,
    tests: Mapping[str, SubmittedFile] = MappingProxyType({}),
) -> Built:
    """Find the sources that the spec asks for and build them. Raises JudgeError when a tool of ours fails."""
    chosen = choose(spec.program, without_copies(submission, (*support, *tests.values())))
    if chosen.verdict is not Verdict.ACCEPTED:
        return Built(chosen.verdict, chosen.language, chosen.findings, review=chosen.review)
    sources = tuple(SourceFile.from_bytes(file.path, file.data) for file in chosen.files)
    given, replaced = _not_handed_in(support, sources)
    chosen = replace(chosen, review=(*chosen.review, *replaced))
    task = Task(spec, given, submission, chosen, sources, workshop, tests)
    huge = task.too_large()
    if huge:
        return task.built(huge)
    try:
        return build_java(task) if chosen.language == "java" else _follow(RECIPES[chosen.language], task)
    except course.MistakeError as mistake:
        findings = (course_fault(mistake.diagnostic), *chosen.findings)
        return replace(task.built(()), verdict=Verdict.JUDGE_ERROR, findings=findings)


def needed_by(languages: Collection[str], tests: Iterable[UnitTests] = ()) -> tuple[Path, ...]:
    """What programs in these languages, and tests of them, must be able to read besides the system's programs and libraries."""
    wanted = [path for language in languages if language in RECIPES for path in RECIPES[language].readable]
    if "java" in languages:
        with suppress(JudgeError):  # there is no JDK, as whoever compiles will say
            wanted += jdk.readable()
    with suppress(JudgeError):  # there is no pytest, as whoever runs it will say
        wanted += [path for one in tests for path in python_tests.readable(one.run)]
    return tuple(dict.fromkeys(wanted))


def _not_handed_in(
    support: tuple[SubmittedFile, ...], sources: tuple[SourceFile, ...]
) -> tuple[tuple[SubmittedFile, ...], tuple[str, ...]]:
    """What the course hands out, but for files that were handed in along, as students do; and what staff are told of these.

    Both cannot be compiled together, and what was handed in is what the student has worked with.
    """
    own = {PurePosixPath(source.name).name for source in sources}
    replaced = tuple(
        f"{file.path} was handed in, and is used in place of the course's" for file in support if file.path in own
    )
    return tuple(file for file in support if file.path not in own), replaced


def _follow(recipe: Recipe, task: Task) -> Built:
    version = task.workshop.version(recipe.version, recipe.readable)

    starts = task.spec.starts_program
    given = {file.path: SourceFile.from_bytes(file.path, file.data) for file in task.support}
    texts = {**given, **{source.name: source for source in task.sources}}

    def make() -> Product:
        made = attempt()
        if not made.files:
            lot = course.Lot(task.spec, task.chosen.language, task.support, None, task.workshop)
            course.refuse(lot, recipe.read(made, texts), task.chosen.files)
        return made

    def attempt() -> Product:
        if starts:
            return recipe.program(task.workshop, task.files, task.names, task.flags)
        with task.workshop.cage(recipe.readable) as cage:
            return recipe.check(cage, task.files, task.names, task.flags)

    def another() -> Cage:
        return task.workshop.cage(recipe.readable, room_for(files) + 2 * task.spec.limits.storage)

    product = task.workshop.product(task.ingredients(recipe.name, version, *([] if starts else ["check"])), make)
    tools = " ".join((version, *task.flags))
    built = task.built(recipe.read(product, texts), tools, product.notes)
    checked = task.spec.program.sanitize
    explain = sanitizer.explains(task.sources, recipe.explain) if checked else recipe.explain
    built = replace(built, tests=partial(run_compiled, recipe, explain, task))
    if not product.files or not starts:
        return built
    command = Command(
        argv=recipe.command(task.spec.program.main or task.names[0]),
        limits=cage_limits(task.spec.limits, sanitized=checked),
        environment={**recipe.environment, **(sanitizer.ENVIRONMENT if checked else {})},
        terminal=task.spec.program.terminal,
    )
    files = {**{name: content.data for name, content in task.spec.program.files.items()}, **product.files}
    program = NativeProgram(another, lambda _: command, files, task.spec.limits, explain)
    noting = (
        partial(_notes, program, product.files[recipe.notes], task.workshop) if recipe.notes and not checked else None
    )
    return replace(built, programs={tools: program}, usual=tools, notes=noting, close=program.close)


_SAMPLED: Final = 0.6
"""Seconds that a program computes which is sampled: it is known to go on for ever."""


def _notes(
    program: NativeProgram, binary: bytes, workshop: Workshop, inputs: Sequence[str], samples: bool
) -> tuple[Note, ...]:
    """What the program notes of itself in one more run."""
    wanted = {notes.WANTED: notes.SAMPLES if samples else notes.BROKEN}
    told = program.notes(inputs, wanted, _SAMPLED if samples else TOOL_LIMITS.cpu)
    if not told:
        return ()
    with workshop.cage() as cage:
        return notes.read(told, binary, cage)


RECIPES = {"c": gcc.recipe("c"), "cpp": gcc.recipe("cpp"), "python": python.RECIPE}
