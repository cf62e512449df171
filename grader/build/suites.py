"""A course's unit tests: built along with what was handed in, and run in a cage of their own, each run in a new one.

The file of results has a name that is drawn at random for each run. What was handed in and would steer who runs the tests, a
`conftest.py` or a file that has the name of one of the course's, is left out.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath

from grader.build import course, divided, python_tests, sanitizer
from grader.build.apart import Run
from grader.build.built import SuiteRun, course_fault
from grader.build.chosen import HEADERS, SUFFIXES
from grader.build.course.lot import student_names
from grader.build.pieces import Piece
from grader.build.recipe import Recipe, Task
from grader.build.tool import Product
from grader.errors import DisturbedError
from grader.sandbox import (
    MORE_MEMORY,
    Cage,
    Command,
    Completed,
    Limits,
    Process,
    Status,
    complete,
    memory_kills,
    room_for,
)
from grader.sessions.java_endings import Endings
from grader.sessions.jvm import class_names, java_command, jvm_limits, students
from grader.sessions.native import Explain, cage_limits, ending_of
from grader.spec.kinds.divided import machine_divides
from grader.spec.kinds.tests import CLASSES, LARGEST_REPORT, UnitTests, renamed
from grader.submission import SubmittedFile
from grader.transcript import Ending, decode
from grader.values import dataclass

_CONFIGURATION = {"conftest.py", "pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml"}
_STEERING = frozenset({*_CONFIGURATION, "sitecustomize.py", "usercustomize.py"})
"""Files that tell pytest and Python what to do; those of a course are among its own."""

_ASIDE = "grader_without_main_{}{}"
# A list of three million numbers from the program took more than its limit in the tests, and cost all of them.
_MESSAGES = 256 << 20  # bytes of memory: the largest message, as text and as values, and what pytest shows of it
# A program that knew the name could write the file of results before its tests end.
_DRAWN = 16  # bytes of a name that nobody guesses


@dataclass(frozen=True, slots=True)
class _Suite:
    """One run of tests: files in the folder, the command, the output that it must have, its limits, and sentences for its ends.

    ``program`` are the files of a program that has a process of its own, which is shown ``program_readable``; None where it shares that of its tests.
    Nobody can open the streams of a ``sealed`` one again.
    """

    files: Mapping[str, bytes]
    command: Callable[[Cage, Sequence[str]], tuple[str, ...]]
    limits: Limits
    environment: Mapping[str, str]
    readable: tuple[Path, ...]
    explain: Explain | None
    program: Mapping[str, bytes] | None = None
    program_readable: tuple[Path, ...] = ()
    sealed: bool = False


def run_tests(recipe: Recipe, task: Task, tests: UnitTests) -> SuiteRun:
    """Tests of the course, with the program that was handed in. Raises JudgeError when a tool of ours fails."""
    task = _with_tests(task, tuple(task.tests[name] for name in tests.files))
    if task.chosen.language not in ("c", "cpp") or tests.inside or not machine_divides():
        return _joined(recipe, task, tests)
    apart = _divided(recipe, task, tests)
    if apart is None:
        return replace(_joined(recipe, task, tests), undivided=True)
    return replace(apart, inside=partial(_joined, recipe, task, tests))


def _joined(recipe: Recipe, task: Task, tests: UnitTests) -> SuiteRun:
    """Tests in one process with the program; those in Python have one of their own even so, unless they say `inside`."""
    try:
        product = course.product_of(recipe, task, tests)
    except course.MistakeError as mistake:
        return SuiteRun(mistake=course_fault(mistake.diagnostic))
    if not product.files:
        return SuiteRun(task.built(recipe.read(product, task.texts)).findings)
    modules = {file.path: decode(file.data) for file in task.support if file.path.endswith(".py")}
    return replace(_run(_suite(recipe, task, tests, product), task, tests), modules=modules)


def _divided(recipe: Recipe, task: Task, tests: UnitTests) -> SuiteRun | None:
    """Tests in C or C++ in two processes; None where they cannot be built so."""
    product = divided.product_of(task, tests, recipe.version(task.workshop))
    if not product.files:
        return None
    heap = task.spec.limits.memory
    files = {**_data(task.tests[name] for name in tests.files), **product.files}
    bounds = divided.limits(cage_limits(task.spec.limits), heap)
    environment = {**recipe.environment, **divided.environment(heap)}

    def command(_: Cage, words: Sequence[str]) -> tuple[str, ...]:
        return (divided.COMMAND, *words[1:])

    return _run(
        _Suite(files, command, bounds, environment, recipe.readable(), recipe.explain, sealed=True), task, tests
    )


def _suite(recipe: Recipe, task: Task, tests: UnitTests, product: Product) -> _Suite:
    limits, explain = task.spec.limits, recipe.explains(task)
    bounds = cage_limits(limits, sanitized=task.spec.program.sanitize)
    readable = (*recipe.readable(), *python_tests.readable(tests.run))
    files: Mapping[str, bytes] = product.files
    program: Mapping[str, bytes] | None = None
    environment = {**recipe.environment, **sanitizer.ENVIRONMENT}

    def command(cage: Cage, words: Sequence[str]) -> tuple[str, ...]:
        if program is not None:
            own = (*(PurePosixPath(name).stem for name in files if name.endswith(".py")), "__main__")
            return python_tests.apart(words, limits.cpu, _modules(program, task), tests.equality, own)
        if task.chosen.language == "python":
            return python_tests.command(words, limits.cpu)
        return (*(java_command(cage, limits) if task.chosen.language == "java" else recipe.command("")), *words[1:])

    if task.chosen.language == "java":
        classes = students(product.files)
        files = {**_data(task.support), **{f"{CLASSES}/{path}": data for path, data in classes.items()}}
        explain, bounds = Endings(class_names(classes), task.sources).explain, jvm_limits(limits)
        environment = {**recipe.environment}
    elif task.chosen.language == "python":
        # Plugins of other courses that are installed here would change the order or the report of tests.
        environment = {**recipe.environment, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        given = {PurePosixPath(name).name for name in tests.files}
        if not tests.inside:  # what the course supports programs with belongs to the program, and its data to both
            program = {name: data for name, data in files.items() if name not in given or not name.endswith(".py")}
            files = {name: data for name, data in files.items() if name not in program or not name.endswith(".py")}
    else:
        files = {**_data(task.tests[name] for name in tests.files), **product.files}
    return _Suite(files, command, bounds, environment, readable, explain, program, (*recipe.readable(),))


def _modules(program: Mapping[str, bytes], task: Task) -> Iterable[str]:
    """The names of the modules of a program in Python, and of those that students should hand in: a test that imports one finds it missing there."""
    files = (*program, *student_names(task.spec))
    return sorted(
        {name.partition("/")[0].removesuffix(".py") for name in files if name.endswith(".py") and "*" not in name}
    )


def _with_tests(task: Task, given: tuple[SubmittedFile, ...]) -> Task:
    """The task with the course's files in place of those with their names, and with sources aside whose ``main`` must not be one."""
    # A `conftest.py` of a student could mark every test as passed.
    replaced = {file.path for file in given} | _STEERING
    kept = tuple(file for file in task.submission.files if PurePosixPath(file.path).name not in replaced)
    sources = tuple(source for source in task.sources if PurePosixPath(source.name).name not in replaced)
    chosen = replace(task.chosen, files=tuple(file for file in task.chosen.files if file in kept))
    support = (*(file for file in task.support if file.path not in replaced), *given)
    aside = {}
    if chosen.language in ("c", "cpp") and any(Piece.of(file).defines_main for file in support):
        mains = [file.path for file in chosen.files if Piece.of(file).defines_main]
        aside = {name: _ASIDE.format(number, PurePosixPath(name).suffix) for number, name in enumerate(mains)}
    submission = replace(task.submission, files=kept)
    return replace(task, support=support, submission=submission, chosen=chosen, sources=sources, aside=aside)


