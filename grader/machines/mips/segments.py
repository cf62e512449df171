"""Where bytes of data go: a cursor for each data segment, and the words that come of it."""

from __future__ import annotations

from collections.abc import Iterator

from grader.machines.image import Block

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
        """What was put, as words of 32 bits, the first byte the lowest; pages in a row make one block."""
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
