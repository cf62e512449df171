"""What a program says in one turn, read by the patterns of a spec: here and nowhere else."""

from __future__ import annotations

import re

from grader.bounded import bounded, remembered
from grader.games.referee import Heard, Said
from grader.spec.model import TextRules


class Reader:
    """Reads facts and the question from turns; one for all submissions of a spec."""

    def __init__(self, rules: TextRules) -> None:
        """Compile the patterns of ``facts`` and ``questions``."""
        self._facts = [
            (rule.name, frozenset(rule.lengths), re.compile(rule.pattern, re.IGNORECASE)) for rule in rules.facts
        ]
        self._questions = [(rule.name, re.compile(rule.pattern, re.IGNORECASE)) for rule in rules.questions]
        self._found = remembered(self._find)
        self._said = remembered(_said)

    def read(self, text: str, *, ended: bool, wants: str = "line") -> Heard:
        """What a turn says; the question is the one whose last match stands latest.

        ``wants`` is what the session says that it waits for.
        """
        facts, question = self._found(bounded(text))
        return Heard(facts, None if ended else question, ended, wants)

    def _find(self, text: str) -> tuple[tuple[Said, ...], str | None]:
        found = [
            (match.start(), rank, self._said(name, lengths, tuple(match.groupdict(default="").items()), match[0]))
            for rank, (name, lengths, pattern) in enumerate(self._facts)
            for match in pattern.finditer(text)
        ]
        facts = tuple(said for _, _, said in sorted(found, key=lambda item: item[:2]))
        asked = [(match.start(), name) for name, pattern in self._questions for match in pattern.finditer(text)]
        return facts, max(asked, default=(0, None), key=lambda item: item[0])[1]


def _said(name: str, lengths: frozenset[str], groups: tuple[tuple[str, str], ...], quote: str) -> Said:
    bare = {group: "".join(value.split()) for group, value in groups}
    return Said(name, {group: str(len(v)) if group in lengths else v.casefold() for group, v in bare.items()}, quote)
