"""The inputs of a batch."""

from __future__ import annotations

import io
import os
import zipfile
from dataclasses import replace

import pytest

from grader.batch import inputs
from grader.batch.inputs import Inputs, digests
from grader.intake import disk
from grader.intake.archive import SUBMISSION
from grader.intake.plan import plan

EARLIER = Inputs("lc3-nim", "spec", "judging", "1.0+a", {"a": "1", "b": "2"})


@pytest.fixture
def folder(tmp_path):
    """Two submissions on disk, a folder and a file."""
    root = tmp_path / "submissions"
    (root / "PB07210340" / "docs").mkdir(parents=True)
    (root / "PB07210340" / "nim.asm").write_text("HALT")
    (root / "PB07210341.asm").write_text("HALT")
    return root


def digest(folder) -> dict[str, str]:
    """The digests of what lies in a folder."""
    return digests(plan([folder], "PB[0-9]{8}").entries)


def test_the_same_is_the_same():
    """Equal inputs have no differences."""
    assert replace(EARLIER).differences(EARLIER) == ()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"spec": "other"}, "the spec has changed, but nothing that a verdict depends on"),
        ({"spec": "other", "judging": "other"}, "the spec, its reference or a support file has changed"),
        ({"engine": "1.1+a"}, "it was graded by version 1.0"),
        ({"engine": "1.0+b"}, "the code that judges has changed"),
        ({"submissions": {"a": "1", "b": "2", "c": "3"}}, "1 submission is new (c)"),
        ({"submissions": {}}, "2 submissions are gone (a, b)"),
        ({"submissions": {"a": "1", "b": "9"}}, "1 submission is changed (b)"),
    ],
)
def test_each_difference_is_named(changed, said):
    """Whatever has changed is said in words, with the submissions concerned."""
    (told,) = replace(EARLIER, **changed).differences(EARLIER)
    assert told.startswith(said)


def test_only_some_submissions_are_named():
    """If very many submissions are new, three are named."""
    now = replace(EARLIER, submissions={**EARLIER.submissions, **dict.fromkeys("cdefg", "")})
    assert now.differences(EARLIER) == ("5 submissions are new (c, d, e, …)",)


def test_contents_names_and_empty_folders_count(folder):
    """A digest changes with a content, a name or an empty folder, of that submission alone."""
    before = digest(folder)
    (folder / "PB07210340" / "nim.asm").write_text("halt")
    changed = digest(folder)
    (folder / "PB07210340" / "docs").rename(folder / "PB07210340" / "doc")
    renamed = digest(folder)
    assert len({before["PB07210340"], changed["PB07210340"], renamed["PB07210340"]}) == 3
    assert before["PB07210341"] == renamed["PB07210341"]


def sparse(path, size: int, end: bytes = b"") -> None:
    """A file of so many bytes that takes no room on the disk."""
    with path.open("wb") as stream:
        stream.truncate(size - len(end))
        stream.seek(0, os.SEEK_END)
        stream.write(end)


@pytest.fixture
def read_bytes(monkeypatch):
    """A list of how many bytes were read of each file."""
    told = []
    digest_of = disk.digest_of

    class Counting(io.RawIOBase):
        def __init__(self, stream):
            self.stream = stream
            self.seek = stream.seek
            self.tell = stream.tell

        def read(self, size=-1):
            data = self.stream.read(size)
            told.append(len(data))
            return data

    monkeypatch.setattr(disk, "digest_of", lambda stream: digest_of(Counting(stream)))
    return told


def test_of_a_huge_file_little_is_read(folder, read_bytes):
    """However large what was handed in claims to be, no more of it is read than a submission may hold; its size and end count."""
    for name in ("PB07210342.zip", "PB07210343.asm", "PB07210340/data"):
        sparse(folder / name, 5 << 30)
    before = digest(folder)
    assert sum(read_bytes) < 3 * 2 * SUBMISSION.member_bytes + 1_000
    sparse(folder / "PB07210342.zip", 5 << 30, end=b"another directory")
    sparse(folder / "PB07210343.asm", (5 << 30) + 1)
    sparse(folder / "PB07210340/data", 5 << 30, end=b"x")
    after = digest(folder)
    assert {name for name in before if before[name] != after[name]} == {"PB07210340", "PB07210342", "PB07210343"}


def test_of_a_folder_of_large_files_little_is_read(folder, read_bytes):
    """A folder of many large files is read as far as a submission may hold; the others count by name and size."""
    for number in range(50):
        sparse(folder / "PB07210340" / f"data{number:02}", SUBMISSION.member_bytes)
    before = digest(folder)
    assert sum(read_bytes) < 3 * SUBMISSION.total_bytes
    sparse(folder / "PB07210340" / "data49", 1)
    assert digest(folder)["PB07210340"] != before["PB07210340"]


def test_of_a_folder_of_very_many_files_few_are_opened(folder, read_bytes, monkeypatch):
    """Beyond the members that a submission may have files count by name and size."""
    monkeypatch.setattr(inputs, "SUBMISSION", replace(SUBMISSION, members=3))
    for number in range(50):
        (folder / "PB07210340" / f"data{number:02}").write_text("x")
    digest(folder)
    assert len(read_bytes) <= 4


def test_the_name_it_was_handed_in_under_counts(folder):
    """The same contents under another name of the same student are another submission."""
    before = digest(folder)
    (folder / "PB07210341.asm").rename(folder / "PB07210341 LAB04.asm")
    after = digest(folder)
    assert before.keys() == after.keys()
    assert before["PB07210341"] != after["PB07210341"]


def test_noise_and_place_do_not_count(folder, tmp_path):
    """Neither what a system leaves behind nor the place of the folder changes a digest."""
    before = digest(folder)
    (folder / "PB07210340" / ".DS_Store").write_text("noise")
    assert digest(folder.rename(tmp_path / "elsewhere")) == before


def download(path, *students: tuple[str, bytes]):
    """An archive with a folder and a packed submission for each student."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, program in students:
            archive.writestr(f"LAB04/{name}/nim.asm", program)
            archive.writestr(f"LAB04/{name}/docs/notes.txt", b"notes")
    return path


def test_of_a_later_download_only_what_has_changed_differs(tmp_path):
    """A submission inside an archive is known by its own members: late ones beside it, and the archive's name, do not count."""
    first = download(tmp_path / "first.zip", ("PB07210340", b"HALT"), ("PB07210341", b"HALT"), ("PB07210349", b"HALT"))
    later = download(
        tmp_path / "later.zip",
        ("PB07210349", b"HALT"),
        ("PB07210340", b"HALT"),
        ("PB07210341", b"halt"),
        ("PB07210342", b"HALT"),
    )
    before, after = (digests(plan([path], "PB[0-9]{8}").entries) for path in (first, later))
    assert {name for name in before if after[name] == before[name]} == {"PB07210340", "PB07210349"}
    assert len(set(after.values())) == 4


def test_of_a_bomb_in_a_download_nothing_is_unpacked(tmp_path, monkeypatch):
    """The packed bytes are the bytes that are read."""
    path = download(tmp_path / "all.zip", ("PB07210340", bytes(1 << 24)), ("PB07210341", b"HALT"))
    monkeypatch.setattr(zipfile.ZipFile, "open", None)
    assert len(digests(plan([path], "PB[0-9]{8}").entries)) == 2
