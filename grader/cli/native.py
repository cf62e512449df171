"""``grader run`` for programs in C, C++, Java and Python: built as a spec says, or as is usual, and caged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from grader.errors import EXIT_POINTS_LOST, UsageError
from grader.values import dataclass

if TYPE_CHECKING:
    from grader.sessions.session import Session, Setup
    from grader.spec.languages import Language
    from grader.spec.loader import Assignment
    from grader.spec.model import Spec
    from grader.submission import Submission


def is_native(files: tuple[Path, ...]) -> bool:
    """Whether the program is none of a simulated machine, as its name tells."""
    return _language(files[0]) is not None


def play_native(handed_in: HandedIn, play: Callable[[Session], int], setup: Setup, seed: int | None) -> int:
    """Build the program, say what the compiler says, and have it played; 1 where it does not build."""
    from grader.build.answer_key import answer_key
    from grader.build.native import build_native
    from grader.build.workshop import Workshop
    from grader.cli.program import say_built
    from grader.cli.submissions import warn
    from grader.results import Verdict

    assignment = handed_in.assignment
    hidden = (*(answer_key(assignment) if assignment else ()), *handed_in.hidden)
    with Workshop.opened(unsafe=True, hidden=hidden) as workshop:
        if not workshop.caged:
            warn("this machine cannot cage programs: this one runs with your own rights")
        warn(workshop.unkept)
        support = assignment.support if assignment else ()
        built = build_native(handed_in.spec, support, handed_in.submission, workshop)
        say_built(built)
        if built.verdict is not Verdict.ACCEPTED:
            return EXIT_POINTS_LOST
        if not built.programs:
            hint = "its functions are called by tests: `grader check` runs these"
            raise UsageError("this program is not started by itself", hint=hint)
        *_, program = built.programs.values()
        try:
            return play(program.start("", seed=seed, setup=setup))
        finally:
            built.close()


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What is to be run: a submission, the assignment that says how it is built, or the usual spec; what is ``hidden`` from it."""

    submission: Submission
    spec: Spec
    assignment: Assignment | None = None
    hidden: tuple[Path, ...] = ()

    @classmethod
    def named(cls, files: tuple[Path, ...], spec: str | None) -> HandedIn:
        """What was named on the command line."""
        from grader.cli.submissions import load

        assignment = load(spec) if spec else None
        described = assignment.spec if assignment else _usual(files)
        return cls(_submission(files, assignment), described, assignment, tuple(file.parent for file in files))

    @classmethod
    def in_batch(cls, folder: Path, wanted: str) -> HandedIn:
        """What a student handed in to a batch. Raises UsageError."""
        from grader.batch.opening import handed_in

        assignment, submission, hidden = handed_in(folder, wanted)
        return cls(submission, assignment.spec, assignment, hidden)


def _language(file: Path) -> Language | None:
    """The language that the name of a file tells; None for that of a simulated machine, or of nothing."""
    from grader.build.chosen import SUFFIXES

    return next((language for language, suffixes in SUFFIXES.items() if file.suffix.casefold() in suffixes), None)


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
    from grader.cli.program import read_bytes
    from grader.cli.submissions import read_for
    from grader.submission import Form, Submission, SubmittedFile

    if assignment and len(files) == 1:
        return read_for(assignment, files[0])
    read = tuple(SubmittedFile(file.name, read_bytes(file)) for file in files)
    return Submission("run", "run", read, form=Form.FILE if len(read) == 1 else Form.FOLDER)
