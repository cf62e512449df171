"""Archives from anybody, read safely into memory: the part that all types share.

Each type has a module beside this one.

Theory of operation. Nothing is ever written to disk, so a misleading name can overwrite nothing. The directory of the
archive becomes a *plan* of decoded and clean names. It leaves out links, encrypted members, overlapping data and names
that lead outside, each with a sentence for the report. Then members are read one at a time against an `Allowance`. It
counts the bytes that the decompressor really gives; a declared size is believed only when it is too big. Small members
are read first, so that a bomb takes nothing from them. A member that fails is left out and reported; the rest is kept.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from importlib import import_module
from itertools import islice, takewhile
from pathlib import Path
from typing import BinaryIO

from grader.intake import disk
from grader.intake.names import clean, is_noise, shown
from grader.submission import ARCHIVES
from grader.values import dataclass

KIB = 1024
MIB = 1024 * KIB


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one submission: members, bytes of one member and of all together, archives inside archives.

    Beyond ``free_bytes`` the members together may be at most ``ratio`` times as large as the archive.
    """

    members: int = 5_000
    member_bytes: int = 16 * MIB  # a report with pictures is one file
    total_bytes: int = 64 * MIB
    free_bytes: int = 16 * MIB
    # Deflate packs to a thousandth at best, and source text to about a tenth.
    ratio: int = 100
    # A download of zips with a zip in each is two deep.
    depth: int = 3

    def require_members(self, count: int) -> None:
        """Raise UnreadableError where one archive has too many members."""
        if count > self.members:
            raise UnreadableError(f"more than {self.members} members, the limit for an archive")


SUBMISSION = Limits()
# The download of a whole class: made by a system or by the TA, read one member at a time.
# thousands of students with folders of files
DOWNLOAD = Limits(members=100_000, member_bytes=128 * MIB, total_bytes=128 * MIB, free_bytes=128 * MIB)

_OTHER_FORMATS = ((b"%PDF", "a PDF"), (b"\xd0\xcf\x11\xe0", "an old Office document"))


class UnreadableError(Exception):
    """Something handed in cannot be read; the message is a sentence for the report. Becomes a problem, never a crash."""


@dataclass
class Allowance:
    """The rest of the limits while one submission is read, nested archives included."""

    limits: Limits
    archive_bytes: int = 0
    members: int = 0
    inflated: int = 0

    def count(self, members: int) -> None:
        """Take this number of members, or raise UnreadableError."""
        self.members += members
        if self.members > self.limits.members:
            raise UnreadableError(f"more than {self.limits.members} members, which is the limit for one submission")

    def require(self, size: int) -> None:
        """Raise UnreadableError if a file of this size in bytes exceeds the rest. Takes nothing yet."""
        limits, total = self.limits, self.inflated + size
        if size > limits.member_bytes:
            raise UnreadableError(f"larger than {megabytes(limits.member_bytes)}, the limit for one file")
        if total > limits.total_bytes:
            raise UnreadableError(f"more than {megabytes(limits.total_bytes)} in all, the limit for one submission")
        if self.archive_bytes and total > max(limits.free_bytes, limits.ratio * self.archive_bytes):
            raise UnreadableError(f"inflates to more than {limits.ratio} times the archive's size, as archive bombs do")

    def gathered(self, pieces: Iterable[bytes]) -> bytes:
        """The pieces of a file as one; each is taken from the rest as it comes. Raises UnreadableError."""
        gathered = []
        for piece in pieces:
            self.require(len(piece))
            self.inflated += len(piece)
            gathered.append(piece)
        return b"".join(gathered)


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
    """The contents of an archive: ``members`` worth reading, ``folders``, and ``problems`` with all others."""

    members: tuple[Member, ...]
    folders: tuple[str, ...]
    problems: tuple[Problem, ...]