def _data(given: Iterable[SubmittedFile]) -> dict[str, bytes]:
    """The course's files that a run may read: no sources, which are in what was built."""
    sources = (*SUFFIXES["c"], *SUFFIXES["cpp"], *SUFFIXES["java"], *HEADERS)
    return {file.path: file.data for file in given if not file.path.casefold().endswith(sources)}


def _run(suite: _Suite, task: Task, tests: UnitTests) -> SuiteRun:
    drawn = f"results_{secrets.token_hex(_DRAWN)}"
    name = PurePosixPath(tests.junit).parts[0] if tests.junit else ""
    inside = PurePosixPath(drawn + PurePosixPath(name).suffix, *PurePosixPath(tests.junit or "").parts[1:])
    words = [renamed(word, name, inside.parts[0]) if name and at else word for at, word in enumerate(tests.run)]

    def run() -> tuple[Completed, bytes | None, str]:
        with ExitStack() as cages:

            def cage_of(files: Mapping[str, bytes], readable: tuple[Path, ...]) -> Cage:
                room = room_for(files) + 2 * task.spec.limits.storage
                return cages.enter_context(task.workshop.cage(readable, room)).furnish(files, executable=True)

            cage = cage_of(suite.files, suite.readable)
            limits = suite.limits if suite.program is None else _with_room(suite.limits, _MESSAGES)
            command = Command(suite.command(cage, words), limits, suite.environment, sealed=suite.sealed)
            other = None if suite.program is None else cage_of(suite.program, suite.program_readable)
            # What a hook writes at the end of a JVM stands behind the results, and not in their place. Pytest has a cage of its own.
            outlet = None
            if name and task.chosen.language != "python":
                outlet = cages.enter_context(closing(cage.outlet(str(inside), LARGEST_REPORT)))
            done = (
                complete(cage, command) if other is None else _apart(suite, task, cage.start(_on_line(command)), other)
            )
            written = outlet.take() if outlet else cage.take(str(inside), LARGEST_REPORT) if name else None
            return done, written, cage.path

    done, report, folder = run()
    if done.status.killed:  # by a test, which does so again, or by somebody else
        # The kernel counts whom it ends for lack of memory; a test that ends itself is not among these.
        kills = memory_kills()
        done, report, folder = run()
        if done.status.killed and memory_kills() > kills:
            raise DisturbedError("the kernel killed the tests twice for lack of memory", hint=MORE_MEMORY)
    printed, errors = (decode(stream).replace(inside.parts[0], name or drawn) for stream in (done.output, done.errors))
    # Python tells modules by their whole path, scripts by their name.
    own = done.errors.replace(f'"{folder}/'.encode(), b'"')
    ending = ending_of(done.status, own, task.spec.limits, suite.explain)
    return SuiteRun(ending=ending, report=report, printed=printed, errors=errors)


def _with_room(limits: Limits, more: int) -> Limits:
    space = limits.address_space
    return replace(limits, memory=limits.memory + more, address_space=None if space is None else space + more)


def _on_line(command: Command) -> Command:
    return replace(command, control=True, watch_reads=False)


def _apart(suite: _Suite, task: Task, tests: Process, cage: Cage) -> Completed:
    """A run of tests that call the program in another cage."""

    def start(cpu: float) -> Process:
        command = Command(python_tests.program(cpu), replace(suite.limits, cpu=cpu), suite.environment)
        return cage.start(_on_line(command))

    def explain(status: Status, errors: bytes) -> Ending:
        return ending_of(status, errors, task.spec.limits, suite.explain)

    return Run(tests, start, suite.limits.cpu, explain).complete()
