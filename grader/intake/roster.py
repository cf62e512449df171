"""The roster of a course: who should have handed in, and who of them handed in what.

A roster is a table, CSV or XLSX: one's own, or what a learning platform gives out (Canvas's gradebook, Moodle's worksheet, Blackboard's
or Classroom's list). Columns are known by the usual words in their heads, or else, since platforms translate those, by what is in them.

A submitter is matched by identifiers first: those of a platform with their own kind only, those that people know (student number,
login, e-mail) with each other. Then by name, in any order of its words, with accents or without, and run together as
Canvas writes it. What is less sure than that is a suggestion for a person to decide, and nothing is done by it.
"""

from __future__ import annotations

import csv
import difflib
import io
import itertools
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from grader.errors import UsageError
from grader.intake.encoding import best_encoding
from grader.intake.names import clean
from grader.submission import Identifier, IdKind, Submitter

SURE = 0.9
"""From this confidence on a match counts without a person."""

_MOST_BYTES = 16 << 20
_ZIP = b"PK\x03\x04"  # as which a workbook is packed
_MOST_WORDS = 5  # of a name whose words are tried in every order
_NAME, _FIRST, _LAST, _GROUP = "name", "first name", "last name", "group"
_HEADS: Mapping[str, Sequence[str]] = {
    _NAME: ("name", "student", "studentname", "fullname", "displayname", "姓名", "vollständigername", "nomcomplet"),
    _FIRST: ("firstname", "givenname", "vorname", "prénom", "名"),
    _LAST: ("lastname", "surname", "familyname", "nachname", "nom", "姓"),
    _GROUP: ("group", "groupname", "team", "gruppe", "组", "小组"),
    IdKind.NUMBER: (
        "sisuserid",
        "studentid",
        "studentnumber",
        "sid",
        "idnumber",
        "number",
        "matriculationnumber",
        "matrikelnummer",
        "学号",
        "學號",
    ),
    IdKind.LOGIN: ("sisloginid", "login", "loginid", "username", "user", "netid", "benutzername", "用户名"),
    IdKind.EMAIL: ("email", "emailaddress", "mail", "邮箱"),
    IdKind.GITHUB: ("github", "githubusername", "githubuser", "githublogin"),
    IdKind.USER: ("canvasuserid", "userid"),
    IdKind.PARTICIPANT: ("participantid",),
}
_KNOWN = {head: column for column, heads in _HEADS.items() for head in heads}
_OF_PLATFORM = (IdKind.USER, IdKind.PARTICIPANT, IdKind.ANONYMOUS)
_PARTICIPANT = re.compile(r"\A(?P<word>[^\d,;]{1,99}?)\s{0,9}(?P<number>\d+)")
_NOBODY = ("pointspossible", "studenttest", "teststudent")  # rows of Canvas that are no students


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


@dataclass(frozen=True, slots=True)
class Match:
    """Who a submitter is on the roster: ``people`` where it is sure, else a ``suggestion``, if there is one; and why.

    A group's name stands for several people. ``doubt`` is a sentence on what speaks against a match that is sure.
    """

    people: tuple[Person, ...]
    confidence: float
    why: str
    suggestion: Person | None = None
    doubt: str = ""


def load_roster(path: Path) -> tuple[Person, ...]:
    """The people on a roster. Raises UsageError where it cannot be read or has no column that says who they are."""
    try:
        data = path.read_bytes()[:_MOST_BYTES]
    except OSError as fault:
        raise UsageError(f"cannot be read ({fault.strerror})", place=str(path)) from fault
    if data.startswith(_ZIP):
        rows = _sheet(data, path)
    else:
        try:
            rows = _rows(_decoded(data))
        except csv.Error as fault:
            raise UsageError(f"is no table ({fault})", place=str(path), hint="save it as CSV") from fault
    people = _people(rows)
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
        return data.decode("cp1252" if best in ("cp437", "utf-8") else best, "replace")


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """Lines with their numbers and cells, but for empty ones."""
    first = text.partition("\n")[0]
    separator = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    rows = [(reader.line_num, [clean(cell).strip().removeprefix("'") for cell in row]) for row in reader]
    return [(line, cells) for line, cells in rows if any(cells)]


def _sheet(data: bytes, path: Path) -> list[tuple[int, list[str]]]:
    """The lines of the first sheet of a workbook. Raises UsageError where it is none, or the extra is not installed."""
    try:
        import openpyxl
    except ImportError:
        hint = "save it as CSV, or pip install 'grader[xlsx]'"
        raise UsageError(
            "is a workbook, which is read only where openpyxl is installed", place=str(path), hint=hint
        ) from None
    try:
        with closing(openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)) as book:
            lines = [[_cell_text(value) for value in row] for row in book.worksheets[0].iter_rows(values_only=True)]
    except Exception as fault:
        raise UsageError("is no workbook that can be read", place=str(path), hint="save it as CSV") from fault
    return [(number, cells) for number, cells in enumerate(lines, 1) if any(cells)]


def _cell_text(value: object) -> str:
    """A cell as its author sees it: a number that is a student's has no decimals."""
    if value is None:
        return ""
    whole = isinstance(value, float) and value.is_integer()
    return clean(str(int(value) if whole and isinstance(value, float) else value)).strip().removeprefix("'")


def _people(rows: Sequence[tuple[int, list[str]]]) -> list[Person]:
    if not rows:
        return []
    heads = [_plain(cell) for cell in rows[0][1]]
    columns = _columns(heads, [cells for _, cells in rows[1:]])
    people = [_person(columns, cells, line) for line, cells in rows[1:]]
    return [person for person in people if (person.name or person.ids) and _plain(person.name) not in _NOBODY]


