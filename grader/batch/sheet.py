"""The file in which staff give points by hand: ``marks.csv``, or ``marks.xlsx`` where that lies in the folder of the batch.

Theory of operation. The file belongs to the staff. We only add rows for new submissions and columns for open criteria.
Everything else stays in the same order, even unknown columns and rows of submissions that are gone. The CSV is UTF-8
with a byte order mark, without which Excel garbles names; it keeps the separator with which it was saved. A cell that a
spreadsheet would run as a formula has an apostrophe in front. In a workbook only changed cells are written, so that
formulas and colours of its author stay. An identifier that a spreadsheet took for a number is recognised by its value,
and corrected when the file is next written.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from grader.batch.files import read, replaced
from grader.errors import UsageError
from grader.intake import workbook
from grader.report.table import FORMULA_STARTS, separator_of, text_of, unformulated
from grader.values import dataclass

FILE_NAME = "marks.csv"
WORKBOOK = "marks.xlsx"
SUBMISSION = "submission"
OWNER = (SUBMISSION, "student", "id")
LAST = ("late", "override", "reason", "comment")
COMMENT = " comment"
_CLOSE = "is it open in a spreadsheet? Close it, and call again: all grades are kept"


def file_in(folder: Path) -> Path:
    """The file of marks in the folder of a batch: the workbook if it exists."""
    return folder / WORKBOOK if (folder / WORKBOOK).exists() else folder / FILE_NAME


@dataclass(frozen=True, slots=True)
class Sheet:
    """The cells of a file of marks: its header, its rows as texts, and the separator of cells."""

    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    separator: str = ","
    is_workbook: bool = False

    def cell(self, row: Sequence[str], column: str) -> str:
        """The text in a column, without an apostrophe against formulas; empty if the column is missing."""
        at = self.header.index(column) if column in self.header else len(row)
        text = row[at].strip() if at < len(row) else ""
        return text[1:] if text[:1] == "'" and text[1:2] and text[1] in FORMULA_STARTS else text

    def text(self) -> str:
        """The file, with a byte order mark."""
        rows = ([unformulated(cell) for cell in row] for row in self.rows)
        return "\ufeff" + text_of([self.header, *rows], separator=self.separator, end="\r\n")


def read_sheet(path: Path) -> Sheet:
    """The cells of a file; empty without the file. Raises UsageError if it cannot be read as a table."""
    if not path.exists():
        return Sheet()
    data, is_workbook = read(path), path.suffix == Path(WORKBOOK).suffix
    if is_workbook:
        lines, separator = [tuple(row) for row in workbook.read_rows(data, str(path))], ","
    else:
        lines, separator = _read_csv(data, path)
    while lines and not any(map(str.strip, lines[-1])):  # spreadsheets save rows that were once touched
        lines.pop()
    if not lines:
        return Sheet()
    header = tuple(name.strip() for name in lines[0])
    if SUBMISSION not in header:
        hint = "the first row names the columns: keep it as it was written"
        raise UsageError(f"has no column “{SUBMISSION}”", place=str(path), hint=hint)
    return Sheet(header, tuple(lines[1:]), separator, is_workbook)


def _read_csv(data: bytes, path: Path) -> tuple[list[tuple[str, ...]], str]:
    """The rows of a table in UTF-8, and the separator of its cells."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        hint = "save it as “CSV UTF-8”; nothing in it is lost"
        raise UsageError("is not UTF-8", place=str(path), hint=hint) from fault
    separator = separator_of(text)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        return [tuple(row) for row in rows], separator
    except csv.Error as fault:
        raise UsageError(f"is no table ({fault})", place=str(path), hint="save it as “CSV UTF-8”") from fault


class Names:
    """Submissions by names that a spreadsheet changed: other letters, or leading zeros lost."""

    def __init__(self, submissions: Sequence[str]) -> None:
        self._exact = set(submissions)
        self._alike: dict[str, set[str]] = {}
        for name in submissions:
            self._alike.setdefault(self._bare(name), set()).add(name)

    @staticmethod
    def _bare(name: str) -> str:
        folded = name.strip().casefold()
        # Excel saves the submission 0012 as 12.
        return folded.lstrip("0") if folded.isdigit() else folded

    def find(self, written: str) -> str | None:
        """The submission that is meant; None unless exactly one fits."""
        if written in self._exact:
            return written
        alike = self._alike.get(self._bare(written), set())
        return next(iter(alike)) if len(alike) == 1 else None


@dataclass(frozen=True, slots=True)
class Line:
    """The first cells of a row of the file."""

    submission: str
    student: str
    student_id: str


