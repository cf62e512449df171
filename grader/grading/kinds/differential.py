"""A ``differential`` case, judged: many drawn games beside the reference, and the smallest one that fails."""

from __future__ import annotations

from dataclasses import replace

from grader.checks.dialogue import Scope
from grader.games.shrinking import shrink
from grader.grading.hangs import TOO_LONG
from grader.grading.kinds.transcript import Comparison, compare, dialogue_result
from grader.grading.scripts import Inputs
from grader.grading.trial import Judgement, Trial, case_result, given, show_again
from grader.results import CaseResult, Finding, Occasion, Verdict, Weight
from grader.spec.expectations import Script
from grader.spec.kinds.runs import Differential
from grader.spec.model import Case
from grader.transcript import Usage


def judge(trial: Trial, case: Case, profile: str) -> Judgement:
    """The result of many games: of the first that fails, or with each kind of slip once."""
    rules = given(case.differential)
    scope = Scope.of(case, rules.judges)
    slips: dict[str, Finding] = {}
    runs: list[Comparison] = []
    result: CaseResult | None = None
    for number, script in enumerate(trial.scripts.games(case, rules), start=1):
        comparison = compare(trial, script, profile, scope)
        runs.append(comparison)
        trial = replace(trial, bindings=comparison.judgement.bindings)
        if not comparison.judgement.met:
            slow = comparison.transcript.ending.kind in TOO_LONG or trial.spent_up
            smallest = comparison if slow else _smallest(trial, rules, scope, profile, script, comparison)
            result = dialogue_result(trial, case, profile, smallest)
            if not slow:
                before, after = len(script.inputs), len(smallest.script.inputs)
                note = f"first seen in game {number} of {rules.games}, shrunk from {before} inputs to {after}"
                result = replace(result, findings=(*result.findings, Finding("shrunk", note, weight=Weight.NOTE)))
            break
        for finding in comparison.judgement.findings:
            slips.setdefault(finding.code, finding)
    usage = sum((run.transcript.usage for run in runs), Usage())
    result = replace(result or _met(trial, case, profile, tuple(slips.values())), usage=usage, runs=len(runs))
    occasions = (Occasion("turns", sum(len(run.transcript.turns) for run in runs)),)
    return Judgement.of(replace(result, occasions=occasions), trial.bindings, *(run.transcript for run in runs))


def _met(trial: Trial, case: Case, profile: str, findings: tuple[Finding, ...]) -> CaseResult:
    """The result where no game fails: with the inputs that lead to its first slip."""
    slip = next((finding for finding in findings if finding.weight is Weight.SLIP), None)
    met = case_result(case, Verdict.FORM if slip else Verdict.ACCEPTED, findings, met=True)
    return replace(met, again=show_again(trial, slip.typed, profile)) if slip else met


def _smallest(
    trial: Trial, rules: Differential, scope: Scope, profile: str, script: Script, first: Comparison
) -> Comparison:
    """The smallest game in which the same program still fails."""
    tried = {script.inputs: first}

    def fails(inputs: Inputs) -> bool:
        if trial.spent_up:
            return False
        if not (rules.illegal or rules.legal) and not trial.scripts.all_legal(inputs):
            return False
        shorter = trial.scripts.expected(inputs)
        if shorter.ends and not rules.finish:
            return False
        tried[inputs] = compare(trial, shorter, profile, scope)
        return not tried[inputs].judgement.met

    return tried[shrink(script.inputs, fails)]
