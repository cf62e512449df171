"""How moves are typed: by the labels that a family knows, in words that a question offers, or as staff have set it.

In words a cell is typed as two, one for the row and one for the column, or by a name of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from grader.games.board.rules import Labels, Rules, single
from grader.games.hear.runs import Answers, Run, Runs
from grader.games.learn.questions import allowed, word_lists
from grader.games.learn.table import answer, written


def labels_at(rules: Rules, runs: Runs, run: Run, known: Labels | None) -> dict[str, Labels]:
    """The ways to type moves that can be typed at a wait, by their names: those that are ``known`` as staff have set them, else all that there are."""
    by_name = {**rules.labels, **spoken(rules, runs, run)}
    if known is not None:
        by_name = {name_of(known, rules): known}
    return {name: labels for name, labels in by_name.items() if typeable(labels, run.last.wants)}


def typeable(labels: Labels, wants: str) -> bool:
    """Whether all these labels can be typed at a wait for a key, a line or a number."""
    texts = list(dict.fromkeys(text for answers in labels for text in answers))
    return allowed(texts, wants) == texts


def spoken(rules: Rules, runs: Runs, run: Run) -> Mapping[str, Labels]:
    """The ways to type moves in the words that a question offers, each by the labels of all moves as staff may set them."""
    usual = rules.labels.values()
    own = (labels for labels in _labels(rules, runs, run) if labels not in usual) if run.ending is None else ()
    return {_in_words(labels): labels for labels in own}


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


# -------------------------------------------------------------------------------------------------- as staff write them


def answers_of(value: str) -> Answers:
    """The answers of a value, with blanks or commas between."""
    return tuple(answer(text) for text in value.replace(",", " ").split())


_RANGE = re.compile(r"(\w)\s*[-–]\s*(\w)")


def name_of(labels: Labels, rules: Rules) -> str:
    """The name of these labels: by their ends where others know them so, else all of them."""
    usual = next((name for name, usual in rules.labels.items() if usual == labels), "")
    if not usual and any(" " in text for answers in labels for text in answers):
        return _in_words(labels)
    return usual or " ".join(written(answers, " ") for answers in labels)


def _in_words(labels: Labels) -> str:
    """Labels of several words as staff write them: ``top then left | top then centre | …``."""
    return " | ".join(" then ".join(answers) for answers in labels)


def labels_of(rules: Rules, value: str) -> Labels:
    """The labels of a value: ``1-7``, ``A-G``, one answer for each move, or ``top then left | top then centre | …``. Raises ValueError."""
    if value in rules.labels:
        return rules.labels[value]
    number = len(rules.moves)
    result = tuple(tuple(label.strip().split(" then ")) for label in value.split("|"))
    if len(result) == len(set(result)) == number:
        return result
    ends = _RANGE.fullmatch(value)
    texts = tuple(chr(one) for one in range(ord(ends[1]), ord(ends[2]) + 1)) if ends else answers_of(value)
    if len(texts) != number or len(set(texts)) != number:
        usual = next(iter(rules.labels))
        raise ValueError(
            f"“{value}” are not {number} {rules.words.noun}s; write {usual}, or {number} different answers"
        )
    return single(texts)