class Archive(ABC):
    """An open archive of ``size`` bytes with its plan: ``members`` worth reading, ``folders``, and ``problems`` with all others."""

    def __init__(self, size: int, plan: Plan) -> None:
        self.size, self.members, self.folders, self.problems = size, plan.members, plan.folders, plan.problems
        self.file: BinaryIO | None = None  # on disk, if the archive is read from there
        self._whole: tuple[object, str] = (None, "")

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
        # A walk over all members for each of thousands of submissions made planning take minutes.
        begin, end = (bisect_left(self._paths, folder + mark) for mark in ("/", "0"))  # "0" comes right after "/"
        return [self.by_path[path] for path in self._paths[begin:end]]

    def read(self, member: Member, allowance: Allowance) -> bytes:
        """The bytes of a member, or UnreadableError: damaged, encrypted, or over the limits."""
        allowance.require(member.size)
        return allowance.gathered(self.pieces(member))

    @abstractmethod
    def pieces(self, member: Member) -> Iterator[bytes]:
        """The bytes of a member, a bounded number at a time. Raises UnreadableError if it is damaged."""

    def packed(self, member: Member) -> str | None:  # noqa: ARG002  where members are packed together
        """A digest of the packed bytes of a member, made without unpacking; None if members are packed together."""
        return None

    def digest(self, inside: str) -> str:
        """A digest of the packed bytes of a member, or of all below a folder: a bomb costs no more than its size.

        The digest of the whole archive if members are packed together; empty if nothing is at ``inside``.
        """
        if not self.holds(inside):
            return ""
        # In a solid archive no member has bytes of its own to tell it by.
        if any(self.packed(member) is None for member in self.members[:1]):
            return self.whole()
        digest = hashlib.sha256()
        for rest, what in self._below(inside):
            contents = what if isinstance(what, str) else self.packed(what)
            digest.update(f"{rest}\0{contents}\0".encode("utf-8", "surrogateescape"))
        return digest.hexdigest()

    def holds(self, inside: str) -> bool:
        """Whether the directory names this member or folder, or anything below it."""
        return any(True for _ in self._below(inside))

    def _below(self, inside: str) -> Iterator[tuple[str, Member | str]]:
        """A member or folder and all below it, each by the rest of its path."""
        begin = bisect_left(self._listing, (inside,))
        for path, what in takewhile(lambda one: one[0].startswith(inside), islice(self._listing, begin, None)):
            if path[len(inside) :][:1] in ("", "/"):
                yield path[len(inside) :], what

    @cached_property
    def _listing(self) -> list[tuple[str, Member | str]]:
        """All entries of the directory, ordered by path; instead of a member, the kind of an entry or its problem."""
        known: list[tuple[str, Member | str]] = [(member.path, member) for member in self.members]
        known += [(problem.path, str(problem)) for problem in self.problems]
        known += [(folder, "folder") for folder in self.folders]
        return sorted(known, key=lambda one: one[0])

    def whole(self) -> str:
        """The digest of the file on disk. The file is read again only if the system says that it has changed."""
        if self.file is None:
            return ""
        state = os.fstat(self.file.fileno())
        now = (state.st_size, state.st_mtime_ns, state.st_ctime_ns)
        if self._whole[0] != now:
            self._whole = (now, disk.digest_of(self.file))
        return self._whole[1]


class PackedTogether(Archive):
    """An archive whose members are packed as one: all of them are unpacked when the first is read."""

    @property
    @abstractmethod
    def unpacked(self) -> Mapping[int, bytes | str]:
        """The bytes of the members by their numbers, or why one cannot be read; worked out once."""

    def pieces(self, member: Member) -> Iterator[bytes]:
        """All bytes of a member at once. Raises UnreadableError if it is damaged."""
        data = self.unpacked.get(member.number, "damaged")
        if isinstance(data, str):
            raise UnreadableError(data)
        yield data


