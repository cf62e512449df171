"""Reading archives into memory, when whoever made them may mean harm: zip here, tar, 7z and rar by modules beside this one.

Theory of operation. Nothing is ever written to disk, so a name can mislead but not overwrite. First a *plan* over the
directory of the archive: names decoded and cleaned; links, encrypted members, overlapping data and names that lead
outside left out, each with a sentence for the report. Then members are read one at a time against an `Allowance`, which
counts what really comes out of the decompressor: a size that the archive declares is believed only when it is too big,
and zipfile hands out no more than was declared. Small members are read first, so that a bomb takes nothing from them.
The directory itself is bounded before the standard library parses it, since every entry costs memory; and what is wrong
with a single entry is put right before, since the standard library refuses the whole archive for the sake of one.

Only stored and deflated members are read: they are what systems write, and the other methods cannot be inflated in
bounded pieces by the standard library. A member that fails is left out and reported; the rest is kept.
"""

from __future__ import annotations

import hashlib
import io
import re
import stat
import struct
import zipfile
import zlib
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

from grader.intake.encoding import decode_names
from grader.intake.names import clean, is_noise, shown

KIB = 1024
MIB = 1024 * KIB


@dataclass(frozen=True, slots=True)
class Limits:
    """What one submission may hold: members, bytes of one and of all together, archives inside archives.

    Beyond ``free_bytes`` the members together may be at most ``ratio`` times as large as the archive.
    """

    members: int = 5_000
    member_bytes: int = 16 * MIB
    total_bytes: int = 64 * MIB
    free_bytes: int = 16 * MIB
    ratio: int = 100
    depth: int = 3


SUBMISSION = Limits()
# The download of a whole class: made by a system or by the TA, read one member at a time.
DOWNLOAD = Limits(members=100_000, member_bytes=128 * MIB, total_bytes=128 * MIB, free_bytes=128 * MIB)

_DIRECTORY_ENTRY = 512  # bytes of the archive's directory for one member, on a generous average
_DIRECTORY_SPARE = 128 * KIB  # the end record with its comment is read before the directory, in one piece of 64 KiB
_LOCAL_HEADER = 30
_ENTRY = struct.Struct("<4sHHH18xHHH12x")  # signature, versions, flags; lengths of name, extra fields and comment
_ENTRY_BEGIN = b"PK\1\2"
_EXTRACT_VERSION = 6  # where in an entry the version lies that is needed to read it,
_FLAGS = 8  # and the flags
_NEWEST = 63
_PIECE = 64 * KIB
_ENCRYPTED = 0x1 | 0x40
_UTF8_FLAG = 0x800
_UNICODE_PATH = 0x7075
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DIRECTORY_FAULTS = (
    zipfile.BadZipFile,
    NotImplementedError,
    struct.error,
    ValueError,
    OSError,
    EOFError,
    OverflowError,
)
_MEMBER_FAULTS = (*_DIRECTORY_FAULTS, zlib.error, RuntimeError)
_OTHER_FORMATS = (
    (b"%PDF", "a PDF"),
    (b"\xd0\xcf\x11\xe0", "an old Office document"),
)


class UnreadableError(Exception):
    """Something handed in cannot be read; the message is a sentence for the report. Becomes a problem, never a crash."""


@dataclass
class Allowance:
    """What is left of the limits while one submission is read, nested archives included."""

    limits: Limits
    archive_bytes: int = 0
    members: int = 0
    inflated: int = 0

    def count(self, members: int) -> None:
        """Take so many members, or raise UnreadableError."""
        self.members += members
        if self.members > self.limits.members:
            raise UnreadableError(f"more than {self.limits.members} members, which is the limit for one submission")

    def require(self, size: int) -> None:
        """Raise UnreadableError when a file of so many bytes goes beyond what is left. Takes nothing yet."""
        limits, total = self.limits, self.inflated + size
        if size > limits.member_bytes:
            raise UnreadableError(f"larger than {megabytes(limits.member_bytes)}, the limit for one file")
        if total > limits.total_bytes:
            raise UnreadableError(f"more than {megabytes(limits.total_bytes)} in all, the limit for one submission")
        if self.archive_bytes and total > max(limits.free_bytes, limits.ratio * self.archive_bytes):
            raise UnreadableError(f"inflates to more than {limits.ratio} times the archive's size, as archive bombs do")

    def spend(self, size: int) -> None:
        """Take so many inflated bytes, or raise UnreadableError."""
        self.require(size)
        self.inflated += size


