"""Final grades: kept verdicts, scored by the spec as it is now, with the owners that the batch knows now.

Nothing here runs a program or changes a verdict: every call begins with the verdicts again.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path

from grader.batch.engine import renderer
from grader.batch.identified import Identified
from grader.batch.rows import grade_of, origin_of
from grader.batch.store import Store
from grader.batch.values import Kept
from grader.grading.deciding import NONE_DECIDED, Decisions, Mistake, Scoring
from grader.report import page
from grader.report.record import dump
from grader.results import CaseResult, Grade, Marks, for_student
from grader.scoring import NO_MARKS
from grader.source import SourceFile
from grader.spec.loader import Assignment
from grader.submission import Origin
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Final:
    """A grade as the reports show it, its kept verdicts, and its mistakes before any decision."""

    grade: Grade
    kept: Kept
    mistakes: tuple[Mistake, ...] = ()

    @property
    def page(self) -> str:
        """The page of its student; the worker's page is reused if it still shows the same."""
        shows_the_same = self.kept.page_of == shown_by(self.grade)
        return self.kept.page if shows_the_same else page.student_page(self.grade, audience="student")


@dataclass(frozen=True, slots=True)
class Given:
    """The input of staff: ``marks`` by submission, and ``decisions`` on mistakes."""

    marks: Mapping[str, Marks] = field(default_factory=dict)
    decisions: Decisions = field(default_factory=lambda: NONE_DECIDED)


NOTHING = Given()


class Finals:
    """The final grades of a batch, with the marks ``given`` by staff, and owners ``identified`` by a roster."""

    def __init__(self, assignment: Assignment, given: Given = NOTHING, identified: Identified | None = None) -> None:
        self._scoring = Scoring(assignment)
        self._given = given
        self._identified = identified

    def of(self, store: Store) -> Iterator[Final]:
        """Every grade in the batch's order, one at a time."""
        notes = same_student(store)
        for kept in store.kept():
            yield self.one(kept, notes.get(kept.owner.submission, ""))

    def one(self, kept: Kept, note: str) -> Final:
        """One final grade, with a note if others have the same student number."""
        judged = grade_of(kept.record, kept.owner.submission, Path("grades.db"))
        origin = origin_of(kept.owner.origin)
        submitters = self._identified.submitters.get(kept.owner.submission) if self._identified else None
        marks = self._given.marks.get(kept.owner.submission, NO_MARKS)
        # Free late days of a group are those of all its members.
        marks = replace(marks, sharing=max(1, len(submitters or origin.submitters)))
        grade = self._scoring.grade(_owned(judged, kept, origin), marks, self._given.decisions)
        noted = replace(grade, review=(*grade.review, note)) if note else grade
        final = self._identified.applied(noted) if self._identified else noted
        return Final(final, kept, self._scoring.mistakes(judged))


def _owned(grade: Grade, kept: Kept, origin: Origin) -> Grade:
    """The grade with the name of its owner: the same files may have been judged under another name."""
    owner, sources = kept.owner, tuple(SourceFile(name, text) for name, text in kept.sources)
    grade = replace(grade, submission=owner.submission, student=owner.student, student_id=kept.student_id)
    grade = replace(grade, handed_in_as=owner.handed_in_as, origin=origin, sources=sources)
    return replace(grade, review=(*owner.notes, *grade.review))


def shown_by(grade: Grade) -> str:
    """A digest of a student's view of a grade and of the code that shows it: equal digests make equal pages."""
    return hashlib.sha256(f"{renderer()}\n{dump(for_student(grade))}".encode()).hexdigest()


def in_short(grade: Grade) -> Grade:
    """The grade without dialogues, for the table of final grades: enough to show changes and their reasons."""
    return replace(grade, cases=tuple(map(case_in_short, grade.cases)), learned=(), diagnostics=grade.diagnostics[:1])


def case_in_short(case: CaseResult) -> CaseResult:
    """The case without its dialogue, and with its first finding alone."""
    findings = tuple(
        replace(one, output="", reading=(), position="", steps=(), excerpt="", typed=()) for one in case.findings[:1]
    )
    return replace(case, turns=(), picture="", occasions=(), findings=findings)


def same_student(store: Store) -> dict[str, str]:
    """A sentence for each submission whose student number another one also has."""
    together: dict[str, list[str]] = defaultdict(list)
    numbers = store.student_ids()
    for owner in store.owners():
        if numbers.get(owner.submission):
            together[numbers[owner.submission].casefold()].append(owner.submission)
    return {
        submission: f"{len(several)} submissions carry the student number {numbers[submission]}: {', '.join(several)}"
        for several in together.values()
        if len(several) > 1
        for submission in several
    }
