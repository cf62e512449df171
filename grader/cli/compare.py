"""``grader compare``: the grades of two batches, or of two calls of one, side by side."""

from __future__ import annotations

import click

from grader.errors import EXIT_OK, EXIT_POINTS_LOST


@click.command()
@click.argument("before", metavar="DIR1")
@click.argument("after", metavar="DIR2")
def compare(before: str, after: str) -> int:
    """Show whose grade differs between two folders of batches, by how much, under which criterion and why.

    DIR@2 is a batch as it was after its second call. Exit code 0: no grade falls; 1: one does.
    """
    from grader.batch.comparing import changes, grades_in, summed_up

    found = changes(grades_in(before), grades_in(after))
    for change in found:
        for line in change.lines():
            click.echo(line)
    click.echo(summed_up(found))
    return EXIT_POINTS_LOST if any(change.fell for change in found) else EXIT_OK
