"""A whole batch: graded by workers, stored at once, resumed, reported."""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from grader.batch import computer, runner
from grader.batch.runner import run_batch
from grader.batch.values import Call, Progress, silent
from grader.cli.main import cli
from grader.errors import EXIT_JUDGE, EXIT_OK, JudgeError, UsageError
from grader.intake.source import Entry
from grader.report import junit
from grader.spec.loader import load_assignment
from grader.spec.model import Budget
from tests.batch.nim import drawn_nim
from tests.intake.archives import Piece, gbk_zip, make_zip
from tests.killing import until_gone

ROOT = Path(__file__).resolve().parents[2]
SPEC = Path(__file__).with_name("small.yaml")
PROGRAM = next((ROOT / "fixtures/lc3-nim/accepted").glob("*/submission/nim.asm")).read_bytes()
REPORTS = ("grades.csv", "grades.json", "junit.xml", "index.html", "marks.csv")


def archive(number: int, program: bytes = PROGRAM) -> bytes:
    """The submission of the student with this number."""
    return make_zip(Piece(b"PB%08d/nim.asm" % number, program, deflate=True))


def handed_in(folder: Path) -> Path:
    """Seven submissions: four that work, one that does not assemble, one without a program, one that is no archive."""
    folder.mkdir()
    for number in range(4):
        (folder / f"PB{number:08d} 张海博 LAB04.zip").write_bytes(archive(number))
    (folder / "PB00000004.zip").write_bytes(archive(4, b".ORIG x3000\n ADD R0\n.END\n"))
    (folder / "PB00000005.zip").write_bytes(make_zip(Piece(b"readme.txt", b"sorry")))
    (folder / "PB00000006.zip").write_bytes(b"Rar!\x1a\x07\x00")
    return folder


@pytest.fixture
def submissions(tmp_path):
    """Seven submissions."""
    return handed_in(tmp_path / "submissions")


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """The folder of a batch of the seven submissions that went well, in one go and by one worker."""
    folder = tmp_path_factory.mktemp("sound")
    grade(handed_in(folder / "submissions"), folder / "out", jobs=1)
    return folder / "out"


@pytest.fixture
def out(tmp_path):
    """The folder of the reports."""
    return tmp_path / "out"


def grade(submissions: Path, out: Path, *, jobs: int = 2, fresh: bool = False, progress=silent):
    """Run the batch."""
    return run_batch(Call(SPEC, [submissions], out, jobs=jobs, fresh=fresh, progress=progress))


def reports(out: Path) -> dict[str, bytes]:
    """Every report by its path inside the folder, without the store."""
    files = [path for path in out.rglob("*") if path.is_file() and path.name != "grades.db"]
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in files}


def table(out: Path) -> dict[str, dict[str, str]]:
    """The lines of grades.csv by submission."""
    with (out / "grades.csv").open(encoding="utf-8", newline="") as stream:
        return {line["submission"]: line for line in csv.DictReader(stream)}


def test_a_batch_writes_its_reports(submissions, out):
    """Every submission is in every report, the zeros are in the list for a person, and nothing else is left in the folder."""
    summary = grade(submissions, out)
    ids = [f"PB{number:08d}" for number in range(7)]
    assert (summary.total, summary.graded, summary.resumed, summary.exit_code) == (7, 7, 0, EXIT_OK)
    pages = {f"{kind}/{name}.html" for kind in ("students", "staff") for name in ids}
    assert {*reports(out)} == {*REPORTS, "review.html", *pages}
    assert [*table(out)] == ids
    assert [g["submission"] for g in json.loads((out / "grades.json").read_bytes())["grades"]] == ids
    assert b"RAR archive" in (out / "grades.csv").read_bytes()


def test_reports_do_not_depend_on_the_number_of_workers(submissions, out, sound):
    """One worker and three write the same bytes."""
    grade(submissions, out, jobs=3)
    assert reports(out) == reports(sound)


def test_a_zip_gives_the_grades_of_the_folder(submissions, sound, tmp_path):
    """Packed together with GBK names, the same submissions get the same records."""
    download = tmp_path / "download.zip"
    download.write_bytes(gbk_zip({path.name: path.read_bytes() for path in submissions.iterdir()}))
    run_batch(Call(SPEC, [download], tmp_path / "other", jobs=1))
    assert reports(sound) == reports(tmp_path / "other")


