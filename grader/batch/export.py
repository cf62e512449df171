"""Scores, written into the file of a learning platform: one column is filled, and every other byte is kept.

We cut the file into cells without a library, so that quotes, line ends, an encoding mark and unknown cells stay as they
are. Rows are matched by identifiers first and by names last, and only if one row and one grade fit. Everybody who is
not matched is named.

The rules of each platform are in its module of `intake.platforms`. Below are also the archive of students' pages, and
grades.csv as a workbook.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from grader.batch.files import read, replaced
from grader.errors import UsageError
from grader.intake import workbook
from grader.intake.platforms import PLATFORMS
from grader.intake.platforms.platform import Gradebook
from grader.report import table
from grader.report.words import number, plural
from grader.results import Grade
from grader.values import dataclass

_NAMES_SHOWN = 8  # names in a sentence: many people may have handed in nothing
_EXCUSED = "EX"  # Canvas writes this for excused students: a score would end the excuse
_UTF16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


LAYOUTS: Mapping[str, Gradebook] = {
    platform.name: platform.gradebook for platform in sorted(PLATFORMS, key=lambda one: one.name) if platform.gradebook
}
"""The files that can be filled, by the names of their platforms."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its text, and where it begins and ends in the file, quotes included."""

    text: str
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Filled:
    """A file with its scores, and sentences on people without a match.

    ``count`` rows got a score; ``left_out`` grades have no row.
    """

    data: bytes
    count: int
    notes: tuple[str, ...]
    left_out: int = 0


def filled(
    data: bytes, place: str, system: str, grades: Iterable[Grade], *, column: str = "", partial: bool = False
) -> Filled:
    """The file with a score in the row of each student.

    ``column`` is the heading of the scores if it cannot be recognised. Grades that are not complete are left out,
    unless ``partial``. Raises UsageError if the file is not from this platform.
    """
    encoding = _UTF16.get(data[:2], "utf-8")
    errors = "surrogateescape" if encoding == "utf-8" else "strict"
    try:
        text = data.decode(encoding, errors)
    except UnicodeDecodeError as fault:
        raise UsageError("is no text", place=place, hint=f"name the file that {system} gave out") from fault
    # Excel writes the mark, and a platform may look for its own heading at the very beginning.
    begin = 1 if text.startswith("\ufeff") else 0
    separator = table.separator_of(text[begin:])
    rows = list(_rows(text, begin, separator))
    if not rows:
        raise UsageError("is empty", place=place, hint=f"name the file that {system} gave out")
    sheet = _Table(rows, system, column, place)
    edits, notes, left_out = _edits(sheet, tuple(grades), partial=partial)
    cells = (cell.text for row in sheet.rows for cell in row)
    comma = separator != "," and any(re.fullmatch(r"-?\d+,\d+", cell) for cell in cells)
    for cell, score in sorted(edits, key=lambda edit: -edit[0].begin):
        figure = score.replace(".", ",") if comma else score
        quoted = f'"{figure}"' if text[cell.begin : cell.begin + 1] == '"' else figure
        text = text[: cell.begin] + quoted + text[cell.end :]
    return Filled(text.encode(encoding, errors), len(edits), tuple(notes), left_out)


def _rows(text: str, at: int, separator: str) -> Iterator[list[Cell]]:
    """The cells of each row, with their places."""
    cell = re.compile(rf'(?:"(?:[^"]|"")*+"?)?[^{separator}\r\n]*')
    row: list[Cell] = []
    while at < len(text):
        match = cell.match(text, at)
        assert match is not None  # it matches nothing as well
        begin, raw = at, match[0]
        at += len(raw)
        plain = raw[1:].removesuffix('"').replace('""', '"') if raw.startswith('"') else raw
        row.append(Cell(plain.strip(), begin, at))
        if text[at : at + 1] != separator:
            yield row
            row = []
            at += 2 if text[at : at + 2] == "\r\n" else 1
        elif (at := at + 1) == len(text):
            yield [*row, Cell("", at, at)]


def _text(row: Sequence[Cell], at: int) -> str:
    return row[at].text if at < len(row) else ""


