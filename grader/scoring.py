"""From case results to points: pure, in exact fractions, rounded once, here.

Points of a criterion = its share by its cases (`shares`), less the prices of slips charged to it, never below nothing; or what staff gave
for it. Its open part is the additional points that it would earn if everything that waits turned out right. The score is the sum of the graded criteria, deductions and lateness taken off, bonus added, never below nothing; or
the score that staff put in its place.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from grader.results import (
    Adjustment,
    CaseResult,
    Charge,
    CriterionResult,
    Grade,
    Marks,
    Number,
    Provenance,
    Status,
    Verdict,
)
from grader.shares import standing
from grader.spec.kinds import PROGRAM_KINDS
from grader.spec.model import Criterion, LatePolicy, SlipKind, Spec
from grader.spec.values import FORGIVE, WHOLE, part_of
from grader.submission import Submission
from grader.values import dataclass

NO_MARKS = Marks()
NO_PRICES: Mapping[str, Fraction] = {}

_NOT_RUN = {Verdict.SKIPPED, Verdict.UNJUDGED, Verdict.NEEDS_REVIEW, Verdict.JUDGE_ERROR}
_NOT_RUN |= {Verdict.COMPILE_ERROR, Verdict.MISSING_FILE}
"""Verdicts of a case that say nothing about the form of the output."""

# Points of one criterion are shown to this grain; the score is the rounded sum of the exact ones.
CRITERION_DIGITS = Fraction(1, 100)


@dataclass(frozen=True, slots=True)
class Score:
    """The sum of the rubric: the rounded score, the maximum, the open points, and each criterion."""

    score: Number
    max_points: Number
    open_points: Number
    criteria: tuple[CriterionResult, ...]
    adjustments: tuple[Adjustment, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether nothing is open that could change the score."""
        return not self.open_points


@dataclass(frozen=True, slots=True)
class _Earned:
    """One criterion before rounding: ``points`` are None if nothing of it is decided, and ``open`` those that are not."""

    criterion: Criterion
    points: Fraction | None
    open: Fraction
    result: CriterionResult

    @property
    def added(self) -> Fraction:
        """Its effect on the score while its open part is undecided: a deduction takes off only the part that is lost for certain."""
        if self.points is None:
            return Fraction(0)
        return self.points + self.open - self.criterion.points if self.criterion.kind == "deduction" else self.points


def graded(spec: Spec, submission: Submission, cases: tuple[CaseResult, ...], provenance: Provenance) -> Grade:
    """The grade of a submission as its cases decide it; whoever built the program adds what the grade says of it."""
    points = score(spec, cases)
    return Grade(
        assignment=spec.assignment,
        title=spec.title,
        submission=submission.id,
        student=submission.student,
        student_id=submission.student_id,
        handed_in_as=submission.handed_in_as,
        score=points.score,
        max_points=points.max_points,
        complete=not points.open_points,
        open_points=points.open_points,
        criteria=points.criteria,
        cases=cases,
        provenance=provenance,
        origin=submission.origin,
        language=spec.language,
    )


def score(
    spec: Spec, results: Sequence[CaseResult], marks: Marks = NO_MARKS, prices: Mapping[str, Fraction] = NO_PRICES
) -> Score:
    """The points that these case results earn under the rubric of ``spec``, with the marks that staff gave by hand.

    ``prices`` are what staff take off the points of criteria for mistakes that they decided about.

    If only some cases were run, a criterion without any of them is left out.
    """
    ran = {result.criterion for result in results}
    tested = {case.criterion for case in spec.cases}
    judged = [c for c in spec.rubric if c.id in ran or c.id not in tested]
    earned = [_marked(_criterion(spec, one, results, prices.get(one.id, Fraction(0))), marks) for one in judged]
    total = sum((one.added for one in earned), Fraction(0))
    left_open = sum((one.open for one in earned if one.criterion.kind == "points"), Fraction(0))
    # A bonus lies beyond the maximum, and a deduction is no part of it.
    most = sum((c.points for c in judged if c.kind == "points"), Fraction(0))
    before = max(total, Fraction(0))
    late, policy = Fraction(0), spec.late
    if policy is not None and marks.late > policy.grace:
        days = math.ceil(marks.late) - _free(policy, marks)
        late = min(days * part_of(policy.per_day, most), part_of(policy.cap, most))
    after = max(total - late, Fraction(0))
    if marks.override is not None:
        left_open = Fraction(0)
    return Score(
        score=rounded(after if marks.override is None else marks.override, spec.rounding),
        max_points=rounded(most, spec.rounding),
        open_points=_open(after, left_open, spec.rounding),
        criteria=tuple(e.result for e in earned),
        adjustments=tuple(_adjustments(spec, marks, before, after)),
    )


