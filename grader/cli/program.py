"""What ``assemble`` and ``run`` share: read a source, assemble it, show its diagnostics."""

from __future__ import annotations

from pathlib import Path

import click

from grader.errors import UsageError
from grader.machines.image import Assembly
from grader.machines.lc3.assembler import assemble
from grader.source import SourceFile


def assemble_file(path: Path, dialect: str) -> tuple[SourceFile, Assembly]:
    """The source and what became of it; its diagnostics go to standard error. Raises UsageError for an unreadable file."""
    try:
        source = SourceFile.from_bytes(str(path), path.read_bytes())
    except OSError as error:
        raise UsageError(f"cannot read it: {error.strerror}", place=str(path)) from error
    assembly = assemble(source, dialect=dialect)
    for diagnostic in assembly.diagnostics:
        click.echo(diagnostic.render(), err=True)
    return source, assembly
