"""``grader lint``: every problem of a spec, with its place, and its price list."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.source import Diagnostic, Severity

if TYPE_CHECKING:
    from grader.spec.model import Spec


@click.command()
@click.argument("specs", metavar="SPEC...", nargs=-1, required=True)
@click.option(
    "--prices", is_flag=True, help="List what each fixture of a SPEC without errors loses, the dearest first."
)
@click.option(
    "--fixtures",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Where the fixtures for --prices are, instead of fixtures/NAME beside the folder of the SPEC or in it, or fixtures beside it.",
)
def lint(specs: tuple[str, ...], *, prices: bool, fixtures: Path | None) -> int:
    """Say everything that is wrong with each SPEC, as `file:line:column: message (hint)`.

    The reference is played too: it must take every input and print every transcript, and a program that plays no game must
    not earn points for it. The course's own files are compiled, and its tests collected. The last line names the command that grades the
    fixtures. Exit code 0: no errors; 3: errors.
    """
    from grader.bundled import spec_path
    from grader.errors import EXIT_OK, EXIT_SPEC
    from grader.lint import examine, summary

    code = EXIT_OK
    for name in specs:
        reading = examine(spec_path(name))
        for problem in reading.diagnostics:
            click.echo(_line(problem))
        click.echo(summary(reading))
        if reading.assignment is None:
            code = EXIT_SPEC
        elif prices:
            click.echo(f"\n{_prices(spec_path(name), reading.assignment.spec, fixtures)}", nl=False)
        else:
            click.echo(_fixtures(name, spec_path(name), reading.assignment.spec, fixtures))
    return code


def _fixtures(name: str, path: Path, spec: Spec, folder: Path | None) -> str:
    """The command that grades the fixtures of a spec, or that there are none: a spec without problems may still grade wrongly."""
    from grader.errors import UsageError
    from grader.lint.prices import fixtures_of
    from grader.report.words import plural

    try:
        count = sum(1 for _ in (folder or fixtures_of(path, spec)).glob("*/*/submission"))
    except UsageError:
        count = 0
    if not count:
        return "no fixtures: programs that must get a certain grade would show whether the spec gives it"
    words = ["grader", "fixtures", name, *(["--folder", str(folder)] if folder else [])]
    return f"{plural(count, 'fixture')}: `{shlex.join(words)}` grades them"


def _prices(path: Path, spec: Spec, fixtures: Path | None) -> str:
    from grader.lint.prices import fixtures_of, prices, table

    return table(spec, prices(spec, fixtures or fixtures_of(path, spec)))


def _line(problem: Diagnostic) -> str:
    """A problem in one line; what is no error says so."""
    if problem.severity is Severity.ERROR or problem.span is None:
        return problem.one_line()
    return replace(problem, message=f"{problem.severity}: {problem.message}").one_line()
