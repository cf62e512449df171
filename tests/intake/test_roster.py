"""Rosters: what is read from each platform's table, and who is found on it."""

from __future__ import annotations

import openpyxl
import pytest

from grader.errors import UsageError
from grader.intake.roster import SURE, Roster, load_roster
from grader.submission import Identifier, IdKind, Submitter

CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,LAB 04 (991)
    Points Possible,,,,,100
"Li, Wei",1021,PB07210341,liwei1,CS 101,
"Lovelace, Ada",1022,PB07210342,ada,CS 101,
"Student, Test",1099,,,CS 101,
"""
MOODLE = """Kennung,"Vollständiger Name",E-Mail-Adresse,Status,Bewertung
Teilnehmer/in 4711,Li Wei,li.wei@example.org,Abgegeben,
Teilnehmer/in 4712,Ada Lovelace,ada@example.org,-,
"""
BLACKBOARD = (
    '"Last Name"\t"First Name"\t"Username"\t"Student ID"\nLi\tWei\tliwei1\t0071021\nLovelace\tAda\tada_l\t71022\n'
)
PLAIN = "学号;姓名;Group\nPB07210340;张海博;Team 7\nPB07210341;王芳;Team 7\nPB07210342;José Núñez;\n"


@pytest.fixture
def roster(tmp_path):
    """The roster in a text or in bytes."""

    def roster(text: str | bytes):
        path = tmp_path / "roster.csv"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return Roster(load_roster(path))

    return roster


def told(people):
    """Names and identifiers."""
    return [(person.name, [str(i) for i in person.ids]) for person in people]


def test_the_gradebook_of_canvas(roster):
    """Its ID is a user's of Canvas; the row of possible points and the test student are nobody."""
    assert told(roster(CANVAS).people) == [
        ("Wei Li", ["number PB07210341", "login liwei1", "user id 1021"]),
        ("Ada Lovelace", ["number PB07210342", "login ada", "user id 1022"]),
    ]


def test_the_worksheet_of_moodle_in_another_language(roster):
    """Heads are translated: participants and e-mails are known by their cells, and the name stands beside the first."""
    assert told(roster(MOODLE).people) == [
        ("Li Wei", ["e-mail li.wei@example.org", "participant id 4711"]),
        ("Ada Lovelace", ["e-mail ada@example.org", "participant id 4712"]),
    ]


def test_a_list_of_blackboard_and_a_plain_one(roster):
    """First and last names are joined; tabs and semicolons separate, and zeros stay."""
    assert told(roster(BLACKBOARD).people)[0] == ("Wei Li", ["number 0071021", "login liwei1"])
    assert told(roster(PLAIN).people)[0] == ("张海博", ["number PB07210340"])


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "gb18030"])
def test_encodings_of_spreadsheets(roster, codec):
    """A table is read as Excel writes it."""
    assert roster("学号,姓名\nPB07210340,张海博\n".encode(codec)).people[0].name == "张海博"


@pytest.mark.parametrize("text", ["", "\n\n", "a,b\n1,2\n", "name,id\n"])
def test_no_roster(roster, text):
    """A table without people is wrong usage."""
    with pytest.raises(UsageError, match="nobody could be read"):
        roster(text)


@pytest.mark.parametrize(
    ("kind", "value", "found"),
    [
        (IdKind.USER, "1021", "Wei Li"),
        (IdKind.PARTICIPANT, "1021", None),
        (IdKind.NUMBER, "pb07210342", "Ada Lovelace"),
        (IdKind.LOGIN, "ADA", "Ada Lovelace"),
        (IdKind.EMAIL, "ada@example.org", "Ada Lovelace"),
        (IdKind.LOGIN, "1021", None),
    ],
)
def test_identifiers(roster, kind, value, found):
    """An identifier of a platform counts for that platform alone; a login may be the beginning of an e-mail."""
    match = roster(CANVAS).match(Submitter("", (Identifier(kind, value),)))
    assert (match.people[0].name if match.people else None) == found


def test_zeros_that_a_spreadsheet_has_dropped(roster):
    """``71021`` is ``0071021``: sheets take numbers for numbers."""
    assert roster(BLACKBOARD).match(Submitter("", (Identifier(IdKind.NUMBER, "71021"),))).people[0].name == "Wei Li"