class _Table:
    """The rows of a file, and the relevant columns."""

    def __init__(self, rows: Sequence[list[Cell]], system: str, column: str, place: str) -> None:
        layout = LAYOUTS[system]
        self.header = [cell.text for cell in rows[0]]
        self.layout = layout
        body = [row for row in rows[1:] if any(cell.text for cell in row)]
        self.rows = [row for row in body if not (layout.skips and row[0].text.startswith(layout.skips))]
        self.keys = self._columns(layout.keys) or ([0] if layout.translated else [])
        self.names = self._columns(layout.names)
        if not self.keys and not self.names:
            hint = f"none of its columns is one of {', '.join((*layout.keys, *layout.names))}"
            raise UsageError(f"is not a file of {system}", place=place, hint=hint)
        self.score = self._score(column, place)
        self.maximum = self._maximum([row for row in body if row not in self.rows])

    def _columns(self, headings: Sequence[str]) -> list[int]:
        folded = [name.casefold() for name in self.header]
        return [folded.index(name.casefold()) for name in headings if name.casefold() in folded]

    def _score(self, column: str, place: str) -> int:
        if column:
            fits = [at for at, name in enumerate(self.header) if column in (name, re.sub(r" \(\d+\)$", "", name))]
        else:
            fits = [at for at, name in enumerate(self.header) if re.fullmatch(self.layout.score, name, re.IGNORECASE)]
            if not fits and self.layout.translated:  # the maximum has the same number in each row
                fits = [at - 1 for at in range(1, len(self.header)) if self._is_maximum(at)][:1]
        if len(fits) == 1:
            return fits[0]
        names = ", ".join(f"“{self.header[at]}”" for at in fits or range(len(self.header)))
        what = "several columns could hold the scores" if fits else "no column is known to hold the scores"
        raise UsageError(what, place=place, hint=f"name one with `--column`: {names}")

    def _maximum(self, heads: Sequence[list[Cell]]) -> float | None:
        """The platform's maximum for the column of scores, if the file has it."""
        beside = self._columns((self.layout.maximum,))
        if not beside and self.layout.translated and self._is_maximum(self.score + 1):
            beside = [self.score + 1]
        texts = re.findall(r"\[Total Pts: *([\d.,]+)", self.header[self.score])
        texts += [_text(row, self.score) for row in heads] + [_text(row, at) for at in beside for row in self.rows[:1]]
        numbers = [text.replace(",", ".") for text in texts if re.fullmatch(r"\d+([.,]\d+)?", text)]
        return float(numbers[0]) if numbers else None

    def _is_maximum(self, at: int) -> bool:
        """Whether a column has the same number in each row, as the maximum behind the score does."""
        cells = {row[at].text for row in self.rows if at < len(row)}
        return len(cells) == 1 and re.fullmatch(r"\d+[.,]\d+", next(iter(cells))) is not None

    def name(self, row: Sequence[Cell]) -> str:
        """The name of a person in a row."""
        return " ".join(row[at].text for at in self.names if at < len(row)) or row[0].text


def _edits(sheet: _Table, grades: Sequence[Grade], *, partial: bool) -> tuple[list[tuple[Cell, str]], list[str], int]:
    """The cells to change with their scores, the people without a match, and the number of grades without a cell."""
    people = [(grade, who) for grade in grades for who in persons(grade)]
    matched, unplaced = _matched(sheet, people)
    edits, unfinished, narrow, excused = [], [], [], []
    for at, grade in sorted(matched.items()):
        row = sheet.rows[at]
        if not (grade.complete or partial):
            unfinished.append(grade.submission)
        elif sheet.score >= len(row):
            narrow.append(sheet.name(row))
        elif row[sheet.score].text.upper() == _EXCUSED:
            excused.append(sheet.name(row))
        else:
            edits.append((row[sheet.score], number(round(grade.score, 2))))
    ours, notes = {float(grade.max_points) for grade in grades}, []
    if edits and sheet.maximum is not None and ours != {sheet.maximum}:  # 18 of 20 would be read there as 18 of 100
        heading, theirs = sheet.header[sheet.score], number(sheet.maximum)
        counts = " or ".join(number(points) for points in sorted(ours))
        scale = f"“{heading}” counts to {theirs}, and these scores to {counts}"
        notes = [f"{scale}: they were written as they are (let the platform count to {counts} before you upload)"]
    absent = [sheet.name(row) for at, row in enumerate(sheet.rows) if at not in matched]
    for (one, many), names in zip(_NOTES, (absent, unplaced, unfinished, narrow, excused), strict=True):
        notes += [f"{len(names)} {many if names[1:] else one}: {listed(names)}"] if names else []
    return edits, notes, len(unplaced) + len(unfinished) + len(narrow)


_NOTES = (
    (
        "student without a submission, whose row was left alone",
        "students without a submission, whose rows were left alone",
    ),
    ("submission without a row", "submissions without a row"),
    (
        "grade that is not complete, and was left out (`--partial` takes it)",
        "grades that are not complete, and were left out (`--partial` takes them)",
    ),
    ("row that ends before the column of scores", "rows that end before the column of scores"),
    ("student who is excused, and stays so", "students who are excused, and stay so"),
)


