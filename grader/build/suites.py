"""A course's unit tests: built along with what was handed in, and run in a cage of their own, each run in a new one.

The file of results has a name that is drawn at random for each run. What was handed in and would steer who runs the tests, a
`conftest.py` or a file that has the name of one of the course's, is left out.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from grader.build import course, python_tests, sanitizer
from grader.build.built import SuiteRun, course_fault
from grader.build.chosen import HEADERS, SUFFIXES
from grader.build.java import read, tools
from grader.build.pieces import Piece
from grader.build.product import Product
from grader.build.recipe import Recipe
from grader.build.task import Task
from grader.errors import DisturbedError
from grader.sandbox import MORE_MEMORY, Cage, Command, Completed, Limits, complete, memory_kills, room_for
from grader.sessions import jdk
from grader.sessions.java_endings import Endings
from grader.sessions.jvm import class_names, java_command, jvm_limits, students
from grader.sessions.native import Explain, cage_limits, ending_of
from grader.source import SourceFile
from grader.spec.kinds.tests import CLASSES, LARGEST_REPORT, UnitTests, renamed
from grader.submission import SubmittedFile
from grader.transcript import decode
from grader.values import dataclass

_STEERING = frozenset(
    [
        "conftest.py",
        "pytest.ini",
        ".pytest.ini",
        "tox.ini",
        "setup.cfg",
        "pyproject.toml",
        "sitecustomize.py",
        "usercustomize.py",
    ]
)
"""Files by which pytest and Python are told what to do; those of a course are among its own."""

_ASIDE = "grader_without_main_{}{}"
_DRAWN = 16  # bytes of a name that nobody guesses


@dataclass(frozen=True, slots=True)
class _Suite:
    """What is run: files in the folder, the command in a cage, what that must show, its limits, and how its ends are told."""

    files: Mapping[str, bytes]
    command: Callable[[Cage, Sequence[str]], tuple[str, ...]]
    limits: Limits
    environment: Mapping[str, str]
    readable: tuple[Path, ...]
    explain: Explain | None


def run_compiled(recipe: Recipe, explain: Explain | None, task: Task, tests: UnitTests) -> SuiteRun:
    """Tests of a program in C, C++ or Python. Raises JudgeError when a tool of ours fails."""
    given = _files_of(task, tests)
    task, aside = _with_tests(task, given)
    language = task.chosen.language
    names = tuple(aside.get(name, name) for name in task.names)
    files = {**task.files, **{new: _without_main(name) for name, new in aside.items()}}

    texts = {source.name: source for source in _texts(task)}

    def make() -> Product:
        made = recipe.program(task.workshop, files, names, task.flags)
        if not made.files:
            course.refuse(_lot(task, tests), recipe.read(made, texts), task.chosen.files)
        return made

    version = task.workshop.version(recipe.version, recipe.readable)
    try:
        product = task.workshop.product(task.ingredients(recipe.name, version, "tests", *aside), make)
    except course.MistakeError as mistake:
        return SuiteRun(mistake=course_fault(mistake.diagnostic))
    built = task.built(recipe.read(product, texts))
    if not product.files:
        return SuiteRun(built.findings)
    limits = task.spec.limits
    python = language == "python"
    suite = _Suite(
        product.files if python else {**_data(given, language), **product.files},
        (lambda _, words: python_tests.command(words, limits.cpu))
        if python
        else (lambda _, words: (*recipe.command(""), *words[1:])),
        cage_limits(limits, sanitized=task.spec.program.sanitize),
        {**recipe.environment, **({"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"} if python else sanitizer.ENVIRONMENT)},
        (*recipe.readable, *(python_tests.readable(tests.run) if python else ())),
        explain,
    )
    modules = {file.path: decode(file.data) for file in task.support if file.path.endswith(".py")}
    return replace(_run(suite, task, tests), modules=modules)


def run_java(task: Task, tests: UnitTests) -> SuiteRun:
    """Tests of a program in Java. Raises JudgeError when there is no JDK, or the sandbox fails."""
    given = _files_of(task, tests)
    task, _ = _with_tests(task, given)
    support = tuple(SourceFile.from_bytes(f.path, f.data) for f in task.support if f.path.casefold().endswith(".java"))
    jars = {file.path: file.data for file in task.support if file.path.casefold().endswith(".jar")}

    def make() -> Product:
        made = task.workshop.java.make(task.sources, support, task.flags, jars)
        if not made.files:
            course.refuse(_lot(task, tests), read(made, task.sources + support).diagnostics, task.chosen.files)
        return made

    try:
        product = task.workshop.product(task.ingredients(tools(), "tests"), make)
    except course.MistakeError as mistake:
        return SuiteRun(mistake=course_fault(mistake.diagnostic))
    compiled = read(product, task.sources + support)
    built = task.built(compiled.diagnostics)
    if not compiled.classes:
        return SuiteRun(built.findings)
    classes = students(compiled.classes)
    limits = task.spec.limits
    suite = _Suite(
        {**_data((*task.support, *given), "java"), **{f"{CLASSES}/{path}": data for path, data in classes.items()}},
        lambda cage, words: (*java_command(cage, limits), *words[1:]),
        jvm_limits(limits),
        jdk.ENVIRONMENT,
        jdk.readable(),
        Endings(class_names(classes), task.sources).explain,
    )
    return _run(suite, task, tests)


def _files_of(task: Task, tests: UnitTests) -> tuple[SubmittedFile, ...]:
    return tuple(task.tests[name] for name in tests.files)


def _with_tests(task: Task, given: tuple[SubmittedFile, ...]) -> tuple[Task, Mapping[str, str]]:
    """The task with the course's files in place of those with their names, and sources whose ``main`` must not be one.

    Of these each has another name to be compiled by.
    """
    replaced = {file.path for file in given} | _STEERING
    kept = tuple(file for file in task.submission.files if PurePosixPath(file.path).name not in replaced)
    sources = tuple(source for source in task.sources if PurePosixPath(source.name).name not in replaced)
    chosen = replace(task.chosen, files=tuple(file for file in task.chosen.files if file in kept))
    support = (*(file for file in task.support if file.path not in replaced), *given)
    aside = {}
    if chosen.language in ("c", "cpp") and any(_starts(file) for file in support):
        mains = [file.path for file in chosen.files if _starts(file)]
        aside = {name: _ASIDE.format(number, PurePosixPath(name).suffix) for number, name in enumerate(mains)}
    submission = replace(task.submission, files=kept)
    return replace(task, support=support, submission=submission, chosen=chosen, sources=sources), aside


def _lot(task: Task, tests: UnitTests) -> course.Lot:
    """What the course adds to a run, by itself."""
    return course.Lot(task.spec, task.chosen.language, task.support, tests, task.workshop)


def _starts(file: SubmittedFile) -> bool:
    return Piece.of(file).defines_main


def _without_main(name: str) -> bytes:
    """A source that is the student's, but for its ``main``, by which the student tried it: the tests have one."""
    return f'#define main grader_main_put_aside\n#include "{name}"\n#undef main\n'.encode("utf-8", "surrogateescape")


