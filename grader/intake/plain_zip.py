"""Zip archives.

Every entry of a directory costs memory, so its size is limited before the standard library parses it. The standard
library refuses a whole archive for one bad entry, so bad entries are mended first. zipfile never gives more bytes than
were declared.

Only stored and deflated members are read: systems write these, and the standard library cannot inflate other methods in
bounded pieces.
"""

from __future__ import annotations

import hashlib
import stat
import struct
import zipfile
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import BinaryIO

from grader.intake import archive
from grader.intake.archive import KIB, MIB, Archive, Limits, Listed, Member, UnreadableError
from grader.intake.disk import Bounded, pieces_of
from grader.intake.encoding import decode_names

_DIRECTORY_ENTRY = 512  # bytes of the archive's directory for one member, on a generous average
_DIRECTORY_SPARE = 128 * KIB  # the end record with its comment is read before the directory, in one piece of 64 KiB
_LOCAL_HEADER = 30  # bytes of the header of a member,
_LENGTHS = 26  # and where in it the lengths of its name and of its extra fields stand
# Bytes: two members that agree in these, in checksum and in both sizes have the same digest.
_MOST_PACKED = 64 * MIB  # of a packed member that tell it from another, beside its checksum and sizes
_ENTRY = struct.Struct("<4sHHH18xHHH12x")  # signature, versions, flags; lengths of name, extra fields and comment
_ENTRY_BEGIN = b"PK\1\2"
_EXTRACT_VERSION = 6  # where in an entry the version lies that is needed to read it,
_FLAGS = 8  # and the flags
_NEWEST = 63  # version 6.3, the newest that zipfile reads
_PIECE = 64 * KIB
_ENCRYPTED = 0x1 | 0x40  # flags: encrypted, strongly encrypted
_UTF8_FLAG = 0x800
_UNICODE_PATH = 0x7075  # the extra field with a name in UTF-8
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_FAULTS = (zipfile.BadZipFile, struct.error, ValueError, OSError, EOFError, OverflowError)
_DIRECTORY_FAULTS = (*_FAULTS, NotImplementedError)
_MEMBER_FAULTS = (*_FAULTS, zlib.error, RuntimeError)


def opened(stream: BinaryIO, size: int, limits: Limits) -> ZipArchive:
    """The archive in a stream. Raises UnreadableError if it is damaged or has too many members."""
    guarded = _Guarded(stream, limits.members * _DIRECTORY_ENTRY + _DIRECTORY_SPARE)
    try:
        opened_zip = zipfile.ZipFile(guarded)
    except _DIRECTORY_FAULTS as fault:
        raise UnreadableError(f"a damaged zip archive ({archive.reason(fault)})") from fault
    limits.require_members(len(opened_zip.filelist))
    return ZipArchive(opened_zip, size, guarded.unfit)


class ZipArchive(Archive):
    """A zip archive with its plan; ``unfit`` has the numbers of unreadable entries, with the reason."""

    def __init__(self, opened: zipfile.ZipFile, size: int, unfit: Mapping[int, str]) -> None:
        self._zip = opened
        entries = opened.infolist()
        overlapping = _overlapping(entries)
        pairs = enumerate(zip(entries, _names(entries, unfit), strict=True))
        listed = (
            Listed(name, entry.file_size, _is_folder(name), unfit.get(number) or _refusal(entry, name, overlapping))
            for number, (entry, name) in pairs
        )
        super().__init__(size, archive.plan_of(listed))

    def pieces(self, member: Member) -> Iterator[bytes]:
        """The bytes of a member. Raises UnreadableError if it is damaged."""
        try:
            with self._zip.open(self._zip.infolist()[member.number]) as stream:
                while piece := stream.read(_PIECE):
                    yield piece
        except _MEMBER_FAULTS as fault:
            raise UnreadableError(f"damaged ({archive.reason(fault)})") from fault

    def packed(self, member: Member) -> str:
        """A digest of the packed bytes, which unpacks nothing."""
        info, digest, stream = self._zip.infolist()[member.number], hashlib.sha256(), self._zip.fp
        if stream is not None:
            stream.seek(info.header_offset)
            header = stream.read(_LOCAL_HEADER)
            if len(header) == _LOCAL_HEADER:
                name, extra = struct.unpack_from("<HH", header, _LENGTHS)
                stream.seek(info.header_offset + _LOCAL_HEADER + name + extra)
            for piece in pieces_of(stream, min(info.compress_size, _MOST_PACKED)):
                digest.update(piece)
        return f"{digest.hexdigest()} {info.CRC} {info.compress_type} {info.compress_size} {info.file_size}"


class _Guarded(Bounded):
    """A file in which no single read is larger than ``bound``: zipfile reads a directory, of any size, in one piece.

    The entries in that piece are mended; ``unfit`` has the numbers of those that cannot be read, with the reason.
    """

    def __init__(self, stream: BinaryIO, bound: int) -> None:
        super().__init__(stream, bound, zipfile.BadZipFile("its directory is too large"))
        self._opening = True
        self.unfit: dict[int, str] = {}

    def read(self, size: int = -1, /) -> bytes:
        """Read, and mend the entries of a directory."""
        data = super().read(size)
        if self._opening and data.startswith(_ENTRY_BEGIN):
            self._opening = False
            data, self.unfit = _mended(data)
        return data


