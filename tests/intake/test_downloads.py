"""Downloads of learning platforms are recognised by what they hold, and each submission has its owner and its files."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.intake import source
from grader.intake.archive import MIB
from grader.intake.plan import outline, plan
from grader.intake.platforms import Listing, recognise
from grader.intake.source import Downloads, read_entry, read_submission
from grader.submission import Form
from tests.loaded import ROOT, module_of

NUMBER = "[A-Z]{2}[0-9]{8}"
make = module_of(ROOT / "fixtures/downloads/make.py")


@pytest.fixture
def planned(tmp_path):
    """How a download is understood, from the bytes of its archive."""

    def planned(data: bytes, name: str = "download.zip"):
        path = tmp_path / name
        path.write_bytes(data)
        return plan([path], NUMBER, ["nim.asm"])

    return planned


def on_disk(data: bytes, folder: Path) -> Path:
    """The folder into which a TA has unpacked a download."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        archive.extractall(folder)
    return folder


def told(found):
    """Identifier, student, number and files of every submission of a plan."""
    read = [read_entry(entry, NUMBER) for entry in found.entries]
    return {s.id: (s.student, s.student_id, [file.path for file in s.files]) for s in read}


CANVAS = {
    "PB07210340": ("张海博", "PB07210340", ["PB07210340/nim.asm", "PB07210340/report.pdf"]),
    "liwei-1021": ("liwei", "", ["nim.asm"]),
    "lovelaceada-1022": ("lovelaceada", "", ["nim.asm", "report.pdf"]),
    "nuñezjosé-1024": ("nuñezjosé", "", ["nim.asm"]),
    "projectteam7-1025": ("projectteam7", "", ["nim.asm"]),
}
MOODLE = {
    "Ada-Lovelace-4712": ("Ada Lovelace", "", ["report.pdf", "src/nim.asm"]),
    "Li-Wei-4711": ("Li Wei", "", ["nim.asm"]),
    "Li-Wei-4714": ("Li Wei", "", ["nim.asm"]),
    "PB07210340": ("张海博", "PB07210340", ["PB07210340/nim.asm", "PB07210340/report.pdf"]),
}
MOODLE_FLAT = {
    "Ada-Lovelace-4712": ("Ada Lovelace", "", ["nim.asm", "report.pdf"]),
    "Li-Wei-4711": ("Li Wei", "", ["nim.asm"]),
}
BLACKBOARD = {
    "ada_l": ("Ada Lovelace", "ada_l", ["PB07210341/nim.asm", "PB07210341/report.pdf"]),
    "liwei1": ("Li Wei", "liwei1", ["nim.asm"]),
}
GRADESCOPE = {
    "0071021": ("Li Wei", "0071021", ["nim.asm"]),
    "71022-71023": ("Ada Lovelace, 张海博", "71022, 71023", ["nim.asm", "report.pdf"]),
}


@pytest.mark.parametrize(
    ("made", "system", "expected"),
    [
        (make.canvas, "Canvas", CANVAS),
        (make.moodle, "Moodle", MOODLE),
        (make.moodle_flat, "Moodle", MOODLE_FLAT),
        (make.blackboard, "Blackboard", BLACKBOARD),
        (make.gradescope, "Gradescope", GRADESCOPE),
    ],
)
def test_a_download_as_it_came_and_unpacked(planned, tmp_path, made, system, expected):
    """A download is read as it came, and the same where a TA has unpacked it: names, identifiers and files."""
    packed = planned(made())
    assert told(packed) == expected
    assert packed.read_as[0].startswith(f"download.zip: a download from {system}, {len(expected)} submissions")
    assert packed.doubts == ()
    unpacked = plan([on_disk(made(), tmp_path / "unpacked")], NUMBER, ["nim.asm"])
    assert told(unpacked) == expected
    assert [entry.origin for entry in unpacked.entries] == [entry.origin for entry in packed.entries]


