"""The reports of a batch, written from its store: the same bytes for any number of workers and after any resumption.

Grades are taken from the store one at a time. Each file is written beside its place and moved there when it is whole.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path

from grader.batch.decisions import Groups
from grader.batch.finals import NOTHING, Finals, Given, in_short
from grader.batch.identified import REVIEW, Identified, review_text
from grader.batch.marks import FILE_NAME, Line, complete_file
from grader.batch.store import Store
from grader.errors import UsageError
from grader.grading.deciding import Decisions
from grader.report import junit, page, record, table
from grader.report.conditions import Conditions
from grader.results import Grade, Status
from grader.spec.loader import Assignment

STUDENTS = "students"
STAFF = "staff"
REVIEW_LIST = "review.html"
_HALF = ".part"
_FOR_A_PERSON = (Status.MANUAL, Status.NEEDS_REVIEW)  # what we failed on is tried again
_GROUPS_SHOWN = 30
_IN_FULL = 100  # of what a person decides, told with their dialogues
_KEPT_AT_ONCE = 100  # grades in one transaction


def write_outputs(
    assignment: Assignment,
    store: Store,
    out: Path,
    *,
    given: Given = NOTHING,
    doubts: Sequence[str] = (),
    identified: Identified | None = None,
) -> Conditions:
    """Write grades.csv, grades.json, junit.xml, index.html, staff/<id>.html and students/<id>.html into ``out``.

    A page in ``students`` can be handed out; its twin in ``staff``, to which the index links, hides nothing. ``doubts`` say
    what is not sure of the batch, and ``identified`` who is who by a roster, if there is one. What grades came to is kept in the
    store, and marks.csv gets what it lacks. Returns the conditions under which all were judged.
    """
    finals = Finals(assignment, given, identified)
    groups = Groups()
    opened = dict.fromkeys(c.id for c in assignment.spec.rubric if c.manual)
    sheet: list[Line] = []
    criteria = [criterion.id for criterion in assignment.spec.rubric]
    rows: list[page.Row] = []
    lines = [table.header(criteria)]
    fit = junit.submissions_in(len(assignment.spec.cases))
    counts: list[junit.Counts] = []
    came_to: list[tuple[str, str]] = []
    waiting = _Waiting()

    def seen() -> Iterator[Grade]:
        for number, final in enumerate(finals.of(store)):
            grade = final.grade
            groups.add(grade.submission, final.mistakes)
            if number % fit == 0:
                counts.append(junit.Counts())
            counts[-1] = counts[-1].plus(grade)
            rows.append(page.Row.of(grade, tuple(one.key for one in final.mistakes)))
            waiting.add(page.ForPerson.of(final.for_staff))
            lines.append(table.row(grade, criteria))
            sheet.append(Line(grade.submission, grade.student, grade.student_id))
            opened.update(dict.fromkeys(c.id for c in grade.criteria if c.status in _FOR_A_PERSON))
            came_to.append((grade.submission, record.dump(in_short(grade))))
            if len(came_to) == _KEPT_AT_ONCE:
                store.keep_final(came_to)
                came_to.clear()
            yield final.for_staff

    _write(out / "grades.json", record.chunks(assignment.id, seen()))
    store.keep_final(came_to)
    absent = identified.absent if identified else ()
    _write(out / "grades.csv", [*lines, *(table.absent(person.name, person.ids, criteria) for person in absent)])
    if identified:
        _write_review(out / REVIEW, identified)
    grades = (final.for_staff for final in finals.of(store))

    def parts() -> Iterator[tuple[str, Iterable[str]]]:
        for number, held in enumerate(counts, 1):
            yield f"junit-{number}" if number > 1 else "junit", junit.chunks(assignment.id, islice(grades, fit), held)

    _write_all(out, "junit*.xml", parts())
    _write_all(out / STUDENTS, "*.html", ((final.grade.submission, [final.page]) for final in finals.of(store)))
    beside = _neighbours(rows)
    staff = (
        (
            f.grade.submission,
            [page.student_page(f.for_staff, audience="staff", neighbours=beside[f.grade.submission])],
        )
        for f in finals.of(store)
    )
    _write_all(out / STAFF, "*.html", staff)
    _write_waiting(out / REVIEW_LIST, assignment.title, waiting)
    complete_file(out / FILE_NAME, sheet, [name for name in criteria if name in opened])
    missing = [person.label for person in absent]
    same = _same(groups, given.decisions)
    index = page.index_page(assignment.title, rows, doubts=doubts, absent=missing, same=same, waiting=waiting.number)
    _write(out / "index.html", [index])
    return Conditions.of_rows(rows)


class _Waiting:
    """What a person decides, as grades come in one at a time: the weightiest are held whole, of the others their names."""

    def __init__(self) -> None:
        self._found: list[page.ForPerson] = []
        self._remarks: dict[str, page.ForPerson] = {}
        self._sorted = 0
        self._also: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)

    @property
    def number(self) -> int:
        """How many items the list has."""
        return len(self._found) + len(self._remarks)

    def add(self, items: Sequence[page.ForPerson]) -> None:
        """Take in those of one grade."""
        for one in items:
            if one.points:
                self._found.append(one)
            elif one.title in self._remarks:
                self._also[one.title].append((one.submission, one.name))
            else:
                self._remarks[one.title] = one
        if len(self._found) >= self._sorted + _IN_FULL:
            self._sort()

    def _sort(self) -> None:
        self._sorted = len(self._found)
        self._found.sort(key=lambda one: -one.points)
        self._found[_IN_FULL:] = [replace(one, cases=()) for one in self._found[_IN_FULL:]]

    def parts(self) -> tuple[list[page.ForPerson], list[page.ForPerson]]:
        """Those that are told in full, and the others."""
        self._sort()
        remarks = [replace(one, also=tuple(self._also[title])) for title, one in self._remarks.items()]
        return [*self._found[:_IN_FULL], *remarks], self._found[_IN_FULL:]


def _write_waiting(path: Path, title: str, waiting: _Waiting) -> None:
    """Write the list of what a person decides; where there is nothing there is none."""
    if waiting.number:
        _write(path, [page.review_page(title, *waiting.parts())])
    else:
        path.unlink(missing_ok=True)


def _neighbours(rows: Sequence[page.Row]) -> dict[str, page.Neighbours]:
    """Who stands beside each submission in the batch's order."""
    named = [(row.submission, row.student or row.submission) for row in rows]
    around = zip(named, (None, *named[:-1]), (*named[1:], None), strict=True)
    return {this[0]: page.Neighbours(before, after) for this, before, after in around}


