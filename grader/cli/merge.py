"""``grader merge``: shards that several machines graded, as one batch."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.mark import DROP_MARKS

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command()
@click.argument("folders", nargs=-1, required=True, metavar="DIR...", type=_FOLDER)
@click.option(
    "-o",
    "--output",
    "out",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder to write.",
)
@click.option("--spec", default=None, help="The spec, where it does not lie here as it did for the first shard.")
@click.option(
    "--roster",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Who should have handed in, as for `grader batch`.",
)
@click.option("-j", "--jobs", type=click.IntRange(min=1), default=None, help="Worker processes; one a core.")
@click.option("--drop-marks", is_flag=True, help=DROP_MARKS)
def merge(
    folders: tuple[Path, ...], out: Path, spec: str | None, roster: Path | None, jobs: int | None, drop_marks: bool
) -> int:
    """Put the folders DIR that `grader batch … --shard I/N` wrote together, all N of them: nothing is run.

    Of each only its grades.db is needed, and marks.csv where staff have given marks in it: they are carried into that of the whole. The reports are those that one machine would have written.
    """
    from grader.batch.crew import cores
    from grader.batch.merging import merge_batches
    from grader.bundled import spec_path
    from grader.cli.batch import loud, tell

    summary = merge_batches(
        folders,
        out,
        spec_path=spec_path(spec) if spec else None,
        roster=roster,
        jobs=jobs or cores(),
        drop_marks=drop_marks,
        warn=lambda told: loud(f"grader: {told}"),
    )
    tell(summary)
    return summary.exit_code
