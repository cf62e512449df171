"""Numbers in texts, compared by value: a tolerance decides which are near enough.

A number that is near enough is put into the expected text as it was printed. Later steps (slips, facts, pages) then see
equal numbers, and need no tolerances.

A number has digits with or without a decimal point, and may have an exponent. It has a sign only if nothing stands
before it from which it could be subtracted. ``nan`` and ``inf`` are words. So is ``1,000``: it may be a thousand, a one
with three decimals, or two numbers of a list. Any other comma separates numbers, and so do blanks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from difflib import SequenceMatcher
from itertools import accumulate, pairwise

from grader.bounded import bounded, remembered
from grader.spec.model import Fact, TextRules
from grader.spec.values import Tolerance

# The group is possessive: with backtracking, 64 KiB of `0,000,000` once blocked the reading of numbers.
_WORDS = r"(?<![\w.,])[-+]?[0-9]{1,3}(?:,[0-9]{3})++(?!,?[0-9])"
_NUMBER = r"(?<![\w.])[-+]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?(?!\.?[0-9])"
_FOUND = re.compile(f"{_WORDS}|({_NUMBER})")
_WHOLE = re.compile(_NUMBER)
# Longer texts with more or fewer numbers than expected are not paired: a flood is wrong, whatever its numbers.
_ALIGNED_LINES = 200

# Floats hold 17 digits, and 0.1 + 0.2 is not 0.3: a number at the bound would sometimes be near and sometimes not.
_EXACT = Context(prec=60, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])

Span = tuple[int, int]
Pair = tuple[Span | None, Span | None]


def is_number(text: str) -> bool:
    """Whether a text is one number and nothing else."""
    return _WHOLE.fullmatch(text) is not None


def near(expected: str, actual: str, tolerance: Tolerance) -> bool:
    """Whether two numbers are near enough. Texts that are not numbers never are."""
    if not (is_number(expected) and is_number(actual)):
        return False
    wanted = _EXACT.create_decimal(expected)
    off = _EXACT.abs(_EXACT.subtract(_EXACT.create_decimal(actual), wanted))
    return off.is_finite() and _EXACT.compare(off, _margin(wanted, tolerance)) <= 0


def _margin(wanted: Decimal, tolerance: Tolerance) -> Decimal:
    return _EXACT.max(tolerance.absolute, _EXACT.multiply(tolerance.relative, _EXACT.abs(wanted)))


def said_of(expected: str, actual: str, tolerance: Tolerance) -> str:
    """``printed 2.48, expected 2.50 ± 0.01``."""
    margin = _margin(_EXACT.create_decimal(expected), tolerance)
    bound = f" ± {margin.normalize(Context(prec=3)):g}" if margin else ""
    return f"printed {actual}, expected {expected}{bound}"


def adapted(expected: str, actual: str, rules: TextRules) -> str:
    """The expected text with each number as it was printed, if that is near enough."""
    if expected == actual:
        return expected
    for rule in rules.facts:
        if rule.tolerance is not None:
            expected = _as_stated(expected, actual, rule, rule.tolerance)
    return expected if rules.tolerance is None else _as_printed(expected, actual, rules.tolerance)


def same(expected: str, actual: str) -> bool:
    """Whether two texts have the same numbers in the same order, as they are written."""
    return [expected[slice(*span)] for span in spans(expected)] == [actual[slice(*span)] for span in spans(actual)]


def first_apart(expected: str, actual: str, tolerance: Tolerance) -> tuple[str, str] | None:
    """A slug and a clause for the first number that is wrong, missing or extra; None if all are near enough."""
    pairs = list(_pairs(expected, actual))
    for wanted, printed in pairs:
        if wanted and printed:
            one, other = expected[slice(*wanted)], actual[slice(*printed)]
            if one != other and not near(one, other, tolerance):
                return "wrong-number", said_of(one, other, tolerance)
    for wanted, printed in pairs:
        if wanted and not printed:
            return "missing-number", f"the number {expected[slice(*wanted)]} is missing"
    for wanted, printed in pairs:
        if printed and not wanted:
            return "extra-number", f"the number {actual[slice(*printed)]} does not belong there"
    return None


def grouped(text: str) -> Iterator[str]:
    """The words that look like numbers with commas for thousands."""
    return (match[0] for match in _FOUND.finditer(text) if match[1] is None)


@remembered
def spans(text: str) -> tuple[Span, ...]:
    """The places of the numbers in a text."""
    return tuple(match.span(1) for match in _FOUND.finditer(text) if match[1] is not None)


@remembered
def _as_printed(expected: str, actual: str, tolerance: Tolerance) -> str:
    changes = []
    for wanted, printed in _pairs(expected, actual):
        other = actual[slice(*printed)] if printed else ""
        if wanted and near(expected[slice(*wanted)], other, tolerance):
            changes.append((wanted, other))
    return _changed(expected, changes)


def _changed(text: str, changes: list[tuple[Span, str]]) -> str:
    """The text with new words at some places, which come in its order."""
    parts, at = [], 0
    for (start, end), words in changes:
        parts += [text[at:start], words]
        at = end
    return "".join((*parts, text[at:]))


def _as_stated(expected: str, actual: str, rule: Fact, tolerance: Tolerance) -> str:
    """The same for the values of one fact: the first statement with the first, and so on."""
    # patterns see no more of a text than is bounded, and that has other places
    if bounded(expected) != expected or bounded(actual) != actual:
        return expected
    pattern = re.compile(rule.pattern, re.IGNORECASE)
    changes = [
        (wanted.span(group), printed[group])
        for wanted, printed in zip(pattern.finditer(expected), pattern.finditer(actual), strict=False)
        for group in pattern.groupindex
        if group not in rule.lengths and near(wanted[group] or "", printed[group] or "", tolerance)
    ]
    places = sorted(span for span, _ in changes)
    nested = any(first[1] > second[0] for first, second in pairwise(places))  # as a group within a group is
    return expected if nested else _changed(expected, sorted(changes))


def _pairs(expected: str, actual: str) -> Iterator[Pair]:
    """The numbers of both texts in pairs, in order; a number without a partner stands alone.

    Equally many numbers are paired one by one. Otherwise lines that are equal except for numbers are paired.
    """
    wanted, printed = spans(expected), spans(actual)
    if len(wanted) == len(printed):
        yield from zip(wanted, printed, strict=True)
        return
    if max(expected.count("\n"), actual.count("\n")) > _ALIGNED_LINES:
        yield from ((span, None) for span in wanted)
        yield from ((None, span) for span in printed)
        return
    lines, printed_lines = _lines(expected, wanted), _lines(actual, printed)
    keys, printed_keys = ([key for key, _ in side] for side in (lines, printed_lines))
    for _, e1, e2, a1, a2 in SequenceMatcher(None, keys, printed_keys, autojunk=False).get_opcodes():
        here = [span for _, line in lines[e1:e2] for span in line]
        there = [span for _, line in printed_lines[a1:a2] for span in line]
        if len(here) == len(there):
            yield from zip(here, there, strict=True)
        else:
            yield from ((span, None) for span in here)
            yield from ((None, span) for span in there)


def _lines(text: str, numbers: tuple[Span, ...]) -> list[tuple[str, list[Span]]]:
    """Each line that holds something, without blanks, case and numbers; and where its numbers are."""
    rest = iter((*numbers, None))
    span = next(rest)
    bare_lines = []
    lines = text.split("\n")
    for start, line in zip(accumulate((len(line) + 1 for line in lines), initial=0), lines, strict=False):
        here: list[Span] = []
        while span is not None and span[0] < start + len(line):
            here.append(span)
            span = next(rest)
        if line.strip():
            bare = _changed(text[start : start + len(line)], [((a - start, b - start), "#") for a, b in here])
            bare_lines.append(("".join(bare.split()).casefold(), here))
    return bare_lines
