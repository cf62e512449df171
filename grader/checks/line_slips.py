"""The slips of form of one line: blanks, case and punctuation, each with a message."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

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


# the form before a character of the content, and that character; none at the end
_PLACE = re.compile(rf"((?:\s|{_PUNCTUATION.pattern})*+)(\S|$)")


def _places(line: str) -> Iterator[tuple[str, int, str]]:
    """Each character of the content, and last the end: the form before it, where that begins, and the character."""
    for place in _PLACE.finditer(line):
        for nth in range(len(place[2].casefold()) or 1):  # “ß” is two characters of the content
            yield "" if nth else place[1], place.start(), place[2]


def line_slips(expected: str, actual: str, *, last: bool = False) -> Iterator[Slip]:
    """The slips of one line. The program waits behind the ``last`` one, so blanks at its end are not trailing."""
    found: dict[SlipKind, tuple[int, int]] = {}  # the first place of each in both texts
    for (form, at, sign), (other, place, seen) in zip(_places(expected), _places(actual), strict=False):
        if sign != seen:
            found.setdefault(SlipKind.CASE, (at + len(form), place + len(other)))
        if form == other:
            continue
        both = parting(form, other)
        if "".join(form.split()) != "".join(other.split()):  # a mark that is lost with its blank is one slip
            kind = SlipKind.PUNCTUATION
        elif sign or last or form.rstrip(" \t") != other.rstrip(" \t"):
            kind = SlipKind.SPACING
        else:
            kind = SlipKind.TRAILING_BLANK
        found.setdefault(kind, (at + both, place + both))
    for kind in sorted(found, key=list(SlipKind).index):
        yield Slip(kind, _MESSAGES[kind](expected, actual, *found[kind]), expected, actual)


# -------------------------------------------------------------------------------------------------------------- messages

# characters of a line that a message quotes
_QUOTED = 48


def quoted(text: str) -> str:
    """The beginning of a text in quotation marks, as a message shows it: its lines as one, their blanks as printed."""
    bare = " ".join(line for line in text.strip().splitlines() if line)
    return f"“{bare if len(bare) <= _QUOTED else bare[:_QUOTED] + '…'}”"


def amount(more: int, what: str) -> str:
    """A clause that says how many things are too many, or missing if ``more`` is negative."""
    number = "one" if abs(more) == 1 else str(abs(more))
    verb = "is" if abs(more) == 1 else "are"
    return f"{number} {what}{'' if abs(more) == 1 else 's'} {verb} {'too many' if more > 0 else 'missing'}"


def _trailing(expected: str, actual: str, at: int, place: int) -> str:
    """The message for blanks that begin to differ at these places, at the ends of the two texts."""
    more = len(actual) - place - len(expected) + at
    return f"{amount(more, 'space')} at the end of the line {quoted(expected)}"


def _spacing(expected: str, actual: str, at: int, place: int) -> str:
    """The message for blanks that begin to differ at these places."""
    blanks = [len(text) - len(text.lstrip()) for text in (expected[at:], actual[place:])]
    before = expected[:at].strip()
    if len(before) > _QUOTED:
        before = "…" + before[-_QUOTED:].partition(" ")[2]
    where = f"after “{before}”" if before else f"before {quoted(expected)}"
    return f"{amount(blanks[1] - blanks[0], 'space')} {where}" if blanks[0] != blanks[1] else f"spaces differ {where}"


def _words(expected: str, actual: str, at: int, place: int) -> str:
    """The message for the words, as printed, in which signs begin to differ at these places."""
    begin = end = 0, 0
    for (form, one, sign), (other, two, _) in zip(_places(expected), _places(actual), strict=False):
        blanks = _BLANKS.search(form), _BLANKS.search(other)
        if not sign:
            end = len(expected), len(actual)
        elif blanks[0] and blanks[1]:  # both have a new word here
            end = one + blanks[0].start(), two + blanks[1].start()
        if end[0] > at or end[1] > place:
            break
        begin = end
    return f"{quoted(actual[begin[1] : end[1]])} stands where {quoted(expected[begin[0] : end[0]])} is expected"


_MESSAGES: dict[SlipKind, Callable[[str, str, int, int], str]] = {
    SlipKind.TRAILING_BLANK: _trailing,
    SlipKind.SPACING: _spacing,
    SlipKind.CASE: _words,
    SlipKind.PUNCTUATION: _words,
}
