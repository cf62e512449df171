"""Listings of MIPS programs: words of eight hexadecimal digits, four bytes apart."""

from __future__ import annotations

from grader.machines import listing as shared
from grader.machines.image import Assembly, Image
from grader.source import SourceFile

NOTATION = shared.Notation(digits=8, step=4)


def listing(assembly: Assembly, *sources: SourceFile) -> str:
    """Address, word and source line, then the labels and the diagnostics."""
    return shared.listing(assembly, sources, NOTATION)


def hex_blocks(image: Image) -> str:
    """One line for each block: ``00400000: 24020004 0000000c``."""
    return shared.hex_blocks(image, NOTATION)


def symbols(image: Image) -> str:
    """One line for each label: ``10010000  message``."""
    return shared.symbols(image, NOTATION)


def as_json(assembly: Assembly, *sources: SourceFile) -> str:
    """Blocks, symbols, source lines and diagnostics as one JSON object."""
    return shared.as_json(assembly, sources, NOTATION)
