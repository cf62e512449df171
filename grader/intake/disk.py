"""Files on disk, read with a digest; a fault of the disk is the machine's, not the student's.

A batch is planned first and read later, by another process. In between, a download that is still under way or a network
share may remove, cut or replace a file. So whoever reads a submission gives the digests of the bytes that it read, and
the batch compares these with the digests of its plan (`grader.batch.inputs`). A file that the system refuses to read
never counts as missing: that would cost the student points.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO

from grader.errors import JudgeError, refusals

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# Bytes at the beginning of a file, and at its end, that its digest covers: all of it up to twice as many.
MOST_READ = 16 << 20

# Bytes of one read: a sparse file of gigabytes costs nothing to hand in, and must cost no memory.
_PIECE = 1 << 16
_BUFFER = 1 << 16
CALL_AGAIN = "let the grader read it, or bring it back; then call again"
"""Advice to staff about a file that is not there, or that the system refuses to read."""

Digests = dict[Path, str]
"""The digests of files, as `digest_of` makes them, by the paths under which they were read."""


def our_fault(place: Path | str) -> AbstractContextManager[None]:
    """Raises JudgeError if the system refuses to read what lies at a place."""
    return refusals("cannot be read ({})", place, CALL_AGAIN, JudgeError)


def opened(path: Path) -> BinaryIO:
    """The file at a path, to be read. To open it and to read it raises JudgeError where the system refuses."""
    with our_fault(path):
        return io.BufferedReader(_Disk(path), _BUFFER)


class _Disk(io.FileIO):
    """A file whose faults never pass for damage to what was handed in: readers of archives take an OSError for that."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._path = path

    def readinto(self, buffer: WriteableBuffer, /) -> int | None:
        with our_fault(self._path):
            return super().readinto(buffer)

    def readall(self) -> bytes:
        with our_fault(self._path):
            return super().readall()


class Bounded:
    """A file in which no single read is larger than ``bound`` bytes: a larger one raises ``fault``."""

    def __init__(self, stream: BinaryIO, bound: int, fault: Exception) -> None:
        self._stream, self._bound, self._fault = stream, bound, fault
        self.seek, self.tell, self.seekable, self.close = stream.seek, stream.tell, stream.seekable, stream.close

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes; at most ``bound`` where no size is wanted."""
        if size > self._bound:
            raise self._fault
        return self._stream.read(size if size >= 0 else self._bound)


def pieces_of(stream: IO[bytes], length: int) -> Iterator[bytes]:
    """The next bytes of a stream in pieces of a bounded size, as many as ``length`` or as are there."""
    while length and (piece := stream.read(min(length, _PIECE))):
        yield piece
        length -= len(piece)


def digest_of(stream: BinaryIO) -> str:
    """The digest of all of it; beyond twice `MOST_READ` that of its size, beginning and end. The stream stays where it was."""
    at = stream.tell()
    size = stream.seek(0, os.SEEK_END)
    # An archive has its directory at its end, with a checksum of every member: a change shows there.
    ranges = [(0, size)] if size <= 2 * MOST_READ else [(0, MOST_READ), (size - MOST_READ, MOST_READ)]
    digest = hashlib.sha256()
    for begin, length in ranges:
        stream.seek(begin)
        for piece in pieces_of(stream, length):
            digest.update(piece)
    stream.seek(at)
    return digest.hexdigest() if len(ranges) == 1 else f"{digest.hexdigest()} of {size} bytes"


def digest_of_file(path: Path) -> str:
    """The digest of the file at a path, or why it cannot be read."""
    try:
        with path.open("rb") as stream:
            return digest_of(stream)
    except OSError as fault:
        return f"unreadable ({fault.strerror})"
