"""Is a difference in text one of form or one of substance, and if of form, of which kinds?

Theory. Each kind of slip of form has a normaliser that wipes out just that kind of difference (blanks at line ends, blank
lines, all white space, case, punctuation, the echo of what was typed). Two texts that are equal under all of them differ
in form only, and the kinds are the least grave set of normalisers that still makes them equal: starting from all of them, the
gravest is left out first, as long as the texts stay equal.

Texts that are not equal even then may still *say* the same in other words. What a turn says is its facts, read by the
spec's patterns. Equal facts make the difference one of wording (or of lines missing or added); different facts, or a
spec without facts, make it a defect.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import lru_cache

from grader.spec.model import Fact as FactRule
from grader.spec.model import SlipKind

Fact = tuple[str, ...]

_LEAST_FIRST = (
    SlipKind.TRAILING_BLANK,
    SlipKind.BLANK_LINE,
    SlipKind.CASE,
    SlipKind.PUNCTUATION,
    SlipKind.SPACING,
    SlipKind.ECHO,
)


def classify(expected: str, actual: str, echo: str, facts: tuple[FactRule, ...]) -> tuple[SlipKind, ...] | None:
    """The kinds of slips that explain why ``actual`` is not ``echo + expected``, or None when it is a defect.

    Equal texts give the empty tuple.
    """
    if actual == echo + expected:
        return ()
    kinds = set(_LEAST_FIRST)
    if not _equal_under(kinds, expected, actual, echo):
        return _wording(echo + expected, actual, facts)
    for kind in reversed(_LEAST_FIRST):
        if _equal_under(kinds - {kind}, expected, actual, echo):
            kinds.discard(kind)
    return tuple(kind for kind in _LEAST_FIRST if kind in kinds)


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
    (SlipKind.SPACING, _normaliser(r"\s+", "")),
    (SlipKind.CASE, str.casefold),
    (SlipKind.PUNCTUATION, _normaliser(r"[^\w\s]|_", "")),
)


def _wording(expected: str, actual: str, rules: tuple[FactRule, ...]) -> tuple[SlipKind, ...] | None:
    if not rules or read_facts(expected, rules) != read_facts(actual, rules):
        return None
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


@lru_cache(maxsize=4096)
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
