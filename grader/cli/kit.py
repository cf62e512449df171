"""``grader kit``: what a course gives to its students, so that they can check their programs themselves."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import click

from grader.cli import options
from grader.values import dataclass

SERVE = "python3 -m http.server --directory {}"


@dataclass(frozen=True, slots=True)
class Options:
    """What `grader kit` is asked for."""

    spec: str = options.argument()
    output: Path | None = options.option(
        "-o --output", "The folder of the kit; ASSIGNMENT-kit if not said.", type=options.FOLDER, metavar="DIR"
    )
    with_reference: bool = options.flag(
        "--with-reference", "Give out the reference, too, where it is a program that could be handed in."
    )
    web: Path | None = options.option(
        "--web", "Make a page instead, for any web server: nothing is installed.", type=options.FOLDER, metavar="DIR"
    )


@options.command(Options)
def kit(asked: Options) -> None:
    """Make a folder for the students of SPEC: the visible cases, how to install the grader and how to call it.

    With --web the folder is a page that checks programs in LC-3 and MIPS assembly in the student's browser. What it is made of
    is downloaded once, and kept.

    Hidden cases are in neither: not their titles, nor what they type or expect. A folder with an earlier kit is written anew.
    """
    from grader.cli.submissions import load
    from grader.kit.folder import write_kit

    web = asked.web
    if web is not None and (asked.output is not None or asked.with_reference):
        raise click.UsageError("--web names the folder of the page; -o and --with-reference are for the command line")
    assignment = load(asked.spec)
    if web is not None:
        from grader.kit.web import write_page

        page = write_page(assignment, web)
        click.echo(told(web, page.shown, page.left_out))
        click.echo(f"Try it: {SERVE.format(quote(str(web)))}, then open http://localhost:8000")
        return
    folder = asked.output or Path(f"{assignment.id}-kit")
    made = write_kit(assignment, folder, with_reference=asked.with_reference)
    click.echo(told(folder, made.shown, made.left_out))


def told(folder: Path, shown: int, left_out: int) -> str:
    """One line on a kit: where it is, and what of the cases is in it."""
    from grader.report.words import plural

    hidden = f"; {left_out} that students may not see are left out" if left_out else ""
    return f"{folder}: {plural(shown, 'case')}{hidden}"
