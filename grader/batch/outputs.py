"""The reports of a batch, written from its store: the same bytes for any number of workers and after any resumption.

Theory of operation. The store hands out what is kept, a few submissions at a time; workers score it, write the pages of each
submission, and hand back what the reports of the class have of it, which are written as it comes, in the batch's order. So nothing
but a line for each submission is held. Each file is written beside its place and moved there when it is whole.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Self, TextIO

from grader.batch.decisions import Groups
from grader.batch.finals import NOTHING, Finals, Given, case_in_short, in_short, same_student
from grader.batch.identified import REVIEW, Identified, review_text
from grader.batch.marks import FILE_NAME, Line, complete_file
from grader.batch.pool import Done, Setup, run_pool
from grader.batch.store import Kept, Store
from grader.errors import UsageError
from grader.grading.deciding import Decisions, Mistake
from grader.report import junit, page, record, table
from grader.report.conditions import Conditions
from grader.results import Finding, Status
from grader.spec.loader import Assignment

STUDENTS = "students"
STAFF = "staff"
REVIEW_LIST = "review.html"
_HALF = ".part"
_BODY = ".body.part"
_FOR_A_PERSON = (Status.MANUAL, Status.NEEDS_REVIEW)  # what we failed on is tried again
_GROUPS_SHOWN = 30
_IN_FULL = 100  # of what a person decides, told with their dialogues
_KEPT_AT_ONCE = 100  # grades in one transaction
_PIECE = 1 << 20
_AT_ONCE = 8  # submissions that a worker is given together
_FEW = 40  # submissions for which no worker is worth its start


@dataclass(frozen=True, slots=True)
class Reported:
    """What the reports of a batch say of it as a whole: under which conditions it was judged, and what is left to a person.

    ``waiting`` counts what stands in the list of what a person decides, ``points`` those that hang on it; ``mistakes`` counts mistakes that
    several have and nobody has decided of, and ``manual`` the submissions with points that staff give.
    """

    conditions: Conditions
    waiting: int = 0
    needs_review: int = 0
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
        with _written(out / folder):
            (out / folder).mkdir(exist_ok=True)
    criteria = [criterion.id for criterion in assignment.spec.rubric]
    opened = dict.fromkeys(c.id for c in assignment.spec.rubric if c.manual)
    groups, waiting = Groups(), _Waiting()
    sheet: list[Line] = []
    rows: list[page.Row] = []
    lines = [table.header(criteria)]
    came_to: list[tuple[str, str]] = []
    unit = _JUnit(out, assignment)

    workers = jobs if len(store.owners()) > _FEW else 0
    at_once = _AT_ONCE if workers > 1 else 1

    def seen() -> Iterator[str]:
        setup = partial(_writing, assignment, given, identified, out)
        for number, one in enumerate(_in_order(setup, _parts(store, identified, at_once), workers)):
            groups.add(one.row.submission, one.mistakes)
            unit.add(number, one)
            rows.append(one.row)
            waiting.add(one.waiting)
            lines.append(one.lines)
            sheet.append(one.line)
            opened.update(dict.fromkeys(one.opened))
            came_to.append((one.row.submission, one.short))
            if len(came_to) == _KEPT_AT_ONCE:
                store.keep_final(came_to)
                came_to.clear()
            yield one.record

    with unit:
        _write(out / "grades.json", record.joined(assignment.id, seen()))
        unit.finish()
    store.keep_final(came_to)
    absent = identified.absent if identified else ()
    _write(out / "grades.csv", [*lines, *(table.absent(person.name, person.ids, criteria) for person in absent)])
    if identified:
        _write_review(out / REVIEW, identified)
    for folder in (STUDENTS, STAFF):
        _clean(out / folder, "*.html", {f"{row.submission}.html" for row in rows})
    _write_waiting(out / REVIEW_LIST, assignment.title, waiting)
    complete_file(out / FILE_NAME, sheet, [name for name in criteria if name in opened])
    missing = [person.label for person in absent]
    same = _same(groups, given.decisions)
    index = page.index_page(assignment.title, rows, doubts=doubts, absent=missing, same=same, waiting=waiting.number)
    _write(out / "index.html", [index])
    return Reported(
        Conditions.of_rows(rows),
        waiting.number,
        sum(row.needs_review for row in rows),
        sum(not one.decided for one in same),
        sum(bool(row.open_points) for row in rows),
    )


# --------------------------------------------------------------------------------------- what is written of one submission


@dataclass(frozen=True, slots=True)
class _Wanted:
    """One submission whose pages are to be written: what is kept of it, who else has its student number, who stands beside it."""

    kept: Kept
    note: str
    beside: page.Neighbours


@dataclass(frozen=True, slots=True)
class _Part:
    """A few submissions that are written together."""

    number: int
    wanted: tuple[_Wanted, ...]


@dataclass(frozen=True, slots=True)
class _Told:
    """What the reports of the class have of one submission."""

    row: page.Row
    lines: str
    line: Line
    record: str
    short: str
    suites: tuple[str, ...]
    counts: junit.Counts
    mistakes: tuple[Mistake, ...]
    waiting: tuple[page.ForPerson, ...]
    opened: tuple[str, ...]


_Work = Callable[[_Part], tuple[_Told, ...]]


@contextmanager
def _writing(assignment: Assignment, given: Given, identified: Identified | None, out: Path) -> Iterator[_Work]:
    """What a worker does with a few submissions: it writes their pages, and tells what the other reports have of them."""
    finals = Finals(assignment, given, identified)
    criteria = [criterion.id for criterion in assignment.spec.rubric]

    def told(wanted: _Wanted) -> _Told:
        final = finals.one(wanted.kept, wanted.note)
        grade, shown = final.grade, final.for_staff
        name = f"{grade.submission}.html"
        _write(out / STUDENTS / name, [final.page])
        _write(out / STAFF / name, [page.student_page(shown, audience="staff", neighbours=wanted.beside)])
        return _Told(
            row=page.Row.of(grade, tuple(one.key for one in final.mistakes)),
            lines=table.row(grade, criteria),
            line=Line(grade.submission, grade.student, grade.student_id),
            record=record.piece(shown),
            short=record.dump(in_short(grade)),
            suites=tuple(junit.suite(assignment.id, shown, most) for most in junit.LIMITS),
            counts=junit.Counts().plus(grade),
            mistakes=tuple(map(_briefly, final.mistakes)),
            waiting=page.ForPerson.of(shown),
            opened=tuple(c.id for c in grade.criteria if c.status in _FOR_A_PERSON),
        )

    yield lambda part: tuple(map(told, part.wanted))


def _briefly(mistake: Mistake) -> Mistake:
    """As much of a mistake as the overview says of it: a class may have as many as submissions."""
    case = replace(case_in_short(mistake.case), findings=())
    return Mistake(mistake.key, Finding(mistake.finding.code, mistake.finding.message), case)


def _parts(store: Store, identified: Identified | None, at_once: int) -> Iterator[_Part]:
    """All finished submissions, in the batch's order."""
    notes = same_student(store)
    finished = store.finished() | store.judge_errors()
    named = [
        (o.submission, (identified and identified.called(o.submission)) or o.student or o.submission)
        for o in store.owners()
        if o.submission in finished
    ]
    around = zip((None, *named[:-1]), (*named[1:], None), strict=True)
    wanted = (
        _Wanted(kept, notes.get(kept.owner.submission, ""), page.Neighbours(before, after))
        for kept, (before, after) in zip(store.kept(), around, strict=True)
    )
    number = 0
    while some := tuple(islice(wanted, at_once)):
        yield _Part(number, some)
        number += 1


