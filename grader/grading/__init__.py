"""``Grading``: everything that a spec says, applied to one submission after another.

A fault of the grader is an exception up to here, where it becomes ``judge-error`` for its case, and never costs a
point. A fault of a submission is never an exception.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from grader import __version__
from grader.build import Built, build
from grader.errors import DisturbedError, GraderError, JudgeError, SpecError, UsageError
from grader.games.follow.study import Study
from grader.games.learn.questions import Asked, dialogue_map
from grader.grading import profiles, relations
from grader.grading.budget import OverBudgetError, Spent, demand
from grader.grading.executed import coverage, located
from grader.grading.kinds import tests
from grader.grading.scripts import Scripts
from grader.grading.trial import Judgement, Memory, Trial, unmet
from grader.report.waiting import notes
from grader.results import (
    DISTURBED,
    INSIDE,
    OVER_BUDGET,
    UNBELIEVED,
    CaseResult,
    Coverage,
    Finding,
    Grade,
    Learned,
    Provenance,
    Verdict,
)
from grader.scoring import graded, priced
from grader.source import Diagnostic
from grader.spec.corrections import NONE, Corrections
from grader.spec.loader import Assignment
from grader.spec.model import Case
from grader.submission import Submission
from grader.values import dataclass

if TYPE_CHECKING:
    from grader.build.workshop import Workshop

BUILD_CASE = Case(id="builds", title="The program is there and builds", source={"builds": True})  # type: ignore[arg-type]
"""The case for specs without one of their own, so that a submission that does not build says why."""


Listener = Callable[[CaseResult], None]
"""A function that gets the result of each case as soon as it is judged."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The results of cases; ``where`` the program ran, in words, what was ``learned`` of its wording, and which lines were executed."""

    cases: tuple[CaseResult, ...]
    where: str
    learned: Learned
    coverage: tuple[Coverage, ...] = ()


@dataclass(frozen=True, slots=True)
class Explored:
    """The exploration of one program: messages of the compiler or assembler, the study, and the map of its dialogue."""

    diagnostics: tuple[str, ...]
    study: Study | None = None
    dialogue: tuple[Asked, ...] = ()


class Judge:
    """The judge of built programs of one assignment. It is made once, and computes the spec's expectations once.

    ``corrections`` are what staff have set of the understanding of programs.
    """

    def __init__(self, assignment: Assignment, corrections: Corrections = NONE, *, samples: bool = False) -> None:
        self.assignment = assignment
        self._samples = samples
        self.corrections = corrections
        cases = assignment.spec.cases
        builds = any(case.source is not None and case.source.builds for case in cases)
        self.cases = cases if builds else (BUILD_CASE, *cases)
        self.scripts = Scripts(assignment)
        self._order = relations.by_requirement(self.cases)

    def results(
        self, submission: Submission, built: Built, wanted: Collection[str], heard: Listener | None = None
    ) -> Outcome:
        """The results of the wanted cases in the order of the spec; required cases are judged before."""
        trial = self.on_trial(submission, built)
        results: dict[str, CaseResult] = {}
        needed = set(wanted)
        if self.assignment.spec.text.choices:  # the first dialogue binds them
            needed |= {case.id for case in self.cases if case.kind == "transcript" and case.transcript is not None}
        for case in reversed(self._order):
            needed |= {*case.earlier} if case.id in needed else set()
        for case in (one for one in self._order if one.id in needed):
            blocked = relations.blocked(case, built, results, covers=self.assignment.spec.covers(case))
            trial = replace(trial, charged=relations.charged_kinds(self.assignment.spec, case, results))
            judgement = Judgement(blocked, trial.bindings) if blocked else _guarded(trial, case)
            results[case.id] = relations.excused(case, judgement.result, results)
            trial = replace(trial, bindings=judgement.bindings)
            if heard is not None and case.id in wanted:
                heard(results[case.id])
        if len(results) == len(self.cases):
            results = relations.with_unowned(self.assignment.spec, results, own_words=trial.own_words)
        asked = (results[case.id] for case in self.cases if case.id in wanted)
        cases = located(built, asked, samples=self._samples)
        trial.memory.note_waits()
        inside = tests.shares(self.assignment.spec, built.language)
        guessed = (text for how, text in GUESSED.items() if how in trial.memory.waits)
        where = (built.sandbox, *guessed, *([INSIDE] if inside else []))
        return Outcome(cases, ", ".join(filter(None, where)), _learned(trial), coverage(trial, cases))

    def close(self) -> None:
        """End what runs for the reference."""
        self.scripts.close()

    def on_trial(self, submission: Submission, built: Built) -> Trial:
        """A built submission in front of this judge, with a budget of its own."""
        spec = self.assignment.spec
        memory = Memory(spent=Spent(spec.limits.submission))
        return Trial(spec, submission, built, self.scripts, memory=memory, corrections=self.corrections)


