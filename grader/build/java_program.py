"""Java programs: classes from the compile server, played in a shared JVM first, and in fresh ones where that matters."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from grader.build import course
from grader.build.built import Built
from grader.build.java import Compiled, read, tools
from grader.build.java_traces import trace
from grader.build.product import Product
from grader.build.suites import run_java
from grader.build.task import Task
from grader.results import Visibility
from grader.sandbox import Cage, room_for
from grader.sessions import jdk
from grader.sessions.jvm import FRESH, SHARED, SHARED_HIDDEN, JvmProgram, students
from grader.source import Diagnostic, Severity, SourceFile

_TRIED = {Visibility.VISIBLE: SHARED, Visibility.HIDDEN: SHARED_HIDDEN, Visibility.STAFF: SHARED_HIDDEN}
"""No JVM in which a hidden case was run prints anything that a student is shown."""


def build_java(task: Task) -> Built:
    """Compile and find the class to start. Raises JudgeError when there is no JDK, or the sandbox fails."""
    given = (file for file in task.support if file.path.casefold().endswith(".java"))
    support = tuple(SourceFile.from_bytes(file.path, file.data) for file in given)

    def make() -> Product:
        made = task.workshop.java.make(task.sources, support, task.flags)
        if not made.files:
            lot = course.Lot(task.spec, task.chosen.language, task.support, None, task.workshop)
            course.refuse(lot, read(made, task.sources + support).diagnostics, task.chosen.files)
        return made

    product = task.workshop.product(task.ingredients(tools()), make)
    compiled = read(product, task.sources + support)
    if not compiled.classes:
        return task.built(compiled.diagnostics, compiled.version, product.notes)
    if not task.spec.starts_program:
        return replace(task.built(compiled.diagnostics, compiled.version), tests=partial(run_java, task))
    if not compiled.mains:
        return task.built((*compiled.diagnostics, _NO_MAIN), compiled.version)
    main = _main(task, compiled)
    others = [name for name in compiled.mains if name != main]
    review = (f"{main} was started; {', '.join(others)} could be, too",) if others else ()
    files = task.files
    size = room_for(compiled.classes) + room_for(files) + 2 * task.spec.limits.storage
    terminal = task.spec.program.terminal
    alone = terminal or trace(students(compiled.classes))

    def another() -> Cage:
        return task.workshop.cage(jdk.readable(), size)

    program = JvmProgram(
        another, compiled.classes, main, task.spec.limits, sources=task.sources, files=files, terminal=terminal
    )
    return replace(
        task.built(compiled.diagnostics, compiled.version, review),
        programs=dict.fromkeys((FRESH,) if alone else (SHARED, SHARED_HIDDEN, FRESH), program),
        usual=compiled.version,
        decides=FRESH,
        tried={} if alone else _TRIED,
        tests=partial(run_java, task),
        close=program.close,
    )


def _main(task: Task, compiled: Compiled) -> str:
    """The class that the spec names, or the first that can be started, in the order of the sources."""
    wanted = task.spec.program.main
    return next((name for name in compiled.mains if name.rpartition(".")[2] == wanted), compiled.mains[0])


_NO_MAIN = Diagnostic(
    Severity.ERROR,
    "no-main",
    "no class can be started: none has a method main",
    None,
    "write public static void main(String[] args) into one of them",
)