def test_files_of_a_download_named_one_by_one(tmp_path):
    """``grader batch lc3-nim canvas/*`` is the same download as its folder."""
    folder = on_disk(make.canvas(), tmp_path / "canvas")
    sources = [path for path in folder.iterdir() if path.name != "__MACOSX"]
    assert told(plan(sources, NUMBER, ["nim.asm"])) == CANVAS


def test_sections_that_are_downloads(tmp_path):
    """A folder that holds a download for each section is one batch."""
    (tmp_path / "section 1.zip").write_bytes(make.moodle())
    (tmp_path / "section 2.zip").write_bytes(make.canvas())
    found = plan([tmp_path], NUMBER, ["nim.asm"])
    assert len(found.entries) == len(MOODLE) + len(CANVAS)
    assert [line.partition(":")[0] for line in found.read_as] == ["section 1.zip", "section 2.zip"]


def test_what_canvas_says_of_lateness_and_texts(planned):
    """LATE is kept; what was typed into the browser is no submission of a program, and is named."""
    found = planned(make.canvas())
    assert [entry.id for entry in found.entries if entry.origin.late] == ["lovelaceada-1022"]
    assert found.ignored == (
        "doejane_LATE_1027_link.html: a link, not a program",
        "smithjo_1026_text.html: a text typed into the browser, not a program",
    )
    assert [str(i) for i in found.entries[0].origin.submitters[0].ids] == ["user id 1021"]


def test_a_single_file_keeps_the_name_that_the_student_gave_it(planned):
    """Staff and cases see ``nim.asm`` and not what the platform put before it; a zip within is the student's own."""
    found = {entry.id: entry for entry in planned(make.canvas()).entries}
    assert (found["liwei-1021"].handed_in_as, found["liwei-1021"].form) == ("nim.asm", Form.FILE)
    assert (found["PB07210340"].handed_in_as, found["PB07210340"].form) == (
        "PB07210340 张海博 LAB04.zip",
        Form.ARCHIVE,
    )
    assert found["lovelaceada-1022"].handed_in_as == "nim.asm, report.pdf"


@pytest.mark.parametrize("made", [make.canvas_anonymous, make.moodle_blind])
def test_blind_marking(planned, made):
    """If nobody is to be known, nobody has a name, and each has an identifier of its own."""
    found = planned(made())
    assert {entry.origin.submitters[0].name for entry in found.entries} == {""}
    assert len({entry.id for entry in found.entries}) == len(found.entries) >= 2


def test_the_latest_attempt_counts_as_a_set(planned):
    """The files of the last of several attempts count, and those of the others are named."""
    attempts = {entry.id: entry.origin for entry in planned(make.blackboard()).entries}
    assert attempts["liwei1"].attempt == "2026-11-02-09-15-00"
    assert len(attempts["liwei1"].earlier) == 2
    assert "notes.txt: a later attempt counts" in attempts["liwei1"].earlier[1]


def test_an_attempt_without_a_file_is_no_set_of_files(planned):
    """A student who writes a word after handing in has handed in: the latest attempt with files counts, and that is said."""
    first, second = "2026-11-01-08-00-00", "2026-11-02-09-15-00"
    files = {
        f"Lab_04_liwei1_attempt_{first}.txt": b"Name: Li Wei (liwei1)",
        f"Lab_04_liwei1_attempt_{first}_nim.asm": b"HALT",
        f"Lab_04_liwei1_attempt_{second}.txt": b"Name: Li Wei (liwei1)\nComments: thank you",
    }
    (entry,) = planned(make.zipped(files)).entries
    assert (entry.handed_in_as, entry.origin.attempt) == ("nim.asm", first)
    assert entry.notes == (f"the attempt of {second} has no file; that of {first} counts",)


