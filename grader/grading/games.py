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
from grader.games.referee import CRASH, UNREAD, Fault
from grader.games.shrinking import shrink
from grader.grading.scripts import Inputs
from grader.grading.trial import TOO_LONG, Trial, case_result, given, show_again, shown, typed_in
from grader.results import CaseResult, Finding, Verdict, Weight
from grader.spec.model import Case
from grader.transcript import Usage


def judge(trial: Trial, case: Case, profile: str) -> CaseResult:
    """The result of a game case: accepted when no game has a fault that it judges.

    Where a crash is judged by other cases alone a game that breaks is judged by what was said before; but where every game
    breaks, and soon, nothing was shown. When some games had to be stopped for taking too long no more are played.
    """
    rules = given(case.game)
    usage = Usage()
    played: list[Followed] = []
    for number in range(rules.games):
        followed = _game(trial, case, profile, number)
        played.append(followed)
        usage += followed.transcript.usage
        if _shows(followed, _judged(trial, case)):
            return replace(_failed(trial, case, profile, followed, number), usage=usage)
        if sum(one.transcript.ending.kind in TOO_LONG for one in played) == PATIENCE:
            break
    unread = next((one for one in played if _shows(one, (UNREAD,))), None)
    if all(one.broke for one in played) and _answered(played) < EVIDENCE * len(played):
        return replace(_result(trial, case, profile, played[0], played[0].faults[-1][1].kind), usage=usage)
    if unread is not None:
        return replace(_result(trial, case, profile, unread, UNREAD), usage=usage)
    return replace(_taken_together(trial, case, [one.state for one in played]), usage=usage)


def _taken_together(trial: Trial, case: Case, states: Sequence[Hashable]) -> CaseResult:
    """The result where no single game has a fault: the referee may still find one in all of them together."""
    faults = together(trial.scripts.referee, states)
    judged = [fault for fault in faults if fault.kind in given(case.game).faults]
    unread = [fault for fault in faults if fault.kind == UNREAD]
    verdict = Verdict.WRONG_ANSWER if judged else Verdict.NEEDS_REVIEW if unread else Verdict.ACCEPTED
    return case_result(case, verdict, tuple(Finding(fault.kind, fault.message) for fault in (judged or unread)[:1]))


def confirmed(trial: Trial, case: Case, profile: str, tried: CaseResult) -> CaseResult | None:
    """The result of the game that failed under another profile, played under this one; None where it does not fail here."""
    inputs = tuple(turn.typed for turn in tried.turns if turn.typed is not None)
    followed = _follow(trial, profile, repeating(inputs))
    kinds = {UNREAD} if tried.verdict is Verdict.NEEDS_REVIEW else {finding.code for finding in tried.findings}
    kind = next((fault.kind for _, fault in followed.faults if _code(followed, fault) in kinds), None)
    if kind is None:
        return None
    again = _result(trial, case, profile, followed, kind)
    notes = tuple(finding for finding in tried.findings if finding.weight is Weight.NOTE)
    return replace(again, findings=(*again.findings, *notes), usage=tried.usage)


def _game(trial: Trial, case: Case, profile: str, number: int) -> Followed:
    """A game as it was played; the next case that draws the same game looks at it again."""
    rules = given(case.game)
    key = (profile, *rules.drawn_by, number)
    known = trial.games.get(key)
    if known is None:
        start = starting(trial.scripts.referee, number)
        seed = number if hasattr(trial.scripts.referee, "across") else None
        known = trial.games[key] = _follow(trial, profile, drawing(rules, number), seed, start)
    return known


def _follow(trial: Trial, profile: str, draw: Draw, seed: int | None = None, start: Hashable | None = None) -> Followed:
    followed = follow(trial.start(profile, seed=seed), trial.scripts.referee, trial.scripts.reader, draw, start=start)
    return replace(followed, seed=seed)


def _answered(played: Sequence[Followed]) -> int:
    return sum(len(typed_in(one.transcript)) for one in played)


def _judged(trial: Trial, case: Case) -> Collection[str]:
    """The kinds of faults that a case judges; a crash is every case's where none in the spec names it."""
    named = any(CRASH in other.game.faults for other in trial.spec.cases if other.game)
    return given(case.game).faults if named else (*given(case.game).faults, CRASH)


def _shows(followed: Followed, kinds: Collection[str]) -> bool:
    """Whether a game shows a fault of these kinds."""
    return any(fault.kind in kinds for _, fault in followed.faults)


def _failed(trial: Trial, case: Case, profile: str, first: Followed, number: int) -> CaseResult:
    """The result for the smallest list of answers after which the program still shows the first fault that is judged."""
    rules = given(case.game)
    kind = next(fault.kind for _, fault in first.faults if fault.kind in _judged(trial, case))
    tried: dict[Inputs, Followed] = {}

    def fails(inputs: Inputs) -> bool:
        tried[inputs] = again = _follow(trial, profile, repeating(inputs), first.seed)
        return typed_in(again.transcript) == inputs and _shows(again, (kind,))

    inputs = typed_in(first.transcript)
    seen = f"first seen in game {number + 1} of {rules.games}"
    if first.transcript.ending.kind in TOO_LONG:
        return _noted(_result(trial, case, profile, first, kind), "first-seen", seen)
    if not fails(inputs):
        said = f"{seen}; with the same answers it did not happen again: the program does not do the same twice"
        return _noted(_result(trial, case, profile, first, kind), "not-deterministic", said)
    smallest = shrink(inputs, fails, attempts=SHRINKING)
    said = f"{seen}, shrunk from {len(inputs)} answers to {len(smallest)}"
    return _noted(_result(trial, case, profile, tried[smallest], kind), "shrunk", said)


def _noted(failed: CaseResult, code: str, said: str) -> CaseResult:
    return replace(failed, findings=(*failed.findings, Finding(code, said, weight=Weight.NOTE)))


SHRINKING = 60
"""How many shorter games are tried: each is a run of the program."""

EVIDENCE = 2
"""So many answers, on average, are typed before games break which are evidence all the same."""

PATIENCE = 3
"""After so many games that were stopped for taking too long no more are played."""


def _result(trial: Trial, case: Case, profile: str, followed: Followed, kind: str) -> CaseResult:
    """The result of a case in which a game shows a fault of this kind."""
    transcript = followed.transcript
    turn, fault = next((turn, fault) for turn, fault in followed.faults if fault.kind == kind)
    finding = _finding(followed, turn, fault)
    if _is_break(followed, fault):
        finding, verdict = endings.explain(transcript), endings.VERDICTS[transcript.ending.kind]
    else:
        verdict = Verdict.NEEDS_REVIEW if kind == UNREAD else Verdict.WRONG_ANSWER
    return replace(
        case_result(case, verdict, (finding,)),
        turns=shown(transcript, {}),
        ending=transcript.ending.message,
        again=show_again(trial, typed_in(transcript), profile, followed.seed),
    )


def _finding(followed: Followed, turn: int, fault: Fault) -> Finding:
    typed = followed.transcript.inputs_before(turn)
    return Finding(fault.kind, f"{fault.message}, {after_inputs(typed)}", turn, typed=typed)


def _is_break(followed: Followed, fault: Fault) -> bool:
    return followed.broke and fault is followed.faults[-1][1]


def _code(followed: Followed, fault: Fault) -> str:
    """The code of the finding that a fault becomes."""
    return str(followed.transcript.ending.kind) if _is_break(followed, fault) else fault.kind
