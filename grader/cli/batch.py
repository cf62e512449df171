"""``grader batch``: a whole download, graded into a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from grader.batch.summary import Summary

_MOST_TOLD = 20  # lines on what is not sure


@click.command()
@click.argument("spec")
@click.argument("source", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "-o",
    "--output",
    "out",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder to write.",
)
@click.option(
    "--roster",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Who should have handed in: a CSV or XLSX file, or the gradebook that the platform gives out.",
)
@click.option(
    "--shard",
    callback=lambda _, __, value: _shard(value),
    metavar="I/N",
    help="Grade the I-th of N parts, here of several machines; `grader merge` puts them together.",
)
@click.option("--executor", type=click.Choice(["dask"]), help="Who grades, in place of processes of this machine.")
@click.option("--scheduler", default="", metavar="ADDRESS", help="Where the executor is, such as tcp://host:8786.")
@click.option("--plan", is_flag=True, help="Show how SOURCE is understood; grade nothing and write nothing.")
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    default=None,
    help="Worker processes; if not said one a core, as far as memory allows.",
)
@click.option("--fresh", is_flag=True, help="Grade everything again instead of going on where a batch was left.")
@click.option("--unsafe", is_flag=True, help="Run programs even where they cannot be caged: with your own rights.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors and the last line.")
def batch(  # noqa: PLR0913  (one for each option)
    *,
    spec: str,
    source: tuple[Path, ...],
    out: Path | None,
    roster: Path | None,
    shard: tuple[int, int] | None,
    executor: str | None,
    scheduler: str,
    plan: bool,
    jobs: int | None,
    fresh: bool,
    unsafe: bool,
    quiet: bool,
) -> int:
    """Grade every submission in SOURCE (an LMS download, a folder of archives or folders) into a folder.

    The folder receives grades.csv, grades.json, junit.xml, index.html, students/, marks.csv and grades.db. A second call goes on
    where the first was left, and grades only what is new or changed. Exit code 0: all are graded; 2: no program was found in any;
    4: the grader failed on some; scores never change it.
    """
    if bool(executor) != bool(scheduler):
        raise click.UsageError("'--executor' and '--scheduler' belong together: --executor dask --scheduler ADDRESS.")
    if plan:
        return _show_plan(spec, source, roster)
    if out is None:
        raise click.UsageError("Missing option '-o' / '--output': the folder to write.")
    from grader.batch.runner import run_batch
    from grader.bundled import spec_path
    from grader.cli.terminal import progress

    with progress(quiet=quiet) as advance, _kept():
        summary = run_batch(
            spec_path(spec),
            source,
            out,
            jobs=jobs,
            fresh=fresh,
            unsafe=unsafe,
            roster=roster,
            shard=shard,
            scheduler=scheduler,
            progress=advance,
            warn=lambda told: loud(f"grader: {told}"),
        )
    tell(summary)
    return summary.exit_code


def _shard(value: str | None) -> tuple[int, int] | None:
    """``2/8`` as two numbers."""
    if value is None:
        return None
    number, _, of = value.partition("/")
    if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
        raise click.BadParameter("is written I/N, such as 2/8, with I from 1 to N", param_hint="'--shard'")
    return int(number), int(of)


def tell(summary: Summary) -> None:
    """Say what a batch came to, what is not sure of it, and where its report is."""
    click.echo(summary.sentence())
    for told in summary.doubts[:_MOST_TOLD]:
        loud(f"grader: not sure: {told}")
    if len(summary.doubts) > _MOST_TOLD:
        loud(f"grader: … and {len(summary.doubts) - _MOST_TOLD} more that are not sure; `--plan` lists all")
    for concern in summary.conditions.concerns:
        loud(f"grader: {concern.text}")
    click.echo(f"The report: {summary.folder / 'index.html'}")


def _show_plan(spec: str, source: tuple[Path, ...], roster: Path | None) -> int:
    from grader.batch.folders import planned_for
    from grader.batch.rosters import matched, roster_of
    from grader.bundled import spec_path
    from grader.errors import EXIT_OK
    from grader.intake.outline import outline
    from grader.spec.loader import load_assignment

    planned = planned_for(load_assignment(spec_path(spec)), source)
    click.echo(outline(planned))
    people, _ = roster_of(roster, None)
    if people:
        click.echo(matched(planned, people).outline())
    return EXIT_OK


@contextmanager
def _kept() -> Iterator[None]:
    """Say what to do after Ctrl-C."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo("grader: interrupted; what is graded is kept, and the same command goes on from there", err=True)
        raise


def loud(told: str) -> None:
    """Onto standard error, in red where there is colour."""
    click.secho(told, err=True, fg="red", bold=True, color=False if os.environ.get("NO_COLOR") else None)
