"""Questions and what may be answered: what waits for the same thing have in common, what a text offers, and what a wait is for."""

from __future__ import annotations

import re
from collections.abc import Iterable

from grader.reading.runs import Wait
from grader.values import dataclass

Key = tuple[object, ...]

LONGEST = 4_000
"""So many characters at the end of a turn are looked at for a question."""


@dataclass(frozen=True, slots=True)
class Role:
    """What a wait is for: a ``column``, an ``offer`` to take a move back, a ``pause``, or it is ``over``.

    ``keep`` goes on, ``undo`` takes back.
    """

    kind: str
    keep: str = ""
    undo: str | None = None


COLUMN = Role("column")
OVER = Role("over")
UNKNOWN = Role("unknown")


def last_line(text: str) -> str:
    """The last line of a text that is not blank; of a flood no more than its end is looked at."""
    return next((line.strip() for line in reversed(text[-LONGEST:].split("\n")) if line.strip()), "")


def masked(text: str) -> str:
    """The last line of a text, its numbers as ``#``."""
    return re.sub(r"\d+", "#", last_line(text))[-200:]


def key_of(wait: Wait) -> Key:
    """What waits for the same thing have in common."""
    return wait.wants, wait.place, masked(wait.output)


def elsewhere(key: Key) -> Key:
    """A key without the place that the code returns to."""
    wants, place, line = key
    return wants, place[:1] if isinstance(place, tuple) else place, line


_OFFERED = re.compile(
    r"""[\[(<'"«“]\s*([^\W_]{1,6}|\d+)\s*[\])>'"»”]|(?<!\w)([^\W_]|\d+)(?!\w)|(?<=[\s(\[<'"])([^\w\s()\[\]<>'"])(?=[\s?,.:)\]>'"])"""
)
_WORDS = re.compile(r"(?<!\w)([^\W\d_]{2,6})(?!\w)")


def offered(text: str, lines: int = 4) -> list[str]:
    """The answers that a text seems to offer: short tokens of its last lines, the last line first."""
    last = [line for line in text.split("\n") if line.strip()][-lines:]
    found: dict[str, None] = {}
    for line in reversed(last):
        for match in _OFFERED.finditer(line[-200:]):
            found.setdefault(match[1] or match[2] or match[3])
    for match in _WORDS.finditer(last[-1][-200:] if last else ""):
        found.setdefault(match[1])
    return list(found)


def allowed(answers: Iterable[str], wants: str) -> list[str]:
    """Those answers that can be typed at a wait for a key, a line or a number."""
    if wants == "key":
        kept = [text[:1] or "\n" for text in answers]
    elif wants == "line":
        kept = list(answers)
    else:
        kept = [text for text in answers if re.fullmatch(r"-?\d{1,9}", text)]
    return list(dict.fromkeys(kept))


USUAL = ("n", "y", "0", "1", "N", "Y", "2", "", "no", "yes", "u", "k", "c", "U", "3", "-1", "undo", "9")
"""What is answered to a question that is not known, after what it offers itself."""