def test_two_downloads_in_one_canvas_folder(planned):
    """If a late set of files lies beside an earlier one of the same student, only the late one counts."""
    files = {
        "liwei_7_1_nim.asm": b"a",
        "liwei_7_2_x.txt": b"b",
        "liwei_LATE_7_9_nim.asm": b"c",
        "ada_8_3_nim.asm": b"d",
    }
    ada, li = planned(make.zipped(files)).entries
    assert (ada.origin.late, li.origin.late, len(li.origin.earlier)) == (False, True, 2)
    assert [file.data for file in read_entry(li).files] == [b"c"]


def test_the_number_that_canvas_puts_into_a_name(planned):
    """``nim-1.asm`` is nim.asm handed in again where the spec asks for that; any other name stays, and so do several of them."""
    files = {"li_7_1_nim-1.asm": b"a", "li_7_2_ex-1.txt": b"b", "ada_8_3_ex-1.asm": b"c", "ada_8_4_ex-2.asm": b"d"}
    assert [paths for _, _, paths in told(planned(make.zipped(files))).values()] == [
        ["ex-1.asm", "ex-2.asm"],
        ["ex-1.txt", "nim.asm"],
    ]


@pytest.mark.parametrize(
    "names", [["nim.asm", "nim-1.asm"], ["nim-2.asm", "nim-10.asm"], ["a.zip", "a-1.zip", "a-2.zip"]]
)
def test_a_file_that_was_handed_in_again_counts_in_its_last_attempt(planned, names):
    """Canvas numbers it, and the last one that it got is graded; which was taken, and why, is said for each that was not."""
    last = len(names) - 1
    data = {
        at: make.zipped({"nim.asm": bytes([at])}) if name.endswith("zip") else bytes([at])
        for at, name in enumerate(names)
    }
    plan = planned(make.zipped({f"li_7_{at + 8}_{name}": data[at] for at, name in reversed(list(enumerate(names)))}))
    (entry,) = plan.entries
    assert [file.data for file in read_entry(entry).files] == [bytes([last])]
    assert entry.origin.earlier == tuple(
        f"{name}: an earlier attempt; {names[-1]} counts, which Canvas got last: it numbers a file that is handed in again"
        for name in names[:-1]
    )
    assert entry.notes == ()
    assert f"earlier, of li: {names[0]}: an earlier attempt" in outline(plan)


def test_numbers_that_do_not_count_up_are_for_a_person(planned):
    """A lower number that came later may be the student's own name: nothing is left out, and staff are asked."""
    (entry,) = planned(make.zipped({"li_7_9_nim.asm": b"a", "li_7_8_nim-1.asm": b"b"})).entries
    assert [file.path for file in read_entry(entry).files] == ["nim-1.asm", "nim.asm"]
    assert (entry.origin.earlier, len(entry.notes)) == ((), 1)


def test_a_backup_of_the_student_is_no_attempt(planned):
    """Files in a student's own archive have names of the student, whatever Canvas would make of them."""
    inside = make.zipped({"nim.asm": b"a", "nim-1.asm": b"b", "old/nim-2.asm": b"c"})
    (entry,) = planned(make.zipped({"li_7_9_lab.zip": inside})).entries
    assert [file.path for file in read_entry(entry).files] == ["nim-1.asm", "nim.asm", "old/nim-2.asm"]
    assert entry.origin.earlier == ()


def test_everybody_who_shares_a_submission_is_kept(planned):
    """Gradescope's export names all submitters, with numbers whose zeros are kept."""
    both = {entry.id: entry.origin.submitters for entry in planned(make.gradescope()).entries}["71022-71023"]
    assert [(who.name, [i.value for i in who.ids]) for who in both] == [
        ("Ada Lovelace", ["71022", "ada@example.org"]),
        ("张海博", ["71023", "zhang@example.org"]),
    ]


