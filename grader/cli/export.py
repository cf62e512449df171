"""``grader export``: scores into the file that a learning platform gave out, and pages into an archive that it takes back."""

from __future__ import annotations

from pathlib import Path

import click

from grader.batch.export import LAYOUTS, feedback, filled, workbook_of, write_file
from grader.batch.files import read
from grader.cli import options
from grader.errors import EXIT_OK, EXIT_OPEN, UsageError
from grader.report.words import plural
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """What `grader export` is asked for."""

    folder: Path = options.batch_folder()
    system: str | None = options.option("--to", "Whose file it is.", type=click.Choice(tuple(LAYOUTS)))
    into: Path | None = options.option("--into", "The file to fill.", type=options.FILE_HERE)
    output: Path | None = options.option("-o --output", "Write here, and leave the file alone.", type=options.FILE)
    column: str = options.text("--column", "The heading of the column of scores, where it cannot be told.")
    partial: bool = options.flag("--partial", "Take grades that are not complete, too.")
    archive: Path | None = options.option(
        "--feedback", "Write the pages of students into an archive, for moodle and canvas.", type=options.FILE
    )
    book: Path | None = options.option(
        "--xlsx", "Write grades.csv as a workbook, for whoever works with one.", type=options.FILE
    )


@options.command(Options)
def export(asked: Options) -> int:
    """Fill the scores of DIR, the folder of a batch, into the file that a platform gave out.

    One column is changed, and every other byte is kept. Rows and submissions that fit nobody are named.

    Exit code 0: each grade has its row, or its student is excused; 2: wrong usage; 5: grades were left out, and are named.
    """
    from grader.batch.comparing import grades_in
    from grader.batch.opening import refuse_outdated

    if asked.into is None and asked.archive is None and asked.book is None:
        hint = "name a file with `--into`, an archive with `--feedback`, a workbook with `--xlsx`"
        raise UsageError("nothing to export into", hint=hint)
    if asked.system is None and (asked.into or asked.archive):
        raise click.UsageError("Missing option '--to': whose file it is.")
    refuse_outdated(asked.folder)
    if asked.book is not None:
        write_file(asked.book, workbook_of(asked.folder))
        click.echo(f"Workbook: {asked.book}")
    if asked.system is None:
        return EXIT_OK
    grades, code = grades_in(str(asked.folder)), EXIT_OK
    if asked.into is not None:
        place, target = str(asked.into), asked.output or asked.into
        done = filled(read(asked.into), place, asked.system, grades, column=asked.column, partial=asked.partial)
        write_file(target, done.data)
        click.echo(f"{plural(done.count, 'score')} written into {target}")
        for note in done.notes:
            click.echo(note)
        code = EXIT_OPEN if done.left_out else EXIT_OK
    if asked.archive is not None:
        for note in feedback(asked.system, grades, asked.folder / "students", asked.archive):
            click.echo(note)
        click.echo(f"Feedback: {asked.archive}")
    return code
