"""Facts that say less, or more, than they should.

Programs repeat what was typed. So a number on a line of its own is no row of a board and no count: by such a fact a right program
would lose points. And blanks within a group of a pattern do not count: `X··` and `··X` state the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from grader.bounded import bounded
from grader.spec.model import Fact, Spec, TextRules
from grader.spec.problem import Problem
from grader.transcript import visible

NUMBERS = ("0", "1", "2", "3", "7", "12", "36")
"""What users of games type, and what a board may hold."""

_AROUND = ("{}\n", "{}\nWhat next? ", "\n{}\n")


def lone_numbers(spec: Spec) -> Iterator[Problem]:
    """The facts of a spec with games whose pattern finds a number that stands alone."""
    for at, fact in enumerate(spec.text.facts if spec.games else ()):
        pattern = re.compile(fact.pattern, re.IGNORECASE)
        number = next((one for one in NUMBERS if any(pattern.search(text.format(one)) for text in _AROUND)), None)
        if number is not None:
            message = f"a number on a line of its own, such as {number}, is read as `{fact.name}`: a program that repeats what was typed says the same"
            hint = "ask for a word, a mark or a blank beside the number: (?=[123][^\\r\\n])"
            yield Problem.warning("lone-number", message, ("text", "facts", at, "pattern"), hint)


def lost_blanks(rules: TextRules, texts: Iterable[str]) -> Iterator[Problem]:
    """A warning for each group that says two different things in the reference which differ in blanks alone."""
    seen = [bounded(text) for text in dict.fromkeys(texts)]
    for index, fact in enumerate(rules.facts):
        for group, first, second in _alike(fact, seen):
            message = (
                f"the reference says “{visible(first)}” and “{visible(second)}” in the group `{group}`, which state the same: "
                "blanks within a group do not count"
            )
            hint = "where the place of a sign matters, let each place be a group of its own: (?P<left>.)(?P<right>.)"
            loc = ("text", "facts", index, "pattern")
            yield Problem.warning("lost-blanks", message, loc, hint)


def _alike(fact: Fact, texts: list[str]) -> Iterator[tuple[str, str, str]]:
    """Each group that has two values which differ in blanks alone, with both; blanks around a number mean nothing."""
    pattern = re.compile(fact.pattern, re.IGNORECASE)
    said: dict[str, dict[str, str]] = {group: {} for group in pattern.groupindex if group not in fact.lengths}
    told: set[str] = set()
    for text in texts:
        for match in pattern.finditer(text):
            for group, value in match.groupdict(default="").items():
                bare = "".join(value.split())
                before = said.get(group, {}).setdefault(bare, value)
                if group not in told and group in said and before != value and not bare.isdecimal():
                    told.add(group)
                    yield group, before, value
