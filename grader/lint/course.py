"""What can be said of the files of a course once they are compiled, and their tests collected, without any submission."""

from __future__ import annotations

from collections.abc import Iterator

from grader.build.chosen import choose
from grader.build.course.in_c import two_mains
from grader.build.course.lot import placed
from grader.errors import GraderError, JudgeError
from grader.grading import Grading
from grader.intake.source import read_submission
from grader.lint.routines import accepted_fixtures
from grader.source import Diagnostic, Severity
from grader.spec.loader import Assignment


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
