"""The futures of moments: two are alike where the same further answers bring the same. The output of a program is compared as text, and never understood.

A refused answer shows in the way that a run goes on, and in a message, which is any text beside the question.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from enum import Enum, IntEnum

from grader.games.hear.runs import Answers
from grader.games.hear.slots import is_read, plain, segments

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


# ------------------------------------------------------------------------------------------------------ refused answers


_DIGITS = re.compile(r"\d+")


def put_in(answers: Answers, at: int, *texts: str) -> Answers:
    """Answers with others before the one at this place."""
    return (*answers[:at], *texts, *answers[at:])


class Goes(Enum):
    """How a run goes on behind a wrong answer, beside the same run without it."""

    ALIKE = "alike"
    OTHERWISE = "otherwise"
    UNREAD = "unread"
    """In other words, while nothing that we know of its numbers differs: a program whose words never come again does so."""


def message(output: str, question: str, usual: Collection[str] = ()) -> bool:
    """Whether a program says more after an answer than the question again; ``usual`` are skeletons that come after any answer.

    A text that is too long to be read has something to say.
    """
    if not is_read(output):
        return True
    parts, after = ([one.skeleton for one in segments(text) if one.skeleton] for text in (question, output))
    if parts and after == parts * (len(after) // len(parts)):
        # the question may be printed twice; “0/1!” above “0/1?” is a message
        before, behind = ({_DIGITS.sub("", one.text) for one in segments(text)} for text in (question, output))
        return not behind <= before
    counts = Counter(parts)  # “0 = I, 1 = you!” may be a message in the words of the question behind it
    return any(number > counts[each] and each not in usual for each, number in Counter(after).items())