def _matched(sheet: _Table, people: Sequence[tuple[Grade, Person]]) -> tuple[dict[int, Grade], list[str]]:
    """The grade of each row that is one person's, and the people without a row: by identifiers, and by names last."""
    matched: dict[int, Grade] = {}
    placed: set[int] = set()
    for column in (*sheet.keys, None):
        free = ((at, row) for at, row in enumerate(sheet.rows) if at not in matched)
        rows = _index((at, (sheet.name(row) if column is None else _text(row, column),)) for at, row in free)
        left = ((at, who) for at, (_, who) in enumerate(people) if at not in placed)
        owners = _index((at, (who.name,) if column is None else who.ids) for at, who in left)
        for key, places in rows.items():
            if len(places) == 1 and len(owners.get(key, ())) == 1:
                person = next(iter(owners[key]))
                if person not in placed:
                    matched[next(iter(places))] = people[person][0]
                    placed.add(person)
    names = (f"{grade.submission} {who.name}".strip() for grade, who in people)
    return matched, [name for at, name in enumerate(names) if at not in placed]


def _index(items: Iterable[tuple[int, Iterable[str]]]) -> dict[str, set[int]]:
    """Places by their identifiers in normal form."""
    places: dict[str, set[int]] = {}
    for at, keys in items:
        for key in keys:
            if bare := _bare(key):
                places.setdefault(bare, set()).add(at)
    return places


def _bare(key: str) -> str:
    """An identifier or a name without regard to case, order of family and given name, and Moodle's word before its number."""
    folded = key.casefold().strip()
    # `Participant 4711`, in any language of the site.
    if numbered := re.fullmatch(r"[^\W\d]+ (\d+)", folded):
        return numbered[1].lstrip("0")
    if folded.isdigit():
        return folded.lstrip("0")
    return " ".join(sorted(re.findall(r"[^\s,]+", folded)))


def listed(held: Sequence[str]) -> str:
    """The first few of them, for a sentence; semicolons part names such as ``Zhou, Jie``."""
    mark = "; " if any("," in name for name in held) else ", "
    return mark.join([*held[:_NAMES_SHOWN], *("…" for _ in held[_NAMES_SHOWN:][:1])])


@dataclass(frozen=True, slots=True)
class Person:
    """A person who gets a grade: name, and every known identifier."""

    name: str
    ids: tuple[str, ...]


def persons(grade: Grade) -> Iterator[Person]:
    """All people who get a grade, as the download and the roster know them; names of files do not identify anybody."""
    submitters = grade.origin.submitters
    shared = len(submitters) > 1
    own = () if shared else (grade.student_id, grade.submission)  # identifiers of a group are nobody's
    for who in submitters:
        ids = (*(identifier.value for identifier in who.ids), *own)
        yield Person(who.name or ("" if shared else grade.student), tuple(filter(None, dict.fromkeys(ids))))
    if not submitters:
        yield Person(grade.student, tuple(filter(None, dict.fromkeys(own))))


def write_file(path: Path, data: bytes) -> None:
    """Write a file in one step. Raises UsageError if that fails; then the file is unchanged."""
    with replaced(path, hint="") as half:
        half.write_bytes(data)


def feedback(system: str, grades: Iterable[Grade], pages: Path, into: Path) -> tuple[str, ...]:
    """Write an archive of the students' pages, in a platform's layout for feedback.

    Returns sentences on the pages left out. Raises UsageError if it cannot be written.
    """
    left, feedback_name = [], LAYOUTS[system].feedback
    with replaced(into, hint="") as half, zipfile.ZipFile(half, "w", zipfile.ZIP_DEFLATED) as archive:
        for grade in grades:
            page, name = pages / f"{grade.submission}.html", grade.origin.platform_name
            came_from_it = grade.origin.system.casefold() == system and not set(name) & set("/\\\0")
            if came_from_it and feedback_name and page.is_file() and (name := feedback_name(name)):
                entry = zipfile.ZipInfo(name)  # without a time, so that the same pages make the same archive
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, page.read_bytes())
            else:
                left.append(grade.submission)
    if not left:
        return ()
    why = "does not come" if len(left) == 1 else "do not come"
    many = plural(len(left), "submission")
    return (f"{many} without feedback in the archive, which {why} from a download of this platform: {listed(left)}",)


_TEXTS = {"submission", "student", "id", "complete", *table.AFTER}  # columns of grades.csv that hold no numbers


def workbook_of(folder: Path) -> bytes:
    """grades.csv of a batch as a workbook: scores as numbers, and all else, such as the number of a student, as texts."""
    path = folder / "grades.csv"
    rows = list(csv.reader(io.StringIO(read(path).decode("utf-8-sig"), newline="")))
    if not rows:
        raise UsageError("is empty", place=str(path), hint="the same `grader batch` writes it again")
    numbers = [at for at, name in enumerate(rows[0]) if name not in _TEXTS]
    return workbook.new([[cell.removeprefix("'") for cell in row] for row in rows], numbers)
