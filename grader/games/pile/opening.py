"""The way into a program that plays on a pile: the question for the number of stones, and what else is asked before the game.

The question for the number of stones is the one after which 7, 13 and 20 bring ever longer games.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise

from grader.games.hear.runs import Answers, Run, Runs
from grader.games.hear.slots import LEVELS, NO_KEY, key
from grader.games.hear.truth import future
from grader.games.learn.questions import USUAL, named, offered
from grader.games.learn.way import broke, may_be_typed, search
from grader.games.pile.beginning import lets_begin, pairs, with_first
from grader.games.pile.talk import LARGER, MIDDLE, SMALLER, TRIED, USER, Part, Talk, ones


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
