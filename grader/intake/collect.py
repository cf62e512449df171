"""Gathering the files of one submission in memory, out of a folder or an archive, within the limits."""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from grader.intake import disk
from grader.intake.archive import SUBMISSION, Allowance, Archive, Limits, Member, Problem, UnreadableError, open_archive
from grader.intake.course import LARGEST_MARK, MARK, LeftOut, is_hidden, left_out_of, start_of
from grader.intake.encoding import readable_names
from grader.intake.names import clean, is_archive, is_noise, shown
from grader.submission import SubmittedFile

_MOST_PROBLEMS = 20


@dataclass
class Contents:
    """What has been read so far of one submission. ``problems`` are sentences, as in a Submission.

    ``digests`` are those of the files of the disk that were read. Whatever reads the disk raises JudgeError where the system
    refuses: what a student handed in is not missing then.
    """

    limits: Limits = SUBMISSION
    files: dict[str, bytes] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)
    left_out: LeftOut = field(default_factory=LeftOut)
    digests: disk.Digests = field(default_factory=dict)
    allowance: Allowance = field(init=False)

    def __post_init__(self) -> None:
        self.allowance = Allowance(self.limits)

    def add_archive(self, source: Path | bytes, name: str, under: str = "", depth: int = 1) -> None:
        """Read a whole archive; its members go under the folder ``under``. What is wrong with it becomes a problem."""
        held = self._in_memory(source) if isinstance(source, Path) else source
        try:
            with open_archive(held, self.limits) as archive:
                self.allowance.archive_bytes = self.allowance.archive_bytes or archive.size
                self.add_members(archive, under=under, depth=depth)
                if isinstance(held, Path):
                    self.digests[held] = archive.whole()
        except UnreadableError as fault:
            self.problems.append(f"{shown(name)}: {fault}")

    def _in_memory(self, found: Path) -> Path | bytes:
        """The bytes of an archive of the disk, so that what is unpacked is what the digest is of; its path where it is too large."""
        with disk.opened(found) as stream:
            size = os.fstat(stream.fileno()).st_size
            if size > self.limits.total_bytes:
                return found
            data = stream.read(size + 1)
        self.digests[found] = disk.digest_of(io.BytesIO(data))
        return data

    def add_members(self, archive: Archive, inside: str = "", under: str = "", depth: int = 1) -> None:
        """Read the members of an open archive below its folder ``inside``; raises UnreadableError beyond the limits."""
        base = f"{inside}/" if inside else ""
        members = archive.inside(inside)
        self.allowance.count(len(members))
        self.problems.extend(
            str(Problem(_joined(under, problem.path[len(base) :]), problem.reason))
            for problem in archive.problems
            if problem.path.startswith(base)
        )
        self._add_folders(under, [folder[len(base) :] for folder in archive.folders if folder.startswith(base)])
        course = left_out_of([member.path[len(base) :] for member in members], _marks(archive, members, len(base)))
        for member in sorted(members, key=lambda m: (is_archive(m.path), m.size)):
            if course.holds(member.path[len(base) :]):
                continue
            path = _joined(under, member.path[len(base) :])
            try:
                self.add_file(path, archive.read(member, self.allowance), depth)
            except UnreadableError as fault:
                self.problems.append(f"{shown(path)}: {fault}; it was left out")

    def add_file(self, path: str, data: bytes, depth: int = 1) -> None:
        """Take a file, or what is inside if it is an archive that may still be opened. Raises UnreadableError."""
        self._refuse_clash(path)
        self._add_parents(path)
        if is_archive(path):
            self._open_nested(path, data, depth)
        else:
            self.files[path] = data

    def _refuse_clash(self, path: str) -> None:
        """No system could hold a file and a folder of one name, and none could be given to a compiler."""
        parts = path.split("/")
        if path in self.folders or any("/".join(parts[:n]) in self.files for n in range(1, len(parts))):
            raise UnreadableError("has the name of a folder, or lies in one with the name of a file")

    def _open_nested(self, path: str, data: bytes, depth: int) -> None:
        if depth >= self.limits.depth:
            self.problems.append(f"{shown(path)}: an archive inside {depth} others; it was left out")
            return
        self.folders.add(path)
        self.add_archive(data, path, under=path, depth=depth + 1)

    def add_loose_file(self, found: Path, name: str) -> None:
        """Read the only file of a submission; raises UnreadableError beyond the limits."""
        self.files[name] = self._read(found)

    def add_piece(self, found: Path, name: str) -> None:
        """Take one of several files of a submission that lie among those of others. What is wrong becomes a problem."""
        try:
            self.allowance.count(1)
            self.add_file(name, self._read(found))
        except UnreadableError as fault:
            self.problems.append(f"{shown(name)}: {fault}; it was left out")

    def add_folder(self, root: Path) -> None:
        """Read a folder of the disk. Links and special files are left out, so nothing outside of it is ever read."""
        for path, found in _walk(root, self):
            try:
                self.allowance.count(1)
                self.add_file(path, self._read(found))
            except UnreadableError as fault:
                self.problems.append(f"{shown(path)}: {fault}; it was left out")
                if self.allowance.members > self.limits.members:
                    return

    def _read(self, found: Path) -> bytes:
        with disk.opened(found) as stream:
            size = os.fstat(stream.fileno()).st_size
            self.allowance.require(size)
            data = stream.read(size + 1)  # it may have grown by now
        self.digests[found] = disk.digest_of(io.BytesIO(data))
        self.allowance.spend(len(data))
        return data

    def _add_folders(self, under: str, folders: list[str]) -> None:
        for folder in folders:
            if folder:
                self._add_parents(f"{_joined(under, folder)}/")

    def _add_parents(self, path: str) -> None:
        parts = path.split("/")[:-1]
        self.folders.update("/".join(parts[: n + 1]) for n in range(len(parts)))

    def sorted_files(self) -> tuple[SubmittedFile, ...]:
        """All files by path, which makes the order independent of the archive's."""
        return tuple(SubmittedFile(path, self.files[path]) for path in sorted(self.files))

    def told_problems(self) -> tuple[str, ...]:
        """The problems, the first twenty of them if there are more."""
        hidden = len(self.problems) - _MOST_PROBLEMS
        more = (f"… and {hidden} more problems of this kind",) if hidden > 0 else ()
        return (*self.problems[:_MOST_PROBLEMS], *more)


