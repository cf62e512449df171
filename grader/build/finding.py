"""Which of the files that were handed in is the program, and what staff should know about the choice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from grader.results import Finding
from grader.submission import Form, Submission, SubmittedFile

_NAMED = 5  # of the files that a hint lists


def find_source(submission: Submission, wanted: str) -> tuple[SubmittedFile | None, tuple[str, ...]]:
    """The file to grade as ``wanted``, and what staff should know about the choice.

    A submission that is one file is that file, whatever its name. Else the case of the name is forgiven; identical files
    are one; of different ones the shallowest is taken. A program that is the only one may have another name.
    """
    if submission.form is Form.FILE and len(submission.files) == 1:
        return submission.files[0], ()
    exact = [f for f in submission.files if f.name == wanted]
    named = exact or [f for f in submission.files if f.name.casefold() == wanted.casefold()]
    if not named:
        return _only_one_like(wanted, submission)
    chosen = min(named, key=lambda f: (f.depth, f.path))
    review: list[str] = []
    if not exact:
        review.append(f"{chosen.path} was graded as {wanted}: the case of its name is another")
    others = [f.path for f in named if f.data != chosen.data]
    if others:
        review.append(f"{chosen.path} was graded; there is also {', '.join(sorted(others))}, with other contents")
    return chosen, tuple(review)


def _only_one_like(wanted: str, submission: Submission) -> tuple[SubmittedFile | None, tuple[str, ...]]:
    """The only program there is, under whatever name: staff decide what a wrong name costs."""
    suffix = PurePosixPath(wanted).suffix.casefold()
    alike = {f.data: f for f in submission.files if PurePosixPath(f.path).suffix.casefold() == suffix}
    if len(alike) != 1:
        return None, ()
    (file,) = alike.values()
    return file, (f"{file.path} was graded as {wanted}: no file has that name",)


def missing(submission: Submission, wanted: str) -> Finding:
    """The finding that a file is not there, with what may have happened to it."""
    suffix = PurePosixPath(wanted).suffix
    alike = sorted(f.path for f in submission.files if f.path.casefold().endswith(suffix))
    if any(PurePosixPath(folder).name == wanted for folder in submission.folders):
        hint = f"{wanted} is a folder here; hand in the file itself"
    elif alike:
        hint = f"there is {', '.join(alike[:_NAMED])}; rename your program to {wanted}"
    elif submission.problems:
        hint = "some members of the archive could not be read; pack it again"
    else:
        hint = f"{_handed_in(submission)}put {wanted} into what you hand in"
    return Finding("missing-file", f"{wanted} is missing", hint=hint)


def nothing(submission: Submission, patterns: Sequence[str]) -> Finding:
    """The finding that no file has a name that these patterns ask for."""
    hint = f"{_handed_in(submission)}put your source into what you hand in"
    return Finding("missing-file", f"there is no program: no file is called {', '.join(patterns)}", hint=hint)


def _handed_in(submission: Submission) -> str:
    """What there is instead, as the beginning of a hint."""
    names = sorted(f.path for f in submission.files)
    more = [f"{len(names) - _NAMED} more"] if len(names) > _NAMED else []
    return f"there is only {', '.join([*names[:_NAMED], *more])}; " if names else ""
