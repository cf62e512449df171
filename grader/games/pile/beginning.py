"""The question who begins, and the answers to it.

A question is this one if two of its answers lead to the same game, one of them with a few stones fewer: there the program began.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from grader.games.hear.history import heads, news
from grader.games.hear.names import players
from grader.games.hear.runs import Answers, Runs
from grader.games.hear.slots import key, recurring, segments
from grader.games.hear.truth import Future, Likeness, alike, future
from grader.games.learn.questions import named, offered
from grader.games.learn.way import may_be_typed
from grader.games.pile.talk import LARGER, PROGRAM, TRIED, USER, Part, Talk, ones

MOST_TAKEN = 3
"""So many stones a program may take when it begins, rightly or not."""

Shifts = tuple[tuple[int, int], ...]

NO_SHIFT: Shifts = ((1, 1),)
SHIFTS: Shifts = ((2, 1), (1, 2))
"""Games that go on alike behind their first waits; one may wait once more before the first move."""

DEEPEST_GAP = 3
"""So many questions at most are looked at between the number of stones and the first move."""


def with_first(runs: Runs, talk: Talk, between: Answers) -> Talk:
    """The talk with the question who begins, where there is one: behind the number of stones, or before it."""
    usual = runs.run((*talk.answers(LARGER, USER), *between, *ones(2 * LARGER + 6)))
    gap = talk = replace(talk, lists=heads(usual.turns))
    for number in range(DEEPEST_GAP):
        wait = runs.run(gap.answers(TRIED[0], USER))
        if wait.ending is not None or (number >= len(between) and _recurs(runs, gap)):
            break
        trial = replace(gap, parts=(*gap.parts, Part.FIRST, *between[number + 1 :]))
        result = _fitting(runs, trial, wait.output)
        if result is not None:
            return result
        if number >= len(between) and not _passes(runs, gap):
            break
        gap = replace(gap, parts=(*gap.parts, between[number] if number < len(between) else "1"))
    full = replace(talk, parts=(*talk.parts, *between))
    return _asked_before(runs, full) or _assumed(runs, full, gap)


def _passes(runs: Runs, talk: Talk) -> bool:
    """Whether any answer at the question that comes next brings the same: a pause, or a name."""
    answers = talk.answers(TRIED[0], USER)
    one, two = (
        tuple(wait.output for wait in runs.run((*answers, text, *ones(TRIED[0]))).waits[len(answers) + 1 :])
        for text in "12"
    )
    return alike(one, two) is not Likeness.NONE


def _recurs(runs: Runs, talk: Talk) -> bool:
    """Whether the question that comes next is asked again and again: then it asks for a move."""
    run = runs.run((*talk.answers(LARGER, USER), *ones(2 * LARGER)))
    at = len(talk.parts)
    keys = _keys(run.turns[at:], talk)
    return bool(keys) and keys[0] in recurring(keys)


def _keys(outputs: Sequence[str], talk: Talk) -> list[str]:
    """The keys of waits up to the next game."""
    keys = [key(output, talk.level) for output in outputs]
    return keys[: keys.index(talk.anew)] if talk.anew in keys else keys


def _asked_before(runs: Runs, talk: Talk) -> Talk | None:
    for at in range(talk.place(Part.STONES)):
        before = runs.run(talk.answers(TRIED[0], USER)[:at])
        trial = replace(talk, parts=(*talk.parts[:at], Part.FIRST, *talk.parts[at + 1 :]))
        result = _fitting(runs, trial, before.output)
        if result is not None:
            return result
    return None


def _fitting(runs: Runs, trial: Talk, question: str) -> Talk | None:
    """The talk with the two answers that let the program and the user begin; None if no answers do."""
    lead = trial.answers(TRIED[0], USER)[: trial.place(Part.FIRST)]
    for shifts in (NO_SHIFT, SHIFTS):
        for program, user in pairs(question):
            # Words broke or hung right programs in C and Java that read a number here, and the three runs that may
            # hang were spent.
            if not all(may_be_typed(runs, lead, text) for text in (program, user)):
                continue
            # Games that are one wait apart say no more than that: a program with another hint behind each of its moves
            # seemed to take 0 for 1. Whether it does, the fit says by all of its games.
            if shifts is SHIFTS and (program, user) == ("1", "0"):
                continue
            talk = replace(trial, firsts=(program, user), proved=True)
            if lets_begin(runs, talk, question, shifts):
                return talk
    return None


def lets_begin(runs: Runs, talk: Talk, question: str, shifts: Shifts = NO_SHIFT) -> bool:
    """Whether the answers to who begins mean what they should."""
    return all(_begins(runs, talk, stones, question, shifts) for stones in TRIED)


def pairs(question: str) -> Iterator[tuple[str, str]]:
    """Pairs of answers: those of the text first, then what is common, then what the question offers, and the players it names."""
    usual = [("0", "1"), ("1", "2"), ("2", "1"), ("1", "0"), ("n", "y"), ("y", "n")]
    offers = offered(question)
    small = [text for text in offers if text == text.lower()]
    rest = [(a, b) for texts in (small, offers) for a in texts for b in texts if a != b and b.lower() != a.lower()]
    called = list(product(*players(" ".join(named(question)))))
    yield from dict.fromkeys((*usual, *rest[:8], *called[:4]))


def _begins(runs: Runs, talk: Talk, stones: int, question: str, shifts: Shifts) -> bool:
    """Whether the program has begun under the one answer: the game then goes on as one with fewer stones under the other."""
    ours, users = (_after(runs, talk, stones, mover) for mover in (PROGRAM, USER))
    at = talk.place(Part.FIRST)
    for mover, game in ((PROGRAM, ours), (USER, users)):
        output = runs.run(talk.answers(stones, mover)[: at + 1]).output
        if asks_again(question, output) and not any(asks_again(question, later) for later in game[1:]):
            return False
    if len(ours) < 2 or alike(ours[1:], users[1:]) is not Likeness.NONE:
        return False
    return any(_same(ours, _after(runs, talk, stones - count, USER), shifts) for count in range(1, MOST_TAKEN + 1))


def asks_again(question: str, output: str) -> bool:
    """Whether what was said holds the last clause of the question."""
    words = [one.skeleton for one in segments(question) if one.skeleton]
    return bool(words) and words[-1] in {one.skeleton for one in segments(output)}


def _same(one: Future, other: Future, shifts: Shifts) -> bool:
    """Whether two games go on alike behind so many waits of each."""
    return any(alike(one[a:], other[b:]) is not Likeness.NONE for a, b in shifts if one[a:] and other[b:])


def _after(runs: Runs, talk: Talk, stones: int, mover: int) -> Future:
    """The text after all answers before the game, if only 1 is typed; the first of it still tells how it began."""
    answers = talk.answers(stones, mover)
    run = runs.run((*answers, *ones(stones + 4)))
    outputs = news(run.turns, talk.lists)[len(answers) :]
    keys = [key(output, talk.level) for output in outputs]
    end = keys.index(talk.anew) if talk.anew in keys else len(keys)
    return future(outputs[:end], ended=run.ending is not None or end < len(keys))


def _assumed(runs: Runs, talk: Talk, gap: Talk) -> Talk:
    """The talk where no two answers differ as they should: it is asked and ignored, or refused, or something else."""
    for at in range(len(gap.parts) + 1):
        question = runs.run(gap.answers(TRIED[0], USER)[:at]).output
        if gap.parts[at : at + 1] != (Part.STONES,) and {"0", "1"} <= set(_numbers(question)):
            return replace(gap, parts=(*gap.parts[:at], Part.FIRST, *gap.parts[at + 1 :]), firsts=("0", "1"))
    return gap if len(gap.parts) > len(talk.parts) else talk


def _numbers(question: str) -> list[str]:
    return [
        "".join(char for char in word if char.isdigit())
        for word in question.replace("=", " ").replace("/", " ").split()
    ]
