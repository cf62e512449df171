"""Cases whose runs are compared with what the reference prints, judged.

A ``transcript`` or ``play`` case is one dialogue. A ``differential`` case is many drawn games, and the smallest one that fails.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from grader.checks import dialogue
from grader.checks.dialogue import Scope
from grader.games.follow.sampling import shrink
from grader.grading.budget import TOO_LONG
from grader.grading.scripts import Inputs
from grader.grading.trial import Judgement, Trial, case_result, show_again, with_run
from grader.results import CaseResult, Finding, Occasion, Verdict, Weight
from grader.sessions.session import USUAL, Setup, play
from grader.spec.expectations import Script
from grader.spec.kinds.runs import Differential
from grader.spec.model import Case, SlipKind
from grader.transcript import Transcript, Usage
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Comparison:
    """One run beside its script: enough to word a result."""

    script: Script
    transcript: Transcript
    judgement: dialogue.Judgement


def judge(trial: Trial, case: Case, profile: str) -> Judgement:
    """The result of one dialogue, or of many games."""
    if case.differential is not None:
        return _differential(trial, case, case.differential, profile)
    comparison = compare(
        trial, trial.scripts.dialogue(case), profile, Scope.of(case, case.judges), Setup.of(case.starts)
    )
    result = dialogue_result(trial, case, profile, comparison)
    rules = trial.spec.text
    if case.criterion is not None and case.criterion == rules.criterion and SlipKind.MISSING in rules.slips:
        result = _without_question(result, comparison)
    if case.criterion is None and not trial.own_words:  # a wrong example must not be called right
        result = stated_wrongly(result)
    return Judgement.of(result, comparison.judgement.bindings, comparison.transcript)


def _without_question(result: CaseResult, comparison: Comparison) -> CaseResult:
    """The result; where one question alone is not printed it is a slip, as any other missing line is."""
    # A missing question cost the whole protocol, as nothing else is printed before the answer; a missing title cost a slip.
    silent = next((one for one in result.findings if one.code == "no-output" and one.turn), None)
    alone = silent is not None and all(one is silent or one.weight is Weight.SLIP for one in result.findings)
    if silent is None or not alone or len(comparison.transcript.turns) == 1:
        return result
    if "\n" in comparison.judgement.differences[silent.turn or 0].strip():
        return result
    slip = replace(silent, code=str(SlipKind.MISSING), hint="", weight=Weight.SLIP)
    findings = [slip, *(one for one in result.findings if one is not silent and one.code != slip.code)]
    return replace(result, verdict=Verdict.FORM, met=True, findings=tuple(findings))


def stated_wrongly(result: CaseResult) -> CaseResult:
    """The result with wrong facts charged that were left to other cases, unless a slip of form has the price of the line."""
    elsewhere = [finding for finding in result.findings if finding.code == dialogue.ELSEWHERE]
    slips = [finding for finding in result.findings if finding.weight is Weight.SLIP and finding.actual]
    # A program that called its first two rows “2. Reihe”, and was right otherwise, paid for the whole protocol.
    if all(any((s.turn, f.actual.find(s.actual)) == (f.turn, 0) for s in slips) for f in elsewhere):
        return result
    findings = []
    for one in result.findings:
        wrong = one.code == dialogue.ELSEWHERE
        findings.append(replace(one, code="text", hint="", weight=Weight.DEFECT) if wrong else one)
    findings.sort(key=lambda finding: finding.weight is not Weight.DEFECT)
    return replace(result, verdict=Verdict.WRONG_ANSWER, met=False, findings=tuple(findings))


def as_slip(result: CaseResult, priced: Collection[str]) -> CaseResult:
    """The result for a wrong text that costs nothing yet. Its first difference is a slip, if its kind is ``priced``."""
    first = next((one for one in result.findings if one.weight is Weight.DEFECT), None)
    silent = first is not None and (first.code == "no-output" or not first.actual.strip())
    # “Bye!” that is not printed lacks a line, and is other words where missing lines have no price.
    kind = SlipKind.MISSING if silent and SlipKind.MISSING in priced else SlipKind.WORDING
    if first is None or result.verdict is not Verdict.WRONG_ANSWER or kind not in priced:
        return result
    slip = replace(first, code=str(kind), weight=Weight.SLIP)
    others = (one for one in result.findings if one.weight is not Weight.DEFECT)
    return replace(result, verdict=Verdict.FORM, met=True, findings=(slip, *others))


def compare(trial: Trial, script: Script, profile: str, scope: Scope, setup: Setup = USUAL) -> Comparison:
    """Run the inputs of a script, and compare."""
    transcript = play(trial.start(profile, setup=setup), script.inputs)
    return Comparison(script, transcript, dialogue.judge(script, transcript, trial.spec.text, trial.bindings, scope))


def dialogue_result(trial: Trial, case: Case, profile: str, comparison: Comparison) -> CaseResult:
    """The result that rests on one run."""
    judgement = comparison.judgement
    result = case_result(case, judgement.verdict, judgement.findings, met=judgement.met)
    return with_run(trial, result, profile, comparison.transcript, judgement.differences, begun=case.starts)


# ------------------------------------------------------------------------------------ drawn games beside the reference


def _differential(trial: Trial, case: Case, rules: Differential, profile: str) -> Judgement:
    """The result of many games: of the first that fails, or with each kind of slip once."""
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