class Grading(Judge):
    """Grades submissions of one assignment.

    Programs that are not simulated are compiled and sandboxed in a workshop; ``close`` ends it. No program in it can
    read the answer key or ``hidden`` paths, such as the submissions of others. ``corrections`` are the staff's
    corrections of how programs are understood. ``samples`` finds the loop in which a program in C or C++ was when its
    time was up, which may differ from run to run. A grading that ``shares`` the machine with others raises
    DisturbedError for a compiler that was killed or held up. Raises UsageError if this machine cannot sandbox programs
    or hide those paths, unless ``unsafe``. Raises JudgeError if it has less memory or time than the limits promise.
    """

    def __init__(
        self,
        assignment: Assignment,
        *,
        unsafe: bool = False,
        hidden: Iterable[Path] = (),
        corrections: Corrections = NONE,
        samples: bool = False,
        shares: bool = False,
    ) -> None:
        simulated = assignment.spec.program.simulated
        self._workshop = None if simulated else _workshop(assignment, hidden, unsafe=unsafe, shares=shares)
        super().__init__(assignment, corrections, samples=samples)

    @property
    def caged(self) -> bool:
        """Whether programs that are graded here are sandboxed."""
        return self._workshop is None or self._workshop.caged

    @property
    def unkept(self) -> str:
        """The reason why compiled programs cannot be kept for the next call, for staff; empty if they can."""
        return self._workshop.unkept if self._workshop is not None else ""

    def course_mistakes(self) -> tuple[Diagnostic, ...]:
        """Errors in the files of the course, independent of submissions.

        Raises JudgeError if they cannot be built here.
        """
        if self._workshop is None and not self.assignment.support:
            return ()
        from grader.build.course import course_mistakes

        return course_mistakes(self.assignment, self._workshop)

    def refuse_mistakes(self) -> None:
        """Raise SpecError if a file of the course is wrong: nobody must be graded by it.

        A tool that fails is left to the judges, since not every case may need it.
        """
        with suppress(JudgeError):
            if mistakes := self.course_mistakes():
                raise SpecError(mistakes)

    def close(self) -> None:
        """End what runs for the grading."""
        super().close()
        if self._workshop is not None:
            self._workshop.close()

    def __enter__(self) -> Grading:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def grade(
        self, submission: Submission, *, only: Collection[str] | None = None, heard: Listener | None = None
    ) -> Grade:
        """The grade of one submission; with ``only``, of just these cases. Cases that they require run silently.

        ``heard`` gets the result of each case as soon as it is judged. Raises JudgeError if there is no compiler or
        sandbox, DisturbedError if the compiler was killed or held up; any other fault of the grader is in the grade.
        """
        wanted = {case.id for case in self.cases} if only is None else set(only)
        with closing(self._built(submission)) as built:
            return self._grade(submission, built, self.results(submission, built, wanted, heard))

    def explored(self, submission: Submission) -> Explored:
        """The exploration of one submission under its usual profile.

        Raises UsageError if there is nothing to explore.
        """
        scripts, spec = self.scripts, self.assignment.spec
        if scripts.method is None and not (spec.games and scripts.referee.duel is not None):
            raise UsageError(
                "this spec says nothing of how its game is explored",
                hint="it has no `game`, and its reference no game of heaps",
            )
        with closing(self._built(submission)) as built:
            if not built.programs:
                return Explored(built.diagnostics or tuple(finding.message for finding in built.findings))
            trial = self.on_trial(submission, built)
            usual = built.usual in built.programs and not spec.program.simulated
            profile = built.usual if usual else trial.profiles[0]
            study = trial.dialect(profile).studied()
            return Explored(built.diagnostics, study, dialogue_map(trial.memory.runs[profile]))

    @contextmanager
    def trial(self, submission: Submission) -> Iterator[Trial]:
        """A submission that is built, for whoever plays it beside its cases. Raises JudgeError as ``grade`` does."""
        with closing(self._built(submission)) as built:
            yield self.on_trial(submission, built)

    def _built(self, submission: Submission) -> Built:
        try:
            return build(self.assignment, submission, self._workshop)
        except GraderError:  # a sentence on everything that is built here
            raise
        except Exception as error:  # noqa: BLE001 -- as in `_guarded`
            return Built(Verdict.JUDGE_ERROR, self.assignment.spec.program.language[0], (_our_fault(error),))

    def _grade(self, submission: Submission, built: Built, judged: Outcome) -> Grade:
        spec, cases = self.assignment.spec, priced(self.assignment.spec, judged.cases)
        unbelieved = (f.message for case in cases for f in case.findings if f.code == UNBELIEVED)
        unreached = [case for case in cases if case.over_budget]
        fingerprint, secret = self.assignment.fingerprint, self.assignment.secret
        provenance = Provenance(fingerprint, submission.sha256, __version__, 0, built.tools, judged.where, secret)
        scored = graded(spec, submission, cases, provenance)
        grade = replace(
            scored,
            diagnostics=built.diagnostics,
            review=(
                *submission.problems,
                *built.review,
                *notes(scored.criteria, cases),
                *dict.fromkeys(f"unit tests: {message}" for message in unbelieved),
                *tests.reached(spec, built, cases),
                *dict.fromkeys(case.course_fault for case in cases if case.course_fault),
                *judged.learned.unheeded.values(),
                *(f"{len(unreached)} of the cases are {case.findings[0].message}" for case in unreached[:1]),
            ),
            learned=judged.learned.lessons,
            wording=judged.learned.wording,
            coverage=judged.coverage,
            sources=built.sources,
            revealed=self.assignment.revealed,
        )
        return replace(grade, review=(grade.alarm, *grade.review)) if grade.alarm else grade


