"""Grids of programs whose pieces may lie wrongly: rows that are alike behind what may be first moves.

No board is found by the rules where pieces do not fall by them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from grader.games.board.corrections import Corrections
from grader.games.board.grid import grid
from grader.games.board.labels import labels_at
from grader.games.board.layout import Layout
from grader.games.board.opening import looked_at, onward
from grader.games.board.rules import Labels, Moves, Rules
from grader.games.hear.picture import Picture
from grader.games.hear.runs import Answers, Run, Runs
from grader.games.learn.way import key_of

MOST_WAITS = 30
"""Maximum waits that are looked at: a program that shows rows alike at its menu asks for a column soon behind it."""

MOST_GRIDS = 4
"""Maximum waits and ways to type a column that are fitted: a fit takes some hundred runs, and the right one was among the first two."""

FEWEST_OPEN = 3
"""Minimum columns that take pieces: a menu takes one or two answers."""


Grid = tuple[Answers, str, Labels, Layout, Picture]
"""The answers before the first column, the name of the way to type one, its labels, and the grid that lies behind in a picture."""


def grids(rules: Rules, runs: Runs, corrections: Corrections) -> Iterator[Grid]:
    """The first grids that are found, at most ``MOST_GRIDS``."""
    return islice(_grids(rules, runs, corrections), MOST_GRIDS)


def _grids(rules: Rules, runs: Runs, corrections: Corrections) -> Iterator[Grid]:
    """The waits that may ask for the first column, with the ways to type one, and the grid that lies behind in a picture.

    The same picture shows all boards: it numbers coloured marks as they come, and the higher one of a column would be the first.
    """
    for answers, run, again in islice(looked_at(runs, corrections), MOST_WAITS):
        for name, labels in ({} if again else labels_at(rules, runs, run, corrections.labels)).items():
            picture = Picture()
            layout = _grid(rules, runs, answers, labels, picture)
            if layout is not None and not _holds_move(rules, runs, answers, labels[0], layout, picture):
                yield answers, name, labels, layout, picture


def _holds_move(rules: Rules, runs: Runs, answers: Answers, label: Answers, layout: Layout, picture: Picture) -> bool:
    """Whether an answer before the first move is a move itself: with another one in its place that piece lies elsewhere."""
    # “Sure? y/n” behind each column takes any key: it seemed to ask for a column, and all pieces lay in the first one.
    known = [(at, labels) for at, text in enumerate(answers) for labels in rules.labels.values() if (text,) in labels]
    paths = [(*answers[:at], *other, *answers[at + 1 :], *label) for at, labels in known for other in labels]
    texts = (picture.text(runs.run(path).output) for path in ((*answers, *label), *paths))
    first, *others = [re.sub("[AB]", "x", *layout.boards(text)[-1:] or [""]) for text in texts]
    return any("x" in cells and cells.count("x") == first.count("x") and cells != first for cells in others)


def first_moves(rules: Rules) -> tuple[list[Moves], list[Moves]]:
    """A first move into each column, and two moves into neighbouring ones."""
    one = [rules.stack(column, 1) for column in range(rules.columns)]
    return one, [(*first, *other) for first, other in zip(one, (*one[1:], *one[:1]), strict=True)]


def _grid(rules: Rules, runs: Runs, answers: Answers, labels: Labels, picture: Picture) -> Layout | None:
    groups = [[(moves, run_behind(runs, answers, labels, moves)) for moves in some] for some in first_moves(rules)]
    alike = Counter(run.output for _, run in groups[0] if run.ending is None)
    taken = {moves[0] for moves, run in groups[0] if alike[run.output] == 1}
    if len(taken) >= FEWEST_OPEN:  # a program that breaks in some columns, or refuses them, is played in the others
        groups = [[(moves, run) for moves, run in some if taken.issuperset(moves)] for some in groups]
    one, two = ([run for _, run in some] for some in groups)
    if any(run.ending is not None for run in (*one, *two)):
        return None
    first = [picture.lines(run.output) for run in one]
    for kept in ((), *_kept(one, two)):
        second = [runs.run((*run.answers, *kept)).output for run in two]
        layout = grid(rules, first, [picture.lines(text) for text in second])
        if layout is not None:
            return layout
    return None


def _kept(one: Sequence[Run], two: Sequence[Run]) -> list[Answers]:
    """The answers that may keep a second piece, if most second pieces lead to a question that no first one does."""
    # A program that forgets to pass the turn asks there already whether a piece is taken back: it was left to a person whole.
    key, number = Counter(key_of(run.last) for run in two).most_common(1)[0]
    if number < FEWEST_OPEN or any(key_of(run.last) == key for run in one):
        return []
    return [(text,) for text in onward(next(run for run in two if key_of(run.last) == key))]


def run_behind(runs: Runs, answers: Answers, labels: Labels, moves: Sequence[int], *, to_question: bool = False) -> Run:
    """The run behind moves. A question that came before the first move, as for any key, is answered between moves as it was there.

    With ``to_question`` it is also answered behind the last one.
    """
    lead = runs.run(answers)
    before = {wait.place: text for wait, text in zip(lead.waits, answers, strict=False) if wait.place}
    before.pop(lead.last.place, None)

    def between(path: Answers) -> Answers:
        """The answer that is typed before the next move, if another question than that for a move comes."""
        run = runs.run(path)
        # Only at a pause the label of the second move would be a key, and one piece less would be shown.
        if (text := before.get(run.last.place)) is not None:
            return (text,)
        if run.ending is not None or run.last.place[:1] == lead.last.place[:1]:
            return ()
        # A menu took the label of the second move: “2 Undo my move”.
        behind = (runs.run((*path, text)) for text in onward(run))
        return next((one.answers[-1:] for one in behind if one.last.place == lead.last.place), ())

    path = answers
    for number, move in enumerate(moves):
        path = (*path, *(between(path) if number else ()), *labels[move])
    if to_question:
        path = (*path, *between(path))
    return runs.run(path)
