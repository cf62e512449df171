"""A whole evening: a download of Canvas, a crash, marks, a changed price, late submissions, one decision for several, and the gradebook."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.batch.runner import run_batch
from grader.batch.values import Call
from grader.cli.main import cli
from tests.batch.test_runner import ROOT, SPEC, table
from tests.intake.test_downloads import make

GRADEBOOK = (
    "\ufeffStudent,ID,SIS User ID,Lab 4 (77),Notes\r\n    Points Possible,,,10,\r\n"
    '"Zhang, San",1,PB00000001,,"a ""b"""\r\n"Li, Si",2,PB00000002,,=1\r\n"Wang, Wu",3,PB00000003,,\r\n'
    '"Zhao, Liu",4,PB00000004,,\r\n"Sun, Qi",5,PB00000009,,\r\n'
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


class CrashError(Exception):
    """Whatever ends a batch in the middle."""


def test_an_evening(tmp_path, spec):
    """Each step takes in what the steps before left, and in the end one column of the gradebook is filled."""
    downloads, out, gradebook = tmp_path / "downloads", tmp_path / "out", tmp_path / "gradebook.csv"
    downloads.mkdir()
    gradebook.write_bytes(GRADEBOOK.encode())
    first = {"zhangsan_1_11_nim.asm": RIGHT, "lisi_2_12_nim.asm": LOUD, "wangwu_3_13_text.html": b"later"}
    (downloads / "lab4.zip").write_bytes(make.zipped(first))

    def crash(now):
        if now.done:
            raise CrashError

    with pytest.raises(CrashError):
        run_batch(Call(spec, [downloads], out, jobs=1, progress=crash))
    batch = ("batch", spec, downloads, "-o", out, "-j", 1, "-q", "--roster", gradebook)
    said = call(*batch)
    assert "2 submissions graded, 1 of them before" in said
    assert "3 on the roster handed in nothing" in said
    assert f"then: grader mark {out}" in said
    filled_in(out / "marks.csv", **{"zhangsan-1": "7", "lisi-2": "5"})

    spec.write_text(spec.read_text("utf-8").replace("points: 2", "points: 3"), encoding="utf-8")
    assert "zhangsan-1 San Zhang: 3 → 11 (+8)" in call("regrade", out, "-j", 1, "-q")

    (downloads / "late.zip").write_bytes(make.zipped({"wangwu_LATE_3_13_nim.asm": LOUD + b"\n; 3\n"}))
    (downloads / "later.zip").write_bytes(make.zipped({"zhaoliu_LATE_4_14_nim.asm": RIGHT + b"\n; 4\n"}))
    said = call(*batch)
    assert "2 submissions are new (wangwu-3, zhaoliu-4)" in said
    assert "4 submissions graded, 2 of them before" in said
    filled_in(out / "marks.csv", **{"wangwu-3": "6", "zhaoliu-4": "1"})
    call("mark", out, "--no-ask")
    lines = {line["id"]: line for line in table(out).values()}
    assert {number: line["score"] for number, line in lines.items() if line["score"]} == {
        "PB00000001": "11",
        "PB00000002": "6",
        "PB00000003": "7",
        "PB00000004": "5",
    }
    assert lines["PB00000003"]["handed in late"] == "yes"

    (listed,) = [line for line in call("decide", out).splitlines() if "2 submissions" in line]
    call("decide", out, listed.split()[0], "--price", 1, "--why", "small")
    lines = {line["id"]: line for line in table(out).values()}
    assert (lines["PB00000002"]["score"], lines["PB00000003"]["score"]) == ("8", "9")
    assert "costs 1" in lines["PB00000003"]["staff"]

    assert "4 scores written" in call("export", out, "--to", "canvas", "--into", gradebook)
    expected = GRADEBOOK
    for number, score in ((1, 11), (2, 8), (3, 9), (4, 5)):
        expected = expected.replace(f"PB0000000{number},,", f"PB0000000{number},{score},")
    assert gradebook.read_bytes() == expected.encode()
