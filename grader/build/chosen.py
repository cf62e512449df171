"""Which of the files handed in make up a native program, and in which language it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from grader.build.finding import find_source, missing, nothing
from grader.results import Finding
from grader.spec.model import Language, Program
from grader.submission import Form, Submission, SubmittedFile

SUFFIXES: Mapping[Language, tuple[str, ...]] = {
    "c": (".c",),
    "cpp": (".cpp", ".cc", ".cxx", ".c++"),
    "java": (".java",),
    "python": (".py",),
}
"""How the names of sources end, by language."""

HEADERS = (".h", ".hh", ".hpp", ".hxx", ".h++")
"""How the names of files end that sources in C and C++ include."""

MAIN: Mapping[str, re.Pattern[bytes]] = {
    "c": re.compile(rb"\bmain\s*\("),
    "cpp": re.compile(rb"\bmain\s*\("),
    "java": re.compile(rb"\bvoid\s+main\s*\("),
    "python": re.compile(rb"(?m)^if\s+__name__\s*==|^main\s*\("),
}
"""What a file that starts a program holds, by language; a guess that only orders what else would be equal."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The language, the sources (the main one first), and sentences for staff; or the finding that there is none."""

    language: Language
    files: tuple[SubmittedFile, ...] = ()
    review: tuple[str, ...] = ()
    absent: tuple[Finding, ...] = ()


def choose(program: Program, submission: Submission) -> Chosen:
    """The sources that a spec asks for among the files of a submission."""
    exact = [name for name in program.sources if "*" not in name]
    patterns = [name for name in program.sources if "*" in name]
    found = [(name, *find_source(submission, name)) for name in exact]
    review = tuple(sentence for _, _, sentences in found for sentence in sentences)
    absent = tuple(missing(submission, name) for name, file, _ in found if file is None)
    files = tuple(file for _, file, _ in found if file is not None)
    if absent or not patterns:
        return Chosen(program.language[0], files, review, absent)
    matching = _matching(program, patterns, submission)
    if not files and not matching:
        return Chosen(program.language[0], absent=(nothing(submission, patterns),))
    languages = dict.fromkeys(language for language, _ in matching)
    language = next(iter(languages), program.language[0])
    if len(languages) > 1:
        review += (f"there are programs in {' and '.join(languages)}; those in {language} were graded",)
    chosen, more = _one_start(language, [file for name, file in matching if name == language and file not in files])
    return Chosen(language, (*files, *chosen), review + more)


def _matching(program: Program, patterns: list[str], submission: Submission) -> list[tuple[Language, SubmittedFile]]:
    """Each file that a pattern names, with its language; those of the language that the spec names first come first."""
    alone = submission.form is Form.FILE
    files = [f for f in submission.files if alone or any(fnmatchcase(f.name.casefold(), p) for p in patterns)]
    return [
        (language, file)
        for language in program.language
        for file in sorted(files, key=lambda f: (f.depth, f.path))
        if PurePosixPath(file.path).suffix.casefold() in SUFFIXES[language] or (alone and len(program.language) == 1)
    ]


def _one_start(language: Language, files: list[SubmittedFile]) -> tuple[tuple[SubmittedFile, ...], tuple[str, ...]]:
    """The files with the one that starts the program first.

    Of several C, C++ or Python files that could start one, the shallowest does, and the others are left out: an old
    version beside the new one is the everyday case. Java classes may all have a ``main``.
    """
    starts = [file for file in files if MAIN[language].search(file.data)]
    others = [file for file in files if file not in starts]
    if language == "java" or len(starts) <= 1:
        return (*starts, *others), ()
    left_out = ", ".join(file.path for file in starts[1:])
    return (starts[0], *others), (f"{starts[0].path} was graded; there is also {left_out}, a program of its own",)