def test_a_large_class_has_several_junit_files(submissions, out, sound, monkeypatch):
    """Beyond so many cases in a file another is begun; together they hold every submission once, and none stays when all fit."""
    monkeypatch.setattr(junit, "CASES_LIMIT", 6)
    grade(submissions, out)
    parts = [out / name for name in ("junit.xml", "junit-2.xml", "junit-3.xml")]
    roots = [ElementTree.parse(path).getroot() for path in parts]
    assert [[suite.get("name") for suite in root] for root in roots] == [
        [f"PB{number:08d}" for number in numbers] for numbers in ((0, 1, 2), (3, 4, 5), (6,))
    ]
    for root in roots:
        for count in ("tests", "failures", "errors"):
            assert int(root.get(count)) == sum(int(suite.get(count)) for suite in root)
    monkeypatch.undo()
    grade(submissions, out)
    assert reports(out) == reports(sound)


@pytest.mark.parametrize("when", [0, 7])
def test_a_folder_that_is_removed_meanwhile(submissions, out, when):
    """If the folder of a batch is removed while it runs, nobody is told that its grades are kept, and the same command makes them."""

    def disturb(progress):
        if progress.done == when:
            shutil.rmtree(out)

    with pytest.raises(UsageError, match="the folder of the batch was removed, and its grades with it") as stopped:
        grade(submissions, out, jobs=1, progress=disturb)
    assert "are kept" not in str(stopped.value)
    assert grade(submissions, out, jobs=1).graded == 7


@pytest.mark.parametrize(("gigabytes", "jobs"), [(64, 8), (5, 4), (1, 1)])
def test_workers_fit_into_memory(monkeypatch, gigabytes, jobs):
    """Of compiled programs so many are graded at once as memory holds at their limits, which is said; simulated ones need none."""
    monkeypatch.setattr(computer, "cores", lambda: 8)
    monkeypatch.setattr("grader.sandbox.total_memory", lambda: gigabytes << 30)
    told: list[str] = []
    assert computer.usual_jobs(load_assignment(ROOT / "specs/c-nim.yaml").spec, told.append) == jobs
    assert [f"-j {jobs} is used, and -j 8 overrules that" in sentence for sentence in told] == [True] * (jobs < 8)
    assert computer.usual_jobs(load_assignment(SPEC).spec, told.append) == 8


def test_workers_that_were_asked_for_are_had(submissions, out, monkeypatch):
    """An explicit number is obeyed, whatever fits."""
    monkeypatch.setattr(runner, "usual_jobs", lambda *_: pytest.fail("nobody asked for it"))
    assert grade(submissions, out, jobs=1).graded == 7


def test_progress_is_told(submissions, out):
    """Progress begins with what was there before and ends with all."""
    told: list[Progress] = []
    grade(submissions, out, progress=told.append)
    assert (told[0], told[-1].done) == (Progress(0, 7), 7)
    assert [step.done for step in told] == list(range(8))
    assert sorted(step.submission for step in told[1:]) == [f"PB{number:08d}" for number in range(7)]
    told.clear()
    grade(submissions, out, progress=told.append)
    assert told == [Progress(7, 7)]


def test_a_second_call_writes_the_same_again(submissions, out):
    """A second call grades nothing and writes all reports anew, also where one was deleted."""
    grade(submissions, out)
    before = reports(out)
    (out / "index.html").unlink()
    summary = grade(submissions, out)
    assert (summary.graded, summary.resumed) == (0, 7)
    assert reports(out) == before


def interrupted_after(count: int) -> Callable[[Progress], None]:
    """Press Ctrl-C when so many submissions are done."""

    def progress(step: Progress) -> None:
        if step.done == count:
            raise KeyboardInterrupt

    return progress


@pytest.mark.parametrize("count", [pytest.param(1, marks=pytest.mark.spare), 4])
def test_an_interrupted_batch_is_resumed(submissions, out, sound, count):
    """Grades that were finished before Ctrl-C are not made again, and in the end the reports are those of one go."""
    with pytest.raises(KeyboardInterrupt):
        grade(submissions, out, progress=interrupted_after(count))
    summary = grade(submissions, out)
    assert (summary.graded, summary.resumed) == (7 - count, count)
    assert reports(out) == reports(sound)


