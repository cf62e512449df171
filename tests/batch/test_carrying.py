"""Marks that staff gave in shards or in the whole, when shards are merged: each is carried or named."""

from __future__ import annotations

import csv
import io
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.batch.merging import merge_batches
from grader.batch.runner import run_batch, write_again
from grader.batch.values import Call
from grader.cli.main import cli
from grader.errors import UsageError
from tests.batch.test_runner import PROGRAM, SPEC, archive, reports

FIRST, SECOND, THIRD = "PB00000000", "PB00000001", "PB00000002"


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Four submissions, graded at once into `whole` and by two machines into `1` and `2`."""
    folder = tmp_path_factory.mktemp("carrying")
    (folder / "submissions").mkdir()
    for number in range(4):
        (folder / "submissions" / f"PB0000000{number}.zip").write_bytes(archive(number, PROGRAM))
    run_batch(Call(SPEC, [folder / "submissions"], folder / "whole", jobs=1))
    for number in (1, 2):
        run_batch(Call(SPEC, [folder / "submissions"], folder / str(number), jobs=1, shard=(number, 2)))
    return folder


@pytest.fixture
def place(graded, tmp_path) -> Path:
    """A folder with the whole and both shards, to write in."""
    shutil.copytree(graded, tmp_path, dirs_exist_ok=True)
    return tmp_path


def given(folder: Path, submission: str, **cells: str) -> None:
    """Write the mark of a person into the file of a batch, which gets a row where it has none."""
    path = folder / "marks.csv"
    rows = list(csv.DictReader(path.read_text("utf-8-sig").splitlines()))
    row = next((row for row in rows if row["submission"] == submission), None)
    rows += [{"submission": submission}] if row is None else []
    (rows[-1] if row is None else row).update(cells)
    out = io.StringIO()
    writer = csv.DictWriter(out, list(dict.fromkeys(name for row in rows for name in row)))
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(out.getvalue(), encoding="utf-8-sig")


def merged(place: Path, *, drop: bool = False) -> Path:
    """The whole of the two shards."""
    merge_batches(Call(None, [place / "1", place / "2"], place / "all", jobs=1), drop_marks=drop)
    return place / "all"


def test_marks_of_shards_are_carried_into_the_whole(place):
    """Be they in the reports of a shard or only in its file, the whole is that of one machine; a cell that is emptied there stays empty."""
    for folder in ("whole", "1"):
        given(place / folder, FIRST, override="2", reason="asked", late="1 d")
        given(place / folder, THIRD, board="1.5", **{"board comment": "nearly"})
    for folder in ("whole", "2"):
        given(place / folder, SECOND, comment="well done")
    for folder in ("whole", "1"):
        write_again(place / folder)
    write_again(place / "whole")
    whole = {name: data for name, data in reports(place / "whole").items() if name != "marks.csv"}
    for _ in range(2):
        found = reports(merged(place))
        assert (found.pop("marks.csv").count(b"nearly"), found) == (1, whole)
    given(place / "all", THIRD, board="", **{"board comment": ""})
    assert b"nearly" not in reports(merged(place))["grades.csv"]


def _in_one_shard(place: Path) -> None:
    given(place / "1", FIRST, late="2 d")
    write_again(place / "1")
    (place / "1" / "marks.csv").unlink()


def _in_two_shards(place: Path) -> None:
    given(place / "1", FIRST, board="1")
    given(place / "2", FIRST, board="2")


def _in_whole_and_shard(place: Path) -> None:
    given(place / "1", FIRST, board="1")
    given(merged(place), FIRST, board="2")


def _in_whole(place: Path) -> None:
    given(merged(place), FIRST, board="1")
    write_again(place / "all")
    (place / "all" / "marks.csv").unlink()


def _of_nobody(place: Path) -> None:
    given(place / "2", "PB00000099", comment="who is this?")


def _of_one_who_is_gone(place: Path) -> None:
    (place / "submissions" / "PB00000009.zip").write_bytes(archive(9, PROGRAM))
    run_batch(Call(SPEC, [place / "submissions"], place / "all", jobs=1))
    given(place / "all", "PB00000009", comment="well done")
    write_again(place / "all")


def _of_a_criterion_that_is_gone(place: Path) -> None:
    spec = place / "small.yaml"
    more = "  - {id: style, points: 2, title: Style, manual: true}\ncases:"
    spec.write_text(SPEC.read_text("utf-8").replace("cases:", more), encoding="utf-8")
    shutil.copy(SPEC.with_name("nim.py"), place)
    run_batch(Call(spec, [place / "submissions"], place / "all", jobs=1))
    given(place / "all", FIRST, style="1")
    write_again(place / "all")


LOSSES = {
    _in_one_shard: r"PB00000000 \(late\): in the reports of .*1, and in no file of marks",
    _in_two_shards: r"PB00000000 \(board\): .*2/marks.csv and .*1/marks.csv differ",
    _in_whole_and_shard: r"PB00000000 \(board\): .*1/marks.csv and the file of the whole differ",
    _in_whole: r"PB00000000 \(board\): in the last reports of the whole, and in no file of marks",
    _of_nobody: r"PB00000099: .*2/marks.csv has marks, and no shard has the submission",
    _of_one_who_is_gone: r"PB00000009 \(comment\): in the last reports of the whole, and no shard has the submission",
    _of_a_criterion_that_is_gone: r"PB00000000 \(style\): in the last reports of the whole, and the spec has no such",
}


@pytest.mark.parametrize("lose", LOSSES)
def test_a_mark_that_would_be_lost_is_named(place, lose):
    """Nothing is written until the person who calls says `--drop-marks`; then the mark of the whole counts, or that of the first shard."""
    lose(place)
    before = reports(place / "all")
    with pytest.raises(UsageError, match=LOSSES[lose]) as refused:
        merged(place)
    assert (refused.value.place, reports(place / "all")) == (str(place / "all" / "marks.csv"), before)
    words = ["merge", str(place / "1"), str(place / "2"), "-o", str(place / "all"), "-j", "1"]
    asked = CliRunner().invoke(cli, words, standalone_mode=False)
    assert isinstance(asked.exception, UsageError)
    assert "--drop-marks" in asked.exception.hint
    done = CliRunner().invoke(cli, [*words, "--drop-marks"], catch_exceptions=False, standalone_mode=False)
    assert done.return_value == 0
    found = reports(place / "all")["grades.csv"]
    assert found.count(b"given by staff: 1 of 2") == (lose is _in_two_shards)
    assert found.count(b"given by staff: 2 of 2") == (lose is _in_whole_and_shard)
    merged_again = reports(merged(place, drop=lose in (_in_one_shard, _in_two_shards, _in_whole_and_shard, _of_nobody)))
    assert merged_again["grades.csv"] == found


def test_decisions_of_a_shard_are_named_and_left_alone(place):
    """They hold where they stand beside the whole; a file that is the same there is not worth a word."""
    (place / "2" / "decisions.yaml").write_text("# nothing yet\n", encoding="utf-8")
    shards = [place / "1", place / "2"]
    notes = merge_batches(Call(None, shards, place / "all", jobs=1)).notes
    assert [note for note in notes if "decisions" in note] == [
        f"{place / '2/decisions.yaml'} was left alone: decisions hold where they stand in {place / 'all/decisions.yaml'}"
    ]
    shutil.copy(place / "2" / "decisions.yaml", place / "all")
    assert not any("decisions" in note for note in merge_batches(Call(None, shards, place / "all", jobs=1)).notes)