def _columns(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[int, str]:
    """What each column holds: by its head, or else by its cells."""
    columns = {at: _KNOWN[head] for at, head in enumerate(heads) if head in _KNOWN}
    held = {at: [row[at] for row in rows if at < len(row) and row[at]] for at in range(len(heads))}
    if "id" in heads:  # of Canvas its own, elsewhere the student's
        canvas = "student" in heads and {"sisuserid", "sisloginid", "section"} & set(heads)
        columns[heads.index("id")] = IdKind.USER if canvas else IdKind.NUMBER
    for at, cells in held.items():
        if at in columns or not cells:
            continue
        words = {match["word"] for cell in cells if (match := _PARTICIPANT.fullmatch(cell))}
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


# --- matching ---------------------------------------------------------------------------------------------------------


class Roster:
    """People, found by identifiers and names."""

    def __init__(self, people: Sequence[Person]) -> None:
        self.people = tuple(people)
        self._by_id: dict[tuple[str, str], list[Person]] = defaultdict(list)
        self._by_words: dict[str, list[Person]] = defaultdict(list)
        self._by_joined: dict[str, list[Person]] = defaultdict(list)
        self._groups: dict[str, list[Person]] = defaultdict(list)
        for person in people:
            for key in {key for identifier in person.ids for key in _keys(identifier)}:
                self._by_id[key].append(person)
            words = _words(person.name)
            if words:
                self._by_words[" ".join(sorted(words))].append(person)
            for joined in _orders(words):
                self._by_joined[joined].append(person)
            if person.group:
                self._groups["".join(_words(person.group))].append(person)

    def match(self, who: Submitter) -> Match:
        """Who on the roster this is."""
        joined = "".join(_words(who.name))
        if joined and joined in self._groups:
            return Match(tuple(self._groups[joined]), SURE, "the name is that of a group")
        by_id = self._with_ids(who.ids)
        by_platform = self._with_ids(
            i for i in who.ids if i.kind in _OF_PLATFORM
        )  # its word counts before a file's name
        if len(by_platform or by_id) == 1:
            (person,) = (by_platform or by_id).values()
            others = [other.label for line, other in by_id.items() if line != person.line]
            doubt = f"it is of {person.label}, and the names of its files have the number of {', '.join(others)}"
            if not others:
                doubt = f"it is of {person.label}, and its name is “{who.name}”: perhaps a group's"
                doubt = doubt if _unlike(who.name, person.name) else ""
            return Match((person,), 1.0, "by an identifier", doubt=doubt)
        if by_id:
            return Match((), 0.5, "its identifiers are those of several", next(iter(by_id.values())))
        return self._by_name(who)

    def named(self, text: str) -> Person | None:
        """Whom an identifier or a whole name means, if it means one person alone."""
        wanted = text.casefold()
        found = {p.line: p for p in self.people if any(i.value.casefold() == wanted for i in p.ids)}
        found = found or {p.line: p for p in self.people if wanted in (p.name.casefold(), p.label.casefold())}
        return next(iter(found.values())) if len(found) == 1 else None

    def _with_ids(self, ids: Iterable[Identifier]) -> dict[int, Person]:
        return {p.line: p for identifier in ids for key in _keys(identifier) for p in self._by_id.get(key, ())}

    def _by_name(self, who: Submitter) -> Match:
        words = _words(who.name)
        behind = _words(who.name.partition("-")[2])  # Moodle writes “Group 3-Li Wei”
        if behind and not self._by_joined.get("".join(words)) and len(self._by_joined.get("".join(behind), ())) == 1:
            return Match((self._by_joined["".join(behind)][0],), SURE, "by the name behind that of a group")
        if not words:
            return Match((), 0, "it has no name, and no identifier that is on the roster")
        same = self._by_words.get(" ".join(sorted(words))) or self._by_joined.get("".join(words)) or []
        if len(same) == 1:
            return Match((same[0],), 0.95 if len(words) > 1 else SURE, "by name")
        if same:
            return Match((), 0.5, f"{len(same)} on the roster have this name", same[0])
        spelled = difflib.get_close_matches("".join(words), self._by_joined, n=2, cutoff=0.75)
        if not spelled:
            return Match((), 0, "nobody on the roster has this name")
        likeness = difflib.SequenceMatcher(None, "".join(words), spelled[0]).ratio()
        return Match((), round(0.8 * likeness, 2), "the name is like one on the roster", self._by_joined[spelled[0]][0])


def _keys(identifier: Identifier) -> list[tuple[str, str]]:
    """Under what an identifier is found. A login is often the number, and an e-mail begins with it; sheets drop zeros."""
    value = identifier.value.casefold()
    if identifier.kind in _OF_PLATFORM:
        return [(identifier.kind, value)]
    own = value.partition("@")[0] if identifier.kind is IdKind.EMAIL else value
    own = own.lstrip("0") if own.isdigit() else own
    if identifier.kind is IdKind.GITHUB:
        return [("GitHub", value)]
    return [("known", own), ("e-mail", value)] if "@" in value else [("known", own)]


def _words(name: str) -> list[str]:
    """The words of a name, without accents and case."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c)).casefold()
    return [word for word in re.split(r"[\W_]+", plain) if word]


def _orders(words: Sequence[str]) -> set[str]:
    """The words of a name run together, in every order."""
    if len(words) > _MOST_WORDS:
        return {"".join(words)} if words else set()
    return {"".join(order) for order in itertools.permutations(words)} - {""}


def _unlike(name: str, other: str) -> bool:
    """Whether two names have no word in common."""
    words, joined = _words(name), "".join(_words(other))
    theirs = _words(other)
    return (
        bool(words and theirs) and not any(w in joined for w in words) and not any(w in "".join(words) for w in theirs)
    )


def _plain(head: str) -> str:
    return "".join(char for char in head.casefold() if char.isalnum())
