"""A whole evening: a download, marks, a changed price, a late submission, one decision for several, and the gradebook."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.cli.main import cli
from tests.batch.test_runner import ROOT, SPEC, archive, table

GRADEBOOK = (
    "\ufeffStudent,ID,SIS User ID,Lab 4 (77),Notes\r\n    Points Possible,,,10,\r\n"
    '"Zhang, San",1,PB00000001,,"a ""b"""\r\n"Li, Si",2,PB00000002,,=1\r\n"Wang, Wu",3,PB00000003,,\r\n"Zhao",4,PB00000009,,\r\n'
)
RIGHT = (ROOT / "fixtures/lc3-nim/accepted/lower-case-source/submission/nim.asm").read_bytes()
LOUD = RIGHT.replace(b'"Player "', b'"PLAYER "')


def call(*words: object) -> str:
    """Call the command; what it prints."""
    done = CliRunner().invoke(cli, [*map(str, words)], catch_exceptions=False, standalone_mode=False)
    return done.output


def filled_in(path: Path, **points: str) -> None:
    """Fill the column of the report in, as a spreadsheet would."""
    rows = list(csv.reader(io.StringIO(path.read_text("utf-8-sig"), newline="")))
    at = rows[0].index("report")
    for row in rows[1:]:
        row[at] = points.get(row[0], row[at])
    with path.open("w", encoding="utf-8-sig", newline="") as stream:
        csv.writer(stream).writerows(rows)


@pytest.fixture
def spec(tmp_path) -> Path:
    """The small assignment, with a report that a person reads."""
    path = tmp_path / "small.yaml"
    text = SPEC.read_text("utf-8")
    report = "  - {id: report, points: 7, title: The report, manual: true}\ncases:"
    path.write_text(text.replace("cases:", report, 1), encoding="utf-8")
    return path


def test_an_evening(tmp_path, spec):
    """Each step takes in what the steps before left, and in the end one column of the gradebook is filled."""
    submissions, out, gradebook = tmp_path / "submissions", tmp_path / "out", tmp_path / "gradebook.csv"
    submissions.mkdir()
    gradebook.write_bytes(GRADEBOOK.encode())
    (submissions / "PB00000001.zip").write_bytes(archive(1, RIGHT))
    (submissions / "PB00000002.zip").write_bytes(archive(2, LOUD))
    call("batch", spec, submissions, "-o", out, "-j", 1, "-q")
    filled_in(out / "marks.csv", PB00000001="7", PB00000002="5")

    spec.write_text(spec.read_text("utf-8").replace("points: 2", "points: 3"), encoding="utf-8")
    assert "PB00000001: 3 → 11 (+8)" in call("regrade", out, "-j", 1, "-q")

    (submissions / "PB00000003.zip").write_bytes(archive(3, LOUD))
    said = call("batch", spec, submissions, "-o", out, "-j", 1, "-q")
    assert "1 submission is new (PB00000003)" in said
    assert "3 submissions graded, 2 of them before" in said
    filled_in(out / "marks.csv", PB00000003="6")
    call("mark", out, "--no-ask")
    assert [line["score"] for line in table(out).values()] == ["11", "6", "7"]

    (listed,) = [line for line in call("decide", out).splitlines() if "2 submissions" in line]
    call("decide", out, listed.split()[0], "--price", 1, "--why", "small")
    lines = table(out)
    assert [(line["score"], line["complete"]) for line in lines.values()] == [("11", "yes"), ("8", "yes"), ("9", "yes")]
    assert "costs 1" in lines["PB00000003"]["staff"]

    assert "3 scores written" in call("export", out, "--to", "canvas", "--into", gradebook)
    expected = GRADEBOOK
    for number, score in ((1, 11), (2, 8), (3, 9)):
        expected = expected.replace(f"PB0000000{number},,", f"PB0000000{number},{score},")
    assert gradebook.read_bytes() == expected.encode()
