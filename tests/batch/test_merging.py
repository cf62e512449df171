"""Shards of a batch, graded on several machines, as one batch."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.batch.merging import merge_batches
from grader.batch.runner import run_batch
from grader.batch.values import Call
from grader.cli.main import cli
from grader.errors import UsageError
from tests.batch.test_runner import PROGRAM, SPEC, archive, reports

BROKEN = b".ORIG x3000\n ADD R0\n.END\n"


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Seven submissions, graded at once into `whole` and by three machines into `1`, `2` and `3`."""
    folder = tmp_path_factory.mktemp("merging")
    submissions = folder / "submissions"
    submissions.mkdir()
    for number in range(7):
        program = BROKEN if number == 4 else PROGRAM.replace(b"Player", b"PLAYER") if number % 2 else PROGRAM
        (submissions / f"PB0000000{number}.zip").write_bytes(archive(number, program))
    run_batch(Call(SPEC, [submissions], folder / "whole", jobs=1))
    for number in (1, 2, 3):
        run_batch(Call(SPEC, [submissions], folder / str(number), jobs=1, shard=(number, 3)))
    return folder


def test_shards_merge_into_the_bytes_of_one_run(graded, tmp_path):
    """In whatever order they are named, and again into the same folder; of each only its store is needed."""
    for number in (1, 2, 3):
        (tmp_path / str(number)).mkdir()
        shutil.copy(graded / str(number) / "grades.db", tmp_path / str(number))
    shards = [tmp_path / name for name in "312"]
    for _ in range(2):
        summary = merge_batches(Call(None, shards, tmp_path / "all", jobs=1))
        assert (summary.graded, summary.exit_code) == (7, 0)
        assert reports(tmp_path / "all") == reports(graded / "whole")


@pytest.mark.parametrize(
    ("shards", "said"),
    [
        (["1", "3"], "shards are missing: 2/3"),
        (["1", "2", "3", "2"], "shard 2 of 3 is there twice|is in use|cannot be opened"),
        (["1", "2", "whole"], "is no shard"),
    ],
)
def test_what_is_no_whole_is_refused(graded, tmp_path, shards, said):
    """A part that is missing, or there twice, or none, is named, and nothing is written."""
    with pytest.raises(UsageError, match=said):
        merge_batches(Call(None, [graded / name for name in shards], tmp_path / "all", jobs=1))
    assert not (tmp_path / "all").exists()


def test_shards_of_another_spec_are_refused(graded, tmp_path):
    """Verdicts of another spec cannot stand beside it."""
    other = tmp_path / "small.yaml"
    other.write_text(SPEC.read_text("utf-8") + "# another text\n", encoding="utf-8")
    run_batch(Call(other, [graded / "submissions"], tmp_path / "2", jobs=1, shard=(2, 3)))
    shards = [graded / "1", tmp_path / "2", graded / "3"]
    with pytest.raises(UsageError, match="is a shard of another batch"):
        merge_batches(Call(None, shards, tmp_path / "all", jobs=1))


def test_the_commands(graded, tmp_path):
    """`--shard` is written I/N; `merge` says what came of it."""
    wrong = CliRunner().invoke(cli, ["batch", str(SPEC), str(graded / "submissions"), "-o", "x", "--shard", "4/3"])
    assert (wrong.exit_code, "such as 2/8" in wrong.output) == (2, True)
    shards = [str(graded / name) for name in "123"]
    done = CliRunner().invoke(cli, ["merge", *shards, "-o", str(tmp_path / "all"), "-j", "1"], catch_exceptions=False)
    assert "7 submissions graded" in done.output
    assert Path(tmp_path / "all" / "index.html").exists()


def from_elsewhere(graded: Path, folder: Path, *statements: str) -> Path:
    """A shard of one with everybody, into which somebody wrote."""
    folder.mkdir()
    shutil.copy(graded / "whole" / "grades.db", folder)
    with closing(sqlite3.connect(folder / "grades.db")) as connection:
        for statement in ("UPDATE calls SET shard = '1/1'", *statements):
            connection.execute(statement)
        connection.commit()
    return folder


def renamed(name: str) -> tuple[str, ...]:
    """Statements that give a submission another name."""
    calls = "UPDATE calls SET submissions = replace(submissions, '\"PB00000001\"', json_quote({0}))"
    roll = "UPDATE roll SET submission = {0} WHERE submission = 'PB00000001'"
    return calls.format(name), roll.format(name)


