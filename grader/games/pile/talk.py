"""How one program talks a pile game over: what must be typed before the game begins, and what else than moves during it.

All of it is found by experiment. The question for the number of stones is the one after which 7, 13 and 20 bring ever longer
games. Who begins is asked where two answers exist of which one means what the other means with a few stones less: there the
program has begun. What is asked once in every game, and last, is no move; and where any answer brings the same, it is a pause.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise

from grader.reading.keys import LEVELS, key, recurring
from grader.reading.opening import USUAL, offered, search
from grader.reading.runs import Answers, Run, Runs
from grader.reading.slots import segments
from grader.reading.truth import Future, Likeness, alike, future

PROGRAM, USER = 0, 1

SMALLER, MIDDLE, LARGER = 7, 13, 20
"""Piles of which each must bring a longer game than the one before."""

TRIED = (8, 9)
"""Piles by which it is tried who begins: the first tells even where nothing is told but that the game is over."""

MOST_TAKEN = 3
"""So many stones a program may take when it begins, rightly or not."""

Shifts = tuple[tuple[int, int], ...]

NO_SHIFT: Shifts = ((1, 1),)
SHIFTS: Shifts = ((2, 1), (1, 2))
"""Games that go on alike behind their first waits; one may wait once more before the first move."""

DEEPEST_GAP = 3
"""So many questions at most are looked at between the number of stones and the first move."""


class Part(Enum):
    """What an answer before the game is for."""

    STONES = "stones"
    FIRST = "first"


@dataclass(frozen=True, slots=True)
class Talk:
    """What was found of one program.

    ``parts`` are the answers before the game, in their order; ``firsts`` what is typed for the program and for the user to begin,
    empty where that is not asked; ``pauses`` the keys of waits at which anything goes, ``after`` those of questions behind the
    end; ``level`` is how many lines a key has, and ``anew`` the key of the question for the number of stones.
    """

    parts: tuple[str | Part, ...]
    firsts: tuple[str, str] | tuple[()] = ()
    pauses: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()
    level: int = LEVELS[0]
    anew: str = ""
    proved: bool = False
    """Whether it was seen that the two answers to who begins mean what they should; else they are the ones of the text."""

    def answers(self, stones: int | str, mover: int) -> Answers:
        """What is typed for a game of so many stones."""
        first = self.firsts[mover] if self.firsts else ""
        texts = {Part.STONES: str(stones), Part.FIRST: first}
        return tuple(texts[part] if isinstance(part, Part) else part for part in self.parts)

    def place(self, part: Part) -> int:
        """How many answers come before this one."""
        return self.parts.index(part)


def find(runs: Runs) -> Talk | None:
    """How the program is talked to; None where no question for a number of stones was found."""
    found = search(runs, lambda answers: _growing(runs, answers))
    if found is None:
        return None
    lead, (level, gap) = found
    talk = Talk((*lead, Part.STONES), level=level, anew=key(runs.run(lead).output, level))
    return _with_first(runs, talk, gap)


def ones(number: int) -> Answers:
    """The answer 1 so many times: the move that is always allowed."""
    return ("1",) * number


# ------------------------------------------------------------------------------------------------ the number of stones


def _growing(runs: Runs, lead: Answers) -> tuple[int, Answers] | None:
    """How many lines a key needs for games to be longer with more stones, and what must be typed between; None where they are not.

    Where nothing but 1 is typed a program may be stuck at a question that has other answers: one of those is put in.
    """
    first = runs.run((*lead, str(SMALLER), *ones(2 * SMALLER + 6)))
    for gap in ((), *_ways_out(runs, lead, first)):
        level = _level(runs, lead, gap)
        if level is not None:
            return level, gap
    return None


def _ways_out(runs: Runs, lead: Answers, stuck: Run) -> Iterator[Answers]:
    """What may be typed where a run without an end says the same again and again, if it has not done so from the start."""
    outputs = [wait.output for wait in stuck.waits[len(lead) + 1 :]]
    if stuck.ending is not None or not outputs or len(future(outputs, ended=False)) > 2:
        return
    if key(outputs[0]) == key(stuck.waits[len(lead)].output):
        return
    for text in dict.fromkeys((*offered(outputs[0]), *USUAL)):
        went = runs.run((*lead, str(SMALLER), text))
        if went.ending is None and went.output != outputs[0] and went.output != outputs[-1]:
            yield (text,)


def _level(runs: Runs, lead: Answers, gap: Answers) -> int | None:
    played: list[Run] = []
    for stones in (SMALLER, MIDDLE, LARGER):
        played.append(runs.run((*lead, str(stones), *gap, *ones(2 * stones + 6))))
        if not any(_grows(played, len(lead), level) for level in LEVELS):
            return None
    return next(level for level in LEVELS if _grows(played, len(lead), level))


def _grows(played: Sequence[Run], at: int, level: int) -> bool:
    lengths = [_length(run, at, level) for run in played]
    return lengths[0] > 2 and all(a < b for a, b in pairwise(lengths))


def _length(run: Run, at: int, level: int) -> int:
    """How many waits a game has after the question ``at``: until that comes again, the run ends, or nothing changes any more.

    0 where none of these happens: such a run is as long as what was typed.
    """
    asked = key(run.waits[at].output, level)
    outputs = [wait.output for wait in run.waits[at + 1 :]]
    again = next((n for n, text in enumerate(outputs) if key(text, level) == asked), len(outputs))
    length = len(future(outputs[:again], ended=run.ending is not None))
    return 0 if run.ending is None and length == len(outputs) else length


# ------------------------------------------------------------------------------------------------------ who begins


def _with_first(runs: Runs, talk: Talk, between: Answers) -> Talk:
    """The talk with the question who begins, where there is one: behind the number of stones, or before it."""
    gap = talk
    for number in range(DEEPEST_GAP):
        wait = runs.run(gap.answers(TRIED[0], USER))
        if wait.ending is not None or (number >= len(between) and _recurs(runs, gap)):
            break
        asked = replace(gap, parts=(*gap.parts, Part.FIRST, *between[number + 1 :]))
        found = _fitting(runs, asked, wait.output)
        if found is not None:
            return found
        if number >= len(between) and not _passes(runs, gap):
            break
        gap = replace(gap, parts=(*gap.parts, between[number] if number < len(between) else "1"))
    full = replace(talk, parts=(*talk.parts, *between))
    return _asked_before(runs, full) or _assumed(runs, full, gap)


def _passes(runs: Runs, talk: Talk) -> bool:
    """Whether any answer at the question that comes next brings the same: a pause, or a name."""
    typed = talk.answers(TRIED[0], USER)
    one, two = (
        tuple(wait.output for wait in runs.run((*typed, text, *ones(TRIED[0]))).waits[len(typed) + 1 :])
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
        asked = replace(talk, parts=(*talk.parts[:at], Part.FIRST, *talk.parts[at + 1 :]))
        found = _fitting(runs, asked, before.output)
        if found is not None:
            return found
    return None


def _fitting(runs: Runs, asked: Talk, question: str) -> Talk | None:
    """The talk with the answers of which one lets the program begin; None where none do."""
    for shifts in (NO_SHIFT, SHIFTS):
        for program, user in pairs(question):
            talk = replace(asked, firsts=(program, user), proved=True)
            if all(_begun(runs, talk, stones, question, shifts) for stones in TRIED):
                return talk
    return None


def pairs(question: str) -> Iterator[tuple[str, str]]:
    """Pairs of answers: those of the text first, then what is common, then what the question offers."""
    usual = [("0", "1"), ("1", "2"), ("2", "1"), ("1", "0"), ("n", "y"), ("y", "n")]
    offers = offered(question)
    rest = [(a, b) for a in offers for b in offers if a != b]
    yield from dict.fromkeys((*usual, *rest[:6]))


def _begun(runs: Runs, talk: Talk, stones: int, question: str, shifts: Shifts) -> bool:
    """Whether the program has begun under the one answer: the game then goes on as one with fewer stones under the other."""
    ours, users = (_after(runs, talk, stones, mover) for mover in (PROGRAM, USER))
    at = talk.place(Part.FIRST)
    for mover, game in ((PROGRAM, ours), (USER, users)):
        said = runs.run(talk.answers(stones, mover)[: at + 1]).output
        if asks_again(question, said) and not any(asks_again(question, later) for later in game[1:]):
            return False
    if len(ours) < 2 or alike(ours[1:], users[1:]) is not Likeness.NONE:
        return False
    return any(_same(ours, _after(runs, talk, stones - taken, USER), shifts) for taken in range(1, MOST_TAKEN + 1))


def asks_again(question: str, said: str) -> bool:
    """Whether what was said holds the last clause of the question."""
    words = [one.skeleton for one in segments(question) if one.skeleton]
    return bool(words) and words[-1] in {one.skeleton for one in segments(said)}


def _same(one: Future, other: Future, shifts: Shifts) -> bool:
    """Whether two games go on alike behind so many waits of each."""
    return any(alike(one[a:], other[b:]) is not Likeness.NONE for a, b in shifts if one[a:] and other[b:])


def _after(runs: Runs, talk: Talk, stones: int, mover: int) -> Future:
    """What comes after all answers before the game, where nothing but 1 is typed; the first of it still tells how it began."""
    typed = talk.answers(stones, mover)
    run = runs.run((*typed, *ones(stones + 4)))
    outputs = [wait.output for wait in run.waits[len(typed) :]]
    keys = [key(output, talk.level) for output in outputs]
    cut = keys.index(talk.anew) if talk.anew in keys else len(keys)
    return future(outputs[:cut], ended=run.ending is not None or cut < len(keys))


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
