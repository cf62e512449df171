"""Gathering the files of one submission in memory, out of a folder or an archive, within the limits."""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from grader.intake import disk
from grader.intake.archive import (
    SUBMISSION,
    Allowance,
    Archive,
    Limits,
    UnreadableError,
    open_archive,
    refusal_of,
)
from grader.intake.course import LARGEST_MARK, MARK, LeftOut, is_hidden, left_out_of, start_of
from grader.intake.encoding import readable_names
from grader.intake.names import clean, is_archive, is_noise, joined, shown

# Problems that a page tells: an archive of links has one for each member.
_MOST_PROBLEMS = 20


@dataclass
class Contents:
    """The files of one submission that have been read so far. ``problems`` are sentences, as in a Submission.

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

    @contextmanager
    def _left_out_if_unreadable(self, path: str) -> Iterator[None]:
        """Makes a problem of a file, or a part of one, that cannot be read."""
        try:
            yield
        except UnreadableError as fault:
            self.problems.append(f"{shown(path)}: {fault}; it was left out")

    # --------------------------------------------------------------------------------------------------------- archives

    def add_archive(self, source: Path | bytes, name: str, under: str = "", depth: int = 1) -> None:
        """Read a whole archive; its members go under the folder ``under``. A fault of the archive becomes a problem."""
        held = self._in_memory(source) if isinstance(source, Path) else source
        try:
            with open_archive(held, self.limits) as archive:
                self.allowance.archive_bytes = self.allowance.archive_bytes or archive.size
                self.add_members(archive, under=under, depth=depth)
                if isinstance(held, Path):
                    self.digests[held] = archive.whole()
        except UnreadableError as fault:
            self.problems.append(f"{shown(name)}: {fault}")

    def _in_memory(self, path: Path) -> Path | bytes:
        """The bytes of an archive on disk, so that the same bytes are hashed and unpacked.

        Its path if it is too large.
        """
        with disk.opened(path) as stream:
            size = os.fstat(stream.fileno()).st_size
            if size > self.limits.total_bytes:
                return path
            data = stream.read(size + 1)
        self.digests[path] = disk.digest_of(io.BytesIO(data))
        return data

    def add_members(self, archive: Archive, inside: str = "", under: str = "", depth: int = 1) -> None:
        """Read the members of an open archive below its folder ``inside``; raises UnreadableError beyond the limits."""
        base = f"{inside}/" if inside else ""
        members = {member.path[len(base) :]: member for member in archive.inside(inside)}
        self.allowance.count(len(members))
        for problem in archive.problems:
            if problem.path.startswith(base):
                self.problems.append(f"{shown(joined(under, problem.path[len(base) :]))}: {problem.reason}")
        for folder in archive.folders:
            if folder.startswith(base):
                self._add_parents(f"{joined(under, folder[len(base) :])}/")
        kits = {
            path: one for path, one in members.items() if path.rpartition("/")[2] == MARK and one.size <= LARGEST_MARK
        }
        marks = []
        for path, member in kits.items():
            with suppress(UnreadableError):  # it is told of where the member itself is read
                marks.append((path, archive.read(member, Allowance(SUBMISSION))))
        course = left_out_of(members, marks)
        # Small files first, archives last: a bomb then takes nothing from the program beside it.
        for rest in sorted(members, key=lambda one: (is_archive(one), members[one].size)):
            if not course.holds(rest):
                path = joined(under, rest)
                with self._left_out_if_unreadable(path):
                    self.add_file(path, archive.read(members[rest], self.allowance), depth)

    def add_file(self, path: str, data: bytes, depth: int = 1) -> None:
        """Take a file, or what is inside if it is an archive that may still be opened. Raises UnreadableError."""
        parts = path.split("/")
        # no system could hold a file and a folder of one name, and none could be given to a compiler
        if path in self.folders or any("/".join(parts[:n]) in self.files for n in range(1, len(parts))):
            raise UnreadableError("has the name of a folder, or lies in one with the name of a file")
        self._add_parents(path)
        if not is_archive(path):
            self.files[path] = data
        elif depth >= self.limits.depth:
            self.problems.append(f"{shown(path)}: an archive inside {depth} others; it was left out")
        else:
            self.folders.add(path)
            self.add_archive(data, path, under=path, depth=depth + 1)

    def _add_parents(self, path: str) -> None:
        parts = path.split("/")
        self.folders.update("/".join(parts[:n]) for n in range(1, len(parts)))

    # --------------------------------------------------------------------------------------------------------- the disk

    def add_piece(self, place: Path, name: str) -> None:
        """Take one of several files of a submission that lie among those of others. A fault becomes a problem."""
        with self._left_out_if_unreadable(name):
            self.allowance.count(1)
            self.add_file(name, self.read(place))

    def add_folder(self, root: Path) -> None:
        """Read a folder of the disk. Links and special files are left out, so nothing outside of it is ever read."""
        waiting: list[tuple[str, Path]] = [("", root)]
        while waiting:
            under, folder = waiting.pop()
            for path, place, mode in self._students(under, folder):
                if stat.S_ISDIR(mode):
                    self.folders.add(path)
                    waiting.append((path, place))
                elif refusal := refusal_of(link=stat.S_ISLNK(mode), plain=stat.S_ISREG(mode)):
                    self.problems.append(f"{shown(path)}: {refusal}; it was left out")
                else:
                    self.add_piece(place, path)
                # Each further file would add the same problem.
                if self.allowance.members > self.limits.members:
                    return

    def _students(self, under: str, folder: Path) -> list[tuple[str, Path, int]]:
        """Path, place and mode of each file or folder that is the student's; the course's own are left out."""
        with disk.our_fault(folder):
            listed = [
                (joined(under, name), Path(entry.path), entry.stat(follow_symlinks=False).st_mode)
                for name, entry in list_folder(folder)
            ]
        for path, place, mode in listed:
            if not under and stat.S_ISDIR(mode) and is_hidden(path):
                self.left_out.add_hidden(path)
            elif stat.S_ISREG(mode) and path.rpartition("/")[2] == MARK:
                self.left_out.add_kit(under, start_of(place))
        return [item for item in listed if not self.left_out.holds(item[0])]

    def read(self, place: Path) -> bytes:
        """The bytes of a file of the disk; raises UnreadableError beyond the limits."""
        with disk.opened(place) as stream:
            size = os.fstat(stream.fileno()).st_size
            self.allowance.require(size)
            data = stream.read(size + 1)  # it may have grown by now
        self.digests[place] = disk.digest_of(io.BytesIO(data))
        return self.allowance.gathered((data,))

    # ------------------------------------------------------------------------------------------------------- what there is

    @property
    def first_problems(self) -> tuple[str, ...]:
        """The first problems: a hostile archive may have one for each of thousands of members."""
        hidden = len(self.problems) - _MOST_PROBLEMS
        more = (f"… and {hidden} more problems of this kind",) if hidden > 0 else ()
        return (*self.problems[:_MOST_PROBLEMS], *more)


def list_folder(folder: Path) -> list[tuple[str, os.DirEntry[str]]]:
    """The entries of a folder in order of their readable names, without noise."""
    with os.scandir(folder) as listing:
        entries = [entry for entry in listing if not is_noise(entry.name)]
    names = readable_names([entry.name for entry in entries])
    return sorted(zip(map(clean, names), entries, strict=True), key=lambda pair: (pair[0], pair[1].name))
