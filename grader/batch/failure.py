"""The grade of a submission that was not judged: the grader itself failed on it, or it took too long. Not one point is lost."""

from __future__ import annotations

from grader import __version__
from grader.grading.trial import unmet
from grader.intake.source import Entry
from grader.results import OVER_BUDGET, Finding, Grade, Provenance, Verdict
from grader.scoring import score
from grader.spec.loader import Assignment

HINT = "this is the grader's fault, and no points are lost: a person should look at it"


def failed_grade(assignment: Assignment, entry: Entry, reason: str) -> Grade:
    """The grade that says that the grader failed. The submission is not read again: reading it may be what failed."""
    finding = Finding("judge-error", reason, hint=HINT)
    return _grade(assignment, entry, Verdict.JUDGE_ERROR, finding, f"Our error: {reason}")


def unjudged_grade(assignment: Assignment, entry: Entry, seconds: float) -> Grade:
    """The grade that says that judging was broken off after so many seconds."""
    reason = f"not judged: judging this submission was broken off after {seconds:g} s"
    return _grade(assignment, entry, Verdict.UNJUDGED, Finding(OVER_BUDGET, reason), reason)


def _grade(assignment: Assignment, entry: Entry, verdict: Verdict, finding: Finding, review: str) -> Grade:
    spec = assignment.spec
    cases = tuple(unmet(case, verdict, finding) for case in spec.cases)
    points = score(spec, cases)
    return Grade(
        assignment=spec.assignment,
        title=spec.title,
        submission=entry.id,
        student=entry.student,
        student_id=entry.student_id,
        handed_in_as=entry.handed_in_as,
        score=points.score,
        max_points=points.max_points,
        complete=False,
        open_points=points.open_points,
        criteria=points.criteria,
        cases=cases,
        provenance=Provenance(assignment.fingerprint, "", __version__, 0),
        review=(review,),
        origin=entry.origin,
        language=spec.language,
    )
