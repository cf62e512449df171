"""``source``, ``files`` and ``manual`` cases, judged: what was handed in is looked at, and nothing runs."""

from __future__ import annotations

from grader.checks import files, source
from grader.grading.trial import Trial, case_result
from grader.results import CaseResult, Finding, Verdict, Weight
from grader.spec.model import Case, FilesRules
from grader.submission import Form


def judge(trial: Trial, case: Case) -> CaseResult:
    """The result of a case that needs no run."""
    if case.source is not None:
        return case_result(case, *source.check(case.source, trial.built))
    if case.files is not None:
        return _files(trial, case, case.files)
    question = case.manual or ""
    return case_result(case, Verdict.NEEDS_REVIEW, (Finding("manual", f"a person decides: {question}"),))


def _files(trial: Trial, case: Case, rules: FilesRules) -> CaseResult:
    if trial.submission.form is Form.FILE:
        alone = Finding("single-file", "only a file was handed in, without a folder or an archive", weight=Weight.NOTE)
        return case_result(case, Verdict.UNJUDGED, (alone,))
    return case_result(case, *files.check(rules, trial.submission))
