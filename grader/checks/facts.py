"""How a case judges what a text states in any wording."""

from __future__ import annotations

from functools import lru_cache

from grader.bounded import remembered
from grader.reading.facts import Fact, FactReader
from grader.spec.model import Fact as FactRule
from grader.values import dataclass

_reader = lru_cache(maxsize=16)(FactReader)


@dataclass(frozen=True, slots=True)
class Judging:
    """How a case judges facts: those ``by_value``; of the others that they are said; optional ones only if mentioned."""

    by_value: tuple[str, ...] = ()
    mentioned: tuple[str, ...] = ()

    def minds(self, name: str, rules: tuple[FactRule, ...]) -> bool:
        """Whether it matters that the fact of this name is said."""
        optional = any(rule.optional and rule.name == name for rule in rules)
        return not optional or name in self.by_value or name in self.mentioned


@remembered
def read_facts(text: str, rules: tuple[FactRule, ...]) -> tuple[Fact, ...]:
    """What a text states, in its order.

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
        """What a text states, in its order."""
        return read_facts(text, self.rules)

    def names(self, text: str) -> tuple[str, ...]:
        """The names of what a text states, in its order."""
        return tuple(fact.name for fact in self.read(text))

    def minded(self, text: str) -> tuple[Fact, ...]:
        """The facts of a text without those that the case ignores."""
        facts, judging = self.read(text), self.judging
        return facts if judging is None else tuple(fact for fact in facts if judging.minds(fact.name, self.rules))

    def judged(self, text: str) -> tuple[Fact, ...]:
        """The facts of a text as the case judges them: by value, or that they are said at all; those it ignores left out."""
        facts, judging = self.minded(text), self.judging
        if judging is None:
            return facts
        return tuple(fact if fact.name in judging.by_value else Fact(fact.name) for fact in facts)
