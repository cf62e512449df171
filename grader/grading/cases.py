"""One case of each kind, judged: run what must be run, ask the checks, word the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from grader.checks import dialogue, files, machine, source
from grader.checks.dialogue import Judgement, Scope
from grader.games.shrinking import shrink
from grader.grading import dialogues, games
from grader.grading.picture import picture
from grader.grading.scripts import Inputs
from grader.grading.trial import TOO_LONG, Trial, case_result, given, show_again, shown, typed_in
from grader.results import CaseResult, Finding, Verdict, Weight
from grader.sessions.evidence import Evidence
from grader.sessions.session import play
from grader.spec.expectations import Script
from grader.spec.model import Case
from grader.submission import Form
from grader.transcript import Transcript, Usage


@dataclass(frozen=True, slots=True)
class _Run:
    """One run, judged: enough to word a result."""

    transcript: Transcript
    judgement: Judgement


def judge_case(trial: Trial, case: Case) -> CaseResult:
    """The result of one case."""
    if case.needs_program:
        return _under_profiles(trial, case, _RUNNERS[case.kind])
    if case.source is not None:
        return case_result(case, *source.check(case.source, trial.built))
    if case.files is not None:
        return _files(trial, case)
    question = case.manual or ""
    return case_result(case, Verdict.NEEDS_REVIEW, (Finding("manual", f"a person decides: {question}"),))


def _under_profiles(trial: Trial, case: Case, run: Callable[[Trial, Case, str], CaseResult]) -> CaseResult:
    """The best result over the spec's profiles: a program that is right under one edition is right.

    Where one profile decides, its result alone counts if the first one is not accepted.
    """
    first, *others = trial.built.programs
    if trial.built.decides:
        return _decided(trial, case, run, first)
    bound_before = trial.bindings
    best = replace(run(trial, case, first), profile=first)
    bound = trial.bindings
    for profile in others:
        if best.verdict is Verdict.ACCEPTED:
            break
        trial.bindings = bound_before
        other = replace(run(trial, case, profile), profile=profile)
        if _rank(other) < _rank(best):
            best, bound = other, trial.bindings
    trial.bindings = bound
    usual = trial.built.usual
    if best.profile == usual:
        return best
    worse = "it is worse" if first == usual else "it does not assemble"
    note = Finding("profile", f"judged under the profile {best.profile}; {worse} under {usual}", weight=Weight.NOTE)
    return replace(best, findings=(*best.findings, note))


def _decided(trial: Trial, case: Case, run: Callable[[Trial, Case, str], CaseResult], first: str) -> CaseResult:
    """The result under the first profile if that is acceptance, else under the one that decides.

    A profile under which the program did not come to an end in time is not tried again.
    """
    decides, usual = trial.built.decides, trial.built.usual
    before = trial.bindings
    if first not in trial.given_up:
        tried = run(trial, case, first)
        if tried.verdict is Verdict.ACCEPTED:
            return replace(tried, profile=usual)
        if tried.verdict is Verdict.TIME_LIMIT:
            trial.given_up.add(first)
        trial.bindings = before
        confirmed = games.confirmed(trial, case, decides, tried) if case.game else None
        if confirmed is not None:
            return replace(confirmed, profile=usual)
    return replace(run(trial, case, decides), profile=usual)


def _rank(result: CaseResult) -> int:
    return 0 if result.verdict is Verdict.ACCEPTED else 1 if result.met else 2


def _transcript(trial: Trial, case: Case, profile: str) -> CaseResult:
    run = _run(trial, trial.scripts.dialogue(case), profile, Scope.of(case, case.judges))
    trial.bindings = run.judgement.bindings
    return _dialogue_result(trial, case, profile, run)


def _run(trial: Trial, script: Script, profile: str, scope: Scope) -> _Run:
    transcript = play(trial.start(profile), script.inputs)
    return _Run(transcript, dialogue.judge(script, transcript, trial.spec.text, trial.bindings, scope))


def _differential(trial: Trial, case: Case, profile: str) -> CaseResult:
    rules = given(case.differential)
    scope = Scope.of(case, rules.judges)
    usage = Usage()
    slips: dict[str, Finding] = {}
    for number, script in enumerate(trial.scripts.games(case, rules), start=1):
        run = _run(trial, script, profile, scope)
        trial.bindings = run.judgement.bindings
        usage += run.transcript.usage
        if not run.judgement.met and run.transcript.ending.kind in TOO_LONG:
            return replace(_dialogue_result(trial, case, profile, run), usage=usage)
        if not run.judgement.met:
            return replace(_shrunk(trial, case, profile, script, number), usage=usage)
        for finding in run.judgement.findings:
            slips.setdefault(finding.code, finding)
    verdict = Verdict.WRONG_ANSWER if any(f.weight is Weight.SLIP for f in slips.values()) else Verdict.ACCEPTED
    return replace(case_result(case, verdict, tuple(slips.values()), met=True), usage=usage)


def _shrunk(trial: Trial, case: Case, profile: str, script: Script, number: int) -> CaseResult:
    """The result for the smallest game in which the same program still fails."""
    rules = given(case.differential)
    scope = Scope.of(case, rules.judges)

    def fails(inputs: Inputs) -> bool:
        if not rules.illegal and not trial.scripts.all_legal(inputs):
            return False
        shorter = trial.scripts.expected(inputs)
        if shorter.ends and not rules.finish:
            return False
        return not _run(trial, shorter, profile, scope).judgement.met

    smallest = shrink(script.inputs, fails)
    result = _dialogue_result(trial, case, profile, _run(trial, trial.scripts.expected(smallest), profile, scope))
    note = f"first seen in game {number} of {rules.games}, shrunk from {len(script.inputs)} inputs to {len(smallest)}"
    return replace(result, findings=(*result.findings, Finding("shrunk", note, weight=Weight.NOTE)))


def _machine(trial: Trial, case: Case, profile: str) -> CaseResult:
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
    )
    if verdict is not Verdict.ACCEPTED:
        return result
    return _from_other_values(trial, case, profile, result, evidence)


def _from_other_values(
    trial: Trial, case: Case, profile: str, result: CaseResult, evidence: Sequence[Evidence]
) -> CaseResult:
    """The result after each run was repeated with other contents of registers and memory at its start."""
    for seed in given(case.machine).start_seeds:
        for one in evidence:
            inputs = typed_in(one.transcript)
            transcript = play(trial.start(profile, seed=seed), inputs)
            found = machine.start_dependence(one.transcript, transcript)
            if found is not None:
                turn = found.turn or 1
                return replace(
                    case_result(case, Verdict.WRONG_ANSWER, (found,)),
                    usage=result.usage + transcript.usage,
                    turns=shown(transcript, {turn: one.transcript.turns[turn - 1].output}),
                    ending=transcript.ending.message,
                    again=show_again(trial, inputs, profile, seed),
                )
    return result


def _files(trial: Trial, case: Case) -> CaseResult:
    rules = given(case.files)
    if trial.submission.form is Form.FILE:
        alone = Finding("single-file", "only a file was handed in, without a folder or an archive", weight=Weight.NOTE)
        return case_result(case, Verdict.SKIPPED, (alone,))
    return case_result(case, *files.check(rules, trial.submission))


def _dialogue_result(trial: Trial, case: Case, profile: str, run: _Run) -> CaseResult:
    transcript, judgement = run.transcript, run.judgement
    return replace(
        case_result(case, judgement.verdict, judgement.findings, met=judgement.met),
        usage=transcript.usage,
        turns=shown(transcript, judgement.differences),
        ending=transcript.ending.message,
        again=show_again(trial, typed_in(transcript), profile),
    )


_RUNNERS = {
    "transcript": _transcript,
    "dialogue": dialogues.judge,
    "differential": _differential,
    "game": games.judge,
    "machine": _machine,
}
