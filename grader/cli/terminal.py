"""Printing to a terminal: colour where there is one and nobody objects, width, progress."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from grader.languages import ENGLISH, Language
from grader.report.document import NO_LATER, Later, Look

if TYPE_CHECKING:
    from grader.batch.values import Progress

PIPE_WIDTH = 100  # columns of a text for a file or a pipe


def look(spoken: Language = ENGLISH, later: Later = NO_LATER) -> Look:
    """How a report looks on standard output, in a language: coloured where it is a terminal and NO_COLOR is not set."""
    # A file or a pipe gets the same text whatever the window is that started it.
    is_terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if is_terminal else PIPE_WIDTH
    return Look(width, is_terminal and not os.environ.get("NO_COLOR"), spoken, later)


def show(text: str) -> None:
    """Print the text of a renderer, with its escapes for colour."""
    click.echo(text, nl=False, color=True)


@contextmanager
def progress(*, quiet: bool, verb: str = "graded") -> Iterator[Callable[[Progress], None]]:
    """A function that shows how far a batch is: a bar on a terminal, a line now and then elsewhere, on standard error.

    ``verb`` says in such a line what was done.
    """
    if quiet:
        yield lambda _: None
    elif sys.stderr.isatty():
        with _bar() as shown:
            yield shown
    else:
        yield _lines(verb)


@contextmanager
def _bar() -> Iterator[Callable[[Progress], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}", markup=False),
        TimeRemainingColumn(),
        TextColumn("{task.fields[last]}", markup=False),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        pace = Pace()
        task = bar.add_task("", total=None, last="", rate="")
        yield lambda now: bar.update(
            task, total=now.total, completed=now.done, last=now.submission, rate=pace.rate(now)
        )


class Pace:
    """The speed of a batch since this call of it began."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._before: int | None = None

    def rate(self, now: Progress) -> str:
        """``3.2 a second`` or ``12 a minute``; empty before anything is done in this call."""
        speed = self._speed(now)
        if speed <= 0:
            return ""
        return f"{speed:.1f} a second" if speed >= 1 else f"{speed * 60:.0f} a minute"

    def left(self, now: Progress) -> str:
        """``4 min left``; empty if it is not known, or nothing is."""
        speed = self._speed(now)
        seconds = (now.total - now.done) / speed if speed > 0 else 0.0
        if seconds < 1:
            return ""
        return f"{seconds:.0f} s left" if seconds < 100 else f"{seconds / 60:.0f} min left"

    def _speed(self, now: Progress) -> float:
        # Grades of an earlier call would make a resumed batch seem fast.
        if self._before is None:
            self._before, self._began = now.done, time.monotonic()
        passed = time.monotonic() - self._began
        return (now.done - self._before) / passed if passed > 0 else 0.0


def _lines(verb: str) -> Callable[[Progress], None]:
    """A line at every tenth of the way."""
    pace = Pace()

    def line(now: Progress) -> None:
        # A log of CI keeps every line.
        step = max(1, now.total // 10)
        progress = ", ".join(filter(None, (f"{now.done} of {now.total} {verb}", pace.rate(now), pace.left(now))))
        if now.submission and (now.done % step == 0 or now.done == now.total):
            click.echo(progress, err=True)

    return line
