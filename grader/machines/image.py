"""The result of an assembler, which a machine loads: blocks of words, symbols, and the way back to the source line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from grader.source import Diagnostic, Severity, Span
from grader.values import dataclass


class Content(StrEnum):
    """The kind of a word by the source: an instruction, or data (``.FILL``, ``.STRINGZ``, ``.BLKW``)."""

    CODE = "code"
    DATA = "data"


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive words from ``origin`` on; a word is an unsigned number of the machine's width."""

    origin: int
    words: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of the word at one address: the statement's span, and whether it is code or data."""

    span: Span
    content: Content


@dataclass(frozen=True)
class Image:
    """An assembled program.

    ``symbols`` maps each label, as spelt at its definition, to its address. ``origins`` maps each address that the
    source fills to its Origin. ``entry`` is the address at which the program starts. ``entries`` are the addresses at
    which it can be told to start, by the name of that habit: ``first``, and ``main`` where it has one. ``reserved`` are
    the stretches of addresses that a MIPS source reserves and does not fill.
    """

    blocks: tuple[Block, ...]
    symbols: Mapping[str, int]
    origins: Mapping[int, Origin]
    entry: int
    entries: Mapping[str, int] = field(default_factory=dict)
    reserved: tuple[range, ...] = ()

    def label_at(self, address: int) -> str | None:
        """The first label defined at ``address``, or None."""
        return next((name for name, at in self.symbols.items() if at == address), None)

    def span_at(self, address: int) -> Span | None:
        """The statement that made the word at ``address``, or None."""
        return self.origins[address].span if address in self.origins else None


@dataclass(frozen=True)
class Assembly:
    """The result of assembling the sources of one program: an image, or None if any diagnostic is an error."""

    image: Image | None
    diagnostics: tuple[Diagnostic, ...] = field(default=())

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The diagnostics that kept the source from being assembled."""
        return tuple(d for d in self.diagnostics if d.severity is Severity.ERROR)
