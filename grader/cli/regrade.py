"""``grader regrade``: who would change under the spec as it is now, before anything is changed."""

from __future__ import annotations

from pathlib import Path

import click

from grader.errors import EXIT_OK, EXIT_POINTS_LOST


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--spec", default=None, help="Another spec than the one of the last call.")
@click.option("--apply", "applied", is_flag=True, help="Write the reports as well; without it nothing is changed.")
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    default=None,
    help="Worker processes; if not said one a core, as far as memory allows.",
)
@click.option("--unsafe", is_flag=True, help="Run programs even where they cannot be caged: with your own rights.")
@click.option("-q", "--quiet", is_flag=True, help="Print no progress.")
def regrade(folder: Path, spec: str | None, applied: bool, jobs: int | None, unsafe: bool, quiet: bool) -> int:
    """Show whose grade in DIR, the folder of a batch, would change, by how much, under which criterion and why.

    Only what a verdict depends on is run again. Exit code 0: no grade falls; 1: one does.
    """
    from grader.batch.comparing import summed_up
    from grader.batch.opening import last_call
    from grader.batch.runner import regrade as regraded
    from grader.batch.runner import run_batch
    from grader.bundled import spec_path
    from grader.cli.batch import loud
    from grader.cli.terminal import progress

    path = spec_path(spec) if spec else None
    with progress(quiet=quiet) as advance:
        found = regraded(
            folder, path, jobs=jobs, unsafe=unsafe, progress=advance, warn=lambda told: loud(f"grader: {told}")
        )
    for change in found:
        for line in change.lines():
            click.echo(line)
    click.echo(summed_up(found))
    if applied:
        last = last_call(folder)
        done = run_batch(
            path or last.spec,
            last.sources,
            folder,
            jobs=jobs,
            unsafe=unsafe,
            roster=last.roster,
            shard=last.shard,
        )
        click.echo(done.sentence())
    elif found:
        click.echo("Nothing is written yet: `--apply` does it")
    return EXIT_POINTS_LOST if any(change.fell for change in found) else EXIT_OK
