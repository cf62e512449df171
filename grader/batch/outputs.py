"""The reports of a batch, written from its store: the same bytes for any number of workers and after any resumption.

Theory of operation. The store gives kept verdicts, a few submissions at a time. Workers score them, write the pages of
each submission, and return its entries in the reports of the class. These are written in the batch's order as they
come, so the parent holds only a line for each submission. Each file is written beside its place and moved there when it
is whole.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from grader.batch.decisions import Groups
from grader.batch.files import clean, write, written
from grader.batch.identified import REVIEW, identified_in, review_text
from grader.batch.opening import Opened
from grader.batch.pages import STAFF, STUDENTS, Told, parts_of, told_in_order, writing
from grader.batch.sheet import Line, complete_file, file_in
from grader.batch.store import Store
from grader.grading.deciding import Decisions
from grader.intake.roster import Person
from grader.report import junit, page, record, table
from grader.report.overview import Conditions
from grader.spec.loader import Assignment
from grader.values import dataclass

REVIEW_LIST = "review.html"
_IN_FULL = 100  # open decisions that are listed with their dialogues
_Same = tuple[str, str, tuple[str, ...]]  # the concern of an item, its title, and the codes of its findings
_GROUPS_SHOWN = 30  # mistakes in the overview, the dearest first; `grader decide` lists all
_KEPT_AT_ONCE = 100  # grades in one transaction
_AT_ONCE = 8  # submissions that a worker gets together
_PIECE = 1 << 20  # characters of junit.xml that are copied at once
_FEW = 40  # submissions: for fewer it does not pay to start a worker


@dataclass(frozen=True, slots=True)
class Reported:
    """The reports' account of a batch as a whole: the conditions of judging, and the work left to people.

    ``waiting`` counts the open decisions, and ``to_look_at`` the submissions that a person should look at. ``mistakes``
    counts undecided mistakes of several submissions, and ``manual`` the submissions with points that staff give.
    ``absent`` are people on the roster who handed in nothing; ``undecided`` counts submitters to be found on the roster.
    """

    conditions: Conditions
    waiting: int
    to_look_at: int
    mistakes: int
    manual: int
    absent: tuple[str, ...]
    undecided: int


def write_outputs(opened: Opened, jobs: int = 1) -> Reported:
    """Write grades.csv, grades.json, junit.xml, index.html, review.html, staff/<id>.html and students/<id>.html of a batch.

    A page in ``students`` can be handed out; its twin in ``staff``, to which the index links, hides nothing. The store
    keeps the final grades, and marks.csv gets missing rows and columns. Raises UsageError if the roster of the call is
    gone.
    """
    assignment, store, out = opened.assignment, opened.store, opened.out
    identified = identified_in(store, out)
    for folder in (STUDENTS, STAFF):
        with written(out / folder):
            (out / folder).mkdir(exist_ok=True)
    gathered = _Gathered(assignment, store)
    workers = jobs if len(store.owners()) > _FEW else 0
    setup = partial(writing, assignment, opened.given, identified, out)
    accounts = told_in_order(setup, parts_of(store, identified, _AT_ONCE if workers > 1 else 1), workers)
    with ExitStack() as stack:
        unit = JUnit(out, assignment, stack)
        write(out / "grades.json", record.joined(assignment.id, gathered.records(accounts, unit)))
        unit.finish()
    for folder in (STUDENTS, STAFF):
        clean(out / folder, "*.html", {f"{row.submission}.html" for row in gathered.rows})
    review, absent = (identified.review, identified.absent) if identified else ((), ())
    if identified:
        _write_or_remove(out / REVIEW, review_text(review) if review else "")
    of_class, rows = page.OfClass.of(gathered.rows)
    waiting = gathered.waiting
    waiting.leave_out({one.about for one in of_class.most})
    is_list = waiting.number or of_class.most or of_class.zeros
    listed = page.review_page(assignment.title, *waiting.parts(), of_class) if is_list else ""
    _write_or_remove(out / REVIEW_LIST, listed)
    write(out / "grades.csv", gathered.table(absent))
    complete_file(file_in(out), gathered.sheet, gathered.for_staff, [one.id for one in assignment.spec.rubric])
    same, missing = _shared_mistakes(gathered.groups, opened.decisions), tuple(person.label for person in absent)
    whole = {"doubts": store.call.doubts, "absent": missing}
    write(
        out / "index.html",
        [page.index_page(assignment.title, gathered.rows, **whole, same=same, waiting=waiting.number)],
    )
    to_look_at, manual = sum(row.to_look_at for row in rows), sum(bool(row.open_points) for row in gathered.rows)
    mistakes, undecided = sum(not one.decided for one in same), sum(not row["decision"] for row in review)
    conditions = Conditions.of_rows(gathered.rows)
    return Reported(conditions, waiting.number, to_look_at, mistakes, manual, missing, undecided)


def _write_or_remove(path: Path, text: str) -> None:
    """Write a list for a person, or remove it if nothing is left to decide."""
    if text:
        write(path, [text])
    else:
        path.unlink(missing_ok=True)


class _Gathered:
    """The entries of submissions in the reports of the class, as each comes: lines are kept, and records passed on."""

    def __init__(self, assignment: Assignment, store: Store) -> None:
        self._store = store
        self._criteria = [criterion.id for criterion in assignment.spec.rubric]
        self._opened = {criterion.id for criterion in assignment.spec.rubric if criterion.manual}
        self._lines = [table.header(self._criteria)]
        self.groups = Groups()
        self.waiting = Waiting()
        self.sheet: list[Line] = []
        self.rows: list[page.Row] = []

    def records(self, grades: Iterable[Told], unit: JUnit) -> Iterator[str]:
        """The record of each, in the batch's order; its other entries are kept here, in the store, and in junit.xml."""
        came_to: list[tuple[str, str]] = []
        for number, one in enumerate(grades):
            self.groups.add(one.row.submission, one.mistakes)
            self.waiting.add(one.waiting)
            self.rows.append(one.row)
            self.sheet.append(one.line)
            self._lines.append(one.lines)
            self._opened.update(one.opened)
            unit.add(number, one)
            came_to.append((one.row.submission, one.short))
            if len(came_to) == _KEPT_AT_ONCE:
                self._store.keep_final(came_to)
                came_to.clear()
            yield one.record
        self._store.keep_final(came_to)

    @property
    def for_staff(self) -> list[str]:
        """The criteria that marks.csv asks for, in the order of the spec."""
        return [name for name in self._criteria if name in self._opened]

    def table(self, absent: Sequence[Person]) -> list[str]:
        """The lines of grades.csv, with those who handed in nothing."""
        return [*self._lines, *(table.absent(person.name, person.ids, self._criteria) for person in absent)]