def _same(groups: Groups, decisions: Decisions) -> list[page.Same]:
    """What the overview shows of mistakes that several have."""
    return [
        page.Same(
            group.first.key,
            group.first.finding.message,
            group.first.case.criterion or "",
            group.count,
            tuple(group.submissions),
            decisions[group.first.key].sentence if group.first.key in decisions else "",
        )
        for group in groups.listed()[:_GROUPS_SHOWN]
        if group.count > 1 or group.first.key in decisions
    ]


def _write_review(path: Path, identified: Identified) -> None:
    """Write the review list; where nothing is left to decide and nothing was decided there is none."""
    if identified.review:
        _write(path, [review_text(identified.review)])
    else:
        path.unlink(missing_ok=True)


def _write_all(folder: Path, pattern: str, files: Iterable[tuple[str, Iterable[str]]]) -> None:
    """Write files by their names without the extension, and remove what else has names of this pattern."""
    with _written(folder):
        folder.mkdir(exist_ok=True)
    current = set()
    for name, chunks in files:
        path = folder / f"{name}{Path(pattern).suffix}"
        current.add(path.name)
        _write(path, chunks)
    for stale in folder.glob(pattern):
        if stale.name not in current:
            stale.unlink()


def _write(path: Path, chunks: Iterable[str]) -> None:
    half = path.with_name(path.name + _HALF)
    with _written(path):
        try:
            with half.open("w", encoding="utf-8", newline="") as stream:
                stream.writelines(chunks)
            half.replace(path)
        except BaseException:
            half.unlink(missing_ok=True)
            raise


@contextmanager
def _written(path: Path) -> Iterator[None]:
    """Say in a sentence what cannot be written."""
    try:
        yield
    except OSError as fault:
        hint = "all grades are kept: mend that, and the same command writes the reports"
        raise UsageError(f"cannot be written ({fault.strerror})", place=str(path), hint=hint) from fault
