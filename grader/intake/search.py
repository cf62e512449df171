"""Looking for submissions in what a TA names: one walk over names, which reads nothing.

What a learning platform wrote is recognised by its names (`downloads`): in what the TA names, and in folders and archives that
lie there, if all of them are such. Nothing that may be a student's own is read as a download: names within could be anybody's.

Elsewhere, which folder or archive holds many submissions and which is one? Where two children carry different student numbers
there are many. Otherwise what carries a number itself is one; so is what has the source of a program lying open in it.
What is left holds many if there are archives or several folders in it. Folders around a single folder do not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from pathlib import Path

from grader.errors import JudgeError
from grader.intake.archive import DOWNLOAD, SUBMISSION, Limits, Problem, UnreadableError, open_archive
from grader.intake.course import NO_FILES, CourseFiles, is_hidden
from grader.intake.downloads import Download, Found, canvas, recognise
from grader.intake.names import identify, is_program, safe_id, shown
from grader.intake.places import Place, in_archive, in_tree, listing, on_disk
from grader.intake.source import Entry, Piece, entry_of
from grader.submission import Form, IdKind, Submitter
from grader.values import dataclass

_DEEPEST = 4  # a course of sections of folders of zips
_NAMED = 3  # files that a sentence names
_MANY_TEXTS = 3  # so many are no notes beside a program


@dataclass(frozen=True, slots=True)
class Flat:
    """A folder or archive, taken for one submission, in which several programs lie side by side."""

    name: str
    programs: tuple[str, ...]

    def __str__(self) -> str:
        listed = ", ".join(map(shown, self.programs[:_NAMED])) + (", …" if len(self.programs) > _NAMED else "")
        return f"{shown(self.name)}: {len(self.programs)} programs lie side by side ({listed})"


@dataclass
class Search:
    """One walk over the sources of a batch, and what it has found so far."""

    pattern: str | None
    programs: frozenset[str]
    course: CourseFiles = NO_FILES
    found: list[Entry] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    read_as: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    flat: list[Flat] = field(default_factory=list)
    unread: list[tuple[Path, Problem]] = field(default_factory=list)

    def ignored_members(self) -> list[str]:
        """What archives hold and cannot be read, as far as no submission tells of it."""
        told = {(entry.path, entry.member) for entry in self.found if not entry.pieces}
        return [
            f"{path.name}: {problem}"
            for path, problem in self.unread
            if (path, "") not in told and all((path, above) not in told for above in _folders_above(problem.path))
        ]

    def look_into_all(self, places: Sequence[Place]) -> None:
        """Look into what the TA named: the files of one download may have been named one by one."""
        if len(places) > 1 and self._take_download("what was named", places):
            return
        for place in places:
            self.look_into(place)

    def look_into(self, place: Place, depth: int = 0) -> None:
        """Take this place as one submission, or look into everything that lies in it."""
        children = self._children(place, DOWNLOAD if depth == 0 else SUBMISSION) if depth < _DEEPEST else ()
        if depth == 0 and self._take_download(place.name, children):
            return
        while len(children) == 1 and children[0].form is Form.FOLDER and not self._id(children[0]):
            children = self._children(children[0], SUBMISSION)
            if depth == 0 and self._take_download(place.name, children):
                return
        if depth == 0 and place.form is Form.FOLDER and not children and not self._id(place):
            return
        if depth == 0 and self._take_sections(children):
            return
        if not self._holds_many(place, children, named=depth == 0):
            self._take_one(place, children, named=depth == 0)
            return
        self._take_each(children, depth)

    def _take_one(self, place: Place, children: Sequence[Place], *, named: bool) -> None:
        self.found.append(entry_of(place, self.pattern))
        files = [child.name for child in children if child.form is Form.FILE]
        programs = [name for name in files if is_program(name)]
        texts = [name for name in files if name.lower().endswith(".txt")]  # as systems call what they do not know
        held = programs or (texts if len(texts) >= _MANY_TEXTS else [])
        if named and len(held) > 1 and not self._id(place):
            self.flat.append(Flat(place.name, tuple(held)))

    def _take_each(self, children: Sequence[Place], depth: int) -> None:
        for child in children:
            if child.form is not Form.FILE:
                self.look_into(child, depth + 1)
            elif is_program(child.name) or self._id(child):
                self.found.append(entry_of(child, self.pattern))
            else:
                self.ignored.append(f"{child.name}: neither a program nor named after a student")

    # --- downloads ----------------------------------------------------------------------------------------------------

    def _take_sections(self, children: Sequence[Place]) -> bool:
        """Take downloads that lie side by side, such as one for each section, if all that could be one is one."""
        bundles = [child for child in children if child.form is not Form.FILE and (not child.member or child.tree)]
        sections = [(child, self._children(child, DOWNLOAD)) for child in bundles if not self._id(child)]
        if not bundles or len(sections) < len(bundles) or any(_recognised(within)[0] is None for _, within in sections):
            return False
        for child, within in sections:
            self._take_download(child.name, within)
        self._take_each([child for child in children if child not in bundles], 1)
        return True

    def _take_download(self, name: str, places: Sequence[Place]) -> bool:
        """Take what lies side by side as a download of a learning platform, if it is one."""
        download, doubt = _recognised(places)
        if doubt:
            self.doubts.append(f"{shown(name)}: {doubt}")
        if download is None:
            return False
        by_name = {place.name: place for place in places}
        entries = [self._entry_of(found, by_name) for found in download.found]
        self.found += entries
        self.ignored += download.ignored
        self.doubts += download.doubts
        self.read_as.append(_understood(name, download, entries))
        self._take_each([place for place in places if place.name not in download.fitting], 1)
        return True

    def _entry_of(self, found: Found, places: dict[str, Place]) -> Entry:
        """The entry of one submission of a download. What a platform says of a student counts before what files are called."""
        if found.origin.system == canvas.SYSTEM:
            found = self._latest(found)
        pieces = [self._piece(places[part.path], part.name) for part in found.parts]
        if found.origin.system == canvas.SYSTEM:
            pieces = self._uncounted(pieces)
        first = pieces[0]
        names = self._names(pieces, places, found)
        numbers = dict.fromkeys(number for name in names if (number := identify(name, self.pattern).student_id))
        submitters = found.origin.submitters
        known = ", ".join(filter(None, (who.known_by for who in submitters)))
        student_id = known or next(iter(numbers), "")
        student = ", ".join(who.name or _called(who) for who in submitters) or places[found.parts[0].path].name
        notes = list(found.notes)
        given = {i.value for who in submitters for i in who.ids if i.kind is IdKind.NUMBER}
        given = {number.casefold() for number in given if identify(number, self.pattern).student_id}
        if given and any(number.casefold() not in given for number in numbers):
            notes.append(f"it is of {known}, and the names of its files have the number {', '.join(numbers)}")
        if len(numbers) > 1:
            notes.append(f"the names of its files have several student numbers: {', '.join(numbers)}")
        return Entry(
            id=safe_id(student_id or "-".join(map(_told_apart, submitters)) or student),
            student=student,
            student_id=student_id,
            handed_in_as=_listed(names),
            form=first.form if len(pieces) == 1 else Form.FOLDER,
            path=first.path,
            member=first.member,
            origin=found.origin,
            notes=tuple(notes),
            pieces=tuple(pieces) if len(pieces) > 1 else (),
        )

    def _piece(self, place: Place, name: str) -> Piece:
        """A part of a submission; a folder that the platform made is what lies in it, if that is a single file."""
        if not name:
            within = self._children(place, SUBMISSION)
            if len(within) == 1 and within[0].form is not Form.FOLDER:
                place, name = within[0], within[0].name
        return Piece(name, place.form, place.path, place.member)

    def _latest(self, found: Found) -> Found:
        """The submission without files that were handed in again: a sentence tells of each, and a note of a set that is not sure."""
        earlier: dict[int, str] = {}
        unsure = []
        names = [part.name for part in found.parts]
        for places in canvas.attempts(names, self.programs):
            *before, last = places
            if [canvas.number(names[at]) for at in places] != sorted(canvas.number(names[at]) for at in places):
                listed = ", ".join(shown(names[at]) for at in places)
                unsure.append(
                    f"{listed}: Canvas got these files in another order than that of their numbers; which one is the latest?"
                )
                continue
            why = f"{shown(names[last])} counts, which Canvas got last: it numbers a file that is handed in again"
            earlier |= {at: f"{shown(names[at])}: an earlier attempt; {why}" for at in before}
        return replace(
            found,
            parts=tuple(part for at, part in enumerate(found.parts) if at not in earlier),
            notes=(*found.notes, *unsure),
            origin=replace(found.origin, earlier=(*found.origin.earlier, *earlier.values())),
        )

    def _uncounted(self, pieces: Sequence[Piece]) -> list[Piece]:
        """The pieces, where one is called as the spec asks but for a number, under that name."""
        taken = {piece.name for piece in pieces}
        names = [canvas.uncounted(piece.name) for piece in pieces]
        wanted = {name for name in names if name in self.programs - taken and names.count(name) == 1}
        return [
            replace(piece, name=name) if name in wanted else piece for piece, name in zip(pieces, names, strict=True)
        ]

    def _names(self, pieces: Sequence[Piece], places: dict[str, Place], found: Found) -> list[str]:
        names = []
        for piece, part in zip(pieces, found.parts, strict=True):
            names += [piece.name] if piece.name else [c.name for c in self._children(places[part.path], SUBMISSION)]
        return names

    # --- plain folders and archives -----------------------------------------------------------------------------------

    def _holds_many(self, place: Place, children: Sequence[Place], *, named: bool) -> bool:
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

    def _id(self, place: Place) -> str:
        return identify(place.name, self.pattern, loose_file=place.form is Form.FILE).student_id

    def _children(self, place: Place, limits: Limits) -> tuple[Place, ...]:
        """What lies in a place; nothing if it cannot be read, which makes it a submission with a problem.

        An archive that the TA did not name may be a student's, so it gets a student's limits here too.
        """
        if place.tree is not None:
            return in_tree(place, place.tree)
        if place.member or place.form is Form.FILE:
            return ()
        try:
            return self._on_disk(place.path) if place.form is Form.FOLDER else self._in_archive(place, limits)
        except (OSError, JudgeError, UnreadableError):
            return ()

    def _on_disk(self, folder: Path) -> tuple[Place, ...]:
        """What lies in a folder of the disk, without the course's own files and hidden folders, which hold no submissions."""
        places = on_disk(folder, lambda name: self.ignored.append(f"{name}: a link or a special file"))
        return tuple(place for place in places if not self._is_of_course(place))

    def _is_of_course(self, place: Place) -> bool:
        if place.form is Form.FOLDER:
            return is_hidden(place.name) or self.course.fill(place.path)
        return self.course.holds(place.path)

    def _in_archive(self, place: Place, limits: Limits) -> tuple[Place, ...]:
        with open_archive(place.path, limits) as archive:
            self.unread.extend((place.path, problem) for problem in archive.problems)
            return in_archive(place, archive)