def test_metadata_that_mean_harm(planned):
    """Metadata that grow without end, or that are no YAML at all, are passed over."""
    laugh = "a: &a [x]\n" + "".join(f"{n}: &{n} [*a, *a, *a, *a, *a, *a, *a, *a]\n" for n in "bcdefgh")
    named = f"{laugh}submission_1: {{:submitters: [{{:name: *h}}]}}\n"
    for text in (laugh, named, "[" * 200_000, "!!python/object/apply:os.system ['true']", "{" * 5000, "\x00"):
        files = {"submission_metadata.yml": text.encode(), "submission_1/nim.asm": b"x", "submission_2/nim.asm": b"y"}
        assert [entry.handed_in_as for entry in planned(make.zipped(files)).entries] == ["submission_1", "submission_2"]


def test_clones_of_one_assignment(tmp_path):
    """Folders that git made are clones, of whoever stands behind the name that they share."""
    for name, data in make.clones().items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    found = plan([tmp_path], NUMBER, ["nim.asm"])
    assert told(found) == {
        "ada-l": ("ada-l", "ada-l", ["README.md", "nim.asm"]),
        "li_wei": ("li_wei", "li_wei", ["README.md", "nim.asm"]),
        "octocat": ("octocat", "octocat", ["README.md", "nim.asm"]),
    }
    assert found.entries[0].handed_in_as == "lab04-ada-l"


@pytest.mark.parametrize("names", [["lab04-alice", "lab04-bob"], ["alice", "bob"]])
def test_folders_are_no_clones_by_their_names_alone(names):
    """A folder that git did not make is one like any other."""
    assert recognise(Listing(dict.fromkeys(names, ("nim.asm",)))) == (None, "")


# --- what is not sure -------------------------------------------------------------------------------------------------


def test_what_does_not_fit_a_download_is_taken_for_what_it_is(planned):
    """A zip that a TA has added by hand is a submission, a list is not, and both are reported."""
    files = {
        "li_7_1_nim.asm": b"a",
        "ada_8_2_nim.asm": b"b",
        "PB07210349.zip": make.bundle("PB07210349"),
        "list.csv": b"x",
    }
    found = planned(make.zipped(files))
    assert [entry.id for entry in found.entries] == ["ada-8", "li-7", "PB07210349"]
    assert found.ignored == ("list.csv: neither a program nor named after a student",)
    assert found.doubts == (
        "download.zip: 2 of 4 names are as Canvas writes them; the others were taken for what their names say",
    )


def test_a_name_that_fits_by_chance_makes_no_download(planned):
    """If few names fit, the whole is no download, and that is said."""
    files = {f"{name}/nim.asm": b"x" for name in ("alice", "bob", "carol")} | {
        "lab_04_1_old.zip": make.bundle("PB07210349")
    }
    found = planned(make.zipped(files))
    assert (found.read_as, len(found.entries)) == ((), 4)
    assert found.doubts == (
        "download.zip: 1 of 4 names are as Canvas writes them, too few to take it for a download of Canvas",
    )


def test_nothing_of_a_student_is_a_download(tmp_path):
    """A zip among others whose members are named as Canvas does stays its owner's: names within could be anybody's."""
    (tmp_path / "PB07210340.zip").write_bytes(make.canvas())
    (tmp_path / "PB07210341.zip").write_bytes(make.bundle("PB07210341"))
    assert [entry.id for entry in plan([tmp_path], NUMBER, ["nim.asm"]).entries] == ["PB07210340", "PB07210341"]


def test_programs_side_by_side_are_not_graded_as_one(planned):
    """A class whose programs lie side by side is refused, unless one has the name that the spec asks for."""
    found = planned(make.flat())
    assert found.refusal == (
        "flat.zip: 3 programs lie side by side (alice.asm, bob.asm, carol.asm), and were taken for one submission"
    ).replace("flat.zip", "download.zip")
    assert planned(make.zipped({f"{name}.txt": b"x" for name in ("alice", "bob", "carol")})).refusal
    assert planned(make.zipped({"nim.asm": b"x", "old.asm": b"y"})).refusal == ""


