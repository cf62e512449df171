"""A batch with a roster, from a platform's download to the table of grades."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.batch.identified import REVIEW
from grader.batch.opening import handed_in
from grader.batch.runner import run_batch
from grader.batch.values import Call
from grader.bundled import spec_path
from grader.cli.main import cli
from grader.errors import EXIT_OK, EXIT_USAGE, UsageError
from tests.batch.test_runner import reports
from tests.intake.test_downloads import make

SPEC = Path(__file__).with_name("small.yaml")
ROSTER = """Student,ID,SIS User ID,SIS Login ID,Section
"Li, Wei",1021,PB07210341,liwei1,CS 101
"Lovelace, Ada",1022,PB07210342,ada,CS 101
"Hopper, Grace",1077,PB07210344,grace,CS 101
"""


@pytest.fixture
def download(tmp_path):
    """A download of Canvas with two students on the roster, one of whom is late, and one who is not."""
    path = tmp_path / "canvas.zip"
    files = {
        "liwei_1021_1_nim.asm": make.RIGHT,
        "lovelaceada_LATE_1022_2_nim.asm": make.WRONG,
        "hoper_1500_3_nim.asm": make.RIGHT,
        "jo_1501_text.html": b"sorry",
    }
    path.write_bytes(make.zipped(files))
    (tmp_path / "roster.csv").write_text(ROSTER, encoding="utf-8")
    return path


def table(out):
    """The lines of grades.csv."""
    with (out / "grades.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_download_with_a_roster(download, tmp_path):
    """Grades have the roster's names; who handed in nothing has a line; a decision counts in the next call, which grades nothing."""
    out, roster = tmp_path / "out", tmp_path / "roster.csv"
    first = run_batch(Call(SPEC, [download], out, jobs=1, roster=roster))
    lines = {line["submission"]: line for line in table(out)}
    assert (first.graded, first.reported.absent, first.reported.undecided) == (3, ("Grace Hopper (PB07210344)",), 1)
    assert (lines["liwei-1021"]["student"], lines["liwei-1021"]["id"]) == ("Wei Li", "PB07210341")
    assert (lines["lovelaceada-1022"]["handed in late"], lines["liwei-1021"]["handed in late"]) == ("yes", "")
    assert (lines[""]["student"], lines[""]["score"], lines[""]["review"]) == ("Grace Hopper", "", "handed in nothing")
    assert "not found on the roster" in lines["hoper-1500"]["review"]
    assert "Wei Li" in (out / "students/liwei-1021.html").read_text(encoding="utf-8")
    assert "1 on the roster handed in nothing" in (out / "index.html").read_text(encoding="utf-8")
    assert "3 submissions graded" in first.sentence()

    review = (out / REVIEW).read_text(encoding="utf-8-sig")
    (out / REVIEW).write_text(review.rstrip("\n") + "PB07210344\n", encoding="utf-8-sig")
    second = run_batch(Call(SPEC, [download], out, jobs=1, roster=roster))
    lines = {line["submission"]: line for line in table(out)}
    assert (second.graded, second.resumed, second.reported.absent, second.reported.undecided) == (0, 3, (), 0)
    assert (lines["hoper-1500"]["student"], lines["hoper-1500"]["review"]) == ("Grace Hopper", "")
    assert "PB07210344" in (out / REVIEW).read_text(encoding="utf-8-sig")

    (out / REVIEW).write_text(review.rstrip("\n") + "nobody at all\n", encoding="utf-8-sig")
    with pytest.raises(UsageError, match="must name exactly one person of the roster") as caught:
        run_batch(Call(SPEC, [download], out, jobs=1, roster=roster))
    assert caught.value.place.endswith("line 2, column decision")


@pytest.mark.parametrize("wanted", ["PB07210342", "Ada Lovelace", "1022", "lovelaceada"])
def test_a_student_is_run_again_by_the_name_on_the_roster(download, tmp_path, wanted):
    """By its number, its name or the platform's own, as the table of grades shows them; without the roster nobody has the number."""
    out = tmp_path / "out"
    run_batch(Call(SPEC, [download], out, jobs=1, roster=tmp_path / "roster.csv"))
    _, submission, _ = handed_in(out, wanted)
    assert submission.id == "lovelaceada-1022"
    (tmp_path / "roster.csv").write_text(ROSTER.replace("PB0721034", "PB1111111"), encoding="utf-8")
    with pytest.raises(UsageError, match="nobody in this batch"):
        handed_in(out, "PB07210342")


