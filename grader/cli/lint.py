"""``grader lint``: every problem of a spec, with its place, its price list, and its proof by mutants."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import options
from grader.errors import EXIT_JUDGE, EXIT_OK, EXIT_POINTS_LOST, EXIT_SPEC, UsageError
from grader.source import Diagnostic, Severity
from grader.values import dataclass

if TYPE_CHECKING:
    from grader.spec.model import Spec


@dataclass(frozen=True, slots=True)
class Options:
    """The arguments and options of `grader lint`."""

    specs: tuple[str, ...] = options.argument(metavar="SPEC...", nargs=-1, required=True)
    prices: bool = options.flag("--prices", "List what each fixture of a SPEC without errors loses, the dearest first.")
    fixtures: Path | None = options.option(
        "--fixtures",
        "Folder of the fixtures for --prices, instead of fixtures/NAME beside the folder of the SPEC or in it, or fixtures beside it.",
        type=options.FOLDER_HERE,
    )
    prove: bool = options.flag(
        "--prove", "Prove one SPEC by mutants of the right programs that follow, or of its own ones."
    )
    mutants: int = options.option(
        "--mutants", "How many mutants --prove tries.", type=click.IntRange(min=1), default=200, show_default=True
    )
    output: Path | None = options.option(
        "-o --output",
        "The folder in which --prove keeps results and a page; a second call goes on from there.",
        type=options.FOLDER,
    )
    json_file: Path | None = options.option("--json", "Write the proof as JSON.", type=options.FILE)
    jobs: int | None = options.jobs("one a core if not said")
    unsafe: bool = options.unsafe()
    quiet: bool = options.quiet("Show no progress.")


@options.command(Options)
def lint(asked: Options) -> int:
    """Say everything that is wrong with each SPEC, as `file:line:column: message (hint)`.

    The reference is played too: it must take every input and print every transcript, and a program that plays no game must
    not earn points for it. The course's own files are compiled, and its tests collected. The last line names the command that grades the
    fixtures. Exit code 0: no errors; 3: errors.

    With --prove right programs are changed in one place each, and every change that shows in a game must cost points. A file
    SPEC.survivors.yaml beside the spec explains those that may survive. Exit code 1: one survives that it does not explain.
    """
    if asked.prove:
        return _proved(asked)
    from grader.bundled import spec_path
    from grader.lint import examine, summary

    code = EXIT_OK
    for name in asked.specs:
        reading = examine(spec_path(name))
        for problem in reading.diagnostics:
            click.echo(_line(problem))
        click.echo(summary(reading))
        if reading.assignment is None:
            code = EXIT_SPEC
        elif asked.prices:
            from grader.lint.prices import fixtures_of, prices, table

            spec = reading.assignment.spec
            priced = prices(spec, asked.fixtures or fixtures_of(spec_path(name), spec))
            click.echo(f"\n{table(spec, priced)}", nl=False)
        else:
            click.echo(_fixtures(name, spec_path(name), reading.assignment.spec, asked.fixtures))
    return code


def _fixtures(name: str, path: Path, spec: Spec, folder: Path | None) -> str:
    """The command that grades the fixtures of a spec, or the advice to write some.

    A valid spec may still grade wrongly.
    """
    from grader.lint.prices import fixtures_of
    from grader.report.words import plural

    try:
        count = sum(1 for _ in (folder or fixtures_of(path, spec)).glob("*/*/submission"))
    except UsageError:
        count = 0
    if not count:
        return "no fixtures: programs with a declared grade show whether the spec is right"
    words = ["grader", "fixtures", name, *(["--folder", str(folder)] if folder else [])]
    return f"{plural(count, 'fixture')}: `{shlex.join(words)}` grades them"


def _proved(asked: Options) -> int:
    """Prove one spec by mutants, and return the exit code."""
    from grader.batch.computer import cores
    from grader.cli.submissions import load, write
    from grader.cli.terminal import progress
    from grader.mutants import proving, record, table

    (name, *programs), output = asked.specs, asked.output
    assignment = load(name)
    explanations = record.survivors_file(assignment.path)
    reasons = record.reasons_in(explanations)
    kept = record.Record(output / "results.jsonl", proving.key(assignment)) if output else None
    with progress(quiet=asked.quiet, verb="proved") as advance:
        results = proving.prove(
            assignment,
            [Path(program) for program in programs],
            asked.mutants,
            jobs=asked.jobs or cores(),
            record=kept,
            unsafe=asked.unsafe,
            progress=advance,
        )
    figures = table.Figures(assignment.spec, results, reasons)
    click.echo(table.text(figures), nl=False)
    if asked.json_file:
        write(asked.json_file, record.document(assignment.spec.assignment, results))
    if output:
        write(output / "index.html", table.page(figures))
        click.echo(f"The page: {output / 'index.html'}", err=True)
    if not asked.quiet:
        took = f"Our own computing took {figures.seconds:.0f} s"
        click.echo(f"{took}; compilers and programs in the sandbox are not in it.", err=True)
    for outdated in record.outdated(results, reasons):
        click.echo(f"grader: {explanations}: this mutant does not survive: {outdated}", err=True)
    # A mutant with a judge error is neither charged nor a survivor.
    if figures.number(record.Outcome.JUDGE_ERROR):
        return EXIT_JUDGE
    missing = record.unexplained(results, reasons)
    if missing:
        counted = "1 mutant is" if len(missing) == 1 else f"{len(missing)} mutants are"
        hint = (
            "add cases that find them, or explain them in that file: a sentence, and below it the names of the mutants"
        )
        click.echo(f"grader: {counted} neither charged nor explained in {explanations} ({hint})", err=True)
    return EXIT_POINTS_LOST if missing else EXIT_OK


def _line(problem: Diagnostic) -> str:
    """A problem in one line; a warning says that it is one."""
    # An error is the usual case, and editors read `file:line:column: message`.
    if problem.severity is Severity.ERROR or problem.span is None:
        return problem.one_line()
    return replace(problem, message=f"{problem.severity}: {problem.message}").one_line()
