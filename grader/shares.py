"""Which part of a criterion is earned, and which part is still open: pure, in exact fractions.

A case that waits for a person, or that we failed on, opens the points that rest on it. In a criterion that counts
kinds of defects these are the points of the case's kind; if each case earns its share, those of the case; otherwise
all.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from grader.results import CaseResult, Status, Verdict
from grader.spec.kinds import PROGRAM_KINDS
from grader.spec.model import Counts, Criterion, Spec
from grader.values import dataclass

_NOTHING, _WHOLE = Fraction(0), Fraction(1)
_OPENING = (Verdict.NEEDS_REVIEW, Verdict.JUDGE_ERROR)


@dataclass(frozen=True, slots=True)
class Standing:
    """How a criterion stands, from 0 to 1: it earns ``least`` whatever is decided of what is open, and ``most`` at best."""

    status: Status
    least: Fraction
    most: Fraction

    @property
    def undecided(self) -> bool:
        """Whether the whole share is undecided."""
        return self.least == _NOTHING and self.most == _WHOLE


@dataclass(frozen=True, slots=True)
class _Cases:
    """The cases that decide a criterion; ``met`` are the ids of all cases of the submission that are met."""

    spec: Spec
    criterion: Criterion
    cases: Sequence[CaseResult]
    met: Collection[str]

    def groups(self) -> Mapping[str, list[CaseResult]]:
        """The cases that are lost together: those of one kind of defect, or each by itself."""
        groups: dict[str, list[CaseResult]] = {}
        for case in self.cases:
            name = case.id if self.criterion.counts is Counts.EACH else self.spec.case(case.id).defect or ""
            groups.setdefault(name, []).append(case)
        return groups

    def seen_to_run(self, name: str) -> bool:
        """Whether a case was not tried, all cases that it requires are met, and one of them saw the program run."""
        required = [self.spec.case(one) for one in self.spec.case(name).requires]
        return all(case.id in self.met for case in required) and any(case.kind in PROGRAM_KINDS for case in required)

    def share(self, supposed: Mapping[str, Fraction]) -> Fraction:
        """The part of the criterion that its cases earn; ``supposed`` are the parts of those that are not decided.

        Cases that could not be tried take nothing off: to leave them out would make dearer what did fail. Yet nothing seen is nothing
        earned. If no judged case is right, such a case counts only in a criterion that counts kinds, after the program was seen to run.
        """
        criterion, cases = self.criterion, self.cases
        if not cases:
            return _WHOLE
        parts = {case.id: _part(case) for case in cases} | dict(supposed)
        untried = {case.id for case in cases if case.verdict is Verdict.UNJUDGED and case.id not in supposed}
        if not any(parts[case.id] for case in cases if case.id not in untried) and len(untried) < len(cases):
            for name in untried:
                seen = criterion.counts is Counts.KINDS and self.seen_to_run(name)
                parts[name] = _WHOLE if seen else _NOTHING
        if criterion.counts is Counts.ALL:
            return min(parts.values())
        least = {name: min(parts[case.id] for case in group) for name, group in self.groups().items()}
        if criterion.counts is Counts.KINDS and criterion.prices:
            prices = {kind: criterion.prices.get(kind, criterion.points) for kind in least}
            lost = sum((prices[kind] * (1 - part) for kind, part in least.items()), _NOTHING)
            return max(1 - lost / criterion.points, _NOTHING)
        each = criterion.counts is Counts.EACH
        weights = {name: self.spec.case(name).weight if each else criterion.weights.get(name, _WHOLE) for name in least}
        return sum((weights[name] * part for name, part in least.items()), _NOTHING) / sum(weights.values())


def standing(spec: Spec, criterion: Criterion, cases: Sequence[CaseResult], met: Collection[str]) -> Standing:
    """How a criterion stands by its cases; ``met`` are the ids of all cases of the submission that are met."""
    status, deciding = _status(criterion, cases), _Cases(spec, criterion, cases, met)
    if status is Status.GRADED:
        share = deciding.share({})
        return Standing(status, share, share)
    if status is Status.MANUAL:
        return Standing(status, _NOTHING, _WHOLE)
    # Another case charges the mistake already, and one mistake costs once.
    if criterion.counts is Counts.KINDS and all(case.excused and deciding.seen_to_run(case.id) for case in cases):
        return Standing(Status.GRADED, _WHOLE, _WHOLE)
    own = all(case.criterion == criterion.id for case in cases)
    waiting = set()
    for group in deciding.groups().values():  # cases that are lost together are open together
        unread = any(case.verdict in _OPENING for case in group)
        if unread or (any(case.over_budget for case in group) and not _failed(group)):
            waiting |= {case.id for case in group}
    undecided = all(case.id in waiting or case.verdict is Verdict.UNJUDGED for case in cases)
    if criterion.counts is Counts.ALL or not own or undecided:
        return Standing(status, _NOTHING, _WHOLE)
    least, most = (deciding.share(dict.fromkeys(waiting, part)) for part in (_NOTHING, _WHOLE))
    return Standing(status if least != most else Status.GRADED, least, most)


def _status(criterion: Criterion, cases: Sequence[CaseResult]) -> Status:
    verdicts = {case.verdict for case in cases}
    if criterion.manual or (cases and all(case.kind == "manual" for case in cases)):
        return Status.MANUAL
    if Verdict.JUDGE_ERROR in verdicts:
        return Status.JUDGE_ERROR
    untried = bool(cases) and verdicts == {Verdict.UNJUDGED}
    # cases that were not reached could change what it earns: to run out of the budget must gain nothing
    lost = criterion.counts is Counts.ALL and _failed(cases)
    cut_short = not lost and any(case.over_budget for case in cases)
    undecided = untried or Verdict.NEEDS_REVIEW in verdicts or cut_short
    return Status.NEEDS_REVIEW if undecided else Status.GRADED


def _failed(cases: Sequence[CaseResult]) -> bool:
    return any(case.verdict.blames_student and not _part(case) for case in cases)


def _part(case: CaseResult) -> Fraction:
    """The part of its points that a case earns: all, nothing, or its share if it can be met in part. One that could not be tried earns all."""
    if case.verdict is Verdict.UNJUDGED:
        return _WHOLE
    return Fraction(*case.share) if case.share is not None else Fraction(case.met)
