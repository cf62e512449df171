"""``grader lint``: every problem of a spec, with its place."""

from __future__ import annotations

from dataclasses import replace

import click

from grader.source import Diagnostic, Severity


@click.command()
@click.argument("specs", metavar="SPEC...", nargs=-1, required=True)
def lint(specs: tuple[str, ...]) -> int:
    """Say everything that is wrong with each SPEC, as `file:line:column: message (hint)`.

    The reference is played too: it must take every input and print every transcript. Exit code 0: no errors; 3: errors.
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
        code = code if reading.assignment else EXIT_SPEC
    return code


def _line(problem: Diagnostic) -> str:
    """A problem in one line; what is no error says so."""
    if problem.severity is Severity.ERROR or problem.span is None:
        return problem.one_line()
    return replace(problem, message=f"{problem.severity}: {problem.message}").one_line()