def _shared_mistakes(groups: Groups, decisions: Decisions) -> list[page.Same]:
    """The mistakes of several submissions, for the overview."""
    same = []
    for group in groups.listed():
        decided = "; ".join(decision.sentence for decision in group.decided(decisions).values())
        if groups.of_class(group) or not (group.count > 1 or decided):
            continue
        first, more, points = group.listed[0].first, len(group.variants) - 1, float(group.lost + group.waiting)
        name = first.key + (" --all" if more else "")
        about = group.key, first.finding.message, group.first.criterion, group.count, tuple(group.submissions), decided
        same.append(page.Same(*about, name=name, more=more, points=points))
    return same[:_GROUPS_SHOWN]


# ------------------------------------------------------------------------------------------ what a person decides


class Waiting:
    """The open decisions, as grades come in one at a time: the weightiest are held whole, the others by name."""

    def __init__(self) -> None:
        self._found: list[page.ForPerson] = []
        self._remarks: dict[_Same, page.ForPerson] = {}
        self._sorted = 0
        self._also: defaultdict[_Same, list[tuple[str, str]]] = defaultdict(list)

    @property
    def number(self) -> int:
        """The number of items in the list."""
        return len(self._found) + len(self._remarks)

    def leave_out(self, concerns: Collection[str]) -> None:
        """Drop the concerns of the class as a whole."""
        self._remarks = {key: one for key, one in self._remarks.items() if not one.about or one.about not in concerns}

    def add(self, items: Sequence[page.ForPerson]) -> None:
        """Take in those of one grade."""
        for one in items:
            # With the case alone as key, an unreadable report was listed under “report.pdf is missing”.
            key = (one.about, one.title, tuple(f.code for told in one.cases for f in told.case.findings))
            if one.points:
                self._found.append(one)
            elif key in self._remarks:
                self._also[key].append((one.submission, one.name))
            else:
                self._remarks[key] = one
        if len(self._found) >= self._sorted + _IN_FULL:
            self._sort()

    def _sort(self) -> None:
        self._sorted = len(self._found)
        self._found.sort(key=lambda one: -one.points)
        self._found[_IN_FULL:] = [replace(one, cases=()) for one in self._found[_IN_FULL:]]

    def parts(self) -> tuple[list[page.ForPerson], list[page.ForPerson]]:
        """The items shown in full, and the others."""
        self._sort()
        remarks = [replace(one, also=tuple(self._also[key])) for key, one in self._remarks.items()]
        return [*self._found[:_IN_FULL], *remarks], self._found[_IN_FULL:]


# ------------------------------------------------------------------------------------------ junit.xml


class JUnit:
    """junit.xml and further documents. Suites are put aside as they come, since a document begins with its totals."""

    def __init__(self, out: Path, assignment: Assignment, stack: ExitStack) -> None:
        self._out = out
        self._assignment = assignment.id
        self._fit = junit.submissions_in(len(assignment.spec.cases))
        self._counts: list[junit.Counts] = []
        self._written = 0
        self._stack = stack
        self._bodies: list[IO[str]] = []

    def _path(self, number: int) -> Path:
        return self._out / f"junit{f'-{number + 1}' if number else ''}.xml"

    def add(self, number: int, one: Told) -> None:
        """Put the suite of a submission aside, within the length that the suites before it leave."""
        if number % self._fit == 0:
            with written(self._out):  # beside the documents, since another disk may be too small; it has no name
                body = TemporaryFile("w+", encoding="utf-8", newline="", dir=self._out)  # noqa: SIM115 -- the stack closes it
                self._stack.enter_context(body)
            self._bodies.append(body)
            self._counts.append(junit.Counts())
            self._written = 0
        text = one.suites[junit.LIMITS.index(junit.limit(self._written))]
        self._written += len(text.encode())
        with written(self._path(len(self._counts) - 1)):
            self._bodies[-1].write(text)
        self._counts[-1] += one.counts

    def finish(self) -> None:
        """Write the documents, and remove those of a larger class."""
        for number, (body, counts) in enumerate(zip(self._bodies, self._counts, strict=True)):
            with written(self._path(number)):
                body.seek(0)
            pieces = iter(partial(body.read, _PIECE), "")
            write(self._path(number), chain([junit.head(self._assignment, counts)], pieces, [junit.TAIL]))
        clean(self._out, "junit*.xml", {self._path(number).name for number in range(len(self._counts))})
