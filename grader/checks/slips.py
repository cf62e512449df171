"""Is a difference in text one of form or one of substance, and if of form, of which kinds?

Theory. Each kind of slip of form has a normaliser that wipes out just that kind of difference (blanks at line ends, blank
lines, all white space, case, punctuation). Two texts that are equal under all of them differ in form only, and the kinds
are the least grave set of normalisers that still makes them equal: starting from all of them, the gravest is left out
first, as long as the texts stay equal. The echo of what was typed is tried as present and as missing: whichever
explanation needs fewer kinds is taken.

Texts that are not equal even then may still *say* the same in other words. What a turn says is its facts, read by the
spec's patterns. Equal facts make the difference one of wording (or of lines missing or added). Where facts differ it
depends on the case, which may judge only some of them by value: a case on refusals need not mind whose turn it is. If
what it judges is the same, the difference is none of its business; else, or without facts, it is a defect.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from grader.spec.model import Fact as FactRule
from grader.spec.model import SlipKind

Fact = tuple[str, ...]

REMEMBERED = 1 << 14
"""How many turns are remembered: the games of a class show the same boards with the same slips again and again."""

_LEAST_FIRST = (
    SlipKind.TRAILING_BLANK,
    SlipKind.BLANK_LINE,
    SlipKind.CASE,
    SlipKind.PUNCTUATION,
    SlipKind.SPACING,
)


@dataclass(frozen=True, slots=True)
class Judging:
    """How a case judges facts: those ``by_value``; of the others that they are said; optional ones only if mentioned."""

    by_value: tuple[str, ...] = ()
    mentioned: tuple[str, ...] = ()

    def minds(self, name: str, rules: tuple[FactRule, ...]) -> bool:
        """Whether it matters that the fact of this name is said."""
        optional = any(rule.optional and rule.name == name for rule in rules)
        return not optional or name in self.by_value or name in self.mentioned


class Weighed(Enum):
    """What a difference is when it is no slip."""

    DEFECT = "a defect"
    ELSEWHERE = "for other cases to judge"


@lru_cache(maxsize=REMEMBERED)
def classify(
    expected: str,
    actual: str,
    echo: str,
    facts: tuple[FactRule, ...],
    judged: Judging | None = None,
) -> tuple[SlipKind, ...] | Weighed:
    """The kinds of slips that explain why ``actual`` is not ``echo + expected``, or what else the difference is.

    ``judged`` says how each fact is judged, None for all by value. Equal texts give the empty tuple.
    """
    if actual == echo + expected:
        return ()
    readings: list[set[SlipKind]] = [set(), {SlipKind.ECHO}]
    if not actual.startswith(echo):
        readings.reverse()  # of two short explanations the echo's: a symbol that is not echoed is no slip of punctuation
    explained = [
        tuple(kind for kind in (*_LEAST_FIRST, SlipKind.ECHO) if kind in kinds)
        for kinds in (_needed(reading, expected, actual, echo) for reading in readings)
        if kinds is not None
    ]
    kinds = min(explained, key=len, default=None)
    if kinds is None or not _says_the_same(kinds, expected, actual, echo, facts):
        return _wording(echo + expected, actual, facts, judged)
    return kinds


def _says_the_same(
    kinds: tuple[SlipKind, ...], expected: str, actual: str, echo: str, facts: tuple[FactRule, ...]
) -> bool:
    """Whether texts that differ in marks still say the same: some say it with marks alone, as ``1. Reihe: |||`` does."""
    if SlipKind.PUNCTUATION not in kinds:
        return True
    bare = _without_echo(actual, echo) if SlipKind.ECHO in kinds else actual
    return read_facts(expected if SlipKind.ECHO in kinds else echo + expected, facts) == read_facts(bare, facts)


def _needed(given: set[SlipKind], expected: str, actual: str, echo: str) -> set[SlipKind] | None:
    """The least grave kinds that, with the given ones, make the texts equal; None when not even all of them do."""
    kinds = given | set(_LEAST_FIRST)
    if not _equal_under(kinds, expected, actual, echo):
        return None
    for kind in reversed(_LEAST_FIRST):
        if _equal_under(kinds - {kind}, expected, actual, echo):
            kinds.discard(kind)
    return kinds


def _equal_under(kinds: set[SlipKind], expected: str, actual: str, echo: str) -> bool:
    if SlipKind.ECHO in kinds:
        actual = _without_echo(actual, echo)
    else:
        expected = echo + expected
    for kind, normalise in _NORMALISERS:
        if kind in kinds:
            expected, actual = normalise(expected), normalise(actual)
    return expected == actual


def _without_echo(actual: str, echo: str) -> str:
    """``actual`` less as much of the echo as stands at its start, in order, with gaps allowed."""
    at = 0
    for char in echo:
        if actual.startswith(char, at):
            at += 1
    return actual[at:]


def _normaliser(pattern: str, replacement: str) -> Callable[[str], str]:
    compiled = re.compile(pattern)
    return lambda text: compiled.sub(replacement, text)


_NORMALISERS: tuple[tuple[SlipKind, Callable[[str], str]], ...] = (
    (SlipKind.TRAILING_BLANK, _normaliser(r"[ \t]+(?=\r?\n)", "")),
    (SlipKind.BLANK_LINE, _normaliser(r"^(?:[ \t]*\n)+|(?<=\n)(?:[ \t]*\n)+", "")),
    (SlipKind.PUNCTUATION, _normaliser(r"(?!-\d)[^\w\s]|_", "")),  # the sign of a number is none
    (SlipKind.SPACING, _normaliser(r"\s+", "")),
    (SlipKind.CASE, str.casefold),
)


def _wording(
    expected: str, actual: str, rules: tuple[FactRule, ...], judged: Judging | None
) -> tuple[SlipKind, ...] | Weighed:
    if not rules:
        return Weighed.DEFECT
    if read_facts(expected, rules) != read_facts(actual, rules):
        same = judged is not None and judged_facts(expected, rules, judged) == judged_facts(actual, rules, judged)
        return Weighed.ELSEWHERE if same else Weighed.DEFECT
    wanted, found = _lines(expected), _lines(actual)
    missing, extra = wanted - found, found - wanted
    if missing and not extra:
        return (SlipKind.MISSING,)
    if extra and not missing:
        return (SlipKind.EXTRA,)
    return (SlipKind.WORDING,)


def _lines(text: str) -> Counter[str]:
    """How often each line occurs, whatever its form; blank lines are left out."""
    bare = (re.sub(r"[\W_]+", "", line).casefold() for line in text.splitlines())
    return Counter(line for line in bare if line)


@lru_cache(maxsize=REMEMBERED)
def read_facts(text: str, rules: tuple[FactRule, ...]) -> tuple[Fact, ...]:
    """What a text says: each fact's name and what its groups matched, in the order of the text.

    A fact without groups that is said several times in a row counts once: "Invalid move. Try again." is one refusal.
    """
    found: list[tuple[int, int, Fact]] = []
    for rank, rule in enumerate(rules):
        matches = _compiled(rule.pattern).finditer(text)
        found += [(match.start(), rank, (rule.name, *_said(match, rule))) for match in matches]
    facts: list[Fact] = []
    for _, _, fact in sorted(found):
        if len(fact) > 1 or not facts or facts[-1] != fact:
            facts.append(fact)
    return tuple(facts)


@lru_cache(maxsize=REMEMBERED)
def judged_facts(text: str, rules: tuple[FactRule, ...], judged: Judging | None) -> tuple[Fact, ...]:
    """The facts of a text as a case judges them: by value, or that they are said at all; those it ignores left out."""
    found = read_facts(text, rules)
    if judged is None:
        return found
    return tuple(fact if fact[0] in judged.by_value else fact[:1] for fact in found if judged.minds(fact[0], rules))


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _said(match: re.Match[str], rule: FactRule) -> list[str]:
    names = {index: name for name, index in match.re.groupindex.items()}
    said = []
    for index, group in enumerate(match.groups(default=""), start=1):
        bare = re.sub(r"\s+", "", group)
        said.append(str(len(bare)) if names.get(index) in rule.lengths else bare.casefold())
    return said
