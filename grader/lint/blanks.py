"""Facts that lose what they should say: blanks within a group of a pattern do not count, and `X··` and `··X` state the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from grader.bounded import bounded
from grader.source import Severity
from grader.spec.model import Fact, TextRules
from grader.spec.problem import Problem
from grader.transcript import visible


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
            yield Problem("lost-blanks", message, loc, hint, severity=Severity.WARNING)


def _alike(fact: Fact, texts: list[str]) -> Iterator[tuple[str, str, str]]:
    """Each group of which two values differ in blanks alone, with both; blanks around a number mean nothing."""
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
