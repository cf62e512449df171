"""One submission of a plan, and the reading of its files."""

from __future__ import annotations

from contextlib import ExitStack, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Self

from grader.errors import JudgeError
from grader.intake import disk
from grader.intake.archive import DOWNLOAD, SUBMISSION, Allowance, Archive, Limits, UnreadableError, open_archive
from grader.intake.collect import Contents
from grader.intake.course import NO_FILES, CourseFiles, LeftOut
from grader.intake.names import identify, safe_id, shown, stem_of
from grader.intake.places import Place, place_of
from grader.submission import Form, Origin, Submission, SubmittedFile
from grader.values import dataclass

_NAMED = 3  # numbers that a sentence names


# A place that is a part of a submission: its name is the one under which it was handed in. A folder that the platform
# made has an empty name, since what is in it was handed in.
Piece = Place


@dataclass(frozen=True, slots=True)
class Entry:
    """One submission of a batch, not read yet.

    ``path`` is a file, folder or archive on disk; ``member``, if not empty, the folder, archive or file meant inside
    it. ``pieces`` are its files if they lie among those of others. ``notes`` are sentences on doubts. ``contents`` is a
    digest of the files when the batch was planned; empty if it was not computed.
    """

    id: str
    student: str
    student_id: str
    handed_in_as: str
    form: Form
    path: Path
    member: str = ""
    origin: Origin = Origin()
    notes: tuple[str, ...] = ()
    pieces: tuple[Piece, ...] = ()
    contents: str = ""


def read_submission(
    path: Path, student_id_pattern: str | None = None, limits: Limits = SUBMISSION, course: CourseFiles = NO_FILES
) -> Submission:
    """Read one submission: a file, a folder or a zip archive. The files of the ``course`` in a folder are left out.

    Faults inside are its ``problems``. Raises UsageError if there is nothing at the path, JudgeError if the system
    refuses to read it.
    """
    place = place_of(path)
    return read_entry(entry_of(place, student_id_pattern), student_id_pattern, limits, course=course)


class Downloads:
    """The archives in which submissions of a class lie, each opened once: to read a directory of thousands takes long."""

    # Archives that stay open: each takes a descriptor and its directory, and a course has few downloads.
    _MOST = 8  # open at a time

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._open: dict[Path, Archive] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def archive(self, path: Path) -> Archive:
        """The archive at a path. Raises UnreadableError; JudgeError where the system refuses to read it."""
        if path not in self._open:
            if len(self._open) == self._MOST:
                self._stack.close()
                self._open.clear()
            self._open[path] = self._stack.enter_context(open_archive(path, DOWNLOAD))
        return self._open[path]


def read_entry(
    entry: Entry,
    student_id_pattern: str | None = None,
    limits: Limits = SUBMISSION,
    downloads: Downloads | None = None,
    course: CourseFiles = NO_FILES,
    digests: disk.Digests | None = None,
) -> Submission:
    """Read one submission of a plan. A student number that the name lacks is looked for in the folders inside.

    ``downloads`` keeps archives open for callers that read many. The files of the ``course`` in a folder are left out.
    ``digests`` receives the digests of the files that were read from disk. Raises JudgeError if the system refuses to
    read a file, or it is gone.
    """
    named = course.below(entry.path) if entry.form is Form.FOLDER and not entry.member else frozenset[str]()
    contents = Contents(limits, left_out=LeftOut(named))
    try:
        with nullcontext(downloads) if downloads else Downloads() as opened:
            _read_into(contents, entry, opened)
    except UnreadableError as fault:
        contents.problems.append(f"{entry.handed_in_as}: {fault}")
    if digests is not None:
        digests.update(contents.digests)
    files = tuple(SubmittedFile(path, data) for path, data in sorted(contents.files.items()))  # in no archive's order
    folders, problems = tuple(sorted(contents.folders)), (*entry.notes, *contents.first_problems)
    names = entry.student_id, entry.handed_in_as
    submission = Submission(entry.id, entry.student, files, entry.form, *names, folders, problems, entry.origin)
    return _identified_by_folder(submission, student_id_pattern)


def _read_into(contents: Contents, entry: Entry, downloads: Downloads) -> None:
    for piece in entry.pieces or (Piece(entry.handed_in_as, entry.form, entry.path, entry.member),):
        if piece.member:
            _read_member_into(contents, downloads.archive(piece.path), piece, alone=not entry.pieces)
        elif piece.form is Form.FOLDER:
            contents.add_folder(piece.path)
        elif entry.pieces:
            contents.add_piece(piece.path, piece.name)
        elif piece.form is Form.ARCHIVE:
            contents.add_archive(piece.path, piece.name)
        else:
            contents.files[piece.name] = contents.read(piece.path)


def _read_member_into(contents: Contents, download: Archive, piece: Piece, *, alone: bool) -> None:
    if piece.member not in download.by_path and (piece.form is not Form.FOLDER or not download.holds(piece.member)):
        message = f"{shown(piece.member)} is no longer in this archive"
        raise JudgeError(message, place=str(piece.path), hint=disk.CALL_AGAIN)
    if piece.form is Form.FOLDER:
        contents.add_members(download, inside=piece.member)
        return
    member = download.by_path[piece.member]
    if piece.form is Form.FILE or not alone:
        contents.add_file(piece.name, download.read(member, contents.allowance))
    else:
        contents.add_archive(download.read(member, Allowance(DOWNLOAD)), piece.name)


def _identified_by_folder(submission: Submission, pattern: str | None) -> Submission:
    """The submission with the number of a folder inside, where its name has none; a note where they differ."""
    names = (folder.rpartition("/")[2] for folder in submission.folders)
    inside = list(filter(None, (identify(name, pattern).student_id for name in names)))
    named = submission.student_id
    if not inside:
        return submission
    if not named:
        return replace(submission, student_id=inside[0])
    others = sorted({number for number in inside if number.casefold() != named.casefold()})
    # A folder with the right number inside speaks for the name; an unnamed one says nothing.
    if len(others) < len(set(inside)) or not identify(submission.handed_in_as, pattern).student_id:
        return submission
    listed = ", ".join(map(shown, others[:_NAMED]))
    problem = f"it was handed in under the number {named}, and a folder inside has {listed}"
    return replace(submission, problems=(problem, *submission.problems))


def entry_of(place: Place, pattern: str | None) -> Entry:
    """The entry of a place that is one submission, as its own name says."""
    who = identify(place.name, pattern, loose_file=place.form is Form.FILE)
    wanted = safe_id(who.student_id or (place.name if place.form is Form.FOLDER else stem_of(place.name)))
    return Entry(wanted, who.student, who.student_id, place.name, place.form, place.path, place.member)
