"""The roster of a course: who should have handed in.

A roster is a table, CSV or XLSX: one's own, or what a learning platform gives out (Canvas's gradebook, Moodle's worksheet, Blackboard's
or Classroom's list). Columns are known by the usual words in their heads, or else, since platforms translate those, by what is in them.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from grader.errors import UsageError, refusals
from grader.intake import workbook
from grader.intake.encoding import best_encoding
from grader.intake.names import clean
from grader.intake.platforms import PLATFORMS
from grader.report.table import separator_of
from grader.submission import Identifier, IdKind, Submitter
from grader.values import dataclass

_MOST_BYTES = 16 << 20  # a roster of ten thousand students has one megabyte
_NAME, _FIRST, _LAST, _GROUP = "name", "first name", "last name", "group"
_HEADS: Mapping[str, str] = {
    _NAME: "name student studentname fullname displayname 姓名 vollständigername nomcomplet",
    _FIRST: "firstname givenname vorname prénom 名",
    _LAST: "lastname surname familyname nachname nom 姓",
    _GROUP: "group groupname team gruppe 组 小组",
    IdKind.NUMBER: "studentid studentnumber idnumber number matriculationnumber matrikelnummer 学号 學號",
    IdKind.LOGIN: "login loginid username user netid benutzername 用户名",
    IdKind.EMAIL: "email emailaddress mail 邮箱",
    IdKind.USER: "userid",
}
_TABLES = (_HEADS, *(platform.heads for platform in PLATFORMS))
_KNOWN = {head: column for table in _TABLES for column, heads in table.items() for head in heads.split()}
_PARTICIPANT = re.compile(r"\A(?P<word>[^\d,;]{1,99}?)\s{0,9}(?P<number>\d+)")
_NOBODY = frozenset(name for platform in PLATFORMS for name in platform.nobody)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on the roster: name and identifiers as they stand there, and the line."""

    name: str
    ids: tuple[Identifier, ...]
    group: str = ""
    line: int = 0

    @property
    def label(self) -> str:
        """What to call them in a sentence."""
        known = Submitter(self.name, self.ids).known_by or next((i.value for i in self.ids), "")
        return f"{self.name} ({known})" if self.name and known else self.name or known


def load_roster(path: Path) -> tuple[Person, ...]:
    """The people on a roster. Raises UsageError where it cannot be read or has no column that says who they are."""
    with refusals("cannot be read ({})", path), path.open("rb") as stream:
        data = stream.read(_MOST_BYTES)
    if data.startswith(workbook.MAGIC):
        rows = list(enumerate(workbook.read_rows(data, str(path)), 1))
    else:
        text = _decoded(data)
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator_of(text))
        try:
            rows = [(reader.line_num, [clean(cell).strip().removeprefix("'") for cell in row]) for row in reader]
        except csv.Error as fault:
            raise UsageError(f"is no table ({fault})", place=str(path), hint="save it as CSV") from fault
    (_, head), *below = [(line, cells) for line, cells in rows if any(cells)] or [(0, [])]
    columns = _columns([_plain(cell) for cell in head], [cells for _, cells in below])
    listed = (_person(columns, cells, line) for line, cells in below)
    people = [one for one in listed if (one.name or one.ids) and _plain(one.name) not in _NOBODY]
    if not people:
        hint = "its first line should name columns such as name, student id, login, email"
        raise UsageError("nobody could be read from it", place=str(path), hint=hint)
    return tuple(people)


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        best = best_encoding(data.splitlines())
        # Excel saves CSV in the code page of the system; no German one is in the guess for archives.
        return data.decode("cp1252" if best in ("cp437", "utf-8") else best, "replace")


def _columns(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[int, str]:
    """What each column holds: by its head, or else by its cells."""
    columns = {at: _KNOWN[head] for at, head in enumerate(heads) if head in _KNOWN}
    held = {at: [row[at] for row in rows if at < len(row) and row[at]] for at in range(len(heads))}
    if "id" in heads:  # of Canvas its own, elsewhere the student's
        # Other platforms and staff call the student's number `id`.
        canvas = "student" in heads and {"sisuserid", "sisloginid", "section"} & set(heads)
        columns[heads.index("id")] = IdKind.USER if canvas else IdKind.NUMBER
    for at, cells in held.items():
        if at in columns or not cells:
            continue
        words = {match["word"] for cell in cells if (match := _PARTICIPANT.fullmatch(cell))}
        # Moodle's worksheet has `Participant 4711` in its first column, in the language of the site.
        if at == 0 and len(words) == 1 and all(map(_PARTICIPANT.fullmatch, cells)):
            columns[at] = IdKind.PARTICIPANT
        elif heads[at] == "identifier":
            columns[at] = IdKind.EMAIL if "@" in cells[0] else IdKind.NUMBER
        elif all(re.fullmatch(r"[^@\s]+@[^@\s]+", cell) for cell in cells) and IdKind.EMAIL not in columns.values():
            columns[at] = IdKind.EMAIL
    if not {_NAME, _FIRST, _LAST} & set(columns.values()) and columns.get(0) == IdKind.PARTICIPANT and len(heads) > 1:
        columns[1] = _NAME
    return columns


def _person(columns: Mapping[int, str], cells: Sequence[str], line: int) -> Person:
    held: dict[str, str] = {}
    for at, column in columns.items():
        if at < len(cells) and cells[at] and column not in held:
            held[column] = cells[at]
    name = held.get(_NAME) or " ".join(filter(None, (held.get(_FIRST), held.get(_LAST))))
    # Canvas writes `Li, Wei`; two commas are a list or a title.
    if name.count(",") == 1:
        last, _, first = name.partition(",")
        name = f"{first.strip()} {last.strip()}"
    ids = []
    for kind in IdKind:
        value = held.get(kind, "")
        if kind is IdKind.PARTICIPANT and (match := _PARTICIPANT.fullmatch(value)):
            value = match["number"]
        if value:
            ids.append(Identifier(kind, value))
    return Person(name.strip(), tuple(ids), held.get(_GROUP, ""), line)


def _plain(head: str) -> str:
    return "".join(char for char in head.casefold() if char.isalnum())
