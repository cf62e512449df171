"""From the files of a submission to a program that can be run, or to what the student must mend first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from grader.machines.assembler import SOURCE_LIMIT
from grader.machines.families import Family, family
from grader.machines.image import Assembly
from grader.results import Finding, Verdict, Weight
from grader.sessions.simulated import SimulatedProgram
from grader.source import Diagnostic, Severity, SourceFile
from grader.spec.model import Spec
from grader.submission import Form, Submission, SubmittedFile

SHOWN_DIAGNOSTICS = 50


@dataclass(frozen=True)
class Built:
    """What building came to.

    ``verdict`` is accepted, missing-file or compile-error; ``source`` is None where there is none; ``programs`` holds the
    program under each profile for which it assembles, none if it assembles under no profile; ``usual`` is the first profile
    of the spec. ``review`` holds sentences for staff, on names that are not quite right.
    """

    family: Family
    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    source: SourceFile | None = None
    programs: Mapping[str, SimulatedProgram] = field(default_factory=dict)
    usual: str = ""
    diagnostics: tuple[str, ...] = ()
    review: tuple[str, ...] = ()


def build(spec: Spec, submission: Submission) -> Built:
    """Find the source that the spec asks for and assemble it. Never raises for anything in a submission."""
    language = family(spec.program.simulated or "")
    wanted = spec.program.sources[0]
    file, review = find_source(submission, wanted)
    if file is None:
        return Built(language, Verdict.MISSING_FILE, (_missing(submission, wanted),), review=review)
    source = SourceFile.from_bytes(file.path, file.data)
    assemblies = _assemble(spec, language, source, _beside(file, submission) if language.includes else {})
    best = next((a for a in assemblies.values() if a.image is not None), next(iter(assemblies.values())))
    verdict = Verdict.COMPILE_ERROR if best.image is None else Verdict.ACCEPTED
    programs = {
        profile: SimulatedProgram(language, assembly.image, spec.limits, bare=True)
        for profile, assembly in assemblies.items()
        if assembly.image is not None
    }
    usual = spec.program.profiles[0]
    return Built(language, verdict, _findings(best), source, programs, usual, _shown(best.diagnostics), review)


def _beside(file: SubmittedFile, submission: Submission) -> dict[str, SourceFile]:
    """The other files that a source may include, by their paths as seen from its folder; none from above it."""
    folder = PurePosixPath(file.path).parent
    below = [f for f in submission.files if f is not file and PurePosixPath(f.path).is_relative_to(folder)]
    paths = {f: PurePosixPath(f.path).relative_to(folder).as_posix() for f in below if len(f.data) <= SOURCE_LIMIT}
    return {path: SourceFile.from_bytes(f.path, f.data) for f, path in paths.items()}


def _assemble(spec: Spec, language: Family, source: SourceFile, files: Mapping[str, SourceFile]) -> dict[str, Assembly]:
    """What becomes of the source under each profile of the spec; a dialect is assembled once."""
    by_dialect: dict[str, Assembly] = {}
    assemblies: dict[str, Assembly] = {}
    for profile in spec.program.profiles:
        dialect = spec.program.dialect or language.dialect_of(profile)
        if dialect not in by_dialect:
            by_dialect[dialect] = language.assemble(source, dialect, files)
        assemblies[profile] = by_dialect[dialect]
    return assemblies


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


def _missing(submission: Submission, wanted: str) -> Finding:
    suffix = PurePosixPath(wanted).suffix
    alike = sorted(f.path for f in submission.files if f.path.casefold().endswith(suffix))
    if any(PurePosixPath(folder).name == wanted for folder in submission.folders):
        hint = f"{wanted} is a folder here; hand in the file itself"
    elif alike:
        hint = f"there is {', '.join(alike[:5])}; rename your program to {wanted}"
    elif submission.problems:
        hint = "some members of the archive could not be read; pack it again"
    else:
        hint = f"put {wanted} into what you hand in"
    return Finding("missing-file", f"{wanted} is missing", hint=hint)


def _findings(assembly: Assembly) -> tuple[Finding, ...]:
    return tuple(_as_finding(d) for d in assembly.diagnostics[:SHOWN_DIAGNOSTICS])


def _as_finding(diagnostic: Diagnostic) -> Finding:
    return Finding(
        code=diagnostic.code,
        message=diagnostic.message,
        hint=diagnostic.hint,
        weight=Weight.DEFECT if diagnostic.severity is Severity.ERROR else Weight.NOTE,
        place=diagnostic.span.place if diagnostic.span else "",
        excerpt=diagnostic.span.excerpt() if diagnostic.span else "",
    )


def _shown(diagnostics: tuple[Diagnostic, ...]) -> tuple[str, ...]:
    """The diagnostics as text, the first of them where there are very many."""
    more = len(diagnostics) - SHOWN_DIAGNOSTICS
    shown = tuple(d.render() for d in diagnostics[:SHOWN_DIAGNOSTICS])
    return (*shown, f"and {more} more") if more > 0 else shown
