"""The map of a dialogue: what a program asks, and to which question each answer led, over all runs of an exploration."""

from __future__ import annotations

import re
from collections import Counter

from grader.games.hear.runs import Runs, Wait
from grader.values import dataclass

_DIGITS = re.compile(r"[0-9]+")

END = "the end"
"""The sign for a program that has ended."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: the line with which it is asked, how often it was, and the answers by the question to which they led.

    ``line`` has numbers as ``#``, since "3 left. Take? " and "2 left. Take? " ask the same.
    """

    line: str
    times: int
    answers: tuple[tuple[str, tuple[str, ...]], ...]


def dialogue_map(runs: Runs) -> tuple[Asked, ...]:
    """The questions of a program, those that were asked most first; where an answer led, that where most led to first."""
    times: Counter[str] = Counter()
    led: dict[str, dict[str, Counter[str]]] = {}
    for before, answer, after in runs.steps():
        line, then = question(before), question(after)
        times[line] += 1
        led.setdefault(line, {}).setdefault(then, Counter())[answer] += 1
    questions = []
    for line, count in times.most_common():
        goals = sorted(led[line].items(), key=lambda goal: -goal[1].total())
        answers = ((then, tuple(text for text, _ in texts.most_common())) for then, texts in goals)
        questions.append(Asked(line, count, tuple(answers)))
    return tuple(questions)


def question(wait: Wait) -> str:
    """The last line of a wait that is not blank, numbers as ``#``."""
    if wait.ending is not None:
        return END
    lines = [line.strip() for line in wait.output.splitlines() if line.strip()]
    return _DIGITS.sub("#", lines[-1]) if lines else ""
