"""The part of a foreign text that is read: all of it, unless a program floods.

A pattern may backtrack. On a line of 64 KiB of blanks that takes minutes or years, and a looping program prints such lines
without bad intent. So runs, lines and turns are cut before a pattern of a spec sees them. The limits are far beyond any text
that is meant to be read. `grader lint` finds patterns that still take long.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")

TURNS_PRINTED = 10  # turns at their limit that a run may print in all: a right game with large boards is no loop
# Turns that are remembered: the games of a class show the same boards with the same slips again and again.
REMEMBERED = 1 << 14
# Characters of a text that is remembered with these. Only the latest few longer ones are kept: a program that prints
# without end never prints the same twice, and would fill the memory of a batch.
LONGEST_REMEMBERED = 4000
LATEST = 4  # longer texts that are remembered, since all cases that judge such a turn read it one after the other
LONGEST_RUN = 200  # signs in a row that are seen of one character, or of blanks and line ends of any kind
LONGEST_LINE = 2000  # signs that are seen of a longer line: half of them at its beginning, half at its end
LONGEST_TURN = 1 << 14  # signs that are seen of a longer turn, in the same way
MOST_DIGITS = 18  # of a number: nothing that is counted here needs more, and Python refuses to read some thousands

_CUT = "…"
_BLANKS = re.compile(rf"(?<!\s)(\s{{{LONGEST_RUN}}})\s++")  # each run is looked at once, from its beginning
_SAME = re.compile(rf"((.)(?<!\2\2)\2{{{LONGEST_RUN - 1}}})\2++")


def remembered(function: Callable[P, R]) -> Callable[P, R]:
    """The function with a memory of what it made of the latest texts, of long ones a short memory."""
    known = cast("Callable[P, R]", lru_cache(maxsize=REMEMBERED)(function))
    latest = cast("Callable[P, R]", lru_cache(maxsize=LATEST)(function))

    @wraps(function)
    def call(*arguments: P.args, **named: P.kwargs) -> R:
        for one in arguments:
            if isinstance(one, str) and len(one) > LONGEST_REMEMBERED:
                return latest(*arguments, **named)
        return known(*arguments, **named)

    return call


def number(text: str) -> int | None:
    """The value of ASCII digits in foreign text, such as a quotation by a compiler; None if it is no number, or too long."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None


def length(signs: int) -> str:
    """The length of a run as it is told: one that is as long as any that is seen may have been longer."""
    return f"{signs}+" if signs >= LONGEST_RUN else str(signs)


def bounded(text: str) -> str:
    """The text as patterns see it; what is left out in the middle of a line or a turn is marked by ``…``."""
    if len(text) <= LONGEST_RUN:
        return text
    lines = _BLANKS.sub(r"\1", _halves(text, LONGEST_TURN)).split("\n")
    return "\n".join(
        line if len(line) <= LONGEST_RUN else _halves(_SAME.sub(r"\1", line), LONGEST_LINE) for line in lines
    )


def _halves(text: str, longest: int) -> str:
    half = longest // 2
    return text if len(text) <= longest else f"{text[:half]}{_CUT}{text[-half:]}"
