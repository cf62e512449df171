"""Which of the files handed in make up the program, and in which language it is.

One rule for a loose file, a folder and an archive. A file that the spec names is found by its name, whose case is forgiven.
A spec may have patterns, or no file may have one of its names. Then we look at the files that end as sources of the
language do, or else at those that read like one. Among them we find what starts a program, and what belongs to it. If
several could start one, a person says which: a guess could cost a student everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from grader.build.pieces import MOST_FILES, Piece, distinct, left_out, program_of, starts_of
from grader.machines.families import TRAITS, reads_as
from grader.results import Finding, Verdict, Weight
from grader.spec.languages import Language
from grader.spec.model import Program
from grader.submission import Form, Submission, SubmittedFile
from grader.values import dataclass

SUFFIXES: Mapping[Language, tuple[str, ...]] = {
    "c": (".c",),
    "cpp": (".cpp", ".cc", ".cxx", ".c++"),
    "java": (".java",),
    "python": (".py",),
}
"""How the names of sources end, by language, where the computer itself runs the program."""

# A checkout has hundreds.
_NAMED = 5
"""Files that a hint lists."""

HEADERS = (".h", ".hh", ".hpp", ".hxx", ".h++")
"""How the names of files end that sources in C and C++ include."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The language, the sources (the main one first), and what is to be said of the choice.

    ``verdict`` is accepted, missing-file where there is no program, or needs-review where there are several. ``findings`` are
    the reason, or remarks that cost nothing; ``review`` are sentences for staff.
    """

    language: Language
    files: tuple[SubmittedFile, ...] = ()
    review: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    verdict: Verdict = Verdict.ACCEPTED


def choose(program: Program, submission: Submission) -> Chosen:
    """The sources that a spec asks for among the files of a submission."""
    names = [name for name in program.sources if "*" not in name]
    patterns = [name for name in program.sources if "*" in name]
    named = _named(program, names, submission) if names else None
    if named is not None:
        if named.verdict is not Verdict.ACCEPTED or not patterns:
            return named
        matching = _matching(program, patterns, submission)
        others = [file for language, file in matching if language == named.language and file not in named.files]
        more = tuple(file for file in others if named.language == "java" or not starts_of(named.language, [file]))
        return replace(named, files=(*named.files, *more))
    # 30 of 31 real programs got nothing, since a name was missing that no assignment had demanded.
    # If the names of the spec are not found, the files that are usual in its languages are looked at.
    usual = [f"*{suffix}" for language in program.language for suffix in suffixes_of(language)]
    usual += [f"*{suffix}" for suffix in code_of(program)]
    candidates = _matching(program, patterns or usual, submission) or _alike(program, submission)
    if not candidates:
        lacking = tuple(_missing(submission, name) for name in names) or (_nothing(submission, patterns),)
        return Chosen(program.language[0], findings=lacking, verdict=Verdict.MISSING_FILE)
    chosen = _of_one_language(program, candidates)
    if chosen.verdict is not Verdict.ACCEPTED:
        return chosen
    if not names and chosen.files[0] not in _fitting(patterns, submission):
        return _noted(chosen, f"{chosen.files[0].path} was graded: no file is called {' or '.join(patterns)}")
    return _renamed(chosen, names, submission) if names else chosen


def without_copies(submission: Submission, given: Iterable[SubmittedFile]) -> Submission:
    """The submission without copies of files that the course gave out: none of them is a program of the student's."""
    # Template repositories hold the support and the tests of a course beside what is handed in.
    known = {(file.name, _lines(file.data)) for file in given}
    return replace(submission, files=tuple(f for f in submission.files if (f.name, _lines(f.data)) not in known))


def _lines(data: bytes) -> bytes:
    """The data without the line ends of Windows, which a checkout may add."""
    return data.replace(b"\r\n", b"\n")


def _named(program: Program, names: Sequence[str], submission: Submission) -> Chosen | None:
    """The files that the spec names; None where none of them is there."""
    language = program.language[0]
    by_name = {name: _by_name(submission, name) for name in names}
    if not any(by_name.values()):
        return None
    absent = tuple(_missing(submission, name) for name, files in by_name.items() if not files)
    if absent:
        return Chosen(language, findings=absent, verdict=Verdict.MISSING_FILE)
    review: list[str] = []
    for name, files in by_name.items():
        file = files[0]
        # Students pack a file twice, once as Windows saved it.
        rivals = distinct(files)[1:]
        # Two programs were once a lucky guess by the order of their names.
        if any(other.depth == file.depth for other in rivals):
            return _unclear(language, files)
        if file.name != name:
            review.append(f"{file.path} was graded as {name}: upper and lower case of its name differ")
        if rivals:
            paths = ", ".join(sorted(other.path for other in rivals))
            review.append(f"{file.path} was graded; there is also {paths}, with other contents")
    return Chosen(language, tuple(files[0] for files in by_name.values()), tuple(review))


def _renamed(chosen: Chosen, names: Sequence[str], submission: Submission) -> Chosen:
    """The choice, noted where the spec names other files. Systems put a name and numbers into the name of a lone file."""
    file = chosen.files[0]
    if submission.form is Form.FILE and any(PurePosixPath(n).stem.casefold() in file.name.casefold() for n in names):
        return chosen
    remark = f"{file.path} was graded as {' and '.join(names)}: no file has that name"
    return replace(_noted(chosen, remark), review=(remark, *chosen.review))


def _noted(chosen: Chosen, message: str) -> Chosen:
    return replace(chosen, findings=(Finding("other-name", message, weight=Weight.NOTE), *chosen.findings))


def suffixes_of(language: Language) -> tuple[str, ...]:
    """How the names of sources in a language end."""
    return SUFFIXES.get(language) or TRAITS[language].suffixes


