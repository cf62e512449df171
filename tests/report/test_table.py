"""grades.csv."""

import csv
import io
from dataclasses import replace

import pytest

from grader.report import table
from grader.results import CriterionResult, Status
from grader.submission import Identifier, IdKind, Origin, Submitter
from tests.report.sample_grades import CRITERIA, all_grades, full_marks, hostile, needs_review

IDS = [criterion.id for criterion in CRITERIA]


def _read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_one_line_for_a_grade() -> None:
    """A table has a header and a line for each grade, each with all columns."""
    rows = list(
        csv.reader(
            io.StringIO("".join((table.header(IDS), *(table.row(one, IDS) for one in all_grades()))), newline="")
        )
    )
    assert len(rows) == 1 + len(all_grades())
    assert {len(row) for row in rows} == {7 + len(IDS) + 8}


def test_the_cells_of_a_grade() -> None:
    """A line holds owner, score, openness and the points of each criterion; open points are an empty cell."""
    (row,) = _read(table.header(IDS) + table.row(full_marks(), IDS))
    assert row["student"] == "张海博"
    assert (row["score"], row["max"], row["complete"], row["open points"]) == ("90", "100", "no", "10")
    assert (row["format"], row["report"], row["review"]) == ("30", "", "")


def test_a_criterion_that_is_open_in_part_has_its_points_and_what_is_open() -> None:
    """The cell holds what is earned for certain, and is empty while nothing is decided. The last column says what is open."""
    (row,) = _read(table.header(IDS) + table.row(needs_review(), IDS))
    assert (row["invalid"], row["winner"]) == ("15", "")
    assert row["open by criterion"] == "invalid 5; winner 20; report 10"


def test_the_sandbox_has_a_column() -> None:
    """The tier in which a program was run stands in the last column, which is empty for a simulated one."""
    native = replace(full_marks(), provenance=replace(full_marks().provenance, sandbox="strong"))
    simulated, caged = _read(table.header(IDS) + table.row(full_marks(), IDS) + table.row(native, IDS))
    assert (simulated["sandbox"], caged["sandbox"]) == ("", "strong")


def test_each_who_shares_a_grade_has_a_line() -> None:
    """Two students of one submission have a line each, with the same submission and score, and identifiers of their own."""
    ids = [
        (Identifier(IdKind.NUMBER, "71022"), Identifier(IdKind.EMAIL, "ada@example.org")),
        (Identifier(IdKind.NUMBER, "0"),),
    ]
    sharing = (Submitter("Ada Lovelace", ids[0]), Submitter("=cmd()", ids[1]))
    shared = replace(full_marks(), origin=Origin("Gradescope", sharing, late=True))
    rows = _read(table.header(IDS) + table.row(shared, IDS))
    assert [(row["student"], row["id"], row["score"], row["handed in late"]) for row in rows] == [
        ("Ada Lovelace", "71022", "90", "yes"),
        ("'=cmd()", "0", "90", "yes"),
    ]
    assert rows[0]["submission"] == rows[1]["submission"]
    assert rows[0]["ids"] == "number 71022; e-mail ada@example.org"


def test_columns_follow_the_rubric_and_not_the_grade() -> None:
    """A grade without a criterion leaves its cell empty, and no other cell moves."""
    (row,) = _read(table.header(IDS) + table.row(replace(full_marks(), criteria=CRITERIA[2:]), IDS))
    assert (row["assembles"], row["invalid"]) == ("", "25")


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1", "\n=1"])
def test_a_formula_becomes_text(name: str) -> None:
    """A name that a spreadsheet would run begins with an apostrophe."""
    (row,) = _read(table.header(IDS) + table.row(replace(full_marks(), student=name, student_id=name), IDS))
    assert row["student"].startswith("'")
    assert row["id"].startswith("'")


@pytest.mark.parametrize("name", ["O'Brien", "a=b", "Anna-Lena", "x@y.z", "1+1"])
def test_other_names_stay(name: str) -> None:
    """A name that only holds such a character stays as it is."""
    (row,) = _read(table.header(IDS) + table.row(replace(full_marks(), student=name), IDS))
    assert row["student"] == name


def test_a_negative_number_stays_a_number() -> None:
    """Points below zero are no formula."""
    criterion = CriterionResult("late", "Late", -5, 0, Status.GRADED)
    (row,) = _read(table.header(["late"]) + table.row(replace(full_marks(), criteria=(criterion,)), ["late"]))
    assert row["late"] == "-5"


def test_a_hostile_grade_is_one_line() -> None:
    """Whatever a student writes, a grade is one line of the file."""
    assert table.row(hostile(), IDS).count("\n") == 1
    assert len(table.row(hostile(), IDS).splitlines()) == 1


def test_a_criterion_cannot_hide_a_column() -> None:
    """A criterion called score gets a column of its own name."""
    (header,) = csv.reader([table.header(["score", "format"])])
    assert header[7:] == [
        "criterion score", "format", "review", "sandbox", "staff", "handed in late", "attempt", "group", "ids",
        "open by criterion",
    ]  # fmt: skip
    assert header.count("score") == 1
