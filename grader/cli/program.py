"""What ``assemble`` and ``run`` share: read sources, find out their language, assemble them, show the diagnostics."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from grader.errors import UsageError
from grader.machines.assembler import SOURCE_LIMIT
from grader.machines.families import Family, family, language_of
from grader.machines.image import Assembly
from grader.source import SourceFile

INCLUDED = (".s", ".asm", ".inc")


def read_source(path: Path) -> SourceFile:
    """The source. Raises UsageError for a file that cannot be read."""
    try:
        return SourceFile.from_bytes(str(path), path.read_bytes())
    except OSError as error:
        raise UsageError(f"cannot read it: {error.strerror}", place=str(path)) from error


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
    paths = [Path(source.name) for source in sources]
    found: dict[str, SourceFile] = {}
    for folder in dict.fromkeys(path.parent for path in paths):
        for path in sorted(folder.iterdir()):
            wanted = path.suffix in INCLUDED and path not in paths and path.is_file()
            if wanted and path.stat().st_size <= SOURCE_LIMIT:
                found.setdefault(path.name, read_source(path))
    return found
