"""The parts that the first pass of the MIPS assembler hands to the second: labels, instructions, and places that wait for a label."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from grader.machines.image import Block
from grader.machines.mips.forms import Written
from grader.machines.mips.lines import Line

DATA_LIMITS = ((0x1000_0000, 0x1040_0000), (0x9000_0000, 0x9040_0000))
_PAGE = 4096  # bytes


class Data:
    """The bytes of one data segment. ``cursor`` is the address where the next byte goes.

    Bytes are kept in pages, so that neither a hole nor many small pieces cost more than what is in them.
    """

    def __init__(self, origin: int) -> None:
        self.cursor = origin
        self._pages: dict[int, bytearray] = {}
        self._first: dict[int, int] = {}  # in each page the first address that was put, and the one after the last
        self._end: dict[int, int] = {}

    def put(self, data: bytes) -> bool:
        """Put bytes at the cursor and move it; False when there is no memory there."""
        start, end = self.cursor, self.cursor + len(data)
        if not any(first <= start and end <= last for first, last in DATA_LIMITS):
            return False
        self.put_at(start, data)
        self.cursor = end
        return True

    def put_at(self, address: int, data: bytes) -> None:
        """Put bytes at an address."""
        while data:
            page, at = divmod(address, _PAGE)
            here = data[: _PAGE - at]
            self._pages.setdefault(page, bytearray(_PAGE))[at : at + len(here)] = here
            self._first[page] = min(self._first.get(page, address), address)
            self._end[page] = max(self._end.get(page, 0), address + len(here))
            address += len(here)
            data = data[len(here) :]

    def at(self, address: int, size: int) -> bytes:
        """Bytes that were put before."""
        return bytes(self._pages[place // _PAGE][place % _PAGE] for place in range(address, address + size))

    def blocks(self) -> Iterator[Block]:
        """The bytes placed so far, as words of 32 bits, the first byte the lowest; adjoining pages make one block."""
        run: list[int] = []
        for page in sorted(self._pages):
            if run and page != run[-1] + 1:
                yield self._block(run)
                run = []
            run.append(page)
        if run:
            yield self._block(run)

    def _block(self, pages: list[int]) -> Block:
        start, end = self._first[pages[0]] & ~3, (self._end[pages[-1]] + 3) & ~3
        held = b"".join(self._pages[page] for page in pages)[start % _PAGE :][: end - start]
        return Block(start, tuple(memoryview(held).cast("I")))


@dataclass(slots=True)
class Label:
    """A label: ``address`` may still move while the data at it is aligned."""

    name: str
    address: int
    line: Line
    in_data: bool


@dataclass
class Scope:
    """The labels of one file, and the names that it declares global."""

    labels: dict[str, Label] = field(default_factory=dict)
    declared: list[tuple[str, Line, int]] = field(default_factory=list)


class Code(NamedTuple):
    """One instruction as written: its address, its form, the words and values of its operands, and where it stands."""

    address: int
    form: Written
    operands: list[str]
    values: list[int | None]
    line: Line
    at: int
    scope: Scope


class Wanted(NamedTuple):
    """A place in the data that waits for the address of a label."""

    data: Data
    address: int
    size: int
    name: str
    line: Line
    at: int
    scope: Scope
