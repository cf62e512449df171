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

from grader.batch.store import Store
from grader.errors import UsageError
from grader.report import junit, page, record, table
from grader.report.conditions import Conditions
from grader.results import Grade
from grader.spec.loader import Assignment

STUDENTS = "students"
STAFF = "staff"
_HALF = ".part"


def write_outputs(assignment: Assignment, store: Store, out: Path, doubts: Sequence[str] = ()) -> Conditions:
    """Write grades.csv, grades.json, junit.xml, index.html, staff/<id>.html and students/<id>.html into ``out``.

    A page in ``students`` can be handed out; its twin in ``staff``, to which the index links, hides nothing. ``doubts`` say
    what is not sure of the batch. Returns the conditions under which all were judged.
    """
    notes = _same_student(store)
    criteria = [criterion.id for criterion in assignment.spec.rubric]
    rows: list[page.Row] = []
    lines = [table.header(criteria)]
    fit = junit.submissions_in(len(assignment.spec.cases))
    counts: list[junit.Counts] = []

    def seen() -> Iterator[Grade]:
        for number, grade in enumerate(_grades(store, notes)):
            if number % fit == 0:
                counts.append(junit.Counts())
            counts[-1] = counts[-1].plus(grade)
            rows.append(page.Row.of(grade))
            lines.append(table.row(grade, criteria))
            yield grade

    _write(out / "grades.json", record.chunks(assignment.id, seen()))
    _write(out / "grades.csv", lines)
    grades = _grades(store, notes)

    def parts() -> Iterator[tuple[str, Iterable[str]]]:
        for number, held in enumerate(counts, 1):
            yield f"junit-{number}" if number > 1 else "junit", junit.chunks(assignment.id, islice(grades, fit), held)

    _write_all(out, "junit*.xml", parts())
    _write_all(out / STUDENTS, "*.html", ((name, [text]) for name, text in store.pages()))
    shown = ((g.submission, [page.student_page(g, audience="staff")]) for g in _grades(store, notes))
    _write_all(out / STAFF, "*.html", shown)
    _write(out / "index.html", [page.index_page(assignment.title, rows, doubts)])
    return Conditions.of_rows(rows)


def _grades(store: Store, notes: dict[str, str]) -> Iterator[Grade]:
    for submission, text in store.records():
        grade = record.load(text, place=f"grades.db: {submission}")
        note = notes.get(submission)
        yield grade if note is None else replace(grade, review=(*grade.review, note))


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
