"""Whether an answer was refused, by twins: the same run with the answer put in, and without it.

If both go on alike to their ends, it was refused, and the state was kept. If not, it was accepted, or it was refused and something
else happened than that the same request was repeated: the program ended, began anew, moved, or broke. What was said in between,
and is not the question, is the message. No word of it is understood.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from enum import Enum

from grader.reading.runs import Answers
from grader.reading.slots import is_read, segments
from grader.reading.truth import Future, Likeness, alike


def put_in(answers: Answers, at: int, *texts: str) -> Answers:
    """Answers with others before the one at this place."""
    return (*answers[:at], *texts, *answers[at:])


class Goes(Enum):
    """How a run goes on, beside its twin."""

    ALIKE = "alike"
    OTHERWISE = "otherwise"
    UNREAD = "unread"
    """In other words, while nothing that we know of its numbers differs: a program whose words never come again does so."""


SURE = 3
"""So many numbers that we know must be the same before other words say nothing."""


def goes_on(plain: Future, twin: Future, told: Callable[[str], Sequence[object]]) -> Goes:
    """Whether a run goes on as its twin: word by word, or but for numbers of which nobody knows what they mean.

    ``told`` are the numbers in a text of which that is known: a program that counts its turns has counted the wrong answer, too.
    """
    likeness = alike(plain, twin)
    if likeness is Likeness.EXACT:
        return Goes.ALIKE
    ours, theirs = told("\n".join(plain)), told("\n".join(twin))
    if ours != theirs or len(plain) != len(twin):
        return Goes.OTHERWISE
    if likeness is Likeness.WORDS:
        return Goes.ALIKE
    return Goes.UNREAD if len(ours) >= SURE else Goes.OTHERWISE


def message(said: str, question: str, usual: Collection[str] = ()) -> bool:
    """Whether more was said after an answer than the question again; ``usual`` are skeletons that come after any answer.

    What is too long to be read has something to say.
    """
    if not is_read(said):
        return True
    asked, answered = ([one.skeleton for one in segments(text) if one.skeleton] for text in (question, said))
    if asked and answered == asked * (len(answered) // len(asked)):
        return False  # the question may be printed twice
    known = Counter(asked)  # “0 = I, 1 = you!” may be a message in the words of the question behind it
    return any(number > known[each] and each not in usual for each, number in Counter(answered).items())
