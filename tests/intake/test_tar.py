"""Tar and 7z archives, within the same limits as zip archives."""

from __future__ import annotations

import io
import tarfile
import tracemalloc

import pytest

from grader.intake.archive import MIB
from grader.intake.plan import plan
from grader.intake.source import read_entry
from tests.intake.archives import paths
from tests.intake.test_downloads import make

FILES = {"PB07210340/nim.asm": b"HALT", "PB07210340/报告.pdf": b"%PDF"}


@pytest.mark.parametrize("how", ["", "gz", "bz2", "xz"])
def test_a_tar_is_read_however_it_is_packed(read, how):
    """Files, folders and names are those of the archive, whatever it is called."""
    found = read(make.tarred(FILES, how), "PB07210340.zip")
    assert [(file.path, file.data) for file in found.files] == list(FILES.items())
    assert (found.folders, found.problems) == (("PB07210340",), ())


def test_links_devices_and_paths_that_lead_outside(read):
    """Each is left out and named, and the program is read."""
    found = read(make.HOSTILE["odd.tar"]())
    assert paths(found) == ["nim.asm"]
    assert found.problems == (
        "link.asm: is a link; it was left out",
        "hard.asm: is a link; it was left out",
        "device: is neither a file nor a folder; it was left out",
        "pipe: is neither a file nor a folder; it was left out",
        "../out.asm: leads outside the archive; it was left out",
        "/etc/out.asm: has an absolute path; it was left out",
    )


@pytest.mark.parametrize("name", ["bomb.tar.gz", "long-name.tar"])
def test_what_inflates_without_end(read, name):
    """The earlier members are kept, and neither a bomb nor a name of gigabytes takes memory beyond the limits."""
    data = make.HOSTILE[name]()
    tracemalloc.start()
    found = read(data, name)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert paths(found) == ["nim.asm"]
    assert any("is lost" in told for told in found.problems)
    assert peak < 100 * MIB


@pytest.mark.parametrize("how", ["gz", "bz2", "xz"])
def test_a_damaged_packing(read, how):
    """A packed file that is cut says so, and what came before the cut is kept."""
    found = read(make.tarred({"nim.asm": b"HALT", **FILES}, how)[:-9])
    assert any("damage" in told for told in found.problems)


def test_a_packed_file_that_is_no_tar(read):
    """A lone packed file is told of: what is in it has no name."""
    data = make._gzip(b"HALT")
    assert "gzip of something else than a tar archive" in read(data, "nim.asm.gz").problems[0]


def test_a_file_with_holes(read):
    """A sparse file could declare any size, and is left out."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        hole = tarfile.TarInfo("hole")
        hole.type = tarfile.GNUTYPE_SPARSE
        archive.addfile(hole, io.BytesIO())
        make._add(archive, "nim.asm", b"HALT")
    found = read(out.getvalue())
    assert paths(found) == ["nim.asm"]
    assert "hole: is a file with holes; it was left out" in found.problems


def test_a_class_in_a_tar(tmp_path):
    """A tar of folders and archives is a batch like a zip of them."""
    zipped = make.bundle("PB07210341")
    files = {"PB07210340/nim.asm": b"HALT", "PB07210341.zip": zipped, "PB07210342.tar.gz": make.tarred(FILES, "gz")}
    (tmp_path / "all.tar.gz").write_bytes(make.tarred(files, "gz"))
    found = [read_entry(entry) for entry in plan([tmp_path / "all.tar.gz"], "[A-Z]{2}[0-9]{8}").entries]
    assert [len(s.files) for s in found] == [1, 2, 2]


def test_a_7z_without_py7zr(read, monkeypatch):
    """If it cannot be read the report says what is to be installed."""
    monkeypatch.setitem(__import__("sys").modules, "py7zr", None)
    assert "pip install 'grader[archives]'" in read(b"7z\xbc\xaf\x27\x1c" + bytes(40), "a.7z").problems[0]


def test_a_7z(read, tmp_path):
    """With py7zr a 7z archive is read like a zip, and what is in it is held to the same limits."""
    import py7zr

    for files, kept in ((FILES, list(FILES)), ({**FILES, "zeros": bytes(90 * MIB)}, [])):
        with py7zr.SevenZipFile(tmp_path / "made.7z", "w") as archive:
            for name, data in files.items():
                archive.writestr(data, name)
        found = read((tmp_path / "made.7z").read_bytes(), "PB07210340.7z")
        assert paths(found) == kept
        assert [file.data for file in found.files] == ([*FILES.values()] if kept else [])
    assert "the limit" in found.problems[0]