def completed(sheet: Sheet, lines: Sequence[Line], criteria: Sequence[str], rubric: Sequence[str] = ()) -> Sheet:
    """The sheet with a row for each submission and columns for these criteria, in the order of the ``rubric``.

    All that it held stays.
    """
    header = list(sheet.header) or [*OWNER, *LAST]
    wide, places = _widened(header, criteria, rubric or criteria, at_end=sheet.is_workbook)
    names = Names([line.submission for line in lines])
    held: set[str] = set()
    rows = []
    for row in sheet.rows:
        full = [*row, *[""] * (len(header) - len(row))]
        cells = ["" if place is None else full[place] for place in places]
        submission = names.find(sheet.cell(row, SUBMISSION))
        if submission is not None:
            held.add(submission)
            cells[wide.index(SUBMISSION)] = submission
        rows.append(tuple(cells))
    for line in lines:
        if line.submission not in held:
            begins = dict(zip(OWNER, (line.submission, line.student, line.student_id), strict=True))
            rows.append(tuple(begins.get(name, "") for name in wide))
    return replace(sheet, header=tuple(wide), rows=tuple(rows))


def _widened(
    header: Sequence[str], criteria: Sequence[str], rubric: Sequence[str], *, at_end: bool
) -> tuple[list[str], list[int | None]]:
    """The completed header, and for each column its place before, if it had one.

    A criterion stands before those that come later in the rubric, and before columns on a whole submission. So the
    order is the same whichever was open first. In a workbook nothing is moved.
    """
    rank = {name: number for number, one in enumerate(rubric) for name in (one, one + COMMENT)}
    rank |= dict.fromkeys(LAST, len(rubric))
    wide: list[tuple[str, int | None]] = [(name, place) for place, name in enumerate(header)]
    wanted = [name for one in criteria for name in (one, one + COMMENT)]
    for name in (*wanted, *OWNER, *LAST):
        if name not in header:
            later = (at for at, (other, _) in enumerate(wide) if rank.get(other, -1) > rank.get(name, -1))
            wide.insert(len(wide) if at_end else next(later, len(wide)), (name, None))
    return [name for name, _ in wide], [place for _, place in wide]


def with_marks(sheet: Sheet, marks: Mapping[str, Mapping[str, str]]) -> Sheet:
    """The sheet with cells written by column, in the rows of the submissions whose ``marks`` they are."""
    at = {name: sheet.header.index(name) for cells in marks.values() for name in cells}
    rows = []
    for row in sheet.rows:
        changed = [*row]
        for name, text in marks.get(sheet.cell(row, SUBMISSION), {}).items():
            changed[at[name]] = text
        rows.append(tuple(changed))
    return replace(sheet, rows=tuple(rows))


def complete_file(path: Path, lines: Sequence[Line], criteria: Sequence[str], rubric: Sequence[str] = ()) -> None:
    """Add missing rows and columns to the file, in the order of the ``rubric``.

    It is read again just before, since somebody may be editing it.

    Raises UsageError if it cannot be read or written; then it is as it was.
    """
    held = read_sheet(path)
    wanted = completed(held, lines, criteria, rubric)
    if wanted != held:
        write_sheet(path, wanted)


def write_sheet(path: Path, sheet: Sheet) -> None:
    """Write the file in one step, so that a crash leaves it as it was. Raises UsageError if it cannot be written."""
    if sheet.is_workbook:
        _write_cells(path, sheet)
    else:
        write_text(path, sheet.text())


def _write_cells(path: Path, sheet: Sheet) -> None:
    """Write the changed cells of a workbook."""
    data = path.read_bytes()
    before = workbook.read_rows(data, str(path))
    held = {(row, at): text for row, cells in enumerate(before) for at, text in enumerate(cells)}
    wanted = {(row, at): text for row, cells in enumerate((sheet.header, *sheet.rows)) for at, text in enumerate(cells)}
    other = {place: text for place, text in wanted.items() if text != held.get(place, "")}
    with replaced(path, _CLOSE) as half:
        half.write_bytes(workbook.changed(data, other, str(path)))


def read_text(path: Path) -> str:
    """The text of a file of the staff; empty without the file."""
    return path.read_text(encoding="utf-8") if path.exists() else ""


def write_text(path: Path, text: str) -> None:
    """Write a file of the staff in one step. Raises UsageError if it cannot be written."""
    with replaced(path, _CLOSE) as half:
        half.write_text(text, encoding="utf-8", newline="")