def _recognised(places: Sequence[Place]) -> tuple[Download | None, str]:
    if len({place.name for place in places}) < len(places):
        return None, ""
    try:
        with listing(places) as seen:
            return recognise(seen)
    except (OSError, JudgeError, UnreadableError):
        return None, ""


def _understood(name: str, download: Download, entries: Sequence[Entry]) -> str:
    late = sum(entry.origin.late for entry in entries)
    earlier = sum(len(entry.origin.earlier) for entry in entries)
    told = [f"{len(entries)} {'submission' if len(entries) == 1 else 'submissions'}"]
    told += [f"{late} late"] if late else []
    told += [f"{earlier} {'file' if earlier == 1 else 'files'} of earlier attempts left out"] if earlier else []
    return f"{shown(name)}: a download from {download.system}, {', '.join(told)}"


def _told_apart(who: Submitter) -> str:
    """A name with the platform's own identifier, since two students may have one name."""
    return "-".join([who.name, *(i.value for i in who.ids)]) if who.name else _called(who)


def _called(who: Submitter) -> str:
    """What to call a student whose name is not known."""
    return who.known_by or " ".join(str(i) for i in who.ids[:1])


def _listed(names: Iterable[str]) -> str:
    """The files that were handed in, for a sentence."""
    held = list(names)
    return ", ".join(held[:_NAMED]) + (f" and {len(held) - _NAMED} more" if len(held) > _NAMED else "")


def _folders_above(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:n]) for n in range(1, len(parts))]
