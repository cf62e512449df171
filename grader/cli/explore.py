"""``grader explore``: how a program with its own wording is understood, for appeals and for authors of specs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import yaml

from grader.cli import options
from grader.cli.submissions import load, read_for, warn
from grader.cli.terminal import show
from grader.errors import EXIT_OK, EXIT_POINTS_LOST
from grader.games.learn.questions import Asked
from grader.grading import Explored, Grading
from grader.report import shown
from grader.spec.corrections import NONE, load_corrections
from grader.values import dataclass

_ANSWERS, _GOALS, _QUESTIONS = 8, 6, 40

IN_THE_WORDS = "It is read by the patterns of the spec: nothing of its words had to be learned."
NO_GAME = "No game could be played with it, so nothing of its words was learned."


@dataclass(frozen=True, slots=True)
class Options:
    """The arguments and options of `grader explore`."""

    program: Path = options.argument(type=options.PLACE)
    spec: str = options.option("--spec", "The spec whose game the program plays.", required=True)
    learned: Path | None = options.learned("Correct by this file how the program is understood.")
    unsafe: bool = options.unsafe("the program")


@options.command(Options)
def explore(asked: Options) -> int:
    """Say what was learned of PROGRAM by experiment, and print the map of its dialogue.

    The lines under a wording are what a file of corrections (`learned.yaml` beside the grades of a batch) may set otherwise.

    Exit code 0: the program can be followed; 1: it cannot, or does not build; 2: wrong usage; 3: the spec is wrong.
    """
    assignment = load(asked.spec)
    read = read_for(assignment, asked.program)
    corrections = load_corrections(asked.learned) if asked.learned else NONE
    with Grading(assignment, unsafe=asked.unsafe, hidden=(asked.program.parent,), corrections=corrections) as grading:
        warn(grading.unkept)
        explored = grading.explored(read)
    show("\n".join(_lines(explored, IN_THE_WORDS if assignment.spec.game is None else NO_GAME)) + "\n")
    return EXIT_OK if explored.study and not explored.study.obstacle else EXIT_POINTS_LOST


def _lines(explored: Explored, unlearned: str) -> Iterator[str]:
    """The lines of the output. ``unlearned`` is printed if nothing was learned and no obstacle is known."""
    yield from (shown.plain(message) for message in explored.diagnostics)
    if explored.study is None:
        yield "There is no program to explore."
        return
    if explored.study.obstacle:
        yield f"It cannot be followed: {shown.line(explored.study.obstacle)}"
    learned = explored.study.learned
    if not learned.lessons and not explored.study.obstacle:
        yield unlearned
        yield ""
    elif learned.lessons:
        yield "How the program is understood"
        for lesson in learned.lessons:
            yield f"  {shown.line(lesson.sentence)}{' (corrected)' if lesson.corrected else ''}"
            if lesson.quote:
                yield f"      “{shown.line(lesson.quote)}”"
        yield ""
        values = {shown.line(lesson.key): shown.line(lesson.value) for lesson in learned.lessons if lesson.key}
        yield yaml.safe_dump({learned.wording: values}, allow_unicode=True, sort_keys=False)
    yield from _map(explored.dialogue)


def _map(questions: tuple[Asked, ...]) -> Iterator[str]:
    names = {asked.line: str(number) for number, asked in enumerate(questions, start=1)}
    yield "The map of its dialogue: each question, and where answers led"
    for asked in questions[:_QUESTIONS]:
        yield f"  {names[asked.line]}. “{shown.line(asked.line)}”, {asked.times} times"
        for goal, answers in asked.answers[:_GOALS]:
            more = f", … ({len(answers)} in all)" if len(answers) > _ANSWERS else ""
            listed = ", ".join(shown.key(answer) or "Enter" for answer in answers[:_ANSWERS])
            yield f"       {listed}{more} → {names.get(goal, shown.line(goal))}"
    if len(questions) > _QUESTIONS:
        yield f"  … and {len(questions) - _QUESTIONS} more questions"
