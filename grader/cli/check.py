"""``grader check`` and ``grader grade``: one program, for its author and for staff."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from shlex import quote
from typing import Any, Literal

import click

from grader.cli import options
from grader.cli.submissions import Stopwatch, exit_code, graded, load, seen_again, tried, with_input_files, write
from grader.cli.terminal import look, show
from grader.errors import EXIT_OK, EXIT_POINTS_LOST, UsageError
from grader.languages import ENGLISH, Language
from grader.languages import language as known
from grader.report import console, github
from grader.report.document import View, ahead
from grader.report.translation import translated
from grader.results import for_student
from grader.spec.corrections import NONE, load_corrections
from grader.spec.loader import Assignment
from grader.values import dataclass

Stamps = Mapping[Path, tuple[int, int]]

_GLANCE = 0.3  # seconds between two looks at whether a file was saved


@dataclass(frozen=True, slots=True)
class Options:
    """The arguments and options of `grader check`."""

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
    """Try the program once, print the result, and return the exit code."""
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

    Between two looks is a ``pause``: an editor that is just saving may have removed the file, or written half of it. A
    file that is saved during a check is seen after it.
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
    """The time and size of each file."""
    stamps = {}
    for path in [*submission.rglob("*")] if submission.is_dir() else [submission]:
        try:
            status = path.stat()
        # It was removed between the two calls, as editors do.
        except OSError:
            continue
        stamps[path] = (status.st_mtime_ns, status.st_size)
    return stamps


_STANDARD_OUTPUT = Path("-")
_FORM = "form"


def _report(name: str, form: str, what: str) -> Any:
    """An option that names the file for a form of report, which a module of ``grader.report`` writes."""
    return options.option(name, f"Write {what} here.", {_FORM: form}, type=options.FILE, metavar="FILE")


@dataclass(frozen=True, slots=True)
class GradeOptions:
    """The arguments and options of `grader grade`."""

    spec: str = options.argument()
    submission: Path = options.argument(type=options.PLACE)
    json: Path | None = _report("--json", "record", "the record of the grade")
    junit: Path | None = _report("--junit", "junit", "JUnit XML")
    html: Path | None = _report("--html", "page", "the page")
    gradescope: Path | None = _report("--gradescope", "gradescope", "Gradescope's results.json")
    classroom50: Path | None = _report("--classroom50", "classroom50", "Classroom 50's result.json")
    summary: Path | None = _report("--summary", "github", "a Markdown summary, as GitHub Actions show it,")
    github: bool = options.flag("--github", "Print annotations and notices for GitHub Actions.")
    audience: Literal["staff", "student"] = options.option(
        "--for",
        "Write everything, or only what the student may see.",
        type=click.Choice(("staff", "student")),
        default="staff",
        show_default=True,
    )
    language: str | None = options.language()
    learned: Path | None = options.learned("Correct by this file how the program was understood.")
    unsafe: bool = options.unsafe("the program")
    quiet: bool = options.quiet("Print nothing but errors.")
    verbose: bool = options.flag("-v --verbose", "Print accepted cases too.")


@options.command(GradeOptions)
def grade(asked: GradeOptions) -> int:
    """Grade SUBMISSION by every case of SPEC.

    A FILE of - is standard output, in place of what is usually printed.

    Exit code 0: no judged point is lost; 1: points are lost (0 with --classroom50). Else 2: wrong usage, or the file
    cannot be written; 3: the spec is wrong; 4: the grader failed; 5: no point could be judged automatically.
    """
    corrections = load_corrections(asked.learned) if asked.learned else NONE
    assignment = load(asked.spec)
    watch = Stopwatch()
    judged = graded(assignment, asked.submission, unsafe=asked.unsafe, corrections=corrections, watch=watch)
    judged = replace(judged, language=asked.language or judged.language)
    whole = seen_again(judged, assignment, asked.spec, asked.submission)
    for_students = asked.audience == "student"
    shown = for_student(judged) if for_students else whole
    now = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
    view = View(shown, judged, asked.audience, assignment.spec.rounding, watch.seconds, os.environ, now)
    forms = [(one.metadata[_FORM], getattr(asked, one.name)) for one in fields(GradeOptions) if _FORM in one.metadata]
    for form, path in forms:
        # a grade without a judged point would read as a zero there
        if path is None or (form == "classroom50" and (whole.has_judge_error or whole.nothing_judged)):
            continue
        document = import_module(f"grader.report.{form}").document(view)
        if path == _STANDARD_OUTPUT:
            click.echo(document.encode("utf-8"), nl=False)
        else:
            write(path, document)
    spoken = known(judged.language) if for_students else ENGLISH
    printed = translated(shown, spoken) if for_students else shown
    silent = asked.quiet or _STANDARD_OUTPUT in dict(forms).values()
    text = "" if silent else console.render(with_input_files(printed), look(spoken), verbose=asked.verbose)
    if asked.github:
        text = (github.fenced(text) if text else "") + github.annotations(for_student(whole))
    show(text)
    code = exit_code(whole)
    # Classroom 50 takes any code except 0 for a failure of the grader, and keeps no result.
    return EXIT_OK if code == EXIT_POINTS_LOST and asked.classroom50 is not None else code