@pytest.mark.parametrize("name", ["Wei Li", "li wei", "LI, Wei", "liwei", "weili"])
def test_names_in_any_order(roster, name):
    """The words of a name may come in any order, and run together as Canvas writes them."""
    match = roster(CANVAS).match(Submitter(name))
    assert (match.people[0].name, match.confidence >= SURE) == ("Wei Li", True)


def test_a_group_before_the_name(roster):
    """Moodle writes the group before the name where there are groups; a name with a hyphen stays whole."""
    assert roster(MOODLE).match(Submitter("Group 3-Li Wei")).people[0].name == "Li Wei"
    both = roster("name,id\nJean-Luc Dupont,1\nLuc Dupont,2\n")
    assert both.match(Submitter("Jean-Luc Dupont")).people[0].name == "Jean-Luc Dupont"


def test_names_without_accents(roster):
    """Accents may be lost on the way."""
    assert roster(PLAIN).match(Submitter("nunezjose")).people[0].name == "José Núñez"


def test_what_is_not_sure_is_a_suggestion(roster):
    """A name that is only like one, and one that two have, name somebody and decide nothing."""
    like = roster(CANVAS).match(Submitter("Ada Lovelance"))
    assert (like.people, like.suggestion.name, like.confidence < SURE) == ((), "Ada Lovelace", True)
    two = roster("name,id\nLi Wei,1\nLi Wei,2\n").match(Submitter("Li Wei"))
    assert (two.people, two.suggestion.label) == ((), "Li Wei (1)")
    nobody = roster(CANVAS).match(Submitter("Grace Hopper"))
    assert (nobody.people, nobody.suggestion, nobody.confidence) == ((), None, 0)


def test_the_name_of_a_group_is_all_of_it(roster):
    """Canvas writes the group's name where the student's stands: all who are in it share the submission."""
    match = roster(PLAIN).match(Submitter("team7", (Identifier(IdKind.USER, "1021"),)))
    assert [person.name for person in match.people] == ["张海博", "王芳"]


def test_an_identifier_under_another_name(roster):
    """A student who is found by an identifier and has another name altogether is told of: it may be a group's."""
    match = roster(CANVAS).match(Submitter("projectteam", (Identifier(IdKind.USER, "1021"),)))
    assert match.people[0].name == "Wei Li"
    assert match.doubt == "it is of Wei Li (PB07210341), and its name is “projectteam”: perhaps a group's"


def test_the_platform_counts_before_the_name_of_a_file(roster):
    """A zip that has another student's number in its name is of whoever the platform says, and it is told."""
    ids = (Identifier(IdKind.USER, "1021"), Identifier(IdKind.NUMBER, "PB07210342"))
    match = roster(CANVAS).match(Submitter("liwei", ids))
    assert [person.name for person in match.people] == ["Wei Li"]
    assert match.doubt.endswith("the names of its files have the number of Ada Lovelace (PB07210342)")


def test_a_roster_in_a_workbook(tmp_path):
    """The first sheet of an XLSX file is read; numbers are as they are seen."""
    book = openpyxl.Workbook()
    for row in (
        ["Student", "Student ID", "Email"],
        ["Li, Wei", 1021.0, "li@x.edu"],
        [None, None, None],
        ["Zhang San", "PB22"],
    ):
        book.active.append(row)
    book.save(tmp_path / "roster.xlsx")
    people = load_roster(tmp_path / "roster.xlsx")
    assert [(person.name, person.label, person.line) for person in people] == [
        ("Wei Li", "Wei Li (1021)", 2),
        ("Zhang San", "Zhang San (PB22)", 4),
    ]


def test_a_workbook_without_its_reader(tmp_path, monkeypatch):
    """If it cannot be read it is said what can be done, and so for a zip that is no workbook."""
    path = tmp_path / "roster.xlsx"
    path.write_bytes(b"PK\x03\x04" + bytes(40))
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    with pytest.raises(UsageError, match="save it as CSV, or pip install"):
        load_roster(path)
