"""Compiled and interpreted programs: from the files of a submission to a program in a cage.

The compiler has a cage of its own. Another serves all cases of the submission, each in an emptied folder. Java programs are
played in a shared JVM first, and in fresh ones where that matters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Final

from grader.build import course, gcc, java, notes, python, python_tests, sanitizer
from grader.build.built import Built, course_fault
from grader.build.chosen import choose, without_copies
from grader.build.java_traces import reach, trace
from grader.build.recipe import Recipe, Task
from grader.build.suites import run_tests
from grader.build.tool import TOOL_LIMITS, Product
from grader.build.workshop import Workshop
from grader.errors import JudgeError
from grader.results import Verdict, Visibility
from grader.sandbox import Command, room_for
from grader.sessions.jvm import FRESH, SHARED, SHARED_HIDDEN, JvmProgram, students
from grader.sessions.native import NativeProgram, cage_limits
from grader.sessions.noted import Note
from grader.source import Diagnostic, Severity, SourceFile
from grader.spec.kinds.tests import UnitTests
from grader.spec.model import Spec
from grader.submission import Submission, SubmittedFile

RECIPES = {"c": gcc.recipe("c"), "cpp": gcc.recipe("cpp"), "java": java.RECIPE, "python": python.RECIPE}

_SAMPLED: Final = 0.6
"""Seconds that a program computes which is sampled: it is known to go on for ever."""

_TRIED = {Visibility.VISIBLE: SHARED, Visibility.HIDDEN: SHARED_HIDDEN, Visibility.STAFF: SHARED_HIDDEN}
"""No JVM in which a hidden case was run prints anything that a student is shown."""

_NO_MAIN = "no class can be started: none has a method main"
_WRITE_MAIN = "write public static void main(String[] args) into one of them"


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
    # A file of the course's that was handed in along, as students do, cannot be compiled twice: theirs is what they worked with.
    own = {PurePosixPath(source.name).name for source in sources}
    given = tuple(file for file in support if file.path not in own)
    review = (f"{f.path} was handed in, and is used in place of the course's" for f in support if f.path in own)
    chosen = replace(chosen, review=(*chosen.review, *review))
    task = Task(spec, given, submission, chosen, sources, workshop, tests)
    huge = tuple(task.too_large())
    if huge:
        return task.built(huge)
    recipe = RECIPES[chosen.language]
    try:
        product = course.product_of(recipe, task)
    except course.MistakeError as mistake:
        findings = (course_fault(mistake.diagnostic), *chosen.findings)
        return replace(task.built(()), verdict=Verdict.JUDGE_ERROR, findings=findings)
    if chosen.language == "java":
        return _java_program(task, product)
    tools = " ".join((recipe.version(workshop), *task.flags))
    built = task.built(recipe.read(product, task.texts), tools, product.notes)
    built = replace(built, tests=partial(run_tests, recipe, task))
    return _caged_program(recipe, task, product, built) if product.files and spec.starts_program else built


def needed_by(languages: Collection[str], tests: Iterable[UnitTests] = ()) -> tuple[Path, ...]:
    """Paths that programs in these languages, and tests of them, must be able to read besides the system's programs and libraries."""
    places = [RECIPES[language].readable for language in languages if language in RECIPES]
    places += [partial(python_tests.readable, one.run) for one in tests]
    wanted: list[Path] = []
    for place in places:
        with suppress(JudgeError):  # there is no JDK, or no pytest, as whoever needs it will say
            wanted += place()
    return tuple(dict.fromkeys(wanted))


def _caged_program(recipe: Recipe, task: Task, product: Product, built: Built) -> Built:
    """The result of building, with the program that can be started."""
    program, limits, checked = task.spec.program, task.spec.limits, task.spec.program.sanitize
    files = {**{name: content.data for name, content in program.files.items()}, **product.files}
    argv, environment = recipe.command(program.main or task.names[0]), dict(recipe.environment)
    environment |= sanitizer.ENVIRONMENT if checked else {}
    command = Command(argv, cage_limits(limits, sanitized=checked), environment, terminal=program.terminal)
    # Room for what a run writes beside what lies there: a program that fills its folder must meet its own limit, not
    # that of the cage.
    cage = partial(task.workshop.cage, recipe.readable(), room_for(files) + 2 * limits.storage)
    made = NativeProgram(cage, lambda _: command, files, limits, recipe.explains(task))
    takes = partial(_notes, made, product.files[recipe.notes], task.workshop) if recipe.notes and not checked else None
    return replace(built, programs={built.tools: made}, usual=built.tools, notes=takes, close=made.close)


def _java_program(task: Task, product: Product) -> Built:
    """The result of compiling, with the program if there is a class to start."""
    compiled = java.read(product, task.texts)
    if not compiled.classes:
        return task.built(compiled.diagnostics, compiled.version, product.notes)
    tests = partial(run_tests, java.RECIPE, task)
    course = {PurePosixPath(file.path).stem for file in task.support}
    own = {path: data for path, data in students(compiled.classes).items() if _outer(path) not in course}
    if not task.spec.starts_program:
        return replace(task.built(compiled.diagnostics, compiled.version), tests=tests, reaches=reach(own))
    if not compiled.mains:
        no_main = Diagnostic(Severity.ERROR, "no-main", _NO_MAIN, None, _WRITE_MAIN)
        return task.built((*compiled.diagnostics, no_main), compiled.version)
    wanted = task.spec.program.main
    main = next((name for name in compiled.mains if name.rpartition(".")[2] == wanted), compiled.mains[0])
    others = [name for name in compiled.mains if name != main]
    review = (f"{main} was started; {', '.join(others)} can also be started",) if others else ()
    files, limits, terminal = task.files, task.spec.limits, task.spec.program.terminal
    alone = terminal or trace(students(compiled.classes))
    size = room_for(compiled.classes) + room_for(files) + 2 * limits.storage
    cage = partial(task.workshop.cage, java.RECIPE.readable(), size)
    program = JvmProgram(cage, compiled.classes, main, limits, sources=task.sources, files=files, terminal=terminal)
    return replace(
        task.built(compiled.diagnostics, compiled.version, review),
        programs=dict.fromkeys((FRESH,) if alone else (SHARED, SHARED_HIDDEN, FRESH), program),
        usual=compiled.version,
        decides=FRESH,
        tried={} if alone else _TRIED,
        tests=tests,
        reaches=reach(own),
        close=program.close,
    )


def _outer(path: str) -> str:
    """The name of the class in whose file this one is written, where that is called after it."""
    return PurePosixPath(path).stem.partition("$")[0]


def _notes(
    program: NativeProgram, binary: bytes, workshop: Workshop, inputs: Sequence[str], samples: bool
) -> tuple[Note, ...]:
    """The notes of the program on itself in one more run."""
    wanted = {notes.WANTED: notes.SAMPLES if samples else notes.BROKEN}
    raw = program.notes(inputs, wanted, _SAMPLED if samples else TOOL_LIMITS.cpu)
    if not raw:
        return ()
    with workshop.cage() as cage:
        return notes.read(raw, binary, cage)
