"""Every fixture gets exactly the grade that it declares, and bad input gets a verdict or a clear error.

``fixtures/README.md`` says what a fixture is. Files that are huge or binary are made here rather than kept there.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from pypdf import PdfWriter

from grader.authoring.fixtures import not_accepted
from grader.grading import Grading
from grader.intake.source import read_submission
from grader.machines.lc3.assembler import assemble
from grader.source import SourceFile
from grader.spec.loader import load_assignment
from grader.submission import Form, Submission, SubmittedFile
from tests.declared import is_as_declared, said

ROOT = Path(__file__).parents[1]
ASSIGNMENTS = ("lc3-nim", "mips-connect4", "c-nim", "java-nim", "pile-nim")
FIXTURES = sorted(folder for name in ASSIGNMENTS for folder in (ROOT / "fixtures" / name).glob("*/*/"))
COMMON = {"accepted": 6, "form": 12, "needs-review": 6, "not-shown": 6, "runtime-error": 6, "wrong-answer": 15}
"""Verdicts with so many fixtures that a whole run grades one of six, twelve or fifteen."""
SLOW = {"c-nim": 2, "java-nim": 2}
"""A whole run grades half as many fixtures of these assignments: each takes as long as several others."""
DEAR = (
    "searches-for-ever-when-no-move-wins",
    "winner-is-told-for-ever",
    "haufen-von-0-bis-2",
    "shows-the-empty-heaps-for-ever",
)
"""Fixtures that take up to half a minute each: they come to a limit in every game, or need a Java machine for each run.

