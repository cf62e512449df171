"""``grader check``: a student tries a program before handing it in."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("spec")
@click.argument("submission", type=click.Path(exists=True, path_type=Path))
@click.option("-q", "--quiet", is_flag=True, help="Print nothing: the exit code says it.")
@click.option("-v", "--verbose", is_flag=True, help="Print accepted cases too.")
def check(spec: str, submission: Path, quiet: bool, verbose: bool) -> int:
    """Run the visible cases of SPEC on SUBMISSION, and say what to fix first and how to see it again.

    Exit code 0: nothing to fix; 1: something to fix; 3: the spec is wrong; 4: the grader failed.
    """
    from grader.cli.submissions import exit_code, load, seen_again, tried
    from grader.cli.terminal import rendered, show
    from grader.results import for_student

    assignment = load(spec)
    grade = seen_again(for_student(tried(assignment, submission)), assignment, spec, submission)
    if not quiet:
        show(rendered(grade, verbose=verbose))
    return exit_code(grade)
