"""The futures of moments: two are alike where the same further answers bring the same. The output of a program is compared as text, and never understood."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from grader.games.hear.slots import plain, segments

Future = tuple[str, ...]
"""The output after each further answer, up to the end of the game."""


class Likeness(IntEnum):
    """How much two futures are alike: in their words only, or also in all their numbers."""

    NONE = 0
    WORDS = 1
    EXACT = 2


def future(outputs: Sequence[str], *, ended: bool) -> Future:
    """The outputs as a future; a program that goes on saying the same for ever says it once."""
    last = len(outputs)
    while not ended and last > 1 and outputs[last - 1] == outputs[last - 2]:
        last -= 1
    return tuple(plain(text) for text in outputs[:last])


def alike(one: Future, other: Future) -> Likeness:
    """How much two futures are alike."""
    if len(one) != len(other):
        return Likeness.NONE
    if one == other:
        return Likeness.EXACT
    same = all(_words(a) == _words(b) for a, b in zip(one, other, strict=True))
    return Likeness.WORDS if same else Likeness.NONE


def _words(text: str) -> tuple[str, ...]:
    return tuple(one.skeleton for one in segments(text))
