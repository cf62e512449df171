"""Drawn numbers: a number that is told by how often a sign or a word comes, wherever it stands, and whatever it is.

Rows of marks within a clause are numbers like others (``slots``). But a pile may stand upright, a stone a line, in groups, or in signs
that are punctuation elsewhere. So only the number of each sign in a turn is counted. If it equals a true number, plus a number
that is always the same, the sign tells that number. This names what is told, and finds no fault.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from grader.games.hear.slots import FIRM
from grader.values import dataclass

MOST_LENGTH = 16_000
"""Characters of a turn that are looked at, its last ones."""

MOST_SIGNS = 200
"""Maximum different signs that are looked at."""

ENOUGH, SEVERAL = 6, 3
"""Turns in which a sign must follow what is true, and different numbers in them."""

COUNTED = "1 2 3"
"""The name of a drawing whose stones have numbers."""

_WORD = re.compile(r"[^\W\d_]{2,20}")
_NUMBER = re.compile(r"\d{1,9}")
_CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Drawing:
    """The sign, the turns in which it follows what is true, by their numbers, and in how large a share of all that is."""

    sign: str
    turns: frozenset[int]
    share: float


NO_DRAWING = Drawing("", frozenset(), 0.0)


def drawing(texts: Sequence[str], amounts: Sequence[Sequence[int]]) -> Drawing:
    """The sign that comes in these turns as often as one of the ``amounts`` says, which are as many numbers as there are turns."""
    counted = [_signs(text) for text in texts]
    common = Counter(sign for one in counted for sign in one)
    best = NO_DRAWING
    signs = [sign for sign, _ in common.most_common(MOST_SIGNS)]
    for sign in sorted(signs, key=len, reverse=True):  # a word, where its letters come as often
        counts = [one.get(sign, 0) for one in counted]
        if len(set(counts)) < SEVERAL:  # a row that never changes tells nothing
            continue
        for amount in amounts:
            candidate = _drawing_by(sign, counts, amount)
            if candidate.share > best.share:
                best = candidate
    return best


def _drawing_by(sign: str, counts: Sequence[int], amount: Sequence[int]) -> Drawing:
    beside = Counter(count - number for count, number in zip(counts, amount, strict=True))
    always = max(beside, key=lambda number: (beside[number], -abs(number)))
    turns = frozenset(at for at, count in enumerate(counts) if count - amount[at] == always)
    several = len({amount[at] for at in turns}) >= SEVERAL
    share = len(turns) / len(counts)
    return Drawing(sign, turns, share) if several and share >= FIRM and len(turns) >= ENOUGH else NO_DRAWING


def _signs(text: str) -> Mapping[str, int]:
    """How often each sign and each word comes, and any number; of words of one letter the sign is enough."""
    text = _CODES.sub("", text[-MOST_LENGTH:])
    counts: Counter[str] = Counter(char for char in text if not char.isspace())
    counts.update(_WORD.findall(text))
    counts[COUNTED] = len(_NUMBER.findall(text))
    return counts
