"""A damaged `grades.db`: one sentence, never a traceback; what can be read is kept, and the rest is graded anew."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.batch.runner import run_batch
from grader.batch.values import Call
from grader.cli.main import cli
from grader.errors import GraderError
from tests.batch.test_runner import SPEC, handed_in, reports


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A batch of seven, in `good`, and the same as a shard of one, in `shard`."""
    folder = tmp_path_factory.mktemp("damage")
    submissions = handed_in(folder / "submissions")
    run_batch(Call(SPEC, [submissions], folder / "good", jobs=1))
    shutil.copytree(folder / "good", folder / "shard")
    changed("UPDATE calls SET shard = '1/1'")(folder / "shard" / "grades.db")
    return folder


def changed(*statements):
    """Whoever wrote into a store."""

    def damage(path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection:
            for statement in statements:
                connection.execute(statement)
            connection.commit()

    return damage


def cut(part: float):
    """A copy that ended too early."""
    return lambda path: os.truncate(path, int(path.stat().st_size * part))


def zeroed(begin: float, end: float):
    """A stretch of the disk that holds nothing any more, in whole pages."""

    def damage(path: Path) -> None:
        data = path.read_bytes()
        first, last = (int(len(data) * part) // 4096 * 4096 for part in (begin, end))
        path.write_bytes(data[:first] + bytes(last - first) + data[last:])

    return damage


def flipped(at: int):
    """One byte that was not read back as it was written."""

    def damage(path: Path) -> None:
        data = bytearray(path.read_bytes())
        data[at] ^= 0x5A
        path.write_bytes(data)

    return damage


DAMAGES = {
    "cut to a third": cut(0.3),
    "cut to 70 %": cut(0.7),
    "cut to 98 %": cut(0.98),
    "pages of zeros": zeroed(0.5, 0.7),
    "the version in its header": flipped(18),
    "the first page": flipped(100),
    "a table is gone": changed("DROP TABLE finals"),
    "other columns": changed("DROP TABLE roll", "CREATE TABLE roll (a, b)"),
    "text for numbers": changed("UPDATE grades SET judge_error = 'x', seconds = 'y'"),
    "half a record": changed("UPDATE grades SET record = substr(record, 1, 200) WHERE rowid % 2"),
    "half a page": changed("UPDATE grades SET page = substr(page, 1, 200) WHERE rowid = 3"),
    "no record": changed("UPDATE grades SET record = sources WHERE rowid = 2"),
    "broken JSON": changed("UPDATE calls SET submissions = '{'"),
    "no UTF-8": changed("UPDATE roll SET student = CAST(x'ff41' AS TEXT)"),
    "no roll": changed("DELETE FROM roll"),
    "no grades": changed("DELETE FROM grades", "UPDATE batch SET format = 'x'"),
    "what grades came to": changed("UPDATE finals SET record = x'1f8b'"),
    "a view": changed("ALTER TABLE finals RENAME TO other", "CREATE VIEW finals AS SELECT * FROM other"),
}
COMMANDS = {
    "regrade": ["regrade", "DIR", "-q", "-j", "1"],
    "compare": ["compare", "DIR", "DIR"],
    "decide": ["decide", "DIR"],
    "mark": ["mark", "DIR", "--no-ask"],
    "export": ["export", "DIR", "--to", "canvas", "--feedback", "x.zip"],
    "similar": ["similar", "DIR"],
    "merge": ["merge", "DIR", "-o", "MERGED", "-j", "1"],
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_no_command_breaks_on_a_damaged_store(graded, tmp_path, monkeypatch, damage):
    """Each command answers, or says in one sentence that the store is damaged and how to go on; `batch` ends in the grades of before."""
    monkeypatch.chdir(tmp_path)
    out, told = tmp_path / "out", set()
    for name, words in COMMANDS.items():
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(graded / ("shard" if name == "merge" else "good"), out)
        DAMAGES[damage](out / "grades.db")
        typed = [{"DIR": str(out), "MERGED": str(tmp_path / "merged")}.get(word, word) for word in words]
        done = CliRunner().invoke(cli, typed)
        assert done.exception is None or isinstance(done.exception, GraderError | SystemExit), (name, done.exc_info)
        told.add(str(done.exception))
    assert any("is damaged: " in sentence and "`grader batch`, called as before" in sentence for sentence in told)
    assert all("damaged" in sentence or sentence in ("None", "1") for sentence in told), told
    warned: list[str] = []
    summary = run_batch(Call(SPEC, [graded / "submissions"], out, jobs=1, warn=warned.append))
    assert (summary.exit_code, summary.total) == (0, 7)
    written = {name: data for name, data in reports(out).items() if ".damaged" not in name}
    assert written == reports(graded / "good")


def test_what_can_be_read_is_kept(graded, tmp_path):
    """One of seven grades cannot be read: only that one is graded anew, and the damaged file stays."""
    shutil.copytree(graded / "good", tmp_path / "out")
    damage = changed("UPDATE grades SET record = substr(record, 1, 200) WHERE rowid = 4")
    damage(tmp_path / "out" / "grades.db")
    before, warned = (tmp_path / "out" / "grades.db").read_bytes(), []
    summary = run_batch(Call(SPEC, [graded / "submissions"], tmp_path / "out", jobs=1, warn=warned.append))
    assert (summary.graded, summary.resumed) == (1, 6)
    (told,) = warned
    assert "6 grades could be read and kept" in told
    assert (tmp_path / "out" / "grades.db.damaged").read_bytes() == before
    assert not run_batch(Call(SPEC, [graded / "submissions"], tmp_path / "out", jobs=1, warn=warned.append)).graded


def test_a_damaged_store_can_be_begun_anew(graded, tmp_path):
    """With `fresh` nothing of it is read, and it is not lost."""
    shutil.copytree(graded / "good", tmp_path / "out")
    cut(0.98)(tmp_path / "out" / "grades.db")
    os.truncate(tmp_path / "out" / "grades.db", 40_960)
    summary = run_batch(Call(SPEC, [graded / "submissions"], tmp_path / "out", jobs=1, fresh=True))
    assert (summary.graded, summary.resumed) == (7, 0)


def test_a_folder_in_its_place(graded, tmp_path):
    """If the store cannot be opened at all, the sentence says what to do."""
    (tmp_path / "out" / "grades.db").mkdir(parents=True)
    with pytest.raises(GraderError, match=r"grades\.db: cannot be opened.*let a file of this name be written"):
        run_batch(Call(SPEC, [graded / "submissions"], tmp_path / "out", jobs=1))
