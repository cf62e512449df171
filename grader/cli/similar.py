"""``grader similar``: pairs of programs that are more alike than chance, for a person to look at."""

from __future__ import annotations

from pathlib import Path

import click

from grader.batch.similar import FILE_NAME, pairs_page, similar_in
from grader.cli import options
from grader.cli.submissions import write
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """What `grader similar` is asked for."""

    folder: Path = options.batch_folder()
    given: tuple[Path, ...] = options.option(
        "--given",
        "A file that the course handed out: what it has in common with a program does not count. May be repeated.",
        multiple=True,
        type=options.FILE_HERE,
    )
    spec: Path | None = options.another_spec()


@options.command(Options)
def similar(asked: Options) -> None:
    """List pairs in DIR, the folder of a batch, that are more alike than chance, and write similar.html there.

    It is a list for a person, with both programs side by side, and never a verdict. No grade and no other report has anything of it.
    """
    assignment, pairs = similar_in(asked.folder, asked.given, asked.spec)
    for pair in pairs:
        click.echo(f"{100 * pair.alike:3.0f} %  {pair.first.submission}  {pair.second.submission}")
    if not pairs:
        click.echo("no two programs are more alike than chance makes them")
    write(asked.folder / FILE_NAME, pairs_page(assignment.title, pairs))
    click.echo(f"Side by side, for a person to judge: {asked.folder / FILE_NAME}")
