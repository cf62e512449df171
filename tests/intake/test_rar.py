"""RAR archives, where libarchive is installed, within the same limits as zip archives."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping

FILE, LINK, FOLDER = 0o100644, 0o120777, 0o040755
FILES = {"PB07210340/nim.asm": b"HALT", "PB07210340/report.pdf": b"%PDF" * 100}


def rar(files: Mapping[str, bytes], mode: int = FILE, declared: int | None = None, encoding: str = "utf-8") -> bytes:
    """A RAR archive of the fourth edition, whose members are stored as they are."""
    blocks = [b"Rar!\x1a\x07\x00", _block(0x73, 0, bytes(6))]
    for name, data in files.items():
        size = len(data) if declared is None else declared
        raw = name.encode(encoding)
        held = struct.pack("<LLBLLBBHL", len(data), size, 3, zlib.crc32(data), 0, 20, 0x30, len(raw), mode)
        blocks += [_block(0x74, 0x8000, held + raw), data]
    return b"".join((*blocks, _block(0x7B, 0x4000, b"")))


def _block(kind: int, flags: int, body: bytes) -> bytes:
    head = struct.pack("<BHH", kind, flags, 7 + len(body)) + body
    return struct.pack("<H", zlib.crc32(head) & 0xFFFF) + head


def test_a_rar_without_libarchive(read, monkeypatch):
    """If it cannot be read, the report says what is to be installed, and what the student can do."""
    monkeypatch.setitem(__import__("sys").modules, "libarchive", None)
    (said,) = read(rar(FILES)).problems
    assert "pip install 'grader[archives]'" in said
    assert "please pack it as zip" in said


def test_a_rar(read):
    """It is read like a zip."""
    found = read(rar(FILES))
    assert {file.path: file.data for file in found.files} == FILES
    assert (found.problems, found.student_id) == ((), "PB07210340")


def test_what_means_harm_is_left_out(read):
    """Links, names that lead outside, and what is larger than it may be; the rest is kept."""
    assert "is a link" in read(rar({"link": b"/etc/passwd"}, LINK)).problems[0]
    outside = read(rar({"../out": b"x", "nim.asm": b"HALT"}))
    assert ([file.path for file in outside.files], "leads outside" in outside.problems[0]) == (["nim.asm"], True)
    assert "the limit for one file" in read(rar({"zeros": bytes(17 << 20)})).problems[0]
    half = rar(FILES)
    assert read(half[: len(half) // 2]).problems


def test_names_that_an_old_packer_wrote(read):
    """They are in the encoding of its system, which it does not say: that is judged over all of them."""
    files = {"张海博/实验报告.txt": b"x", "张海博/nim.asm": b"HALT"}
    found = read(rar(files, encoding="gbk"))
    assert ({file.path for file in found.files}, found.problems) == (set(files), ())


def test_the_same_complaint_each_time(read):
    """The sentence on a damaged archive is in the report, the same in each run: no address of the machine is in it."""
    whole = rar(FILES)
    damaged = whole[:120] + b"\xff" * 20 + whole[140:]
    (said,) = {told for _ in range(3) for told in read(damaged).problems}
    assert "damaged" in said
    assert "archive_p" not in said
