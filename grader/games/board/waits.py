"""The waits of a program from its start on, those first to which few and likely answers lead: past menus, names and pauses."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator

from grader.games.board.asked import Key, allowed, key_of, offered
from grader.reading.runs import Answers, Run, Runs

MOST_WAITS = 120

DEPTH = 9

SAME = 4
"""A wait of the same key is gone on from so often."""

LATER = 2.6
"""So much more it costs to look for a piece behind a further answer than at once."""

NAMES = ("Ann", "Bob", "Eve", "Max")


def waits(runs: Runs) -> Iterator[tuple[Answers, Run, bool]]:
    """The waits of a program, those first to which few and likely answers lead.

    Each comes a second time, later: then a piece may be shown only behind a further answer.
    """
    queue: list[tuple[float, int, Answers, bool]] = [(0.0, 0, (), False)]
    met: Counter[Key] = Counter()
    number = seen = 0
    while queue and seen < MOST_WAITS:
        cost, _, answers, again = heapq.heappop(queue)
        run = runs.run(answers)
        if run.ending is not None:
            continue
        if again:
            yield answers, run, True
            continue
        key = key_of(run.last)
        met[key] += 1
        if met[key] > SAME:
            continue
        cost += 1.5 * (met[key] - 1)
        seen += 1
        yield answers, run, False
        number += 1
        if met[key] == 1:
            heapq.heappush(queue, (cost + LATER, number, answers, True))
        if len(answers) >= DEPTH:
            continue
        for rank, text in enumerate(_likely(run, len(answers))):
            number += 1
            heapq.heappush(queue, (cost + 1 + 0.25 * rank, number, (*answers, text), False))


def _likely(run: Run, depth: int) -> list[str]:
    tokens = offered(run.output)
    short = [text for text in tokens if len(text) <= 2][
        :6
    ]  # a word of the question may be anything, and both names then the same
    words = [text for text in tokens if len(text) > 2][:4]
    name = NAMES[depth % len(NAMES)]
    first = (name, "1", "") if run.last.wants == "line" and not short else ("1", "")
    usual = ("0", "y", "n", "2", name, "17", "3", "X")  # a question for a mark may have lost its words
    ordered = short[:2], first, short[2:4], usual, short[4:], words
    return allowed((text for part in ordered for text in part), run.last.wants)
