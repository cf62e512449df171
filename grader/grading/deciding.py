"""The same mistake, decided once: a decision of staff holds for everybody in a class who made it.

Theory of operation. Findings of one code, criterion and kind of defect are a **group**. Those of a group with the same
texts of the program are a **variant** of it. Both have names made of just these parts, never of our sentences, which
may be reworded, nor of inputs. So a variant is one mistake in every case that shows it, and is decided and paid for
once.

A decision never hides other mistakes. A person decides if later turns differ as well, or if cases were not run because
they required the failed one.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction

from grader.report.waiting import notes, resting, settled
from grader.results import Adjustment, CaseResult, Finding, Grade, Marks, Verdict, Visibility, Weight
from grader.scoring import NO_MARKS, priced, score
from grader.spec.loader import Assignment
from grader.spec.model import SlipKind, Spec
from grader.spec.parts import filler, for_judging
from grader.values import dataclass

_TYPED = re.compile(r", (?:after [^,]|at the start).*$", re.DOTALL)
_NUMBERS = re.compile(r"\d+")
_QUOTED = re.compile("“([^”]*)”")
_NOTHING = "(nothing)"  # stands for a missing text of the program
_LATER = "later-turns"
_DIGITS = 7  # hexadecimal digits of a mistake's id, as people type it: 268 million for a class's few hundred mistakes


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of staff on a mistake: it is accepted, or costs a price instead of its loss, or only gets a comment.

    ``about`` is the sentence that the mistake had when it was decided.
    """

    accept: bool = False
    price: Fraction | None = None
    comment: str = ""
    why: str = ""
    about: str = ""

    @property
    def settles(self) -> bool:
        """Whether the case is now met in spite of the mistake."""
        return self.accept or self.price is not None

    @property
    def sentence(self) -> str:
        """The decision as a sentence for the student: ``accepted, “the text leaves it open”``."""
        verdict = "accepted" if self.accept else f"costs {float(self.price):g}" if self.price is not None else ""
        parts = (verdict, f"“{self.why}”" if self.why else "", self.comment)
        return ", ".join(filter(None, parts))


Decisions = Mapping[str, Decision]
NONE_DECIDED: Decisions = {}


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake in one submission: the names of its variant and of its group, and a finding and the case that show it.

    ``criterion`` is the one that loses points, and ``defect`` the kind of defect that its cases look for. ``cases``
    names all cases that show it. ``old`` are its names from when our sentences were part of a name. ``lost`` is the
    cost of its group alone for the submission, and ``waiting`` the points that are open because of it.
    """

    key: str
    finding: Finding
    case: CaseResult
    group: str = ""
    criterion: str = ""
    defect: str = ""
    cases: tuple[str, ...] = ()
    old: frozenset[str] = frozenset()
    lost: Fraction = Fraction(0)
    waiting: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Decided:
    """Case results after decisions: each criterion's payments for priced mistakes, once each; notes in the grade."""

    cases: tuple[CaseResult, ...]
    prices: Mapping[str, Fraction] = field(default_factory=dict)
    said: tuple[Adjustment, ...] = ()


class Names:
    """The names of mistakes under one spec: of variants and of groups.

    A slip belongs to the criterion that pays for it, in any case that shows it, and to no kind of defect.
    """

    def __init__(self, spec: Spec) -> None:
        self._defects = {case.id: case.defect or "" for case in spec.cases}
        self._paying = {
            str(kind): slip.criterion or spec.text.criterion or "" for kind, slip in spec.text.slips.items()
        }

    def kind(self, case: CaseResult, finding: Finding) -> tuple[str, str]:
        """The criterion that a finding costs points, and its kind of defect. Each may be empty."""
        if finding.weight is Weight.SLIP:
            return self._paying.get(finding.code, ""), ""
        return case.criterion or "", self._defects.get(case.id, "")

    def group(self, case: CaseResult, finding: Finding) -> str:
        """The name of all findings of one code, under one criterion and one kind of defect."""
        return _name("g", finding.code, *self.kind(case, finding))

    def variant(self, case: CaseResult, finding: Finding) -> str:
        """The name of all findings of one group with the same texts of the program."""
        return _name("m", finding.code, *self.kind(case, finding), *_texts(case, finding))


def mistakes(spec: Spec, cases: Sequence[CaseResult]) -> tuple[Mistake, ...]:
    """The mistakes in a submission, each once."""
    by_key: dict[str, Mistake] = {}
    names = Names(spec)
    for case in cases:
        for finding in case.findings:
            if not _counts(case, finding):
                continue
            key, old = names.variant(case, finding), frozenset(_old_keys(case, finding))
            before = by_key.get(key)
            if before is None:
                group = names.group(case, finding)
                by_key[key] = Mistake(key, finding, case, group, *names.kind(case, finding), (case.id,), old)
            else:
                held = tuple(dict.fromkeys((*before.cases, case.id)))
                by_key[key] = replace(before, cases=held, old=before.old | old)
    return tuple(by_key.values())


