"""Finding a file by its name, and what is said where there is none, or more than one program."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from grader.results import Finding
from grader.submission import Submission, SubmittedFile

_NAMED = 5  # of the files that a hint lists


def by_name(submission: Submission, wanted: str) -> list[SubmittedFile]:
    """The files of this name, the shallowest first. Where none has exactly this name, its case is forgiven."""
    exact = [f for f in submission.files if f.name == wanted]
    named = exact or [f for f in submission.files if f.name.casefold() == wanted.casefold()]
    return sorted(named, key=lambda f: (f.depth, f.path))


def several(files: Sequence[SubmittedFile]) -> Finding:
    """The finding that there are several programs: a person says which one counts, and nothing is lost until then."""
    names = [file.path for file in files]
    more = [f"{len(names) - _NAMED} more"] if len(names) > _NAMED else []
    said = f"there are several programs, and a person must say which one counts: {', '.join([*names[:_NAMED], *more])}"
    return Finding("several-programs", said, hint="hand in one program alone, with all files that belong to it")


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
    return Finding("missing-file", f"{wanted} is missing", hint=hint, subject=(wanted,))


def nothing(submission: Submission, patterns: Sequence[str]) -> Finding:
    """The finding that no file has a name that these patterns ask for."""
    if submission.problems:
        hint = "some members of the archive could not be read; pack it again"
    else:
        hint = f"{_handed_in(submission)}put your source into what you hand in"
    return Finding("missing-file", f"there is no program: no file is called {', '.join(patterns)}", hint=hint)


def _handed_in(submission: Submission) -> str:
    """What there is instead, as the beginning of a hint."""
    names = sorted(f.path for f in submission.files)
    more = [f"{len(names) - _NAMED} more"] if len(names) > _NAMED else []
    return f"there is only {', '.join([*names[:_NAMED], *more])}; " if names else ""
