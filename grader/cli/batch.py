"""Commands on a whole download: ``grader batch``, ``merge``, ``regrade``, ``compare`` and ``similar``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from grader.batch.comparing import Change, changes, grades_in, summed_up
from grader.batch.identified import matched, roster_of
from grader.batch.merging import merge_batches
from grader.batch.opening import last_call, planned_for
from grader.batch.runner import regrade as regraded
from grader.batch.runner import run_batch
from grader.batch.similar import FILE_NAME, pairs_page, similar_in
from grader.batch.summary import Summary
from grader.batch.values import Call
from grader.bundled import spec_path
from grader.cli import options
from grader.cli.submissions import write
from grader.cli.terminal import progress
from grader.errors import EXIT_OK, EXIT_POINTS_LOST
from grader.intake.plan import outline
from grader.spec.loader import load_assignment
from grader.values import dataclass

_MOST_TOLD = 20  # lines on what is not sure


def _shard(_context: object, _option: object, value: str | None) -> tuple[int, int] | None:
    """``2/8`` as two numbers."""
    if value is None:
        return None
    number, _, of = value.partition("/")
    if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
        raise click.BadParameter("is written I/N, such as 2/8, with I from 1 to N", param_hint="'--shard'")
    return int(number), int(of)


@dataclass(frozen=True, slots=True)
class Options:
    """The arguments and options of `grader batch`."""

    spec: str = options.argument()
    source: tuple[Path, ...] = options.argument(nargs=-1, required=True, type=options.PLACE)
    out: Path | None = options.option("-o --output", "The folder to write.", type=options.FOLDER)
    roster: Path | None = options.roster(
        "List of those who should have handed in: a CSV or XLSX file, or the gradebook that the platform gives out."
    )
    shard: tuple[int, int] | None = options.option(
        "--shard",
        "Grade the I-th of N parts, here of several machines; `grader merge` puts them together.",
        callback=_shard,
        metavar="I/N",
    )
    executor: str | None = options.option(
        "--executor", "Executor that grades, in place of processes of this machine.", type=click.Choice(["dask"])
    )
    scheduler: str = options.text("--scheduler", "Address of the executor, such as tcp://host:8786.", metavar="ADDRESS")
    plan: bool = options.flag("--plan", "Show how SOURCE is understood; grade nothing and write nothing.")
    jobs: int | None = options.jobs("if not said one a core, as far as memory allows")
    fresh: bool = options.flag("--fresh", "Grade everything again instead of going on where a batch was left.")
    unsafe: bool = options.unsafe()
    quiet: bool = options.quiet("Print nothing but errors and the last line.")


@options.command(Options)
def batch(asked: Options) -> int:
    """Grade every submission in SOURCE (an LMS download, a folder of archives or folders) into a folder.

    The folder receives grades.csv, grades.json, junit.xml, index.html, students/, marks.csv and grades.db. A second call goes on
    where the first was left, and grades only what is new or changed. Exit code 0: all are graded; 2: no program was found in any;
    4: the grader failed on some; scores never change it.
    """
    if bool(asked.executor) != bool(asked.scheduler):
        raise click.UsageError("'--executor' and '--scheduler' belong together: --executor dask --scheduler ADDRESS.")
    if asked.plan:
        return _show_plan(asked)
    if asked.out is None:
        raise click.UsageError("Missing option '-o' / '--output': the folder to write.")
    spec, source, shard = spec_path(asked.spec), asked.source, asked.shard
    call = Call(spec, source, asked.out, asked.roster, shard, asked.jobs, asked.fresh, asked.unsafe, asked.scheduler)
    try:
        with progress(quiet=asked.quiet) as advance:
            summary = run_batch(replace(call, progress=advance, warn=loud))
    except KeyboardInterrupt:
        click.echo("grader: interrupted; finished grades are kept, and the same command continues", err=True)
        raise
    tell(summary)
    return summary.exit_code


def tell(summary: Summary) -> None:
    """Print the result of a batch, doubts about it, and the place of its report."""
    click.echo(summary.sentence())
    for doubt in summary.doubts[:_MOST_TOLD]:
        loud(f"not sure: {doubt}")
    if len(summary.doubts) > _MOST_TOLD:
        loud(f"… and {len(summary.doubts) - _MOST_TOLD} more that are not sure; `--plan` lists all")
    for concern in summary.conditions.concerns:
        loud(concern.text)
    click.echo(f"The report: {summary.folder / 'index.html'}")


def _show_plan(asked: Options) -> int:
    planned = planned_for(load_assignment(spec_path(asked.spec)), asked.source)
    click.echo(outline(planned))
    people, _ = roster_of(asked.roster, None)
    if people:
        click.echo(matched(planned, people).outline())
    return EXIT_OK


def loud(message: str) -> None:
    """Print a warning onto standard error, in red where there is colour."""
    click.secho(
        f"grader: {message}", err=True, fg="red", bold=True, color=False if os.environ.get("NO_COLOR") else None
    )


@dataclass(frozen=True, slots=True)
class MergeOptions:
    """The arguments and options of `grader merge`."""

    folders: tuple[Path, ...] = options.argument(nargs=-1, required=True, metavar="DIR...", type=options.FOLDER_HERE)
    out: Path = options.option("-o --output", "The folder to write.", required=True, type=options.FOLDER)
    spec: Path | None = options.another_spec("The spec, where it does not lie here as it did for the first shard.")
    roster: Path | None = options.roster("List of those who should have handed in, as for `grader batch`.")
    jobs: int | None = options.jobs("one a core")
    drop_marks: bool = options.drop_marks()


@options.command(MergeOptions)
def merge(asked: MergeOptions) -> int:
    """Put the folders DIR that `grader batch … --shard I/N` wrote together, all N of them: nothing is run.

    Of each only its grades.db is needed, and marks.csv where staff have given marks in it: they are carried into that of the whole. The reports are those that one machine would have written.
    """
    call = Call(asked.spec, asked.folders, asked.out, asked.roster, jobs=asked.jobs, warn=loud)
    summary = merge_batches(call, drop_marks=asked.drop_marks)
    tell(summary)
    return summary.exit_code


@dataclass(frozen=True, slots=True)
class RegradeOptions:
    """The arguments and options of `grader regrade`."""

    folder: Path = options.batch_folder()
    spec: Path | None = options.another_spec()
    applied: bool = options.flag("--apply", "Write the reports as well; without it nothing is changed.")
    jobs: int | None = options.jobs("if not said one a core, as far as memory allows")
    unsafe: bool = options.unsafe()
    quiet: bool = options.quiet("Print no progress.")


@options.command(RegradeOptions)
def regrade(asked: RegradeOptions) -> int:
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
    """Print the changes, and return the exit code: 1 if a grade falls."""
    for change in differing:
        for line in change.lines():
            click.echo(line)
    click.echo(summed_up(differing))
    return EXIT_POINTS_LOST if any(change.fell for change in differing) else EXIT_OK


@dataclass(frozen=True, slots=True)
class SimilarOptions:
    """The arguments and options of `grader similar`."""

    folder: Path = options.batch_folder()
    given: tuple[Path, ...] = options.option(
        "--given",
        "A file that the course handed out: what it has in common with a program does not count. May be repeated.",
        multiple=True,
        type=options.FILE_HERE,
    )
    spec: Path | None = options.another_spec()


@options.command(SimilarOptions)
def similar(asked: SimilarOptions) -> None:
    """List pairs in DIR, the folder of a batch, that are more alike than chance, and write similar.html there.

    It is a list for a person, with both programs side by side, and never a verdict. No grade and no other report has anything of it.
    """
    assignment, pairs = similar_in(asked.folder, asked.given, asked.spec)
    for pair in pairs:
        click.echo(f"{100 * pair.alike:3.0f} %  {pair.first.submission}  {pair.second.submission}")
    if not pairs:
        click.echo("no two programs are more alike than by chance")
    write(asked.folder / FILE_NAME, pairs_page(assignment.title, pairs))
    click.echo(f"Side by side, for a person to judge: {asked.folder / FILE_NAME}")