def _workshop(assignment: Assignment, hidden: Iterable[Path], *, unsafe: bool, shares: bool) -> Workshop:
    from grader.build.answer_key import answer_key
    from grader.build.native import needed_by
    from grader.build.workshop import Workshop  # the sandbox is for Linux alone

    demand(assignment.spec)
    readable = needed_by(assignment.spec.program.language, (case.tests for case in assignment.spec.cases if case.tests))
    hidden = (*answer_key(assignment), *hidden)
    return Workshop.opened(unsafe=unsafe, hidden=hidden, readable=readable, shares=shares)


GUESSED = {"proc": "waits told by looking at the program's threads", "timeout": "waits told by silence"}
"""The words in a report if waits are guessed, not seen as events."""


def _learned(trial: Trial) -> Learned:
    """The lessons under the first profile under which the program could be followed, else under the first."""
    known = trial.memory.dialects
    profiles_tried = known if trial.spent_up or not known else trial.profiles
    tried = [known[profile] for profile in profiles_tried if profile in known]
    tried.sort(key=lambda dialect: bool(dialect.obstacle))
    return next((one.learned for one in tried if one.learned.lessons), Learned())


def _guarded(trial: Trial, case: Case) -> Judgement:
    """Judge a case; any fault of the grader is this case's judge error."""
    try:
        judgement = profiles.judge(trial, case) if case.needs_program else profiles.judged(trial, case, "")
    except OverBudgetError as over:
        finding = Finding(OVER_BUDGET, str(over))
        return Judgement(unmet(case, Verdict.UNJUDGED, finding), trial.bindings)
    except Exception as error:  # noqa: BLE001 -- every fault of ours ends here, and is reported as ours
        return Judgement(unmet(case, Verdict.JUDGE_ERROR, _our_fault(error)), trial.bindings)
    if case.review and judgement.result.verdict.blames_student:
        return replace(judgement, result=replace(judgement.result, verdict=Verdict.NEEDS_REVIEW))
    return judgement


def _our_fault(error: Exception) -> Finding:
    where = tuple(f"{f.name}, line {f.lineno}" for f in traceback.extract_tb(error.__traceback__)[-6:])
    if isinstance(error, DisturbedError):
        return Finding(DISTURBED, f"the grader was disturbed: {error}")
    return Finding("judge-error", f"the grader failed: {type(error).__name__}: {error}", steps=where)
