"""The roster of a course, and the match between its people and the submitters.

A roster is a table, CSV or XLSX: one's own, or what a learning platform gives out (Canvas's gradebook, Moodle's worksheet, Blackboard's
or Classroom's list). Columns are known by the usual words in their heads, or else, since platforms translate those, by what is in them.

A submitter is matched by identifiers first. Those of a platform match only their own kind; those that people know
(student number, login, e-mail) match each other. Then names are compared, in any order of words, with accents or
without, and run together as Canvas writes it. A weaker match is only a suggestion, and a person decides.
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
        """The person's name in a sentence."""
        known = Submitter(self.name, self.ids).known_by or next((i.value for i in self.ids), "")
        return f"{self.name} ({known})" if self.name and known else self.name or known


def load_roster(path: Path) -> tuple[Person, ...]:
    """The people on a roster. Raises UsageError if it cannot be read or has no column that says who they are."""
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
    """The kind of each column, by its head, or else by its cells."""
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


# ------------------------------------------------------------------------------------------------------------ matching

SURE = 0.9  # from this confidence on a match counts without a person

# Canvas runs the words of a name together, in any order: five words have 120 orders, six 720.
_MOST_WORDS = 5  # of a name whose words are tried in every order
_OF_PLATFORM = (IdKind.USER, IdKind.PARTICIPANT, IdKind.ANONYMOUS)


@dataclass(frozen=True, slots=True)
class Match:
    """A submitter's match on the roster: ``people`` if it is sure, else a ``suggestion``, if there is one; and why.

    A group's name stands for several people. ``doubt`` is a sentence on evidence against a sure match.
    """

    people: tuple[Person, ...]
    confidence: float
    why: str
    suggestion: Person | None = None
    doubt: str = ""


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
            orders = itertools.permutations(words) if len(words) <= _MOST_WORDS else [words]
            for joined in {"".join(order) for order in orders} - {""}:
                self._by_joined[joined].append(person)
            if person.group:
                self._groups["".join(_words(person.group))].append(person)

    def match(self, who: Submitter) -> Match:
        """The match of a submitter."""
        joined = "".join(_words(who.name))
        if joined and joined in self._groups:
            return Match(tuple(self._groups[joined]), SURE, "the name is that of a group")
        by_id = self._with_ids(who.ids)
        # A student may hand in a file that is called by a partner's number.
        by_platform = self._with_ids(one for one in who.ids if one.kind in _OF_PLATFORM)
        # the word of a platform counts before a file's name
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
        """The person with this identifier or whole name; None unless it matches exactly one."""
        wanted = text.casefold()
        people = {p.line: p for p in self.people if any(i.value.casefold() == wanted for i in p.ids)}
        people = people or {p.line: p for p in self.people if wanted in (p.name.casefold(), p.label.casefold())}
        return next(iter(people.values())) if len(people) == 1 else None

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
    """The keys that find an identifier.

    A login is often the number, and an e-mail begins with it; sheets drop zeros.
    """
    value = identifier.value.casefold()
    if identifier.kind in _OF_PLATFORM:
        return [(identifier.kind, value)]
    own = value.partition("@")[0] if identifier.kind is IdKind.EMAIL else value
    # Excel saves 0012 as 12.
    own = own.lstrip("0") if own.isdigit() else own
    if identifier.kind is IdKind.GITHUB:
        return [("GitHub", value)]
    return [("known", own), ("e-mail", value)] if "@" in value else [("known", own)]


def _words(name: str) -> list[str]:
    """The words of a name, without accents and case."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c)).casefold()
    return [word for word in re.split(r"[\W_]+", plain) if word]


def _unlike(name: str, other: str) -> bool:
    """Whether two names have no word in common. A Chinese name and one in Latin letters never have one, so the result says nothing about them."""
    words, theirs = _words(name), _words(other)
    whole, their_whole = "".join(words), "".join(theirs)
    # 李伟 and Li Wei share no letter and may be one person.
    if whole.isascii() != their_whole.isascii() or not whole or not their_whole:
        return False
    return not any(word in their_whole for word in words) and not any(word in whole for word in theirs)
