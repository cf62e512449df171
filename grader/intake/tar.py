"""Reading tar archives into memory, plain or packed by gzip, bzip2 or xz, within the same limits as zip archives.

Theory of operation. Nothing is extracted by the standard library: it only finds the members, and hands out the bytes of those that
are wanted. A packed archive is first unpacked into memory, up to the limits: members lie behind each other, and each
would be unpacked anew. Members beyond the limits are lost, which a sentence says; earlier ones are kept. A header may
say that a name has gigabytes: no single read is larger than a bound.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO

from grader.intake.archive import MIB, Archive, Limits, Listed, Member, Problem, UnreadableError, plan_of, refusal_of
from grader.intake.disk import Bounded, pieces_of
from grader.intake.encoding import readable_names

_PIECE = 64 * 1024  # bytes unpacked at once
_MOST_AT_ONCE = MIB
_MOST_MEMORY = 128 * MIB  # of xz for its own work
_HEADERS = 1_536  # bytes of a member beside its data, on a generous average
_FAULTS = (tarfile.TarError, OSError, EOFError, ValueError, OverflowError, RecursionError, zlib.error, lzma.LZMAError)
_PACKINGS = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ": "xz"}


def opened(stream: BinaryIO, size: int, limits: Limits) -> TarArchive:
    """The archive in a stream, packed or plain. Raises UnreadableError if the stream is not a tar archive."""
    start = stream.read(8)
    stream.seek(0)
    packing = next((name for magic, name in _PACKINGS.items() if start.startswith(magic)), "")
    lost = ""
    if packing:
        data, lost = _unpacked(stream, packing, size, limits)
        # A lone `main.c.gz` has the mark of gzip as well.
        if not data.startswith(b"ustar", 257):
            raise UnreadableError(lost or f"{packing} of something else than a tar archive; please pack it as zip")
        stream = io.BytesIO(data)
    return TarArchive(stream, size, limits, lost)


def _unpacked(stream: BinaryIO, packing: str, size: int, limits: Limits) -> tuple[bytes, str]:
    """The unpacked bytes of a file, up to the limits, and a sentence if that is not all."""
    bound = min(limits.total_bytes, max(limits.free_bytes, limits.ratio * size)) + limits.members * _HEADERS
    pieces: list[bytes] = []
    total = 0
    try:
        for piece in _pieces(stream, packing):
            pieces.append(piece[: bound - total])
            total += len(piece)
            if total > bound:
                lost = "inflates to more than the limits, as archive bombs do; what lies behind that is lost"
                return b"".join(pieces), lost
    except _FAULTS:
        return b"".join(pieces), f"a damaged {packing} file; what lies behind the damage is lost"
    return b"".join(pieces), ""


def _pieces(stream: BinaryIO, packing: str) -> Iterator[bytes]:
    # lzma.LZMAFile has no limit of memory: a header of a few bytes may ask for gigabytes.
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


class TarArchive(Archive):
    """A tar archive with its plan."""

    def __init__(self, stream: BinaryIO, size: int, limits: Limits, lost: str) -> None:
        self._infos, damage = _members(stream, limits)
        self._stream = stream
        names = readable_names([info.name for info in self._infos])
        plan = plan_of(
            Listed(name, info.size, info.isdir(), _refusal(info)) for info, name in zip(self._infos, names, strict=True)
        )
        problems = (Problem("the archive", sentence) for sentence in (lost, damage) if sentence)
        super().__init__(size, replace(plan, problems=(*problems, *plan.problems)))

    def pieces(self, member: Member) -> Iterator[bytes]:
        """The bytes of a member. Raises UnreadableError if the archive ends within it."""
        info = self._infos[member.number]
        left = info.size
        self._stream.seek(info.offset_data)
        for piece in pieces_of(self._stream, left):
            left -= len(piece)
            yield piece
        if left:
            raise UnreadableError("damaged (the archive ends within it)")


def _members(stream: BinaryIO, limits: Limits) -> tuple[list[tarfile.TarInfo], str]:
    """The members as far as they can be found, and a sentence where that is not all."""
    members: list[tarfile.TarInfo] = []
    stream.seek(0)
    try:
        # The standard library reads a name in one piece, however long it says it is.
        bounded = Bounded(stream, _MOST_AT_ONCE, tarfile.ReadError("a header is too large"))
        opened = tarfile.TarFile(fileobj=bounded, encoding="utf-8", errors="surrogateescape")  # type: ignore[arg-type]
        while (info := opened.next()) is not None:
            members.append(info)
            limits.require_members(len(members))
    except _FAULTS:
        # tarfile raises the same errors for a damaged beginning and a damaged end.
        if not members:
            raise UnreadableError("a damaged tar archive") from None
        return members, "a damaged tar archive; what lies behind the damage is lost"
    return members, ""


def _refusal(info: tarfile.TarInfo) -> str:
    link = info.issym() or info.islnk()
    # A header of kilobytes may declare holes of terabytes.
    if info.issparse() and not link:
        return "is a file with holes"
    return refusal_of(link=link, plain=info.isreg() or info.isdir())
