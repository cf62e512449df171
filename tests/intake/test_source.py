"""From what a TA names on the command line to submissions."""

from __future__ import annotations

import os
import pickle
import tracemalloc

import pytest

from grader.errors import JudgeError, UsageError
from grader.intake.archive import MIB, Limits
from grader.intake.plan import plan
from grader.intake.source import read_entry, read_submission
from grader.submission import Form
from tests.intake.archives import Piece, gbk_zip, make_zip

NUMBER = "[A-Z]{2}[0-9]{8}"
ZHANG, LI, WANG = "PB07210340", "PB07210341", "PB07210342"
ONE = make_zip(Piece(b"PB07210340/nim.asm", b"HALT"), Piece(b"PB07210340/report.pdf", b"%PDF"))


@pytest.fixture
def make(tmp_path):
    """Write files, given as a mapping from paths to bytes; None makes an empty folder. Returns the folder."""

    def make(files: dict[str, bytes | None], name: str = "submissions"):
        root = tmp_path / name
        root.mkdir()
        for path, data in files.items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            if data is None:
                target.mkdir()
            else:
                target.write_bytes(data)
        return root

    return make


def ids(found):
    """The identifiers of a plan in their order."""
    return [entry.id for entry in found.entries]


def summary(found, pattern=NUMBER):
    """Identifier, student and file paths of every submission of a plan."""
    read = [read_entry(entry, pattern) for entry in found.entries]
    return [(s.id, s.student, [file.path for file in s.files]) for s in read]


# --- one submission ---------------------------------------------------------------------------------------------------


def test_a_file_is_a_submission(make):
    """One file is a submission of one file, named as it is."""
    found = read_submission(make({"nim.asm": b"HALT"}) / "nim.asm")
    assert (found.form, found.handed_in_as, found.id) == (Form.FILE, "nim.asm", "nim")
    assert [(file.path, file.data) for file in found.files] == [("nim.asm", b"HALT")]


def test_a_folder_is_a_submission(make):
    """A folder is read with everything in it but noise; its own name is what was handed in."""
    root = make({"PB07210340/src/nim.asm": b"x", "PB07210340/.DS_Store": b"x", "PB07210340/empty": None})
    found = read_submission(root / ZHANG, NUMBER)
    assert (found.form, found.handed_in_as, found.student_id) == (Form.FOLDER, ZHANG, ZHANG)
    assert [file.path for file in found.files] == ["src/nim.asm"]
    assert found.folders == ("empty", "src")


def test_a_number_is_found_in_the_folder_inside(make):
    """When the archive does not say whose it is, the folder in it does."""
    assert read_submission(make({"LAB04.zip": ONE}) / "LAB04.zip", NUMBER).student_id == ZHANG


def test_the_working_directory_has_a_name(make, monkeypatch):
    """``grader check SPEC .`` hands in the folder by its real name."""
    monkeypatch.chdir(make({"nim.asm": b"x"}, name=ZHANG))
    assert read_submission(type(make({}, "other"))("."), NUMBER).handed_in_as == ZHANG


def test_what_is_too_large_is_not_read_at_all(make):
    """A file that is larger than it may be is left out by its size: not one byte of it comes into memory."""
    root = make({"nim.asm": b"HALT", "core": b""}, name=ZHANG)
    os.truncate(root / "core", 5 << 30)
    tracemalloc.start()
    found = read_submission(root, NUMBER)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [file.path for file in found.files] == ["nim.asm"]
    assert found.problems == ("core: larger than 16 MiB, the limit for one file; it was left out",)
    assert peak < MIB


def test_nothing_there(tmp_path):
    """A path that does not exist is wrong usage, and the message names it."""
    with pytest.raises(UsageError, match=r"nowhere\.zip: cannot be read \(No such file"):
        read_submission(tmp_path / "nowhere.zip")


def test_links_and_pipes_are_left_out(make, tmp_path):
    """A folder cannot make the grader read what lies outside of it, nor wait for a pipe."""
    root = make({"a/nim.asm": b"x"})
    (tmp_path / "secret").write_text("secret")
    (root / "a/link.asm").symlink_to(tmp_path / "secret")
    (root / "a/loop").symlink_to(root)
    os.mkfifo(root / "a/pipe")
    found = read_submission(root / "a")
    assert [file.path for file in found.files] == ["nim.asm"]
    assert len(found.problems) == 3


