"""The same mistake, decided once: findings that are alike over a class have one name, and a decision of staff holds for all of them.

Alike are findings of one kind, under one criterion, with one difference between what was expected and what was found; where
there are no two texts, with one message, whatever was typed before and whatever numbers are in it. A decision never hides what it does not
speak of: where turns after the accepted one differ too, or cases were not run since they required the failed one, a person decides.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction

from grader.results import Adjustment, CaseResult, Finding, Verdict, Visibility, Weight
from grader.spec.model import Spec
from grader.values import dataclass

_TYPED = re.compile(r", (?:after [^,]|at the start).*$", re.DOTALL)
_NUMBERS = re.compile(r"\d+")
_LATER = "later-turns"
_DIGITS = 7


@dataclass(frozen=True, slots=True)
class Decision:
    """What staff decided of a mistake: it is accepted, or costs a price in place of what it lost, or gets a comment only."""

    accept: bool = False
    price: Fraction | None = None
    comment: str = ""
    why: str = ""

    @property
    def settles(self) -> bool:
        """Whether the mistake does not fail its case any more."""
        return self.accept or self.price is not None

    @property
    def sentence(self) -> str:
        """What was decided, for whom it concerns: ``accepted, “the text leaves it open”``."""
        said = "accepted" if self.accept else f"costs {float(self.price):g}" if self.price is not None else ""
        parts = (said, f"“{self.why}”" if self.why else "", self.comment)
        return ", ".join(filter(None, parts))


Decisions = Mapping[str, Decision]
NONE_DECIDED: Decisions = {}


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake in one submission: its name, and a finding and the case that show it."""

    key: str
    finding: Finding
    case: CaseResult


@dataclass(frozen=True, slots=True)
class Decided:
    """Case results after decisions: what each criterion pays for priced mistakes, once each, and what the grade says of it."""

    cases: tuple[CaseResult, ...]
    prices: Mapping[str, Fraction] = field(default_factory=dict)
    said: tuple[Adjustment, ...] = ()


def mistakes(cases: Sequence[CaseResult]) -> Iterator[Mistake]:
    """The mistakes in a submission, each once."""
    seen = set()
    for case in cases:
        for finding in case.findings:
            if _counts(case, finding) and (key := key_of(case, finding)) not in seen:
                seen.add(key)
                yield Mistake(key, finding, case)


def key_of(case: CaseResult, finding: Finding) -> str:
    """The name that a finding has in common with all that are alike."""
    difference = (finding.expected, finding.actual)
    if not any(difference):
        difference = (_NUMBERS.sub("#", _TYPED.sub("", finding.message)), "")
    text = "\0".join((finding.code, case.criterion or "", *difference))
    return f"m{hashlib.sha256(text.encode('utf-8', 'surrogateescape')).hexdigest()[:_DIGITS]}"


def _counts(case: CaseResult, finding: Finding) -> bool:
    """Whether a finding is a mistake of the submission, or an answer that could not be read."""
    judged = case.verdict.blames_student or case.verdict is Verdict.NEEDS_REVIEW
    return judged and finding.weight is not Weight.NOTE


def decide(spec: Spec, cases: Sequence[CaseResult], decisions: Decisions) -> Decided:
    """The results with what staff decided; untouched where nothing of it concerns them."""
    found = [one for one in mistakes(cases) if one.key in decisions] if decisions else []
    if not found:
        return Decided(tuple(cases))
    prices: dict[str, Fraction] = {}
    for one in found:
        price = decisions[one.key].price
        if price is not None and one.case.criterion is not None:
            prices[one.case.criterion] = prices.get(one.case.criterion, Fraction(0)) + price
    changed = {case.id: _decided(case, decisions) for case in cases}
    settled = {case.id for case in cases if changed[case.id].met and not case.met}
    results = _opened(spec, tuple(changed.values()), settled)
    return Decided(results, prices, tuple(_said(one, decisions[one.key]) for one in found))


def _said(one: Mistake, decision: Decision) -> Adjustment:
    """What the grade says of a decision. Its student reads it, too: of a case that is not shown only as much as is."""
    what = {
        Visibility.VISIBLE: one.finding.message,
        Visibility.HIDDEN: f"a mistake in “{one.case.title}”",
        Visibility.STAFF: "a mistake in a case for staff",
    }[one.case.visibility]
    return Adjustment("decision", f"decided for all who have it ({one.key}): {what}: {decision.sentence}")


def _decided(case: CaseResult, decisions: Decisions) -> CaseResult:
    findings = tuple(
        _noted(finding, decisions[key])
        if _counts(case, finding) and (key := key_of(case, finding)) in decisions
        else finding
        for finding in case.findings
    )
    if findings == case.findings:
        return case
    left = {finding.weight for finding in findings} - {Weight.NOTE}
    touched = any(old.weight is not new.weight for old, new in zip(case.findings, findings, strict=True))
    result = replace(case, findings=findings)
    if not touched or Weight.DEFECT in left:
        return result
    if any(finding.code == _LATER for finding in findings):
        return replace(result, verdict=Verdict.NEEDS_REVIEW, met=False, share=None)
    verdict = Verdict.FORM if Weight.SLIP in left else Verdict.ACCEPTED
    return replace(result, verdict=verdict, met=True, share=None)


def _noted(finding: Finding, decision: Decision) -> Finding:
    """The finding with the decision beside it; one that settles it makes it a note."""
    message = f"{finding.message}; staff decided: {decision.sentence}"
    return replace(finding, message=message, weight=Weight.NOTE if decision.settles else finding.weight)


def _opened(spec: Spec, cases: tuple[CaseResult, ...], settled: set[str]) -> tuple[CaseResult, ...]:
    """The results; what was not run since it requires a case that is settled now is for a person."""
    requires = {case.id: case.requires for case in spec.cases}
    opened = set(settled)
    results = {case.id: case for case in cases}
    for _ in cases:
        before = len(opened)
        for case in results.values():
            if case.verdict is Verdict.SKIPPED and opened.intersection(requires.get(case.id, ())):
                said = "not run: it requires a case whose mistake staff decided about"
                finding = Finding(str(Verdict.NEEDS_REVIEW), said)
                results[case.id] = replace(case, verdict=Verdict.NEEDS_REVIEW, findings=(finding,))
                opened.add(case.id)
        if len(opened) == before:
            break
    return tuple(results.values())