def clean_path(path: str) -> str:
    """A member's path, which has forward slashes only, in clean parts; empty for the root itself.

    Raises UnreadableError for paths that lead outside (absolute ones, drives, ``..``), for names with a NUL, and for
    names that no system could unpack.
    """
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if path.startswith("/") or re.match(r"[A-Za-z]:", path):
        raise UnreadableError("has an absolute path")
    # Checked after the parts are split, so that `a/..` and `..` alone are found, and `a..b` is a name.
    if ".." in parts:
        raise UnreadableError("leads outside the archive")
    # No system could unpack it: Linux takes 4,096 bytes of a path and 255 of each part, Windows 260 signs.
    if "\0" in path or len(path) > 1_000 or len(parts) > 50:
        raise UnreadableError("has a name that no system would give")
    return "/".join(clean(part) for part in parts)


@dataclass(frozen=True, slots=True)
class Listed:
    """An entry in the directory of an archive, numbered as its member is; ``refusal`` says why it cannot be taken."""

    path: str
    size: int
    is_folder: bool
    refusal: str = ""


def plan_of(listed: Iterable[Listed]) -> Plan:
    """The entries of a directory that are worth reading, in its order.

    Noise is skipped; the problems name what cannot be taken.
    """
    members: dict[str, Member] = {}
    folders: list[str] = []
    problems: list[Problem] = []
    for number, entry in enumerate(listed):
        path = entry.path.replace("\\", "/")
        try:
            kept = clean_path(path)
        except UnreadableError as fault:
            problems.append(Problem(path, f"{fault}; it was left out"))
            continue
        if not kept or is_noise(kept):
            continue
        if entry.refusal:
            problems.append(Problem(path, f"{entry.refusal}; it was left out"))
        elif entry.is_folder:
            folders.append(kept)
        else:
            if kept in members:
                problems.append(Problem(path, "is in the archive more than once; the last one counts"))
            # Every unpacker writes the later of two equal names over the earlier one.
            members[kept] = Member(kept, entry.size, number)
    return Plan(tuple(members.values()), tuple(folders), tuple(problems))


def refusal_of(*, link: bool, plain: bool) -> str:
    """The reason not to take an entry that is not a ``plain`` file or folder; empty if it can be taken."""
    if link:
        return "is a link"
    return "" if plain else "is neither a file nor a folder"


def reason(fault: BaseException) -> str:
    """The complaint of a library, for a sentence; names in it are cleaned, since a student chose them."""
    return shown(str(fault).rstrip(".")) or type(fault).__name__


@contextmanager
def open_archive(source: Path | bytes, limits: Limits = SUBMISSION) -> Iterator[Archive]:
    """Open an archive, on disk or in memory. UnreadableError says what is wrong with it, or what it is instead.

    Raises JudgeError if the system refuses to read it.
    """
    with io.BytesIO(source) if isinstance(source, bytes) else disk.opened(source) as stream:
        with disk.our_fault(source if isinstance(source, Path) else ""):
            size = stream.seek(0, io.SEEK_END)
            stream.seek(0)
            start = stream.read(512)
            stream.seek(0)
        archive = _reader(start, size)(stream, size, limits)
        if isinstance(source, Path):
            archive.file = stream
        yield archive


def _reader(start: bytes, size: int) -> Callable[[BinaryIO, int, Limits], Archive]:
    """The function ``opened`` for the type of archive that begins with these bytes."""
    kind = next((one for one in ARCHIVES if any(start.startswith(mark, at) for at, mark in one.marks)), ARCHIVES[-1])
    if not size:
        raise UnreadableError("an empty file, not a zip archive")
    for magic, what in _OTHER_FORMATS if not kind.marks else ():
        if start.startswith(magic):
            raise UnreadableError(f"{what}, not a zip archive; please pack it as zip")
    reader: Callable[[BinaryIO, int, Limits], Archive] = import_module(f"grader.intake.{kind.reader}").opened
    return reader