def test_a_folder_keeps_to_the_limits(make):
    """In a folder too a file over the limit is left out, and one of exactly the limit is kept."""
    root = make({"a/nim.asm": b"x", "a/fits.bin": bytes(MIB), "a/large.bin": bytes(MIB + 1)})
    found = read_submission(root / "a", limits=Limits(member_bytes=MIB))
    assert [file.path for file in found.files] == ["fits.bin", "nim.asm"]
    assert found.problems == ("large.bin: larger than 1 MiB, the limit for one file; it was left out",)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_no_missing_file(make):
    """A file without permission is the machine's fault, which is named: without it nothing is judged."""
    root = make({"a/nim.asm": b"x", "a/locked": b"x"})
    (root / "a/locked").chmod(0)
    with pytest.raises(JudgeError, match=r"locked: cannot be read \(Permission denied\)"):
        read_submission(root / "a")


def test_a_loose_file_that_is_too_large(make):
    """A single file over the limit is a submission without files, and says why."""
    root = make({"nim.asm": bytes(MIB + 1)})
    found = read_submission(root / "nim.asm", limits=Limits(member_bytes=MIB))
    assert (found.files, found.problems) == ((), ("nim.asm: larger than 1 MiB, the limit for one file",))


# --- many submissions -------------------------------------------------------------------------------------------------


def test_a_folder_of_zips(make):
    """A folder of zips is a batch, in the order of the numbers."""
    root = make({f"{LI} 李诚 LAB04.zip": ONE, f"{ZHANG} 张海博 LAB04.zip": ONE, "Thumbs.db": b"x"})
    found = plan([root], NUMBER)
    inside = [f"{ZHANG}/nim.asm", f"{ZHANG}/report.pdf"]
    assert summary(found) == [(ZHANG, "张海博", inside), (LI, "李诚", inside)]
    assert found.ignored == ()


def test_a_folder_of_folders_and_loose_files(make):
    """Folders, zips and loose programs may lie side by side; other files are ignored and named."""
    root = make({f"{ZHANG}/nim.asm": b"x", f"{LI}.zip": ONE, f"{WANG}_nim.asm": b"y", "notes.txt": b"z"})
    found = plan([root], NUMBER)
    assert ids(found) == [ZHANG, LI, WANG]
    assert [entry.form for entry in found.entries] == [Form.FOLDER, Form.ARCHIVE, Form.FILE]
    assert found.ignored == ("notes.txt: neither a program nor named after a student",)


def test_a_zip_of_zips_with_gbk_names(make):
    """The download of a class, made on a Chinese Windows, is read without unpacking anything."""
    inner = gbk_zip({f"{ZHANG}/nim.asm": b"HALT", f"{ZHANG}/报告.pdf": b"%PDF"})
    root = make({"all.zip": gbk_zip({f"{ZHANG} 张海博 LAB04.zip": inner, f"{LI} 李诚 LAB04.zip": ONE})})
    found = plan([root / "all.zip"], NUMBER)
    assert summary(found)[0] == (ZHANG, "张海博", [f"{ZHANG}/nim.asm", f"{ZHANG}/报告.pdf"])
    assert [entry.handed_in_as for entry in found.entries] == [f"{ZHANG} 张海博 LAB04.zip", f"{LI} 李诚 LAB04.zip"]


def test_a_zip_of_folders_and_files(make):
    """A zip may hold folders and loose programs as well; each submission gets its own part."""
    download = gbk_zip({f"{ZHANG} 张海博/nim.asm": b"x", f"{LI} 李诚/a/nim.asm": b"y", f"{WANG} 王芳 nim.asm": b"z"})
    found = plan([make({"all.zip": download}) / "all.zip"], NUMBER)
    assert summary(found) == [
        (ZHANG, "张海博", ["nim.asm"]),
        (LI, "李诚", ["a/nim.asm"]),
        (WANG, "王芳", [f"{WANG} 王芳 nim.asm"]),
    ]


@pytest.mark.parametrize("wrapped", ["", "lab04/", "downloads/lab04/"])
def test_folders_around_the_submissions_do_not_matter(make, wrapped):
    """Submissions are found below folders that hold nothing else, on disk and in a zip."""
    download = gbk_zip({f"{wrapped}{ZHANG}.zip": ONE, f"{wrapped}{LI}.zip": ONE})
    root = make({f"disk/{wrapped}{ZHANG}.zip": ONE, f"disk/{wrapped}{LI}.zip": ONE, "all.zip": download})
    assert ids(plan([root / "disk"], NUMBER)) == ids(plan([root / "all.zip"], NUMBER)) == [ZHANG, LI]


