"""Shards of a batch, graded on several machines, as one batch."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.batch.merging import merge_batches
from grader.batch.runner import run_batch
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
    run_batch(SPEC, [submissions], folder / "whole", jobs=1)
    for number in (1, 2, 3):
        run_batch(SPEC, [submissions], folder / str(number), jobs=1, shard=(number, 3))
    return folder


def test_shards_merge_into_the_bytes_of_one_run(graded, tmp_path):
    """In whatever order they are named, and again into the same folder; of each only its store is needed."""
    for number in (1, 2, 3):
        (tmp_path / str(number)).mkdir()
        shutil.copy(graded / str(number) / "grades.db", tmp_path / str(number))
    shards = [tmp_path / name for name in "312"]
    for _ in range(2):
        summary = merge_batches(shards, tmp_path / "all", jobs=1)
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
        merge_batches([graded / name for name in shards], tmp_path / "all", jobs=1)
    assert not (tmp_path / "all").exists()


def test_shards_of_another_spec_are_refused(graded, tmp_path):
    """What another spec judged cannot stand beside it."""
    other = tmp_path / "small.yaml"
    other.write_text(SPEC.read_text("utf-8") + "# another text\n", encoding="utf-8")
    run_batch(other, [graded / "submissions"], tmp_path / "2", jobs=1, shard=(2, 3))
    shards = [graded / "1", tmp_path / "2", graded / "3"]
    with pytest.raises(UsageError, match="is a shard of another batch"):
        merge_batches(shards, tmp_path / "all", jobs=1)


def test_the_commands(graded, tmp_path):
    """`--shard` is written I/N; `merge` says what came of it."""
    wrong = CliRunner().invoke(cli, ["batch", str(SPEC), str(graded / "submissions"), "-o", "x", "--shard", "4/3"])
    assert (wrong.exit_code, "such as 2/8" in wrong.output) == (2, True)
    shards = [str(graded / name) for name in "123"]
    done = CliRunner().invoke(cli, ["merge", *shards, "-o", str(tmp_path / "all"), "-j", "1"], catch_exceptions=False)
    assert "7 submissions graded" in done.output
    assert Path(tmp_path / "all" / "index.html").exists()
