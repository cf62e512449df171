"""Marks that staff give by hand, in a file that loses nobody's work."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner

from grader.batch import opening, sheet
from grader.batch.marks import read_marks
from grader.batch.sheet import Line, complete_file, file_in, read_sheet
from grader.batch.values import Owner
from grader.cli.main import cli
from grader.errors import UsageError
from grader.grading.deciding import Scoring
from grader.grading.trial import unmet
from grader.report.record import dump, load
from grader.results import Given, Grade, Marks, Provenance, Verdict
from grader.spec.loader import Assignment, load_assignment
from tests.batch.judged import batch_of

SPEC = """
assignment: small
title: The first board
submission: {required: [nim.asm]}
program: {language: lc3, sources: [nim.asm]}
rubric:
  - {id: assembles, points: 5, title: The program assembles}
  - {id: report, points: 10, title: The report, manual: true}
late: {grace: 15 min, per_day: 10 %, cap: 50 %}
cases:
  - {id: assembles, title: It assembles, criterion: assembles, source: {builds: true}}
"""
LINES = [Line("PB1", "=Ann, B", "PB1"), Line("0012", "李", "0012")]
NAMES = [line.submission for line in LINES]


@pytest.fixture
def assignment(tmp_path) -> Assignment:
    """An assignment with a criterion that a person fills in."""
    path = tmp_path / "small.yaml"
    path.write_text(SPEC, encoding="utf-8")
    return load_assignment(path)


@pytest.fixture
def path(tmp_path) -> Path:
    """The path of the marks."""
    return tmp_path / "marks.csv"


def judged(scoring: Scoring) -> Grade:
    """The findings of a judge on a program that assembles."""
    case = scoring.judged.spec.cases[0]
    found = unmet(case, Verdict.ACCEPTED)
    provenance = Provenance("", "", "1", 0)
    return load(dump(Grade("small", "", "PB1", "Ann", 0, 0, False, 0, (), (replace_met(found),), provenance)))


def replace_met(found):
    """The result, met."""
    from dataclasses import replace

    return replace(found, met=True)


def test_the_first_file(path, assignment):
    """It has a byte order mark, a row for each submission, columns for points and comments, and no cell that runs as a formula."""
    complete_file(path, LINES, ["report"])
    text = path.read_bytes().decode("utf-8")
    assert text.splitlines() == [
        "\ufeffsubmission,student,id,report,report comment,late,override,reason,comment",
        'PB1,"\'=Ann, B",PB1,,,,,,',
        "0012,李,0012,,,,,,",
    ]
    assert read_marks(path, assignment.spec, NAMES).marks == {}


def test_marks_come_back_from_a_spreadsheet(path, assignment):
    """Semicolons, decimal commas, other letters, lost zeros and an own column are understood."""
    path.write_text(
        "submission;student;report;report comment;tutor;late;override;reason;comment\n"
        "pb1;Ann;7,5;'=too much code;Bo;1 d 4 h;;;Well done\n12;李;;;;;12;agreed;\n",
        encoding="utf-8",
    )
    found = read_marks(path, assignment.spec, NAMES)
    assert found.marks == {
        "PB1": Marks({"report": Given(Fraction(15, 2), "=too much code")}, Fraction(7, 6), comment="Well done"),
        "0012": Marks(override=Fraction(12), reason="agreed"),
    }
    assert found.ignored == ("marks.csv: the column “tutor” is of no criterion, and was left alone",)


def test_every_wrong_cell_is_named_and_nothing_is_lost(path, assignment):
    """All are listed with row and column, none is applied, and the file stays as it is."""
    text = (
        "submission,report,report comment,late,override,reason\nPB1,11,,,,\n0012,many,,soon,3,\nPB1,,why,,,\n,1,,,,\n"
    )
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as refused:
        read_marks(path, assignment.spec, NAMES)
    for said in (
        "row 2, column “report”: “11” is more than the 10 points",
        "row 3, column “report”: “many” is no number of points",
        "row 3, column “late”: “soon” is no time",
        "row 3, column “reason”: a score that is set by hand needs a reason",
        "row 4, column “report”: there is a comment, and no points",
        "row 4: PB1 has row 2 already",
        "row 5, column “submission”: it is empty",
    ):
        assert said in str(refused.value)
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("submission,report\nPB1,7\n".encode("utf-16"), "is not UTF-8"),
        (b"name,report\nPB1,7\n", "has no column “submission”"),
        (b'submission,report\nPB1,"7\n', "is no table"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(path, assignment, data, said):
    """It is left as it is."""
    path.write_bytes(data)
    with pytest.raises(UsageError, match=said):
        read_marks(path, assignment.spec, NAMES)
    with pytest.raises(UsageError, match=said):
        complete_file(path, LINES, ["report"])
    assert path.read_bytes() == data


def test_the_file_only_grows(path):
    """New submissions and criteria are added; own columns, rows of who is gone, their order and the separator stay."""
    path.write_text("submission;tutor;report;comment\nGONE;Bo;3;bye\n12;Bo;7;good\n", encoding="utf-8")
    complete_file(path, LINES, ["report", "play"])
    sheet = read_sheet(path)
    assert sheet.separator == ";"
    assert [sheet.cell(row, "submission") for row in sheet.rows] == ["GONE", "0012", "PB1"]
    assert [sheet.cell(row, "report") for row in sheet.rows] == ["3", "7", ""]
    assert [sheet.cell(row, "comment") for row in sheet.rows] == ["bye", "good", ""]
    assert [sheet.cell(row, "tutor") for row in sheet.rows] == ["Bo", "Bo", ""]
    assert {"play", "play comment", "late"} <= {*sheet.header}
    before = path.stat().st_mtime_ns
    complete_file(path, LINES, ["report", "play"])
    assert path.stat().st_mtime_ns == before


def test_columns_stand_in_the_order_of_the_rubric(path):
    """Whichever criterion was open first: its columns stand where the rubric has it, and columns of the staff stay where they were."""
    rubric = ["play", "style", "report"]
    complete_file(path, LINES, ["report"], rubric)
    complete_file(path, LINES, ["play", "report"], rubric)
    complete_file(path, LINES, ["style"], rubric)
    wanted = [name for one in rubric for name in (one, f"{one} comment")]
    assert [*read_sheet(path).header] == [
        "submission",
        "student",
        "id",
        *wanted,
        "late",
        "override",
        "reason",
        "comment",
    ]
    path.write_text("tutor,submission,report,report comment,mine,comment\nBo,PB1,7,,x,bye\n", encoding="utf-8")
    complete_file(path, LINES, ["play"], rubric)
    sheet = read_sheet(path)
    held = [name for name in sheet.header if name in ("tutor", "submission", "play", "report", "mine", "comment")]
    assert held == ["tutor", "submission", "play", "report", "mine", "comment"]
    assert [sheet.cell(sheet.rows[0], name) for name in held] == ["Bo", "PB1", "", "7", "x", "bye"]


@pytest.mark.parametrize("column", ["report", "override", "late"])
def test_a_number_of_thousands_of_digits(path, assignment, column):
    """No float holds it: its cell is named, and nothing is applied."""
    row = {"submission": "PB1", "reason": "so", column: "9" * 4_000}
    path.write_text(f"{','.join(row)}\n{','.join(row.values())}\n", encoding="utf-8")
    with pytest.raises(UsageError, match=f"row 2, column “{column}”: “9{{40}}” is no "):
        read_marks(path, assignment.spec, NAMES)


def test_a_grade_becomes_complete(assignment):
    """Points of staff count, and the criterion says who gave what, and why."""
    scoring = Scoring(assignment)
    found = judged(scoring)
    assert (scoring.grade(found).score, scoring.grade(found).complete) == (5, False)
    grade = scoring.grade(found, Marks({"report": Given(Fraction(7), "too much code")}, comment="See me."))
    assert (grade.score, grade.complete, grade.open_points) == (12, True, 0)
    assert grade.criteria[1].given == "given by staff: 7 of 10, “too much code”"
    assert [one.message for one in grade.adjustments] == ["See me."]
    other = scoring.grade(found, Marks({"assembles": Given(Fraction(2), "copied")}))
    assert other.criteria[0].given == "given by staff: 2 of 5 instead of 5, “copied”"


@pytest.mark.parametrize(
    ("late", "sharing", "points", "said"),
    [
        (Fraction(2), 1, -1.5, "2 days begun, of which 1 day is free, the others at 10 %, at most 50 %"),
        (
            Fraction(4),
            2,
            -3,
            "4 days begun, of which 2 days are free to the group, the others at 10 % each, at most 50 %",
        ),
        (Fraction(1), 3, 0, "1 day begun, of which 1 day is free to the group"),
    ],
)
def test_free_days_are_those_of_all_who_share(assignment, late, sharing, points, said):
    """A group has the free days of all its members."""
    policy = assignment.spec.late.model_copy(update={"free": 1})
    free = replace(assignment, spec=assignment.spec.model_copy(update={"late": policy}))
    scoring = Scoring(free)
    grade = scoring.grade(judged(scoring), Marks({"report": Given(Fraction(10))}, late, sharing=sharing))
    (one,) = grade.adjustments
    assert (one.points, one.message) == (
        points,
        f"handed in late: {'1 day' if late == 1 else f'{late} days'}, which is {said}",
    )


@pytest.mark.parametrize(
    ("late", "points", "said"),
    [
        (Fraction(1, 100), 0, "handed in late: 14 min, which is within the time of grace"),
        (Fraction(1, 2), -1.5, "handed in late: 12 h, which is 1 day begun at 10 %, at most 50 %"),
        (Fraction(2), -3, "handed in late: 2 days, which is 2 days begun at 10 % each, at most 50 %"),
        (Fraction(30), -7.5, "handed in late: 30 days, which is 30 days begun at 10 % each, at most 50 %"),
    ],
)
def test_lateness_costs_what_the_spec_says(assignment, late, points, said):
    """Days that have begun are counted, beyond the time of grace, up to the cap; the grade says so."""
    scoring = Scoring(assignment)
    grade = scoring.grade(judged(scoring), Marks({"report": Given(Fraction(10))}, late))
    assert (grade.score, grade.adjustments[0].points, grade.adjustments[0].message) == (15 + points, points, said)


def test_an_override_is_the_last_word(assignment):
    """It stands in place of everything, is complete, and gives its reason."""
    scoring = Scoring(assignment)
    grade = scoring.grade(judged(scoring), Marks(late=Fraction(1), override=Fraction(9), reason="agreed"))
    assert (grade.score, grade.complete) == (9, True)
    assert grade.adjustments[1].message == "score set by staff: 9 instead of 3.5, “agreed”"


def class_of(folder: Path, assignment: Assignment) -> Path:
    """The folder of a batch of two submissions that were judged."""
    owners = [Owner(one.submission, one.student, one.student_id, "", one.submission) for one in LINES]
    return batch_of(folder, assignment, dict.fromkeys(NAMES, judged(Scoring(assignment))), owners)


def test_the_command_reads_the_file_and_writes_reports(tmp_path, assignment):
    """Table, pages and JUnit say who gave what; a wrong cell is exit code 2, and the reports stay."""
    out = class_of(tmp_path, assignment)
    done = CliRunner().invoke(cli, ["mark", str(out), "--no-ask"], catch_exceptions=False, standalone_mode=False)
    assert done.return_value == 0, done.output
    path = out / "marks.csv"
    path.write_text(path.read_text("utf-8").replace("PB1,,", 'PB1,7,"too much, <b>code</b>"'), encoding="utf-8")
    CliRunner().invoke(cli, ["mark", str(out), "--no-ask"], catch_exceptions=False, standalone_mode=False)
    for name in ("grades.csv", "grades.json", "junit.xml", "students/PB1.html", "staff/PB1.html"):
        text = (out / name).read_text("utf-8")
        assert "7 of 10" in text
        assert "<b>code" not in text or name.startswith("grades")
    assert "PB1,'\"=Ann" not in (out / "grades.csv").read_text("utf-8")
    before = (out / "grades.csv").read_bytes()
    path.write_text(path.read_text("utf-8").replace("7", "70"), encoding="utf-8")
    with pytest.raises(UsageError, match="row 2, column “report”"):
        CliRunner().invoke(cli, ["mark", str(out), "--no-ask"], catch_exceptions=False, standalone_mode=False)
    assert (out / "grades.csv").read_bytes() == before


def _without_row(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith("PB1,"))


def _without_column(text: str) -> str:
    return text.replace("report", "rapport")


@pytest.mark.parametrize(
    ("lose", "said"),
    [(lambda _: None, "is gone"), (_without_row, "lacks rows"), (_without_column, "lacks rows or columns")],
)
def test_marks_that_are_gone_are_told_and_stay_in_the_reports(tmp_path, assignment, lose, said):
    """The command names whose marks would go, and writes nothing until the file is back; an emptied cell is an answer."""
    out = class_of(tmp_path, assignment)
    call(out)
    path = out / "marks.csv"
    path.write_text(path.read_text("utf-8").replace("PB1,,", "PB1,7,fine"), encoding="utf-8")
    call(out)
    held = path.read_text("utf-8")
    left = lose(held)
    path.unlink() if left is None else path.write_text(left, encoding="utf-8")
    before = (out / "grades.csv").read_bytes()
    assert b",7," in before
    for words in (["mark", "--no-ask"], ["decide"], ["export", "--xlsx", str(tmp_path / "x.xlsx")]):
        with pytest.raises(UsageError, match=rf"marks\.csv: {said}.*PB1 \(report\)"):
            call(out, *words)
    assert ((out / "grades.csv").read_bytes(), path.exists()) == (before, left is not None)
    path.write_text(held, encoding="utf-8")
    call(out)
    path.write_text(held.replace("PB1,7,fine", "PB1,,"), encoding="utf-8")
    call(out)
    path.unlink()
    call(out)


def test_marks_may_be_dropped(tmp_path, assignment):
    """`--drop-marks` writes reports without them, and nobody is asked again."""
    out = class_of(tmp_path, assignment)
    call(out)
    path = out / "marks.csv"
    path.write_text(path.read_text("utf-8").replace("PB1,,", "PB1,7,"), encoding="utf-8")
    call(out)
    path.unlink()
    call(out, "mark", "--no-ask", "--drop-marks")
    call(out)
    assert b",7," not in (out / "grades.csv").read_bytes()


def call(out: Path, *words: str) -> None:
    """Call a command for the folder of a batch, `grader mark` if not said; raises what it refuses."""
    name, *options = words or ("mark", "--no-ask")
    CliRunner().invoke(cli, [name, str(out), *options], catch_exceptions=False, standalone_mode=False)


def test_the_command_asks_for_what_is_open(tmp_path, assignment):
    """Each answer is kept at once; what is no number or too much is asked again, and `q` ends the questions."""
    out = class_of(tmp_path, assignment)
    typed = "many\n11\n7.5\n=good\nq\n"
    done = CliRunner().invoke(cli, ["mark", str(out), "--ask"], input=typed, catch_exceptions=False)
    assert "The report (report), 10 points. A person grades this." in done.output
    assert "1 submission has marks" in done.output
    found = read_marks(out / "marks.csv", assignment.spec, NAMES)
    assert found.marks == {"PB1": Marks({"report": Given(Fraction(15, 2), "=good")})}
    assert sheet.FILE_NAME in done.output


def test_a_workbook_takes_the_place_of_the_table(tmp_path, assignment):
    """XLSX keeps the file as it is: formulas and colours stay, missing columns are added, and a text is never a formula."""
    book = openpyxl.Workbook()
    for row in (
        ["submission", "student", "id", "report", "mine"],
        ["PB1", "Ann", 17.0, 7.5, "=2+3"],
        [],
        ["PB2", "=1+1", 18],
    ):
        book.active.append(row)
    book.active["B2"].font = openpyxl.styles.Font(bold=True)
    book.active["B4"].data_type = "s"
    book.save(tmp_path / "marks.xlsx")
    (tmp_path / "marks.csv").write_text("submission\nPB1\n", encoding="utf-8-sig")
    path = file_in(tmp_path)
    assert path.name == "marks.xlsx"
    found = read_marks(path, assignment.spec, ["PB1", "PB2"])
    assert found.marks["PB1"].given["report"] == Given(Fraction(15, 2), "")
    assert any("marks.csv was left alone" in told for told in found.ignored)
    complete_file(path, [Line("PB1", "Ann", "17"), Line("PB2", "Bo", "18"), Line("0003", "=cmd", "19")], ["report"])
    kept = openpyxl.load_workbook(path).active
    assert (kept["E2"].value, kept["B2"].font.bold, kept["D2"].value) == ("=2+3", True, 7.5)
    assert [cell.value for cell in kept[1]][5:] == ["report comment", "late", "override", "reason", "comment"]
    assert [(cell.value, cell.data_type) for cell in kept[5]][:3] == [("0003", "s"), ("=cmd", "s"), ("19", "s")]
    before = path.read_bytes()
    complete_file(path, [Line("PB1", "Ann", "17")], ["report"])
    assert path.read_bytes() == before


def test_the_row_that_is_named_is_that_of_the_spreadsheet(tmp_path, assignment):
    """Empty rows count: whoever looks for a wrong cell finds it where it is said to be."""
    path = tmp_path / "marks.csv"
    path.write_text("submission,report\nPB1,7\n,\n\nPB2,lots\n", encoding="utf-8-sig")
    with pytest.raises(UsageError, match="row 5, column “report”"):
        read_marks(path, assignment.spec, ["PB1", "PB2"])


def test_who_is_another_since_the_verdicts_were_reached(tmp_path, assignment, monkeypatch):
    """Where the grader is another one now and the spec is not, the spec is not what is named."""
    out = class_of(tmp_path, assignment)
    monkeypatch.setattr(opening, "engine", lambda: "another")
    with pytest.raises(UsageError, match=r"out: was judged by another version of the grader.*grader regrade"):
        CliRunner().invoke(cli, ["mark", str(out), "--no-ask"], catch_exceptions=False, standalone_mode=False)
