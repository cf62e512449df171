"""From kept verdicts to a grade: what scoring reads of a spec, put to what a judge found without it. No program runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from grader.grading.deciding import NONE_DECIDED, Decision, Decisions, Mistake, decide, mistakes
from grader.report.waiting import notes, resting, settled
from grader.results import CaseResult, Grade, Marks, Verdict
from grader.scoring import NO_MARKS, priced, score
from grader.spec.loader import Assignment
from grader.spec.parts import filler, for_judging

_NOTHING_BUILT = (Verdict.COMPILE_ERROR, Verdict.MISSING_FILE)


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
        cases = self.cases(judged)
        decided = decide(spec, cases, decisions)
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
            review=tuple(map(self._fill, _review(judged, notes(points.criteria, decided.cases)))),
            revealed=self.assignment.revealed,
        )

    def mistakes(self, judged: Grade) -> tuple[Mistake, ...]:
        """The mistakes in a submission before any decision, each with what its group costs.

        That is what would be lost if all other mistakes were accepted: so two that fail the same case have both the price of it.
        If nothing could be built, all that is not earned is lost by that.
        """
        cases = self.cases(judged)
        whole = self._missing(cases)
        found = mistakes(self.assignment.spec, cases)
        groups = dict.fromkeys(one.group for one in found)
        best = self._worth(cases, groups)
        without = {group: self._worth(cases, [other for other in groups if other != group]) for group in groups}
        return tuple(
            replace(
                one,
                lost=whole
                if one.case.verdict in _NOTHING_BUILT
                else sum(best, Fraction(0)) - sum(without[one.group], Fraction(0)),
                waiting=max(Fraction(0), without[one.group][1] - best[1]),
            )
            for one in found
        )

    def _missing(self, cases: Sequence[CaseResult]) -> Fraction:
        """The points that are neither earned nor open."""
        points = score(self.assignment.spec, cases)
        return Fraction(str(points.max_points)) - Fraction(str(points.score)) - Fraction(str(points.open_points))

    def _worth(self, cases: Sequence[CaseResult], accepted: Iterable[str]) -> tuple[Fraction, Fraction]:
        """The score and the open points where these groups of mistakes are accepted, and with each that waited what rests on it alone."""
        spec = self.assignment.spec
        decided = decide(spec, cases, dict.fromkeys(accepted, Decision(accept=True)))
        met = {case.id for case in decided.cases if case.met}
        rests = resting(spec, cases)
        held_up = {name for root, names in rests.items() if root not in met for name in names}
        released = {name for names in rests.values() for name in names} - held_up
        before = {case.id: case for case in cases}
        results = [before[case.id] if case.id in held_up else case for case in decided.cases]
        points = score(spec, settled(results, released), NO_MARKS, decided.prices)
        return Fraction(str(points.score)), Fraction(str(points.open_points))

    def _case(self, result: CaseResult) -> CaseResult:
        case = self._cases.get(result.id)
        findings = tuple(replace(f, message=self._fill(f.message), hint=self._fill(f.hint)) for f in result.findings)
        if case is None:  # it stands in for one that the spec does not have
            return replace(result, findings=findings)
        return replace(result, title=case.title, criterion=case.criterion, findings=findings, reveals=case.reveals)


def _review(judged: Grade, waiting: Sequence[str]) -> Iterable[str]:
    """The notes for a person, with those on cases that wait now in place of those that waited when they were judged.

    An earlier version told of cases without their ids.
    """
    then = (case for case in judged.cases if case.verdict is Verdict.NEEDS_REVIEW and case.findings)
    before = {f"{case.title}: {case.findings[0].message}" for case in then} | {*notes(judged.criteria, judged.cases)}
    at = next((number for number, note in enumerate(judged.review) if note in before), len(judged.review))
    left = [[note for note in part if note not in before] for part in (judged.review[:at], judged.review[at:])]
    return (*left[0], *waiting, *left[1])
