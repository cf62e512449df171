"""What a text states in any wording: facts, read by the patterns of a spec, and how a case judges them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from grader.bounded import bounded, remembered
from grader.spec.model import Fact as FactRule

Fact = tuple[str, ...]
"""The name of a fact and the values of its groups."""


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
def quoted_facts(text: str, rules: tuple[FactRule, ...]) -> tuple[tuple[Fact, str], ...]:
    """What a text states, in its order: each fact with the words that state it.

    A fact without groups that is said several times in a row counts once: "Invalid move. Try again." is one refusal.
    """
    found = sorted(_matches(bounded(text), rules))
    facts: list[tuple[Fact, str]] = []
    for _, _, fact, quote in found:
        if len(fact) > 1 or not facts or facts[-1][0] != fact:
            facts.append((fact, quote))
    return tuple(facts)


def read_facts(text: str, rules: tuple[FactRule, ...]) -> tuple[Fact, ...]:
    """What a text states, in its order: each fact's name and what its groups matched."""
    return tuple(fact for fact, _ in quoted_facts(text, rules))


@remembered
def judged_facts(text: str, rules: tuple[FactRule, ...], judging: Judging | None) -> tuple[Fact, ...]:
    """The facts of a text as a case judges them: by value, or that they are said at all; those it ignores left out."""
    facts = read_facts(text, rules)
    if judging is None:
        return facts
    return tuple(fact if fact[0] in judging.by_value else fact[:1] for fact in facts if judging.minds(fact[0], rules))


def _matches(text: str, rules: tuple[FactRule, ...]) -> Iterator[tuple[int, int, Fact, str]]:
    for rank, rule in enumerate(rules):
        for match in _compiled(rule.pattern).finditer(text):
            yield match.start(), rank, (rule.name, *_values(match, rule)), match[0].strip()


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _values(match: re.Match[str], rule: FactRule) -> Iterator[str]:
    names = {index: name for name, index in match.re.groupindex.items()}
    for index, group in enumerate(match.groups(default=""), start=1):
        bare = "".join(group.split())
        yield str(len(bare)) if names.get(index) in rule.lengths else bare.casefold()
