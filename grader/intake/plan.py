"""The plan of a batch, made from the paths on the command line, and that plan as text.

A plan is cheap, since it looks only at names. Each worker process reads a submission itself: memory stays flat in their
number, and a hostile archive harms one worker at most.

A download of a learning platform is recognised by its names (`platforms`). It is looked for among the paths that the TA
names, and in the folders and archives there if all of them are downloads. A folder that may be a student's own is never
read as a download: the names within could be anybody's.

Elsewhere, which folder or archive holds many submissions and which is one? It holds many if two children carry
different student numbers. Otherwise it is one if its own name has a number, or if the source of a program lies directly
in it. The rest hold many if there are archives or several folders in them. Folders around a single folder do not count.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from pathlib import Path

from grader.errors import JudgeError, UsageError
from grader.intake.archive import DOWNLOAD, SUBMISSION, Limits, Problem, UnreadableError, open_archive
from grader.intake.course import NO_FILES, CourseFiles, is_hidden
from grader.intake.names import identify, is_program, safe_id, shown, unique_ids
from grader.intake.places import Place, in_archive, in_tree, listing, on_disk, place_of
from grader.intake.platforms import recognise
from grader.intake.platforms.platform import Download, Found
from grader.intake.source import Entry, Piece, entry_of
from grader.report.words import listed, plural
from grader.source import display_width
from grader.submission import Form, Identifier, IdKind
from grader.values import dataclass

# Levels of folders and archives that are looked into. Deeper ones are a student's own:
_DEEPEST = 4  # a course of sections of folders of zips
_NAMED = 3  # files that a sentence names
# Some platforms call a program of an unknown type .txt:
_MANY_TEXTS = 3  # as many .txt files are programs: one or two are notes beside a program


@dataclass(frozen=True, slots=True)
class Flat:
    """A folder or archive, taken for one submission, in which several programs lie side by side."""

    name: str
    programs: tuple[str, ...]

    def __str__(self) -> str:
        names = listed([*map(shown, self.programs)], _NAMED)
        return f"{shown(self.name)}: {len(self.programs)} programs lie side by side ({names})"


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
        """The unreadable members of archives that no submission reports."""
        taken = {(entry.path, entry.member) for entry in self.found if not entry.pieces}
        unread = []
        for path, problem in self.unread:
            parts = problem.path.split("/")
            if not any((path, "/".join(parts[:n])) in taken for n in range(len(parts))):
                unread.append(f"{path.name}: {problem}")
        return unread

    def look_into_all(self, places: Sequence[Place]) -> None:
        """Look into all places that the TA named."""
        # A shell hands over the files of an unpacked download one by one.
        if len(places) > 1 and self._take_download("what was named", places):
            return
        for place in places:
            self.look_into(place)

    def look_into(self, place: Place, depth: int = 0) -> None:
        """Take this place as one submission, or look into everything that lies in it."""
        children = self._children(place, DOWNLOAD if depth == 0 else SUBMISSION) if depth < _DEEPEST else ()
        if depth == 0 and self._take_download(place.name, children):
            return
        # Unpacking `LAB04.zip` makes LAB04/LAB04; macOS packs a folder around all.
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
        texts = [name for name in files if name.lower().endswith(".txt")]  # endings that systems give to unknown types
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
        """Take downloads that lie side by side, such as one for each section, if every candidate is one."""
        bundles = [child for child in children if child.form is not Form.FILE and (not child.member or child.tree)]
        sections = [(child, self._children(child, DOWNLOAD)) for child in bundles if not self._id(child)]
        if not bundles or len(sections) < len(bundles):
            return False
        # If one is no download, names within may be a student's own.
        if any(self._recognised(within)[0] is None for _, within in sections):
            return False
        for child, within in sections:
            self._take_download(child.name, within)
        self._take_each([child for child in children if child not in bundles], 1)
        return True

    def _recognised(self, places: Sequence[Place]) -> tuple[Download | None, str]:
        """The places as a download, if they are one, and a doubt about that."""
        # Files named one by one may lie in several folders.
        if len({place.name for place in places}) < len(places):
            return None, ""
        try:
            with listing(places, self.programs) as seen:
                return recognise(seen)
        except (OSError, JudgeError, UnreadableError):
            return None, ""

    def _take_download(self, name: str, places: Sequence[Place]) -> bool:
        """Take the places that lie side by side as a download of a learning platform, if they are one."""
        download, doubt = self._recognised(places)
        if doubt:
            self.doubts.append(f"{shown(name)}: {doubt}")
        if download is None:
            return False
        by_name = {place.name: place for place in places}
        entries = [self._entry_of(submission, by_name) for submission in download.found]
        self.found += entries
        self.ignored += download.ignored
        late = sum(entry.origin.late for entry in entries)
        earlier = sum(len(entry.origin.earlier) for entry in entries)
        counts = [plural(len(entries), "submission")]
        counts += [f"{late} late"] if late else []
        counts += [f"{plural(earlier, 'file')} of earlier attempts left out"] if earlier else []
        self.read_as.append(f"{shown(name)}: a download from {download.system}, {', '.join(counts)}")
        self._take_each([place for place in places if place.name not in download.fitting], 1)
        return True

    def _entry_of(self, submission: Found, places: dict[str, Place]) -> Entry:
        """The entry of one submission of a download. The platform's data on a student count before file names."""
        pieces, names = [], []
        for part in submission.parts:
            place, name = places[part.path], part.name
            # An archive that lies alone in the platform's folder is what the student handed in.
            within = () if name else self._children(place, SUBMISSION)
            if len(within) == 1 and within[0].form is not Form.FOLDER:  # a folder that the platform made around it
                place, name = within[0], within[0].name
            pieces.append(Piece(name, place.form, place.path, place.member))
            names += [name] if name else [child.name for child in within]
        first = pieces[0]
        numbers = dict.fromkeys(number for name in names if (number := identify(name, self.pattern).student_id))
        submitters = submission.origin.submitters
        known = ", ".join(filter(None, (who.known_by for who in submitters)))
        student_id = known or next(iter(numbers), "")
        called = [who.name or who.known_by or " ".join(str(i) for i in who.ids[:1]) for who in submitters]
        student = ", ".join(called) or places[submission.parts[0].path].name
        # a name with the platform's own identifiers, since two students may have one name
        # Two students may be called Li Wei, and both would be one submission.
        apart = [
            "-".join([name, *(i.value for i in who.ids if who.name)])
            for name, who in zip(called, submitters, strict=True)
        ]
        notes = list(submission.notes)
        given = {i.value for who in submitters for i in who.ids if i.kind is IdKind.NUMBER}
        given = {number.casefold() for number in given if identify(number, self.pattern).student_id}
        if given and any(number.casefold() not in given for number in numbers):
            notes.append(f"it is of {known}, and the names of its files have the number {', '.join(numbers)}")
        if len(numbers) > 1:
            notes.append(f"the names of its files have several student numbers: {', '.join(numbers)}")
        return Entry(
            id=safe_id(student_id or "-".join(apart) or student),
            student=student,
            student_id=student_id,
            handed_in_as=", ".join(names[:_NAMED])
            + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""),
            form=first.form if len(pieces) == 1 else Form.FOLDER,
            path=first.path,
            member=first.member,
            origin=submission.origin,
            notes=tuple(notes),
            pieces=tuple(pieces) if len(pieces) > 1 else (),
        )

    # --- plain folders and archives -----------------------------------------------------------------------------------

    def _holds_many(self, place: Place, children: Sequence[Place], *, named: bool) -> bool:
        """Whether these are submissions. A place that the TA named (``named``) needs fewer signs than a place inside it."""
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
        """The places in a place; empty if it cannot be read: then it is a submission with a problem.

        The course's own files and hidden folders hold no submissions. An archive that the TA did not name may be a
        student's, and gets a student's limits.
        """
        if place.tree is not None:
            return in_tree(place, place.tree)
        if place.member or place.form is Form.FILE:
            return ()
        try:
            if place.form is Form.FOLDER:
                places = on_disk(place.path, lambda name: self.ignored.append(f"{name}: a link or a special file"))
                return tuple(place for place in places if not self._is_of_course(place))
            with open_archive(place.path, limits) as archive:
                self.unread.extend((place.path, problem) for problem in archive.problems)
                return in_archive(place, archive)
        except (OSError, JudgeError, UnreadableError):
            return ()

    def _is_of_course(self, place: Place) -> bool:
        if place.form is Form.FOLDER:
            return is_hidden(place.name) or self.course.fill(place.path)
        return self.course.holds(place.path)


