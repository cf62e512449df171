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

from grader.batch.identified import REVIEW, Identified, review_text
from grader.batch.store import Store
from grader.errors import UsageError
from grader.report import junit, page, record, table
from grader.report.conditions import Conditions
from grader.results import Grade
from grader.spec.loader import Assignment

STUDENTS = "students"
STAFF = "staff"
_HALF = ".part"


def write_outputs(
    assignment: Assignment, store: Store, out: Path, doubts: Sequence[str] = (), identified: Identified | None = None
) -> Conditions:
    """Write grades.csv, grades.json, junit.xml, index.html, staff/<id>.html and students/<id>.html into ``out``.

    A page in ``students`` can be handed out; its twin in ``staff``, to which the index links, hides nothing. ``doubts`` say
    what is not sure of the batch, and ``identified`` who is who by a roster, if there is one. Returns the conditions under which all were judged.
    """
    notes = _same_student(store)
    criteria = [criterion.id for criterion in assignment.spec.rubric]
    rows: list[page.Row] = []
    lines = [table.header(criteria)]
    fit = junit.submissions_in(len(assignment.spec.cases))
    counts: list[junit.Counts] = []

    def seen() -> Iterator[Grade]:
        for number, grade in enumerate(_grades(store, notes, identified)):
            if number % fit == 0:
                counts.append(junit.Counts())
            counts[-1] = counts[-1].plus(grade)
            rows.append(page.Row.of(grade))
            lines.append(table.row(grade, criteria))
            yield grade

    _write(out / "grades.json", record.chunks(assignment.id, seen()))
    absent = identified.absent if identified else ()
    _write(out / "grades.csv", [*lines, *(table.absent(person.name, person.ids, criteria) for person in absent)])
    if identified:
        _write_review(out / REVIEW, identified)
    grades = _grades(store, notes, identified)

    def parts() -> Iterator[tuple[str, Iterable[str]]]:
        for number, held in enumerate(counts, 1):
            yield f"junit-{number}" if number > 1 else "junit", junit.chunks(assignment.id, islice(grades, fit), held)

    _write_all(out, "junit*.xml", parts())
    _write_all(out / STUDENTS, "*.html", _student_pages(store, identified))
    shown = ((g.submission, [page.student_page(g, audience="staff")]) for g in _grades(store, notes, identified))
    _write_all(out / STAFF, "*.html", shown)
    missing = [person.label for person in absent]
    _write(out / "index.html", [page.index_page(assignment.title, rows, doubts, missing)])
    return Conditions.of_rows(rows)


def _grades(store: Store, notes: dict[str, str], identified: Identified | None) -> Iterator[Grade]:
    for submission, text in store.records():
        grade = record.load(text, place=f"grades.db: {submission}")
        note = notes.get(submission)
        noted = grade if note is None else replace(grade, review=(*grade.review, note))
        yield identified.applied(noted) if identified else noted


def _student_pages(store: Store, identified: Identified | None) -> Iterator[tuple[str, Iterable[str]]]:
    """The students' pages as they were kept, or written anew where a roster says who is who."""
    if identified is None:
        yield from ((name, [text]) for name, text in store.pages())
        return
    for grade in _grades(store, {}, identified):
        yield grade.submission, [page.student_page(grade, audience="student")]


def _write_review(path: Path, identified: Identified) -> None:
    """Write the review list; where nothing is left to decide and nothing was decided there is none."""
    if identified.review:
        _write(path, [review_text(identified.review)])
    else:
        path.unlink(missing_ok=True)


def _same_student(store: Store) -> dict[str, str]:
    """A sentence for each submission whose student number another one carries too."""
    together: dict[str, list[str]] = defaultdict(list)
    numbers = store.student_ids()
    for submission in store.inputs.submissions:
        if numbers.get(submission):
            together[numbers[submission].casefold()].append(submission)
    return {
        submission: f"{len(several)} submissions carry the student number {numbers[submission]}: {', '.join(several)}"
        for several in together.values()
        if len(several) > 1
        for submission in several
    }


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
