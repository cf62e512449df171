"""Marks by hand, from the file of the staff: points, comments, lateness and overrides.

The file is read before anything is graded. One cell that cannot be understood refuses all marks, with its row and
column, so marks are never applied in part.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from grader.batch.sheet import COMMENT, FILE_NAME, LAST, OWNER, SUBMISSION, WORKBOOK, Names, Sheet, file_in, read_sheet
from grader.batch.store import Store, open_store
from grader.errors import UsageError
from grader.report.words import listed
from grader.results import Given, Marks
from grader.spec.model import Spec
from grader.spec.values import read_fraction, read_span
from grader.values import dataclass

_MOST_TOLD = 20  # faulty cells in a message: a column in the wrong place makes one for each student
MOST_NAMED = 10  # submissions whose marks would be lost, in one sentence
_OF_ROW = ("late", "override", "comment")


@dataclass(frozen=True, slots=True)
class Marking:
    """The contents of a file of marks: marks by submission, and sentences on parts that are not understood.

    ``rows`` are the submissions that have a row, even an empty one; ``columns`` are all columns that may hold marks.
    ``strange`` are names of rows with marks that match no submission.
    """

    sheet: Sheet
    marks: Mapping[str, Marks]
    ignored: tuple[str, ...] = ()
    rows: frozenset[str] = frozenset()
    columns: tuple[str, ...] = ()
    strange: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """A digest of the marks; empty without marks."""
        text = repr(sorted(self.marks.items(), key=lambda one: one[0]))
        return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest() if self.marks else ""


NO_MARKING = Marking(Sheet(), {})  # where there is no file


def read_marks(path: Path, spec: Spec, submissions: Sequence[str]) -> Marking:
    """The marks in a file, for the submissions of a batch; empty without the file.

    Raises UsageError, which names the row and column of every cell that cannot be understood.
    """
    sheet = read_sheet(path)
    names = Names(submissions)
    problems: list[str] = []
    marks: dict[str, Marks] = {}
    rows_of: dict[str, int] = {}
    strangers: dict[str, Marks] = {}
    for number, row in enumerate(sheet.rows, 2):
        if not any(map(str.strip, row)):
            continue
        name = sheet.cell(row, SUBMISSION)
        submission = names.find(name)
        own = _Row(sheet, row, number, spec, problems).marks()
        if not name:
            problems.append(f"row {number}, column “{SUBMISSION}”: it is empty, so that nobody knows whose row this is")
        elif submission is None:
            strangers[name] = own
        elif submission in rows_of:
            problems.append(f"row {number}: {submission} has row {rows_of[submission]} already")
        else:
            rows_of[submission] = number
            marks |= {submission: own} if own != Marks() else {}
    twice = sorted({name for name in sheet.header if name and sheet.header.count(name) > 1})
    problems += [f"row 1: there are several columns “{name}”" for name in twice]
    if problems:
        more = [f"and {len(problems) - _MOST_TOLD} more"] if len(problems) > _MOST_TOLD else []
        lines = "\n".join(f"{path}: {line}" for line in [*problems[:_MOST_TOLD], *more])
        raise UsageError(f"{lines}\nno mark was read, and nothing was written: correct the file, and call again")
    ignored = list(_ignored(path.name, sheet, spec, tuple(strangers)))
    if path.name == WORKBOOK and path.with_name(FILE_NAME).exists():
        ignored.append(f"{FILE_NAME} was left alone: {WORKBOOK} is there, and is what counts")
    columns = (*(criterion.id for criterion in spec.rubric), *LAST)
    strange = tuple(name for name, own in strangers.items() if own != Marks())
    return Marking(sheet, marks, tuple(ignored), frozenset(rows_of), columns, strange)


def _ignored(file: str, sheet: Sheet, spec: Spec, strangers: Sequence[str]) -> Iterator[str]:
    criteria = {criterion.id for criterion in spec.rubric}
    meant = {*OWNER, *LAST, *criteria, *(name + COMMENT for name in criteria), ""}
    for name in sheet.header:
        if name not in meant:
            yield f"{file}: the column “{name}” is of no criterion, and was left alone"
    if strangers:
        yield f"{file}: rows of no submission of this batch were left alone: {listed(strangers, 5)}"


class _Row:
    """One row; faults in its cells are added to ``problems``."""

    def __init__(self, sheet: Sheet, row: Sequence[str], number: int, spec: Spec, problems: list[str]) -> None:
        self._sheet = sheet
        self._row = row
        self._number = number
        self._spec = spec
        self._problems = problems

    def marks(self) -> Marks:
        given = {}
        for criterion in self._spec.rubric:
            comment = self._sheet.cell(self._row, criterion.id + COMMENT)
            points = self._points(criterion.id, criterion.points)
            if points is not None:
                given[criterion.id] = Given(points, comment)
            elif comment:
                self._wrong(criterion.id, "", "there is a comment, and no points")
        override, reason = self._points("override", None), self._sheet.cell(self._row, "reason")
        # The reason is read by the student beside the score, and by whoever hears an appeal.
        if override is not None and not reason:
            self._wrong("reason", "", "a score that is set by hand needs a reason")
        return Marks(given, self._late(), override, reason, self._sheet.cell(self._row, "comment"))

    def _points(self, column: str, most: Fraction | None) -> Fraction | None:
        text = self._sheet.cell(self._row, column)
        if not text:
            return None
        try:
            points = read_fraction(_with_point(text))
        except ValueError:
            self._wrong(column, text, "is no number of points, such as 7 or 7.5")
            return None
        if most is not None and points > most:
            self._wrong(column, text, f"is more than the {float(most):g} points of the criterion")
            return None
        return points

    def _late(self) -> Fraction:
        text = self._sheet.cell(self._row, "late")
        try:
            return read_span(_with_point(text)) if text else Fraction(0)
        except ValueError:
            self._wrong("late", text, "is no time such as 1 (a day), 1 d 4 h or 20 min")
            return Fraction(0)

    def _wrong(self, column: str, text: str, what: str) -> None:
        quoted = f"“{text[:40]}” " if text else ""
        self._problems.append(f"row {self._number}, column “{column}”: {quoted}{what}")


def _with_point(text: str) -> str:
    """The text with a decimal comma as a point.

    If commas separate the cells, a spreadsheet has put this cell in quotes.
    """
    return text.replace(",", ".") if text.count(",") == 1 else text


# ---------------------------------------------------------------------------------------- marks that would be lost


def refuse_lost_marks(out: Path, store: Store, marking: Marking, submissions: Sequence[str]) -> None:
    """Raise UsageError if rows or columns whose marks are in the last reports are gone from the file."""
    _refuse(out, tuple(_lost(store, marking, submissions)))


def refuse_to_forget_marks(out: Path, marking: Marking, submissions: Sequence[str]) -> None:
    """The same check before all grades are forgotten.

    With an unreadable store nothing is known, and nothing refused.
    """
    if not (out / "grades.db").exists():
        return
    try:
        with open_store(out / "grades.db") as store:
            lost = tuple(_lost(store, marking, submissions))
    except UsageError:
        return
    _refuse(out, lost)


def _refuse(out: Path, lost: Sequence[str]) -> None:
    if not lost:
        return
    path = file_in(out)
    more = f" and {len(lost) - MOST_NAMED} more" if len(lost) > MOST_NAMED else ""
    what = "lacks rows or columns that it had" if path.exists() else "is gone"
    hint = f"put the file back; or `grader mark {out} --drop-marks`, which writes the reports without these marks"
    names = f"{', '.join(lost[:MOST_NAMED])}{more}"
    raise UsageError(f"{what}, and these marks with it: {names}", place=str(path), hint=hint)


def _lost(store: Store, marking: Marking, submissions: Iterable[str]) -> Iterator[str]:
    """The submissions whose marks were in the last reports and are gone from the file, each with the columns."""
    header = set(marking.sheet.header)
    whole = header.issuperset(marking.columns)  # only a row can be gone then, so that few records are read
    for submission in submissions:
        if not (whole and submission in marking.rows):
            held = header if submission in marking.rows else set[str]()
            if gone := [name for name in columns_of(store, submission) if name not in held]:
                yield f"{submission} ({', '.join(gone)})"


def columns_of(store: Store, submission: str) -> list[str]:
    """The columns with marks of a submission in the last reports of a store. Raises DamagedError."""
    record = store.final(submission)
    if record is None:
        return []
    grade = store.grade(record, submission)
    kinds = {adjustment.kind for adjustment in grade.adjustments}
    criteria = [criterion.id for criterion in grade.criteria if criterion.given]
    return [*criteria, *(name for name in _OF_ROW if name in kinds)]
