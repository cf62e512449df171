"""``grader export``: scores into the file that a learning platform gave out, and pages into an archive that it takes back."""

from __future__ import annotations

from pathlib import Path

import click

from grader.errors import EXIT_OK, EXIT_OPEN, UsageError

SYSTEMS = ("canvas", "moodle", "blackboard", "gradescope", "classroom50")


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--to", "system", default=None, type=click.Choice(SYSTEMS), help="Whose file it is.")
@click.option(
    "--into", default=None, type=click.Path(exists=True, dir_okay=False, path_type=Path), help="The file to fill."
)
@click.option(
    "-o",
    "--output",
    default=None,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write here, and leave the file alone.",
)
@click.option("--column", default="", help="The heading of the column of scores, where it cannot be told.")
@click.option("--partial", is_flag=True, help="Take grades that are not complete, too.")
@click.option(
    "--feedback",
    "archive",
    default=None,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the pages of students into an archive, for moodle and canvas.",
)
@click.option(
    "--xlsx",
    "book",
    default=None,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write grades.csv as a workbook, for whoever works with one.",
)
def export(  # noqa: PLR0913  (one for each option)
    *,
    folder: Path,
    system: str | None,
    into: Path | None,
    output: Path | None,
    column: str,
    partial: bool,
    archive: Path | None,
    book: Path | None,
) -> int:
    """Fill the scores of DIR, the folder of a batch, into the file that a platform gave out.

    One column is changed, and every other byte is kept. Rows and submissions that fit nobody are named.

    Exit code 0: each grade has its row, or its student is excused; 2: wrong usage; 5: grades were left out, and are named.
    """
    from grader.batch.comparing import grades_in
    from grader.batch.export import filled, read_file, write_file
    from grader.batch.feedback import feedback
    from grader.batch.gradebook import workbook_of
    from grader.batch.opening import refuse_outdated

    if into is None and archive is None and book is None:
        hint = "name a file with `--into`, an archive with `--feedback`, a workbook with `--xlsx`"
        raise UsageError("nothing to export into", hint=hint)
    if system is None and (into or archive):
        raise click.UsageError("Missing option '--to': whose file it is.")
    refuse_outdated(folder)
    if book is not None:
        write_file(book, workbook_of(folder))
        click.echo(f"Workbook: {book}")
    if system is None:
        return EXIT_OK
    grades, code = grades_in(str(folder)), EXIT_OK
    if into is not None:
        done = filled(read_file(into), str(into), system, grades, column=column, partial=partial)
        write_file(output or into, done.data)
        click.echo(f"{done.count} {'score' if done.count == 1 else 'scores'} written into {output or into}")
        for note in done.notes:
            click.echo(note)
        code = EXIT_OPEN if done.left_out else EXIT_OK
    if archive is not None:
        for note in feedback(system, grades, folder / "students", archive):
            click.echo(note)
        click.echo(f"Feedback: {archive}")
    return code
