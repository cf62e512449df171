"""What a batch rests on, as digests, so that a second call knows what is new, and grades that alone.

Of each file so much is read as a grade can depend on, and no more: a sparse file of many gigabytes costs nothing to hand in. Of
a large one size, beginning and end count. An archive has its directory at the end, with a checksum of every member.
"""

from __future__ import annotations

import hashlib
import os
import stat
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

from grader.intake.archive import DOWNLOAD, SUBMISSION, Archive, Member, UnreadableError, open_archive
from grader.intake.names import is_noise
from grader.intake.source import Entry, Piece
from grader.submission import Form
from grader.values import dataclass

_MOST_NAMED = 3
_MOST_READ = SUBMISSION.member_bytes  # at the beginning of a file, and at its end
_PIECE = 1 << 20
_LOCAL_HEADER = 30  # bytes of the header in front of a member of a zip archive,
_LENGTHS = 26  # and where in it the lengths of name and extra fields stand


@dataclass(frozen=True)
class Inputs:
    """Everything that a grade of this batch can depend on.

    ``spec`` covers the spec, its reference and the support files, ``judging`` the part of it that a verdict can depend on.
    ``engine`` is the grader with the code that judges. ``submissions`` maps identifiers to digests of what was handed in, in the batch's order.
    """

    assignment: str
    spec: str
    judging: str
    engine: str
    submissions: Mapping[str, str]

    def differences(self, earlier: Inputs) -> tuple[str, ...]:
        """What has changed since ``earlier``, in words; nothing when this is the same batch."""
        now, then = self.submissions, earlier.submissions
        changed = [key for key in now if key in then and now[key] != then[key]]
        told = (
            self._spec_changed(earlier),
            self._grader_changed(earlier),
            _named([key for key in now if key not in then], "new"),
            _named([key for key in then if key not in now], "gone"),
            _named(changed, "changed"),
        )
        return tuple(difference for difference in told if difference)

    def _grader_changed(self, earlier: Inputs) -> str:
        if self.engine == earlier.engine:
            return ""
        version = earlier.engine.partition("+")[0]
        what = (
            "the code that judges has changed"
            if self.engine.startswith(f"{version}+")
            else f"it was graded by version {version}"
        )
        return f"{what}, and what was handed in is graded again"

    def _spec_changed(self, earlier: Inputs) -> str:
        if self.judging != earlier.judging:
            return "the spec, its reference or a support file has changed: what was judged by it is judged again"
        if self.spec != earlier.spec:
            return "the spec has changed, but nothing that a verdict depends on: verdicts are kept and scored again"
        return ""


def _named(keys: Sequence[str], what: str) -> str:
    if not keys:
        return ""
    listed = ", ".join(keys[:_MOST_NAMED]) + (", …" if len(keys) > _MOST_NAMED else "")
    return f"{len(keys)} {'submission is' if len(keys) == 1 else 'submissions are'} {what} ({listed})"


def digests(entries: Sequence[Entry]) -> dict[str, str]:
    """A digest of what was handed in for each entry, by its identifier. The name it was handed in under counts as well.

    What lies in an archive with others has a digest of its own members alone, so that a later download of the same
    class differs in those submissions only that have changed.
    """
    found: dict[str, str] = {}
    with ExitStack() as opened:
        archives: dict[Path, _Members | str] = {}
        for entry in entries:
            pieces = entry.pieces or (Piece(entry.handed_in_as, entry.form, entry.path, entry.member),)
            names = [entry.handed_in_as, entry.form]
            for piece in pieces:
                if piece.member and piece.path not in archives:
                    archives[piece.path] = _members(piece.path, opened)
                names += [piece.name, piece.form, _contents(piece, archives.get(piece.path))]
            found[entry.id] = hashlib.sha256("\0".join(names).encode("utf-8", "surrogateescape")).hexdigest()
    return found


