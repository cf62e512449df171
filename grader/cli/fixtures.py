"""``grader fixtures``: whether the programs of a spec get the grades that they must get."""

from __future__ import annotations

from pathlib import Path

import click

from grader.authoring.fixtures import try_fixtures
from grader.cli import options
from grader.cli.submissions import load
from grader.errors import EXIT_OK, EXIT_POINTS_LOST
from grader.lint.prices import fixtures_of
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """What `grader fixtures` is asked for."""

    spec: str = options.argument()
    names: tuple[str, ...] = options.argument(nargs=-1)
    accept: bool = options.flag("--accept", "Let each declare what it gets: review that before you keep it.")
    folder: Path | None = options.option(
        "--folder",
        "Where they are; the folder fixtures beside SPEC if not said.",
        type=options.FOLDER_HERE,
        metavar="DIR",
    )


@options.command(Options)
def fixtures(asked: Options) -> int:
    """Grade the programs in fixtures/VERDICT/NAME/submission, and compare each grade with its expected.yaml.

    NAMES are parts of their names; all if not said. Exit code 0: all get what they declare; 1: one does not.
    """
    assignment = load(asked.spec)
    code = EXIT_OK
    folder = asked.folder or fixtures_of(assignment.path, assignment.spec)
    for tried in try_fixtures(assignment, folder, asked.names, accept=asked.accept):
        said = "written" if asked.accept else "differs" if tried.differs else "as declared"
        click.echo(f"{tried.name:<44} {tried.score:>12}  {said}")
        for line in tried.differs:
            click.echo(f"    {line}")
            code = EXIT_POINTS_LOST
    return code