C and the LC-3 have fixtures like them.
"""

ALWAYS = ("words-never-come-again", "saeulen-statt-reihen", "chinese-emoji-and-a-menu")
"""Every run grades these. The first never says the same twice, and in the second a doubt on two criteria opens one. The third is judged
under SPIM, since MARS would print a byte of each letter."""

ACCEPTED = ROOT / "fixtures" / "lc3-nim" / "accepted"
ARCHIVE = "PB07210340 张海博 LAB04.zip"
FOLDER = "PB07210340"


@pytest.fixture(scope="module")
def gradings() -> Iterator[dict[str, Grading]]:
    """Grades submissions, by assignment."""
    with ExitStack() as stack:
        yield {
            name: stack.enter_context(Grading(load_assignment(ROOT / "specs" / f"{name}.yaml"))) for name in ASSIGNMENTS
        }


@pytest.fixture(scope="module")
def grading(gradings) -> Grading:
    """Grades submissions for lc3-nim."""
    return gradings["lc3-nim"]


@pytest.fixture(scope="module")
def report() -> bytes:
    """A report.pdf of one page."""
    writer, file = PdfWriter(), io.BytesIO()
    writer.add_blank_page(width=200, height=200)
    writer.write(file)
    return file.getvalue()


def handed_in(files: dict[str, bytes], report: bytes, folder: Path) -> Submission:
    """The files as a student hands them in: with a report, in a folder named after the number, in an archive."""
    path = folder / ARCHIVE
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in {**files, "report.pdf": report}.items():
            archive.writestr(f"{FOLDER}/{name}", data)
    return read_submission(path)


def source_alone(data: bytes) -> Submission:
    """A submission that is one file."""
    return Submission("s", "s", (SubmittedFile("nim.asm", data),), form=Form.FILE)


def graded(fixture: Path) -> object:
    """A fixture as a parameter. Most take seconds: nearly all of the common verdicts are spare, and what hangs most."""
    name = "/".join(fixture.parts[-3:])
    share = COMMON.get(fixture.parent.name, 1) * SLOW.get(fixture.parents[1].name, 1)
    mark = pytest.mark.spare if fixture.name in DEAR else pytest.mark.share(1 if fixture.name in ALWAYS else share)
    return pytest.param(fixture, id=name, marks=mark)


@pytest.mark.parametrize("fixture", [graded(one) for one in FIXTURES])
def test_a_fixture_gets_the_grade_that_it_declares(fixture, gradings, report, tmp_path):
    """Score, criteria and verdicts are those of expected.yaml, and the folder is the first verdict not accepted."""
    root = fixture / "submission"
    files = {p.relative_to(root).as_posix(): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}
    grade = gradings[fixture.parents[1].name].grade(handed_in(files, report, tmp_path))
    expected = is_as_declared(grade, fixture)
    assert set(expected) - {"diagnostics", "review"} == {"score", "criteria", "cases"}
    assert [text for text in expected.get("review", []) if text not in "\n".join(grade.review)] == []
    assert bool(grade.review) == ("review" in expected)


def test_the_fixtures_are_many_and_of_every_kind():
    """There are at least thirty, ten correct ones among them, and each verdict that a program can earn occurs."""
    verdicts = [fixture.parent.name for fixture in FIXTURES]
    assert len(verdicts) >= 30
    assert verdicts.count("accepted") >= 10
    assert set(verdicts) == {
        "accepted", "wrong-answer", "runtime-error", "time-limit", "output-limit", "not-terminating", "compile-error",
        "missing-file", "memory-limit", "needs-review", "form", "not-shown", "unjudged",
    }  # fmt: skip


def test_a_correct_program_is_correct_in_every_encoding(grading):
    """UTF-16 with a mark, as Notepad writes it, UTF-8 with a mark, and line ends of Windows and old Macs are the same program."""
    text = (ACCEPTED / "lower-case-source" / "submission" / "nim.asm").read_text(encoding="utf-8")
    assert grading.grade(source_alone(text.encode("utf-16"))).score == 90
    image = assemble(SourceFile("nim.asm", text)).image
    assert image is not None
    for data in (text.encode("utf-8-sig"), text.replace("\n", "\r\n").encode(), text.replace("\n", "\r").encode()):
        assert grading.grade(source_alone(data), only={"assembles"}).cases[0].verdict == "accepted"
        assert assemble(SourceFile.from_bytes("nim.asm", data)).image.blocks == image.blocks


def test_a_source_over_the_limit_is_refused_with_its_limit(grading):
    """A little more than 1 MiB of source is a compile error that names the limit, and nothing else is run."""
    source = b"        ADD R0, R0, #1\n" * 46_000
    assert 1 << 20 < len(source) < 1.02 * (1 << 20)
    grade = grading.grade(source_alone(source))
    assert grade.score == 0
    assert not_accepted(grade)["assembles"] == "compile-error"
    assert "1,048,576" in said(grade)


def test_more_labelled_words_than_memory_has_do_not_fit(grading):
    """Within 1 MiB they are a compile error with few messages."""
    lines = "".join(f"L{n} NOP\n" for n in range((1 << 16) + 1))
    source = f".ORIG x0\n{lines}.END\n".encode()
    assert len(source) <= 1 << 20
    grade = grading.grade(source_alone(source))
    assert not_accepted(grade)["assembles"] == "compile-error"
    assert len(grade.diagnostics) < 60


def test_a_hundred_thousand_labels_for_one_word_assemble():
    """Labels alone take no memory: in front of a correct program within 1 MiB they change nothing of what is loaded."""
    program = (ACCEPTED / "lower-case-source" / "submission" / "nim.asm").read_text(encoding="utf-8")
    labels = "".join(f"Q{n}\n" for n in range(100_000))
    source = program.replace(".orig x3000\n", f".orig x3000\n{labels}").encode()
    assert len(source) <= 1 << 20
    images = [assemble(SourceFile.from_bytes("nim.asm", one)).image for one in (source, program.encode())]
    assert images[0].blocks == images[1].blocks


@pytest.mark.parametrize(
    "data", [bytes(range(256)) * 40, b"\x7fELF\x02\x01\x01" + bytes(4096), bytes([0x30, 0x00] * 900)]
)
def test_a_binary_file_is_a_compile_error(grading, data):
    """A file that is no text at all is a compile error with a bounded number of messages, never a fault of ours."""
    grade = grading.grade(source_alone(data))
    assert not_accepted(grade)["assembles"] == "compile-error"
    assert not grade.has_judge_error
    assert len(grade.diagnostics) < 60


def test_a_corrupt_archive_says_what_is_wrong(grading, tmp_path):
    """An archive that was cut short is a missing file, and staff are told that the archive could not be read."""
    path = tmp_path / ARCHIVE
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{FOLDER}/nim.asm", b".ORIG x3000\nHALT\n.END\n")
    path.write_bytes(path.read_bytes()[:60])
    grade = grading.grade(read_submission(path))
    assert not_accepted(grade)["assembles"] == "missing-file"
    assert any(ARCHIVE in sentence for sentence in grade.review)