# ------------------------------------------------------------------------------------------------------------- the plan


_WIDEST = 40  # columns of a cell


@dataclass(frozen=True, slots=True)
class Plan:
    """The submissions of a batch in their order, and how they were found.

    Sentences: ``read_as`` on recognised downloads, ``ignored`` on files that are not submissions, ``doubts`` on things
    that a person should check. ``refusal``, if not empty, says why the batch must not be graded like this.
    """

    entries: tuple[Entry, ...]
    ignored: tuple[str, ...]
    read_as: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    refusal: str = ""


def plan(
    sources: Sequence[Path],
    student_id_pattern: str | None = None,
    programs: Sequence[str] = (),
    course: CourseFiles = NO_FILES,
) -> Plan:
    """The submissions that a batch has to grade, in an order that depends only on names.

    ``programs`` are the names or patterns of the sources that the spec asks for: they tell many submissions from one. The files
    of the ``course`` are no submissions. Raises UsageError if a source is missing or if none of them holds a
    submission.
    """
    search = Search(student_id_pattern, frozenset(programs), course)
    search.look_into_all([place_of(source) for source in dict.fromkeys(path.resolve() for path in sources)])
    ignored = tuple(dict.fromkeys((*search.ignored, *search.ignored_members())))
    if not search.found:
        where = ", ".join(str(path) for path in sources)
        hint = "; ".join(ignored[:_NAMED]) or "give a folder of zips or folders, or a zip of them"
        raise UsageError("holds no submissions", place=where, hint=hint)

    def order(entry: Entry) -> tuple[str, ...]:
        # The order by name without its extension, so that `LAB04.zip` comes before `LAB04 (1).zip`.
        stem = entry.handed_in_as.rpartition(".")[0] or entry.handed_in_as
        return (entry.id.casefold(), entry.id, stem, entry.handed_in_as, entry.member, entry.path.as_posix())

    ordered = sorted(_noted(search.found), key=order)
    ids = unique_ids(entry.id for entry in ordered)
    entries = tuple(replace(entry, id=unique) for entry, unique in zip(ordered, ids, strict=True))
    doubts, refusal = _side_by_side(search.flat, programs, alone=len(entries) == 1)
    return Plan(entries, ignored, tuple(search.read_as), (*search.doubts, *doubts), refusal)