def _joined(under: str, path: str) -> str:
    return f"{under}/{path}" if under else path


def _walk(root: Path, contents: Contents) -> Iterator[tuple[str, Path]]:
    """Every regular file below a folder, with its clean path; folders go into ``contents`` at once."""
    waiting: list[tuple[str, Path]] = [("", root)]
    while waiting:
        under, folder = waiting.pop()
        for path, found, mode in _students(under, _listed(under, folder), contents.left_out):
            if stat.S_ISDIR(mode):
                contents.folders.add(path)
                waiting.append((path, found))
            elif stat.S_ISREG(mode):
                yield path, found
            else:
                what = "is a link" if stat.S_ISLNK(mode) else "is neither a file nor a folder"
                contents.problems.append(f"{shown(path)}: {what}; it was left out")


def _students(under: str, listed: list[tuple[str, Path, int]], left_out: LeftOut) -> list[tuple[str, Path, int]]:
    """What lies in a folder and is the student's; what the course put there is left out."""
    for path, found, mode in listed:
        if not under and stat.S_ISDIR(mode) and is_hidden(path):
            left_out.add_hidden(path)
        elif stat.S_ISREG(mode) and path.rpartition("/")[2] == MARK:
            left_out.add_kit(under, start_of(found))
    return [item for item in listed if not left_out.holds(item[0])]


def _marks(archive: Archive, members: Iterable[Member], start: int) -> Iterator[tuple[str, bytes]]:
    """The marks of kits among members of an archive, with their paths from ``start`` on."""
    for member in members:
        if member.path.rpartition("/")[2] == MARK and member.size <= LARGEST_MARK:
            try:
                yield member.path[start:], archive.read(member, Allowance(SUBMISSION))
            except UnreadableError:
                continue  # it is told of where the member itself is read


def _listed(under: str, folder: Path) -> list[tuple[str, Path, int]]:
    with disk.our_fault(folder):
        return [
            (_joined(under, name), Path(entry.path), entry.stat(follow_symlinks=False).st_mode)
            for name, entry in list_folder(folder)
        ]


def list_folder(folder: Path) -> list[tuple[str, os.DirEntry[str]]]:
    """What lies in a folder, without noise, with readable names, in their order."""
    with os.scandir(folder) as found:
        entries = [entry for entry in found if not is_noise(entry.name)]
    names = readable_names([entry.name for entry in entries])
    return sorted(zip(map(clean, names), entries, strict=True), key=lambda pair: (pair[0], pair[1].name))
