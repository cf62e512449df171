"""Functions of both ``check`` and ``grade``: spec and submission in, a grade out, an exit code at the end."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager
from hashlib import sha256
from pathlib import Path

import click

from grader.batch.computer import today
from grader.build.workshop import kept_folder
from grader.bundled import spec_path
from grader.errors import EXIT_JUDGE, EXIT_OK, EXIT_OPEN, EXIT_POINTS_LOST, refusals
from grader.grading import Grading
from grader.grading.budget import broken_off_after
from grader.intake.course import CourseFiles
from grader.intake.source import read_submission
from grader.languages import ENGLISH, Language
from grader.report.again import named_as, with_files
from grader.results import CaseResult, Grade, Visibility
from grader.sessions.simulated import unescaped
from grader.spec.corrections import NONE, Corrections
from grader.spec.loader import Assignment, load_assignment
from grader.submission import Submission

_DIGITS = 12  # of a digest, in the name of a file
_LONE = (".asm", ".s")  # sources of simulated programs, which need no spec to be run


def load(spec: str) -> Assignment:
    """The assignment by name or path. Raises UsageError or SpecError."""
    return load_assignment(spec_path(spec), today())


class Stopwatch:
    """The seconds of each case, by its id.

    The first case includes the build, and each case the cases that it requires and that were not chosen.
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._since = time.perf_counter()

    def heard(self, result: CaseResult) -> None:
        """Note that a case was judged."""
        now = time.perf_counter()
        self.seconds[result.id] = now - self._since
        self._since = now


def graded(
    assignment: Assignment,
    submission: Path,
    *,
    unsafe: bool = False,
    corrections: Corrections = NONE,
    watch: Stopwatch | None = None,
) -> Grade:
    """The grade of one submission, timed by a stopwatch. Raises JudgeError if judging does not end."""
    read = read_for(assignment, submission)
    hidden = (submission.parent,)
    # A program shall not read the submissions that lie beside its own.
    made = Grading(assignment, unsafe=unsafe, hidden=hidden, corrections=corrections, samples=True)
    with _last_resort(assignment), made as grading:
        warn(grading.unkept)
        grading.refuse_mistakes()
        return grading.grade(read, heard=watch.heard if watch else None)


def tried(assignment: Assignment, submission: Path, spoken: Language = ENGLISH) -> Grade:
    """The grade of a student's own program in the visible cases.

    It is sandboxed if possible; warnings are in a language.
    """
    read = read_for(assignment, submission)
    with _last_resort(assignment), Grading(assignment, unsafe=True, samples=True) as grading:
        if not grading.caged:
            warn(spoken.word("this machine has no sandbox for programs: yours runs with your own rights"))
        warn(grading.unkept)
        grading.refuse_mistakes()
        return grading.grade(read, only={c.id for c in grading.cases if c.visibility is Visibility.VISIBLE})


def read_for(assignment: Assignment, submission: Path) -> Submission:
    """A student's files, without those of the course that lie among them."""
    return read_submission(submission, assignment.spec.submission.student_id, course=CourseFiles.of(assignment))


def seen_again(grade: Grade, assignment: Assignment, spec: str, submission: Path) -> Grade:
    """The grade with commands that can be copied: they name the spec and the submission as they were named here."""
    program = assignment.spec.program
    # `grader run FILE` needs no spec then, and the command is one that a student can type.
    alone = program.simulated and not program.support and submission.suffix.casefold() in _LONE
    return named_as(grade, [str(submission)] if alone else ["--spec", spec, str(submission)])


def with_input_files(grade: Grade) -> Grade:
    """The grade with commands that fit on a screen: a long input goes into a file of its user, which the command names.

    If no file can be written, the input stays in the command.
    """

    def file_of(keys: str) -> str:
        data = unescaped(keys).encode("utf-8", "surrogateescape")
        path = kept_folder("inputs") / f"{sha256(data).hexdigest()[:_DIGITS]}.txt"  # one file for the same input
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return str(path)

    try:
        return with_files(grade, file_of)
    except OSError:
        return grade


def _last_resort(assignment: Assignment) -> AbstractContextManager[None]:
    return broken_off_after(assignment.spec.limits.submission.last_resort)


def warn(message: str) -> None:
    """Print a warning to standard error, unless it is empty."""
    if message:
        click.echo(f"grader: {message}", err=True)


def exit_code(grade: Grade) -> int:
    """4 for a judge error, 5 if no point could be judged, 1 if judged points are lost, else 0.

    Open points are not lost.
    """
    # Our fault comes first: a CI job that reads 1 would tell the student of lost points.
    if grade.has_judge_error:
        return EXIT_JUDGE
    if grade.nothing_judged:
        return EXIT_OPEN
    return EXIT_POINTS_LOST if grade.points_lost else EXIT_OK


def write(path: Path, text: str) -> None:
    """Write a report as UTF-8. Raises UsageError with the place when that fails."""
    with refusals("cannot write it: {}", path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
