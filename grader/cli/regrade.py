"""``grader regrade``: who would change under the spec as it is now, before anything is changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from grader.cli import options
from grader.errors import EXIT_OK, EXIT_POINTS_LOST
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """What `grader regrade` is asked for."""

    folder: Path = options.batch_folder()
    spec: Path | None = options.another_spec()
    applied: bool = options.flag("--apply", help="Write the reports as well; without it nothing is changed.")
    jobs: int | None = options.jobs("if not said one a core, as far as memory allows")
    unsafe: bool = options.unsafe()
    quiet: bool = options.quiet("Print no progress.")


@options.command(Options)
def regrade(asked: Options) -> int:
    """Show whose grade in DIR, the folder of a batch, would change, by how much, under which criterion and why.

    Only what a verdict depends on is run again. Exit code 0: no grade falls; 1: one does.
    """
    from grader.batch.comparing import summed_up
    from grader.batch.opening import last_call
    from grader.batch.runner import regrade as regraded
    from grader.batch.runner import run_batch
    from grader.cli.batch import loud
    from grader.cli.terminal import progress

    last = last_call(asked.folder)
    call = replace(last, spec=asked.spec or last.spec, jobs=asked.jobs, unsafe=asked.unsafe)
    with progress(quiet=asked.quiet) as advance:
        found = regraded(replace(call, progress=advance, warn=loud))
    for change in found:
        for line in change.lines():
            click.echo(line)
    click.echo(summed_up(found))
    if asked.applied:
        click.echo(run_batch(call).sentence())
    elif found:
        click.echo("Nothing is written yet: `--apply` does it")
    return EXIT_POINTS_LOST if any(change.fell for change in found) else EXIT_OK
