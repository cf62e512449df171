"""Facts: what a text states in any wording, by the patterns of a spec. They are read here and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from types import MappingProxyType

from grader.bounded import bounded, number, remembered
from grader.spec.model import Fact as FactRule
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact that a text states: its name, and the values of the named groups of its pattern, in their order.

    Values are lower case and without blanks; a group that took no part is empty, and one of which only the length counts is
    that number. ``quote`` is what was read, for whoever wants to see it: two facts that state the same are equal.
    """

    name: str
    values: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    quote: str = field(default="", compare=False)

    def number(self, group: str) -> int | None:
        """The value of a group as a number, which may have a sign; None where it is none, or of too many digits."""
        text = self.values.get(group, "")
        value = number(text.removeprefix("-"))
        # A program that takes more than there is shows heaps and scores below nothing.
        return -value if value is not None and text.startswith("-") else value


class FactReader:
    """Reads facts from texts; one for all texts that are read by the same rules."""

    def __init__(self, rules: Sequence[FactRule]) -> None:
        """Compile the patterns; upper and lower case are the same."""
        self._rules = [(rule.name, rule.lengths, re.compile(rule.pattern, re.IGNORECASE)) for rule in rules]
        self.facts = remembered(self._facts)
        self._fact = remembered(_fact)

    def _facts(self, text: str) -> tuple[Fact, ...]:
        """The facts in the order of the text; of two that begin at the same place that of the earlier rule is first."""
        seen = bounded(text)
        found = [
            (match.start(), rank, self._fact(name, lengths, tuple(match.groupdict(default="").items()), match[0]))
            for rank, (name, lengths, pattern) in enumerate(self._rules)
            for match in pattern.finditer(seen)
        ]
        return tuple(fact for _, _, fact in sorted(found, key=lambda item: item[:2]))


def _fact(name: str, lengths: tuple[str, ...], groups: tuple[tuple[str, str], ...], quote: str) -> Fact:
    bare = {group: "".join(value.split()) for group, value in groups}
    return Fact(name, {group: str(len(v)) if group in lengths else v.casefold() for group, v in bare.items()}, quote)
