"""The files of a course for a simulated machine, assembled without what a student hands in."""

from __future__ import annotations

from typing import Final

from grader.build.course.lot import MISTAKE
from grader.machines.families import family
from grader.source import Diagnostic, Severity, SourceFile
from grader.spec.loader import Assignment

_OF_STUDENTS: Final = frozenset(["undefined-label", "bad-number", "before-orig", "include"])
"""Complaints about what may stand in the file of a student: a label, what is before, or a file itself."""


def mistakes(assignment: Assignment) -> tuple[Diagnostic, ...]:
    """What is wrong with the support of a simulated program, under each of its profiles, whatever is handed in."""
    program = assignment.spec.program
    language = family(program.simulated or "")
    texts = [SourceFile.from_bytes(file.path, file.data) for file in assignment.support]
    if not texts:
        return ()
    dialects = {program.dialect or language.dialect_of(profile) for profile in program.profiles}
    first, *more = texts
    found = [
        [one for one in language.assemble(first, dialect, {}, more, "").errors if one.code not in _OF_STUDENTS]
        for dialect in sorted(dialects)
    ]
    fewest = min(found, key=len)
    return tuple(Diagnostic(Severity.ERROR, MISTAKE, one.message, one.span) for one in fewest)