def _open(score: Fraction, left_open: Fraction, grain: Fraction) -> Number:
    """The open points beside a score, so that both together are the possible score; never 0 if something is open."""
    whole, alone = (Fraction(str(rounded(one, grain))) for one in (score + left_open, score))
    return rounded((whole - alone) or left_open, CRITERION_DIGITS)


def priced(spec: Spec, results: Sequence[CaseResult]) -> tuple[CaseResult, ...]:
    """The results with the price of each that failed: the points that it and the cases skipped for it lose, were all others right."""
    if not spec.rubric:
        return tuple(results)
    right = {r.id: replace(r, verdict=Verdict.ACCEPTED, met=True, share=None, findings=()) for r in results}
    failed = {r.id: _lost(spec, _behind(spec, r, results), results, right) for r in results if r.verdict.blames_student}
    return tuple(replace(result, price=failed[result.id]) if result.id in failed else result for result in results)


def _behind(spec: Spec, failed: CaseResult, results: Sequence[CaseResult]) -> frozenset[str]:
    """A failed case with the skipped ones that require it, directly or by way of others."""
    behind = {failed.id}
    skipped = {result.id for result in results if result.verdict is Verdict.SKIPPED}
    waiting = [case for case in spec.cases if case.id in skipped]
    while more := {case.id for case in waiting if behind.intersection(case.requires)} - behind:
        behind |= more
    return frozenset(behind)


def _lost(spec: Spec, behind: frozenset[str], results: Sequence[CaseResult], right: Mapping[str, CaseResult]) -> Number:
    """The points that these results lose where all others are right; neither a bonus nor points that people give are lost."""
    mixed = [result if result.id in behind else right[result.id] for result in results]
    touched = _payers(spec) | {result.criterion for result in results if result.id in behind}
    lost = Fraction(0)
    for criterion in spec.rubric:
        if criterion.id in touched and criterion.kind != "bonus":
            one = _criterion(spec, criterion, mixed, Fraction(0))
            lost += criterion.points - one.points - one.open if one.points is not None else 0
    return rounded(lost, CRITERION_DIGITS)


def _marked(earned: _Earned, marks: Marks) -> _Earned:
    """The criterion with the points that staff gave for it, if they did."""
    given, criterion = marks.given.get(earned.criterion.id), earned.criterion
    if given is None:
        return earned
    text = f"given by staff: {_figure(given.points)} of {_figure(criterion.points)}"
    if earned.result.points is not None:
        text += f" instead of {_figure(Fraction(str(earned.result.points)))}"
        text += f", with {_figure(earned.open)} open" if earned.open else ""
    text += f", “{given.comment}”" if given.comment else ""
    return _earned(criterion, given.points, Fraction(0), Status.GRADED, given=text)


def _free(policy: LatePolicy, marks: Marks) -> int:
    """The number of days that cost nothing."""
    # Courses give each student some days; who shares a submission shares them.
    return min(math.ceil(marks.late), policy.free * marks.sharing)


def _adjustments(spec: Spec, marks: Marks, before: Fraction, after: Fraction) -> Iterable[Adjustment]:
    if marks.late:
        policy, days = spec.late, math.ceil(marks.late)
        text = f"handed in late: {_span(marks.late)}"
        if policy is None:
            text += "; the spec sets no price for that"
        elif marks.late <= policy.grace:
            text += ", which is within the time of grace"
        else:
            free = _free(policy, marks)
            each = "" if days - free == 1 else " each"
            text += f", which is {_days(days)} begun"
            if free:
                whose = " to the group" if marks.sharing > 1 else ""
                text += f", of which {_days(free)} {'is' if free == 1 else 'are'} free{whose}"
            if days > free:
                text += f"{', the others' if free else ''} at {policy.per_day}{each}, at most {policy.cap}"
        yield Adjustment("late", text, _rest(after, before, spec))
    if marks.override is not None:
        text = f"score set by staff: {_figure(marks.override)} instead of {_figure(after)}, “{marks.reason}”"
        yield Adjustment("override", text, _rest(marks.override, after, spec))
    if marks.comment:
        yield Adjustment("comment", marks.comment)


def _rest(one: Fraction, other: Fraction, spec: Spec) -> Number:
    """The difference of two scores as they are shown."""
    first, second = (Fraction(str(rounded(value, spec.rounding))) for value in (one, other))
    return _as_number(first - second)


def _figure(points: Fraction) -> str:
    return f"{rounded(points, CRITERION_DIGITS):g}"