def test_sections(make):
    """A folder of sections, one of them still packed, is one batch."""
    section = gbk_zip({f"{LI}.zip": ONE, f"{WANG}.zip": ONE})
    root = make({f"section 1/{ZHANG}.zip": ONE, "section 1/PB07210349.zip": ONE, "section 2.zip": section})
    assert ids(plan([root], NUMBER)) == [ZHANG, LI, WANG, "PB07210349"]


def test_several_sources(make):
    """Each of several sources may be one submission, and a source that is named twice counts once."""
    root = make({f"{ZHANG}.zip": ONE, f"{LI}/nim.asm": b"x", "nim.asm": b"y"})
    sources = [root / f"{ZHANG}.zip", root / LI, root / "nim.asm", root / f"{ZHANG}.zip"]
    assert ids(plan(sources, NUMBER)) == ["nim", ZHANG, LI]


@pytest.mark.parametrize(
    "files",
    [
        {"nim.asm": b"x", "report.pdf": b"y"},
        {"src/nim.asm": b"x"},
        {f"{ZHANG}/nim.asm": b"x", f"{ZHANG}/report.pdf": b"x"},
        {"nim.asm": b"x", "old.zip": ONE, "backup/nim.asm": b"y"},
    ],
)
def test_a_zip_that_is_one_submission(make, files):
    """A student's own archive is one submission, whatever it is called and however it is packed."""
    root = make({"lab.zip": gbk_zip(files)})
    assert [entry.handed_in_as for entry in plan([root / "lab.zip"], NUMBER).entries] == ["lab.zip"]


def test_what_carries_a_number_is_not_looked_into(make):
    """An archive with a student number is one submission though there are folders and archives in it."""
    data = gbk_zip({"a/nim.asm": b"x", "b/nim.asm": b"y", "c.zip": ONE})
    assert ids(plan([make({f"{ZHANG}.zip": data}) / f"{ZHANG}.zip"], NUMBER)) == [ZHANG]


def test_without_a_pattern(make):
    """If a spec names no pattern, folders and archives beside each other are submissions by their names."""
    root = make({"张海博.zip": ONE, "Li Cheng/nim.asm": b"x", "readme.txt": b"x"})
    assert [(entry.id, entry.student) for entry in plan([root]).entries] == [
        ("Li-Cheng", "Li Cheng"),
        ("张海博", "张海博"),
    ]


def test_folders_inside_a_submission(make):
    """A folder found among submissions is one of them, though it holds several folders."""
    root = make({"alice/src/a.asm": b"x", "alice/docs/b.txt": b"x", "bob/nim.asm": b"x"})
    assert ids(plan([root])) == ["alice", "bob"]


@pytest.mark.parametrize(("members", "found"), [(5_000, [LI, ZHANG]), (5_001, ["mystery"])])
def test_an_archive_found_among_submissions_gets_the_limits_of_one(make, members, found):
    """An archive that the TA did not name is looked into only within the limits of one submission."""
    names = [f"{ZHANG}/{n}".encode() for n in range(members - 1)]
    archive = make_zip(*map(Piece, names), Piece(f"{LI}/nim.asm".encode()))
    root = make({"mystery.zip": archive, f"{WANG}.zip": ONE})
    assert sorted(ids(plan([root], NUMBER))) == sorted([*found, WANG])


@pytest.mark.parametrize(("limit", "kept"), [(3, 3), (2, 2)])
def test_the_limit_of_files_in_a_folder(make, limit, kept):
    """A folder may have as many files as the limit; with one more the rest is left out, and it is said."""
    root = make({"a/1": b"x", "a/2": b"x", "a/3": b"x"})
    found = read_submission(root / "a", limits=Limits(members=limit))
    assert (len(found.files), len(found.problems)) == (kept, 3 - kept)


def test_archives_inside_count_together(make):
    """The members of an archive inside count towards the limit of the whole."""
    data = make_zip(Piece(b"1"), Piece(b"inner.zip", make_zip(Piece(b"2"), Piece(b"3"))))
    path = make({"a.zip": data}) / "a.zip"
    assert len(read_submission(path, limits=Limits(members=4)).files) == 3
    assert len(read_submission(path, limits=Limits(members=3)).files) == 1


