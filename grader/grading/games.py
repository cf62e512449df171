"""A ``game`` case, judged: the referee follows the program through many games, each to the first fault that the case judges.

Several cases may look at the same games for different faults. They are played once. Where the referee also rules on games
taken together, each of them begins with other random numbers: its number is the seed.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import replace

from grader.checks import ending as endings
from grader.checks.explain import after_inputs
from grader.games.following import Draw, Followed, drawing, follow, repeating, starting, together
from grader.games.referee import UNREAD, Fault
from grader.games.shrinking import shrink
from grader.grading.scripts import Inputs
from grader.grading.trial import TOO_LONG, Trial, case_result, given, show_again, shown, typed_in
from grader.results import CaseResult, Finding, Verdict, Weight
from grader.spec.model import Case
from grader.transcript import Usage


def judge(trial: Trial, case: Case, profile: str) -> CaseResult:
    """The result of a game case: accepted when no game has a fault that it judges."""
    rules = given(case.game)
    usage = Usage()
    unread: tuple[int, Followed] | None = None
    states: list[Hashable] = []
    for number in range(rules.games):
        followed = _game(trial, case, profile, number)
        states.append(followed.state)
        usage += followed.transcript.usage
        if _fails(followed, rules.faults):
            return replace(_failed(trial, case, profile, followed, number), usage=usage)
        if unread is None and any(fault.kind == UNREAD for _, fault in followed.faults):
            unread = number, followed
    if unread is not None:
        return replace(_result(trial, case, profile, unread[1], Verdict.NEEDS_REVIEW), usage=usage)
    return replace(_taken_together(trial, case, states), usage=usage)


def _taken_together(trial: Trial, case: Case, states: Sequence[Hashable]) -> CaseResult:
    """The result where no single game has a fault: the referee may still find one in all of them together."""
    faults = together(trial.scripts.referee, states)
    judged = [fault for fault in faults if fault.kind in given(case.game).faults]
    unread = [fault for fault in faults if fault.kind == UNREAD]
    verdict = Verdict.WRONG_ANSWER if judged else Verdict.NEEDS_REVIEW if unread else Verdict.ACCEPTED
    return case_result(case, verdict, tuple(Finding(fault.kind, fault.message) for fault in (judged or unread)[:1]))


def confirmed(trial: Trial, case: Case, profile: str, tried: CaseResult) -> CaseResult | None:
    """The result of the game that failed under another profile, played under this one; None where it does not fail here."""
    rules = given(case.game)
    inputs = tuple(turn.typed for turn in tried.turns if turn.typed is not None)
    followed = _follow(trial, profile, repeating(inputs))
    unread = any(fault.kind == UNREAD for _, fault in followed.faults)
    if _fails(followed, rules.faults):
        again = _result(trial, case, profile, followed, _verdict(followed))
    elif unread and tried.verdict is Verdict.NEEDS_REVIEW:
        again = _result(trial, case, profile, followed, Verdict.NEEDS_REVIEW)
    else:
        return None
    notes = tuple(finding for finding in tried.findings if finding.weight is Weight.NOTE)
    return replace(again, findings=(*again.findings, *notes), usage=tried.usage)


def _game(trial: Trial, case: Case, profile: str, number: int) -> Followed:
    """A game as it was played; the next case that draws the same game looks at it again."""
    rules = given(case.game)
    key = (profile, rules.seed, rules.illegal, rules.inputs, number)
    known = trial.games.get(key)
    if known is None:
        start = starting(trial.scripts.referee, number)
        seed = number if hasattr(trial.scripts.referee, "across") else None
        known = trial.games[key] = _follow(trial, profile, drawing(rules, number), seed, start)
    return known


def _follow(trial: Trial, profile: str, draw: Draw, seed: int | None = None, start: Hashable | None = None) -> Followed:
    followed = follow(trial.start(profile, seed=seed), trial.scripts.referee, trial.spec.text, draw, start=start)
    return replace(followed, seed=seed)


def _fails(followed: Followed, kinds: Collection[str]) -> bool:
    """Whether a game shows a fault of these kinds, or broke the program."""
    return endings.faulty(followed.transcript.ending) or any(fault.kind in kinds for _, fault in followed.faults)


def _failed(trial: Trial, case: Case, profile: str, first: Followed, number: int) -> CaseResult:
    """The result for the smallest list of answers after which the program still fails in the same way."""
    rules = given(case.game)
    wanted = _codes(first, rules.faults)
    tried: dict[Inputs, Followed] = {}

    def fails(inputs: Inputs) -> bool:
        tried[inputs] = again = _follow(trial, profile, repeating(inputs), first.seed)
        return typed_in(again.transcript) == inputs and bool(wanted & _codes(again, rules.faults))

    inputs = typed_in(first.transcript)
    seen = f"first seen in game {number + 1} of {rules.games}"
    if first.transcript.ending.kind in TOO_LONG:
        return _noted(_result(trial, case, profile, first, _verdict(first)), "first-seen", seen)
    if not fails(inputs):
        said = f"{seen}; with the same answers it did not happen again: the program does not do the same twice"
        return _noted(_result(trial, case, profile, first, _verdict(first)), "not-deterministic", said)
    smallest = shrink(inputs, fails, attempts=SHRINKING)
    said = f"{seen}, shrunk from {len(inputs)} answers to {len(smallest)}"
    return _noted(_result(trial, case, profile, tried[smallest], _verdict(tried[smallest])), "shrunk", said)


def _verdict(followed: Followed) -> Verdict:
    ending = followed.transcript.ending
    return endings.VERDICTS[ending.kind] if endings.faulty(ending) else Verdict.WRONG_ANSWER


def _noted(failed: CaseResult, code: str, said: str) -> CaseResult:
    return replace(failed, findings=(*failed.findings, Finding(code, said, weight=Weight.NOTE)))


SHRINKING = 60
"""How many shorter games are tried: each is a run of the program."""


def _codes(followed: Followed, kinds: Collection[str]) -> set[str]:
    ending = followed.transcript.ending
    codes = {str(ending.kind)} if endings.faulty(ending) else set()
    return codes | {fault.kind for _, fault in followed.faults if fault.kind in kinds}


def _result(trial: Trial, case: Case, profile: str, followed: Followed, verdict: Verdict) -> CaseResult:
    transcript = followed.transcript
    kinds = {UNREAD} if verdict is Verdict.NEEDS_REVIEW else set(given(case.game).faults)
    findings = [_finding(followed, turn, fault) for turn, fault in followed.faults if fault.kind in kinds][:1]
    if endings.faulty(transcript.ending):
        findings.append(endings.explain(transcript))
    return replace(
        case_result(case, verdict, tuple(findings)),
        turns=shown(transcript, {}),
        ending=transcript.ending.message,
        again=show_again(trial, typed_in(transcript), profile, followed.seed),
    )


def _finding(followed: Followed, turn: int, fault: Fault) -> Finding:
    typed = followed.transcript.inputs_before(turn)
    return Finding(fault.kind, f"{fault.message}, {after_inputs(typed)}", turn, typed=typed)
