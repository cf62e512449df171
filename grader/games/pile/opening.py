"""The way into a program that plays on a pile: the question for the number of stones, and what else is asked before the game.

The question for the number of stones is the one after which 7, 13 and 20 bring ever longer games. A question asks who begins if two of
its answers lead to the same game, one of them with a few stones fewer: there the program began.

Some programs ask for no number of stones: their pile is always the same, and no fresh games can measure others. There the told number is
the truth, if in each turn it falls by the typed number and one or two more. A program that does not tell the number is not followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise, product

from grader.games.hear.history import heads, news
from grader.games.hear.names import players
from grader.games.hear.runs import Answers, Run, Runs
from grader.games.hear.slots import LEVELS, NO_KEY, Slot, key, segments, slots_of
from grader.games.hear.truth import Future, Likeness, alike, future
from grader.games.learn.questions import USUAL, named, offered
from grader.games.learn.way import broke, may_be_typed, search
from grader.games.pile.rules import Rules
from grader.games.pile.talk import LARGER, MIDDLE, PROGRAM, SMALLER, TRIED, USER, Part, Talk, last_number, ones


def find(runs: Runs) -> Talk | None:
    """How the program is talked to; None if no question for a number of stones was found."""
    outcome = search(runs, lambda answers: _growing(runs, answers))
    if outcome is None:
        return None
    lead, (level, gap) = outcome
    return with_first(runs, _at_level(Talk((*lead, Part.STONES)), level, runs.run(lead).output), gap)


ALL_ALIKE = 0
"""The level of a program whose questions have one text, “Enter: ”. No question can be told apart, so no new game is seen to begin."""


def _at_level(talk: Talk, level: int, question: str) -> Talk:
    """The talk with the number of lines that tell its questions apart, and the key of the question for the stones."""
    # Programs that ask “Enter: ” at every question were left to a person whole.
    if level == ALL_ALIKE:
        return replace(talk, level=LEVELS[-1], anew=NO_KEY)
    return replace(talk, level=level, anew=key(question, level))


def as_set(runs: Runs, parts: tuple[str | Part, ...], firsts: tuple[str, str] | None) -> Talk | None:
    """The talk with answers before the game that a person has set; None if no game behind them is longer with more stones.

    The answers that let each player begin are found out if they are not set.
    """
    talk = Talk(parts, firsts or (), proved=firsts is not None)
    if Part.FIRST not in parts or firsts:
        return _leading(runs, talk)
    question = runs.run(talk.answers(TRIED[0], USER)[: talk.place(Part.FIRST)]).output
    trials = (_leading(runs, replace(talk, firsts=pair)) for pair in pairs(question))
    led = [one for one in trials if one is not None]
    sure = (replace(one, proved=True) for one in led if lets_begin(runs, one, question))
    return next(chain(sure, led), None)


def _leading(runs: Runs, talk: Talk) -> Talk | None:
    """The talk with the level and the key of the question for the stones, if games are longer with more of them."""
    at = talk.place(Part.STONES)
    games = [runs.run((*talk.answers(stones, USER), *ones(2 * stones + 6))) for stones in (SMALLER, MIDDLE, LARGER)]
    if any(len(run.waits) <= at for run in games):
        return None
    level = _least(games, at)
    return None if level is None else _at_level(talk, level, games[0].waits[at].output)


def _growing(runs: Runs, lead: Answers) -> tuple[int, Answers] | None:
    """How many lines a key needs for games to be longer with more stones, and what must be typed between; None if they are not.

    With only 1 as an answer a program may be stuck at a question that has other answers: one of those is put in.
    """
    first = runs.run((*lead, str(SMALLER), *ones(2 * SMALLER + 6)))
    for gap in ((), *_ways_out(runs, lead, first)):
        level = _level(runs, lead, gap)
        if level is not None:
            return level, gap
    return None


def _ways_out(runs: Runs, lead: Answers, stuck: Run) -> Iterator[Answers]:
    """The answers to try if 1 breaks a run, or it says the same again and again, if it has not done so from the start."""
    opening = (*lead, str(SMALLER))
    outputs = [wait.output for wait in stuck.waits[len(lead) + 1 :]]
    # A program that wants y or n breaks at 1 and 0, and earned nothing: its offers are tried as well.
    broken = len(stuck.taken) == len(opening) + 1 and broke(stuck.ending)
    if not broken and (stuck.ending is not None or not outputs or len(future(outputs, ended=False)) > 2):
        return
    if key(outputs[0]) == key(stuck.waits[len(lead)].output):
        return
    for text in dict.fromkeys((*offered(outputs[0]), *USUAL, *named(outputs[0]))):
        if not may_be_typed(runs, opening, text):
            continue
        went = runs.run((*opening, text))
        if went.ending is None and went.output != outputs[0] and went.output != outputs[-1]:
            yield (text,)


def _level(runs: Runs, lead: Answers, gap: Answers) -> int | None:
    games: list[Run] = []
    for stones in (SMALLER, MIDDLE, LARGER):
        games.append(runs.run((*lead, str(stones), *gap, *ones(2 * stones + 6))))
        if _least(games, len(lead)) is None:
            return None
    return _least(games, len(lead))


def _least(games: Sequence[Run], at: int) -> int | None:
    """How many lines a key needs at least for games to be longer with more stones; None if they are not longer."""
    return next((level for level in (*LEVELS, ALL_ALIKE) if _grows(games, at, level)), None)


def _grows(games: Sequence[Run], at: int, level: int) -> bool:
    lengths = [_length(run, at, level) for run in games]
    return lengths[0] > 2 and all(a < b for a, b in pairwise(lengths))


def _length(run: Run, at: int, level: int) -> int:
    """How many waits a game has after the question ``at``: until that comes again, the run ends, or nothing changes any more.

    0 if none of these happens: such a run is as long as what was typed.
    """
    question = key(run.waits[at].output, level)
    outputs = [wait.output for wait in run.waits[at + 1 :]]
    again = next(
        (n for n, text in enumerate(outputs) if level != ALL_ALIKE and key(text, level) == question), len(outputs)
    )
    length = len(future(outputs[:again], ended=run.ending is not None))
    return 0 if run.ending is None and length == len(outputs) else length


# ----------------------------------------------------------------------------------------------------------- who begins


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
    return keys.count(keys[0]) > 1 if keys else False


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
    """Whether the answers to who begins mean what they should: games go on as they should, and one at least otherwise behind the other answer."""
    # A program that takes the remainder has as many turns with 9 stones, whoever begins.
    differs = any(
        alike(*(_after(runs, talk, stones, mover)[1:] for mover in (PROGRAM, USER))) is Likeness.NONE
        for stones in TRIED
    )
    return differs and all(_begins(runs, talk, stones, question, shifts) for stones in TRIED)


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
    if len(ours) < 2:
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
    end = len(_keys(outputs, talk))
    return future(outputs[:end], ended=run.ending is not None or end < len(outputs))


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


# --------------------------------------------------------------------------------------- a pile that is always the same


MOST_RUNS = 40
"""Maximum runs to find the way."""

TURNS = 4
"""Turns in which the number must fall."""


def find_fixed(runs: Runs, rules: Rules) -> Talk | None:
    """The way to a question for a move at which the number of stones that is told falls as the rules say."""
    outcome = search(runs, lambda answers: falling(runs, rules, answers), MOST_RUNS)
    if outcome is None:
        return None
    lead, slot = outcome
    talk = Talk(lead, anew=key(runs.run(()).output) if lead else NO_KEY, slot=slot)
    for at in range(len(lead)):
        for program, user in pairs(runs.run(lead[:at]).output):
            ours, users = (_stones(runs, (*lead[:at], text, *lead[at + 1 :]), slot) for text in (program, user))
            if ours is not None and users is not None and users - ours in rules.moves(users):
                parts: tuple[str | Part, ...] = (*lead[:at], Part.FIRST, *lead[at + 1 :])
                return replace(talk, parts=parts, firsts=(program, user), pile=users)
    return replace(talk, pile=_stones(runs, lead, slot) or 0)


def fixed_as_set(
    runs: Runs, rules: Rules, parts: tuple[str | Part, ...], firsts: tuple[str, str] | None
) -> Talk | None:
    """The same with answers before the game that a person has set; None if no number falls as the rules say."""
    first = rules.game.first
    answers = (firsts or (str(first.program), str(first.user))) if Part.FIRST in parts else ()
    talk = Talk(parts, answers, anew=key(runs.run(()).output) if parts else NO_KEY)
    lead = talk.answers(0, USER)
    slot = falling(runs, rules, lead)
    return None if slot is None else replace(talk, slot=slot, pile=_stones(runs, lead, slot) or 0)


def _stones(runs: Runs, answers: Answers, slot: Slot) -> int | None:
    run = runs.run(answers)
    return last_number(run.output, slot) if run.ending is None else None


def falling(runs: Runs, rules: Rules, lead: Answers, first: Answers = ()) -> Slot | None:
    """The slot that says after each move how many stones are left, from the first question on; behind it where the ``first`` number is known."""
    run = runs.run((*lead, *ones(2 * LARGER)))
    outputs = [wait.output for wait in run.waits[len(lead) + len(first) : -1]][: TURNS + 1]
    # A turn may have thousands of slots: each turn is read once, and not once for each slot.
    turns = [dict(slots_of(output)) for output in outputs]
    for slot in turns[0] if turns else ():
        # “You take 1 of 20” falls as well: it tells the stones before the move, and as many as there were at first.
        values = [*map(int, first), *(turn[slot] for turn in turns if slot in turn)]
        falls = [before - after - 1 for before, after in pairwise(values)]
        if len(values) > TURNS and all(0 < fall <= rules.most + 1 for fall in falls):  # some take three
            return slot
    return None