START = """
import sys
from pathlib import Path
if __name__ == "__main__":
    from grader.batch.runner import run_batch
    from grader.batch.values import Call
    run_batch(Call(Path(sys.argv[1]), [Path(sys.argv[2])], Path(sys.argv[3]), jobs=2))
"""


@pytest.mark.parametrize(
    "wait", [pytest.param(1, marks=pytest.mark.spare), 4, pytest.param(7, marks=pytest.mark.spare)]
)
def test_a_killed_batch_is_resumed(submissions, out, sound, tmp_path, wait):
    """A batch that is killed with so many grades finished loses none of them, leaves no worker, and ends in the same bytes."""
    script = tmp_path / "start.py"
    script.write_text(START)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    command = [sys.executable, script, SPEC, submissions, out]
    with subprocess.Popen(command, env=environment, start_new_session=True) as process:
        while process.poll() is None and _stored(out) < wait:
            time.sleep(0.005)
        process.kill()
    stored = _stored(out)
    until_gone(process)
    summary = grade(submissions, out)
    assert summary.resumed == stored >= wait
    assert reports(out) == reports(sound)


def test_ctrl_c_reaches_the_parent_alone(submissions, out, tmp_path):
    """A terminal sends Ctrl-C to all processes: the parent stops, no worker complains, and none is left."""
    script = tmp_path / "start.py"
    script.write_text(START)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    command = [sys.executable, script, SPEC, submissions, out]
    with subprocess.Popen(
        command, env=environment, start_new_session=True, stderr=subprocess.PIPE, text=True
    ) as process:
        while process.poll() is None and _stored(out) < 1:
            time.sleep(0.005)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate()
    until_gone(process)
    assert said.count("Traceback") <= 1
    assert said == "" or said.rstrip().endswith("KeyboardInterrupt")
    assert grade(submissions, out).resumed >= 1


def test_after_ctrl_c_the_command_says_how_to_go_on(submissions, out, monkeypatch):
    """An interrupted command says that nothing is lost, and which call goes on."""
    monkeypatch.setattr("grader.batch.summary.write_outputs", _interrupted)
    words = ["batch", str(SPEC), str(submissions), "-o", str(out), "-j", "1", "-q"]
    stopped = CliRunner().invoke(cli, words, standalone_mode=False)
    assert "the same command continues" in stopped.output
    monkeypatch.undo()
    assert "7 submissions graded, 7 of them before" in CliRunner().invoke(cli, words, standalone_mode=False).output


