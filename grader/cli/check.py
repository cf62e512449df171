"""``grader check``: a student tries a program before handing it in."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from grader.cli.languages import LANGUAGE

if TYPE_CHECKING:
    from grader.languages import Language
    from grader.results import Grade
    from grader.spec.loader import Assignment

Stamps = Mapping[Path, tuple[int, int]]

_GLANCE = 0.3
"""Seconds between two looks at whether a file was saved."""


@click.command()
@click.argument("spec")
@click.argument("submission", type=click.Path(exists=True, path_type=Path))
@click.option("-a", "--all", "whole", is_flag=True, help="Tell of every case that failed, not only what to fix first.")
@click.option("-w", "--watch", is_flag=True, help="Check again whenever the program is saved, until Ctrl-C.")
@LANGUAGE
@click.option("-q", "--quiet", is_flag=True, help="Print nothing: the exit code says it.")
@click.option("-v", "--verbose", is_flag=True, help="Print all, accepted cases too.")
def check(
    spec: str, submission: Path, whole: bool, watch: bool, language: str | None, quiet: bool, verbose: bool
) -> int:
    """Run the visible cases of SPEC on SUBMISSION, and say what to fix first and how to see it again.

    Exit code 0: nothing to fix; 1: something to fix; 3: the spec is wrong; 4: the grader failed.
    """
    from grader.cli.submissions import exit_code, load
    from grader.cli.terminal import gist, rendered, show
    from grader.languages import language as known
    from grader.report.translation import translated

    assignment = load(spec)
    spoken = known(language or assignment.spec.language)
    more = "" if whole or verbose else f"grader check --all {quote(spec)} {quote(str(submission))}"
    while True:
        stamps = _stamps(submission)  # before it is read: what is saved while it is checked is checked again
        grade = _tried(assignment, spec, submission, spoken)
        if not quiet:
            said = translated(grade, spoken)
            show(gist(said, more, spoken) if more else rendered(said, verbose=verbose, spoken=spoken))
        if not watch:
            return exit_code(grade)
        _until_saved(submission, stamps)
        click.echo()


def _tried(assignment: Assignment, spec: str, submission: Path, spoken: Language) -> Grade:
    from grader.cli.submissions import seen_again, tried
    from grader.results import for_student

    return seen_again(for_student(tried(assignment, submission, spoken)), assignment, spec, submission)


def _until_saved(submission: Path, before: Stamps) -> None:
    """Wait until a file of the submission is another one; one that is gone for a moment is just being saved."""
    while _stamps(submission) in (before, {}):
        time.sleep(_GLANCE)


def _stamps(submission: Path) -> Stamps:
    """When each file was written, and its size."""
    stamps = {}
    for path in [*submission.rglob("*")] if submission.is_dir() else [submission]:
        try:
            found = path.stat()
        except OSError:
            continue
        stamps[path] = (found.st_mtime_ns, found.st_size)
    return stamps
