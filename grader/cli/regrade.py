"""``grader regrade`` and ``grader compare``: whose grade changes, between now and a new spec or between two batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from grader.batch.comparing import Change, changes, grades_in, summed_up
from grader.batch.opening import last_call
from grader.batch.runner import regrade as regraded
from grader.batch.runner import run_batch
from grader.cli import options
from grader.cli.batch import loud
from grader.cli.terminal import progress
from grader.errors import EXIT_OK, EXIT_POINTS_LOST
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """What `grader regrade` is asked for."""

    folder: Path = options.batch_folder()
    spec: Path | None = options.another_spec()
    applied: bool = options.flag("--apply", "Write the reports as well; without it nothing is changed.")
    jobs: int | None = options.jobs("if not said one a core, as far as memory allows")
    unsafe: bool = options.unsafe()
    quiet: bool = options.quiet("Print no progress.")


@options.command(Options)
def regrade(asked: Options) -> int:
    """Show whose grade in DIR, the folder of a batch, would change, by how much, under which criterion and why.

    Only what a verdict depends on is run again. Exit code 0: no grade falls; 1: one does.
    """
    last = last_call(asked.folder)
    call = replace(last, spec=asked.spec or last.spec, jobs=asked.jobs, unsafe=asked.unsafe)
    with progress(quiet=asked.quiet) as advance:
        differing = regraded(replace(call, progress=advance, warn=loud))
    code = _told(differing)
    if asked.applied:
        click.echo(run_batch(call).sentence())
    elif differing:
        click.echo("Nothing is written yet: `--apply` does it")
    return code


@click.command()
@click.argument("before", metavar="DIR1")
@click.argument("after", metavar="DIR2")
def compare(before: str, after: str) -> int:
    """Show whose grade differs between two folders of batches, by how much, under which criterion and why.

    DIR@2 is a batch as it was after its second call. Exit code 0: no grade falls; 1: one does.
    """
    return _told(changes(grades_in(before), grades_in(after)))


def _told(differing: Sequence[Change]) -> int:
    """Say what changes, and return the exit code: 1 where a grade falls."""
    for change in differing:
        for line in change.lines():
            click.echo(line)
    click.echo(summed_up(differing))
    return EXIT_POINTS_LOST if any(change.fell for change in differing) else EXIT_OK
