"""Where bytes of data go: a cursor for each data segment, and the words that come of it."""

from __future__ import annotations

from collections.abc import Iterator

from grader.machines.image import Block

_GAP = 4096  # bytes: a longer hole begins a new block
DATA_LIMITS = ((0x1000_0000, 0x1040_0000), (0x9000_0000, 0x9040_0000))


class Data:
    """The bytes of one data segment. ``cursor`` is the address where the next byte goes."""

    def __init__(self, origin: int) -> None:
        self.cursor = origin
        self._regions: list[tuple[int, bytearray]] = []

    def put(self, data: bytes) -> bool:
        """Put bytes at the cursor and move it; False when there is no memory there."""
        start = self.cursor
        end = start + len(data)
        if not any(first <= start and end <= last for first, last in DATA_LIMITS):
            return False
        origin, held = self._region(start)
        at = start - origin
        if at > len(held):
            held.extend(bytes(at - len(held)))
        held[at : at + len(data)] = data
        self.cursor = end
        return True

    def put_at(self, address: int, data: bytes) -> None:
        """Put bytes at an address that was put before."""
        kept, self.cursor = self.cursor, address
        self.put(data)
        self.cursor = kept

    def at(self, address: int, size: int) -> bytes:
        """Bytes that were put before."""
        origin, held = self._region(address)
        return bytes(held[address - origin : address - origin + size])

    def _region(self, address: int) -> tuple[int, bytearray]:
        for region in reversed(self._regions):
            if region[0] <= address <= region[0] + len(region[1]) + _GAP:
                return region
        self._regions.append((address & ~3, bytearray()))
        return self._regions[-1]

    def blocks(self) -> Iterator[Block]:
        """What was put, as words of 32 bits, the first byte the lowest."""
        for origin, held in self._regions:
            held.extend(bytes(-len(held) % 4))
            words = memoryview(bytes(held)).cast("I")
            yield Block(origin, tuple(words))
