"""The key of a wait: what is the same each time a program asks the same question, though the numbers in it change."""

from __future__ import annotations

from collections.abc import Sequence

from grader.reading.slots import plain, skeleton

LEVELS = (1, 2, 3)
"""Numbers of last lines that a key may have: one, or more where questions end alike."""


NO_KEY = "\0"
"""The key of a question that is never asked."""

LONGEST_LINE = 300
"""Characters of a line that are a key, its last ones."""


def key(output: str, level: int = LEVELS[0]) -> str:
    """The last lines that are not blank, as skeletons: numbers, drawn marks and the endings of words are left out."""
    lines: list[str] = []
    for line in reversed(plain(output).splitlines()):
        if line.strip():
            lines.append(skeleton(line[-LONGEST_LINE:]) or line.strip())
        if len(lines) == level:
            break
    return "\n".join(reversed(lines))


def recurring(keys: Sequence[str]) -> frozenset[str]:
    """Those that come more than once."""
    return frozenset(one for one in keys if keys.count(one) > 1)