def _noted(entries: Sequence[Entry]) -> list[Entry]:
    """The entries, with a note if a student has several.

    The batch reports entries of one student number when all are graded.
    """
    together: dict[Identifier | str, list[int]] = defaultdict(list)
    for number, entry in enumerate(entries):
        # an identifier, or a name that has none: a loose file is called by its program, and one word may be anybody
        keys: set[Identifier | str] = {identifier for who in entry.origin.submitters for identifier in who.ids}
        if not keys and not entry.student_id and entry.form is not Form.FILE and " " in entry.student.strip():
            keys = {f"“{shown(entry.student)}”"}
        for key in keys:
            together[key].append(number)
    notes: dict[int, list[str]] = defaultdict(list)
    for key, several in together.items():
        if len(several) > 1:
            listed = ", ".join(shown(entries[number].handed_in_as) for number in several[: _NAMED + 1])
            more = f" and {len(several) - _NAMED - 1} more" if len(several) > _NAMED + 1 else ""
            for number in several:
                notes[number].append(f"{len(several)} submissions are of {key}: {listed}{more}")
    return [replace(entry, notes=(*entry.notes, *notes[number])) for number, entry in enumerate(entries)]


def _side_by_side(flat: Sequence[Flat], programs: Sequence[str], *, alone: bool) -> tuple[list[str], str]:
    """Doubts about programs that lie side by side and were taken for one submission, and a reason to refuse.

    Names of sources in the spec decide this: at least one file of a submission has such a name.
    """
    names = {name.casefold() for name in programs if "*" not in name}
    if programs and not names and not alone:  # several files are usual where the spec has patterns
        return [], ""
    unnamed = [held for held in flat if not names & {name.casefold() for name in held.programs}]
    doubts = [f"{held}, and were taken for one submission" for held in unnamed]
    return (doubts, doubts[0]) if alone and doubts and names else (doubts, "")


# --------------------------------------------------------------------------------------------------------------- as text


def outline(planned: Plan) -> str:
    """The whole plan: recognised downloads, a line for each submission, ignored files, and doubts."""
    return "\n".join(_lines(planned))


def _lines(planned: Plan) -> Iterator[str]:
    as_names = "read by student numbers, folders and archives: no download of a platform was recognised"
    yield from planned.read_as or (as_names,)
    yield f"{plural(len(planned.entries), 'submission')}:"
    yield from _table([_row(entry) for entry in planned.entries])
    for entry in planned.entries:
        yield from (f"earlier, of {shown(entry.student)}: {remark}" for remark in entry.origin.earlier)
    yield from (f"not taken for a submission: {remark}" for remark in planned.ignored)
    yield from (f"not sure: {remark}" for remark in planned.doubts)
    yield from (f"not sure: {entry.id}: {note}" for entry in planned.entries for note in entry.notes)
    numbers = Counter(entry.student_id.upper() for entry in planned.entries if entry.student_id)
    yield from (f"not sure: {n} submissions carry the number {number}" for number, n in numbers.items() if n > 1)
    if planned.refusal:
        yield "`grader batch` refuses to grade this as one submission"


def _row(entry: Entry) -> tuple[str, ...]:
    origin = entry.origin
    ids = [str(i) for who in origin.submitters for i in who.ids]
    if not ids and entry.student_id:
        ids = [f"number {entry.student_id}"]
    elif entry.student_id and not any(entry.student_id in one for one in ids) and "," not in entry.student_id:
        ids.append(f"number {entry.student_id}")
    when = " ".join(filter(None, ("LATE" if origin.late else "", origin.attempt)))
    return tuple(map(shown, (entry.id, entry.student, ", ".join(ids) or "no id", when, entry.handed_in_as)))


def _table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Columns as wide as their cells, up to a limit; a column that is empty in every row is left out."""
    used = [column for column in zip(*rows, strict=True) if any(column)]
    widths = [min(_WIDEST, max(map(display_width, column))) for column in used]
    for row in zip(*used, strict=True):
        cells = (cell + " " * (width - display_width(cell)) for cell, width in zip(row, widths, strict=True))
        yield f"  {'  '.join(cells)}".rstrip()
