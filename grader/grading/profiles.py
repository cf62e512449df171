"""The choice of the deciding profile: a program that is right under one edition of its machine is right.

A profile under which the program comes less far never decides. Under an edition in which it hangs in its first board a
program makes few mistakes: four real programs earned a whole criterion in this way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from importlib import import_module

from grader.checks import machine
from grader.checks.ending import faulty
from grader.grading.trial import Judgement, Trial, case_result
from grader.results import CaseResult, Finding, Verdict, Weight
from grader.sessions.laying import MissingLabelError, NoRoomError
from grader.spec.kinds import KINDS
from grader.spec.model import Case

Judge = Callable[[Trial, Case, str], Judgement]


def judged(trial: Trial, case: Case, profile: str) -> Judgement:
    """The judgement under one profile. A kind is imported with its first case: no assignment needs them all."""
    kind = KINDS[case.kind]
    judge_of_kind: Judge = import_module(f"grader.grading.kinds.{kind.judge or kind.name}").judge
    try:
        return judge_of_kind(trial, case, profile)
    except (MissingLabelError, NoRoomError) as lack:  # the program has no place for the run's things
        finding = machine.no_room(lack) if isinstance(lack, NoRoomError) else machine.missing_label(str(lack))
        return Judgement(case_result(case, Verdict.NEEDS_REVIEW, (finding,)), trial.bindings)


def judge(trial: Trial, case: Case) -> Judgement:
    """The judgement of a case that runs the program, under the profile that decides."""
    if trial.built.decides:
        return _confirmed(trial, case)
    first, *others = trial.profiles
    best = _under(trial, case, first)
    for profile in others:
        if best.result.verdict is Verdict.ACCEPTED:
            break
        other = _under(trial, case, profile)
        # Under an edition in which it breaks early a program makes few mistakes: four real programs earned a criterion
        # in this way.
        as_far = other.inputs >= best.inputs and other.breaks <= best.breaks
        # Where both are wrong, a break under the edition that does not decide was told as the mistake of a game, and not what is seen under
        # the other. Of a routine the break tells more: a word that is loaded from a text is only another number under SPIM.
        wrong = case.game and other.result.verdict is Verdict.WRONG_ANSWER
        further = bool(wrong) and other.breaks < best.breaks
        better = (_rank(other.result), not further) < (_rank(best.result), True)
        if (as_far and better) or _unread_beside(trial, profile, best.result.profile):
            best = other
    usual = trial.built.usual
    if best.result.profile == usual:  # other attempts do not matter
        return best
    if usual not in trial.built.programs:
        worse = "it does not assemble"
    else:
        worse = "it is worse" if first == usual else "its letters are garbled"
    sentence = f"judged under the profile {best.result.profile}; {worse} under {usual}"
    note = Finding("profile", sentence, weight=Weight.NOTE)
    return replace(best, result=replace(best.result, findings=(*best.result.findings, note)))


def _unread_beside(trial: Trial, other: str, best: str) -> bool:
    """Whether a program plays nothing under the best profile, while under the other it never broke but could not be read.

    A right program for SPIM whose first lines are not ``main`` breaks at once under MARS, which must not cost it anything.
    A program for MARS breaks under SPIM, which lacks its system calls.
    """
    if trial.scripts.method is None:
        return False
    played, unread = (trial.dialect(profile).studied() for profile in (best, other))
    if played.obstacle or played.learned.lessons or not unread.obstacle:
        return False
    ends = (then.ending for *_, then in trial.memory.runs[other].steps())
    return not any(ending is not None and faulty(ending) for ending in ends)


def _under(trial: Trial, case: Case, profile: str) -> Judgement:
    judgement = judged(trial, case, profile)
    return replace(judgement, result=replace(judgement.result, profile=profile))


def _confirmed(trial: Trial, case: Case) -> Judgement:
    """The judgement under a profile that is tried first, if it accepts; otherwise under the deciding one.

    Once a run under such a profile has taken too long, no more are tried: the deciding profile takes long enough.
    """
    tried, decides, usual = trial.built.tried, trial.built.decides, trial.built.usual
    hangs = trial.memory.hangs
    judgement: Judgement | None = None
    if tried and not any(map(hangs.under, tried.values())):
        judgement = judged(trial, case, tried[case.visibility])
        if hangs.under(tried[case.visibility]):  # a run that hung is judged where it counts
            judgement = None
        elif judgement.result.verdict is not Verdict.ACCEPTED:
            from grader.grading.kinds import game

            judgement = game.confirmed(trial, decides, judgement.result) if case.game else None
    judgement = judgement or judged(trial, case, decides)
    return replace(judgement, result=replace(judgement.result, profile=usual))


def _rank(result: CaseResult) -> tuple[int, Fraction]:
    """The rank of a result, from right to wrong: open before lost, and more kept points before fewer."""
    if result.verdict is Verdict.ACCEPTED:
        return 0, Fraction(0)
    if result.met:
        return 1, Fraction(0)
    return 3 if result.verdict.blames_student else 2, -Fraction(*result.share or (0, 1))