def test_one_student_in_two_submissions(tmp_path):
    """Both submissions of an identifier have a note that names both."""
    (tmp_path / "first.zip").write_bytes(make.moodle_flat())
    (tmp_path / "second.zip").write_bytes(make.moodle_flat())
    notes = plan([tmp_path], NUMBER, ["nim.asm"]).entries[0].notes
    assert notes == ("2 submissions are of participant id 4712: nim.asm, report.pdf, nim.asm, report.pdf",)


def test_the_numbers_of_a_zip_and_of_the_folder_in_it(planned):
    """If they differ a person is told, and the name of the zip counts."""
    found = [read_entry(entry, NUMBER) for entry in planned(make.plain_gbk()).entries]
    assert [len(s.problems) for s in found] == [0, 1, 0]
    assert found[1].student_id == "PB07210341"
    assert found[1].problems == ("it was handed in under the number PB07210341, and a folder inside has PB07210349",)


def test_a_file_and_a_folder_of_one_name(tmp_path):
    """A name that no system could hold is left out and named, and the rest is read."""
    path = tmp_path / "PB07210340.zip"
    path.write_bytes(make.zipped({"nim.asm": b"HALT", "nim.asm/x/more.asm": b"a longer text"}))
    found = read_submission(path, NUMBER)
    assert [file.path for file in found.files] == ["nim.asm"]
    assert found.problems[0].startswith("nim.asm/x/more.asm: has the name of a folder, or lies in one with")


def test_an_archive_of_thousands_is_opened_once(planned, monkeypatch):
    """A reader of many submissions keeps their archive open: its directory takes longer to read than a submission."""
    found = planned(make.zipped({f"s{n}_{n}_{n}_nim.asm": b"x" for n in range(50)}))
    opened = []
    real = source.open_archive
    monkeypatch.setattr(source, "open_archive", lambda path, limits: opened.append(path) or real(path, limits))
    with Downloads() as downloads:
        read = [read_entry(entry, NUMBER, downloads=downloads) for entry in found.entries]
    assert (len(read), len(opened)) == (50, 1)


def test_a_download_of_texts_alone(planned):
    """If nobody handed in a file there is nothing to grade, and it is said what there is."""
    with pytest.raises(UsageError, match="holds no submissions") as caught:
        planned(make.zipped({"li_7_text.html": b"a", "ada_8_text.html": b"b"}))
    assert "a text typed into the browser" in caught.value.hint


def test_the_outline_says_how_all_was_understood(planned):
    """A plan as text has the system, a line for each submission, what was left out and what is not sure."""
    text = outline(planned(make.blackboard()))
    assert "a download from Blackboard, 2 submissions, 2 files of earlier attempts left out" in text
    assert "liwei1  Li Wei        login liwei1  2026-11-02-09-15-00  nim.asm" in text
    assert "not taken for a submission: Lab_04_jo7" in text
    assert "refuses to grade" in outline(planned(make.flat()))


# --- archives that mean harm ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "files", "problem"),
    [
        ("bomb.zip", ["nim.asm"], "zeros.bin: larger than 16 MiB"),
        ("slips.zip", ["nim.asm"], "leads outside the archive"),
        ("overlapping.zip", [], "shares its data with another member"),
        ("false-size.zip", ["nim.asm"], "big.bin: damaged"),
        ("nested.zip", [], "an archive inside 3 others"),
    ],
)
def test_what_means_harm_is_left_out_and_named(tmp_path, name, files, problem):
    """The member is refused and named, the rest is read, and memory stays within the limits."""
    path = tmp_path / "of" / "downloads" / name
    path.parent.mkdir(parents=True)
    path.write_bytes(make.HOSTILE[name]())
    tracemalloc.start()
    found = read_submission(path, NUMBER)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [file.path for file in found.files] == files
    assert problem in " ".join(found.problems)
    assert peak < 40 * MIB
    assert [other for other in tmp_path.rglob("*") if not other.is_dir()] == [path]
