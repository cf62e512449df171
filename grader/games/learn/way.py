"""The way into a program: the waits to which few and likely answers lead from its start, past menus, names and pauses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from heapq import heappop, heappush
from typing import TypeVar

from grader.games.hear.runs import Answers, Run, Runs, Wait
from grader.games.hear.slots import key
from grader.games.learn.questions import USUAL, allowed, alone, last_line, named, offered
from grader.transcript import Ending, EndingKind
from grader.values import dataclass

T = TypeVar("T")
Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a search goes: the maximum number of runs that it makes, of waits, of answers up to one, and of waits with one key."""

    runs: int
    waits: int
    depth: int
    alike: int


NATIVE = Limits(runs=24, waits=24, depth=6, alike=24)
"""A run of a native program takes milliseconds, and each wait is tried by several. Its questions may all be “Enter: ”."""

SIMULATED = Limits(runs=1_500, waits=120, depth=9, alike=4)
"""A run on a simulated machine is a fork, in microseconds; its waits are told apart by where in the code they stand."""

MOST_RUNS = 80
"""Maximum number of runs of a search, those of its test included."""

LATER = 2.6
"""The cost of a second look at a wait: a piece may be shown only behind a further answer."""

NAMES = ("Ann", "Bob", "Eve", "Max")

BY_ITSELF = (EndingKind.ENDED, EndingKind.EXIT_CODE)
"""The ends of a program that did not break."""

BOTH_NAMES = ("Ann Bob", "Ann,Bob", "Ann and Bob")
"""Both names in one line. They are tried only at a question that offers nothing, and that one name does not answer: a menu says no to any name."""


@lru_cache(maxsize=1 << 8)  # the same few questions come in thousands of runs; a text may be a flood
def masked(text: str) -> str:
    """The last line of a text, its numbers as ``#``."""
    return re.sub(r"\d+", "#", last_line(text))[-200:]


def key_of(wait: Wait) -> Key:
    """The key that waits for the same thing share."""
    return wait.wants, wait.place, masked(wait.output)


def ways(runs: Runs, limits: Limits) -> Iterator[tuple[Answers, Run, bool]]:
    """The waits of a program, those first to which few and likely answers lead; False with each.

    Each kind of wait comes a second time, later, with True. It costs most to go deeper and to be asked the same again, and a little
    to try an answer that is less likely.
    """
    queue: list[tuple[float, int, Answers, bool]] = [(0.0, 0, (), False)]
    visits: Counter[Key] = Counter()
    outputs: set[tuple[str, ...]] = set()
    number = count = 0
    while queue and visits.total() < limits.waits and count < limits.runs:
        cost, _, answers, again = heappop(queue)
        count += not again
        if answers and not may_be_typed(runs, answers[:-1], answers[-1]):
            continue
        run = runs.run(answers)
        if run.ending is not None:
            continue
        if again:
            yield answers, run, True
            continue
        kind = key_of(run.last)
        if answers and answers[-1] in NAMES and key_of(run.waits[-2]) == kind and not offered(run.waits[-2].output):
            for text in BOTH_NAMES:
                number += 1
                heappush(queue, (cost, number, (*answers[:-1], text), False))
        # Two ways to the same texts go on alike: one of them is enough.
        if run.turns in outputs or visits[kind] >= limits.alike:
            continue
        outputs.add(run.turns)
        visits[kind] += 1
        # To be asked the same again leads seldom on: 1.5 is more than one further answer costs.
        cost += 1.5 * (visits[kind] - 1)
        yield answers, run, False
        number += 1
        if visits[kind] == 1:
            heappush(queue, (cost + LATER, number, answers, True))
        if len(answers) < limits.depth:
            for rank, text in enumerate(_likely(run)):
                number += 1
                heappush(queue, (cost + 1 + 0.25 * rank, number, (*answers, text), False))


def search(runs: Runs, test: Callable[[Answers], T | None], most: int = MOST_RUNS) -> tuple[Answers, T] | None:
    """The cheapest answers after which ``test`` finds what it looks for, and what it found; None after about ``most`` runs without."""
    last = runs.number + most
    for answers, _, again in ways(runs, NATIVE):
        outcome = None if again else test(answers)
        if outcome is not None:
            return answers, outcome
        if runs.number > last:
            break
    return None


def _likely(run: Run) -> list[str]:
    """Answers to try at a wait, the likely ones first: those that it offers, usual ones, a name, and the words of the question."""
    last = run.last
    offers, words = offered(run.output), named(run.output)
    name = NAMES[len(run.answers) % len(NAMES)]
    first: tuple[str, ...] = USUAL[:2]
    if last.wants == "key":  # “Press P to start the game, R to see the rules or Q to exit”
        first = (*alone(run.output, 1), *first)
    elif last.wants == "line" and last.place and not offers:
        first = (name, *first)  # a simulated program that reads a line of text wants no number
    # X: a program that asks for X or O by a question that lost its words was said to play no game, and lost everything.
    answers = (*offers[:2], *first, *offers[2:4], *USUAL[2:], name, "17", "3", "X", *offers[4:], *words)
    # With the same name for both players nobody could tell who begins.
    names = {text for text in run.answers if len(text) > 1 and text.isalpha()}
    return [text for text in allowed(answers, last.wants) if text not in names or text in offers]


def with_names(runs: Runs, answers: Answers) -> Answers:
    """The answers that lead the same way, with a name of its own at each question that takes any text.

    A native program waits for a line, be it a number or a name, and 1 is likelier. But where both players are called 1 nobody can tell who
    wins. At a question that has lost its words 0 is as likely.
    """
    for at, text in enumerate(answers):
        name = NAMES[at % len(NAMES)]
        plain = runs.run(answers)
        if not text.isdigit() or plain.waits[at].wants != "line" or not may_be_typed(runs, answers[:at], name):
            continue
        variant = (*answers[:at], name, *answers[at + 1 :])
        waits = [replace(wait, output=wait.output.replace(name, text)) for wait in runs.run(variant).waits]
        if [(key_of(wait), wait.ending) for wait in waits] == [(key_of(wait), wait.ending) for wait in plain.waits]:
            answers = variant
    return answers


def may_be_typed(runs: Runs, lead: Answers, text: str) -> bool:
    """Whether it may be tried to type ``text`` behind these answers: numbers may, and a word that does not break the program.

    A word can break a program that reads a number, or hang it. That says nothing of the program, and nobody may charge it; but
    three runs that hang are all that a program has. So once a word has done that, only a question that offers the word gets it,
    or one from which no number leads on.
    """
    if not text.isalpha():
        return True
    question = runs.run(lead).output
    # All steps were looked through for each word: a third of the search for a program that plays no game.
    if text not in offered(question) and any(one.isalpha() and kind not in BY_ITSELF for one, kind in runs.ended_by):
        others = (runs.run((*lead, number)) for number in ("1", "0"))
        if any(run.ending is None and key(run.output) != key(question) for run in others):
            return False
    return not broke(runs.run((*lead, text)).ending)


def broke(ending: Ending | None) -> bool:
    """Whether an answer broke the program, or hung it; one that ends by itself may have been told to."""
    return ending is not None and ending.kind not in BY_ITSELF
