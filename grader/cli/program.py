"""What ``assemble`` and ``run`` share: read a source, find out its language, assemble it, show its diagnostics."""

from __future__ import annotations

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


def assembled(source: SourceFile, machine: Family, dialect: str) -> Assembly:
    """What became of the source; its diagnostics go to standard error."""
    assembly = machine.assemble(source, dialect, _beside(Path(source.name)) if machine.includes else {})
    for diagnostic in assembly.diagnostics:
        click.echo(diagnostic.render(), err=True)
    return assembly


def _beside(path: Path) -> dict[str, SourceFile]:
    """The sources in the same folder, which the program may include."""
    others = (p for p in sorted(path.parent.iterdir()) if p.suffix in INCLUDED and p != path and p.is_file())
    return {p.name: read_source(p) for p in others if p.stat().st_size <= SOURCE_LIMIT}