HARM = {
    "a name that leads outside": (renamed("'../../../X'"), "is no name of a submission"),
    "an absolute name": (renamed("'/tmp/X'"), "is no name of a submission"),
    "a name with a NUL": (renamed("'X' || char(0)"), "is no name of a submission|a text has a NUL"),
    "a student's name with a NUL": (["UPDATE roll SET student = 'X' || char(0)"], "the roll cannot be read .a text has a NUL"),
    "broken JSON": (["UPDATE roll SET notes = '['"], "the roll cannot be read"),
    "JSON of another form": (["UPDATE calls SET sources = '{\"a\": 1}'"], "a list of texts is expected"),
    "no origin": (["UPDATE roll SET origin = '{\"late\": 7}'"], "the roll cannot be read"),
    "text for a number": (["UPDATE grades SET call = 'x' WHERE rowid = 2"], "the grade of PB0000000. cannot be read .int is expected"),
    "no shard": (["UPDATE calls SET shard = '1/99999999999'"], "is no shard"),
    "no record": (["UPDATE grades SET record = sources WHERE rowid = 2"], "the grade of PB0000000. cannot be read"),
    "no page": (["UPDATE grades SET page = 7 WHERE rowid = 2"], "the grade of PB0000000. cannot be read"),
    "a trigger": (["CREATE TRIGGER t AFTER UPDATE ON batch BEGIN DELETE FROM grades; END"], "has views or triggers"),
}  # fmt: skip


@pytest.mark.parametrize("harm", HARM)
def test_a_store_from_elsewhere_may_mean_harm(graded, tmp_path, harm):
    """A value that no grader writes is an error that names the file and the mistake, and nothing is written at all."""
    statements, said = HARM[harm]
    shard = from_elsewhere(graded, tmp_path / "shard", *statements)
    with pytest.raises(UsageError, match=said) as refused:
        merge_batches(Call(None, [shard], tmp_path / "deep" / "all", jobs=1))
    assert refused.value.place == str(shard / "grades.db")
    assert not (tmp_path / "deep").exists()


def test_pages_from_elsewhere_are_made_anew(graded, tmp_path):
    """Not one word of a page in a store reaches a student."""
    shard = from_elsewhere(graded, tmp_path / "shard")
    page = gzip.compress(b"<script>alert(1)</script>")
    with closing(sqlite3.connect(shard / "grades.db")) as connection:
        connection.execute("UPDATE grades SET page = ?", (page,))
        connection.commit()
    merge_batches(Call(None, [shard], tmp_path / "all", jobs=1))
    assert reports(tmp_path / "all") == reports(graded / "whole")


def test_numbers_that_no_float_holds(graded, tmp_path):
    """A record with a number of 4,000 digits is no record."""
    shard = from_elsewhere(graded, tmp_path / "shard")
    with closing(sqlite3.connect(shard / "grades.db")) as connection:
        ((row, record),) = connection.execute("SELECT rowid, record FROM grades LIMIT 1").fetchall()
        data = json.loads(gzip.decompress(record))
        text = json.dumps(data | {"score": 10**30}).replace(str(10**30), "9" * 4_000)
        connection.execute("UPDATE grades SET record = ? WHERE rowid = ?", (gzip.compress(text.encode()), row))
        connection.commit()
    with pytest.raises(UsageError, match="a number of 4000 digits"):
        merge_batches(Call(None, [shard], tmp_path / "all", jobs=1))


def test_a_spec_that_came_with_a_shard_is_not_taken(graded, tmp_path):
    """Its reference would be run here: it must be named."""
    shard = from_elsewhere(graded, tmp_path / "shard", f"UPDATE calls SET spec_path = '{tmp_path}/shard/small.yaml'")
    shutil.copy(SPEC, shard / "small.yaml")
    with pytest.raises(UsageError, match="came with a shard"):
        merge_batches(Call(None, [shard], tmp_path / "all", jobs=1))
    assert merge_batches(Call(shard / "small.yaml", [shard], tmp_path / "all", jobs=1)).exit_code == 0


def test_a_submission_in_two_shards(graded, tmp_path):
    """It is named, and nothing is written."""
    shards = [
        from_elsewhere(graded, tmp_path / str(number), f"UPDATE calls SET shard = '{number}/2'") for number in (1, 2)
    ]
    with pytest.raises(UsageError, match="PB00000000 is in several shards"):
        merge_batches(Call(None, shards, tmp_path / "all", jobs=1))
    assert not (tmp_path / "all").exists()


def test_a_damaged_whole_is_merged_again(graded, tmp_path):
    """If the folder of the whole has a damaged store, that is set aside and said: all of it is in the shards."""
    shutil.copytree(graded / "whole", tmp_path / "all")
    os.truncate(tmp_path / "all" / "grades.db", 40_000)
    warned: list[str] = []
    merge_batches(Call(None, [graded / name for name in "123"], tmp_path / "all", jobs=1, warn=warned.append))
    assert ["grades.db.damaged" in told for told in warned] == [True]
