"""Moves that are typed in words: two words for the row and the column of a cell, or a name for each cell or column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grader.games.board.rules import Labels, Rules
from grader.games.hear.runs import Run, Runs
from grader.games.learn.questions import word_lists


def spoken(rules: Rules, runs: Runs, run: Run) -> Mapping[str, Labels]:
    """The ways to type moves in the words that a question offers, each by the labels of all moves as staff may set them."""
    usual = rules.labels.values()
    own = (labels for labels in _labels(rules, runs, run) if labels not in usual) if run.ending is None else ()
    return {" | ".join(" then ".join(label) for label in labels): labels for labels in own}


def _labels(rules: Rules, runs: Runs, run: Run) -> Iterator[Labels]:
    lengths = {len(rules.moves)} if rules.falls else {len(rules.moves), rules.rows, rules.columns}
    lists = word_lists(run.output, lengths)
    sides = [words for words in lists if len(words) < len(rules.moves)]
    for words in lists:
        if len(words) == len(rules.moves):
            yield tuple((words[at],) for at in (rules.moves if rules.falls else _from_top(rules)))
    if len(sides) > 1:
        yield from _pairs(rules, sides[-2:], joined=True)
    elif sides:
        behind = runs.run((*run.answers, sides[0][1]))
        for words in word_lists(behind.output, lengths)[-1:] if behind.ending is None else ():
            yield from _pairs(rules, [sides[0], words], joined=False)


def _from_top(rules: Rules) -> Iterator[int]:
    """The number of each cell as one reads, from the top, for all cells in the order of moves."""
    for move in rules.moves:
        column, row = divmod(move, rules.rows)
        yield rules.columns * (rules.rows - 1 - row) + column


def _pairs(rules: Rules, lists: Sequence[Sequence[str]], *, joined: bool) -> Iterator[Labels]:
    """The labels by two lists of words, for the rows from the top and for the columns, and the other way round."""
    one, two = lists
    for rows, columns in ((one, two), (two, one)):
        if (len(rows), len(columns)) != (rules.rows, rules.columns):
            continue
        places = (divmod(at, rules.columns) for at in _from_top(rules))
        cells = [(rows[row], columns[column]) for row, column in places]
        pairs = cells if rows is one else [(column, row) for row, column in cells]
        yield tuple((" ".join(pair),) if joined else pair for pair in pairs)
