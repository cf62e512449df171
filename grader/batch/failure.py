"""The grade of a submission on which the grader itself failed: every case a judge error, and not one point lost."""

from __future__ import annotations

from grader import __version__
from grader.intake.source import Entry
from grader.results import CaseResult, Finding, Grade, Provenance, Verdict
from grader.scoring import score
from grader.spec.loader import Assignment

HINT = "this is the grader's fault, and no points are lost: a person should look at it"


def failed_grade(assignment: Assignment, entry: Entry, reason: str) -> Grade:
    """The grade that says so. The submission is not read again: reading it may be what failed."""
    spec = assignment.spec
    finding = Finding("judge-error", reason, hint=HINT)
    cases = tuple(
        CaseResult(
            id=case.id,
            title=case.title,
            kind=case.kind,
            criterion=case.criterion,
            verdict=Verdict.JUDGE_ERROR,
            visibility=case.visibility,
            met=False,
            findings=(finding,),
        )
        for case in spec.cases
    )
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
        review=(f"Our error: {reason}",),
    )
