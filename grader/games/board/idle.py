"""Programs that play no game: they end or go on for ever whatever column is typed, or break at the first piece.

Only such a program is the cause that nothing was seen of it. Any other that leads to no board that fills is one that we could not read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.checks.ending import faulty
from grader.games.board.layout import families
from grader.games.board.rules import Labels, Rules
from grader.games.board.talk import typeable
from grader.games.following import Followed
from grader.games.learn.questions import allowed
from grader.games.learn.way import SIMULATED, key_of, ways
from grader.games.ledger import Game, whole
from grader.reading.picture import Picture
from grader.reading.runs import Run, Runs

LONG = 30
"""So often one column is typed: six pieces fill it, and three more are violations, by either player."""

SHORT = 3
"""Behind so many moves no game is over."""

MOST_KEYS = 12

MOST_LOOKED_AT = 4_000
"""So many characters of a turn are looked at."""


def idle(rules: Rules, runs: Runs) -> tuple[Followed, ...] | None:
    """The games of a program that plays none, the longest first; None where it may play one that could not be read."""
    first = runs.run(())
    if first.ending is not None:
        return whole([Game(first)])
    seen: list[Run] = []
    met: dict[object, Run] = {}
    known: set[object] = set()
    for _, run, again in ways(runs, SIMULATED):
        if not again:
            key = key_of(run.last)
            known.add(key)
            met.setdefault(key, run)
    if len(met) > MOST_KEYS or not any(_grid(rules, text) for run in met.values() for text in _texts(runs, run)):
        return None
    texts = sorted({text for labels in rules.labels.values() for answers in labels for text in answers})
    for run in met.values():
        for text in allowed(texts, run.last.wants):
            if text not in texts:
                continue
            longest = runs.run((*run.answers, *(text,) * LONG))
            typed = len(longest.taken) - len(run.answers)
            if longest.ending is not None and typed > SHORT:
                return None
            if any(key_of(wait) not in known for wait in longest.waits if wait.ending is None) or _grows(longest):
                return None
            seen.append(longest)
    return whole(map(Game, sorted(seen, key=lambda run: -len(run.waits))))


def broken(rules: Rules, runs: Runs) -> tuple[Followed, ...] | None:
    """The games of a program that ends at its first move, whichever that is; None where that was not seen.

    Two things tell that it asks for a move. Each label ends it and shows a piece in another place. Or each label breaks it, and it
    asks again behind answers that are no moves.
    """
    for answers, run, again in ways(runs, SIMULATED):
        for labels in () if again else rules.labels.values():
            if not typeable(labels, run.last.wants):
                continue
            typed = [labels[rules.stack(column, 1)[0]] for column in range(rules.columns)]
            futures = [runs.run((*answers, *label)) for label in typed]
            if any(one.ending is None for one in futures):
                continue
            grids = [Picture().lines("".join(one.turns[len(answers) + 1 :])) for one in futures]
            breaks = all(one.ending is not None and faulty(one.ending) for one in futures)
            if families(grids, rules.fits) or (breaks and _refuses(runs, run, labels)):
                return whole(map(Game, futures))
    return None


OUTSIDE = ("9", "-1", "0", "8", "x")
"""Answers that name no column, in any of the ways to type them."""


def _refuses(runs: Runs, run: Run, labels: Labels) -> bool:
    """Whether a question is asked again behind two answers that are no moves."""
    moves = {text for label in labels for text in label}
    others = [text for text in allowed(OUTSIDE, run.last.wants) if text in OUTSIDE and text not in moves]
    refused = (runs.run((*run.answers, text)) for text in others)
    return sum(one.ending is None and key_of(one.last) == key_of(run.last) for one in refused) > 1


def _grows(run: Run) -> bool:
    """Whether another text is shown again and again: then something falls, though no board was found into which all columns fall."""
    seen: set[str] = set()
    grown = 0
    for number, text in enumerate(run.turns):
        shown = re.sub(r"\d+", "#", text[-MOST_LOOKED_AT:])
        grown += number > SHORT and shown not in seen
        seen.add(shown)
    return grown > 1


def _texts(runs: Runs, run: Run) -> Sequence[str]:
    """What is printed at a wait, and behind short answers there."""
    tried = allowed(("1", "2", "0", "y", "X"), run.last.wants)
    return [run.output, *(runs.run((*run.answers, text)).output for text in tried)]


def _grid(rules: Rules, text: str) -> bool:
    """Whether a text shows rows of a board in which nothing lies: as many lines as it has rows that are the same, or every second one."""
    lines = [line.rstrip() for line in text.split("\n")]
    for step in (1, 2, 3, 4):
        for at in range(len(lines) - (rules.rows - 1) * step):
            rows = lines[at : at + (rules.rows - 1) * step + 1 : step]
            if len(rows[0]) >= rules.columns and len(set(rows)) == 1 and rows[0].strip():
                return True
    return False
