"""Scores into the file that a learning platform gave out."""

from __future__ import annotations

import zipfile
from dataclasses import replace

import openpyxl
import pytest
from click.testing import CliRunner

from grader.batch.export import feedback, filled
from grader.cli.main import cli
from grader.errors import UsageError
from grader.intake.platforms import Listing, recognise
from grader.results import Grade
from grader.submission import Identifier, IdKind, Origin, Submitter
from tests.batch.test_marks import assignment, class_of  # noqa: F401  (a fixture)
from tests.report.sample_grades import full_marks


def grade(number: str, student: str, score: float, *, handed_in_as: str = "", complete: bool = True) -> Grade:
    """A grade of somebody."""
    return replace(
        full_marks(),
        submission=number or student,
        student=student,
        student_id=number,
        score=score,
        complete=complete,
        handed_in_as=handed_in_as,
    )


ANN, BO, LI = grade("PB1", "Ann Lee", 87.25), grade("", 'Bo "B" O\'Neill', 9), grade("PB3", "李伟", 12.5)
CANVAS = (
    "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Lab 4 (77),Lab 5 (78)\r\n"
    "    Points Possible,,,,,100,100\r\n"
    '"Lee, Ann",501,PB1,ann,"A, ""x""",,=1+1\r\n'
    '"O\'Neill, Bo ""B""",502,PB2,bo,A,"3",\r\n'
    "李伟,503,PB3,li,A,12\n"
    "Nobody,504,PB4,no,A,EX,\r\n"
)


def lines(data: bytes) -> list[str]:
    """The lines of a file."""
    return data.decode("utf-8").splitlines(keepends=True)


def test_one_column_is_filled_and_every_other_byte_is_kept():
    """Quotes, line ends, the encoding mark, formulas and excused students come out as they came in."""
    done = filled(CANVAS.encode(), "grades.csv", "canvas", [ANN, BO, LI], column="Lab 4")
    expected = CANVAS.replace('""x""",,', '""x""",87.25,').replace('A,"3",', 'A,"9",').replace("A,12\n", "A,12.5\n")
    assert done.data == expected.encode()
    assert done.count == 3
    assert done.notes == ("1 student without a submission, whose row was left alone: Nobody",)


def test_who_has_no_row_or_no_whole_grade_is_named():
    """An incomplete grade is left out unless it is asked for, and a submission that fits no row is said."""
    grades = [replace(ANN, complete=False), grade("PB9", "Stranger", 4)]
    done = filled(CANVAS.encode(), "grades.csv", "canvas", grades, column="Lab 4 (77)")
    assert done.data == CANVAS.encode()
    assert "1 submission without a row: PB9 Stranger" in done.notes
    assert any("not complete" in note and "PB1" in note for note in done.notes)
    assert filled(CANVAS.encode(), "", "canvas", grades, column="Lab 4", partial=True).count == 1


def test_names_with_a_comma_are_parted_by_semicolons():
    """Two students of Canvas read as two, and not as four."""
    rows = "Student,ID,SIS User ID,Lab 4 (77)\n" + '"Doe, Jane",1,,\n"Zhou, Jie",2,,\n'
    assert filled(rows.encode(), "grades.csv", "canvas", []).notes[0].endswith("left alone: Doe, Jane; Zhou, Jie")


def test_who_is_excused_stays_excused():
    """A score does not take the place of what somebody decided, and that is said."""
    done = filled(CANVAS.encode(), "", "canvas", [grade("PB4", "Nobody", 4)], column="Lab 4")
    assert done.data == CANVAS.encode()
    assert "1 student who is excused, and stays so: Nobody" in done.notes


def test_several_columns_are_for_a_person_to_choose_from():
    """None is guessed; a file of another platform is refused."""
    with pytest.raises(UsageError, match=r"several columns.*“Lab 4 \(77\)”, “Lab 5 \(78\)”"):
        filled(CANVAS.encode(), "grades.csv", "canvas", [ANN])
    with pytest.raises(UsageError, match="is not a file of blackboard"):
        filled(b"a,b\n1,2\n", "grades.csv", "blackboard", [ANN])
    with pytest.raises(UsageError, match="no column is known"):
        filled(b"Student,ID\nx,1\n", "grades.csv", "canvas", [ANN])


