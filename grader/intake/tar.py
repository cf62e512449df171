"""Reading tar archives into memory, plain or packed by gzip, bzip2 or xz, within the same limits as zip archives.

Theory of operation. Nothing is extracted by the standard library: it only finds the members, and hands out the bytes of those that
are wanted. What is packed is unpacked into memory first, as far as the limits go, since members lie behind each other and
each would be unpacked anew. What lies beyond that is lost and said; what came before is kept. A header may say that a
name has gigabytes: no single read is larger than a bound.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import BinaryIO

from grader.intake.archive import (
    MIB,
    Allowance,
    Archive,
    Limits,
    Listed,
    Member,
    Plan,
    Problem,
    UnreadableError,
    plan_of,
)
from grader.intake.encoding import readable_names

_PIECE = 64 * 1024
_MOST_AT_ONCE = MIB
_MOST_MEMORY = 128 * MIB  # of xz for its own work
_HEADERS = 1_536  # bytes of a member beside its data, on a generous average
_FAULTS = (tarfile.TarError, OSError, EOFError, ValueError, OverflowError, RecursionError, zlib.error, lzma.LZMAError)

PACKED = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ": "xz"}
"""How what is packed begins."""


def is_tar(start: bytes) -> bool:
    """Whether these are the first bytes of a tar archive."""
    return start[257:262] == b"ustar"


def opened(stream: BinaryIO, start: bytes, size: int, limits: Limits) -> Archive:
    """The archive in a stream that begins with ``start``. Raises UnreadableError where there is none in it."""
    packing = next((what for magic, what in PACKED.items() if start.startswith(magic)), "")
    lost = ""
    if packing:
        data, lost = _unpacked(stream, packing, size, limits)
        if not is_tar(data):
            raise UnreadableError(lost or f"{packing} of something else than a tar archive; please pack it as zip")
        stream = io.BytesIO(data)
    return TarArchive(stream, size, limits, lost)


def _unpacked(stream: BinaryIO, packing: str, size: int, limits: Limits) -> tuple[bytes, str]:
    """What comes out of a packed file, as far as the limits go, and a sentence where that is not all."""
    bound = min(limits.total_bytes, max(limits.free_bytes, limits.ratio * size)) + limits.members * _HEADERS
    pieces: list[bytes] = []
    total = 0
    try:
        for piece in _pieces(stream, packing):
            pieces.append(piece[: bound - total])
            total += len(piece)
            if total > bound:
                return b"".join(
                    pieces
                ), "inflates to more than the limits, as archive bombs do; what lies behind that is lost"
    except _FAULTS:
        return b"".join(pieces), f"a damaged {packing} file; what lies behind the damage is lost"
    return b"".join(pieces), ""


def _pieces(stream: BinaryIO, packing: str) -> Iterator[bytes]:
    if packing == "xz":  # its own file object does not bound its memory
        yield from _of_xz(stream)
        return
    unpacked: gzip.GzipFile | bz2.BZ2File = gzip.GzipFile(fileobj=stream) if packing == "gzip" else bz2.BZ2File(stream)
    while piece := unpacked.read(_PIECE):
        yield piece


def _of_xz(stream: BinaryIO) -> Iterator[bytes]:
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MOST_MEMORY)
    while not unpacker.eof:
        data = stream.read(_PIECE) if unpacker.needs_input else b""
        piece = unpacker.decompress(data, _PIECE)
        if not data and not piece and unpacker.needs_input:
            raise EOFError
        yield piece


class _Bounded:
    """A file in which no single read is large: the standard library reads a name in one piece, however long it says it is."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.seek = stream.seek
        self.tell = stream.tell

    def read(self, size: int = -1, /) -> bytes:
        if size > _MOST_AT_ONCE:
            raise tarfile.ReadError("a header is too large")
        return self._stream.read(size if size >= 0 else _MOST_AT_ONCE)


class TarArchive(Archive):
    """A tar archive with its plan."""

    def __init__(self, stream: BinaryIO, size: int, limits: Limits, lost: str) -> None:
        found, damage = _found(stream, limits)
        self._infos: list[tarfile.TarInfo] = found
        self._stream = stream
        super().__init__(size, _plan(found, [told for told in (lost, damage) if told]))

    def read(self, member: Member, allowance: Allowance) -> bytes:
        """The bytes of a member, or UnreadableError: damaged, or over the limits."""
        allowance.require(member.size)
        info = self._infos[member.number]
        pieces: list[bytes] = []
        left = info.size
        self._stream.seek(info.offset_data)
        while left:
            piece = self._stream.read(min(left, _PIECE))
            if not piece:
                raise UnreadableError("damaged (the archive ends within it)")
            allowance.spend(len(piece))
            pieces.append(piece)
            left -= len(piece)
        return b"".join(pieces)


def _found(stream: BinaryIO, limits: Limits) -> tuple[list[tarfile.TarInfo], str]:
    """The members as far as they can be found, and a sentence where that is not all."""
    found: list[tarfile.TarInfo] = []
    stream.seek(0)
    try:
        opened = tarfile.TarFile(fileobj=_Bounded(stream), encoding="utf-8", errors="surrogateescape")  # type: ignore[arg-type]
        while (info := opened.next()) is not None:
            found.append(info)
            if len(found) > limits.members:
                raise UnreadableError(f"more than {limits.members} members, the limit for an archive")
    except _FAULTS:
        if not found:
            raise UnreadableError("a damaged tar archive") from None
        return found, "a damaged tar archive; what lies behind the damage is lost"
    return found, ""


def _plan(found: Sequence[tarfile.TarInfo], lost: Sequence[str]) -> Plan:
    names = readable_names([info.name for info in found])
    plan = plan_of(
        Listed(name, info.size, info.isdir(), _refusal(info)) for info, name in zip(found, names, strict=True)
    )
    return replace(plan, problems=(*(Problem("the archive", told) for told in lost), *plan.problems))


def _refusal(info: tarfile.TarInfo) -> str:
    if info.issym() or info.islnk():
        return "is a link"
    if info.issparse():
        return "is a file with holes"
    return "" if info.isreg() or info.isdir() else "is neither a file nor a folder"
