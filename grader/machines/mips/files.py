"""The files of a simulated program: what they hold, and which are open.

A program may write a file byte by byte, and may be forked after each. So a file is a buffer that grows, and forks share it.
Each fork knows how much of the buffer is its own. If another session has appended behind that, a fork takes a copy before it appends.
"""

from __future__ import annotations

from dataclasses import dataclass


class Contents:
    """The contents of a file."""

    def __init__(self, data: bytes = b"") -> None:
        self._buffer = bytearray(data)
        self._length = len(data)

    def __bytes__(self) -> bytes:
        """All of it."""
        return self.part(0, self._length)

    def part(self, start: int, size: int) -> bytes:
        """At most ``size`` bytes from ``start`` on; fewer where the file ends."""
        return bytes(memoryview(self._buffer)[start : min(start + size, self._length)])

    def append(self, data: bytes) -> None:
        """Put bytes behind what is there, in time that depends on their number alone."""
        if len(self._buffer) > self._length:
            self._buffer = self._buffer[: self._length]
        self._buffer += data
        self._length += len(data)

    def copy(self) -> Contents:
        """The same for a fork: the buffer is shared, and neither sees what the other appends."""
        twin = Contents()
        twin._buffer, twin._length = self._buffer, self._length
        return twin


@dataclass(slots=True)
class OpenFile:
    """A file that the program has open."""

    name: str
    writing: bool
    position: int = 0