def _texts(case: CaseResult, finding: Finding) -> tuple[str, ...]:
    """The program's own part of a finding: the texts that differ, or the names in it."""
    expected, actual = ("" if text == _NOTHING else text for text in (finding.expected, finding.actual))
    if finding.code == SlipKind.ECHO:
        return ()  # one mistake, whichever key was not echoed, and whatever appeared instead
    if expected or actual:
        return ("differs", expected, actual)
    if finding.subject:
        return ("names", *finding.subject)
    if case.verdict is Verdict.NEEDS_REVIEW:  # words that could not be read: each text is a separate mistake
        return ("words", *(_NUMBERS.sub("#", one) for one in _QUOTED.findall(finding.message)))
    return ()


def _name(kind: str, *parts: str) -> str:
    text = "\0".join(parts)
    return f"{kind}{hashlib.sha256(text.encode('utf-8', 'surrogateescape')).hexdigest()[:_DIGITS]}"


def _old_keys(case: CaseResult, finding: Finding) -> Iterator[str]:
    """The names of old decisions, from when our sentence stood for missing texts."""
    if any((finding.expected, finding.actual)):
        yield _name("m", finding.code, case.criterion or "", finding.expected, finding.actual)
    else:
        yield _old_key(case, finding, finding.message)
    if finding.code == SlipKind.ECHO:  # its texts were not told
        yield _name("m", finding.code, case.criterion or "", _NOTHING, _NOTHING)


def _old_key(case: CaseResult, finding: Finding, sentence: str) -> str:
    return _name("m", finding.code, case.criterion or "", _NUMBERS.sub("#", _TYPED.sub("", sentence)), "")


def deciding(one: Mistake, decisions: Decisions) -> Mapping[str, Decision]:
    """The decisions on a mistake: on its variant, or else on its group, or else under old names."""
    for key in (one.key, one.group):
        if key in decisions:
            return {key: decisions[key]}
    return {key: decision for key, decision in decisions.items() if key in one.old or _spoke_of(key, decision, one)}


def _spoke_of(key: str, decision: Decision, one: Mistake) -> bool:
    """Tells by the sentence in an old decision whether it was on this mistake, even if we now word it differently."""
    if not decision.about or any((one.finding.expected, one.finding.actual)):
        return False
    named = all(name in decision.about for name in one.finding.subject)
    return named and _old_key(one.case, one.finding, decision.about) == key


def _counts(case: CaseResult, finding: Finding) -> bool:
    """Whether a finding is a mistake of the submission, or an answer that could not be read."""
    judged = case.verdict.blames_student or case.verdict is Verdict.NEEDS_REVIEW
    return judged and finding.weight is not Weight.NOTE


def decide(spec: Spec, cases: Sequence[CaseResult], decisions: Decisions) -> Decided:
    """The results after the decisions of staff that concern them.

    A price is paid once, for all variants and cases of the decision. It replaces the loss by the mistake: if other
    mistakes fail each of its cases, nothing is given back, and nothing is paid.
    """
    known = mistakes(spec, cases) if decisions else ()
    held = {one.key: (one, made) for one in known if (made := deciding(one, decisions))}
    if not held:
        return Decided(tuple(cases))
    by_variant = {key: tuple(made.values()) for key, (_, made) in held.items()}
    names = Names(spec)
    changed = {case.id: _decided(case, names, by_variant) for case in cases}
    # Cases that required a failed case were never run. If it is met now, a person decides them; they earn nothing by
    # themselves.
    settled = {case.id for case in cases if changed[case.id].met and not case.met}
    results = _opened(spec, tuple(changed.values()), settled)
    adjustments: dict[str, Adjustment] = {}
    paid: dict[str, tuple[str, Fraction]] = {}
    for one, made in held.values():
        gained = one.finding.weight is Weight.SLIP or any(changed[case].met for case in one.cases)
        for key, decision in made.items():
            adjustments.setdefault(key, _said(one, key, decision))
            if gained and decision.price is not None and one.criterion:
                paid[key] = (one.criterion, decision.price)
    prices: dict[str, Fraction] = {}
    for criterion, price in paid.values():
        prices[criterion] = prices.get(criterion, Fraction(0)) + price
    return Decided(results, prices, tuple(adjustments.values()))


def _said(one: Mistake, key: str, decision: Decision) -> Adjustment:
    """The note in the grade on a decision.

    Students read it as well, so it tells no more of a hidden case than is shown.
    """
    what = {
        Visibility.VISIBLE: one.finding.message,
        Visibility.HIDDEN: f"a mistake in “{one.case.title}”",
        Visibility.STAFF: "a mistake in a case for staff",
    }[one.case.visibility]
    return Adjustment("decision", f"decided for all who have it ({key}): {what}: {decision.sentence}")


