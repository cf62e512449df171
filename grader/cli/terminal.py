"""Printing to a terminal: colour where there is one and nobody objects, width, progress."""

from __future__ import annotations

import os
import shutil
import sys

import click

from grader.results import Grade


def colour() -> bool:
    """Whether to print in colour: standard output is a terminal and NO_COLOR is not set."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def show(grade: Grade, *, verbose: bool) -> None:
    """Print a grade."""
    from grader.report import console

    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 100
    click.echo(console.render(grade, width=width, colour=colour(), verbose=verbose), nl=False, color=True)
