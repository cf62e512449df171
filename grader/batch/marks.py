"""``marks.csv``: what staff give by hand, in a file that any spreadsheet opens.

Theory of operation. The file belongs to the staff. It is read before anything is graded, and one cell that cannot be understood
refuses all, with its row and column: so no mark is ever half applied. It is written only to add what it lacks, rows for
new submissions and columns for criteria that are open; all that it held is in it afterwards, in the same order, also columns
that mean nothing to us and rows of submissions that are gone. It is UTF-8 with a byte order mark, without which Excel
garbles names; the separator is the one that it was saved with. A cell that a spreadsheet would run as a formula has an apostrophe in
front. An identifier that a spreadsheet took for a number is recognised by its value, and put right when the file is next written.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from grader.errors import UsageError
from grader.report.table import unformulated
from grader.results import Given, Marks
from grader.spec.model import Spec
from grader.spec.values import read_fraction, read_span

FILE_NAME = "marks.csv"
SUBMISSION = "submission"
_OWNER = (SUBMISSION, "student", "id")
_LAST = ("late", "override", "reason", "comment")
_COMMENT = " comment"
_LARGEST = 64 << 20
_MOST_TOLD = 20
_SEPARATORS = ",;\t"
_FORMULAS = "=+-@\t\r＝＋－＠"


@dataclass(frozen=True, slots=True)
class Sheet:
    """The cells of a file of marks: its header, its rows as texts, and what separates cells."""

    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    separator: str = ","

    def cell(self, row: Sequence[str], column: str) -> str:
        """The text in a column, without the apostrophe that keeps it from being a formula; empty where there is none."""
        at = self.header.index(column) if column in self.header else len(row)
        text = row[at].strip() if at < len(row) else ""
        return text[1:] if text[:1] == "'" and text[1:2] and text[1] in _FORMULAS else text

    def text(self) -> str:
        """The file, with a byte order mark."""
        out = io.StringIO()
        out.write("\ufeff")
        writer = csv.writer(out, delimiter=self.separator, lineterminator="\r\n")
        writer.writerow(self.header)
        writer.writerows([unformulated(cell) for cell in row] for row in self.rows)
        return out.getvalue()


def read_sheet(path: Path) -> Sheet:
    """The cells of a file; none where there is no file. Raises UsageError where it cannot be read as a table in UTF-8."""
    try:
        data = path.read_bytes()[: _LARGEST + 1]
    except FileNotFoundError:
        return Sheet()
    except OSError as fault:
        raise UsageError(f"cannot be read ({fault.strerror})", place=str(path)) from fault
    if len(data) > _LARGEST:
        raise UsageError(f"is larger than {_LARGEST >> 20} MiB", place=str(path), hint="is this the right file?")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        hint = "save it as “CSV UTF-8”; nothing in it is lost"
        raise UsageError("is not UTF-8", place=str(path), hint=hint) from fault
    first = text.partition("\n")[0]
    separator = max(_SEPARATORS, key=lambda mark: (first.count(mark), mark == ","))
    try:
        lines = [tuple(line) for line in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)]
    except csv.Error as fault:
        raise UsageError(f"is no table ({fault})", place=str(path), hint="save it as “CSV UTF-8”") from fault
    if not lines:
        return Sheet()
    header = tuple(name.strip() for name in lines[0])
    if SUBMISSION not in header:
        hint = "the first row names the columns: keep it as it was written"
        raise UsageError(f"has no column “{SUBMISSION}”", place=str(path), hint=hint)
    return Sheet(header, tuple(line for line in lines[1:] if any(cell.strip() for cell in line)), separator)


@dataclass(frozen=True, slots=True)
class Marking:
    """What a file of marks says: marks by submission, and sentences on what in it means nothing to us."""

    sheet: Sheet
    marks: Mapping[str, Marks]
    ignored: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """A digest of the marks; empty where there are none."""
        said = repr(sorted(self.marks.items(), key=lambda one: one[0]))
        return hashlib.sha256(said.encode("utf-8", "surrogateescape")).hexdigest() if self.marks else ""


def read_marks(path: Path, spec: Spec, submissions: Sequence[str]) -> Marking:
    """The marks in a file, for the submissions of a batch; nothing where there is no file.

    Raises UsageError, which names the row and column of every cell that cannot be understood.
    """
    sheet = read_sheet(path)
    known = _Known(submissions)
    problems: list[str] = []
    marks: dict[str, Marks] = {}
    rows_of: dict[str, int] = {}
    strangers = []
    for number, row in enumerate(sheet.rows, 2):
        written = sheet.cell(row, SUBMISSION)
        submission = known.find(written)
        reader = _Row(sheet, row, number, spec, problems)
        found = reader.marks()
        if not written:
            problems.append(f"row {number}, column “{SUBMISSION}”: it is empty, so that nobody knows whose row this is")
        elif submission is None:
            strangers.append(written)
        elif submission in rows_of:
            problems.append(f"row {number}: {submission} has row {rows_of[submission]} already")
        else:
            rows_of[submission] = number
            if found != Marks():
                marks[submission] = found
    twice = sorted({name for name in sheet.header if name and sheet.header.count(name) > 1})
    problems += [f"row 1: there are several columns “{name}”" for name in twice]
    if problems:
        more = [f"and {len(problems) - _MOST_TOLD} more"] if len(problems) > _MOST_TOLD else []
        said = "\n".join(f"{path}: {told}" for told in [*problems[:_MOST_TOLD], *more])
        raise UsageError(f"{said}\nno mark was read, and nothing was written: mend the file, and call again")
    return Marking(sheet, marks, tuple(_ignored(sheet, spec, strangers)))


def _ignored(sheet: Sheet, spec: Spec, strangers: Sequence[str]) -> list[str]:
    criteria = {criterion.id for criterion in spec.rubric}
    known = {*_OWNER, *_LAST, *criteria, *(name + _COMMENT for name in criteria), ""}
    told = [
        f"{FILE_NAME}: the column “{name}” is of no criterion, and was left alone"
        for name in sheet.header
        if name not in known
    ]
    if strangers:
        listed = ", ".join(strangers[:5]) + (", …" if len(strangers) > 5 else "")
        told.append(f"{FILE_NAME}: rows of no submission of this batch were left alone: {listed}")
    return told


class _Known:
    """Finds submissions by what became of their names in a spreadsheet: other letters, or zeros lost in front of a number."""

    def __init__(self, submissions: Sequence[str]) -> None:
        self._exact = set(submissions)
        self._alike: dict[str, set[str]] = {}
        for name in submissions:
            self._alike.setdefault(self._bare(name), set()).add(name)

    @staticmethod
    def _bare(name: str) -> str:
        folded = name.strip().casefold()
        return folded.lstrip("0") if folded.isdigit() else folded

    def find(self, written: str) -> str | None:
        if written in self._exact:
            return written
        found = self._alike.get(self._bare(written), set())
        return next(iter(found)) if len(found) == 1 else None


class _Row:
    """One row; what is wrong with its cells is added to ``problems``."""

    def __init__(self, sheet: Sheet, row: Sequence[str], number: int, spec: Spec, problems: list[str]) -> None:
        self._sheet = sheet
        self._row = row
        self._number = number
        self._spec = spec
        self._problems = problems

    def marks(self) -> Marks:
        given = {}
        for criterion in self._spec.rubric:
            comment = self._sheet.cell(self._row, criterion.id + _COMMENT)
            points = self._points(criterion.id, criterion.points)
            if points is not None:
                given[criterion.id] = Given(points, comment)
            elif comment:
                self._wrong(criterion.id, "", "there is a comment, and no points")
        override, reason = self._points("override", None), self._sheet.cell(self._row, "reason")
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
    """A decimal comma as a point: where the comma separates cells, a spreadsheet has put the cell in quotes."""
    return text.replace(",", ".") if text.count(",") == 1 else text


@dataclass(frozen=True, slots=True)
class Line:
    """What a row of the file begins with."""

    submission: str
    student: str
    student_id: str


def completed(sheet: Sheet, lines: Sequence[Line], criteria: Sequence[str]) -> Sheet:
    """The sheet with a row for each submission and columns for these criteria; all that it held stays."""
    header = list(sheet.header) or [*_OWNER, *_LAST]
    at = min((header.index(name) for name in _LAST if name in header), default=len(header))
    missing = [name for one in criteria for name in (one, one + _COMMENT) if name not in header]
    missing += [name for name in (*_OWNER, *_LAST) if name not in header]
    wide = [*header[:at], *missing, *header[at:]]
    known = _Known([line.submission for line in lines])
    there: set[str] = set()
    rows = []
    for row in sheet.rows:
        full = [*row, *[""] * (len(header) - len(row))]
        cells = [*full[:at], *[""] * len(missing), *full[at:]]
        found = known.find(sheet.cell(row, SUBMISSION))
        if found is not None:
            there.add(found)
            cells[wide.index(SUBMISSION)] = found
        rows.append(tuple(cells))
    for line in lines:
        if line.submission not in there:
            begins = dict(zip(_OWNER, (line.submission, line.student, line.student_id), strict=True))
            rows.append(tuple(begins.get(name, "") for name in wide))
    return Sheet(tuple(wide), tuple(rows), sheet.separator)


def with_mark(sheet: Sheet, submission: str, cells: Mapping[str, str]) -> Sheet:
    """The sheet with some cells of the row of a submission written."""
    at = {name: sheet.header.index(name) for name in cells}
    rows = []
    for row in sheet.rows:
        if sheet.cell(row, SUBMISSION) == submission:
            changed = [*row]
            for name, text in cells.items():
                changed[at[name]] = text
            rows.append(tuple(changed))
        else:
            rows.append(row)
    return Sheet(sheet.header, tuple(rows), sheet.separator)


def complete_file(path: Path, lines: Sequence[Line], criteria: Sequence[str]) -> None:
    """Add to the file what it lacks. It is read again just before, since somebody may be working in it.

    Raises UsageError where it cannot be read or written; then it is as it was.
    """
    held = read_sheet(path)
    wanted = completed(held, lines, criteria)
    if wanted != held:
        write_sheet(path, wanted)


def write_sheet(path: Path, sheet: Sheet) -> None:
    """Write the file in one step, so that a crash leaves it as it was. Raises UsageError where it cannot be written."""
    write_text(path, sheet.text())


def read_text(path: Path) -> str:
    """The text of a file of the staff; empty where there is none."""
    return path.read_text(encoding="utf-8") if path.exists() else ""


def write_text(path: Path, text: str) -> None:
    """Write a file of the staff in one step. Raises UsageError where it cannot be written."""
    half = path.with_name(path.name + ".part")
    try:
        half.write_text(text, encoding="utf-8", newline="")
        half.replace(path)
    except OSError as fault:
        half.unlink(missing_ok=True)
        hint = "is it open in a spreadsheet? Close it, and call again: all grades are kept"
        raise UsageError(f"cannot be written ({fault.strerror})", place=str(path), hint=hint) from fault
