"""Compiled and interpreted programs: from the files of a submission to a program in a cage.

The compiler has a cage of its own. Another serves all cases of the submission, each in an emptied folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from grader.build import gcc, python
from grader.build.built import Built, findings_of, rendered
from grader.build.chosen import SUFFIXES, Chosen, choose
from grader.build.recipe import Recipe
from grader.build.workshop import TOOL_LIMITS, Product, Workshop
from grader.results import Verdict
from grader.sandbox import Cage, Command
from grader.sessions.native import NativeProgram
from grader.source import Diagnostic, Severity, SourceFile
from grader.spec.model import Spec
from grader.submission import Submission, SubmittedFile

SOURCE_LIMIT = 1 << 20
BESIDE_LIMIT = 16 << 20
"""How many bytes of other files are put beside the sources."""


def build_native(spec: Spec, support: tuple[SubmittedFile, ...], submission: Submission, workshop: Workshop) -> Built:
    """Find the sources that the spec asks for and build them. Raises JudgeError when a tool of ours fails."""
    chosen = choose(spec.program, submission)
    if chosen.absent:
        return Built(Verdict.MISSING_FILE, chosen.language, chosen.absent, review=chosen.review)
    huge = tuple(_too_large(file) for file in chosen.files if len(file.data) > SOURCE_LIMIT)
    sources = tuple(SourceFile.from_bytes(file.path, file.data) for file in chosen.files)
    if huge:
        return _built(chosen, sources, huge)
    files = {**_beside(chosen, submission), **{file.path: file.data for file in support}, **_texts(sources)}
    return _follow(RECIPES[chosen.language], spec, chosen, sources, support, files, workshop)


def _follow(
    recipe: Recipe,
    spec: Spec,
    chosen: Chosen,
    sources: tuple[SourceFile, ...],
    support: tuple[SubmittedFile, ...],
    files: Mapping[str, bytes],
    workshop: Workshop,
) -> Built:
    flags = spec.program.flags.get(chosen.language, ())
    names = (*(source.name for source in sources), *_sources_among(support, chosen.language))
    tools = " ".join((workshop.version(*recipe.version), *flags))

    def cage() -> Cage:
        return workshop.cage(recipe.readable, spec.limits.storage)

    def make() -> Product:
        with workshop.cage(recipe.readable) as made_in:
            return recipe.make(made_in, files, names, flags)

    words = (chosen.language, recipe.name, tools, *names)
    product = workshop.product([*(word.encode() for word in words), *_contents(files)], make)
    built = _built(chosen, sources, recipe.read(product, {source.name: source for source in sources}), tools, workshop)
    if not product.files:
        return built
    command = Command(
        argv=recipe.command(spec.program.main or names[0]),
        limits=TOOL_LIMITS,
        environment=recipe.environment,
        terminal=spec.program.terminal,
    )
    runs = NativeProgram(cage, command, product.files, spec.limits, recipe.explain)
    return replace(built, programs={tools: runs}, usual=tools, close=runs.close)


def _built(
    chosen: Chosen,
    sources: tuple[SourceFile, ...],
    diagnostics: tuple[Diagnostic, ...],
    tools: str = "",
    workshop: Workshop | None = None,
) -> Built:
    """What can be said of any attempt to build."""
    wrong = any(d.severity is Severity.ERROR for d in diagnostics)
    return Built(
        Verdict.COMPILE_ERROR if wrong else Verdict.ACCEPTED,
        chosen.language,
        findings_of(diagnostics),
        sources,
        diagnostics=rendered(diagnostics),
        review=chosen.review,
        tools=tools,
        sandbox=str(workshop.tier) if workshop else "",
    )


def _beside(chosen: Chosen, submission: Submission) -> dict[str, bytes]:
    """The other files that were handed in, as far as there is room: a program may include or read them."""
    room = BESIDE_LIMIT
    files: dict[str, bytes] = {}
    for file in submission.files:
        if file not in chosen.files and len(file.data) <= room:
            room -= len(file.data)
            files[file.path] = file.data
    return files


def _texts(sources: tuple[SourceFile, ...]) -> dict[str, bytes]:
    """The sources as UTF-8, whatever they were handed in as."""
    return {source.name: source.text.encode("utf-8", "surrogateescape") for source in sources}


def _sources_among(files: tuple[SubmittedFile, ...], language: str) -> tuple[str, ...]:
    return tuple(f.path for f in files if PurePosixPath(f.path).suffix.casefold() in SUFFIXES[language])


def _contents(files: Mapping[str, bytes]) -> list[bytes]:
    return [part for name, data in sorted(files.items()) for part in (name.encode("utf-8", "surrogateescape"), data)]


def _too_large(file: SubmittedFile) -> Diagnostic:
    message = f"{file.path} has {len(file.data):,} bytes; a source has at most {SOURCE_LIMIT:,}"
    return Diagnostic(Severity.ERROR, "too-large", message, None, "hand in the source alone")


RECIPES = {"c": gcc.recipe("c"), "cpp": gcc.recipe("cpp"), "python": python.RECIPE}
