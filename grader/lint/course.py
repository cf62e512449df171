"""What can be said of the files of a course without any submission: once they are compiled and their tests collected; once pairs are read."""

from __future__ import annotations

from collections.abc import Iterator

from grader.build.chosen import choose
from grader.build.course.in_c import two_mains
from grader.build.course.lot import placed
from grader.checks.numbers import grouped
from grader.errors import GraderError, JudgeError
from grader.grading import Grading
from grader.intake.source import read_submission
from grader.lint.prices import accepted_fixtures
from grader.source import Diagnostic, Severity
from grader.spec.kinds.io import Pair
from grader.spec.loader import Assignment
from grader.spec.model import Case, Limits, Spec
from grader.spec.problem import Problem
from grader.transcript import decode


def course_files(assignment: Assignment) -> tuple[Diagnostic, ...]:
    """Every mistake in them; a warning where this machine cannot try them."""
    try:
        with Grading(assignment, unsafe=True) as grading:
            found = grading.course_mistakes()
    except JudgeError as error:
        message = f"the course's files could not be tried here: {error.message}"
        found = (Diagnostic(Severity.WARNING, "course", message, None, error.hint),)
    return (*found, *_second_main(assignment))


def _second_main(assignment: Assignment) -> Iterator[Diagnostic]:
    """The `main` of the support, where an accepted fixture begins with one of its own."""
    spec = assignment.spec
    if not spec.starts_program or not {*spec.program.language} & {"c", "cpp"}:
        return
    for folder in accepted_fixtures(assignment):
        try:
            handed_in = choose(spec.program, read_submission(folder, spec.submission.student_id)).files
        except GraderError:
            continue
        twice = two_mains(handed_in, assignment.support)
        if twice is not None:
            yield placed(twice, assignment)
            return


def pairs_problems(spec: Spec) -> Iterator[Problem]:
    """Every problem of the pairs, of each kind the first in a case."""
    for index, case in enumerate(spec.cases):
        told: set[str] = set()
        for problem in _problems(spec, case, ("cases", index, "io")):
            if problem.code not in told:
                told.add(problem.code)
                yield problem


def _problems(spec: Spec, case: Case, loc: tuple[str | int, ...]) -> Iterator[Problem]:
    for pair in case.io or ():
        yield from _too_much(pair, spec.limits, loc)
        if case.tolerance or spec.text.tolerance:
            texts = (content for content in (pair.output, pair.errors, *pair.writes.values()) if content is not None)
            word = next((word for content in texts for word in grouped(decode(content.data))), "")
            if word:
                message = f"`{word}` is expected, and is compared letter by letter, although there is a tolerance"
                hint = "a number is written without commas for thousands"
                yield Problem.warning("grouped", message, loc, hint)


def _too_much(pair: Pair, limits: Limits, loc: tuple[str | int, ...]) -> Iterator[Problem]:
    """A right program must be able to print and write what is expected, and its folder to hold what it is given."""
    printed = max((len(text.data) for text in (pair.output, pair.errors) if text is not None), default=0)
    if printed > limits.output:
        message = f"{printed:,} bytes are to be printed, and `limits.output` is {limits.output:,}"
        yield Problem("output-limit", message, loc, "raise `limits.output`")
    files = (*pair.files.values(), *pair.writes.values())
    stored = sum(len(text.data) for text in files)
    if stored > limits.storage:
        message = f"the files of a run hold {stored:,} bytes, and `limits.storage` is {limits.storage:,}"
        yield Problem("storage-limit", message, loc, "raise `limits.storage`")
