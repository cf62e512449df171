"""A ``dialogue`` case, judged: steps taken one after the other, up to the first that fails."""

from __future__ import annotations

from grader.checks import ending as endings
from grader.checks.explain import after_inputs
from grader.grading.trial import Judgement, Trial, case_result, given, with_run
from grader.results import Finding, Verdict
from grader.sessions.session import Setup
from grader.spec.kinds.dialogue import Step
from grader.spec.model import Case
from grader.transcript import visible

_SHOWN = 400  # last characters of the output that a failed step shows


def judge(trial: Trial, case: Case, profile: str) -> Judgement:
    """The result of a dialogue in steps."""
    from grader.sessions.expecting import perform

    steps = given(case.dialogue)
    performed = perform(trial.start(profile, setup=Setup.of(case.starts)), steps)
    transcript = performed.transcript
    verdict = Verdict.ACCEPTED
    findings: tuple[Finding, ...] = ()
    if endings.faulty(transcript.ending):
        verdict, findings = endings.VERDICTS[transcript.ending.kind], (endings.explain(transcript),)
    elif performed.failed is not None:
        number, output, turn = performed.failed, performed.found, len(transcript.turns)
        typed, step = transcript.inputs_before(turn), steps[number - 1]
        code, clause = _said(step, output, ended=endings.ended(transcript.ending))
        message, actual = f"step {number}: {clause}, {after_inputs(typed)}", visible(output[-_SHOWN:]) or "(nothing)"
        verdict = Verdict.WRONG_ANSWER
        findings = (Finding(code, message, turn, typed=typed, expected=step.expectation, actual=actual),)
    result = with_run(trial, case_result(case, verdict, findings), profile, transcript, {}, begun=case.starts)
    return Judgement.of(result, trial.bindings, transcript)


def _said(step: Step, output: str, *, ended: bool) -> tuple[str, str]:
    """A slug and a clause for a step that failed."""
    if step.expect is not None and not output.strip():
        return "not-said", f"nothing is printed, and the program {'ends' if ended else 'waits for more input'}"
    if step.expect is not None:
        return "not-said", "the output does not match the expected output"
    if step.refuse is not None:
        return "said", "the program prints something that it must not print"
    if step.ends:
        return "still-waiting", "the program must end here, but waits for input"
    assert ended, "typing fails only where the program has ended"
    return "ended-early", "the program ends where it should ask for input"