def _texts(task: Task) -> tuple[SourceFile, ...]:
    """What a compiler may complain of: the student's sources, and those of the course."""
    return (*task.sources, *(SourceFile.from_bytes(file.path, file.data) for file in task.support))


def _data(given: Sequence[SubmittedFile], language: str) -> dict[str, bytes]:
    """The course's files that a run may read: no sources, which are in what was built."""
    ends = (*SUFFIXES["c"], *SUFFIXES["cpp"], *SUFFIXES["java"], *HEADERS) if language != "python" else ()
    return {file.path: file.data for file in given if not file.path.casefold().endswith(ends)}


def _run(suite: _Suite, task: Task, tests: UnitTests) -> SuiteRun:
    drawn = f"results_{secrets.token_hex(_DRAWN)}"
    name = PurePosixPath(tests.junit).parts[0] if tests.junit else ""
    inside = PurePosixPath(drawn + PurePosixPath(name).suffix, *PurePosixPath(tests.junit or "").parts[1:])
    words = [renamed(word, name, inside.parts[0]) if name and at else word for at, word in enumerate(tests.run)]
    room = room_for(suite.files) + 2 * task.spec.limits.storage

    def run() -> tuple[Completed, bytes | None, str]:
        with task.workshop.cage(suite.readable, room).furnish(suite.files) as cage:
            done = complete(cage, Command(suite.command(cage, words), suite.limits, suite.environment))
            return done, cage.take(str(inside), LARGEST_REPORT) if name else None, cage.path

    done, report, folder = run()
    if done.status.killed:  # by a test, which does so again, or by somebody else
        kills = memory_kills()
        done, report, folder = run()
        if done.status.killed and memory_kills() > kills:
            raise DisturbedError("the kernel killed the tests twice for lack of memory", hint=MORE_MEMORY)
    printed, errors = (decode(said).replace(inside.parts[0], name or drawn) for said in (done.output, done.errors))
    own = done.errors.replace(
        f'"{folder}/'.encode(), b'"'
    )  # Python tells modules by their whole path, scripts by their name
    ending = ending_of(done.status, own, task.spec.limits, suite.explain)
    return SuiteRun(ending=ending, report=report, printed=printed, errors=errors)
