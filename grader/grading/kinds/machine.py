"""A ``machine`` case, judged: observed runs of a simulated program, and what only the simulator sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.checks import machine
from grader.grading.kinds.picture import picture
from grader.grading.trial import Judgement, Trial, case_result, given, judged_turns, show_again, typed_in
from grader.results import CaseResult, Verdict
from grader.sessions.evidence import Evidence
from grader.sessions.session import play
from grader.spec.model import Case
from grader.transcript import Usage


def judge(trial: Trial, case: Case, profile: str) -> Judgement:
    """The result of all observed runs together."""
    rules = given(case.machine)
    evidence = []
    painted = ""
    for inputs in rules.play:
        session = trial.observed(profile)
        transcript = play(session, inputs)
        evidence.append(session.evidence(transcript, tuple(rules.memory)))
        painted = picture(session.machine.read, rules.bitmap) if rules.bitmap else ""
    findings = machine.check(rules, evidence)
    verdict = machine.verdict(rules, evidence, findings)
    result = replace(
        case_result(case, verdict, findings),
        usage=sum((one.transcript.usage for one in evidence), Usage()),
        again=show_again(trial, rules.play[0], profile),
        picture=painted,
        runs=len(evidence),
    )
    if verdict is Verdict.ACCEPTED:
        result = _from_other_values(trial, case, profile, result, evidence)
    return Judgement.of(result, trial.bindings, *(one.transcript for one in evidence))


def _from_other_values(
    trial: Trial, case: Case, profile: str, result: CaseResult, evidence: Sequence[Evidence]
) -> CaseResult:
    """The result after each run was repeated with other contents of registers and memory at its start."""
    for seed in given(case.machine).start_seeds:
        for one in evidence:
            inputs = typed_in(one.transcript)
            transcript = play(trial.start(profile, seed=seed), inputs)
            dependence = machine.start_dependence(one.transcript, transcript)
            if dependence is not None:
                turn = dependence.turn or 1
                return replace(
                    case_result(case, Verdict.WRONG_ANSWER, (dependence,)),
                    usage=result.usage + transcript.usage,
                    turns=judged_turns(transcript, {turn: one.transcript.turns[turn - 1].output}),
                    ending=transcript.ending.message,
                    again=show_again(trial, inputs, profile, seed),
                )
    return result
