"""Assembled programs: the source under each profile of its spec."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from grader.build.built import Built, findings_of, rendered
from grader.build.chosen import choose, code_of, without_copies
from grader.machines.assembler import SOURCE_LIMIT
from grader.machines.families import Family, Reading, family
from grader.machines.image import Assembly, Image
from grader.results import Finding, Verdict, Weight
from grader.sessions.simulated import SimulatedProgram
from grader.source import Severity, SourceFile
from grader.spec.model import Spec
from grader.submission import Submission, SubmittedFile

LEFT_OUT = "left-out"
"""The code of the note that says: files of the course could not be assembled with what was handed in."""


def build_simulated(spec: Spec, submission: Submission, support: Sequence[SubmittedFile] = ()) -> Built:
    """Find the sources that the spec asks for and assemble them, with the ``support`` of the course.

    If a file of the course has a label ``main``, the program begins there, and the submission comes after it.
    Never raises for anything in a submission.
    """
    language = family(spec.program.simulated or "")
    chosen = choose(spec.program, without_copies(submission, support))
    if chosen.verdict is not Verdict.ACCEPTED:
        return Built(chosen.verdict, language.language, chosen.findings, review=chosen.review, family=language)
    readings = [_read(spec, language, file) for file in chosen.files]
    sources = tuple(source for source, _ in readings)
    messages = tuple(diagnostic for _, diagnostics in readings for diagnostic in diagnostics)
    if any(diagnostic.severity is Severity.ERROR for diagnostic in messages):  # of machine code, which has no assembler
        findings = (*findings_of(messages), *chosen.findings)
        listing = rendered(messages)
        return Built(
            Verdict.COMPILE_ERROR, language.language, findings, sources, diagnostics=listing, review=chosen.review,
            family=language,
        )  # fmt: skip
    including = language.includes and any(".include" in source.text.lower() for source in sources)
    files = _beside(chosen.files, submission) if including else {}
    start = spec.program.start or ""
    # In their order: a driver of the course, what was handed in, what else the course adds.
    added = [language.read(file.path, file.data)[0] for file in support]
    labels = [{label.casefold() for line in language.statements(file) for label in line.labels} for file in added]
    # An LC-3 begins at the first instruction of its first file.
    drivers = [file for file, names in zip(added, labels, strict=True) if "main" in names]
    whole = (*drivers, *sources, *(file for file in added if file not in drivers))
    assemblies = _assemble(spec, language, whole, files, start)
    # A submission that lacks one of five routines keeps the points of the other four.
    left_out = _only_in_support(assemblies, sources)
    if left_out:
        whole = sources
        assemblies = _assemble(spec, language, whole, files, start)
    if not start and _needs_main(spec, language, assemblies):
        start = "main"
        assemblies = _assemble(spec, language, whole, files, start)
    best = next((a for a in assemblies.values() if a.image is not None), next(iter(assemblies.values())))
    started = (_STARTED_AT_MAIN,) if start and not spec.program.start else ()
    return Built(
        Verdict.COMPILE_ERROR if best.image is None else Verdict.ACCEPTED,
        language.language,
        (*findings_of((*messages, *best.diagnostics)), *chosen.findings, *started, *left_out),
        sources,
        {name: _program(spec, language, a.image, start) for name, a in assemblies.items() if a.image is not None},
        usual=spec.program.profiles[0],
        start=start,
        diagnostics=rendered((*messages, *best.diagnostics)),
        review=chosen.review,
        family=language,
    )


def _read(spec: Spec, language: Family, file: SubmittedFile) -> Reading:
    """A file that was handed in. Machine code is read where the spec asks for it, under any name but that of an assembly file.

    Elsewhere it is refused: an assignment that asks for assembly text is not met by what an assembler made of another's.
    """
    named_assembly = PurePosixPath(file.path).suffix.casefold() in language.traits.suffixes
    return language.read(file.path, file.data, as_code=bool(code_of(spec.program)) and not named_assembly)


def _only_in_support(assemblies: Mapping[str, Assembly], sources: Sequence[SourceFile]) -> tuple[Finding, ...]:
    """A note where all errors are in files of the course: a driver calls a routine that is missing, and others are there."""
    errors = [diagnostic for assembly in assemblies.values() for diagnostic in assembly.errors]
    handed_in = {source.name for source in sources}
    if not errors or any(one.span is None or one.span.source.name in handed_in for one in errors):
        return ()
    remark = (
        f"assembled without the files of the course, because they need something that is missing: {errors[0].message}"
    )
    return (Finding(LEFT_OUT, remark, weight=Weight.NOTE),)


_STARTED_AT_MAIN = Finding(
    "started-at-main",
    "it was started at main, because it ends before any question if it starts at its first instruction. "
    "MARS does this with the setting “Initialize Program Counter to global main if defined”",
    weight=Weight.NOTE,
)


def _needs_main(spec: Spec, language: Family, assemblies: Mapping[str, Assembly]) -> bool:
    """Whether a program runs longer from ``main`` than from its first instruction, under any profile.

    Students who have functions above ``main`` set MARS so that it begins there; nothing in the file tells.
    """
    for profile, assembly in assemblies.items():
        image = assembly.image
        if image is None or image.entries.get("main", image.entry) == image.entry:
            continue
        # How far it comes: whether to a question, and whether it prints anything.
        sessions = [_program(spec, language, image, start).start(profile) for start in ("", "main")]
        plain, main = [(one.advance() is None, bool(one.take_output())) for one in sessions]
        if main > plain:
            return True
    return False


def _program(spec: Spec, language: Family, image: Image, start: str) -> SimulatedProgram:
    files = {name: content.data for name, content in spec.program.files.items()}
    seed = spec.program.seed
    return SimulatedProgram(language, image, spec.limits, bare=True, entry=start, files=files, random_seed=seed)


def _beside(files: Sequence[SubmittedFile], submission: Submission) -> dict[str, SourceFile]:
    """The other files that a source may include, by their paths and as seen from the main source's folder; none from above it."""
    folder = PurePosixPath(files[0].path).parent
    others = [f for f in submission.files if f not in files and PurePosixPath(f.path).is_relative_to(folder)]
    read = {f.path: SourceFile.from_bytes(f.path, f.data) for f in others if len(f.data) <= SOURCE_LIMIT}
    return read | {PurePosixPath(path).relative_to(folder).as_posix(): source for path, source in read.items()}


def _assemble(
    spec: Spec, language: Family, sources: tuple[SourceFile, ...], files: Mapping[str, SourceFile], start: str
) -> dict[str, Assembly]:
    """The result for the sources under each profile of the spec; a dialect is assembled once."""
    by_dialect: dict[str, Assembly] = {}
    assemblies: dict[str, Assembly] = {}
    first, *more = sources
    for profile in spec.program.profiles:
        dialect = spec.program.dialect or language.dialect_of(profile)
        if dialect not in by_dialect:
            by_dialect[dialect] = language.assemble(first, dialect, files, more, start)
        assemblies[profile] = by_dialect[dialect]
    return assemblies
