"""Facts: statements of a text in any wording, read by the patterns of a spec, and how a case judges them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from types import MappingProxyType

from grader.bounded import bounded, number, remembered
from grader.spec.model import Fact as FactRule
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact that a text states: its name, and the values of the named groups of its pattern, in their order.

    Values are lower case and without blanks. A group that did not match is empty. If only the length of a group counts,
    the value is that number. ``quote`` is the text that was read, for reports; it does not count in comparisons.
    """

    name: str
    values: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    quote: str = field(default="", compare=False)

    def number(self, group: str) -> int | None:
        """The value of a group as a number, which may have a sign; None for other text, and for too many digits."""
        text = self.values.get(group, "")
        value = number(text.removeprefix("-"))
        # A program that takes more than there is shows negative heaps and scores.
        return -value if value is not None and text.startswith("-") else value


class FactReader:
    """A reader of facts by fixed rules, shared by all texts with these rules."""

    def __init__(self, rules: Sequence[FactRule]) -> None:
        """Compile the patterns; upper and lower case are the same."""
        self._rules = [(rule.name, rule.lengths, re.compile(rule.pattern, re.IGNORECASE)) for rule in rules]
        self.facts = remembered(self._facts)
        self._fact = remembered(_fact)

    def _facts(self, text: str) -> tuple[Fact, ...]:
        """The facts in the order of the text; at the same place, that of the earlier rule comes first."""
        seen = bounded(text)
        matches = [
            (match.start(), rank, self._fact(name, lengths, tuple(match.groupdict(default="").items()), match[0]))
            for rank, (name, lengths, pattern) in enumerate(self._rules)
            for match in pattern.finditer(seen)
        ]
        return tuple(fact for _, _, fact in sorted(matches, key=lambda item: item[:2]))


def _fact(name: str, lengths: tuple[str, ...], groups: tuple[tuple[str, str], ...], quote: str) -> Fact:
    bare = {group: "".join(value.split()) for group, value in groups}
    return Fact(name, {group: str(len(v)) if group in lengths else v.casefold() for group, v in bare.items()}, quote)


_reader = lru_cache(maxsize=16)(FactReader)


@dataclass(frozen=True, slots=True)
class Judging:
    """How a case judges facts: some ``by_value``, the others only by name; optional ones count only if mentioned."""

    by_value: tuple[str, ...] = ()
    mentioned: tuple[str, ...] = ()

    def minds(self, name: str, rules: tuple[FactRule, ...]) -> bool:
        """Whether the fact of this name counts. Optional facts that the case does not name do not."""
        optional = any(rule.optional and rule.name == name for rule in rules)
        return not optional or name in self.by_value or name in self.mentioned


@remembered
def read_facts(text: str, rules: tuple[FactRule, ...]) -> tuple[Fact, ...]:
    """The facts of a text, in its order.

    A fact without values that is stated several times in a row counts once: "Invalid move. Try again." is one refusal.
    """
    facts: list[Fact] = []
    for fact in _reader(rules).facts(text):
        if fact.values or not facts or facts[-1] != fact:
            facts.append(fact)
    return tuple(facts)


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts that a spec reads from texts, and how a case judges them: None for all by value."""

    rules: tuple[FactRule, ...]
    judging: Judging | None = None

    def read(self, text: str) -> tuple[Fact, ...]:
        """The facts of a text, in its order."""
        return read_facts(text, self.rules)

    def names(self, text: str) -> tuple[str, ...]:
        """The names of the facts of a text, in its order."""
        return tuple(fact.name for fact in self.read(text))

    def minded(self, text: str) -> tuple[Fact, ...]:
        """The facts of a text without those that the case ignores."""
        facts, judging = self.read(text), self.judging
        return facts if judging is None else tuple(fact for fact in facts if judging.minds(fact.name, self.rules))

    def judged(self, text: str) -> tuple[Fact, ...]:
        """The facts of a text as the case judges them: with values, or only names. Ignored facts are left out."""
        facts, judging = self.minded(text), self.judging
        if judging is None:
            return facts
        return tuple(fact if fact.name in judging.by_value else Fact(fact.name) for fact in facts)
