"""Printing to a terminal: colour where there is one and nobody objects, width, progress."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from grader.results import Grade

if TYPE_CHECKING:
    from grader.batch.runner import Progress

PIPE_WIDTH = 100


def colour() -> bool:
    """Whether to print in colour: standard output is a terminal and NO_COLOR is not set."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def rendered(grade: Grade, *, verbose: bool) -> str:
    """A grade as text for standard output."""
    from grader.report import console

    return console.render(grade, width=_width(), colour=colour(), verbose=verbose)


def gist(grade: Grade, more: str) -> str:
    """The score and what to fix first, as text for standard output; ``more`` is the command that tells the rest."""
    from grader.report import console

    return console.brief(grade, width=_width(), colour=colour(), more=more)


def _width() -> int:
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else PIPE_WIDTH


def show(text: str) -> None:
    """Print what a renderer made, escapes for colour included."""
    click.echo(text, nl=False, color=True)


@contextmanager
def progress(*, quiet: bool) -> Iterator[Callable[[Progress], None]]:
    """A function that shows how far a batch is: a bar on a terminal, a line now and then elsewhere, on standard error."""
    if quiet:
        yield lambda _: None
    elif sys.stderr.isatty():
        with _bar() as shown:
            yield shown
    else:
        yield _line


@contextmanager
def _bar() -> Iterator[Callable[[Progress], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[last]}", markup=False),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, last="")
        yield lambda now: bar.update(task, total=now.total, completed=now.done, last=now.submission)


def _line(now: Progress) -> None:
    """A line at every tenth of the way."""
    step = max(1, now.total // 10)
    if now.submission and (now.done % step == 0 or now.done == now.total):
        click.echo(f"{now.done} of {now.total} graded", err=True)
