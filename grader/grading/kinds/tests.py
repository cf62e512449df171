"""A ``tests`` case, judged: one of the course's unit tests, from a run that several cases share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import PurePosixPath
from typing import cast

from grader.build.built import Built, SuiteRun
from grader.checks import ending as endings
from grader.checks import unit_tests
from grader.checks.outcomes import RefusedError, Reported, read_googletest, read_junit, read_tap, read_unity
from grader.checks.unit_tests import Course, Judged, Told
from grader.errors import JudgeError
from grader.grading.trial import Judgement, Trial, case_result, given
from grader.results import UNBELIEVED, CaseResult, Finding, Verdict, Weight
from grader.spec.kinds.divided import machine_divides
from grader.spec.kinds.tests import LARGEST_REPORT, UnitTests
from grader.spec.model import Case, Spec


def judge(trial: Trial, case: Case, _profile: str) -> Judgement:
    """The judgement of one test. Raises OverBudgetError before its run, JudgeError where a tool of ours fails."""
    tests = given(case.tests)
    key = tests.same_run
    if key not in trial.memory.suites:
        trial.memory.spent.begin()
        trial.memory.suites[key] = results(trial, tests)
    judged = cast(Mapping[str, Judged], trial.memory.suites[key])
    (name,) = tests.expects
    return Judgement(case_result(case, *judged[name]), trial.bindings)


def results(trial: Trial, tests: UnitTests) -> Mapping[str, Judged]:
    """The judgement of every expected test of the run."""
    if trial.built.tests is None:
        raise JudgeError("programs in this language are not built along with tests")
    sharing = (case.tests for case in trial.spec.cases if case.tests and case.tests.same_run == tests.same_run)
    expected = tuple(name for one in sharing for name in one.expects)
    run = trial.built.tests(tests)
    judged = _judged(trial, tests, expected, run)
    if run.undivided:
        message = "the program cannot be built apart from its tests: a person looks at it"
        return {name: _open(message) if one[0] is Verdict.ACCEPTED else one for name, one in judged.items()}
    checked = trial.spec.program.sanitize
    if run.inside is None or (not checked and all(one[0] is Verdict.ACCEPTED for one in judged.values())):
        return judged
    others = _judged(trial, tests, expected, run.inside())
    return {name: _agreed(one, others[name], checked=checked) for name, one in judged.items()}


_STOPPED = {*endings.VERDICTS.values()} - {Verdict.ACCEPTED, Verdict.WRONG_ANSWER}


def _agreed(apart: Judged, inside: Judged, *, checked: bool) -> Judged:
    """The judgement of a test from its runs in two processes and in one.

    It passes only in two processes, and is lost only if it fails in both runs.

    A right program could fail because two processes cannot share something, and a wrong one could pass by forged results:
    a person tells them apart. A test that a sanitizer ``checked`` and stopped in one process is lost.
    """
    if checked and inside[0] in _STOPPED:
        return inside
    if apart[0] is not Verdict.ACCEPTED and inside[0] is Verdict.ACCEPTED:
        return _open("it passes only in one process with its tests: a person looks at it")
    return apart


def _open(message: str) -> Judged:
    return Verdict.NEEDS_REVIEW, (Finding(UNBELIEVED, message),)


def _judged(trial: Trial, tests: UnitTests, expected: Sequence[str], run: SuiteRun) -> Mapping[str, Judged]:
    """The judgement of every test in one run."""
    from grader.build.course.lot import student_names  # imported late: a page of a kit has no workshop

    sources = trial.built.sources
    if run.mistake is not None:
        return dict.fromkeys(expected, (Verdict.JUDGE_ERROR, (run.mistake,)))
    if run.ending is None:
        errors = (finding for finding in run.findings if finding.weight is Weight.DEFECT)
        alone = "it does not build together with the tests"
        first = tuple(replace(error, message=f"{alone}: {error.message}") for error in islice(errors, 1))
        return dict.fromkeys(expected, (Verdict.COMPILE_ERROR, first))
    reported, refused = _read(tests, run)
    own = run.ending.place.partition(":")[0] in {source.name for source in sources}
    # The modules of the student: what was handed in, and what the spec names, without those of the course.
    names = map(PurePosixPath, (*(file.path for file in trial.submission.files), *student_names(trial.spec)))
    course = Course(run.modules, frozenset(path.stem for path in names if path.name not in run.modules))
    report = Told(reported, refused, run.ending, run.errors or run.printed, own, course)
    judged = unit_tests.judge(expected, tests.guards, report)
    return {
        name: (verdict, tuple(unit_tests.placed(one, sources) for one in findings))
        for name, (verdict, findings) in judged.items()
    }


_PRINTED = {"tap": read_tap, "unity": read_unity, "googletest": read_googletest}


def _read(tests: UnitTests, run: SuiteRun) -> tuple[tuple[Reported, ...], str]:
    """The report of a run, and why it could not be read, empty if it could."""
    try:
        if tests.prints is not None:
            return _PRINTED[tests.prints](run.printed), ""
        if run.report is None:
            return (), f"the run left no file of results, or one of more than {LARGEST_REPORT >> 20} MiB"
        return read_junit(run.report), ""
    except RefusedError as error:
        return (), f"what the run wrote {error}"


def shares(spec: Spec, language: str) -> bool:
    """Whether any tests share a process with a program in this language."""
    always = language == "java" or (language in ("c", "cpp") and not machine_divides())
    return any(case.tests is not None and (always or case.tests.inside) for case in spec.cases)


def reached(spec: Spec, built: Built, results: Sequence[CaseResult]) -> Iterator[str]:
    """A remark for staff if all tests of a run passed in one process with a program that could have written the results itself."""
    if not built.reaches or not shares(spec, built.language):
        return
    verdicts = {result.id: result.verdict for result in results}
    runs: defaultdict[object, set[Verdict | None]] = defaultdict(set)
    for case in spec.cases:
        if case.tests is not None:
            runs[case.tests.same_run].add(verdicts.get(case.id))
    if {Verdict.ACCEPTED} in runs.values():
        yield f"unit tests: all passed in one process with a program that uses {built.reaches}: look at the source"