def _contents(piece: Piece, archive: _Members | str | None) -> str:
    if piece.member and archive is not None:
        return archive if isinstance(archive, str) else archive.digest(piece.member)
    return _of_folder(piece.path) if piece.form is Form.FOLDER else _of_file(piece.path)


class _Members:
    """The members of one archive, by what they are packed to: nothing is unpacked, so that a bomb costs no more than its size."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        known: list[tuple[str, Member | str]] = [(member.path, member) for member in archive.members]
        known += [(problem.path, str(problem)) for problem in archive.problems]
        known += [(folder, "folder") for folder in archive.folders]
        self._all = sorted(known, key=lambda one: one[0])
        self._paths = [path for path, _ in self._all]

    def digest(self, inside: str) -> str:
        """A digest of a member, or of all below a folder."""
        digest = hashlib.sha256()
        at = bisect_left(self._paths, inside)
        while at < len(self._all) and self._paths[at].startswith(inside):
            path, what = self._all[at]
            at += 1
            rest = path[len(inside) :]
            if rest and not rest.startswith("/"):
                continue
            contents = what if isinstance(what, str) else self._archive.packed(what)
            digest.update(f"{rest}\0{contents}\0".encode("utf-8", "surrogateescape"))
        return digest.hexdigest()


def _members(path: Path, opened: ExitStack) -> _Members | str:
    """The members of an archive; the digest of the whole where it cannot be opened, or its members are packed together."""
    try:
        archive = opened.enter_context(open_archive(path, DOWNLOAD))
    except (OSError, UnreadableError):
        return _of_file(path)
    apart = all(archive.packed(member) is not None for member in archive.members[:1])
    return _Members(archive) if apart else _of_file(path)


def _of_folder(folder: Path) -> str:
    """A digest of all names, and of the contents of so many files as one submission may hold."""
    digest = hashlib.sha256()
    members, left = 0, 2 * SUBMISSION.total_bytes
    for name, kind, path in _walk(folder):
        contents = kind
        if kind == "file":
            members += 1
            size = _size(path)
            contents = _of_file(path) if members <= SUBMISSION.members and left > 0 else f"{size} bytes"
            left -= min(size, 2 * _MOST_READ)
        digest.update(f"{name}\0{contents}\0".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _size(path: Path) -> int:
    try:
        return path.stat(follow_symlinks=False).st_size
    except OSError:
        return 0


def _walk(folder: Path) -> Iterator[tuple[str, str, Path]]:
    """Path inside the folder, kind and place of everything but noise, in an order that is the same everywhere."""
    waiting = [("", folder)]
    while waiting:
        under, at = waiting.pop()
        try:
            found = sorted(os.scandir(at), key=lambda entry: entry.name)
        except OSError:
            yield under, "unreadable", at
            continue
        for entry in found:
            name = f"{under}/{entry.name}"
            if is_noise(entry.name):
                continue
            mode = entry.stat(follow_symlinks=False).st_mode
            if stat.S_ISDIR(mode):
                waiting.append((name, Path(entry.path)))
            yield name, _KINDS.get(stat.S_IFMT(mode), "special"), Path(entry.path)


_KINDS = {stat.S_IFDIR: "folder", stat.S_IFREG: "file"}


def _of_file(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return _of_stream(stream)
    except OSError as fault:
        return f"unreadable ({fault.strerror})"


def _of_stream(stream: BinaryIO) -> str:
    """The digest of all of it; beyond twice the limit of one file of its size, beginning and end."""
    size = stream.seek(0, os.SEEK_END)
    ranges = [(0, size)] if size <= 2 * _MOST_READ else [(0, _MOST_READ), (size - _MOST_READ, _MOST_READ)]
    digest = hashlib.sha256()
    for begin, length in ranges:
        stream.seek(begin)
        left = length
        while left and (piece := stream.read(min(left, _PIECE))):
            digest.update(piece)
            left -= len(piece)
    return digest.hexdigest() if len(ranges) == 1 else f"{digest.hexdigest()} of {size} bytes"