def _decided(case: CaseResult, names: Names, by_variant: Mapping[str, Sequence[Decision]]) -> CaseResult:
    findings = tuple(
        _noted(finding, by_variant.get(names.variant(case, finding), ())) if _counts(case, finding) else finding
        for finding in case.findings
    )
    if findings == case.findings:
        return case
    left = {finding.weight for finding in findings} - {Weight.NOTE}
    # A mere comment settles nothing, and another defect of the case still fails it.
    touched = any(old.weight is not new.weight for old, new in zip(case.findings, findings, strict=True))
    result = replace(case, findings=findings)
    if not touched or Weight.DEFECT in left:
        return result
    if any(finding.code == _LATER for finding in findings):
        return replace(result, verdict=Verdict.NEEDS_REVIEW, met=False, share=None)
    verdict = Verdict.FORM if Weight.SLIP in left else Verdict.ACCEPTED
    return replace(result, verdict=verdict, met=True, share=None)


def _noted(finding: Finding, decisions: Sequence[Decision]) -> Finding:
    """The finding with the decisions beside it; one that settles it makes it a note."""
    for decision in decisions:
        message = f"{finding.message}; staff decided: {decision.sentence}"
        finding = replace(finding, message=message, weight=Weight.NOTE if decision.settles else finding.weight)
    return finding


def _opened(spec: Spec, cases: tuple[CaseResult, ...], settled: set[str]) -> tuple[CaseResult, ...]:
    """The results; cases that were not run because they require a case that is settled now wait for a person."""
    requires = {case.id: case.requires for case in spec.cases}
    opened = set(settled)
    known = 0
    while known < len(opened):
        known = len(opened)
        skipped = (case.id for case in cases if case.verdict is Verdict.SKIPPED)
        opened |= {name for name in skipped if opened.intersection(requires.get(name, ()))}
    finding = Finding(str(Verdict.NEEDS_REVIEW), "not run: it requires a case whose mistake staff decided about")
    return tuple(
        replace(case, verdict=Verdict.NEEDS_REVIEW, findings=(finding,)) if case.id in opened - settled else case
        for case in cases
    )


# --------------------------------------------------------------------------------------- from kept verdicts to a grade

_NOTHING_BUILT = (Verdict.COMPILE_ERROR, Verdict.MISSING_FILE)


class Scoring:
    """The scoring of one assignment. ``judged`` is the part of it that judges read, and its fingerprint that of the verdicts."""

    def __init__(self, assignment: Assignment) -> None:
        self.assignment = assignment
        self.judged = for_judging(assignment)
        self._fill = filler(assignment, self.judged)
        self._cases = {case.id: case for case in assignment.spec.cases}

    def cases(self, judged: Grade) -> tuple[CaseResult, ...]:
        """The case results with the titles and hints of the whole spec."""
        filled = []
        for one in judged.cases:
            case = self._cases.get(one.id)
            findings = tuple(replace(f, message=self._fill(f.message), hint=self._fill(f.hint)) for f in one.findings)
            result = replace(one, findings=findings)
            if case is not None:  # otherwise it is the stand-in for a case that the spec lacks
                result = replace(result, title=case.title, criterion=case.criterion, reveals=case.reveals)
            filled.append(result)
        return tuple(filled)

    def grade(self, judged: Grade, marks: Marks = NO_MARKS, decisions: Decisions = NONE_DECIDED) -> Grade:
        """The grade for verdicts that were found by ``judged``: the same as if it had been graded by the whole spec.

        ``marks`` and ``decisions`` on mistakes are those of staff.
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
        """The mistakes in a submission before any decision, each with the cost of its group.

        The cost is the loss if all other mistakes were accepted: two mistakes that fail the same case both have its price.
        If nothing could be built, that costs everything that is not earned.
        """
        cases = self.cases(judged)
        points = score(self.assignment.spec, cases)
        earned = Fraction(str(points.score)) + Fraction(str(points.open_points))
        whole = Fraction(str(points.max_points)) - earned  # the points that are neither earned nor open
        by_key = mistakes(self.assignment.spec, cases)
        groups = dict.fromkeys(one.group for one in by_key)
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
            for one in by_key
        )

    def _worth(self, cases: Sequence[CaseResult], accepted: Iterable[str]) -> tuple[Fraction, Fraction]:
        """The score and the open points if these groups of mistakes are accepted, with cases that rest only on them."""
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


def _review(judged: Grade, waiting: Sequence[str]) -> Iterable[str]:
    """The notes for a person, with those on cases that wait now instead of those that waited when they were judged.

    Notes of an earlier version have no ids of cases.
    """
    then = (case for case in judged.cases if case.verdict is Verdict.NEEDS_REVIEW and case.findings)
    before = {f"{case.title}: {case.findings[0].message}" for case in then} | {*notes(judged.criteria, judged.cases)}
    at = next((number for number, note in enumerate(judged.review) if note in before), len(judged.review))
    left = [[note for note in part if note not in before] for part in (judged.review[:at], judged.review[at:])]
    return (*left[0], *waiting, *left[1])
