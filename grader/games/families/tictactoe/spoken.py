"""Cells that are typed in words: “Row (top, middle, bottom)?”, “oben/mitte/unten links/mitte/rechts”, or a name for each cell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from grader.games.board.rules import Labels
from grader.games.hear.runs import Run, Runs
from grader.games.learn.questions import last_lines

MOST_LINES, MOST_SIGNS = 3, 400
"""The last lines of a question that are looked at, and the most characters of them: a program may print a flood."""

_WORD = r"\b[^\W\d_]{1,20}(?:-[^\W\d_]{1,20})?"
_BETWEEN = r"(?:\s?[,/|]\s?(?:(?:or|and|oder|und|ou|et|o|y|hay)\s)?|\s(?:or|and|oder|und|ou|et|o|y|hay)\s)"
_LIST = re.compile(rf"{_WORD}(?:{_BETWEEN}{_WORD}){{2,8}}")


def word_lists(text: str) -> list[list[str]]:
    """The lists of three, or of nine, words in the last lines of a question.

    Of a list of another length the first three count: “top, middle or bottom, then left, centre or right, as in” goes on behind them.
    """
    asked = "\n".join(last_lines(text[-MOST_SIGNS:], MOST_LINES)).lower()
    found = (re.split(_BETWEEN, match[0]) for match in _LIST.finditer(asked))
    return [words if len(words) == 9 else words[:3] for words in found]


def spoken(runs: Runs, run: Run) -> Mapping[str, Labels]:
    """The ways to type cells in the words that a question offers, each by the labels of all cells as staff may set them."""
    return {" | ".join(" then ".join(label) for label in labels): labels for labels in _labels(runs, run)}


def _labels(runs: Runs, run: Run) -> Iterator[Labels]:
    lists = word_lists(run.output) if run.ending is None else []
    threes = [words for words in lists if len(words) == 3]
    for words in lists:
        if len(words) == 9:
            yield tuple((words[3 * (2 - row) + column],) for column in range(3) for row in range(3))
    if len(threes) > 1:
        yield from _pairs(threes[-2:], joined=True)
    elif threes:
        behind = runs.run((*run.answers, threes[0][1]))
        for words in word_lists(behind.output)[-1:] if behind.ending is None else ():
            yield from _pairs([threes[0], words[:3]], joined=False)


def _pairs(lists: Sequence[Sequence[str]], *, joined: bool) -> Iterator[Labels]:
    """The labels by two lists of words, for the rows from the top and for the columns, and the other way round."""
    one, two = lists
    for rows, columns in ((one, two), (two, one)):
        cells = [(rows[2 - row], columns[column]) for column in range(3) for row in range(3)]
        pairs = cells if rows is one else [(column, row) for row, column in cells]
        yield tuple((" ".join(pair),) if joined else pair for pair in pairs)