def megabytes(size: int) -> str:
    """A size in bytes for a sentence: ``16 MiB``."""
    return f"{size / MIB:.4g} MiB"


@dataclass(frozen=True, slots=True)
class Member:
    """One file in an archive: its clean path, the size that it declares, and its place in the archive's directory."""

    path: str
    size: int
    number: int


@dataclass(frozen=True, slots=True)
class Problem:
    """A member that cannot be taken as it is, by its path with forward slashes, and why."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{shown(self.path)}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Plan:
    """What an archive holds: ``members`` worth reading, ``folders``, and ``problems`` with all others."""

    members: tuple[Member, ...]
    folders: tuple[str, ...]
    problems: tuple[Problem, ...]


_LOCAL_HEADER, _LENGTHS = (
    30,
    26,
)  # of a member in a zip archive: the size of its header, and where the lengths in it stand
_MOST_PACKED = 64 * MIB  # of a packed member that tell it from another, beside its checksum and sizes


class Archive(ABC):
    """An open archive of ``size`` bytes with its plan: ``members`` worth reading, ``folders``, and ``problems`` with all others."""

    def __init__(self, size: int, plan: Plan) -> None:
        self.size = size
        self.members = plan.members
        self.folders = plan.folders
        self.problems = plan.problems

    @cached_property
    def by_path(self) -> Mapping[str, Member]:
        """The members by their paths."""
        return {member.path: member for member in self.members}

    @cached_property
    def _paths(self) -> list[str]:
        return sorted(self.by_path)

    def inside(self, folder: str) -> Sequence[Member]:
        """The members below a folder; all where it is empty. Takes no time that grows with the others: a class has thousands."""
        if not folder:
            return self.members
        begin, end = (bisect_left(self._paths, folder + mark) for mark in ("/", "0"))  # "0" comes right after "/"
        return [self.by_path[path] for path in self._paths[begin:end]]

    @abstractmethod
    def read(self, member: Member, allowance: Allowance) -> bytes:
        """The bytes of a member, or UnreadableError: damaged, encrypted, or over the limits."""

    def packed(self, member: Member) -> str | None:  # noqa: ARG002  where members are packed together
        """A digest of what a member is packed to, which unpacks nothing; None where members are not packed apart."""
        return None


class _ZipArchive(Archive):
    def __init__(self, opened: zipfile.ZipFile, size: int, unfit: Mapping[int, str]) -> None:
        self._zip = opened
        super().__init__(size, _plan(opened.infolist(), unfit))

    def read(self, member: Member, allowance: Allowance) -> bytes:
        allowance.require(member.size)
        pieces: list[bytes] = []
        try:
            with self._zip.open(self._zip.infolist()[member.number]) as stream:
                while piece := stream.read(_PIECE):
                    allowance.spend(len(piece))
                    pieces.append(piece)
        except _MEMBER_FAULTS as fault:
            raise UnreadableError(f"damaged ({_reason(fault)})") from fault
        return b"".join(pieces)

    def packed(self, member: Member) -> str:
        info, digest, stream = self._zip.infolist()[member.number], hashlib.sha256(), self._zip.fp
        if stream is not None:
            stream.seek(info.header_offset)
            header = stream.read(_LOCAL_HEADER)
            if len(header) == _LOCAL_HEADER:
                name, extra = struct.unpack_from("<HH", header, _LENGTHS)
                stream.seek(info.header_offset + _LOCAL_HEADER + name + extra)
            left = min(info.compress_size, _MOST_PACKED)
            while left and (piece := stream.read(min(left, _PIECE))):
                digest.update(piece)
                left -= len(piece)
        return f"{digest.hexdigest()} {info.CRC} {info.compress_type} {info.compress_size} {info.file_size}"


@contextmanager
def open_archive(source: Path | bytes, limits: Limits = SUBMISSION) -> Iterator[Archive]:
    """Open an archive, on disk or in memory; UnreadableError says what it is if it is none, or what is wrong with it."""
    with io.BytesIO(source) if isinstance(source, bytes) else source.open("rb") as stream:
        size = stream.seek(0, io.SEEK_END)
        stream.seek(0)
        start = stream.read(512)
        stream.seek(0)
        if other := _other_archive(stream, start, size, limits):
            yield other
            return
        _refuse_other_formats(start, size)
        guarded = _Guarded(stream, limits.members * _DIRECTORY_ENTRY + _DIRECTORY_SPARE)
        try:
            opened = zipfile.ZipFile(guarded)
        except _DIRECTORY_FAULTS as fault:
            raise UnreadableError(f"a damaged zip archive ({_reason(fault)})") from fault
        with opened:
            if len(opened.filelist) > limits.members:
                raise UnreadableError(f"more than {limits.members} members, the limit for an archive")
            yield _ZipArchive(opened, size, guarded.unfit)


def _other_archive(stream: BinaryIO, start: bytes, size: int, limits: Limits) -> Archive | None:
    """An archive of another kind than zip, if it is one that can be read."""
    from grader.intake import rar, seven_zip, tar  # they stand on what is above

    if tar.is_tar(start) or start.startswith(tuple(tar.PACKED)):
        return tar.opened(stream, start, size, limits)
    if start.startswith(seven_zip.MAGIC):
        return seven_zip.opened(stream, size, limits)
    if start.startswith(rar.MAGIC):
        return rar.opened(stream, size, limits)
    return None


def _refuse_other_formats(start: bytes, size: int) -> None:
    if not size:
        raise UnreadableError("an empty file, not a zip archive")
    for magic, what in _OTHER_FORMATS:
        if start.startswith(magic):
            raise UnreadableError(f"{what}, not a zip archive; please pack it as zip")


class _Guarded:
    """A file in which no single read is larger than ``bound``: zipfile reads a directory, of any size, in one piece.

    In that piece the entries are mended; ``unfit`` says, by their numbers, which of them cannot be read at all, and why.
    """

    def __init__(self, stream: BinaryIO, bound: int) -> None:
        self._stream = stream
        self._bound = bound
        self._opening = True
        self.unfit: dict[int, str] = {}
        self.seek = stream.seek
        self.tell = stream.tell
        self.seekable = stream.seekable
        self.close = stream.close

    def read(self, size: int = -1, /) -> bytes:
        if size > self._bound:
            raise zipfile.BadZipFile("its directory is too large")
        data = self._stream.read(size if size >= 0 else self._bound)
        if self._opening and data.startswith(_ENTRY_BEGIN):
            self._opening = False
            data, self.unfit = _mended(data)
        return data


def _mended(directory: bytes) -> tuple[bytes, dict[int, str]]:
    """The directory without what zipfile refuses a whole archive for, and the numbers of the entries that cannot be read."""
    mended, unfit = bytearray(directory), dict[int, str]()
    at = number = 0
    while directory.startswith(_ENTRY_BEGIN, at) and at + _ENTRY.size <= len(directory):
        _, _, version, flags, name, extra, comment = _ENTRY.unpack_from(directory, at)
        begin = at + _ENTRY.size
        if flags & _UTF8_FLAG and not _is_utf8(directory[begin : begin + name]):
            struct.pack_into("<H", mended, at + _FLAGS, flags & ~_UTF8_FLAG)
            unfit[number] = "has a name that is marked as UTF-8 and is not"
        if version > _NEWEST:
            struct.pack_into("<H", mended, at + _EXTRACT_VERSION, _NEWEST)
            unfit[number] = "needs a version of zip that there is not"
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
    """Whether the extra fields of an entry end where they say; newer versions of zipfile decode the Unicode path as well."""
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<HH", extra)
        body, extra = extra[4 : 4 + size], extra[4 + size :]
        if len(body) < size or (kind == _UNICODE_PATH and (size < 5 or not _is_utf8(body[5:]))):
            return False
    return True


def _plan(entries: Sequence[zipfile.ZipInfo], unfit: Mapping[int, str]) -> Plan:
    overlapping = _overlapping(entries)
    members: dict[str, Member] = {}
    folders: list[str] = []
    problems: list[Problem] = []
    for number, (entry, name) in enumerate(zip(entries, _names(entries, unfit), strict=True)):
        path = name.replace("\\", "/")
        try:
            kept = clean_path(path)
            if not kept or is_noise(kept):
                continue
            if number in unfit:
                raise UnreadableError(unfit[number])
            if path.endswith("/"):
                folders.append(kept)
                continue
            _refuse_entry(entry, entry in overlapping)
        except UnreadableError as fault:
            problems.append(Problem(path, f"{fault}; it was left out"))
            continue
        if kept in members:
            problems.append(Problem(path, "is in the archive more than once; the last one counts"))
        members[kept] = Member(kept, entry.file_size, number)
    return Plan(tuple(members.values()), tuple(folders), tuple(problems))


def _refuse_entry(entry: zipfile.ZipInfo, overlaps: bool) -> None:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind == stat.S_IFLNK:
        raise UnreadableError("is a link")
    if kind not in (0, stat.S_IFREG):
        raise UnreadableError("is neither a file nor a folder")
    if entry.flag_bits & _ENCRYPTED:
        raise UnreadableError("is encrypted")
    if entry.compress_type not in _METHODS:
        raise UnreadableError("is compressed by a method other than deflate")
    if overlaps:
        raise UnreadableError("shares its data with another member, as archive bombs do")


def _overlapping(entries: Sequence[zipfile.ZipInfo]) -> set[zipfile.ZipInfo]:
    """The entries whose data overlap those of another: each reaches at least over its header, name and declared data."""
    found: set[zipfile.ZipInfo] = set()
    last: zipfile.ZipInfo | None = None
    end = -1
    for entry in sorted(entries, key=lambda e: e.header_offset):
        if last is not None and entry.header_offset < end:
            found |= {last, entry}
        reach = entry.header_offset + _LOCAL_HEADER + len(_raw_name(entry)) + entry.compress_size
        if reach >= end:
            last, end = entry, reach
    return found


def _names(entries: Sequence[zipfile.ZipInfo], unfit: Mapping[int, str]) -> list[str]:
    """The names as their authors saw them: flagged UTF-8, else from the extra field, else by the archive's encoding.

    The name of an entry that cannot be read has no say in what the encoding is.
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
    extra = entry.extra
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<HH", extra)
        body, extra = extra[4 : 4 + size], extra[4 + size :]
        if kind == _UNICODE_PATH and len(body) > 5 and body[0] == 1:
            (crc,) = struct.unpack_from("<L", body, 1)
            if crc == zlib.crc32(_raw_name(entry)):
                return body[5:].decode("utf-8", "replace")
    return None


def clean_path(path: str) -> str:
    """A member's path, which has forward slashes only, in clean parts; empty for the root itself.

    Raises UnreadableError for what leads outside: absolute paths, drives, ``..``; and for names with a NUL or of absurd
    length.
    """
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if path.startswith("/") or re.match(r"[A-Za-z]:", path):
        raise UnreadableError("has an absolute path")
    if ".." in parts:
        raise UnreadableError("leads outside the archive")
    if "\0" in path or len(path) > 1_000 or len(parts) > 50:
        raise UnreadableError("has a name that no system would give")
    return "/".join(clean(part) for part in parts)


def _reason(fault: BaseException) -> str:
    """What a library complains about, for a sentence; names in it are cleaned, since a student chose them."""
    return shown(str(fault).rstrip(".")) or type(fault).__name__