def _interrupted(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


# --- what the system may lack -----------------------------------------------------------------------------------------

COMMAND = """
import resource, sys
if __name__ == "__main__":
    resource.setrlimit(getattr(resource, sys.argv[1]), (int(sys.argv[2]),) * 2)
    from grader.cli.main import main
    main(sys.argv[3:])
"""


def command_within(folder: Path, limit: str, most: int, *words: object) -> subprocess.CompletedProcess[str]:
    """Call the command where the system allows only so much."""
    script = folder / "command.py"
    script.write_text(COMMAND)
    temporary = folder / "temporary"
    temporary.mkdir(exist_ok=True)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]), "TMPDIR": str(temporary)}
    command = [sys.executable, script, limit, str(most), "batch", *map(str, words)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_a_full_disk_is_a_sentence(submissions, out, tmp_path):
    """If a grade, or later a report, cannot be written, a sentence says so; no kept grade is lost."""
    words = [SPEC, submissions, "-o", out, "-j", "1", "-q"]
    stopped = command_within(tmp_path, "RLIMIT_FSIZE", 40_000, *words)
    assert (stopped.returncode, stopped.stdout, stopped.stderr.count("\n")) == (2, "", 1)
    assert "grades.db: cannot be written" in stopped.stderr
    assert "the same command goes on" in stopped.stderr
    assert [*(tmp_path / "temporary").iterdir()] == []
    kept = _stored(out)
    assert 0 < kept < 7
    assert grade(submissions, out).resumed == kept
    before = reports(out)
    (out / "grades.json").unlink()
    stopped = command_within(tmp_path, "RLIMIT_FSIZE", 13_000, *words)
    assert (stopped.returncode, stopped.stdout, stopped.stderr.count("\n")) == (2, "", 1)
    assert ": cannot be written (File too large)" in stopped.stderr
    assert not [*out.rglob("*.part")]
    assert grade(submissions, out).resumed == 7
    assert reports(out) == before


@pytest.mark.parametrize("most", [12, 16])
def test_too_few_open_files_are_a_sentence(submissions, out, tmp_path, most):
    """If the system lets us open few files, a sentence says so with what to do about it."""
    stopped = command_within(tmp_path, "RLIMIT_NOFILE", most, SPEC, submissions, "-o", out, "-j", "2", "-q")
    assert (stopped.returncode, stopped.stdout, stopped.stderr.count("\n")) == (2, "", 1)
    assert "ulimit -n" in stopped.stderr
    assert [*(tmp_path / "temporary").iterdir()] == []


def _stored(out: Path) -> int:
    """How many grades are in the store by the size of what is written: a running batch has it locked."""
    import sqlite3

    copy = out.with_suffix(".copy")
    copy.mkdir(exist_ok=True)
    try:
        for name in ("grades.db", "grades.db-journal", "grades.db-wal"):
            (copy / name).unlink(missing_ok=True)
            if (out / name).exists():
                (copy / name).write_bytes((out / name).read_bytes())
        with sqlite3.connect(copy / "grades.db") as connection:
            (count,) = connection.execute("SELECT count(*) FROM grades").fetchone()
    except (sqlite3.DatabaseError, FileNotFoundError):
        return 0
    finally:
        if "connection" in locals():
            connection.close()
    return int(count)


# --- what a worker may die of -----------------------------------------------------------------------------------------


@contextmanager
def sabotaged(way: str, victim: str, assignment, **options) -> Iterator[Callable[[Entry], runner.Graded]]:
    """The work of a worker that dies at one submission."""
    with _grading_of(assignment, **options) as work:

        def sabotage(entry: Entry) -> runner.Graded:
            if entry.id == victim:
                if way == "kill":
                    os.kill(os.getpid(), signal.SIGKILL)
                if way == "memory":
                    raise MemoryError
                raise JudgeError("the reference crashed")
            return work(entry)

        yield sabotage


_grading_of = runner.grading_of


@pytest.mark.parametrize(
    ("way", "said"),
    [
        ("kill", "was ended by signal 9"),
        ("memory", "this machine has not enough memory"),
        ("judge", "the reference crashed"),
    ],
)
def test_a_submission_that_ends_its_worker(submissions, out, sound, monkeypatch, way, said):
    """It becomes a judge error with no point lost and exit code 4; all others have the grades that they have without it."""
    monkeypatch.setattr(runner, "grading_of", partial(sabotaged, way, "PB00000002"))
    summary = grade(submissions, out)
    assert (summary.judge_errors, summary.exit_code) == (("PB00000002",), EXIT_JUDGE)
    assert "the grader failed on PB00000002" in summary.sentence()
    failed, others = table(out), table(sound)
    assert said in failed["PB00000002"]["review"]
    assert (failed["PB00000002"]["complete"], failed["PB00000002"]["score"]) == ("no", "0")
    assert failed["PB00000002"]["open points"] == failed["PB00000002"]["max"]
    assert {name: line for name, line in failed.items() if name != "PB00000002"} == {
        name: line for name, line in others.items() if name != "PB00000002"
    }


def test_the_same_command_tries_judge_errors_again(submissions, out, sound, monkeypatch):
    """Once what was missing is there, such as room on a disk, it grades those submissions alone; nothing is forgotten."""
    monkeypatch.setattr(runner, "grading_of", partial(sabotaged, "judge", "PB00000002"))
    grade(submissions, out)
    monkeypatch.undo()
    summary = grade(submissions, out)
    assert (summary.graded, summary.resumed, summary.exit_code) == (1, 6, EXIT_OK)
    assert reports(out) == reports(sound)


# --- called again -----------------------------------------------------------------------------------------------------


def test_only_new_and_changed_submissions_are_graded(submissions, out, tmp_path):
    """A second call grades what is not in the store, says what has changed, and writes what one call for all would write."""
    grade(submissions, out)
    (submissions / "PB00000005.zip").write_bytes(archive(5))
    (submissions / "PB00000006.zip").unlink()
    (submissions / "PB00000007.zip").write_bytes(archive(7))
    summary = grade(submissions, out)
    assert (summary.graded, summary.resumed, summary.total) == (2, 5, 7)
    for said in (r"(PB00000007)", "1 submission is gone (PB00000006)", "1 submission is changed (PB00000005)"):
        assert said in summary.sentence()
    grade(submissions, tmp_path / "other", jobs=1)
    kept, new = reports(out), reports(tmp_path / "other")
    assert b"PB00000006" in kept.pop("marks.csv")  # the file of the staff loses nothing
    assert new.pop("marks.csv")
    assert kept == new
    assert grade(submissions, out, fresh=True).graded == 7


def test_a_changed_price_takes_no_run(submissions, out, tmp_path, monkeypatch):
    """Points, titles and hints are put to the verdicts that are kept, and the reports are those of grading all again."""
    grade(submissions, out)
    dearer = tmp_path / "dearer.yaml"
    text = SPEC.read_text(encoding="utf-8").replace("points: 2, title: The first board", "points: 3, title: Board")
    dearer.write_text(
        text.replace("title: nim.asm assembles", "title: It assembles\n    hint: Look!"), encoding="utf-8"
    )
    run_batch(Call(dearer, [submissions], tmp_path / "other", jobs=1))
    monkeypatch.setattr(runner, "run_pool", lambda *_, **__: (one for one in ()))
    summary = run_batch(Call(dearer, [submissions], out, jobs=1))
    assert (summary.graded, summary.resumed) == (0, 7)
    assert "verdicts are kept and scored again" in summary.sentence()
    assert table(out)["PB00000000"]["max"] == "4"
    assert b"It assembles" in reports(out)["students/PB00000000.html"]
    assert reports(out) == reports(tmp_path / "other")


def test_another_language_takes_no_run(submissions, out, tmp_path, monkeypatch):
    """Students' pages are written anew in it, as they would be if all were graded again; staff go on in English."""
    grade(submissions, out)
    german = tmp_path / "german.yaml"
    german.write_text("language: de\n" + SPEC.read_text(encoding="utf-8"), encoding="utf-8")
    run_batch(Call(german, [submissions], tmp_path / "other", jobs=1))
    monkeypatch.setattr(runner, "run_pool", lambda *_, **__: (one for one in ()))
    assert run_batch(Call(german, [submissions], out, jobs=1)).graded == 0
    page = reports(out)["students/PB00000000.html"]
    assert b'<html lang="de">' in page
    assert "Nichts zu beheben" in page.decode()
    assert b'<html lang="en">' in reports(out)["staff/PB00000000.html"]
    assert reports(out) == reports(tmp_path / "other")


# --- what is refused --------------------------------------------------------------------------------------------------


def test_reports_among_the_submissions_are_refused(submissions):
    """The reports cannot go into a source, where they would be submissions the next time."""
    with pytest.raises(UsageError, match="lies inside the submissions"):
        grade(submissions, submissions / "reports")


def test_a_folder_that_cannot_be_made(submissions, tmp_path):
    """If a file is in the way of the folder, that is wrong usage."""
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot be made"):
        grade(submissions, tmp_path / "file")


# --- two of one student -----------------------------------------------------------------------------------------------


def test_two_submissions_of_one_student(submissions, out):
    """Both are graded, and each is on the review list with the other's name; the others are not."""
    (submissions / "PB00000001 张海博 (2).zip").write_bytes(archive(1))
    (submissions / "LAB04.zip").write_bytes(archive(2))
    (submissions / "pb00000003.zip").write_bytes(archive(3))
    assert grade(submissions, out).total == 10
    reviews = {name: line["review"] for name, line in table(out).items()}
    assert "2 submissions carry the student number PB00000001: PB00000001, PB00000001-2" in reviews["PB00000001"]
    assert "PB00000001, PB00000001-2" in reviews["PB00000001-2"]
    assert "2 submissions carry the student number PB00000002: LAB04, PB00000002" in reviews["LAB04"]
    assert "PB00000003, pb00000003-2" in reviews["pb00000003-2"]
    assert "carry" not in reviews["PB00000000"]


def test_what_was_ignored_is_said(submissions, out):
    """Files among the submissions that are not submissions are named at the end."""
    (submissions / "notes.txt").touch()
    assert "not taken for a submission: notes.txt" in grade(submissions, out).sentence()


# --- the demonstration ------------------------------------------------------------------------------------------------


def test_staff_pages_show_what_student_pages_hide(tmp_path, out):
    """A hidden case is explained on the staff's page of a submission alone."""
    (tmp_path / "in").mkdir()
    wrong = (ROOT / "fixtures/lc3-nim/wrong-answer/zero-rocks-are-accepted/submission/nim.asm").read_bytes()
    (tmp_path / "in" / "PB00000001.zip").write_bytes(archive(1, wrong))
    spec = drawn_nim(tmp_path)
    text = spec.read_text("utf-8")
    hidden = text
    for name in ("zero", "after-refusal", "other-turns"):  # the others rest on the first
        hidden = hidden.replace(f"  - id: {name}\n", f"  - id: {name}\n    visibility: hidden\n")
    assert hidden != text
    spec.write_text(hidden, "utf-8")
    run_batch(Call(spec, [tmp_path / "in"], out, jobs=1))
    staff, student = ((out / kind / "PB00000001.html").read_text("utf-8") for kind in ("staff", "students"))
    assert staff.count("shrunk from") == student.count("shrunk from") + 1
    assert "we do not show how" in student


# --- what hangs -------------------------------------------------------------------------------------------------------


@contextmanager
def hanging(victim: str, assignment, **options) -> Iterator[Callable[[Entry], runner.Graded]]:
    """The work of a worker that never comes to an end over one submission."""
    with _grading_of(assignment, **options) as work:
        yield lambda entry: time.sleep(600) if entry.id == victim else work(entry)


def test_a_submission_on_which_judging_hangs_is_unjudged(submissions, out, sound, monkeypatch):
    """The batch goes on, is whole, and says so; no point is lost, it is no error of ours, and all others keep their grades."""
    monkeypatch.setattr(Budget, "last_resort", 3.0)
    monkeypatch.setattr(runner, "grading_of", partial(hanging, "PB00000002"))
    summary = grade(submissions, out)
    assert (summary.judge_errors, summary.exit_code) == ((), EXIT_OK)
    assert any("used up the budget" in concern.text for concern in summary.conditions.concerns)
    unjudged, others = table(out), table(sound)
    assert "judging this submission was broken off after 3 s" in unjudged["PB00000002"]["review"]
    assert unjudged["PB00000002"]["open points"] == unjudged["PB00000002"]["max"]
    assert {name: line for name, line in unjudged.items() if name != "PB00000002"} == {
        name: line for name, line in others.items() if name != "PB00000002"
    }


def test_what_is_not_sure_of_one_is_not_said_of_another(tmp_path, out, monkeypatch):
    """Two who handed in the same share a verdict, but no note; and a note is that of the last call."""
    folder = tmp_path / "submissions"
    folder.mkdir()
    for number in (1, 2):
        (folder / f"PB0000000{number}").mkdir()
        (folder / f"PB0000000{number}/nim.asm").write_bytes(PROGRAM)
    planned_for = runner.planned_for

    def noted(assignment, sources):
        plan = planned_for(assignment, sources)
        first, *others = plan.entries
        return replace(plan, entries=(replace(first, notes=("perhaps of two",)), *others))

    monkeypatch.setattr(runner, "planned_for", noted)
    monkeypatch.setattr(runner, "digests", lambda entries: {entry.id: "the same" for entry in entries})
    grade(folder, out, jobs=1)
    said = [grade["review"] for grade in json.loads((out / "grades.json").read_bytes())["grades"]]
    assert ["perhaps of two" in notes for notes in said] == [True, False]
    monkeypatch.undo()
    grade(folder, out, jobs=1)
    assert "perhaps of two" not in (out / "grades.json").read_text("utf-8")
