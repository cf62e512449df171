"""``grader check``: a student tries a program before handing it in."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from grader.cli.languages import LANGUAGE
from grader.errors import UsageError

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

    Exit code 0: nothing to fix; 1: something to fix; 3: the spec is wrong; 4: the grader failed; 5: no point could be judged
    automatically. With --watch: 130, by Ctrl-C.
    """
    from grader.cli.submissions import exit_code, load, with_input_files
    from grader.cli.terminal import gist, rendered, show
    from grader.languages import language as known
    from grader.report.ahead import ahead
    from grader.report.translation import translated

    assignment = load(spec)
    spoken = known(language or assignment.spec.language)
    more = "" if whole or verbose else f"grader check --all {quote(spec)} {quote(str(submission))}"

    def once() -> int:
        grade = _tried(assignment, spec, submission, spoken)
        if not quiet:
            known, later = ahead(translated(with_input_files(grade), spoken), assignment.spec)
            show(
                gist(known, more, spoken, later)
                if more
                else rendered(known, verbose=verbose, spoken=spoken, later=later)
            )
        return exit_code(grade)

    if not watch:
        return once()
    for again in saves(lambda: _stamps(submission), lambda: time.sleep(_GLANCE)):
        if again:
            click.echo(f"\n{time.strftime('%H:%M:%S')}  {submission.name} was saved")
        try:
            once()
        except UsageError as error:  # half an archive, or a file that is gone: the next time it may be read
            click.echo(f"grader: {error}", err=True)
        click.echo(f"grader: {submission} is checked again whenever it is saved; Ctrl-C ends this", err=True)
    raise AssertionError("a program is watched until Ctrl-C")


def _tried(assignment: Assignment, spec: str, submission: Path, spoken: Language) -> Grade:
    from grader.cli.submissions import seen_again, tried
    from grader.results import for_student

    return seen_again(for_student(tried(assignment, submission, spoken)), assignment, spec, submission)


def saves(look: Callable[[], Stamps], pause: Callable[[], None]) -> Iterator[bool]:
    """False at once, and then True whenever ``look`` sees other files than before, and the same twice in a row.

    Between two looks is a ``pause``: an editor that is just saving may have removed the file, or written half of it. What is saved while a program
    is checked is seen afterwards.
    """
    seen = look()
    yield False
    while True:
        pause()
        now = look()
        if now in (seen, {}):
            continue
        while True:
            pause()
            later = look()
            if later == now and later:
                break
            now = later
        seen = now
        yield True


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
