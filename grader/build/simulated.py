"""Assembled programs: the source under each profile of its spec."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from grader.build.built import Built, findings_of, rendered
from grader.build.finding import find_source, missing
from grader.machines.assembler import SOURCE_LIMIT
from grader.machines.families import Family, family
from grader.machines.image import Assembly, Image
from grader.results import Verdict
from grader.sessions.simulated import SimulatedProgram
from grader.source import SourceFile
from grader.spec.model import Spec
from grader.submission import Submission, SubmittedFile


def build_simulated(spec: Spec, submission: Submission) -> Built:
    """Find the sources that the spec asks for and assemble them. Never raises for anything in a submission."""
    language = family(spec.program.simulated or "")
    found = [(wanted, *find_source(submission, wanted)) for wanted in spec.program.sources]
    review = tuple(sentence for _, _, sentences in found for sentence in sentences)
    absent = tuple(missing(submission, wanted) for wanted, file, _ in found if file is None)
    files = [file for _, file, _ in found if file is not None]
    if absent:
        return Built(Verdict.MISSING_FILE, language.language, absent, review=review, family=language)
    sources = tuple(SourceFile.from_bytes(file.path, file.data) for file in files)
    assemblies = _assemble(spec, language, sources, _beside(files[0], submission) if language.includes else {})
    best = next((a for a in assemblies.values() if a.image is not None), next(iter(assemblies.values())))
    return Built(
        Verdict.COMPILE_ERROR if best.image is None else Verdict.ACCEPTED,
        language.language,
        findings_of(best.diagnostics),
        sources,
        {name: _program(spec, language, a.image) for name, a in assemblies.items() if a.image is not None},
        usual=spec.program.profiles[0],
        diagnostics=rendered(best.diagnostics),
        review=review,
        family=language,
    )


def _program(spec: Spec, language: Family, image: Image) -> SimulatedProgram:
    files = {name: text.encode() for name, text in spec.program.files.items()}
    return SimulatedProgram(
        language,
        image,
        spec.limits,
        bare=True,
        entry=spec.program.start or "",
        files=files,
        random_seed=spec.program.seed,
    )


def _beside(file: SubmittedFile, submission: Submission) -> dict[str, SourceFile]:
    """The other files that a source may include, by their paths as seen from its folder; none from above it."""
    folder = PurePosixPath(file.path).parent
    below = [f for f in submission.files if f is not file and PurePosixPath(f.path).is_relative_to(folder)]
    paths = {f: PurePosixPath(f.path).relative_to(folder).as_posix() for f in below if len(f.data) <= SOURCE_LIMIT}
    return {path: SourceFile.from_bytes(f.path, f.data) for f, path in paths.items()}


def _assemble(
    spec: Spec, language: Family, sources: tuple[SourceFile, ...], files: Mapping[str, SourceFile]
) -> dict[str, Assembly]:
    """What becomes of the sources under each profile of the spec; a dialect is assembled once."""
    by_dialect: dict[str, Assembly] = {}
    assemblies: dict[str, Assembly] = {}
    first, *more = sources
    for profile in spec.program.profiles:
        dialect = spec.program.dialect or language.dialect_of(profile)
        if dialect not in by_dialect:
            by_dialect[dialect] = language.assemble(first, dialect, files, more, spec.program.start or "")
        assemblies[profile] = by_dialect[dialect]
    return assemblies
