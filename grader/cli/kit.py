"""``grader kit``: what a course gives to its students, so that they can check their programs themselves."""

from __future__ import annotations

from pathlib import Path

import click

_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command()
@click.argument("spec")
@click.option("-o", "--output", type=_FOLDER, metavar="DIR", help="The folder of the kit; ASSIGNMENT-kit if not said.")
@click.option(
    "--with-reference", is_flag=True, help="Give out the reference, too, where it is a program that could be handed in."
)
def kit(spec: str, output: Path | None, with_reference: bool) -> int:
    """Make a folder for the students of SPEC: the visible cases, how to install the grader and how to call it.

    Hidden cases are not in it: neither their titles nor what they type or expect. A folder that holds an earlier kit is written anew.
    """
    from grader.cli.submissions import load
    from grader.errors import EXIT_OK
    from grader.kit.folder import write_kit

    assignment = load(spec)
    folder = output or Path(f"{assignment.id}-kit")
    made = write_kit(assignment, folder, with_reference=with_reference)
    click.echo(told(folder, made.shown, made.left_out))
    return EXIT_OK


def told(folder: Path, shown: int, left_out: int) -> str:
    """One line on a kit: where it is, and what of the cases is in it."""
    hidden = f"; {left_out} that students may not see are left out" if left_out else ""
    return f"{folder}: {shown} case{'' if shown == 1 else 's'}{hidden}"
