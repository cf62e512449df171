"""From the files of a submission to a program that can be run, or to what the student must mend first.

Assembled programs are made in ``simulated``; compiled and interpreted ones in ``native``, which needs a sandbox. Each is
imported only where a spec asks for such a language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.build.built import Built
from grader.build.wrong_type import with_type
from grader.errors import JudgeError
from grader.spec.loader import Assignment
from grader.submission import Submission

if TYPE_CHECKING:
    from grader.build.workshop import Workshop

__all__ = ["Built", "build"]


def build(assignment: Assignment, submission: Submission, workshop: Workshop | None = None) -> Built:
    """Find the sources that the spec asks for and build them. Never raises for anything in a submission.

    A workshop is needed for all but simulated programs: without one JudgeError is raised, as when a tool of ours fails.
    """
    if assignment.spec.program.simulated:
        from grader.build.simulated import build_simulated

        built = build_simulated(assignment.spec, submission, assignment.support)
        return with_type(assignment.spec.program, built)
    if workshop is None:
        raise JudgeError("compiled programs are built in a workshop, and there is none")
    from grader.build.native import build_native

    built = build_native(assignment.spec, assignment.support, submission, workshop, assignment.tests)
    return with_type(assignment.spec.program, built)
