"""``grader grade``: every case of one submission, as records and reports."""

from __future__ import annotations

import os
from dataclasses import fields, replace
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import click

from grader.cli import options
from grader.errors import EXIT_OK, EXIT_POINTS_LOST
from grader.values import dataclass

_STANDARD_OUTPUT = Path("-")
_FORM = "form"


def _report(name: str, form: str, what: str) -> Any:
    """An option that names the file for a form of report, which a module of ``grader.report`` writes."""
    return options.option(name, f"Write {what} here.", {_FORM: form}, type=options.FILE, metavar="FILE")


@dataclass(frozen=True, slots=True)
class Options:
    """What `grader grade` is asked for."""

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


@options.command(Options)
def grade(asked: Options) -> int:
    """Grade SUBMISSION by every case of SPEC.

    A FILE of - is standard output, in place of what is usually printed.

    Exit code 0: no judged point is lost, or with --classroom50 whatever is lost; 1: points are lost; 2: wrong usage, or
    nothing can be written there; 3: the spec is wrong; 4: the grader failed; 5: no point could be judged automatically.
    """
    from grader.cli.submissions import Stopwatch, exit_code, graded, load, seen_again, with_input_files, write
    from grader.cli.terminal import look, show
    from grader.languages import ENGLISH
    from grader.languages import language as known
    from grader.report import console
    from grader.report.document import View
    from grader.report.translation import translated
    from grader.results import for_student
    from grader.spec.corrections import NONE, load_corrections

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
    forms = [(one.metadata[_FORM], getattr(asked, one.name)) for one in fields(Options) if _FORM in one.metadata]
    for form, path in forms:
        # what is judged by nobody would read as a zero there
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
        from grader.report import github

        text = (github.fenced(text) if text else "") + github.annotations(for_student(whole))
    show(text)
    code = exit_code(whole)
    # There any other code than 0 is a failure of ours, for which no result is left.
    return EXIT_OK if code == EXIT_POINTS_LOST and asked.classroom50 is not None else code
