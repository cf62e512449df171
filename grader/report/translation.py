"""A grade in the language of its student: our sentences are translated; texts of programs and courses stay.

It is the last step before a report for a student is written, after ``for_student``: the record, and all that staff read, stay English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import fields, replace
from functools import cache
from typing import Any

from grader import results
from grader.languages import Language
from grader.results import CaseResult, Finding, Grade, Visibility, for_student

_DIAGNOSTIC = re.compile(r"\A(?P<place>(?:.+?:\d+(?::\d+)?: )?)(?P<severity>error|warning|note): (?P<message>.*)")
_HINT = "  hint: "
_NOTHING = "(nothing)"  # where there is nothing to quote
# The fields of each part of a grade that are sentences of ours, or parts that have some.
_SENTENCES: dict[type, tuple[str, ...]] = {
    Grade: ("criteria", "cases", "learned", "adjustments"),
    results.CriterionResult: ("reason", "given", "charges"),
    results.Charge: ("message",),
    results.Occasion: ("label",),
    results.Proof: ("label", "why"),
    results.Lesson: ("sentence",),
    results.Adjustment: ("message",),
}

_OF_CASE = ("findings", "ending", "turns", "occasions", "proof")
# The fields of a finding that are names of ours, or quotes from a program and its source.
_QUOTES = {"code", "weight", "typed", "expected", "actual", "excerpt", "output", "position"}

_LEFT_OUT = re.compile(r"… and \d+ characters more\Z")


def translated(grade: Grade, language: Language) -> Grade:
    """The projection of a grade for its student, in a language."""
    seen = for_student(grade)
    if language.code == "en":
        return seen
    say = cache(language.say)  # many cases say the same
    seen = replace(seen, diagnostics=tuple(diagnostic(one, language) for one in seen.diagnostics))
    whole: Grade = _translated(seen, say, language.word(_NOTHING))
    return whole


def diagnostic(text: str, language: Language) -> str:
    """A message of an assembler or compiler (error, excerpt, hint), with our parts translated."""
    head, *rest = text.split("\n")
    match = _DIAGNOSTIC.fullmatch(head)
    if match is None:
        lines = [language.say(head)]
    else:
        lines = [f"{match['place']}{language.word(match['severity'])}: {language.say(match['message'])}"]
    for line in rest:  # the excerpt is the student's, and stays
        hint = line.removeprefix(_HINT)
        lines.append(line if hint == line else f"  {language.word('hint: {text}', text=language.say(hint))}")
    return "\n".join(lines)


def _translated(value: Any, say: Callable[[str], str], nothing: str) -> Any:
    """A part of a grade with its sentences translated by ``say``; quotes stay, and empty ones become ``nothing``."""
    if isinstance(value, str):
        return say(value)
    if isinstance(value, tuple):
        return tuple(_translated(one, say, nothing) for one in value)
    names: Collection[str] = _SENTENCES.get(type(value), ())
    quotes: dict[str, str] = {}
    if isinstance(value, CaseResult):
        names = _OF_CASE if value.visibility is Visibility.VISIBLE else ("findings",)
    elif isinstance(value, Finding):
        names = {one.name for one in fields(value)} - _QUOTES
        texts = {name: getattr(value, name) for name in ("expected", "actual")}
        quotes = {name: nothing if text == _NOTHING else text for name, text in texts.items()}
    if isinstance(value, Finding | results.JudgedTurn):  # our note in a quote on the number of characters left out
        quotes["output"] = _LEFT_OUT.sub(lambda match: say(match[0]), value.output)
    changed = {name: _translated(getattr(value, name), say, nothing) for name in names}
    return replace(value, **quotes, **changed) if quotes or changed else value
