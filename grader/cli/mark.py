"""``grader mark``: what staff give by hand, from marks.csv or asked for on the terminal."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from grader.batch.computer import cores
from grader.batch.opening import Opened, opened_batch
from grader.batch.runner import write_again
from grader.batch.sheet import Line, complete_file, file_in, read_sheet, with_marks, write_sheet
from grader.cli import options
from grader.report.waiting import notes_on_points
from grader.report.words import score_line, sentence, why
from grader.results import CriterionResult, Grade
from grader.spec.values import read_fraction
from grader.values import dataclass

_QUIT = "q"


class _EnoughError(Exception):
    """Whoever answers has had enough for now."""


@dataclass(frozen=True, slots=True)
class Options:
    """What `grader mark` is asked for."""

    folder: Path = options.batch_folder()
    spec: Path | None = options.another_spec()
    ask: bool | None = options.option(
        "--ask/--no-ask", "Ask for what is open; if not said, where there is a terminal.", default=None
    )
    drop_marks: bool = options.drop_marks()


@options.command(Options)
def mark(asked: Options) -> None:
    """Read marks.csv (or marks.xlsx) in DIR, the folder of a batch, and write its reports again; ask for points that are open.

    Each answer is in marks.csv at once. An empty answer leaves points open, `q` ends the questions. Nothing is run.
    """
    folder = asked.folder
    if sys.stdin.isatty() if asked.ask is None else asked.ask:
        with opened_batch(folder, asked.spec, drop_marks=asked.drop_marks) as opened:
            _ask(opened)
    done = write_again(folder, asked.spec, jobs=cores(), drop_marks=asked.drop_marks)
    for told in done.marking.ignored:
        click.echo(told)
    count = len(done.marking.marks)
    click.echo(f"{count} {'submission has' if count == 1 else 'submissions have'} marks in {file_in(folder)}")
    click.echo(f"The report: {folder / 'index.html'}")


def _ask(opened: Opened) -> None:
    """Ask for the open points of one submission after another."""
    path = file_in(opened.out)
    most = {criterion.id: criterion.points for criterion in opened.assignment.spec.rubric}
    for final in opened.finals():
        grade = final.grade
        wanted = [criterion for criterion in grade.criteria if criterion.open]
        if not wanted:
            continue
        line = Line(grade.submission, grade.student, grade.student_id)
        # The row is there before the first answer, so that an answer is kept although the next question is never
        # answered.
        complete_file(path, [line], [one.id for one in wanted], list(most))
        click.echo(f"\n{grade.submission} {grade.student}: {score_line(grade)}")
        shown_below = notes_on_points(grade.criteria, grade.cases)
        for note in grade.review:
            if note not in shown_below:
                click.echo(f"  look at: {note}")
        try:
            for criterion in wanted:
                cells = _answer(grade, criterion, float(most[criterion.id]))
                if cells:
                    write_sheet(path, with_marks(read_sheet(path), {grade.submission: cells}))
        except _EnoughError:
            return


def _answer(grade: Grade, criterion: CriterionResult, most: float) -> dict[str, str]:
    """The cells that an answer fills in; none where it leaves the points open."""
    earned = f", {criterion.points:g} of them earned" if criterion.points is not None else ""
    click.echo(f"  {criterion.title} ({criterion.id}), {most:g} points{earned}. {sentence(why(criterion))}.")
    for case in grade.cases:
        if case.criterion == criterion.id and not case.met:
            click.echo(f"    {case.title}: {case.findings[0].message if case.findings else case.verdict}")
    while True:
        typed = _asked(f"    points, 0 to {most:g}")
        if not typed:
            return {}
        try:
            points = read_fraction(typed.replace(",", "."))
        except ValueError:
            click.echo("    that is no number of points, such as 7 or 7.5")
            continue
        if points <= most:
            return {criterion.id: typed, f"{criterion.id} comment": _asked("    comment")}
        click.echo(f"    it is worth {most:g} at most")


def _asked(what: str) -> str:
    """An answer in one line. Raises _EnoughError where there are to be no more questions."""
    try:
        typed = str(click.prompt(what, default="", show_default=False)).strip()
    except click.Abort as ended:
        raise _EnoughError from ended
    if typed == _QUIT:
        raise _EnoughError
    return typed
