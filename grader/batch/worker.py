"""The work of a worker process on a submission; it is a module of its own so that workers do not import the runner."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import NotRequired, TypedDict, Unpack

from grader import __version__
from grader.batch.finals import shown_by
from grader.batch.inputs import digest_of
from grader.batch.values import Graded, Sources
from grader.errors import DisturbedError, JudgeError
from grader.grading import Grading
from grader.grading.deciding import Scoring
from grader.grading.trial import unmet
from grader.intake.archive import Archive, UnreadableError
from grader.intake.course import NO_FILES, CourseFiles
from grader.intake.disk import Digests
from grader.intake.source import Downloads, Entry, read_entry
from grader.report.page import student_page
from grader.report.record import dump
from grader.results import OVER_BUDGET, Finding, Grade, Provenance, Verdict
from grader.scoring import graded
from grader.spec.corrections import Corrections
from grader.spec.loader import Assignment
from grader.submission import Submission
from grader.values import dataclass


class Options(TypedDict):
    """The options of every worker's ``Grading``."""

    unsafe: bool
    hidden: tuple[Path, ...]
    corrections: Corrections
    shares: NotRequired[bool]


@dataclass(frozen=True, slots=True)
class Read:
    """An entry that was already read, since a remote worker may not see the disk; or why it cannot be read."""

    entry: Entry
    submission: Submission | str


@contextmanager
def reading_of(pattern: str | None, course: CourseFiles = NO_FILES) -> Iterator[Callable[[Entry], Read]]:
    """The function that reads an entry which is graded elsewhere."""
    with Downloads() as downloads:
        yield lambda entry: _read(entry, pattern, downloads, course)


def _read(entry: Entry, pattern: str | None, downloads: Downloads, course: CourseFiles) -> Read:
    """The submission of an entry, without its notes: they depend on the call, and equal submissions share a verdict.

    It must not have changed since the batch was planned: the grade is kept under that digest.
    """
    digests: Digests = {}
    try:
        submission = read_entry(replace(entry, notes=()), pattern, downloads=downloads, course=course, digests=digests)
    except JudgeError as fault:
        return Read(entry, f"{Path(fault.place).name}: {fault.message} ({fault.hint})")

    def archive_at(path: Path) -> Archive | None:
        try:
            return downloads.archive(path)
        except (JudgeError, UnreadableError):
            return None

    if entry.contents not in ("", digest_of(entry, archive_at, digests)):
        changed = "it has changed since the batch began (the same command grades it again)"
        return Read(entry, f"{entry.handed_in_as}: {changed}")
    return Read(entry, submission)


@contextmanager
def grading_of(assignment: Assignment, **options: Unpack[Options]) -> Iterator[Callable[[Entry | Read], Graded]]:
    """The function that grades an entry.

    The expectations of the spec are computed once, here; judges do not see parts for scoring.

    A worker that ``shares`` the machine raises DisturbedError if it was disturbed: the submission is graded again,
    alone.
    """
    shares = options.get("shares", False)
    pattern, course = assignment.spec.submission.student_id, CourseFiles.of(assignment)
    scoring = Scoring(assignment)
    with Grading(scoring.judged, **options) as grading, Downloads() as downloads:

        def work(task: Entry | Read) -> Graded:
            began = time.perf_counter()
            read = task if isinstance(task, Read) else _read(task, pattern, downloads, course)
            grade, note = _graded(grading, read, shares=shares)
            return to_keep(scoring, grade, time.perf_counter() - began, note, options["corrections"])

        gc.freeze()  # objects made so far stay: searching them for garbage again and again took a tenth of the time
        yield work


def _graded(grading: Grading, read: Read, *, shares: bool) -> tuple[Grade, str]:
    """The grade, and how the grader failed, if it did. Raises DisturbedError as `grading_of` says."""
    if isinstance(read.submission, str):
        return failed_grade(grading.assignment, read.entry, read.submission), read.submission
    try:
        grade = grading.grade(read.submission)
    except JudgeError as fault:
        if shares and isinstance(fault, DisturbedError):
            raise
        return failed_grade(grading.assignment, read.entry, str(fault)), str(fault)
    if shares and grade.disturbed:
        raise DisturbedError("the machine disturbed a run")
    return grade, ""


_MOST_SOURCE = 200_000  # characters kept of the sources of one program


def _sources(grade: Grade) -> Sources:
    """The files of the program, up to a limit.

    A lone surrogate, which the store cannot hold, becomes a question mark.
    """
    sizes = accumulate(len(source.text) for source in grade.sources)
    kept = [source for source, size in zip(grade.sources, sizes, strict=True) if size <= _MOST_SOURCE]
    texts = ((one.name.encode("utf-8", "replace"), one.text.encode("utf-8", "replace")) for one in kept)
    return tuple((name.decode(), text.decode()) for name, text in texts)


def to_keep(scoring: Scoring, judged: Grade, seconds: float, note: str, corrections: Corrections) -> Graded:
    """The data to keep on a judged submission; ``note`` says how the grader failed, if it did.

    All ``corrections`` of its wording are kept, even those that could not be followed: the store compares them with
    the file.
    """
    grade = scoring.grade(judged)
    return Graded(
        submission=judged.submission,
        student_id=judged.student_id,
        judge_error=judged.has_judge_error,
        record=dump(judged),
        page=student_page(grade, audience="student"),
        seconds=seconds,
        note=note.encode("utf-8", "backslashreplace").decode(),
        wording=judged.wording,
        corrections=corrections.get(judged.wording, {}),
        page_of=shown_by(grade),
        sources=_sources(judged),
    )


# ---------------------------------------------------------------------------------------- what was not judged

HINT = "this is the grader's fault, and no points are lost: a person should look at it"


def failed_grade(assignment: Assignment, entry: Entry, reason: str) -> Grade:
    """The grade that says that the grader failed. The submission is not read again: reading it may be what failed."""
    finding = Finding("judge-error", reason, hint=HINT)
    return _grade(assignment, entry, Verdict.JUDGE_ERROR, finding, f"Our error: {reason}")


def unjudged_grade(assignment: Assignment, entry: Entry, seconds: float) -> Grade:
    """The grade that says that judging was broken off after this many seconds."""
    reason = f"not judged: judging this submission was broken off after {seconds:g} s"
    return _grade(assignment, entry, Verdict.UNJUDGED, Finding(OVER_BUDGET, reason), reason)


def _grade(assignment: Assignment, entry: Entry, verdict: Verdict, finding: Finding, review: str) -> Grade:
    spec = assignment.spec
    cases = tuple(unmet(case, verdict, finding) for case in spec.cases)
    submission = Submission(
        entry.id, entry.student, (), entry.form, entry.student_id, entry.handed_in_as, origin=entry.origin
    )
    grade = graded(spec, submission, cases, Provenance(assignment.fingerprint, "", __version__, 0))
    return replace(grade, complete=False, review=(review,))
