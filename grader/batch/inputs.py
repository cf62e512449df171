"""Digests of everything that a batch depends on, so that a second call grades only new submissions.

We read only as much of a file as a grade can depend on, since a sparse file of many gigabytes costs nothing to hand in.
For a large file, size, beginning and end count. An archive has its directory at the end, with a checksum of every
member.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from grader.errors import JudgeError
from grader.intake.archive import DOWNLOAD, SUBMISSION, Archive, UnreadableError, open_archive
from grader.intake.disk import MOST_READ, Digests, digest_of_file
from grader.intake.names import is_noise
from grader.intake.source import Entry, Piece
from grader.report.words import listed
from grader.submission import Form
from grader.values import dataclass

_MOST_NAMED = 3  # submissions that a sentence on changes names
_KINDS = {stat.S_IFDIR: "folder", stat.S_IFREG: "file"}


@dataclass(frozen=True)
class Inputs:
    """Everything that a grade of this batch can depend on.

    ``spec`` covers the spec, its reference and the support files, ``judging`` the part of it that a verdict can depend on.
    ``engine`` is the grader with the code that judges. ``submissions`` maps identifiers to digests of the files, in the
    batch's order.
    """

    assignment: str
    spec: str
    judging: str
    engine: str
    submissions: Mapping[str, str]

    def differences(self, earlier: Inputs) -> tuple[str, ...]:
        """The changes since ``earlier``, in words; empty if nothing has changed."""
        now, then = self.submissions, earlier.submissions
        lines = []
        if self.judging != earlier.judging:
            lines.append("the spec, its reference or a support file has changed: what was judged by it is judged again")
        elif self.spec != earlier.spec:
            kept = "verdicts are kept and scored again"
            lines.append(f"the spec has changed, but nothing that a verdict depends on: {kept}")
        # After an update of the grader every command named the spec as changed, which it was not.
        if self.engine != earlier.engine:
            version = earlier.engine.partition("+")[0]
            same = self.engine.startswith(f"{version}+")
            what = "the code that judges has changed" if same else f"it was graded by version {version}"
            lines.append(f"{what}, and what was handed in is graded again")
        sets = {
            "new": [key for key in now if key not in then],
            "gone": [key for key in then if key not in now],
            "changed": [key for key in now if key in then and now[key] != then[key]],
        }
        for what, keys in sets.items():
            are = "submission is" if len(keys) == 1 else "submissions are"
            lines += [f"{len(keys)} {are} {what} ({listed(keys, _MOST_NAMED)})"] if keys else []
        return tuple(lines)


def digests(entries: Sequence[Entry]) -> dict[str, str]:
    """A digest of the files of each entry, by its identifier. Their names count as well.

    A submission inside a shared archive has a digest of its own members only. So a later download of the same class
    differs only in the submissions that have changed.
    """
    with ExitStack() as opened:
        archives: dict[Path, Archive | None] = {}

        def archive_at(path: Path) -> Archive | None:
            if path not in archives:
                try:
                    archives[path] = opened.enter_context(open_archive(path, DOWNLOAD))
                except (JudgeError, UnreadableError):  # then the digest is that of the whole file
                    archives[path] = None
            return archives[path]

        return {entry.id: digest_of(entry, archive_at) for entry in entries}


def digest_of(entry: Entry, archive_at: Callable[[Path], Archive | None], read: Digests | None = None) -> str:
    """The digest of a submission: of its files on disk, or, with ``read``, of the bytes that were read.

    ``archive_at`` gives the archive at a path; None if no archive can be opened there.
    """

    def of_file(path: Path) -> str:
        return read[path] if read and path in read else digest_of_file(path)

    pieces = entry.pieces or (Piece(entry.handed_in_as, entry.form, entry.path, entry.member),)
    names = [entry.handed_in_as, entry.form]
    for piece in pieces:
        archive = archive_at(piece.path) if piece.member else None
        try:
            if archive:
                contents = archive.digest(piece.member)
            elif piece.form is Form.FOLDER and not piece.member:
                contents = _of_folder(piece.path, of_file)
            else:
                contents = of_file(piece.path)
        except JudgeError as fault:  # the worker that reads the submission reports it
            contents = f"unreadable ({fault.message})"
        names += [piece.name, piece.form, contents]
    return hashlib.sha256("\0".join(names).encode("utf-8", "surrogateescape")).hexdigest()


def _of_folder(folder: Path, of_file: Callable[[Path], str]) -> str:
    """A digest of all names, and of the contents of the files, up to the limit of one submission."""
    digest = hashlib.sha256()
    members, left = 0, 2 * SUBMISSION.total_bytes
    for name, kind, path in _walk(folder):
        contents = kind
        if kind == "file":
            members += 1
            try:
                size = path.stat(follow_symlinks=False).st_size
            except OSError:  # it is gone by now
                size = 0
            contents = of_file(path) if members <= SUBMISSION.members and left > 0 else f"{size} bytes"
            left -= min(size, 2 * MOST_READ)
        digest.update(f"{name}\0{contents}\0".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _walk(folder: Path) -> Iterator[tuple[str, str, Path]]:
    """Path inside the folder, kind and place of everything except noise, in a fixed order."""
    waiting = [("", folder)]
    while waiting:
        under, at = waiting.pop()
        try:
            entries = sorted(os.scandir(at), key=lambda entry: entry.name)
        except OSError:
            yield under, "unreadable", at
            continue
        for entry in entries:
            name = f"{under}/{entry.name}"
            if is_noise(entry.name):
                continue
            try:
                kind = _KINDS.get(stat.S_IFMT(entry.stat(follow_symlinks=False).st_mode), "special")
            except OSError:  # it is gone by now
                kind = "unreadable"
            if kind == "folder":
                waiting.append((name, Path(entry.path)))
            yield name, kind, Path(entry.path)
