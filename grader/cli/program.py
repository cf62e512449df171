"""Simulated programs as ``assemble``, ``run`` and ``call`` find them: read, assembled or built as for grading, with the diagnostics shown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli import options
from grader.errors import UsageError
from grader.machines.families import PROFILES_OF, Family, family, language_of, language_with
from grader.source import SourceFile
from grader.values import dataclass

if TYPE_CHECKING:
    from grader.build.built import Built
    from grader.cli.native import HandedIn
    from grader.machines.image import Assembly
    from grader.sessions.simulated import SimulatedProgram
    from grader.spec.model import Limits

INCLUDED = (".s", ".asm", ".inc")


def profile_option() -> Any:
    """The edition of a machine."""
    profiles = tuple(name for names in PROFILES_OF.values() for name in names)
    return options.option(
        "--profile", type=click.Choice(profiles), help="Edition of the machine; the usual one if not said."
    )


@dataclass(frozen=True, slots=True)
class Simulated:
    """A program of a simulated machine, its sources, and the profile under which it is run."""

    program: SimulatedProgram
    sources: Sequence[SourceFile]
    profile: str


def read_bytes(path: Path) -> bytes:
    """The bytes of a file. Raises UsageError where it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read it: {error.strerror}", place=str(path)) from error


def read_source(path: Path) -> SourceFile:
    """The source in a file. Raises UsageError where it cannot be read."""
    return SourceFile.from_bytes(str(path), read_bytes(path))


def family_of(source: SourceFile, language: str | None) -> Family:
    """The machine that a source is for: of the language that was asked for, or that it looks like."""
    return family(language or language_of(source))


def assembled(sources: Sequence[SourceFile], machine: Family, dialect: str, entry: str = "") -> Assembly:
    """What became of the program that the sources make; its diagnostics go to standard error.

    Raises UsageError for several sources where a program is one file.
    """
    first, *more = sources
    assembly = machine.assemble(first, dialect, _beside(sources) if machine.includes else {}, more, entry)
    for diagnostic in assembly.diagnostics:
        click.echo(diagnostic.render(), err=True)
    return assembly


def _beside(sources: Sequence[SourceFile]) -> dict[str, SourceFile]:
    """The other files in the folders of the sources, which the program may include; of one name, that of the first."""
    from grader.machines.assembler import SOURCE_LIMIT

    paths = [Path(source.name) for source in sources]
    found: dict[str, SourceFile] = {}
    for folder in dict.fromkeys(path.parent for path in paths):
        for path in sorted(folder.iterdir()):
            wanted = path.suffix in INCLUDED and path not in paths and path.is_file()
            if wanted and path.stat().st_size <= SOURCE_LIMIT:
                found.setdefault(path.name, read_source(path))
    return found


def simulated(
    files: Sequence[Path], profile: str | None, limits: Limits, *, entry: str = "", bare: bool = False
) -> Simulated | None:
    """The program that files make; None where they do not assemble, which is said. Raises UsageError."""
    from grader.sessions.simulated import SimulatedProgram

    sources = [read_source(file) for file in files]
    machine = family_of(sources[0], language_with(profile) if profile else None)
    edition = profile or PROFILES_OF[machine.language][0]
    assembly = assembled(sources, machine, machine.dialect_of(edition), entry)
    if assembly.image is None:
        return None
    return Simulated(SimulatedProgram(machine, assembly.image, limits, bare=bare), sources, edition)


def as_graded(handed_in: HandedIn, profile: str | None) -> Simulated | None:
    """The program as it is found and built for grading, under one of the profiles of its spec; None where it does not build, which is said.

    Raises UsageError where the spec has no such profile.
    """
    from grader.build.simulated import build_simulated
    from grader.sessions.simulated import SimulatedProgram

    support = handed_in.assignment.support if handed_in.assignment else ()
    built = build_simulated(handed_in.spec, handed_in.submission, support)
    say_built(built)
    edition = profile or (built.usual if built.usual in built.programs else next(iter(built.programs), ""))
    program = built.programs.get(edition)
    if built.programs and program is None:
        raise click.UsageError(f"the program is not built for {edition}; --profile may be {', '.join(built.programs)}")
    if not isinstance(program, SimulatedProgram):
        return None
    sources = [*built.sources, *(SourceFile.from_bytes(file.path, file.data) for file in support)]
    return Simulated(program, sources, edition)


def say_built(built: Built) -> None:
    """What the compiler or assembler said, or why there is nothing to build, on standard error."""
    for said in built.diagnostics or [finding.message for finding in built.findings]:
        click.echo(said, err=True)