def _in_order(
    setup: Setup[_Part, tuple[_Told, ...]], parts: Iterator[_Part], workers: int
) -> Generator[_Told, None, None]:
    """What is told of each submission, in the order of the parts, whichever is done first; here where one worker would have it all."""
    with setup() as here:
        if workers <= 1:
            for part in parts:
                yield from here(part)
            return
        done: dict[int, tuple[_Told, ...]] = {}
        due = 0
        with closing(run_pool(setup, parts, workers, ahead=0)) as outcomes:
            for outcome in outcomes:
                # what a worker could not write, such as onto a full disk, fails here with a sentence
                done[outcome.task.number] = outcome.result if isinstance(outcome, Done) else here(outcome.task)
                while due in done:
                    yield from done.pop(due)
                    due += 1


# --------------------------------------------------------------------------------------------------- reports of the class


class _JUnit:
    """junit.xml and what follows it: suites are put aside as they come, since a document begins with its totals."""

    def __init__(self, out: Path, assignment: Assignment) -> None:
        self._out = out
        self._assignment = assignment.id
        self._fit = junit.submissions_in(len(assignment.spec.cases))
        self._counts: list[junit.Counts] = []
        self._written = 0
        self._stack = ExitStack()
        self._body: TextIO | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()
        for body in self._out.glob(f"junit*{_BODY}"):
            body.unlink()

    def _path(self, number: int) -> Path:
        return self._out / f"junit{f'-{number + 1}' if number else ''}.xml"

    def add(self, number: int, one: _Told) -> None:
        """Put the suite of a submission aside, as long as it may be after what is before it."""
        if number % self._fit == 0:
            self._stack.close()
            place = self._path(len(self._counts)).with_suffix(_BODY)
            with _written(place):
                self._body = self._stack.enter_context(place.open("w", encoding="utf-8", newline=""))
            self._counts.append(junit.Counts())
            self._written = 0
        text = one.suites[junit.LIMITS.index(junit.limit(self._written))]
        self._written += len(text.encode())
        if self._body is not None:
            with _written(self._path(len(self._counts) - 1)):
                self._body.write(text)
        held, more = self._counts[-1], one.counts
        self._counts[-1] = junit.Counts(
            held.tests + more.tests, held.failures + more.failures, held.errors + more.errors
        )

    def finish(self) -> None:
        """Write the documents, and remove those of a larger class."""
        with _written(self._out):
            self._stack.close()
        for number, counts in enumerate(self._counts):
            _write(self._path(number), self._document(number, counts))
        _clean(self._out, "junit*.xml", {self._path(number).name for number in range(len(self._counts))})

    def _document(self, number: int, counts: junit.Counts) -> Iterator[str]:
        yield junit.head(self._assignment, counts)
        with self._path(number).with_suffix(_BODY).open(encoding="utf-8", newline="") as body:
            while text := body.read(_PIECE):
                yield text
        yield junit.TAIL


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


def _clean(folder: Path, pattern: str, current: set[str]) -> None:
    """Remove what has names of this pattern, and is none of the current files."""
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
