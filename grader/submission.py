"""The files that one student or team handed in, in one attempt. Knows nothing about grading."""

from __future__ import annotations

import hashlib
import re
from enum import StrEnum
from functools import cached_property
from pathlib import PurePosixPath

from grader.values import dataclass


class Form(StrEnum):
    """The form of a submission: only an archive or a folder can carry names and deliverables beside the program."""

    FILE = "file"
    FOLDER = "folder"
    ARCHIVE = "archive"


@dataclass(frozen=True, slots=True)
class ArchiveType:
    """A type of archive: what names of such files end in, and its ``marks``, each with the place in a file where it stands.

    ``reader`` is the module in ``grader.intake`` that reads it: its ``opened`` makes an open archive of a stream.
    """

    reader: str
    suffixes: tuple[str, ...]
    marks: tuple[tuple[int, bytes], ...] = ()


_PACKED = ((0, b"\x1f\x8b"), (0, b"BZh"), (0, b"\xfd7zXZ"))  # by gzip, bzip2 and xz
ARCHIVES = (
    ArchiveType("tar", (".tar", ".tgz", ".gz", ".bz2", ".xz"), ((257, b"ustar"), *_PACKED)),
    ArchiveType("seven_zip", (".7z",), ((0, b"7z\xbc\xaf\x27\x1c"),)),
    ArchiveType("rar", (".rar",), ((0, b"Rar!\x1a\x07"),)),
    ArchiveType("plain_zip", (".zip",)),  # its mark is at its end: any other file is tried as a zip
)
"""All types, each in one row: to add one is to add its row and its reader."""

ARCHIVE_SUFFIXES = tuple(suffix for kind in ARCHIVES for suffix in kind.suffixes)
_SUFFIX = re.compile(rf"(?<=.)(\.tar)?({'|'.join(map(re.escape, ARCHIVE_SUFFIXES))})\Z", re.IGNORECASE)


def without_suffix(name: str) -> str:
    """The name of an archive without its suffix, ``lab`` for ``lab.tar.gz``; any other name as it is."""
    return _SUFFIX.sub("", name)


@dataclass(frozen=True, slots=True)
class SubmittedFile:
    """One file: its path inside the submission, with forward slashes and no ``..``, and its bytes."""

    path: str
    data: bytes

    @property
    def name(self) -> str:
        """The last part of the path."""
        return PurePosixPath(self.path).name

    @property
    def depth(self) -> int:
        """The number of folders above the file."""
        return len(PurePosixPath(self.path).parts) - 1


class IdKind(StrEnum):
    """The kind of a person's identifier in a system: each is unique in that system only."""

    NUMBER = "number"
    LOGIN = "login"
    EMAIL = "e-mail"
    GITHUB = "GitHub user"
    USER = "user id"
    PARTICIPANT = "participant id"
    ANONYMOUS = "anonymous id"


@dataclass(frozen=True, slots=True)
class Identifier:
    """One identifier of a person, with its kind: a number of Canvas says nothing in Moodle."""

    kind: IdKind
    value: str

    def __str__(self) -> str:
        return f"{self.kind} {self.value}"


_KNOWN_BY = (IdKind.NUMBER, IdKind.LOGIN, IdKind.GITHUB)  # the best first


@dataclass(frozen=True, slots=True)
class Submitter:
    """One of those who handed something in: the name as the system gives it, which may be empty, and identifiers."""

    name: str
    ids: tuple[Identifier, ...] = ()

    @property
    def known_by(self) -> str:
        """The identifier that people know a student by; empty if only a platform's own is known."""
        return next((i.value for kind in _KNOWN_BY for i in self.ids if i.kind is kind), "")


@dataclass(frozen=True, slots=True)
class Origin:
    """The facts that the download of a learning platform has of a submission; all are empty for other submissions.

    ``submitters`` are all who share it, ``group`` their group's name. ``attempt`` names the attempt that counts, and
    ``earlier`` those that do not, each in a sentence. ``platform_name`` is what the platform calls the folder, or the first
    file, of what was handed in: by it a platform knows whose feedback is whose.
    """

    system: str = ""
    submitters: tuple[Submitter, ...] = ()
    group: str = ""
    late: bool = False
    attempt: str = ""
    earlier: tuple[str, ...] = ()
    platform_name: str = ""


@dataclass(frozen=True)
class Submission:
    """Files with an owner.

    - ``id``: unique within a batch, and safe as a file name.
    - ``student``: the name of the owner. ``student_id``: the number or login found in the names, or empty.
    - ``handed_in_as``: the name of the archive, folder or file.
    - ``folders``: every folder inside, also empty ones.
    - ``problems``: sentences on members that could not be read, or on doubts. A person looks at them, and the rest is graded.
    - ``origin``: the facts that a download has of it.
    """

    id: str
    student: str
    files: tuple[SubmittedFile, ...]
    form: Form = Form.FOLDER
    student_id: str = ""
    handed_in_as: str = ""
    folders: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    origin: Origin = Origin()

    @cached_property
    def sha256(self) -> str:
        """A digest over the sorted paths and contents, and over the name it was handed in under."""
        digest = hashlib.sha256(self.handed_in_as.encode("utf-8", "surrogateescape"))
        for file in sorted(self.files, key=lambda f: f.path):
            name = file.path.encode("utf-8", "surrogateescape")
            # With their lengths, so that no two sets of files make the same stream.
            digest.update(b"%d:%b%d:" % (len(name), name, len(file.data)))
            digest.update(file.data)
        return digest.hexdigest()
