"""Listings of LC-3 programs: words of four hexadecimal digits at consecutive addresses."""

from __future__ import annotations

from grader.machines import listing as shared
from grader.machines.image import Assembly, Image
from grader.source import SourceFile

NOTATION = shared.Notation(digits=4, step=1)


def listing(assembly: Assembly, *sources: SourceFile) -> str:
    """Address, word and source line, then the labels and the diagnostics."""
    return shared.listing(assembly, sources, NOTATION)


def hex_blocks(image: Image) -> str:
    """One line for each block: ``3000: 5020 f025``."""
    return shared.hex_blocks(image, NOTATION)


def symbols(image: Image) -> str:
    """One line for each label: ``3002  LOOP``."""
    return shared.symbols(image, NOTATION)


def as_json(assembly: Assembly, *sources: SourceFile) -> str:
    """Blocks, symbols, source lines and diagnostics as one JSON object."""
    return shared.as_json(assembly, sources, NOTATION)
