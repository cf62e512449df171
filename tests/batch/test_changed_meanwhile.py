"""A submission changes between the plan of a batch and its reading: that costs nobody a point, and is never kept."""

from __future__ import annotations

import errno
import io
import os
import shutil
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from grader.batch.inputs import digests
from grader.batch.runner import run_batch
from grader.batch.values import Call
from grader.batch.worker import reading_of
from grader.errors import EXIT_JUDGE, EXIT_OK, JudgeError
from grader.intake import disk
from grader.intake.plan import plan
from grader.intake.source import read_submission
from grader.submission import Submission
from tests.batch.test_runner import PROGRAM, SPEC, archive, table
from tests.intake.archives import Piece, make_zip

NUMBER = r"PB\d{8}"
OTHER = PROGRAM.swapcase()


def tar(name: str, data: bytes) -> bytes:
    """A tar archive of one file."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as packed:
        info = tarfile.TarInfo(name)
        info.size = len(data)
        packed.addfile(info, io.BytesIO(data))
    return stream.getvalue()


def class_zip(program: bytes) -> bytes:
    """The download of a class of two, of whom one handed in this program."""
    return make_zip(Piece(b"PB00000003/nim.asm", program), Piece(b"PB00000004/nim.asm", PROGRAM))


FORMS = {
    "file": ("PB00000001.asm", lambda program: program),
    "folder": ("PB00000002/nim.asm", lambda program: program),
    "zip": ("PB00000005.zip", lambda program: archive(5, program)),
    "tar": ("PB00000006.tar", lambda program: tar("nim.asm", program)),
    "download": ("class.zip", class_zip),
    "packed download": ("class.tar", lambda program: tar("PB00000003/nim.asm", program)),
}
CHANGES = {
    "removed": lambda path, _: path.unlink(),
    "its folder removed": lambda path, _: shutil.rmtree(path.parent),
    "cut": lambda path, _: os.truncate(path, path.stat().st_size // 2),
    "emptied": lambda path, _: os.truncate(path, 0),
    "replaced": lambda path, other: (path.with_name("new").write_bytes(other), path.with_name("new").replace(path)),
    "written over": lambda path, other: path.write_bytes(other),
}


def read(entries):
    """The files that a worker reads of each."""
    with reading_of(NUMBER) as one:
        return [one(entry).submission for entry in entries]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("change", CHANGES)
def test_what_has_changed_is_not_judged(tmp_path, form, change):
    """Removed, cut, emptied or replaced in between: the worker names it and judges nothing, and reads it when it is back."""
    name, packed = FORMS[form]
    path = tmp_path / "class" / name
    path.parent.mkdir(parents=True)
    path.write_bytes(packed(PROGRAM))
    (tmp_path / "class" / "PB00000009.asm").write_bytes(PROGRAM)
    entries = plan([path if "download" in form else tmp_path / "class"], NUMBER).entries
    found = digests(entries)
    entries = [replace(entry, contents=found[entry.id]) for entry in entries]
    kept = path.read_bytes()
    CHANGES[change](path, packed(OTHER))
    told = read(entries)[0]
    assert isinstance(told, str)
    assert any(part in told for part in (*Path(name).parts, "PB00000003"))
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_bytes(kept)
    (tmp_path / "class" / "PB00000009.asm").write_bytes(PROGRAM)
    assert all(isinstance(submission, Submission) for submission in read(entries))


def test_of_a_download_only_the_member_that_has_changed(tmp_path):
    """A student who shares an archive with a replaced member is graded."""
    path = tmp_path / "class.zip"
    path.write_bytes(class_zip(PROGRAM))
    entries = plan([path], NUMBER).entries
    found = digests(entries)
    path.write_bytes(class_zip(OTHER))
    changed, same = read([replace(entry, contents=found[entry.id]) for entry in entries])
    assert isinstance(changed, str)
    assert isinstance(same, Submission)


def test_a_batch_keeps_nothing_of_what_has_changed(tmp_path):
    """Its points are open, the exit code is 4, and the same command grades it rightly when the file is back."""
    folder, out = tmp_path / "class", tmp_path / "out"
    (folder / "PB00000002").mkdir(parents=True)
    (folder / "PB00000001.zip").write_bytes(archive(1))
    (folder / "PB00000002" / "nim.asm").write_bytes(PROGRAM)
    (folder / "PB00000003.zip").write_bytes(archive(3))

    def disturb(progress):
        if not progress.done:
            (folder / "PB00000001.zip").rename(tmp_path / "away")
            (folder / "PB00000002" / "nim.asm").write_bytes(b"")

    summary = run_batch(Call(SPEC, [folder], out, jobs=1, progress=disturb))
    assert (summary.exit_code, summary.judge_errors) == (EXIT_JUDGE, ("PB00000001", "PB00000002"))
    assert [row["complete"] for row in table(out).values()] == ["no", "no", "yes"]
    (tmp_path / "away").rename(folder / "PB00000001.zip")
    (folder / "PB00000002" / "nim.asm").write_bytes(PROGRAM)
    summary = run_batch(Call(SPEC, [folder], out, jobs=1))
    assert (summary.exit_code, summary.resumed) == (EXIT_OK, 1)
    assert len({row["score"] for row in table(out).values()}) == 1


class Failing(disk._Disk):
    """A file on a disk that is broken: the system refuses to read the start of this one as it would there."""

    def __init__(self, path: Path) -> None:
        super().__init__(Path("/proc/self/mem"))
        self._path = path


@pytest.mark.parametrize("form", FORMS)
def test_a_disk_that_fails_is_no_missing_file(tmp_path, monkeypatch, form):
    """A file that the system does not hand out is the machine's fault, with its name and the system's reason."""
    name, packed = FORMS[form]
    path = tmp_path / "class" / name
    path.parent.mkdir(parents=True)
    path.write_bytes(packed(PROGRAM))
    entries = plan([path if "download" in form else tmp_path / "class"], NUMBER).entries
    monkeypatch.setattr(disk, "_Disk", Failing)
    for told in read(entries):
        assert isinstance(told, str)
        assert f"{path.name}: cannot be read (" in told


def test_a_folder_that_cannot_be_listed(tmp_path, monkeypatch):
    """To be kept out of a folder is no empty folder."""
    (tmp_path / "PB1" / "src").mkdir(parents=True)

    def refused(folder):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), folder)

    monkeypatch.setattr("grader.intake.collect.list_folder", refused)
    with pytest.raises(JudgeError, match=r"PB1: cannot be read \(Permission denied\)"):
        read_submission(tmp_path / "PB1")


def test_one_submission_that_cannot_be_read(tmp_path, monkeypatch):
    """`grade` gives no points for what it cannot read: the error names the file, and ends with exit code 4."""
    path = tmp_path / "nim.asm"
    path.write_bytes(PROGRAM)
    monkeypatch.setattr(disk, "_Disk", Failing)
    with pytest.raises(JudgeError, match=r"nim\.asm: cannot be read \(Input/output error\)"):
        read_submission(path)
