"""Relations between cases: their order, their requirements, and which of them charges a mistake.

A mistake is charged once. If another case has charged it, a case is unjudged; if no case charges it, the case that
shows it does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from grader.build import Built
from grader.grading.kinds.transcript import as_slip, stated_wrongly
from grader.grading.trial import unmet
from grader.results import CHARGED_ELSEWHERE, COURSE_FAULT, NOT_SHOWN, CaseResult, Finding, Verdict, Weight
from grader.spec.kinds import PROGRAM_KINDS
from grader.spec.model import Case, Spec


def by_requirement(cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """The cases in the order of the spec, except that each comes after those that it requires.

    The loader refuses cycles.
    """
    by_id = {case.id: case for case in cases}
    ordered: dict[str, Case] = {}

    def visit(case: Case) -> None:
        for required in case.earlier:
            if required not in ordered:
                visit(by_id[required])
        ordered.setdefault(case.id, case)

    for case in cases:
        visit(case)
    return tuple(ordered.values())


def blocked(case: Case, built: Built, results: Mapping[str, CaseResult], *, covers: bool) -> CaseResult | None:
    """The result of a case that cannot be run: the program is missing, or a required case is not met."""
    if built.verdict is Verdict.NEEDS_REVIEW and (case.needs_build or (case.source and not case.source.builds)):
        return _unrun(case, Verdict.UNJUDGED, "not run: a person must say first which program counts")
    if case.needs_build and built.verdict is Verdict.JUDGE_ERROR:
        fault = next((finding for finding in built.findings if finding.code == COURSE_FAULT), None)
        if fault is not None:
            return unmet(case, Verdict.JUDGE_ERROR, fault)
        return _unrun(case, Verdict.JUDGE_ERROR, "not run: the grader failed to build the program")
    lacks = not built.programs if case.needs_program else built.verdict is not Verdict.ACCEPTED
    if case.needs_build and lacks:
        return _unrun(case, Verdict.SKIPPED, "not run: there is no program to run")
    for required in case.requires:
        before = results[required]
        if before.met:
            continue
        # An unjudged case costs nothing, nor does a case that requires it: skipping that case would cost its points.
        passed_on = before.verdict in (Verdict.JUDGE_ERROR, Verdict.NEEDS_REVIEW, Verdict.UNJUDGED)
        verdict = before.verdict if passed_on else Verdict.SKIPPED
        return _unrun(case, verdict, f"not run: it requires “{before.title}” ({required})")
    cause = _cause(case, results)
    tried = _is_paid_dialogue(case) or _is_paid_play(case)
    excused = bool(cause) and (covers or case.game is None) and not tried
    return unmet(case, Verdict.UNJUDGED, Finding(CHARGED_ELSEWHERE, cause)) if excused else None


def _cause(case: Case, results: Mapping[str, CaseResult]) -> str:
    """The reason why a mistake of this case is charged already; empty if it is not."""
    failed = next((results[name] for name in case.unless if _failed(results[name])), None)
    return (
        "" if failed is None else f"not tried: “{failed.title}” ({failed.id}) failed, and the mistake is charged there"
    )


def _is_paid_dialogue(case: Case) -> bool:
    """Whether a case is a written dialogue with points of its own: that is judged up to the turn of a mistake that is charged."""
    return case.transcript is not None and case.criterion is not None


def _is_paid_play(case: Case) -> bool:
    """Whether a case is a play with points of its own: it is tried, and what is right beside a mistake is right."""
    return case.play is not None and case.criterion is not None


def _up_to_mistake(case: Case, result: CaseResult, results: Mapping[str, CaseResult]) -> CaseResult:
    """The result of a written dialogue without what differs in the turn of a mistake that is charged, or later.

    The dialogue itself may show that mistake, by the same code, in an earlier turn than the game that is told.
    """
    # A program that did not ask for its third number paid for that by the rule, and for the whole protocol, in which the board came too soon.
    causes = (results[name] for name in case.unless if _failed(results[name]))
    charged = [one for cause in causes for one in cause.findings if one.turn and one.weight is Weight.DEFECT]
    # One that ended too early, by its heaps, ended the protocol as well, and paid eight points more for that.
    codes = {one.code for one in charged}
    turns = [one.turn or 0 for one in (*charged, *(one for one in result.findings if one.code in codes))]
    kept = tuple(one for one in result.findings if not turns or (one.turn or 0) < min(turns))
    if all(one in kept for one in result.findings if one.weight is not Weight.NOTE):
        return result
    before = [one for one in kept if one.weight is not Weight.NOTE]
    if any(one.weight is Weight.DEFECT for one in before):
        return result
    verdict = Verdict.FORM if before else Verdict.ACCEPTED
    return replace(result, verdict=verdict, met=True, findings=tuple(before))


def _failed(result: CaseResult) -> bool:
    # A case that is met with slips of form has a verdict that blames the student, and charges no mistake.
    return result.verdict.blames_student and not result.met


def excused(case: Case, result: CaseResult, results: Mapping[str, CaseResult]) -> CaseResult:
    """The result; unjudged if a mistake that is already charged prevented the occasions, or shows again here.

    A program that breaks a rule without any refusal shows the same mistake after a refusal, in other words. Then a case
    that judges turns after an occasion charges nothing.
    """
    if _is_paid_dialogue(case):
        return _up_to_mistake(case, result, results)
    cause = _cause(case, results)
    lacking = any(finding.code == NOT_SHOWN for finding in result.findings)  # its verdict may be that of a crash
    if _is_paid_play(case) and cause and _failed(result):
        # A program that broke behind its first move paid for that by the rule, and for its whole form.
        return unmet(case, Verdict.UNJUDGED, Finding(CHARGED_ELSEWHERE, cause))
    again = bool(case.shown) and _failed(result)
    if not (lacking or again) or not cause:
        return result
    findings = (*result.findings, Finding(CHARGED_ELSEWHERE, cause, weight=Weight.NOTE))
    return replace(result, verdict=Verdict.UNJUDGED, findings=findings)


def _unrun(case: Case, verdict: Verdict, message: str) -> CaseResult:
    return unmet(case, verdict, Finding(str(verdict), message))


def charged_kinds(spec: Spec, case: Case, results: Mapping[str, CaseResult]) -> frozenset[str]:
    """The kinds of faults that a case in the ``unless`` of this one has charged, or has left to a person."""
    others = {name: results[name] for name in case.unless}
    blamed = (name for name, one in others.items() if _failed(one) or one.verdict is Verdict.NEEDS_REVIEW)
    return frozenset(kind for name in blamed for kind in spec.case(name).faults)


def with_unowned(spec: Spec, results: Mapping[str, CaseResult], *, own_words: bool) -> dict[str, CaseResult]:
    """The results; a wrong text is charged by its own case if no other case charges anything.

    A text that a case leaves to others breaks a rule that one of them judges. If all of them found nothing, nobody has
    charged it. Then the case of the text charges it, if it has a criterion. Otherwise an example without a criterion is a slip of form:
    a missing question must cost something. A text in a program's ``own_words`` differs from every example, and is charged here only
    if no slip is.
    """
    others = [result for result in results.values() if result.kind in PROGRAM_KINDS and result.criterion]
    right = (Verdict.ACCEPTED,) if own_words else (Verdict.ACCEPTED, Verdict.FORM)
    if not all(result.verdict in right for result in others):
        return dict(results)
    if len({result.profile for result in others}) > 1:  # it is wrong under one profile, and right under another
        return dict(results)
    charged = {name: stated_wrongly(one) if one.criterion and not own_words else one for name, one in results.items()}
    if any(charged[name] is not one for name, one in results.items()):
        # A program that counts refused guesses paid under their criterion, and once more for the wrong number in the sample run.
        return charged
    priced = spec.text.slips if spec.text.criterion else {}
    examples = {name for name, one in results.items() if one.kind == "transcript" and not one.criterion}
    return {name: as_slip(one, priced) if name in examples else one for name, one in results.items()}