def test_two_of_one_name_are_not_guessed():
    """If a name fits two rows, neither gets the score."""
    data = b"Student,ID,Lab (1)\nLee Ann,1,\nAnn Lee,2,\n"
    done = filled(data, "grades.csv", "canvas", [replace(ANN, student_id="", submission="Ann Lee")])
    assert (done.data, done.count) == (data, 0)


def test_a_worksheet_of_moodle_in_another_language():
    """The participant is told by the number in the folder's name, the score by the column of the maximum, and commas stay commas."""
    data = (
        "Идентификатор;Имя;Оценка;Максимум;Изменено\nУчастник 11;Ann;;100,00;-\nУчастник 12;Bo;5,00;100,00;-\n"
    ).encode()
    who = Submitter("Ann Lee", (Identifier(IdKind.PARTICIPANT, "11"),))
    found = [replace(grade("PB1", "Ann Lee", 87.25), origin=Origin("Moodle", (who,)))]
    done = filled(data, "grades.csv", "moodle", found)
    assert done.data.decode() == data.decode().replace("Ann;;", "Ann;87,25;")


def test_all_who_share_a_submission_get_its_score():
    """The names that the download or the roster has of each; the name of a group, or of its file, is nobody's."""
    people = tuple(Submitter("", (Identifier(IdKind.USER, user),)) for user in ("501", "503"))
    shared = replace(
        grade("", "Team 7", 8, handed_in_as="team7_502_9_nim.asm"), origin=Origin("Canvas", people, "Team 7")
    )
    done = filled(CANVAS.encode(), "grades.csv", "canvas", [shared], column="Lab 4")
    assert done.data == CANVAS.replace('""x""",,', '""x""",8,').replace("A,12\n", "A,8\n").encode()


def test_a_file_of_blackboard_in_utf_16():
    """Tabs and the encoding are kept."""
    text = '\ufeff"Last Name"\t"First Name"\t"Username"\t"Lab [Total Pts: 90 Score] |5"\r\n"Lee"\t"Ann"\t"pb1"\t""\r\n'
    done = filled(text.encode("utf-16-le"), "grades.xls", "blackboard", [ANN])
    assert done.data.decode("utf-16-le") == text.replace('\t""', '\t"87.25"')


@pytest.mark.parametrize(
    ("system", "handed_in", "name"),
    [
        (
            "moodle",
            {"Ann Lee_11_assignsubmission_file": ("nim.asm",)},
            "Ann Lee_11_assignsubmission_file_/feedback.html",
        ),
        (
            "moodle",
            {"Ann Lee_11_assignsubmission_file_nim.asm": None},
            "Ann Lee_11_assignsubmission_file_/feedback.html",
        ),
        (
            "canvas",
            {"leeann_LATE_501_9001_nim.asm": None, "leeann_LATE_501_9002_report.pdf": None},
            "leeann_LATE_501_9001_nim.html",
        ),
    ],
)
def test_feedback_lies_where_the_platform_looks_for_it(tmp_path, system, handed_in, name):
    """Moodle by folders, Canvas by the names of the files; the same pages make the same bytes."""
    pages = tmp_path / "students"
    pages.mkdir()
    (pages / "PB1.html").write_text("page")
    download, _ = recognise(Listing(handed_in))
    grade = replace(ANN, origin=download.found[0].origin)
    assert feedback(system, [grade], pages, tmp_path / "a.zip") == ()
    first = (tmp_path / "a.zip").read_bytes()
    feedback(system, [grade], pages, tmp_path / "a.zip")
    assert (tmp_path / "a.zip").read_bytes() == first
    assert zipfile.ZipFile(tmp_path / "a.zip").namelist() == [name]
    for other in (replace(grade, origin=Origin()), replace(grade, origin=Origin("Blackboard"))):
        (left,) = feedback(system, [other], pages, tmp_path / "a.zip")
        assert "PB1" in left


