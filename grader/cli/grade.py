"""``grader grade``: every case of one submission, as records and reports."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import click

from grader.cli.languages import LANGUAGE
from grader.errors import EXIT_OK, EXIT_POINTS_LOST
from grader.results import Grade

_FILE = click.Path(dir_okay=False, path_type=Path)
_STANDARD_OUTPUT = Path("-")


def _reports(command: Callable[..., int]) -> Callable[..., int]:
    """The options that name a file for each form of report."""
    forms = {
        "--json": "the record of the grade",
        "--junit": "JUnit XML",
        "--html": "the page",
        "--gradescope": "Gradescope's results.json",
        "--classroom50": "Classroom 50's result.json",
        "--summary": "a Markdown summary, as GitHub Actions show it,",
    }
    for option, what in reversed(forms.items()):
        name = option.removeprefix("--") + "_file"
        command = click.option(option, name, type=_FILE, metavar="FILE", help=f"Write {what} here.")(command)
    return command


@click.command()
@click.argument("spec")
@click.argument("submission", type=click.Path(exists=True, path_type=Path))
@_reports
@click.option("--github", is_flag=True, help="Print annotations and notices for GitHub Actions.")
@click.option(
    "--for",
    "audience",
    type=click.Choice(("staff", "student")),
    default="staff",
    show_default=True,
    help="Write everything, or only what the student may see.",
)
@LANGUAGE
@click.option("--learned", type=_FILE, metavar="FILE", help="Correct by this file how the program was understood.")
@click.option("--unsafe", is_flag=True, help="Run the program even where it cannot be caged: with your own rights.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
@click.option("-v", "--verbose", is_flag=True, help="Print accepted cases too.")
def grade(  # noqa: PLR0913, PLR0917  (one for each option)
    spec: str,
    submission: Path,
    audience: str,
    language: str | None,
    github: bool,
    learned: Path | None,
    unsafe: bool,
    quiet: bool,
    verbose: bool,
    **files: Path | None,
) -> int:
    """Grade SUBMISSION by every case of SPEC.

    A FILE of - is standard output, in place of what is usually printed.

    Exit code 0: no judged point is lost, or with --classroom50 whatever is lost; 1: points are lost; 2: wrong usage, or
    nothing can be written there; 3: the spec is wrong; 4: the grader failed; 5: no point could be judged automatically.
    """
    from grader.cli.submissions import Stopwatch, exit_code, graded, load, seen_again, with_input_files
    from grader.cli.terminal import rendered, show
    from grader.languages import ENGLISH
    from grader.languages import language as known
    from grader.report.translation import translated
    from grader.results import for_student
    from grader.spec.corrections import NONE, load_corrections

    corrections = load_corrections(learned) if learned else NONE
    assignment = load(spec)
    watch = Stopwatch()
    judged = graded(assignment, submission, unsafe=unsafe, corrections=corrections, watch=watch)
    judged = replace(judged, language=language or judged.language)
    whole = seen_again(judged, assignment, spec, submission)
    shown = for_student(judged) if audience == "student" else whole
    for name, path in files.items():
        if path is not None and not (name == "classroom50_file" and (whole.has_judge_error or whole.nothing_judged)):
            _write(path, _text(name, shown, judged, audience, assignment.spec.rounding, watch.seconds))
    spoken = known(judged.language) if audience == "student" else ENGLISH
    said = translated(shown, spoken) if audience == "student" else shown
    silent = quiet or _STANDARD_OUTPUT in files.values()
    text = "" if silent else rendered(with_input_files(said), verbose=verbose, spoken=spoken)
    if github:
        from grader.report import github as actions

        text = (actions.fenced(text) if text else "") + actions.annotations(for_student(whole))
    show(text)
    code = exit_code(whole)
    # There any other code than 0 is a failure of ours, for which no result is left.
    return EXIT_OK if code == EXIT_POINTS_LOST and files["classroom50_file"] is not None else code


def _text(name: str, shown: Grade, whole: Grade, audience: str, grain: Fraction, seconds: Mapping[str, float]) -> str:
    """One report; what goes to a student's system is the student's projection, whatever the audience."""
    from grader.report import classroom50, gradescope, junit, page, record
    from grader.report import github as actions
    from grader.results import for_student

    render: dict[str, Callable[[], str]] = {
        "json_file": lambda: record.dump(shown),
        "junit_file": lambda: junit.render(shown.assignment, [shown], seconds),
        "html_file": lambda: page.student_page(shown, audience="staff" if audience == "staff" else "student"),
        "gradescope_file": lambda: gradescope.dump(for_student(whole)),
        "classroom50_file": lambda: classroom50.dump(
            whole, grain, os.environ, f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
        ),
        "summary_file": lambda: actions.summary(for_student(whole)),
    }
    return render[name]()


def _write(path: Path, text: str) -> None:
    from grader.cli.submissions import write

    if path == _STANDARD_OUTPUT:
        click.echo(text.encode("utf-8"), nl=False)
    else:
        write(path, text)
