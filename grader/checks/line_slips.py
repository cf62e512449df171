"""The slips of form of one line: blanks, case and punctuation, each with a message."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from grader.bounded import remembered
from grader.checks.explain import parting
from grader.spec.model import SlipKind
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Slip:
    """One difference of form: its kind, a message, and its line in both texts, empty if a text lacks the line."""

    kind: SlipKind
    message: str
    expected: str = ""
    actual: str = ""


# The sign of a number is not punctuation, nor is the point of .5.
# Marks are matched in runs, since programs draw lines and boards with them.
_PUNCTUATION = re.compile(r"[^\w\s.-]+|_+|-(?!\d)|\.(?!\d)|(?<=[\w.])\.")
_BETWEEN_DIGITS = re.compile(r"(?<=\d)(?:[^\w\s-]|_)(?=\d)")
_BLANKS = re.compile(r"\s+")
_NUMBERS_APART = re.compile(r"(?<=\d)\s+(?=\d)")
_APART = "\x00"


def _bare(text: str) -> str:
    """The text without punctuation, except between two digits: 2.50 is not 250."""
    return _PUNCTUATION.sub("", _BETWEEN_DIGITS.sub(" ", text))


def _closed_up(text: str) -> str:
    """The text without blanks, except between two numbers: 1 2 is not 12."""
    return _BLANKS.sub("", _NUMBERS_APART.sub(_APART, text)).replace(_APART, " ")


MARKS = ""
"""The content of a line with only marks: any rule under a title is as good as another."""


@remembered
def content(line: str) -> str:
    """The content of a line, without its form."""
    return _closed_up(_bare(line)).casefold()


# From the least grave to the gravest.
_NORMALISERS: tuple[tuple[SlipKind, Callable[[str], str]], ...] = (
    (SlipKind.TRAILING_BLANK, lambda text: text.rstrip(" \t")),
    (SlipKind.CASE, str.casefold),
    (SlipKind.PUNCTUATION, _bare),
    (SlipKind.SPACING, _closed_up),
)


def line_slips(expected: str, actual: str, *, last: bool = False) -> Iterator[Slip]:
    """The slips of one line. The program waits behind the ``last`` one, so blanks at its end are not trailing."""
    if expected == actual:
        return
    if content(expected) == MARKS and _closed_up(expected) != _closed_up(actual):
        yield Slip(SlipKind.PUNCTUATION, _words(expected, actual, expected), expected, actual)
        return
    kinds = [kind for kind, _ in _NORMALISERS if not (last and kind is SlipKind.TRAILING_BLANK)]
    for kind in tuple(reversed(kinds)):
        if _normal(expected, kinds, kind) == _normal(actual, kinds, kind):
            kinds.remove(kind)
    for kind in kinds:
        message = _MESSAGES[kind](_normal(expected, kinds, kind), _normal(actual, kinds, kind), expected)
        yield Slip(kind, message, expected, actual)


def _normal(text: str, kinds: Sequence[SlipKind], without: SlipKind) -> str:
    """The text under the normalisers of these kinds, except one."""
    for kind, normalise in _NORMALISERS:
        if kind in kinds and kind is not without:
            text = normalise(text)
    return text


# -------------------------------------------------------------------------------------------------------------- messages

# characters of a line that a message quotes
_QUOTED = 48


def quoted(text: str) -> str:
    """The beginning of a text in quotation marks, as a message shows it."""
    bare = " ".join(text.split())
    return f"“{bare if len(bare) <= _QUOTED else bare[:_QUOTED] + '…'}”"


def amount(more: int, what: str) -> str:
    """A clause that says how many things are too many, or missing if ``more`` is negative."""
    number = "one" if abs(more) == 1 else str(abs(more))
    verb = "is" if abs(more) == 1 else "are"
    return f"{number} {what}{'' if abs(more) == 1 else 's'} {verb} {'too many' if more > 0 else 'missing'}"


def _trailing(expected: str, actual: str, line: str) -> str:
    return f"{amount(len(actual) - len(expected), 'space')} at the end of the line {quoted(line)}"


def _spacing(expected: str, actual: str, line: str) -> str:
    at = parting(expected, actual)
    blanks = [len(text[at:]) - len(text[at:].lstrip()) for text in (expected, actual)]
    before = " ".join(expected[:at].split())
    if len(before) > _QUOTED:
        before = "…" + before[-_QUOTED:].partition(" ")[2]
    where = f"after “{before}”" if before else f"before {quoted(line)}"
    return f"{amount(blanks[1] - blanks[0], 'space')} {where}" if blanks[0] != blanks[1] else f"spaces differ {where}"


def _words(expected: str, actual: str, line: str) -> str:
    wanted, seen = expected.split(), actual.split()
    pair = next(((one, other) for one, other in zip(wanted, seen, strict=False) if one != other), (line, actual))
    return f"{quoted(pair[1])} stands where {quoted(pair[0])} is expected"


_MESSAGES: dict[SlipKind, Callable[[str, str, str], str]] = {
    SlipKind.TRAILING_BLANK: _trailing,
    SlipKind.SPACING: _spacing,
    SlipKind.CASE: _words,
    SlipKind.PUNCTUATION: _words,
}