def test_a_batch_without_the_roster_that_it_had_says_so(download, tmp_path):
    """And nothing else of the batch is called changed; one that still has it says nothing."""
    out, roster = tmp_path / "out", tmp_path / "roster.csv"
    run_batch(Call(SPEC, [download], out, jobs=1, roster=roster))
    assert run_batch(Call(SPEC, [download], out, jobs=1, roster=roster)).changes == ()
    (told,) = run_batch(Call(SPEC, [download], out, jobs=1)).changes
    assert told.startswith("the roster was left out")
    assert str(roster) in told


def test_a_batch_graded_anew_keeps_the_marks(download, tmp_path):
    """Marks whose file is gone refuse a call, also one that would forget all grades first."""
    out = tmp_path / "out"
    run_batch(Call(SPEC, [download], out, jobs=1))
    path = out / "marks.csv"
    held = path.read_text("utf-8-sig").splitlines()
    at = held[0].split(",").index("comment")
    row = held[1].split(",")
    row[at] = "well done"
    path.write_text("\n".join((held[0], ",".join(row), *held[2:])), encoding="utf-8")
    run_batch(Call(SPEC, [download], out, jobs=1))
    path.unlink()
    for fresh in (False, True):
        with pytest.raises(UsageError, match=rf"is gone.*{row[0]} \(comment\)"):
            run_batch(Call(SPEC, [download], out, jobs=1, fresh=fresh))


def test_marks_leave_the_roster_in_the_reports(download, tmp_path):
    """What is written again has the names of the roster and what is not sure, and says so where the roster is gone."""
    out, roster = tmp_path / "out", tmp_path / "roster.csv"
    run_batch(Call(SPEC, [download], out, jobs=1, roster=roster))
    before = reports(out)
    assert CliRunner().invoke(cli, ["mark", str(out), "--no-ask"], standalone_mode=False).return_value == EXIT_OK
    assert reports(out) == before
    roster.unlink()
    with pytest.raises(UsageError, match="roster is no longer there"):
        CliRunner().invoke(cli, ["mark", str(out), "--no-ask"], catch_exceptions=False, standalone_mode=False)


def test_a_plan_with_a_roster_writes_nothing(download, tmp_path):
    """``--plan`` says who is who and who is missing, and leaves no trace."""
    before = sorted(tmp_path.iterdir())
    command = ["batch", str(SPEC), str(download), "--plan", "--roster", str(tmp_path / "roster.csv")]
    result = CliRunner().invoke(cli, command)
    assert result.exit_code == 0
    assert "a download from Canvas, 3 submissions, 1 late" in result.output
    assert "liwei-1021: Wei Li" in result.output
    assert "handed in nothing: Grace Hopper (PB07210344)" in result.output
    assert sorted(tmp_path.iterdir()) == before


def test_a_class_side_by_side_is_refused(tmp_path):
    """Programs of many are no submission of one: nothing is graded, the exit code says so, and what to do."""
    (tmp_path / "flat.zip").write_bytes(make.flat())
    with pytest.raises(UsageError, match="3 programs lie side by side") as caught:
        run_batch(Call(spec_path("lc3-nim"), [tmp_path / "flat.zip"], tmp_path / "out", jobs=1))
    assert caught.value.exit_code == EXIT_USAGE
    assert "put each into a folder of its own" in caught.value.hint
    assert not (tmp_path / "out").exists()


def test_a_batch_in_which_nothing_is_a_program(tmp_path):
    """Where no submission has a program the sources were rather not understood: it is said, and the exit code is not 0."""
    (tmp_path / "all.zip").write_bytes(make.zipped({f"{name}.pdf": make.REPORT for name in ("alice", "bob", "carol")}))
    found = run_batch(Call(SPEC, [tmp_path / "all.zip"], tmp_path / "out", jobs=1))
    assert (found.total, found.exit_code) == (1, EXIT_USAGE)
    assert "no program was found in the only submission" in found.conditions.concerns[0].text
    assert "No program was found" in (tmp_path / "out/index.html").read_text(encoding="utf-8")


def test_archives_that_mean_harm_among_others(tmp_path):
    """Each is graded by what can be read of it, what was refused is among the notes, and nothing is written elsewhere."""
    folder, out = tmp_path / "handed in", tmp_path / "out"
    folder.mkdir()
    for number, (name, made) in enumerate(make.HOSTILE.items()):
        (folder / f"PB0721000{number} {name}").write_bytes(made())
    assert run_batch(Call(SPEC, [folder], out, jobs=1)).exit_code == EXIT_OK
    lines = {line["submission"]: line for line in table(out)}
    full = max(float(line["score"]) for line in lines.values())
    told = {name: lines[f"PB0721000{number}"] for number, name in enumerate(make.HOSTILE)}
    assert {name for name, line in told.items() if float(line["score"]) == full} == set(make.HOSTILE) - {
        "overlapping.zip",
        "nested.zip",
    }
    assert all(line["review"] for line in lines.values())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["handed in", "out"]
