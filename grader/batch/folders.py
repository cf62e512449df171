"""The folders of a batch: what is in its sources, and where its reports go."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from grader.errors import UsageError
from grader.intake.course import CourseFiles
from grader.intake.plan import Plan, plan
from grader.spec.loader import Assignment


def planned_for(assignment: Assignment, sources: Sequence[Path]) -> Plan:
    """How a batch of these sources is understood. Raises UsageError where there is nothing to grade in them."""
    spec = assignment.spec
    return plan(sources, spec.submission.student_id, spec.program.sources, CourseFiles.of(assignment))


def of_others(out: Path, sources: Sequence[Path]) -> tuple[Path, ...]:
    """The folders in which a program would find what others handed in or run, and their grades."""
    folders = [out, *(source if source.is_dir() else source.parent for source in sources)]
    with suppress(FileNotFoundError):  # there is none: whoever starts a worker says so
        folders.append(Path(tempfile.gettempdir()))
    return tuple(dict.fromkeys(folders))


def refuse_inside(out: Path, sources: Sequence[Path]) -> None:
    """Reports among submissions would be submissions the next time."""
    for source in sources:
        if source.is_dir() and out.resolve().is_relative_to(source.resolve()):
            raise UsageError("lies inside the submissions", place=str(out), hint="choose a folder beside them")


def make_folder(out: Path) -> None:
    """Make the folder of a batch. Raises UsageError where it cannot be."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise UsageError(f"cannot be made ({fault.strerror})", place=str(out)) from fault