def test_two_submissions_of_one_student(make):
    """Both are planned, in a fixed order and under different identifiers."""
    root = make({f"{ZHANG} 张海博 LAB04.zip": ONE, f"{ZHANG} 张海博 LAB04 (1).zip": ONE})
    found = plan([root], NUMBER)
    assert ids(found) == [ZHANG, f"{ZHANG}-2"]
    assert [entry.handed_in_as for entry in found.entries] == [
        f"{ZHANG} 张海博 LAB04.zip",
        f"{ZHANG} 张海博 LAB04 (1).zip",
    ]
    assert {entry.student_id for entry in found.entries} == {ZHANG}


def test_the_order_does_not_depend_on_the_sources(make):
    """The same submissions get the same identifiers in whatever order they are named."""
    root = make({f"{LI}.zip": ONE, f"{ZHANG}.zip": ONE, f"a/{ZHANG}.zip": ONE})
    sources = [root / f"{LI}.zip", root / f"{ZHANG}.zip", root / f"a/{ZHANG}.zip"]
    assert plan(sources, NUMBER).entries == plan(sources[::-1], NUMBER).entries


def test_entries_travel(make):
    """An entry can be sent to another process."""
    (entry,) = plan([make({f"{ZHANG}.zip": ONE}) / f"{ZHANG}.zip"], NUMBER).entries
    assert pickle.loads(pickle.dumps(entry)) == entry


def test_a_broken_archive_among_others(make):
    """An archive that cannot be read is a submission with a problem, in a folder and in a zip."""
    cut = gbk_zip({"nim.asm": b"x"})[:-9]
    root = make(
        {f"disk/{ZHANG}.zip": cut, f"disk/{LI}.zip": ONE, "all.zip": gbk_zip({f"{ZHANG}.zip": cut, f"{LI}.zip": ONE})}
    )
    for source in ("disk", "all.zip"):
        found = plan([root / source], NUMBER)
        broken, whole = (read_entry(entry) for entry in found.entries)
        assert (broken.files, len(broken.problems)) == ((), 1)
        assert (len(whole.files), whole.problems) == (2, ())


def test_a_damaged_member_of_a_download(make):
    """A member whose checksum is wrong becomes a submission that says so."""
    download = make_zip(Piece(b"PB07210340.zip", ONE, crc=1), Piece(b"PB07210341.zip", ONE))
    broken, _ = (read_entry(e) for e in plan([make({"all.zip": download}) / "all.zip"], NUMBER).entries)
    assert "damaged" in broken.problems[0]


def test_members_of_a_download_that_belong_to_nobody(make):
    """A part of a download that cannot be read is named: with its submission if it has one, else with the batch."""
    download = make_zip(
        Piece(b"../evil.zip", ONE),
        Piece(b"PB07210340/nim.asm", b"x"),
        Piece(b"PB07210340/link", b"/etc/passwd", mode=0o120777),
        Piece(b"PB07210341.zip", ONE),
    )
    found = plan([make({"all.zip": download}) / "all.zip"], NUMBER)
    assert found.ignored == ("all.zip: ../evil.zip: leads outside the archive; it was left out",)
    assert read_entry(found.entries[0]).problems == ("link: is a link; it was left out",)


def test_a_link_among_submissions_is_ignored(make, tmp_path):
    """A link beside the submissions is not followed, and is named."""
    root = make({f"{ZHANG}.zip": ONE, f"{LI}.zip": ONE})
    (root / WANG).symlink_to(tmp_path)
    assert plan([root], NUMBER).ignored == (f"{WANG}: a link or a special file",)


def test_names_unpacked_without_regard_to_encoding(make):
    """On Linux a folder unpacked by a careless tool has GBK names; they are read as what they say."""
    root = make({})
    for name in (f"{ZHANG} 张海博", f"{LI} 李诚"):
        folder = root / os.fsdecode(name.encode("gbk"))
        folder.mkdir()
        (folder / "nim.asm").touch()
    found = plan([root], NUMBER)
    assert [entry.student for entry in found.entries] == ["张海博", "李诚"]
    assert [file.path for file in read_entry(found.entries[0]).files] == ["nim.asm"]


def test_an_empty_source(make):
    """A folder in which there is nothing to grade is wrong usage."""
    with pytest.raises(UsageError, match="holds no submissions"):
        plan([make({".DS_Store": b"x"})], NUMBER)
