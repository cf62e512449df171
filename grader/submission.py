"""What one student or team handed in, as files, in one attempt. Knows nothing about grading."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import PurePosixPath


class Form(StrEnum):
    """How a submission came in: only an archive or a folder can carry names and deliverables beside the program."""

    FILE = "file"
    FOLDER = "folder"
    ARCHIVE = "archive"


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
        """How many folders lie above the file."""
        return len(PurePosixPath(self.path).parts) - 1


@dataclass(frozen=True)
class Submission:
    """Files with an owner.

    ``id`` is unique within a batch and safe as a file name; ``student`` is what people call the owner; ``student_id`` is
    the number or login found in the names, or empty. ``handed_in_as`` is the name of the archive, folder or file;
    ``folders`` lists every folder inside, empty ones too. ``problems`` are sentences about members that could not be
    read: they are shown to staff and student, and the rest is graded.
    """

    id: str
    student: str
    files: tuple[SubmittedFile, ...]
    form: Form = Form.FOLDER
    student_id: str = ""
    handed_in_as: str = ""
    folders: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @cached_property
    def sha256(self) -> str:
        """A digest over the sorted paths and contents, and over the name it was handed in under."""
        digest = hashlib.sha256(self.handed_in_as.encode("utf-8", "surrogateescape"))
        for file in sorted(self.files, key=lambda f: f.path):
            name = file.path.encode("utf-8", "surrogateescape")
            digest.update(b"%d:%b%d:" % (len(name), name, len(file.data)))
            digest.update(file.data)
        return digest.hexdigest()
