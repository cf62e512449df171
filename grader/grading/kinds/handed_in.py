"""``source``, ``files`` and ``manual`` cases, judged: what was handed in is looked at, and nothing runs.

A program of two lines lacks everything that a case forbids. So such a case rests on the lines of code, as others rest
on occasions.
"""

from __future__ import annotations

from dataclasses import replace

from grader.checks import files, source
from grader.grading.trial import Judgement, Trial, case_result
from grader.results import Finding, Occasion, Verdict, Weight
from grader.spec.model import Case
from grader.submission import Form


def judge(trial: Trial, case: Case, _profile: str) -> Judgement:
    """The judgement of a case that needs no run."""
    if case.source is not None:
        verdict, findings = source.check(case.source, trial.built)
        code = Occasion("lines of code", source.lines_of_code(trial.built), case.needed())
        shows = case.source.forbids and verdict is Verdict.ACCEPTED
        if shows and not code.enough:
            lack = Finding("not-shown", f"the submission has too few {code.lack} to judge what it does not use")
            verdict, findings = Verdict.NOT_SHOWN, (lack,)
        result = replace(case_result(case, verdict, findings), occasions=(code,) if shows else ())
    elif case.files is not None and trial.submission.form is Form.FILE:
        alone = Finding("single-file", "only a file was handed in, without a folder or an archive", weight=Weight.NOTE)
        result = case_result(case, Verdict.UNJUDGED, (alone,))
    elif case.files is not None:
        result = case_result(case, *files.check(case.files, trial.submission))
    else:
        result = case_result(case, Verdict.NEEDS_REVIEW, (Finding("manual", f"a person decides: {case.manual}"),))
    return Judgement(result, trial.bindings)
