"""The opening of a program that only paints its board: found in memory, where the text shows nothing into which pieces fall."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.games.board.corrections import Corrections
from grader.games.board.dialogue import Dialogue, Opening, known_game
from grader.games.board.memory import Future, MemoryLayout, falls, memory_layout
from grader.games.board.rules import Labels, Rules
from grader.games.board.talk import labels_at
from grader.games.learn.questions import GOES_ON, allowed, mentioned
from grader.games.learn.way import SIMULATED, ways
from grader.reading.memory import Pages, pages
from grader.reading.picture import Picture
from grader.reading.runs import Answers, Run, Runs

MOST_WAITS = 20
"""So many waits are looked at: memory takes longer than text."""


def found_in_memory(rules: Rules, runs: Runs, given: Corrections) -> Opening | None:
    """The opening; None where pieces fall into no memory either."""
    if not pages(runs.session(())):
        return None
    tried = []
    for answers, run in _looked_at(runs, given):
        for name, labels in labels_at(rules, runs, run, given).items():
            for behind in _behind(runs, answers, labels[len(labels) // 2]):
                future = _future(runs, answers, labels, behind)
                if falls(rules, future):
                    tried.append((answers, (name, labels), future))
    for least in (rules.columns, rules.fits):  # numbers from 0 on find six columns of a program that has them from 1 on
        for answers, columns, future in tried:
            layout = memory_layout(rules, future, least)
            opening = layout and _opening(runs, answers, columns, layout, given)
            if opening:
                return opening
    return None


def _looked_at(runs: Runs, given: Corrections) -> Iterator[tuple[Answers, Run]]:
    if given.opening is not None:
        run = runs.run(given.opening)
        if run.ending is None:
            yield given.opening, run
        return
    for number, (answers, run, again) in enumerate(ways(runs, SIMULATED)):
        if number >= MOST_WAITS:
            return
        if not again:
            yield answers, run


def _behind(runs: Runs, answers: Answers, label: Answers) -> list[str | None]:
    """What may be answered to another question that comes between columns; None where there is none."""
    place = runs.run(answers).last.place
    typed = answers
    for _ in range(3):
        typed = (*typed, *label)
        run = runs.run(typed)
        if run.ending is not None:
            return []
        if run.last.place != place:
            return [*allowed((*mentioned(run.output)[:5], *GOES_ON), run.last.wants)[:10]]
    return [None]


def _future(runs: Runs, answers: Answers, labels: Labels, behind: str | None) -> Future:
    place = runs.run(answers).last.place

    def future(moves: Sequence[int]) -> Pages | None:
        typed = answers
        for move in moves:
            typed = (*typed, *labels[move])
            run = runs.run(typed)
            if run.ending is None and run.last.place != place and behind is not None:
                typed = (*typed, behind)
                run = runs.run(typed)
            if run.ending is not None or run.last.place != place:
                return None
        return pages(runs.session(typed))

    return future


def _opening(
    runs: Runs, answers: Answers, named: tuple[str, Labels], layout: MemoryLayout, given: Corrections
) -> Opening | None:
    """The opening, where the known game is found in memory as it was played."""
    name, labels = named
    runs.look(layout.look)
    dialogue = Dialogue(layout.rules, runs, layout, Picture(), labels, given)
    known = known_game(dialogue, answers)
    if known is None:
        runs.look(None)
        return None
    return Opening(answers, name, dialogue, *known)
