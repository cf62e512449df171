"""Archives that mean harm, and archives that are merely broken."""

from __future__ import annotations

import io
import random
import stat
import zipfile
from dataclasses import replace

import pytest

from grader.intake.archive import MIB, Limits
from grader.submission import Form
from tests.intake.archives import Piece, gbk_zip, make_zip, paths, unicode_path

PROGRAM = Piece(b"nim.asm", b".ORIG x3000\nHALT\n.END\n")


def nested(depth: int) -> bytes:
    """The program inside so many archives."""
    data = make_zip(PROGRAM)
    for _ in range(depth - 1):
        data = make_zip(Piece(b"inner.zip", data))
    return data


def test_what_zipfile_writes_is_read(read):
    """An ordinary archive comes out file by file, with its folders, even empty ones, and nothing to complain of."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("PB07210340/nim.asm", "HALT")
        archive.writestr("PB07210340/实验.txt", "ok")
        archive.mkdir("PB07210340/empty")
        archive.writestr("__MACOSX/PB07210340/._nim.asm", "noise")
    submission = read(made.getvalue())
    assert {file.path: file.data for file in submission.files} == {
        "PB07210340/nim.asm": b"HALT",
        "PB07210340/实验.txt": b"ok",
    }
    assert submission.folders == ("PB07210340", "PB07210340/empty")
    assert (submission.form, submission.problems) == (Form.ARCHIVE, ())


def test_gbk_names(read):
    """Names in GBK without any flag are read, a backslash as second byte included."""
    assert paths(read(gbk_zip({"张海博/nim.asm": b"x", "张海博/誠.txt": b"y"}))) == ["张海博/nim.asm", "张海博/誠.txt"]


def test_the_second_byte_0x5c_is_no_separator(read):
    """誠 ends in the byte of a backslash in GBK; it stays one character of one name."""
    assert b"\\" in "誠".encode("gbk")
    assert paths(read(gbk_zip({"王誠.asm": b"x"}))) == ["王誠.asm"]


def test_the_unicode_path_field_wins(read):
    """A name in the 0x7075 field counts when its checksum fits the raw name, and only then."""
    raw = b"???.asm"
    fits = Piece(raw, b"x", extra=unicode_path(raw, "诚.asm"))
    stale = Piece(b"a.asm", b"x", extra=unicode_path(b"b.asm", "诚2.asm"))
    assert paths(read(make_zip(fits, stale))) == ["a.asm", "诚.asm"]


def test_backslashes_separate(read):
    """Archives of some Windows tools separate folders by backslashes."""
    submission = read(make_zip(Piece(b"PB07210340\\nim.asm", b"x"), Piece(b"PB07210340\\docs\\")))
    assert paths(submission) == ["PB07210340/nim.asm"]
    assert submission.folders == ("PB07210340", "PB07210340/docs")


@pytest.mark.parametrize(
    "name", [b"../nim.asm", b"a/../../x", b"/etc/passwd", b"C:\\x.asm", b"c:x", b"\\\\host\\x", b"..\\x", b"x\0.asm"]
)
def test_names_that_lead_outside(read, name):
    """A name that leads outside is left out and reported; the rest is kept."""
    submission = read(make_zip(Piece(name, b"evil"), PROGRAM))
    assert paths(submission) == ["nim.asm"]
    assert len(submission.problems) == 1
    assert submission.problems[0].endswith("it was left out")


@pytest.mark.parametrize(
    ("piece", "said"),
    [
        (Piece(b"nim.lnk", b"/etc/passwd", mode=stat.S_IFLNK | 0o777), "is a link"),
        (Piece(b"pipe", b"", mode=stat.S_IFIFO | 0o666), "neither a file nor a folder"),
        (Piece(b"secret.asm", b"x", flags=1), "secret.asm: is encrypted; it was left out"),
        (Piece(b"x.asm", b"x", method=12), "method other than deflate"),
        (Piece(b"x.asm", b"x", method=99), "method other than deflate"),
        (Piece(b"x.asm", b"hello", crc=1), "damaged"),
        (Piece(b"x.asm", b"hello" * 99, deflate=True, declared=7), "damaged"),
        (Piece(b"x.asm", b"no deflate", method=8), "damaged"),
        (Piece(b"x.asm", b"x", declared=17 * MIB), "larger than 16 MiB"),
    ],
)
def test_a_member_that_cannot_be_read(read, piece, said):
    """A member that cannot be read is left out with the reason; the rest is kept."""
    submission = read(make_zip(piece, PROGRAM))
    assert paths(submission) == ["nim.asm"]
    assert len(submission.problems) == 1
    assert said in submission.problems[0]


def test_a_large_source_is_kept(read):
    """Ten MiB of source is no bomb: that it is too long is for the assembler to say."""
    submission = read(make_zip(Piece(b"nim.asm", b"; comment\n" * (MIB), deflate=True)))
    assert len(submission.files[0].data) == 10 * MIB
    assert submission.problems == ()


def test_a_bomb_takes_nothing_from_the_others(read):
    """A member of 300 MiB is refused without being inflated whole, be its size declared or not; the program is kept."""
    zeros = bytes(300 * MIB)
    honest = Piece(b"a.bin", zeros, deflate=True)
    for bomb in (honest, replace(honest, declared=1000)):
        submission = read(make_zip(bomb, PROGRAM))
        assert paths(submission) == ["nim.asm"]
        assert len(submission.problems) == 1


def test_many_members_that_inflate_are_a_bomb(read):
    """Members that are small enough alone are refused when together they are a hundred times the archive."""
    limits = Limits(member_bytes=MIB, total_bytes=10 * MIB, free_bytes=2 * MIB, ratio=100)
    bombs = [Piece(b"%d.bin" % n, bytes(MIB), deflate=True) for n in range(5)]
    submission = read(make_zip(*bombs, PROGRAM), limits=limits)
    assert paths(submission) == ["0.bin", "nim.asm"]
    assert all("as archive bombs do" in problem for problem in submission.problems)


@pytest.mark.parametrize(("total", "kept"), [(5, 5), (4, 4)])
def test_the_limit_of_all_bytes(read, total, kept):
    """All members together may have as many bytes as the limit, and not one more."""
    pieces = [Piece(b"%d" % n, b"x") for n in range(5)]
    assert len(read(make_zip(*pieces), limits=Limits(total_bytes=total)).files) == kept


@pytest.mark.parametrize(("members", "kept"), [(5, 5), (4, 0)])
def test_the_limit_of_members(read, members, kept):
    """An archive may have as many members as the limit; with one more nothing of it is read."""
    submission = read(make_zip(*(Piece(b"%d" % n, b"x") for n in range(5))), limits=Limits(members=members))
    assert len(submission.files) == kept
    assert bool(submission.problems) == (kept == 0)


def test_a_directory_of_absurd_size_is_not_parsed(read):
    """Half a million entries are refused before they are parsed."""
    submission = read(make_zip(*(Piece(b"x" * 200, shares=0 if n else None) for n in range(20_000))))
    assert submission.files == ()
    assert "its directory is too large" in submission.problems[0]


def test_overlapping_members_are_a_bomb(read):
    """Members that share their data are left out, all of them; the program is kept."""
    kernel = Piece(b"a", bytes(1000), deflate=True)
    shared = [Piece(b"a", bytes(1000), deflate=True, shares=0) for _ in range(50)]
    submission = read(make_zip(kernel, *shared, PROGRAM))
    assert paths(submission) == ["nim.asm"]
    assert len(submission.problems) == 21
    assert "shares its data" in submission.problems[0]
    assert submission.problems[-1] == "… and 31 more problems of this kind"


def test_members_inside_the_data_of_another(read):
    """Members that lie one after the other within the data of a third overlap it, all of them."""
    x, y = Piece(b"x", b"1"), Piece(b"y", b"2")
    outer = Piece(b"outer", make_zip(x, y))
    first = 30 + len(outer.name)
    inside = [replace(x, at=first), replace(y, at=first + 30 + len(x.name) + len(x.data))]
    submission = read(make_zip(outer, *inside, PROGRAM))
    assert paths(submission) == ["nim.asm"]
    assert len(submission.problems) == 3


def test_the_ratio_is_that_of_what_was_handed_in(read):
    """An archive inside is measured against the whole: zeros beside a picture are no bomb."""
    limits = Limits(free_bytes=1_000, ratio=100)
    inner = make_zip(Piece(b"zeros", bytes(50_000), deflate=True))
    picture = Piece(b"picture", random.Random(1).randbytes(10_000))
    assert len(read(make_zip(picture, Piece(b"inner.zip", inner)), limits=limits).files) == 2
    assert len(read(make_zip(Piece(b"inner.zip", inner)), limits=limits).files) == 0


@pytest.mark.parametrize(
    ("depth", "found"), [(1, "nim.asm"), (2, "inner.zip/nim.asm"), (3, "inner.zip/inner.zip/nim.asm")]
)
def test_archives_inside(read, depth, found):
    """An archive inside an archive is read, under its name, down to the limit of depth."""
    assert paths(read(nested(depth))) == [found]


def test_archives_too_deep_inside(read):
    """Beyond the limit of depth an archive is left out."""
    submission = read(nested(4))
    assert submission.files == ()
    assert "an archive inside 3 others" in submission.problems[0]


def test_nested_bombs_share_one_allowance(read):
    """Archives inside do not get an allowance of their own."""
    inner = make_zip(*(Piece(b"%d" % n, bytes(1000), deflate=True) for n in range(10)))
    outer = make_zip(*(Piece(b"%d.zip" % n, inner) for n in range(10)))
    submission = read(outer, limits=Limits(total_bytes=40_000))
    assert sum(len(file.data) for file in submission.files) <= 40_000
    assert submission.problems


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "an empty file"),
        (b"Rar!\x1a\x07\x01\x00", "RAR archive"),
        (b"7z\xbc\xaf\x27\x1c", "7z archive"),
        (b"%PDF-1.4", "a PDF"),
        (b"just text", "a damaged zip archive"),
        (make_zip(PROGRAM)[:-10], "a damaged zip archive"),
        (make_zip(PROGRAM)[:20], "a damaged zip archive"),
    ],
)
def test_what_is_no_zip(read, data, said):
    """A file that is only called .zip is a submission without files, and the problem says what it is."""
    submission = read(data)
    assert (submission.files, submission.form) == ((), Form.ARCHIVE)
    assert submission.problems[0].startswith("PB07210340.zip: ")
    assert said in submission.problems[0]


@pytest.mark.parametrize(
    "name", ["张海博.asm".encode("gbk"), b"\xff\xfe", b"\xed\xa0\x80", "实验".encode()[:-1]], ids=repr
)
def test_a_name_that_only_says_that_it_is_utf8(read, name):
    """A name wrongly marked as UTF-8 costs its member, with a sentence; the others are read, and keep their names."""
    others = Piece("实验/nim.asm".encode(), b"HALT", flags=0x800, deflate=True), Piece("说明".encode("gbk"), b"x")
    submission = read(make_zip(Piece(name, b"x", flags=0x800), *others, PROGRAM))
    assert paths(submission) == ["nim.asm", "实验/nim.asm", "说明"]
    (problem,) = submission.problems
    assert problem.endswith("has a name that is marked as UTF-8 and is not; it was left out")


@pytest.mark.parametrize(
    "extra",
    [
        b"\x75\x70\xff\xff\1",
        b"\x75\x70\1\0\1",
        unicode_path(b"a", "b").replace(b"b", b"\xff"),
        b"\1\0\0\0\x55\x54\x09\0\3",
    ],
    ids=["too long", "too short", "no UTF-8", "the second is cut"],
)
def test_broken_extra_fields_cost_nothing(read, extra):
    """A broken extra part of an entry is passed over: its member and all others are read."""
    submission = read(make_zip(Piece(b"a", b"x", extra=extra), PROGRAM))
    assert (paths(submission), submission.problems) == (["a", "nim.asm"], ())


def test_a_member_of_a_later_version_of_zip(read):
    """A member that needs a version of zip that is not known goes alone."""
    made = make_zip(Piece(b"a", b"x"), PROGRAM)
    entry = made.index(b"PK\1\2")
    submission = read(made[: entry + 6] + b"\x63" + made[entry + 7 :])
    assert paths(submission) == ["nim.asm"]
    assert "needs a version of zip that there is not" in submission.problems[0]


def test_every_prefix_and_every_flipped_byte_is_survived(read):
    """However an archive is cut or bent, reading it raises nothing."""
    whole = make_zip(Piece(b"a/nim.asm", b"HALT" * 30, deflate=True), Piece("é".encode(), b"x", flags=0x800), PROGRAM)
    for cut in range(len(whole)):
        read(whole[:cut])
    for at in range(len(whole)):
        for bit in (1, 0x80, 0xFF):
            read(whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1 :])


def test_the_last_of_two_equal_names_counts(read):
    """Two members of one name: the last counts, as it would when unpacked, and it is said."""
    submission = read(make_zip(Piece(b"nim.asm", b"first"), Piece(b"nim.asm", b"last")))
    assert [file.data for file in submission.files] == [b"last"]
    assert "more than once" in submission.problems[0]


def test_a_folder_called_like_the_program(read):
    """A folder called nim.asm is a folder."""
    submission = read(make_zip(Piece(b"nim.asm/"), Piece(b"nim.asm/readme.txt", b"x")))
    assert submission.folders == ("nim.asm",)
    assert paths(submission) == ["nim.asm/readme.txt"]


def test_an_archive_with_a_comment(read):
    """A comment at the end does not hide the directory."""
    assert paths(read(make_zip(PROGRAM, comment=b"made by hand" * 100))) == ["nim.asm"]


def test_problems_are_safe_to_show(read):
    """A name with escape sequences is shown without them."""
    (problem,) = read(make_zip(Piece(b"../\x1b[31mred", b"x"), PROGRAM)).problems
    assert "\x1b" not in problem
