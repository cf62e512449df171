"""``grader check``: a student tries a program before handing it in."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from grader.cli import options
from grader.errors import UsageError
from grader.values import dataclass

if TYPE_CHECKING:
    from grader.languages import Language
    from grader.spec.loader import Assignment

Stamps = Mapping[Path, tuple[int, int]]

_GLANCE = 0.3  # seconds between two looks at whether a file was saved


@dataclass(frozen=True, slots=True)
class Options:
    """What `grader check` is asked for."""

    spec: str = options.argument()
    submission: Path = options.argument(type=options.PLACE)
    whole: bool = options.flag("-a --all", "Tell of every case that failed, not only what to fix first.")
    watch: bool = options.flag("-w --watch", "Check again whenever the program is saved, until Ctrl-C.")
    language: str | None = options.language()
    quiet: bool = options.quiet("Print nothing: the exit code says it.")
    verbose: bool = options.flag("-v --verbose", "Print all, accepted cases too.")


@options.command(Options)
def check(asked: Options) -> int:
    """Run the visible cases of SPEC on SUBMISSION, and say what to fix first and how to see it again.

    Exit code 0: nothing to fix; 1: something to fix; 3: the spec is wrong; 4: the grader failed; 5: no point could be judged
    automatically. With --watch: 130, by Ctrl-C.
    """
    from grader.cli.submissions import load
    from grader.languages import language as known

    assignment = load(asked.spec)
    spoken = known(asked.language or assignment.spec.language)
    if not asked.watch:
        return _checked(asked, assignment, spoken)
    submission = asked.submission
    for again in saves(lambda: _stamps(submission), lambda: time.sleep(_GLANCE)):
        if again:
            click.echo(f"\n{time.strftime('%H:%M:%S')}  {submission.name} was saved")
        try:
            _checked(asked, assignment, spoken)
        except UsageError as error:  # half an archive, or a file that is gone: the next time it may be read
            click.echo(f"grader: {error}", err=True)
        click.echo(f"grader: {submission} is checked again whenever it is saved; Ctrl-C ends this", err=True)
    raise AssertionError("a program is watched until Ctrl-C")


def _checked(asked: Options, assignment: Assignment, spoken: Language) -> int:
    """Try the program once, say what came of it, and return the exit code."""
    from grader.cli.submissions import exit_code, seen_again, tried, with_input_files
    from grader.cli.terminal import look, show
    from grader.report import console
    from grader.report.document import ahead
    from grader.report.translation import translated
    from grader.results import for_student

    grade = for_student(tried(assignment, asked.submission, spoken))
    grade = seen_again(grade, assignment, asked.spec, asked.submission)
    if not asked.quiet:
        seen, later = ahead(translated(with_input_files(grade), spoken), assignment.spec)
        if asked.whole or asked.verbose:
            show(console.render(seen, look(spoken, later), verbose=asked.verbose))
        else:
            more = f"grader check --all {quote(asked.spec)} {quote(str(asked.submission))}"
            show(console.brief(seen, look(spoken, later), more=more))
    return exit_code(grade)


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
        # Many editors save by removing the file and writing another.
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
        # It was removed between the two calls, as editors do.
        except OSError:
            continue
        stamps[path] = (found.st_mtime_ns, found.st_size)
    return stamps
