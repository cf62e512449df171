"""``grader lint``: every problem of a spec, with its place, its price list, and its proof by mutants."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.source import Diagnostic, Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

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
@click.option(
    "--prove", is_flag=True, help="Prove one SPEC by mutants of the right programs that follow, or of its own ones."
)
@click.option(
    "--mutants", type=click.IntRange(min=1), default=200, show_default=True, help="How many mutants --prove tries."
)
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder in which --prove keeps results and a page; a second call goes on from there.",
)
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path), help="Write the proof as JSON.")
@click.option(
    "-j", "--jobs", type=click.IntRange(min=1), default=None, help="Worker processes; one a core if not said."
)
@click.option("--unsafe", is_flag=True, help="Run programs even where they cannot be caged: with your own rights.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def lint(  # noqa: PLR0913  (one for each option)
    specs: tuple[str, ...],
    *,
    prices: bool,
    fixtures: Path | None,
    prove: bool,
    mutants: int,
    output: Path | None,
    json_file: Path | None,
    jobs: int | None,
    unsafe: bool,
    quiet: bool,
) -> int:
    """Say everything that is wrong with each SPEC, as `file:line:column: message (hint)`.

    The reference is played too: it must take every input and print every transcript, and a program that plays no game must
    not earn points for it. The course's own files are compiled, and its tests collected. The last line names the command that grades the
    fixtures. Exit code 0: no errors; 3: errors.

    With --prove right programs are changed in one place each, and every change that shows in a game must cost points. A file
    SPEC.survivors.yaml beside the spec explains those that may survive. Exit code 1: one survives that it does not explain.
    """
    if prove:
        spec, *programs = specs
        return _proved(
            spec, [Path(name) for name in programs], mutants, output, json_file, jobs, unsafe=unsafe, quiet=quiet
        )
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


def _proved(  # noqa: PLR0913  (one for each option)
    name: str,
    programs: Sequence[Path],
    number: int,
    output: Path | None,
    json_file: Path | None,
    jobs: int | None,
    *,
    unsafe: bool,
    quiet: bool,
) -> int:
    from grader.batch.crew import cores
    from grader.cli.submissions import load, write
    from grader.cli.terminal import progress
    from grader.errors import EXIT_JUDGE, EXIT_OK, EXIT_POINTS_LOST
    from grader.mutants import proving, survivors, table
    from grader.mutants.record import Outcome, Record, document

    assignment = load(name)
    explanations = survivors.file_of(assignment.path)
    reasons = survivors.explained(explanations)
    record = Record(output / "results.jsonl", proving.key(assignment)) if output else None
    with progress(quiet=quiet, verb="proved") as advance:
        results = proving.prove(
            assignment, programs, number, jobs=jobs or cores(), record=record, unsafe=unsafe, progress=advance
        )
    figures = table.Figures(assignment.spec, results, reasons)
    click.echo(table.text(figures), nl=False)
    if json_file:
        write(json_file, document(assignment.spec.assignment, results))
    if output:
        write(output / "index.html", table.page(figures))
        click.echo(f"The page: {output / 'index.html'}", err=True)
    if not quiet:
        click.echo(
            f"Our own computing took {figures.seconds:.0f} s; compilers and caged programs are not in it.", err=True
        )
    for outdated in survivors.outdated(results, reasons):
        click.echo(f"grader: {explanations}: this mutant does not survive: {outdated}", err=True)
    if figures.number(Outcome.JUDGE_ERROR):
        return EXIT_JUDGE
    missing = survivors.unexplained(results, reasons)
    if missing:
        counted = "1 mutant is" if len(missing) == 1 else f"{len(missing)} mutants are"
        hint = "ask for more in the spec, or put their names below a sentence in that file"
        click.echo(f"grader: {counted} neither charged nor explained in {explanations} ({hint})", err=True)
    return EXIT_POINTS_LOST if missing else EXIT_OK


def _line(problem: Diagnostic) -> str:
    """A problem in one line; what is no error says so."""
    if problem.severity is Severity.ERROR or problem.span is None:
        return problem.one_line()
    return replace(problem, message=f"{problem.severity}: {problem.message}").one_line()
