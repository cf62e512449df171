"""``grader run`` for programs in C, C++, Java and Python: built as a spec says, or as is usual, and caged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import click

from grader.errors import EXIT_POINTS_LOST, UsageError

if TYPE_CHECKING:
    from grader.sessions.session import Session
    from grader.spec.loader import Assignment
    from grader.spec.model import Language, Spec
    from grader.submission import Submission


def is_native(files: tuple[Path, ...], spec: str | None) -> bool:
    """Whether the program is none of a simulated machine. Raises UsageError where a spec is given for one that is."""
    if spec is None:
        return _language(files[0]) is not None
    if _assignment(spec).spec.program.simulated:
        raise UsageError(
            "a simulated program is run without a spec", hint="leave out --spec; --profile names the machine"
        )
    return True


def play_native(files: tuple[Path, ...], spec: str | None, play: Callable[[Session], int]) -> int:
    """Build the program, say what the compiler says, and have it played; 1 where it does not build."""
    from grader.build.answer_key import answer_key
    from grader.build.native import build_native
    from grader.build.workshop import Workshop
    from grader.cli.submissions import warn
    from grader.results import Verdict

    assignment = _assignment(spec) if spec else None
    described = assignment.spec if assignment else _usual(files)
    hidden = (*(answer_key(assignment) if assignment else ()), *(file.parent for file in files))
    with Workshop.opened(unsafe=True, hidden=hidden) as workshop:
        if not workshop.caged:
            warn("this machine cannot cage programs: this one runs with your own rights")
        warn(workshop.unkept)
        support = assignment.support if assignment else ()
        built = build_native(described, support, _submission(files, assignment), workshop)
        for said in built.diagnostics or [finding.message for finding in built.findings]:
            click.echo(said, err=True)
        if built.verdict is not Verdict.ACCEPTED:
            return EXIT_POINTS_LOST
        *_, program = built.programs.values()
        try:
            return play(program.start(""))
        finally:
            built.close()


def _language(file: Path) -> Language | None:
    """The language that the name of a file tells; None for that of a simulated machine, or of nothing."""
    from grader.build.chosen import SUFFIXES

    return next((language for language, suffixes in SUFFIXES.items() if file.suffix.casefold() in suffixes), None)


def _assignment(spec: str) -> Assignment:
    from grader.cli.submissions import load

    return load(spec)


def _usual(files: tuple[Path, ...]) -> Spec:
    """A spec that says of the program no more than its language and files, with generous limits."""
    from grader.spec.model import Case, Criterion, Limits, Program, Spec

    return Spec(
        assignment="run",
        title="Run",
        program=Program.model_validate(
            {"language": _language(files[0]), "sources": [PurePath(file).name for file in files]}
        ),
        limits=Limits(cpu=3600.0, wall=3600.0, output=1 << 30, memory=2 << 30, processes=200),
        rubric=(Criterion.model_validate({"id": "run", "title": "Run", "points": 1}),),
        cases=(Case.model_validate({"id": "run", "title": "Run", "source": {"builds": True}}),),
    )


def _submission(files: tuple[Path, ...], assignment: Assignment | None) -> Submission:
    """What a spec is to find its sources in: the one thing that was named, or the files side by side."""
    from grader.intake.source import read_submission
    from grader.submission import Form, Submission, SubmittedFile

    if assignment and len(files) == 1:
        return read_submission(files[0], assignment.spec.submission.student_id)
    try:
        read = tuple(SubmittedFile(file.name, file.read_bytes()) for file in files)
    except OSError as error:
        raise UsageError(f"cannot read it: {error.strerror}", place=str(error.filename)) from error
    return Submission("run", "run", read, form=Form.FILE if len(read) == 1 else Form.FOLDER)
