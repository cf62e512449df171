"""From kept verdicts to a grade: what scoring reads of a spec, put to what a judge found without it. No program runs."""

from __future__ import annotations

from dataclasses import replace

from grader.grading.deciding import NONE_DECIDED, Decisions, decide
from grader.results import CaseResult, Grade, Marks
from grader.scoring import NO_MARKS, priced, score
from grader.spec.loader import Assignment
from grader.spec.parts import filler, for_judging


class Scoring:
    """The scoring of one assignment. ``judged`` is the part of it by which programs are judged, and its fingerprint that of the verdicts."""

    def __init__(self, assignment: Assignment) -> None:
        self.assignment = assignment
        self.judged = for_judging(assignment)
        self._fill = filler(assignment, self.judged)
        self._cases = {case.id: case for case in assignment.spec.cases}

    def cases(self, judged: Grade) -> tuple[CaseResult, ...]:
        """The case results with the titles and hints of the whole spec."""
        return tuple(map(self._case, judged.cases))

    def grade(self, judged: Grade, marks: Marks = NO_MARKS, decisions: Decisions = NONE_DECIDED) -> Grade:
        """The grade that verdicts earn which were found by ``judged``: the same as if it had been graded by the whole spec.

        ``marks`` are what staff gave besides, ``decisions`` what they decided of mistakes.
        """
        spec = self.assignment.spec
        decided = decide(spec, self.cases(judged), decisions)
        points = score(spec, decided.cases, marks, decided.prices)
        return replace(
            judged,
            title=spec.title,
            language=spec.language,
            score=points.score,
            max_points=points.max_points,
            complete=points.complete,
            open_points=points.open_points,
            criteria=points.criteria,
            adjustments=(*decided.said, *points.adjustments),
            cases=priced(spec, decided.cases),
            provenance=replace(judged.provenance, spec_sha256=self.assignment.fingerprint),
            review=tuple(map(self._fill, judged.review)),
            revealed=self.assignment.revealed,
        )

    def _case(self, result: CaseResult) -> CaseResult:
        case = self._cases.get(result.id)
        findings = tuple(replace(f, message=self._fill(f.message), hint=self._fill(f.hint)) for f in result.findings)
        if case is None:  # it stands in for one that the spec does not have
            return replace(result, findings=findings)
        return replace(result, title=case.title, criterion=case.criterion, findings=findings, reveals=case.reveals)
