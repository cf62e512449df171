"""A batch at a glance: one small row for each grade, and the statistics of a table of them."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence

from grader.report.words import verdicts
from grader.results import Grade, Number, Verdict
from grader.values import dataclass

BINS = 10
_MOST_FAILED = 8


@dataclass(frozen=True, slots=True)
class Cell:
    """The points of one criterion in a row; ``points`` is None while they are open."""

    id: str
    title: str
    points: Number | None
    max_points: Number


@dataclass(frozen=True, slots=True)
class Row:
    """What the index shows of one grade: small, so that a batch need not hold its grades."""

    submission: str
    student: str
    student_id: str
    score: Number
    max_points: Number
    open_points: Number
    complete: bool
    cells: tuple[Cell, ...]
    verdicts: tuple[tuple[Verdict, int], ...]
    failed: tuple[tuple[str, str], ...]
    review: tuple[str, ...]
    sandbox: str
    cut_short: bool = False
    alarm: str = ""
    late: bool = False
    mistakes: tuple[str, ...] = ()
    course_faults: tuple[str, ...] = ()

    @classmethod
    def of(cls, grade: Grade, mistakes: tuple[str, ...] = ()) -> Row:
        """The row of a grade; ``failed`` holds id and title of the cases that failed through the submission.

        ``sandbox`` says where it was run, as ``Provenance`` does; ``cut_short`` that it was not judged to the end;
        ``alarm`` what staff are told of many judge errors; ``course_faults`` what is wrong with files of the course; ``mistakes`` are the names of those in it.
        """
        return cls(
            submission=grade.submission,
            student=grade.student,
            student_id=grade.student_id,
            score=grade.score,
            max_points=grade.max_points,
            open_points=grade.open_points,
            complete=grade.complete,
            cells=tuple(Cell(c.id, c.title, c.points, c.max_points) for c in grade.criteria),
            verdicts=verdicts(grade.cases),
            failed=tuple((c.id, c.title) for c in grade.cases if c.verdict.blames_student),
            review=grade.review,
            sandbox=grade.provenance.sandbox,
            cut_short=any(case.over_budget for case in grade.cases),
            alarm=grade.alarm,
            late=grade.origin.late,
            mistakes=mistakes,
            course_faults=grade.course_faults,
        )

    def cases(self, *, accepted: bool) -> int:
        """How many cases were accepted, or failed through the submission."""
        wanted = (v for v in self.verdicts if (v[0] is Verdict.ACCEPTED if accepted else v[0].blames_student))
        return sum(count for _, count in wanted)

    @property
    def without_program(self) -> bool:
        """Whether nothing was found that could be graded."""
        return self.score <= 0 and Verdict.MISSING_FILE in dict(self.verdicts)

    @property
    def judge_errors(self) -> int:
        """How many cases failed through our fault."""
        return dict(self.verdicts).get(Verdict.JUDGE_ERROR, 0)

    @property
    def judge_error(self) -> bool:
        """Whether a case failed through our fault."""
        return bool(self.judge_errors)

    @property
    def needs_review(self) -> bool:
        """Whether a case could not be read, so that a person decides."""
        return any(verdict is Verdict.NEEDS_REVIEW for verdict, _ in self.verdicts)

    @property
    def to_look_at(self) -> bool:
        """Whether a person should look at the submission before the scores go out, manual criteria apart."""
        return bool(self.review) or self.judge_error or self.needs_review


@dataclass(frozen=True, slots=True)
class Statistics:
    """The figures above the index. ``bins`` counts scores by tenths of the maximum, the full score in the last.

    ``mean`` and ``median`` are text with at most one decimal, since they are for reading; empty without rows.
    ``most_failed`` holds id, title and count of the cases that failed most often.
    """

    count: int
    mean: str
    median: str
    open: int
    to_look_at: int
    judge_errors: int
    bins: tuple[int, ...]
    most_failed: tuple[tuple[str, str, int], ...]

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Statistics:
        """The statistics of a batch; of none where there are no rows."""
        scores = [row.score for row in rows]
        bins = Counter(_bin(row) for row in rows)
        titles = {case: title for row in rows for case, title in row.failed}
        failed = Counter(case for row in rows for case, _ in row.failed)
        return cls(
            count=len(rows),
            mean=_figure(statistics.fmean(scores)) if scores else "",
            median=_figure(statistics.median(scores)) if scores else "",
            open=sum(not row.complete for row in rows),
            to_look_at=sum(row.to_look_at for row in rows),
            judge_errors=sum(row.judge_error for row in rows),
            bins=tuple(bins[index] for index in range(BINS)),
            most_failed=tuple((case, titles[case], times) for case, times in failed.most_common(_MOST_FAILED)),
        )


def _bin(row: Row) -> int:
    share = row.score / row.max_points if row.max_points else 0
    return min(BINS - 1, max(0, int(share * BINS)))


def _figure(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