def test_the_command_fills_the_file(tmp_path, assignment):  # noqa: F811
    """It says how many scores it wrote and whom it did not find; what staff wrote since the reports must be taken in first."""
    out = class_of(tmp_path, assignment)
    CliRunner().invoke(cli, ["mark", str(out), "--no-ask"], catch_exceptions=False)
    path = tmp_path / "canvas.csv"
    path.write_bytes(CANVAS.encode())
    words = ["export", str(out), "--to", "canvas", "--into", str(path), "--column", "Lab 4", "--partial"]
    done = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert done.output.startswith(f"1 score written into {path}\n“Lab 4 (77)” counts to 100, and these scores to ")
    assert "\n3 students without a submission" in done.output
    changed = [(a, b) for a, b in zip(lines(CANVAS.encode()), lines(path.read_bytes()), strict=True) if a != b]
    assert len(changed) == 1
    marks = out / "marks.csv"
    marks.write_text(marks.read_text("utf-8").replace("PB1,,", "PB1,7,"), encoding="utf-8")
    with pytest.raises(UsageError, match=r"have changed since.*grader mark"):
        CliRunner().invoke(cli, words, catch_exceptions=False, standalone_mode=False)
    CliRunner().invoke(cli, ["mark", str(out), "--no-ask"], catch_exceptions=False)
    done = CliRunner().invoke(cli, words, catch_exceptions=False, standalone_mode=False)
    assert ",12," in lines(path.read_bytes())[2]
    assert ("without a row" in done.output, done.return_value) == (True, 5)
    path.write_bytes(f"{CANVAS}李,601,0012,li,A,,\r\n".encode())
    assert CliRunner().invoke(cli, words, catch_exceptions=False, standalone_mode=False).return_value == 0


def test_grades_without_a_cell_are_counted():
    """Those without a row, with a row that is too short, and unfinished ones; who is excused keeps what the course wrote."""
    assert filled(CANVAS.encode(), "grades.csv", "canvas", [ANN, BO, LI], column="Lab 4").left_out == 0
    excused = replace(ANN, submission="PB4", student_id="PB4", student="Nobody")
    assert filled(CANVAS.encode(), "grades.csv", "canvas", [excused], column="Lab 4").left_out == 0
    more = [replace(ANN, complete=False), replace(BO, submission="x", student="Strange Person"), LI]
    assert filled(CANVAS.encode(), "grades.csv", "canvas", more, column="Lab 5").left_out == 3


@pytest.mark.parametrize(
    ("system", "text"),
    [
        ("canvas", "Student,ID,SIS User ID,Lab 4 (77)\n    Points Possible,,,{}\nAnn,501,PB1,\n"),
        ("moodle", "Identifier,ID number,Grade,Maximum grade\nParticipant 1,PB1,,{}\n"),
        ("moodle", "Идентификатор;Идент. номер;Оценка;Максимум\nPB1;PB1;;{},00\n"),
        ("blackboard", "Username,Student ID,Lab [Total Pts: {} Score] |5\nann,PB1,\n"),
        ("gradescope", "Name,SID,Total Score,Max Points\nAnn,PB1,,{}\n"),
    ],
)
def test_a_column_that_counts_to_another_maximum_is_told(system, text):
    """Scores of 20 in a column of 100 are told, in each platform's way to say its maximum; of the same maximum nothing is said."""
    notes = [filled(text.format(top).encode(), "grades.csv", system, [ANN]).notes for top in (int(ANN.max_points), 77)]
    assert notes[0] == ()
    assert "counts to 77, and these scores to 100" in notes[1][0]


def test_the_table_as_a_workbook(tmp_path, assignment):  # noqa: F811
    """Points are numbers in it; a student number with zeros in front and a name with = are texts."""
    out = class_of(tmp_path, assignment)
    CliRunner().invoke(cli, ["mark", str(out), "--no-ask"], catch_exceptions=False)
    table = out / "grades.csv"
    head, first, *more = table.read_text("utf-8").splitlines(keepends=True)
    name, _, _, rest = first.split(",", 3)
    table.write_text("".join([head, f"{name},'=1+1,0017,{rest}", *more]), encoding="utf-8")
    done = CliRunner().invoke(cli, ["export", str(out), "--xlsx", str(tmp_path / "g.xlsx")], catch_exceptions=False)
    assert done.output == f"Workbook: {tmp_path / 'g.xlsx'}\n"
    header, row = [
        [(cell.value, cell.data_type) for cell in row]
        for row in openpyxl.load_workbook(tmp_path / "g.xlsx").active.iter_rows(max_row=2)
    ]
    assert [text for text, _ in header if text] == head.rstrip("\n").split(",")
    assert row[1:3] == [("=1+1", "s"), ("0017", "s")]
    assert row[4] == (float(rest.split(",")[1]), "n")
