"""``Grading``: everything that a spec says, applied to one submission after another.

A fault of ours is an exception up to here, where it becomes ``judge-error`` for its case: never a lost point. A fault of a
submission is never an exception.
"""

from __future__ import annotations

import traceback
from collections.abc import Collection, Iterable, Mapping
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from grader import __version__
from grader.build import Built, build
from grader.grading.cases import judge_case
from grader.grading.scripts import Scripts
from grader.grading.trial import Trial
from grader.results import CaseResult, Finding, Grade, Provenance, Verdict
from grader.scoring import score
from grader.spec.loader import Assignment
from grader.spec.model import Case
from grader.submission import Submission

if TYPE_CHECKING:
    from grader.build.workshop import Workshop

BUILD_CASE = Case(id="builds", title="The program is there and builds", source={"builds": True})  # type: ignore[arg-type]
"""Stands in where a spec has no such case of its own, so that a submission that does not build says why."""


class Grading:
    """Grades submissions of one assignment. Made once; what the spec expects is worked out once.

    For all but simulated programs it has a workshop, in which they are compiled and caged; ``close`` ends it. Raises
    UsageError where this machine cannot cage programs, unless ``unsafe``.
    """

    def __init__(self, assignment: Assignment, *, unsafe: bool = False) -> None:
        self.assignment = assignment
        self._workshop = None if assignment.spec.program.simulated else _workshop(unsafe=unsafe)
        self._scripts = Scripts(assignment)
        self.cases = _with_build_case(assignment.spec.cases)
        self._order = _by_requirement(self.cases)

    @property
    def caged(self) -> bool:
        """Whether a program that is graded here can do no harm."""
        return self._workshop is None or self._workshop.caged

    @property
    def unkept(self) -> str:
        """Why compiled programs cannot be kept for the next time, for staff; empty where they can, or nothing is compiled."""
        return self._workshop.unkept if self._workshop is not None else ""

    def close(self) -> None:
        """End what runs for the grading."""
        if self._workshop is not None:
            self._workshop.close()

    def __enter__(self) -> Grading:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def grade(self, submission: Submission, *, only: Collection[str] | None = None) -> Grade:
        """The grade of one submission; with ``only``, of these cases alone: what they require runs silently."""
        wanted = {case.id for case in self.cases} if only is None else set(only)
        with closing(build(self.assignment, submission, self._workshop)) as built:
            return self._graded(submission, built, wanted)

    def _graded(self, submission: Submission, built: Built, wanted: set[str]) -> Grade:
        trial = Trial(self.assignment.spec, submission, built, self._scripts)
        results: dict[str, CaseResult] = {}
        for case in self._needed(wanted):
            blocked = _blocked(case, built, results)
            results[case.id] = blocked or _guarded(trial, case)
        chosen = tuple(results[case.id] for case in self.cases if case.id in wanted)
        return self._grade(submission, built, chosen, _where(trial))

    def _needed(self, wanted: set[str]) -> Iterable[Case]:
        """The wanted cases, all that they require, and the first dialogue, which binds the spec's choices."""
        needed = set(wanted)
        if self.assignment.spec.text.choices:
            needed |= {case.id for case in self.cases if case.kind == "transcript" and case.transcript is not None}
        for case in reversed(self._order):
            if case.id in needed:
                needed.update(case.requires)
        return [case for case in self._order if case.id in needed]

    def _grade(self, submission: Submission, built: Built, cases: tuple[CaseResult, ...], where: str) -> Grade:
        spec = self.assignment.spec
        points = score(spec, cases)
        flagged = [f"{case.title}: {case.findings[0].message}" for case in cases if _flags(case)]
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
            provenance=Provenance(self.assignment.fingerprint, submission.sha256, __version__, 0, built.tools, where),
            diagnostics=built.diagnostics,
            review=(*submission.problems, *built.review, *flagged),
        )


def _workshop(*, unsafe: bool) -> Workshop:
    from grader.build.workshop import Workshop  # the sandbox is for Linux alone

    return Workshop.opened(unsafe=unsafe)


GUESSED = {"proc": "waits told by looking at the program's threads", "timeout": "waits told by silence"}
"""What a report says where waits are no events."""


def _where(trial: Trial) -> str:
    """The tier of the sandbox, and how waits were told where that was not by an event."""
    trial.note_waits()
    told = (trial.built.sandbox, *(said for how, said in GUESSED.items() if how in trial.waits))
    return ", ".join(filter(None, told))


def _flags(case: CaseResult) -> bool:
    """Whether staff should look at a case although no criterion rests on it."""
    return case.verdict is Verdict.NEEDS_REVIEW and case.criterion is None and bool(case.findings)


def _with_build_case(cases: tuple[Case, ...]) -> tuple[Case, ...]:
    if any(case.source is not None and case.source.builds for case in cases):
        return cases
    return (BUILD_CASE, *cases)


def _by_requirement(cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """The cases in an order in which each comes after what it requires, else as in the spec; the loader refuses cycles."""
    by_id = {case.id: case for case in cases}
    ordered: dict[str, Case] = {}

    def visit(case: Case) -> None:
        for required in case.requires:
            if required not in ordered:
                visit(by_id[required])
        ordered.setdefault(case.id, case)

    for case in cases:
        visit(case)
    return tuple(ordered.values())


def _blocked(case: Case, built: Built, results: Mapping[str, CaseResult]) -> CaseResult | None:
    """The result of a case that cannot be run: the program is not there, or a case that it requires is not met."""
    if case.needs_program and not built.programs:
        return _unrun(case, Verdict.SKIPPED, "not run: there is no program to run")
    for required in case.requires:
        before = results[required]
        if before.met:
            continue
        passed_on = before.verdict in (Verdict.JUDGE_ERROR, Verdict.NEEDS_REVIEW)
        verdict = before.verdict if passed_on else Verdict.SKIPPED
        return _unrun(case, verdict, f"not run: it requires “{before.title}” ({required})")
    return None


def _unrun(case: Case, verdict: Verdict, message: str) -> CaseResult:
    return CaseResult(
        id=case.id,
        title=case.title,
        kind=case.kind,
        criterion=case.criterion,
        verdict=verdict,
        visibility=case.visibility,
        met=False,
        findings=(Finding(str(verdict), message),),
    )


def _guarded(trial: Trial, case: Case) -> CaseResult:
    """Judge a case; whatever goes wrong on our side is this case's judge error."""
    try:
        result = judge_case(trial, case)
    except Exception as error:  # noqa: BLE001 -- every fault of ours ends here, and is reported as ours
        where = tuple(f"{f.name}, line {f.lineno}" for f in traceback.extract_tb(error.__traceback__)[-6:])
        finding = Finding("judge-error", f"the grader failed: {type(error).__name__}: {error}", steps=where)
        return replace(_unrun(case, Verdict.JUDGE_ERROR, ""), findings=(finding,))
    if case.review and result.verdict.blames_student:
        return replace(result, verdict=Verdict.NEEDS_REVIEW)
    return result
