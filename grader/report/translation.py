"""A grade in the language of its student: every sentence of ours in it, and nothing that a program printed or a course wrote.

It is the last step before a report for a student is written, after ``for_student``: the record, and all that staff read, stay English.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache
from typing import Any

from grader.languages import Language
from grader.results import (
    Adjustment,
    CaseResult,
    CriterionResult,
    Finding,
    Grade,
    JudgedTurn,
    Lesson,
    Occasion,
    Proof,
    Visibility,
    for_student,
)

_DIAGNOSTIC = re.compile(r"\A(?P<place>(?:.+?:\d+(?::\d+)?: )?)(?P<severity>error|warning|note): (?P<message>.*)")
_HINT = "  hint: "
_NOTHING = "(nothing)"  # where there is nothing to quote
_QUOTES = {"code", "weight", "typed", "expected", "actual", "excerpt", "output", "position"}
"""What of a finding is a name of ours, or is quoted from a program and its source."""

_LEFT_OUT = re.compile(r"… and \d+ characters more\Z")

_Say = Callable[[str], str]


def translated(grade: Grade, language: Language) -> Grade:
    """The projection of a grade for its student, in a language."""
    seen = for_student(grade)
    if language.code == "en":
        return seen
    say = cache(language.say)  # many cases say the same
    return replace(
        seen,
        criteria=tuple(_criterion(one, say) for one in seen.criteria),
        cases=tuple(_case(one, say, language.word(_NOTHING)) for one in seen.cases),
        diagnostics=tuple(diagnostic(one, language) for one in seen.diagnostics),
        learned=tuple(_lesson(one, say) for one in seen.learned),
        adjustments=tuple(_adjustment(one, say) for one in seen.adjustments),
    )


def diagnostic(text: str, language: Language) -> str:
    """What an assembler or compiler said, with our part of it in a language: a line that says what is wrong, an excerpt, a hint."""
    head, *rest = text.split("\n")
    match = _DIAGNOSTIC.fullmatch(head)
    if match is None:
        head = language.say(head)
    else:
        head = f"{match['place']}{language.word(match['severity'])}: {language.say(match['message'])}"
    return "\n".join((head, *(_hint(line, language) for line in rest)))


def _hint(line: str, language: Language) -> str:
    if not line.startswith(_HINT):
        return line
    return f"  {language.word('hint: {text}', text=language.say(line.removeprefix(_HINT)))}"


def _criterion(criterion: CriterionResult, say: _Say) -> CriterionResult:
    charges = tuple(replace(charge, message=say(charge.message)) for charge in criterion.charges)
    return replace(criterion, reason=say(criterion.reason), given=say(criterion.given), charges=charges)


def _case(case: CaseResult, say: _Say, nothing: str) -> CaseResult:
    findings = tuple(_finding(one, say, nothing) for one in case.findings)
    if case.visibility is not Visibility.VISIBLE:
        return replace(case, findings=findings)
    return replace(
        case,
        findings=findings,
        ending=say(case.ending),
        turns=tuple(_turn(one, say) for one in case.turns),
        occasions=tuple(_occasion(one, say) for one in case.occasions),
        proof=_proof(case.proof, say) if case.proof else None,
    )


def _finding(finding: Finding, say: _Say, nothing: str) -> Finding:
    """All that a finding says, but for what it quotes."""
    said = {one.name: _said(getattr(finding, one.name), say) for one in fields(finding) if one.name not in _QUOTES}
    return replace(
        finding,
        **said,
        expected=nothing if finding.expected == _NOTHING else finding.expected,
        actual=nothing if finding.actual == _NOTHING else finding.actual,
        output=_cut(finding.output, say),
    )


def _said(value: Any, say: _Say) -> Any:
    if isinstance(value, tuple):
        return tuple(_said(one, say) for one in value)
    return say(value) if isinstance(value, str) else value


def _cut(output: str, say: _Say) -> str:
    """What a program printed, and how much of it was left out."""
    return _LEFT_OUT.sub(lambda match: say(match[0]), output)


def _turn(turn: JudgedTurn, say: _Say) -> JudgedTurn:
    return replace(turn, output=_cut(turn.output, say))


def _occasion(occasion: Occasion, say: _Say) -> Occasion:
    return replace(occasion, label=say(occasion.label))


def _proof(proof: Proof, say: _Say) -> Proof:
    return replace(proof, label=say(proof.label), why=say(proof.why))


def _lesson(lesson: Lesson, say: _Say) -> Lesson:
    return replace(lesson, sentence=say(lesson.sentence))


def _adjustment(adjustment: Adjustment, say: _Say) -> Adjustment:
    return replace(adjustment, message=say(adjustment.message))
