"""The reports of a batch, written from its store: the same bytes for any number of workers and after any resumption.

Theory of operation. The store hands out what is kept, a few submissions at a time; workers score it, write the pages of each
submission, and hand back what the reports of the class have of it, which are written as it comes, in the batch's order. So nothing
but a line for each submission is held. Each file is written beside its place and moved there when it is whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from grader.batch.decisions import Groups
from grader.batch.files import clean, write, written
from grader.batch.finals import NOTHING, Given
from grader.batch.identified import REVIEW, Identified, review_text
from grader.batch.pages import STAFF, STUDENTS, Told, parts_of, told_in_order, writing
from grader.batch.sheet import Line, complete_file, file_in
from grader.batch.store import Store
from grader.batch.suites import JUnit
from grader.batch.waiting import REVIEW_LIST, Waiting, write_waiting
from grader.grading.deciding import Decisions
from grader.intake.roster import Person
from grader.report import page, record, table
from grader.report.conditions import Conditions
from grader.spec.loader import Assignment
from grader.values import dataclass

_GROUPS_SHOWN = 30
_KEPT_AT_ONCE = 100  # grades in one transaction
_AT_ONCE = 8  # submissions that a worker is given together
_FEW = 40  # submissions for which no worker is worth its start


@dataclass(frozen=True, slots=True)
class Reported:
    """What the reports of a batch say of it as a whole: under which conditions it was judged, and what is left to a person.

    ``waiting`` counts what stands in the list of what a person decides, and ``to_look_at`` the submissions that a person should look at;
    ``mistakes`` counts mistakes that several have and nobody has decided of, and ``manual`` the submissions with points that staff give.
    """

    conditions: Conditions
    waiting: int = 0
    to_look_at: int = 0
    mistakes: int = 0
    manual: int = 0


def write_outputs(
    assignment: Assignment,
    store: Store,
    out: Path,
    *,
    given: Given = NOTHING,
    doubts: Sequence[str] = (),
    identified: Identified | None = None,
    jobs: int = 1,
) -> Reported:
    """Write grades.csv, grades.json, junit.xml, index.html, review.html, staff/<id>.html and students/<id>.html into ``out``.

    A page in ``students`` can be handed out; its twin in ``staff``, to which the index links, hides nothing. ``doubts`` say
    what is not sure of the batch, and ``identified`` who is who by a roster, if there is one. What grades came to is kept in the
    store, and marks.csv gets what it lacks.
    """
    for folder in (STUDENTS, STAFF):
        with written(out / folder):
            (out / folder).mkdir(exist_ok=True)
    gathered = _Gathered(assignment, store)
    workers = jobs if len(store.owners()) > _FEW else 0
    setup = partial(writing, assignment, given, identified, out)
    told = told_in_order(setup, parts_of(store, identified, _AT_ONCE if workers > 1 else 1), workers)
    with JUnit(out, assignment) as unit:
        write(out / "grades.json", record.joined(assignment.id, gathered.records(told, unit)))
        unit.finish()
    for folder in (STUDENTS, STAFF):
        clean(out / folder, "*.html", {f"{row.submission}.html" for row in gathered.rows})
    if identified:
        _write_review(out / REVIEW, identified)
    of_class, rows = page.OfClass.of(gathered.rows)
    gathered.waiting.leave_out({one.about for one in of_class.most})
    write_waiting(out / REVIEW_LIST, assignment.title, gathered.waiting, of_class)
    absent = identified.absent if identified else ()
    write(out / "grades.csv", gathered.table(absent))
    complete_file(file_in(out), gathered.sheet, gathered.for_staff, [one.id for one in assignment.spec.rubric])
    same = _same(gathered.groups, given.decisions)
    missing, waiting = [person.label for person in absent], gathered.waiting.number
    index = page.index_page(assignment.title, gathered.rows, doubts=doubts, absent=missing, same=same, waiting=waiting)
    write(out / "index.html", [index])
    return Reported(
        Conditions.of_rows(gathered.rows),
        waiting,
        sum(row.to_look_at for row in rows),
        sum(not one.decided for one in same),
        sum(bool(row.open_points) for row in gathered.rows),
    )


class _Gathered:
    """What the reports of the class have of its submissions, as each comes: a line of everything, and its record passed on."""

    def __init__(self, assignment: Assignment, store: Store) -> None:
        self._store = store
        self._criteria = [criterion.id for criterion in assignment.spec.rubric]
        self._opened = {criterion.id for criterion in assignment.spec.rubric if criterion.manual}
        self._lines = [table.header(self._criteria)]
        self.groups = Groups()
        self.waiting = Waiting()
        self.sheet: list[Line] = []
        self.rows: list[page.Row] = []

    def records(self, told: Iterable[Told], unit: JUnit) -> Iterator[str]:
        """The record of each, in the batch's order; the rest of it is kept here, in the store, and in junit.xml."""
        came_to: list[tuple[str, str]] = []
        for number, one in enumerate(told):
            self._add(one)
            unit.add(number, one)
            came_to.append((one.row.submission, one.short))
            if len(came_to) == _KEPT_AT_ONCE:
                self._store.keep_final(came_to)
                came_to.clear()
            yield one.record
        self._store.keep_final(came_to)

    def _add(self, one: Told) -> None:
        self.groups.add(one.row.submission, one.mistakes)
        self.waiting.add(one.waiting)
        self.rows.append(one.row)
        self.sheet.append(one.line)
        self._lines.append(one.lines)
        self._opened.update(one.opened)

    @property
    def for_staff(self) -> list[str]:
        """The criteria that marks.csv asks for, in the order of the spec."""
        return [name for name in self._criteria if name in self._opened]

    def table(self, absent: Sequence[Person]) -> list[str]:
        """The lines of grades.csv, with those who handed in nothing."""
        return [*self._lines, *(table.absent(person.name, person.ids, self._criteria) for person in absent)]


def _same(groups: Groups, decisions: Decisions) -> list[page.Same]:
    """What the overview shows of mistakes that several have."""
    told = [
        (group, "; ".join(decision.sentence for decision in group.decided(decisions).values()))
        for group in groups.listed()
        if not groups.of_class(group)
    ]
    return [
        page.Same(
            group.key,
            group.listed[0].first.finding.message,
            group.first.criterion,
            group.count,
            tuple(group.submissions),
            decided,
            name=group.listed[0].first.key + (" --all" if len(group.variants) > 1 else ""),
            more=len(group.variants) - 1,
            points=float(group.lost + group.waiting),
        )
        for group, decided in told
        if group.count > 1 or decided
    ][:_GROUPS_SHOWN]


def _write_review(path: Path, identified: Identified) -> None:
    """Write the review list; where nothing is left to decide and nothing was decided there is none."""
    if identified.review:
        write(path, [review_text(identified.review)])
    else:
        path.unlink(missing_ok=True)
