"""The course's own files, looked at before anything that is handed in: a mistake in them would cost every student.

Whose fault it is where something does not build or begin is told by the file. What fails in a file of the course without any
submission is the course's, and commands refuse the spec. What only a submission shows, in a file of the course, and names
nothing that a student should define, leaves points open. Everything else is the student's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.build.course import in_assembly, in_c, in_java, in_python
from grader.build.course.lot import MISTAKE, Lot, lots_of, placed
from grader.build.workshop import Workshop
from grader.source import Diagnostic, SourceFile
from grader.spec.loader import Assignment
from grader.submission import SubmittedFile

__all__ = ["MISTAKE", "Lot", "MistakeError", "course_mistakes", "refuse"]


def course_mistakes(assignment: Assignment, workshop: Workshop | None) -> tuple[Diagnostic, ...]:
    """Every mistake in the course's files that would show with each submission, with its place.

    Only simulated programs need no workshop. Raises JudgeError where a tool of ours fails.
    """
    if workshop is None:
        return tuple(placed(one, assignment) for one in in_assembly.mistakes(assignment))
    found = (placed(one, assignment) for lot in lots_of(assignment, workshop) for one in mistakes(lot))
    return tuple(dict.fromkeys(_in_spec(one, assignment) for one in found))


def mistakes(lot: Lot) -> tuple[Diagnostic, ...]:
    """Those in one lot. Raises JudgeError where a tool of ours fails."""
    if lot.language in ("c", "cpp"):
        return in_c.alone(lot).mistakes
    return in_java.mistakes(lot) if lot.language == "java" else in_python.mistakes(lot)


class MistakeError(Exception):
    """A file of the course is wrong, so that a submission does not build with it; ``diagnostic`` says what is."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.one_line())
        self.diagnostic = diagnostic


def refuse(lot: Lot, joint: Sequence[Diagnostic], handed_in: Sequence[SubmittedFile]) -> None:
    """Raise MistakeError where something does not build by a mistake of the course: nothing of it is to be kept.

    ``joint`` is what the compiler says of both together, in its order. Raises JudgeError where a tool of ours fails.
    """
    found = _fault(lot, joint, handed_in)
    if found is not None:
        raise MistakeError(found)


def _fault(lot: Lot, joint: Sequence[Diagnostic], handed_in: Sequence[SubmittedFile]) -> Diagnostic | None:
    if lot.language not in ("c", "cpp"):
        return next(iter(mistakes(lot)), None)
    twice = any(one.code == "linker" and one.message.endswith(" of `main'") for one in joint)
    found = in_c.alone(lot).explains(joint)
    return found or (in_c.two_mains(handed_in, lot.files) if twice else None)


def _in_spec(one: Diagnostic, assignment: Assignment) -> Diagnostic:
    """A mistake without a place where the spec names what it is about, in backquotes."""
    if one.span is not None:
        return one
    source = SourceFile.from_bytes(str(assignment.path), assignment.path.read_bytes())
    word = next(_quoted(one.message), "")
    lines = (number for number, line in enumerate(source.lines, start=1) if word in line)
    number = next(lines, 1)
    column = source.lines[number - 1].find(word) + 1
    return replace(one, span=source.span(number, max(1, column), column + len(word) if column > 0 else None))


def _quoted(message: str) -> Iterator[str]:
    yield from (part for part in message.split("`")[1::2])