def code_of(program: Program) -> tuple[str, ...]:
    """How the names of files with machine code end, where a spec asks for such files; else none are read."""
    suffixes = TRAITS[program.simulated].code if program.simulated else ()
    return suffixes if any(name.casefold().endswith(suffixes) for name in program.sources if suffixes) else ()


def _fitting(patterns: Sequence[str], submission: Submission) -> list[SubmittedFile]:
    return [f for f in submission.files if any(fnmatchcase(f.name.casefold(), p.casefold()) for p in patterns)]


def _matching(
    program: Program, patterns: Sequence[str], submission: Submission
) -> list[tuple[Language, SubmittedFile]]:
    """Each file that a pattern names, with its language; those of the language that the spec names first come first.

    A lone file has its name from the system that it was handed in to: in the only language that there is, any will do.
    """
    only = len(program.language) == 1
    files = submission.files if only and submission.form is Form.FILE else _fitting(patterns, submission)
    matching: list[tuple[Language, SubmittedFile]] = []
    for language in program.language:
        own = [f for f in files if only or PurePosixPath(f.path).suffix.casefold() in suffixes_of(language)]
        matching += [(language, file) for file in sorted(own, key=lambda f: (f.depth, f.path))]
    return matching


def _alike(program: Program, submission: Submission) -> list[tuple[Language, SubmittedFile]]:
    """Files for a simulated machine that are called neither as the spec says nor as is usual, and read like such a program."""
    language = program.simulated
    if language is None:
        return []
    pieces = (Piece.of(file) for file in submission.files)
    return [(program.language[0], piece.file) for piece in pieces if reads_as(language, piece.source)]


def _of_one_language(program: Program, candidates: list[tuple[Language, SubmittedFile]]) -> Chosen:
    """The program among files of perhaps several languages."""
    if len(candidates) > MOST_FILES:
        return _unclear(program.language[0], [file for _, file in candidates])
    named = {language: [file for name, file in candidates if name == language] for language in program.language}
    by_language = {language: distinct(files) for language, files in named.items() if files}
    starts = {language: _starts(program, language, files) for language, files in by_language.items()}
    starting = [language for language in starts if starts[language]]
    if len(starting) > 1 or any(len(files) > 1 for files in starts.values()):
        return _unclear(program.language[0], [file for files in starts.values() for file in files])
    language = next(iter(starting), next(iter(by_language)))
    files = by_language[language]
    # These have a linker, or a compiler, that says in words that no file has a `main`.
    if not starts[language] and language not in ("c", "cpp", "java") and len(files) > 1:
        return _unclear(language, files)
    chosen = program_of(language, starts[language][0] if starts[language] else files[0], files)
    return Chosen(language, chosen, *_said_of(chosen, files, together=language in TRAITS))


def _starts(program: Program, language: Language, files: list[SubmittedFile]) -> list[SubmittedFile]:
    """The files that could start a program; of several the one that the spec names, where it does."""
    starts = starts_of(language, files)
    # Java programs are named by a class, others by a file.
    named = [file for file in starts if program.main in (file.name, PurePosixPath(file.path).stem)]
    return named if len(named) == 1 else starts


def _said_of(
    chosen: Sequence[SubmittedFile], files: Sequence[SubmittedFile], *, together: bool
) -> tuple[tuple[str, ...], tuple[Finding, ...]]:
    """The remarks for staff, and for the student, on a program in several files and on files beside it."""
    remarks: list[str] = []
    if together and len(chosen) > 1:
        remarks.append(f"assembled together, in this order: {', '.join(file.path for file in chosen)}")
    unused = ", ".join(file.path for file in left_out(chosen, files)) if together else ""
    review = (f"{chosen[0].path} was graded; it uses nothing of {unused}",) if unused else ()
    return review, tuple(Finding("sources", remark, weight=Weight.NOTE) for remark in (*remarks, *review))


def _unclear(language: Language, files: Sequence[SubmittedFile]) -> Chosen:
    """A choice that a person must make: nothing is lost until then."""
    names = _listed([file.path for file in files])
    message = f"there are several programs, and a person must say which one counts: {names}"
    finding = Finding("several-programs", message, hint="hand in one program alone, with all files that belong to it")
    return Chosen(language, review=(finding.message,), findings=(finding,), verdict=Verdict.NEEDS_REVIEW)


# ------------------------------------------------------------------------------------------- files by name, and where none is


def _by_name(submission: Submission, wanted: str) -> list[SubmittedFile]:
    """The files of this name, the shallowest first. If no file has exactly this name, its case is forgiven."""
    exact = [f for f in submission.files if f.name == wanted]
    named = exact or [f for f in submission.files if f.name.casefold() == wanted.casefold()]
    return sorted(named, key=lambda f: (f.depth, f.path))


def _missing(submission: Submission, wanted: str) -> Finding:
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


def _nothing(submission: Submission, patterns: Sequence[str]) -> Finding:
    """The finding that no file has a name that these patterns ask for."""
    if submission.problems:
        hint = "some members of the archive could not be read; pack it again"
    else:
        hint = f"{_handed_in(submission)}put your source into what you hand in"
    return Finding("missing-file", f"there is no program: no file is called {', '.join(patterns)}", hint=hint)


def _handed_in(submission: Submission) -> str:
    """The files that are there instead, as the beginning of a hint."""
    names = sorted(f.path for f in submission.files)
    return f"there is only {_listed(names)}; " if names else ""


def _listed(names: Sequence[str]) -> str:
    more = [f"{len(names) - _NAMED} more"] if len(names) > _NAMED else []
    return ", ".join([*names[:_NAMED], *more])
