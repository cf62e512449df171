"""Differently packed submissions of one MIPS program, as a loose file, a folder and an archive: each is built, or a person is asked."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.build.built import Built
from grader.build.pieces import Piece, starts_of
from grader.build.simulated import build_simulated
from grader.intake.source import read_submission
from grader.machines.families import reads_as
from grader.results import Verdict, Weight
from grader.submission import SubmittedFile
from tests.build.conftest import spec

MIPS = {"language": "mips", "sources": ["*.asm", "*.s"], "profiles": ["mars", "spim"]}
WHOLE = """
        .data
ask:    .asciiz "Column? "
        .text
        .globl main
main:   la   $a0, ask           # main: of another program
        jal  say
        li   $v0, 5
        syscall
        li   $v0, 10
        syscall
say:    li   $v0, 4
        syscall
        jr   $ra
"""
CALLER = WHOLE[: WHOLE.index("say:")]
SAY = "        .text\n        .globl say\n" + WHOLE[WHOLE.index("say:") :]
CALLS_FOR_DATA = CALLER[CALLER.index("        .text") :]
DATA = '        .data\n        .globl ask\nask:    .asciiz "Column? "\n'
UNDER_A_FUNCTION = '        .data\nask: .asciiz "Column? "\n' + SAY + CALLS_FOR_DATA
NAMELESS = WHOLE.replace("main:", "     ").replace(".globl main", "")


def packed(files: Mapping[str, str], folder: Path, how: str) -> Path:
    """The place of the files: a loose one, in a folder, or in an archive as a Mac packs it."""
    if how == "file":
        ((name, text),) = files.items()
        (folder / name).write_text(text)
        return folder / name
    if how == "folder":
        for name, text in files.items():
            (folder / "1952001" / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / "1952001" / name).write_text(text)
        return folder / "1952001"
    with zipfile.ZipFile(folder / "1952001.zip", "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
            archive.writestr(f"__MACOSX/._{name}", "\0\5\x16\7")
    return folder / "1952001.zip"


def built(files: Mapping[str, str], folder: Path, how: str = "zip", **program: object) -> Built:
    """The result of building the files, packed like that."""
    return build_simulated(spec(**(MIPS | program)), read_submission(packed(files, folder, how)))


def said(made: Built) -> bytes:
    """The output of the program up to its first question."""
    session = made.programs["mars"].start("mars")
    assert session.advance() is None
    return session.take_output()


def names(made: Built) -> list[str]:
    """The files of the program, in their order."""
    return [source.name for source in made.sources]


@pytest.mark.parametrize(
    ("files", "sources"),
    [
        ({"connect4.asm": WHOLE}, ["connect4.asm"]),
        ({"Bai tap lon.s": WHOLE}, ["Bai tap lon.s"]),
        ({"GAME.ASM": WHOLE}, ["GAME.ASM"]),
        ({"game.txt": WHOLE}, ["game.txt"]),
    ],
)
@pytest.mark.parametrize("how", ["file", "folder", "zip"])
def test_a_program_of_one_file_may_have_any_name_in_any_form(files, sources, how, tmp_path):
    """A lone .asm, .s, .ASM or text that reads like a program is the program, and a name that nobody demands is no remark."""
    made = built(files, tmp_path, how)
    assert (names(made), said(made), made.review) == (sources, b"Column? ", ())
    assert [finding.code for finding in made.findings] == (["other-name"] if "txt" in sources[0] else [])


@pytest.mark.parametrize(
    ("files", "sources"),
    [
        ({"work/src/game.asm": WHOLE, "work/report.pdf": "%PDF", "work/readme.txt": "Press run."}, ["work/src/game.asm"]),
        ({"main.asm": CALLER, "a.asm": SAY}, ["main.asm", "a.asm"]),
        ({"main.asm": CALLS_FOR_DATA, "data.asm": DATA, "b.asm": SAY}, ["main.asm", "b.asm", "data.asm"]),
        ({"main.asm": '.include "data.asm"\n' + CALLS_FOR_DATA + '.include "say.asm"\n', "data.asm": DATA, "say.asm": SAY}, ["main.asm"]),
        ({"game.asm": WHOLE, "copy/game.asm": WHOLE.replace("\n", " \r\n"), "game.s": WHOLE}, ["game.asm"]),
        ({"b.asm": CALLER.replace("main:", "").replace(".globl main", ""), "a.asm": SAY}, ["b.asm", "a.asm"]),
    ],
    ids=["deep", "two files", "data apart", "included", "a copy", "no main at all"],
)  # fmt: skip
@pytest.mark.parametrize("how", ["folder", "zip"])
def test_the_files_of_one_program_are_assembled_together(files, sources, how, tmp_path):
    """The file that starts it comes first, then those whose global names it uses; what it includes comes with it."""
    made = built(files, tmp_path, how)
    assert (made.verdict, names(made), said(made)) == (Verdict.ACCEPTED, sources, b"Column? ")
    assert all(finding.weight is Weight.NOTE for finding in made.findings)
    assert made.review == ()


@pytest.mark.parametrize(
    "files",
    [
        {"connect4.asm": WHOLE, "connect4_v2.asm": WHOLE.replace("Column", "Which column")},
        {"a.asm": NAMELESS, "b.asm": NAMELESS.replace("Column", "Which column")},
        {f"{n}.asm": WHOLE.replace("Column", f"Column {n}") for n in range(200)},
    ],
    ids=["two mains", "two without main", "very many"],
)
def test_of_several_programs_a_person_says_which_one_counts(files, tmp_path):
    """Neither the first nor the last is guessed to be the one."""
    made = built(files, tmp_path)
    assert (made.verdict, made.programs) == (Verdict.NEEDS_REVIEW, {})
    assert made.review[0].startswith("there are several programs, and a person must say which one counts: ")


def test_a_copy_of_the_courses_own_file_is_no_second_program(tmp_path):
    """Whoever hands in the driver that was given out, with line ends of Windows or without; a changed one may be a program."""
    given = (SubmittedFile("driver.asm", WHOLE.encode()),)

    def verdict(driver):
        files = {"mine.asm": WHOLE.replace("Column", "My column"), "given/driver.asm": driver}
        return build_simulated(spec(**MIPS), read_submission(packed(files, tmp_path, "zip")), given).verdict

    assert verdict(WHOLE.replace("\n", "\r\n")) is not Verdict.NEEDS_REVIEW
    assert verdict(WHOLE.replace("Column", "Which column")) is Verdict.NEEDS_REVIEW


def test_a_file_that_is_not_used_is_left_out(tmp_path):
    """An exercise beside the program is not assembled, and staff are told of it."""
    made = built({"game.asm": WHOLE, "exercise.asm": "add $t0, $t1, oh dear\n"}, tmp_path)
    assert (names(made), said(made)) == (["game.asm"], b"Column? ")
    assert made.review == ("game.asm was graded; it uses nothing of exercise.asm",)


@pytest.mark.parametrize("top", ["", "back: jr $ra\n", "line: li $v0, 11\nli $a0, 10\nsyscall\njr $ra\n"])
def test_a_main_that_is_not_at_the_top_is_started(top, tmp_path):
    """Where functions stand above main, MARS would run these alone: it begins at main, and that is told as MARS calls it."""
    made = built({"game.asm": UNDER_A_FUNCTION.replace("say:", f"{top}say:")}, tmp_path)
    assert (made.start, said(made)) == ("main", b"Column? ")
    assert "global main" in made.findings[0].message


def test_the_plain_start_stands_where_it_does_something(tmp_path):
    """A jump to main at the top, or a start that the spec demands, leaves no choice."""
    assert built({"game.asm": ".text\nj main\n" + UNDER_A_FUNCTION}, tmp_path).start == ""
    returns = UNDER_A_FUNCTION.replace("say:", "back: jr $ra\nsay:")
    assert built({"game.asm": returns}, tmp_path, start="first").programs["mars"].start("mars").advance() is not None


@pytest.mark.parametrize("how", ["file", "folder", "zip"])
def test_a_name_that_is_demanded_is_remarked_on(how, tmp_path):
    """A lone program under another name than the demanded one is graded in any form; staff and the student are told."""
    made = built({"game.asm": WHOLE}, tmp_path, how, sources=["nim.asm"])
    sentence = "game.asm was graded as nim.asm: no file has that name"
    assert (said(made), made.review, made.findings[0].message) == (b"Column? ", (sentence,), sentence)
    assert made.findings[0].weight is Weight.NOTE


def test_a_system_may_add_to_the_name_of_a_loose_file(tmp_path):
    """Learning platforms put the student before the name and a number behind it: no remark."""
    made = built({"nguyen_1952001_nim-2.asm": WHOLE}, tmp_path, "file", sources=["nim.asm"])
    assert (made.review, made.findings) == ((), ())


def test_of_two_files_of_the_demanded_name_the_shallower_counts(tmp_path):
    """An old version in a folder is told of; of two side by side in folders a person says which."""
    made = built({"nim.asm": WHOLE, "old/nim.asm": CALLER}, tmp_path, sources=["nim.asm"])
    assert made.review == ("nim.asm was graded; there is also old/nim.asm, with other contents",)
    beside = {"v1/nim.asm": WHOLE, "v2/nim.asm": CALLER}
    (tmp_path / "more").mkdir()
    assert built(beside, tmp_path / "more", sources=["nim.asm"]).verdict is Verdict.NEEDS_REVIEW


def test_what_is_no_program_is_missing(tmp_path):
    """A text and a picture are not taken for a program, and the hint says what there is."""
    made = built({"readme.txt": "Load the file into MARS.", "board.png": "x"}, tmp_path)
    assert made.verdict is Verdict.MISSING_FILE
    assert made.findings[0].message == "there is no program: no file is called *.asm, *.s"
    assert "board.png, readme.txt" in made.findings[0].hint


def test_names_that_another_file_includes_may_be_written_with_folders(tmp_path):
    """MARS takes either slash; what stands in a comment or a string includes nothing."""
    main = '.include "lib\\\\data.asm"\n# .include "game.asm"\n' + CALLS_FOR_DATA + SAY.replace(".globl say", "")
    made = built({"game.asm": main.replace("\\\\", "\\"), "lib/data.asm": DATA}, tmp_path)
    assert (names(made), said(made)) == (["game.asm"], b"Column? ")


def test_an_archive_in_memory_is_no_file(tmp_path):
    """An archive inside an archive is opened."""
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("game.asm", WHOLE)
    with zipfile.ZipFile(tmp_path / "outer.zip", "w") as archive:
        archive.writestr("code.zip", inner.getvalue())
    made = build_simulated(spec(**MIPS), read_submission(tmp_path / "outer.zip"))
    assert names(made) == ["code.zip/game.asm"]


@pytest.mark.parametrize("line", ["\n", '"', "'", "a", "main(", ".", "from .", "/*", "\\", "a.", "(", "package "])
def test_what_is_looked_for_is_found_in_time(line):
    """A file of one thing a quarter of a million times over is looked at in a moment, whatever language it is taken for."""
    started = time.process_time()
    file = SubmittedFile("x", (line * (1 << 18))[: 1 << 18].encode())
    for language in ("lc3", "mips", "c", "java", "python"):
        starts_of(language, [file])
    for language in ("lc3", "mips"):
        reads_as(language, Piece.of(file).source)
    assert time.process_time() - started < 10  # seconds; what looks again from each line would take minutes
