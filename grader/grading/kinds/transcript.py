"""A ``transcript`` or ``play`` case, judged: one dialogue, compared with what the reference prints."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from grader.checks import dialogue
from grader.checks.dialogue import Scope
from grader.grading.trial import Judgement, Trial, case_result, with_run
from grader.results import CaseResult, Verdict, Weight
from grader.sessions.session import play
from grader.spec.expectations import Script
from grader.spec.model import Case, SlipKind
from grader.transcript import Transcript
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Comparison:
    """One run beside its script: enough to word a result."""

    script: Script
    transcript: Transcript
    judgement: dialogue.Judgement


def judge(trial: Trial, case: Case, profile: str) -> Judgement:
    """The result of one dialogue."""
    comparison = compare(trial, trial.scripts.dialogue(case), profile, Scope.of(case, case.judges))
    result = dialogue_result(trial, case, profile, comparison)
    if case.criterion is None and not trial.own_words:  # an example that comes out wrong must not be called right
        result = stated_wrongly(result)
    return Judgement.of(result, comparison.judgement.bindings, comparison.transcript)


def stated_wrongly(result: CaseResult) -> CaseResult:
    """A result in which that counts which a text states otherwise than it should, and which was left to other cases."""
    if not any(finding.code == dialogue.ELSEWHERE for finding in result.findings):
        return result
    findings = []
    for one in result.findings:
        wrong = one.code == dialogue.ELSEWHERE
        findings.append(replace(one, code="text", hint="", weight=Weight.DEFECT) if wrong else one)
    findings.sort(key=lambda finding: finding.weight is not Weight.DEFECT)
    return replace(result, verdict=Verdict.WRONG_ANSWER, met=False, findings=tuple(findings))


def as_slip(result: CaseResult, priced: Collection[str]) -> CaseResult:
    """A wrong text that costs nothing: its first difference is a slip, if that kind of slip is ``priced``."""
    first = next((one for one in result.findings if one.weight is Weight.DEFECT), None)
    kind = SlipKind.WORDING if first is None or first.actual.strip() else SlipKind.MISSING
    if first is None or result.verdict is not Verdict.WRONG_ANSWER or kind not in priced:
        return result
    slip = replace(first, code=str(kind), weight=Weight.SLIP)
    others = (one for one in result.findings if one.weight is not Weight.DEFECT)
    return replace(result, verdict=Verdict.FORM, met=True, findings=(slip, *others))


def compare(trial: Trial, script: Script, profile: str, scope: Scope) -> Comparison:
    """Run the inputs of a script, and compare."""
    transcript = play(trial.start(profile), script.inputs)
    return Comparison(script, transcript, dialogue.judge(script, transcript, trial.spec.text, trial.bindings, scope))


def dialogue_result(trial: Trial, case: Case, profile: str, comparison: Comparison) -> CaseResult:
    """The result that rests on one run."""
    judgement = comparison.judgement
    result = case_result(case, judgement.verdict, judgement.findings, met=judgement.met)
    return with_run(trial, result, profile, comparison.transcript, judgement.differences)