def _span(days: Fraction) -> str:
    """``1 day``, or ``3 h 20 min`` where it is no whole number of days."""
    if days.denominator == 1:
        return _days(int(days))
    minutes = round(days * 24 * 60)
    parts = ((minutes // (24 * 60), "d"), (minutes // 60 % 24, "h"), (minutes % 60, "min"))
    return " ".join(f"{count} {unit}" for count, unit in parts if count)


def _days(count: int) -> str:
    return "1 day" if count == 1 else f"{count} days"


def rounded(value: Fraction, grain: Fraction) -> Number:
    """``value`` to the nearest multiple of ``grain``, halves up; a whole number comes out as an int."""
    # A spec without `rounding` has a grain of 0.
    grain = grain or CRITERION_DIGITS
    return _as_number(((value / grain + Fraction(1, 2)) // 1) * grain)


def _as_number(exact: Fraction) -> Number:
    return int(exact) if exact.denominator == 1 else float(exact)


def _criterion(spec: Spec, criterion: Criterion, results: Sequence[CaseResult], decided: Fraction) -> _Earned:
    cases = [r for r in results if r.criterion == criterion.id] or _without_form(spec, criterion, results)
    met = {result.id for result in results if result.met}
    stands = standing(spec, criterion, cases, met)
    if stands.undecided:
        return _earned(criterion, None, criterion.points, stands.status)
    charges = tuple(_charges(spec, criterion, results))
    cost = sum((_price(spec, charge.slip, criterion) for charge in charges), decided)
    points, most = (max(criterion.points * share - cost, Fraction(0)) for share in (stands.least, stands.most))
    priced = f"{_figure(decided)} taken off by a decision of staff" if decided else ""
    reason = ", ".join(filter(None, (_reason(cases), priced)))
    return _earned(criterion, points, most - points, stands.status, charges=charges, reason=reason)


def _without_form(spec: Spec, criterion: Criterion, results: Sequence[CaseResult]) -> list[CaseResult]:
    """The cases that decide a criterion which only pays for slips, where none of them ran: no output has a form that earns points.

    Empty where a case ran, and for other criteria. A deduction gives no points: it takes off only what slips cost.
    """
    # A student without files got 4 of 20 by the spec of the tutorial, for a form in which nothing was wrong.
    if criterion.id not in _payers(spec) or criterion.kind == "deduction":
        return []
    cases = [result for result in results if result.kind in PROGRAM_KINDS]
    return cases if all(result.verdict in _NOT_RUN for result in cases) else []


def _payers(spec: Spec) -> set[str | None]:
    """The criteria that pay for slips."""
    return {slip.criterion or spec.text.criterion for slip in spec.text.slips.values()}


def _charges(spec: Spec, criterion: Criterion, results: Iterable[CaseResult]) -> Iterable[Charge]:
    """The slips that this criterion pays for, each kind once, in the order of gravity."""
    seen: dict[str, list[CaseResult]] = {}
    for result in results:
        for finding in result.slips:
            cases = seen.setdefault(finding.code, [])
            if result not in cases:
                cases.append(result)
    for kind in SlipKind:
        slip = spec.text.slips.get(kind)
        if slip is None or kind not in seen or (slip.criterion or spec.text.criterion) != criterion.id:
            continue
        message = next(f.message for f in seen[kind][0].slips if f.code == kind)
        price = rounded(_price(spec, kind, criterion), CRITERION_DIGITS)
        yield Charge(str(kind), price, tuple(case.id for case in seen[kind]), message)


def _price(spec: Spec, kind: str, criterion: Criterion) -> Fraction:
    price = spec.text.slips[SlipKind(kind)].price
    return price if isinstance(price, Fraction) else {WHOLE: criterion.points, FORGIVE: Fraction(0)}[price]


def _earned(
    criterion: Criterion, points: Fraction | None, left_open: Fraction, status: Status, **others: Any
) -> _Earned:
    """A criterion that earned these points, with ``others`` of the fields of its result."""
    most = rounded(criterion.points, CRITERION_DIGITS)
    still: Number = most if points is None else 0
    if points is not None and left_open:
        still = _open(points, left_open, CRITERION_DIGITS)
    shown = None if points is None else rounded(points, CRITERION_DIGITS)
    names = (criterion.id, criterion.title)
    result = CriterionResult(*names, shown, most, status, kind=criterion.kind, open=still, **others)
    return _Earned(criterion, points, left_open, result)


def _reason(cases: Sequence[CaseResult]) -> str:
    """A sentence on its cases that are not met. It tells only the number of hidden ones."""
    counts = Counter(case.verdict for case in cases)
    failed = sum(not case.met and case.verdict.blames_student for case in cases)
    parts = [f"{failed} of {len(cases)} cases failed"] if failed else []
    parts += [f"{counts[Verdict.SKIPPED]} skipped"] if counts[Verdict.SKIPPED] else []
    parts += [f"{counts[Verdict.UNJUDGED]} could not be tried"] if counts[Verdict.UNJUDGED] else []
    return ", ".join(parts)
