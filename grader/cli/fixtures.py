"""``grader fixtures``: whether the programs of a spec get the grades that they must get."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("spec")
@click.argument("names", nargs=-1)
@click.option("--accept", is_flag=True, help="Let each declare what it gets: review that before you keep it.")
@click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Where they are; the folder fixtures beside SPEC if not said.",
)
def fixtures(spec: str, names: tuple[str, ...], *, accept: bool, folder: Path | None) -> int:
    """Grade the programs in fixtures/VERDICT/NAME/submission, and compare each grade with its expected.yaml.

    NAMES are parts of their names; all if not said. Exit code 0: all get what they declare; 1: one does not.
    """
    from grader.authoring.fixtures import try_fixtures
    from grader.cli.submissions import load
    from grader.errors import EXIT_OK, EXIT_POINTS_LOST
    from grader.lint.prices import fixtures_of

    assignment = load(spec)
    code = EXIT_OK
    for tried in try_fixtures(
        assignment, folder or fixtures_of(assignment.path, assignment.spec), names, accept=accept
    ):
        said = "written" if accept else "differs" if tried.differs else "as declared"
        click.echo(f"{tried.name:<44} {tried.score:>12}  {said}")
        for line in tried.differs:
            click.echo(f"    {line}")
            code = EXIT_POINTS_LOST
    return code
