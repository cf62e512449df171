"""From what a TA names on the command line to submissions: one to read now, or a plan for a whole batch.

A plan is cheap: it looks at names alone, so that a worker process reads each submission itself, memory stays flat in
their number, and an archive that attacks harms one worker at most.

Which folder or archive holds many submissions and which is one? Where two children carry different student numbers
there are many. Otherwise what carries a number itself is one; so is what has the source of a program lying open in it.
What is left holds many if there are archives or several folders in it. Folders around a single folder do not count.
"""

from __future__ import annotations

import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.errors import UsageError
from grader.intake.archive import (
    DOWNLOAD,
    SUBMISSION,
    Allowance,
    Archive,
    Limits,
    Problem,
    UnreadableError,
    open_archive,
)
from grader.intake.collect import Contents, list_folder
from grader.intake.encoding import readable_names
from grader.intake.names import clean, identify, is_archive, is_program, safe_id, unique_ids
from grader.submission import Form, Submission

_DEEPEST = 4  # a course of sections of folders of zips


@dataclass(frozen=True, slots=True)
class Entry:
    """One submission of a batch, not read yet.

    ``path`` is a file, folder or archive on disk; ``member``, if not empty, the folder, archive or file meant inside it.
    """

    id: str
    student: str
    student_id: str
    handed_in_as: str
    form: Form
    path: Path
    member: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The submissions of a batch in their order, and sentences on what lies beside them and is none."""

    entries: tuple[Entry, ...]
    ignored: tuple[str, ...]


def read_submission(path: Path, student_id_pattern: str | None = None, limits: Limits = SUBMISSION) -> Submission:
    """Read one submission: a file, a folder or a zip archive.

    What is wrong inside is in its ``problems``. Raises UsageError when there is nothing at the path.
    """
    place = _place_of(path)
    return read_entry(_entry(place, student_id_pattern), student_id_pattern, limits)


def read_entry(entry: Entry, student_id_pattern: str | None = None, limits: Limits = SUBMISSION) -> Submission:
    """Read one submission of a plan. A student number that the name lacks is looked for in the folders inside."""
    contents = Contents(limits)
    try:
        _read_into(contents, entry)
    except OSError as fault:
        contents.problems.append(f"{entry.handed_in_as}: cannot be read ({fault.strerror})")
    except UnreadableError as fault:
        contents.problems.append(f"{entry.handed_in_as}: {fault}")
    submission = Submission(
        id=entry.id,
        student=entry.student,
        files=contents.sorted_files(),
        form=entry.form,
        student_id=entry.student_id,
        handed_in_as=entry.handed_in_as,
        folders=tuple(sorted(contents.folders)),
        problems=contents.told_problems(),
    )
    return submission if submission.student_id else _identified_by_folder(submission, student_id_pattern)


def _read_into(contents: Contents, entry: Entry) -> None:
    if entry.member:
        _read_member_into(contents, entry)
    elif entry.form is Form.ARCHIVE:
        contents.add_archive(entry.path, entry.handed_in_as)
    elif entry.form is Form.FOLDER:
        contents.add_folder(entry.path)
    else:
        contents.add_loose_file(entry.path, entry.handed_in_as)


def _read_member_into(contents: Contents, entry: Entry) -> None:
    with open_archive(entry.path, DOWNLOAD) as download:
        if entry.form is Form.FOLDER:
            contents.add_members(download, inside=entry.member)
            return
        member = next(m for m in download.members if m.path == entry.member)
        if entry.form is Form.ARCHIVE:
            contents.add_archive(download.read(member, Allowance(DOWNLOAD)), entry.handed_in_as)
        else:
            contents.files[entry.handed_in_as] = download.read(member, contents.allowance)


def _identified_by_folder(submission: Submission, pattern: str | None) -> Submission:
    for folder in submission.folders:
        found = identify(folder.rpartition("/")[2], pattern)
        if found.student_id:
            return replace(submission, student_id=found.student_id)
    return submission


@dataclass(frozen=True)
class _Place:
    """Somewhere submissions may lie: on disk, or inside an archive on disk, of which ``tree`` holds the names below."""

    name: str
    form: Form
    path: Path
    member: str = ""
    tree: _Tree | None = field(default=None, repr=False)


_Tree = dict[str, "_Tree | None"]  # None stands for a file


def _place_of(path: Path) -> _Place:
    name = clean(readable_names([path.name or path.resolve().name])[0])
    try:
        mode = path.stat().st_mode
    except OSError as fault:
        raise UsageError(f"cannot be read ({fault.strerror})", place=str(path)) from fault
    if stat.S_ISDIR(mode):
        return _Place(name, Form.FOLDER, path)
    if not stat.S_ISREG(mode):
        raise UsageError("is neither a file nor a folder", place=str(path))
    return _Place(name, _form_of_file(name), path)


def _form_of_file(name: str) -> Form:
    return Form.ARCHIVE if is_archive(name) else Form.FILE


def _entry(place: _Place, pattern: str | None) -> Entry:
    who = identify(place.name, pattern, loose_file=place.form is Form.FILE)
    wanted = safe_id(who.student_id or _without_suffix(place))
    return Entry(wanted, who.student, who.student_id, place.name, place.form, place.path, place.member)


def _without_suffix(place: _Place) -> str:
    return place.name if place.form is Form.FOLDER else Path(place.name).stem


def plan(sources: Sequence[Path], student_id_pattern: str | None = None) -> Plan:
    """What a batch has to grade, in an order that depends on names alone.

    Raises UsageError when a source is not there or when nothing to grade is in any of them.
    """
    search = _Search(student_id_pattern)
    for source in dict.fromkeys(path.resolve() for path in sources):
        search.look_into(_place_of(source))
    if not search.found:
        where = ", ".join(str(path) for path in sources)
        raise UsageError("holds no submissions", place=where, hint="give a folder of zips or folders, or a zip of them")
    found = sorted(search.found, key=_order)
    ids = unique_ids(entry.id for entry in found)
    entries = tuple(replace(entry, id=unique) for entry, unique in zip(found, ids, strict=True))
    return Plan(entries, (*search.ignored, *search.ignored_members()))


def _order(entry: Entry) -> tuple[str, ...]:
    """By identifier, then by name without its extension, so that ``LAB04.zip`` comes before ``LAB04 (1).zip``."""
    stem = entry.handed_in_as.rpartition(".")[0] or entry.handed_in_as
    return (entry.id.casefold(), entry.id, stem, entry.handed_in_as, entry.member, entry.path.as_posix())


@dataclass
class _Search:
    """One walk over the sources of a batch, and what it has found so far."""

    pattern: str | None
    found: list[Entry] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    unread: list[tuple[Path, Problem]] = field(default_factory=list)

    def ignored_members(self) -> list[str]:
        """What archives hold and cannot be read, as far as no submission tells of it."""
        told = {(entry.path, entry.member) for entry in self.found}
        return [
            f"{path.name}: {problem}"
            for path, problem in self.unread
            if (path, "") not in told and all((path, above) not in told for above in _folders_above(problem.path))
        ]

    def look_into(self, place: _Place, depth: int = 0) -> None:
        """Take this place as one submission, or look into everything that lies in it."""
        children = self._children(place, DOWNLOAD if depth == 0 else SUBMISSION) if depth < _DEEPEST else ()
        while len(children) == 1 and children[0].form is Form.FOLDER and not self._id(children[0]):
            children = self._children(children[0], SUBMISSION)
        if depth == 0 and place.form is Form.FOLDER and not children and not self._id(place):
            return
        if not self._holds_many(place, children, named=depth == 0):
            self.found.append(_entry(place, self.pattern))
            return
        for child in children:
            if child.form is not Form.FILE:
                self.look_into(child, depth + 1)
            elif is_program(child.name) or self._id(child):
                self.found.append(_entry(child, self.pattern))
            else:
                self.ignored.append(f"{child.name}: neither a program nor named after a student")

    def _holds_many(self, place: _Place, children: Sequence[_Place], *, named: bool) -> bool:
        """Whether these are submissions. A place that was ``named`` by the TA needs fewer signs than one found inside."""
        own = self._id(place)
        ids = {self._id(child) for child in children if child.form is not Form.FILE or is_program(child.name)}
        if len(ids - {"", own}) >= 2:
            return True
        if own or not named or place.form is Form.FILE:
            return False
        bundles = [child for child in children if child.form is not Form.FILE]
        if place.form is Form.FOLDER and any(map(self._id, bundles)):
            return True
        if any(child.form is Form.FILE and is_program(child.name) for child in children):
            return False
        return len(bundles) >= 2 or any(child.form is Form.ARCHIVE for child in bundles)

    def _id(self, place: _Place) -> str:
        return identify(place.name, self.pattern, loose_file=place.form is Form.FILE).student_id

    def _children(self, place: _Place, limits: Limits) -> tuple[_Place, ...]:
        """What lies in a place; nothing if it cannot be read, which makes it a submission with a problem.

        An archive that the TA did not name may be a student's, so it gets a student's limits here too.
        """
        if place.tree is not None:
            return _in_tree(place, place.tree)
        if place.member or place.form is Form.FILE:
            return ()
        try:
            return self._on_disk(place.path) if place.form is Form.FOLDER else self._in_archive(place, limits)
        except (OSError, UnreadableError):
            return ()

    def _on_disk(self, folder: Path) -> tuple[_Place, ...]:
        places = []
        for name, entry in list_folder(folder):
            mode = entry.stat(follow_symlinks=False).st_mode
            if stat.S_ISDIR(mode):
                places.append(_Place(name, Form.FOLDER, Path(entry.path)))
            elif stat.S_ISREG(mode):
                places.append(_Place(name, _form_of_file(name), Path(entry.path)))
            else:
                self.ignored.append(f"{name}: a link or a special file")
        return tuple(places)

    def _in_archive(self, place: _Place, limits: Limits) -> tuple[_Place, ...]:
        with open_archive(place.path, limits) as archive:
            self.unread.extend((place.path, problem) for problem in archive.problems)
            return _in_tree(place, _tree(archive))


def _folders_above(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:n]) for n in range(1, len(parts))]


def _tree(archive: Archive) -> _Tree:
    root: _Tree = {}
    for path in archive.folders:
        _descend(root, path.split("/"))
    for member in archive.members:
        *parents, name = member.path.split("/")
        _descend(root, parents).setdefault(name, None)
    return root


def _descend(tree: _Tree, parts: Sequence[str]) -> _Tree:
    for part in parts:
        below = tree.get(part)
        if below is None:
            below = tree[part] = {}
        tree = below
    return tree


def _in_tree(place: _Place, tree: Mapping[str, _Tree | None]) -> tuple[_Place, ...]:
    base = f"{place.member}/" if place.member else ""
    return tuple(
        _Place(name, _form_of_file(name) if tree[name] is None else Form.FOLDER, place.path, base + name, tree[name])
        for name in sorted(tree)
    )