def _mended(directory: bytes) -> tuple[bytes, dict[int, str]]:
    """The directory, mended so that zipfile accepts the archive, and the numbers of entries that cannot be read."""
    mended, unfit = bytearray(directory), dict[int, str]()
    at = number = 0
    while directory.startswith(_ENTRY_BEGIN, at) and at + _ENTRY.size <= len(directory):
        _, _, version, flags, name, extra, comment = _ENTRY.unpack_from(directory, at)
        begin = at + _ENTRY.size
        # zipfile decodes such a name strictly, and gives up the whole archive for it.
        if flags & _UTF8_FLAG and not _is_utf8(directory[begin : begin + name]):
            struct.pack_into("<H", mended, at + _FLAGS, flags & ~_UTF8_FLAG)
            unfit[number] = "has a name that is marked as UTF-8 and is not"
        # zipfile refuses the archive for one entry of a later version; a test changes the version of one member.
        if version > _NEWEST:
            struct.pack_into("<H", mended, at + _EXTRACT_VERSION, _NEWEST)
            unfit[number] = "needs a version of zip that there is not"
        # Newer releases of zipfile raise for extra fields that end too early, older ones pass over them.
        if not _is_sound(directory[begin + name : begin + name + extra]):
            mended[begin + name : begin + name + extra] = bytes(len(directory[begin + name : begin + name + extra]))
        at, number = begin + name + extra + comment, number + 1
    return bytes(mended), unfit


def _is_utf8(name: bytes) -> bool:
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_sound(extra: bytes) -> bool:
    """Whether the extra fields of an entry end where they say.

    Newer versions of zipfile also decode the Unicode path.
    """
    return all(
        len(body) == size and (kind != _UNICODE_PATH or (size >= 5 and _is_utf8(body[5:])))
        for kind, size, body in _fields(extra)
    )


def _fields(extra: bytes) -> Iterator[tuple[int, int, bytes]]:
    """The extra fields of an entry: kind, declared size, and the part of the body that is present."""
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<HH", extra)
        yield kind, size, extra[4 : 4 + size]
        extra = extra[4 + size :]


def _is_folder(name: str) -> bool:
    return name.endswith(("/", "\\"))


def _refusal(entry: zipfile.ZipInfo, name: str, overlapping: Collection[zipfile.ZipInfo]) -> str:
    """The reason not to take an entry; empty if it can be taken. A folder always can: it has no data."""
    if _is_folder(name):
        return ""
    kind = stat.S_IFMT(entry.external_attr >> 16)
    refusal = archive.refusal_of(link=kind == stat.S_IFLNK, plain=kind in (0, stat.S_IFREG))
    # Bit 0 is the old encryption, bit 6 the strong one of newer packers.
    if not refusal and entry.flag_bits & _ENCRYPTED:
        return "is encrypted"
    if not refusal and entry.compress_type not in _METHODS:
        return "is compressed by a method other than deflate"
    return refusal or ("shares its data with another member, as archive bombs do" if entry in overlapping else "")


def _overlapping(entries: Sequence[zipfile.ZipInfo]) -> set[zipfile.ZipInfo]:
    """The entries whose data overlap those of another. An entry covers at least its header, name and declared data."""
    overlapping: set[zipfile.ZipInfo] = set()
    last: zipfile.ZipInfo | None = None
    end = -1
    for entry in sorted(entries, key=lambda e: e.header_offset):
        # Members that share one block of data are how a zip of 46 MB inflates to petabytes.
        if last is not None and entry.header_offset < end:
            overlapping |= {last, entry}
        reach = entry.header_offset + _LOCAL_HEADER + len(_raw_name(entry)) + entry.compress_size
        if reach >= end:
            last, end = entry, reach
    return overlapping


def _names(entries: Sequence[zipfile.ZipInfo], unfit: Mapping[int, str]) -> list[str]:
    """The names as their authors saw them: flagged UTF-8, else from the extra field, else by the archive's encoding.

    The names of unreadable entries do not count in the guess of the encoding.
    """
    known = [e.orig_filename if e.flag_bits & _UTF8_FLAG else _unicode_path(e) for e in entries]
    for number in unfit:
        (known[number],) = decode_names([_raw_name(entries[number])])
    unknown = [_raw_name(e) for e, name in zip(entries, known, strict=True) if name is None]
    decoded = iter(decode_names(unknown))
    return [next(decoded) if name is None else name for name in known]


def _raw_name(entry: zipfile.ZipInfo) -> bytes:
    """The bytes of the name: zipfile decodes unflagged ones as CP437, which loses nothing."""
    return entry.orig_filename.encode("utf-8" if entry.flag_bits & _UTF8_FLAG else "cp437")


def _unicode_path(entry: zipfile.ZipInfo) -> str | None:
    """The name in the Unicode Path extra field (APPNOTE 4.6.9), when it belongs to the name in the header."""
    for kind, _, body in _fields(entry.extra):
        # Info-ZIP writes it beside a name in the code page; its checksum shows whether the name was changed since.
        if kind == _UNICODE_PATH and len(body) > 5 and body[0] == 1:
            (crc,) = struct.unpack_from("<L", body, 1)
            if crc == zlib.crc32(_raw_name(entry)):
                return body[5:].decode("utf-8", "replace")
    return None
