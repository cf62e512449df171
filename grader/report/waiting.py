"""The cases that wait for a person, the cases that rest on each, and the points that are open because of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from grader.report.words import phrase
from grader.results import CaseResult, CriterionResult, Grade, Number, Status, Verdict

if TYPE_CHECKING:
    from grader.spec.model import Spec

_LEFT = (Verdict.NEEDS_REVIEW, Verdict.UNJUDGED)


def waiting(criteria: Iterable[CriterionResult], cases: Sequence[CaseResult]) -> tuple[CaseResult, ...]:
    """The cases that could not be read, and all cases of a criterion if none of them could be tried.

    Questions that the spec leaves to a person are left out, and so are cases of criteria for which staff gave points.
    """
    given = {one.id for one in criteria if one.given}
    undecided = {one.id for one in criteria if one.points is None and one.status is Status.NEEDS_REVIEW}
    unread = [case for case in cases if case.verdict is Verdict.NEEDS_REVIEW and case.kind != "manual"]
    untried = undecided - {case.criterion for case in unread}
    wanted = {case.id for case in unread if case.criterion not in given} | {
        case.id
        for case in cases
        if case.criterion in untried and case.verdict is Verdict.UNJUDGED and not case.over_budget
    }
    return tuple(case for case in cases if case.id in wanted)


def notes(criteria: Sequence[CriterionResult], cases: Sequence[CaseResult]) -> tuple[str, ...]:
    """A sentence on each case that waits for a person: its title, its id, and why. Those with points that wait for one reason share it."""
    held = waiting(criteria, cases)
    with_points = notes_on_points(criteria, cases)
    return (*with_points, *(note(case) for case in held if not case.criterion))


def notes_on_points(criteria: Sequence[CriterionResult], cases: Sequence[CaseResult]) -> tuple[str, ...]:
    """The sentences on cases with points: every report shows these as not decided."""
    alike: dict[str, list[CaseResult]] = {}
    for case in waiting(criteria, cases):
        if case.criterion:
            alike.setdefault(_reason(case), []).append(case)
    return tuple(note(*group) for group in alike.values())


def note(*cases: CaseResult) -> str:
    """The sentence on cases that wait for one reason."""
    return f"{', '.join(f'{case.title} ({case.id})' for case in cases)}: {_reason(cases[0])}"


def _reason(case: CaseResult) -> str:
    return case.findings[0].message if case.findings else phrase(case.verdict)


def resting(spec: Spec, cases: Sequence[CaseResult]) -> Mapping[str, frozenset[str]]:
    """The cases that were not run, by the id of the case that they wait for, directly or through others.

    That case waits for a person.

    A case that says which program counts holds up all that need a program.
    """
    required = {case.id: case.requires for case in spec.cases}
    left = {case.id: case for case in cases if case.verdict in _LEFT}
    rules = {case.id: case.source for case in spec.cases}
    building = set()  # the cases that wait since a person must say which program counts
    for case in cases:
        rule = rules.get(case.id)
        builds = rule.builds if rule else case.kind == "source" and case.criterion is None
        # If two programs were handed in, every case that runs one waits until a person says which counts.
        if builds and case.verdict is Verdict.NEEDS_REVIEW:
            building.add(case.id)
    held_up = {case.id for case in spec.cases if case.needs_build or (case.source and not case.source.builds)}

    @cache
    def roots(name: str) -> frozenset[str]:
        before = [one for one in required.get(name, ()) if one in left]
        if building and name in held_up:
            return frozenset(building)
        return frozenset().union(*map(roots, before)) if before else frozenset({name})

    rests: dict[str, set[str]] = {}
    for name in left:
        for root in roots(name) - {name}:
            if left[root].verdict is Verdict.NEEDS_REVIEW:
                rests.setdefault(root, set()).add(name)
    return {root: frozenset(names) for root, names in rests.items()}


def settled(cases: Sequence[CaseResult], names: Collection[str]) -> tuple[CaseResult, ...]:
    """The cases, these of them as if a person had accepted them."""
    return tuple(
        replace(case, verdict=Verdict.ACCEPTED, met=True, share=None) if case.id in names else case for case in cases
    )


def weight(spec: Spec, grade: Grade, names: Collection[str]) -> Number:
    """The open points of a grade that are decided once all these cases are."""
    from grader.scoring import CRITERION_DIGITS, rounded, score  # with pydantic, which most reports need not load

    after = {one.id: one.open for one in score(spec, settled(grade.cases, names)).criteria}
    differences = (
        Fraction(str(one.open)) - Fraction(str(after.get(one.id, one.open)))
        for one in grade.criteria
        if one.open and one.kind == "points"
    )
    return rounded(sum((max(one, Fraction(0)) for one in differences), Fraction(0)), CRITERION_DIGITS)
