"""The commands as their users call them: output, files, exit codes."""

from __future__ import annotations

import csv
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from shutil import copytree
from xml.etree import ElementTree

import pytest

from grader.bundled import bundled_specs, spec_path
from tests.batch.nim import drawn_nim
from tests.commands import run as grader

ROOT = Path(__file__).resolve().parents[2]
GOOD = ROOT / "fixtures/lc3-nim/accepted/stack-in-r6/submission/nim.asm"
LINES = ROOT / "specs/examples/lc3-lines/lc3-lines.yaml"
"""A small lab, for what is the same of any: its grades take milliseconds."""
ODD = LINES.parent / "fixtures/wrong-answer/not-reversed/submission/lines.asm"
"""A program for it with a defect."""


@pytest.fixture(scope="module")
def bad(tmp_path_factory) -> Path:
    """A program with one defect: the winner's banner names the wrong player's number."""
    path = tmp_path_factory.mktemp("bad") / "nim.asm"
    path.write_text(GOOD.read_text(encoding="utf-8").replace("Invalid move", "Invalid mvoe"), encoding="utf-8")
    return path


def test_help_and_version():
    """Both print and exit with 0; every command has a help."""
    assert grader("--version").stdout.startswith(b"grader, version ")
    listed = grader("--help").stdout.decode()
    for command in ("check", "grade", "batch", "lint", "assemble", "run", "doctor", "schema"):
        assert command in listed
        assert grader(command, "--help").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("chek", "lc3-nim"), "there is no command `chek`; did you mean `check`?"),
        (("check", "lc3-nmi", GOOD), "did you mean lc3-nim?"),
        (("check", "LC3_NIM", GOOD), "did you mean lc3-nim?"),
        (("check", "tic-tac-to", GOOD), "did you mean tic-tac-toe?"),
        (("check", "lc3-nim", "no/such/file"), "does not exist"),
        (("run", GOOD, "--profile", "marz"), "classic"),
        (("batch", "lc3-nim", GOOD), "--output"),
        (("lint", ""), "no such spec: its name is empty (bundled specs: "),
        (("lint", "/dev/null"), "this is neither a file nor a folder"),
        (("lint", "a" * 400), "no file has a name of 400 characters"),
        (("run", "a" * 400), "no file has a name of 400 characters"),
    ],
)
def test_wrong_usage_exits_with_2(arguments, said):
    """A command that cannot be carried out says so with a hint, and prints nothing to standard output."""
    done = grader(*arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert said in done.stderr.decode()


def test_check_accepts_a_right_program():
    """Nothing to fix is exit code 0, though the report is judged later."""
    done = grader("check", "lc3-nim", GOOD)
    assert done.returncode == 0
    assert done.stdout.startswith(b"LAB 04: The Game of Nim: 90 of 90 points; 10 more are judged after you hand in")
    assert b"Nothing to fix" in done.stdout


@pytest.fixture(scope="module")
def drawn(tmp_path_factory) -> Path:
    """The spec of lc3-nim with a few games in place of every position."""
    return drawn_nim(tmp_path_factory.mktemp("drawn"))


def test_check_says_what_to_fix_and_how_to_see_it(bad, drawn):
    """The turn, both texts and the command are there in ten lines; hidden cases are counted, and not named."""
    done = grader("check", "lc3-nim", bad)
    shown = done.stdout.decode()
    assert done.returncode == 1
    for part in ("turn ", "Invalid·move.", "Invalid·mvoe.", "grader run", "--input", "judged after you hand in"):
        assert part in shown
    assert len(shown.splitlines()) <= 10
    whole = grader("check", "--all", drawn, bad).stdout.decode()
    assert "The program assembles" in whole
    assert "random-invalid" not in shown + whole


def test_check_watches(tmp_path):
    """With --watch a program is checked again when it is saved, until Ctrl-C."""
    path = tmp_path / "nim.asm"
    path.write_text(".ORIG x3000\nADD R0, R0, #99\n.END\n", encoding="utf-8")
    command = [sys.executable, "-m", "grader", "check", "--watch", "lc3-nim", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as watching:
        assert watching.stdout is not None
        first = [watching.stdout.readline() for _ in range(3)]
        path.write_text(".ORIG x3000\nHALT\n.END\n", encoding="utf-8")
        later = [line for line in iter(watching.stdout.readline, "\n") if line]
        later += [watching.stdout.readline() for _ in range(4)]
        watching.send_signal(signal.SIGINT)
        watching.stdout.read()
    assert "assembles does not build" in first[-1]
    assert "plays not shown" in later[-1]
    assert watching.returncode == 130


def test_the_bundled_specs_are_listed():
    """Name, language, points and file of each."""
    listed = grader("specs").stdout.decode()
    for path in map(spec_path, bundled_specs()):
        assert path.stem in listed
        assert str(path) in listed
    for path in (ROOT / "specs/examples").glob("*/"):
        assert str(path / f"{path.name}.yaml") in listed


def test_the_pages_of_the_documentation_are_at_hand():
    """Each is listed with its title, one is printed by its name, and a mistyped name is answered with the nearest."""
    listed = grader("docs").stdout.decode()
    for path in (ROOT / "docs").glob("*.md"):
        assert f"{path.stem} " in listed
    assert (
        grader("docs", "batch").stdout.decode().rstrip()
        == (ROOT / "docs/batch.md").read_text(encoding="utf-8").rstrip()
    )
    wrong = grader("docs", "bacth")
    assert wrong.returncode == 2
    assert b"did you mean `batch`?" in wrong.stderr


def test_pages_are_found_by_a_word():
    """Each section that speaks of it is listed by its heading, behind the name of its page."""
    listed = grader("docs", "REGRADE").stdout.decode()
    assert re.search("(?m)^batch +\\S", listed)
    assert "When a student complains" in listed


def test_classroom_50_takes_any_score(tmp_path):
    """Lost points are exit code 0 there: any other would be a failure of the runner."""
    environment = dict.fromkeys(("CLASSROOM", "ASSIGNMENT", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL"), "x")
    done = grader("grade", LINES, ODD, "-q", "--classroom50", tmp_path / "result.json", env=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))["score"] == 6000


def test_what_nobody_could_judge_is_no_zero(tmp_path):
    """A person must choose one of two programs: exit code 5, and neither GitHub, Classroom 50 nor Gradescope get points."""
    (tmp_path / "old.asm").write_bytes(ODD.read_bytes())
    (tmp_path / "new.asm").write_bytes(ODD.read_bytes() + b"; newer\n")
    environment = dict.fromkeys(("CLASSROOM", "ASSIGNMENT", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL"), "x")
    results = {name: tmp_path / f"{name}.json" for name in ("classroom50", "gradescope")}
    options = [word for name, path in results.items() for word in (f"--{name}", path)]
    done = grader("grade", LINES, tmp_path, "--github", *options, env=environment)
    assert done.returncode == 5
    assert b"Nothing could be graded automatically; a person decides" in done.stdout
    assert b"Autograding" not in done.stdout
    assert not results["classroom50"].exists()
    assert "score" not in json.loads(results["gradescope"].read_text(encoding="utf-8"))
    assert grader("check", "-q", LINES, tmp_path).returncode == 5


def test_times_are_told_of_one_program(tmp_path):
    """JUnit of one program says how long its cases took; their sum is the time of the suite."""
    grader("grade", "-q", LINES, ODD, "--junit", tmp_path / "one.xml")
    suite = ElementTree.parse(tmp_path / "one.xml").getroot()[0]
    times = [float(case.get("time")) for case in suite.iter("testcase")]
    assert min(times) >= 0 < sum(times)
    assert float(suite.get("time")) == pytest.approx(sum(times), abs=0.01)


def test_check_quietly():
    """The exit code alone says it."""
    done = grader("check", "-q", LINES, ODD)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")


def test_grade_writes_every_report(bad, drawn, tmp_path):
    """Each form is written where it was asked for; the score is the same in all."""
    names = ("json", "junit", "html", "gradescope", "summary")
    files = {name: tmp_path / "out" / name for name in names}
    options = [word for name, path in files.items() for word in (f"--{name}", path)]
    done = grader("grade", drawn, bad, "-q", *options)
    assert (done.returncode, done.stdout) == (1, b"")
    record = json.loads(files["json"].read_text(encoding="utf-8"))
    assert (record["score"], record["max_points"], record["open_points"]) == (89, 100, 10)
    assert json.loads(files["gradescope"].read_text(encoding="utf-8"))["score"] == 89
    assert "89" in files["html"].read_text(encoding="utf-8")
    assert files["junit"].read_text(encoding="utf-8").startswith("<?xml")
    assert "zero-more" in {case["id"] for case in record["cases"]}


def test_grade_for_a_student_hides_what_is_hidden(tmp_path):
    """The student's record has no transcript of a hidden case."""
    grader("grade", LINES, ODD, "-q", "--for", "student", "--json", tmp_path / "r.json")
    cases = {c["id"]: c for c in json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["cases"]}
    assert cases["others"]["turns"] == []
    assert cases["lines"]["turns"] != []


def test_a_report_goes_to_standard_output_alone():
    """With - for a file the report can be piped: there is nothing else in it."""
    assert json.loads(grader("grade", LINES, ODD, "--json", "-").stdout)["score"] == 60
    assert grader("grade", LINES, ODD, "--junit", "-").stdout.startswith(b"<?xml")


def test_github_output_is_fenced():
    """A log holds annotations, and what a student printed cannot be one."""
    shown = grader("grade", LINES, ODD, "--github").stdout.decode()
    assert shown.startswith("::stop-commands::")
    assert "Autograding complete" in shown


def test_a_report_that_cannot_be_written_is_told(tmp_path):
    """A path below a file is wrong usage, with its place."""
    (tmp_path / "file").write_text("")
    done = grader("grade", LINES, ODD, "-q", "--json", tmp_path / "file" / "r.json")
    assert done.returncode == 2
    assert "r.json" in done.stderr.decode()


def test_a_wrong_spec_exits_with_3(tmp_path):
    """Every problem of the spec has its place."""
    spec = tmp_path / "x.yaml"
    spec.write_text("assignment: x\ntitel: X\n", encoding="utf-8")
    done = grader("check", spec, GOOD)
    assert done.returncode == 3
    assert f"{spec}:2:1" in done.stderr.decode()


def test_a_crashing_reference_exits_with_4(tmp_path):
    """A judge error beats lost points, is loud, and leaves Classroom 50 no result."""
    text = (ROOT / "specs/lc3-nim.yaml").read_text(encoding="utf-8")
    copytree(ROOT / "reference/lc3_nim", tmp_path / "lc3_nim")
    (tmp_path / "lc3_nim" / "play.py").write_text("def play():\n    yield 1 / 0\n", encoding="utf-8")
    spec = tmp_path / "spec.yaml"
    spec.write_text(text.replace("../reference/lc3_nim", "lc3_nim"), encoding="utf-8")
    done = grader("grade", spec, GOOD, "--classroom50", tmp_path / "result.json")
    assert done.returncode == 4
    assert "ZeroDivisionError" in done.stdout.decode()
    assert not (tmp_path / "result.json").exists()


def test_run_prints_exactly_what_the_program_prints():
    """Standard output holds the program's bytes, from --input and from a pipe alike; all else is on standard error."""
    piped = grader("run", GOOD, typed=b"A3B5C8")
    given = grader("run", GOOD, "--input", "A3B5C8", "--stats")
    assert piped.returncode == given.returncode == 0
    assert piped.stdout == given.stdout
    assert given.stdout.endswith(b"Player 2 Wins.\n")
    assert b"instructions" in given.stderr


def test_run_says_where_the_input_ended():
    """A program that asks for more than there is ends with 1, a place and the last instructions."""
    done = grader("run", GOOD, typed=b"A3")
    assert done.returncode == 1
    assert b"nim.asm:" in done.stderr
    assert b"GETC" in done.stderr


def test_run_traces_each_instruction():
    """The trace has a line for each executed instruction, in order."""
    done = grader("run", GOOD, "--input", "A3B5C8", "--trace", "--stats")
    *steps, stats = done.stderr.decode().splitlines()
    assert stats == f"grader: {len(steps)} instructions"
    assert steps[0].startswith("x3000")
    assert "HALT" in steps[-1]


@pytest.mark.parametrize(
    ("name", "text", "steps"),
    [
        (
            "p.asm",
            ".ORIG x3000\nAND R0, R0, #0\nADD R0, R0, #-1\nADD R0, R0, #0\nHALT\n.END\n",
            ["", "R0 = xFFFF", ""],
        ),
        (
            "products.s",
            "li $t0, 5\nmult $t0, $t0\nmtc1 $t0, $f1\nli $v0, 10\nsyscall\n",
            ["$t0 = 0x00000005", "lo = 0x00000019", "$f1 = 0x00000005"],
        ),
        (
            "p.s",
            "li $t0, 5\nmove $t1, $t0\nmove $t1, $t0\nli $v0, 10\nsyscall\n",
            ["$t0 = 0x00000005", "$t1 = 0x00000005", ""],
        ),
    ],
)
def test_a_trace_names_the_registers_that_change(tmp_path, name, text, steps):
    """With their new values, and none where nothing changes."""
    program = tmp_path / name
    program.write_text(text)
    traced = grader("run", program, "--trace").stderr.decode().splitlines()
    assert [line.partition("; line ")[2].partition("   ")[2] for line in traced[: len(steps)]] == steps


def test_what_an_interrupt_cuts_short_is_not_printed_again(tmp_path):
    """Ctrl-C while the reader is slow, in the middle of a board: each line of the program is there once at most."""
    program = tmp_path / "p.asm"
    program.write_text(
        "board: move $a0, $t0\nli $v0, 1\nsyscall\nli $a0, 10\nli $v0, 11\nsyscall\naddi $t0, $t0, 1\n"
        "rem $t1, $t0, 1000\nbnez $t1, board\nli $v0, 12\nsyscall\nb board\n"
    )
    command = [sys.executable, "-m", "grader", "run", str(program)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, bufsize=0, **pipes) as running:
        printed = running.stdout.read(2)
        for _ in range(20):  # more boards than a pipe holds
            running.stdin.write(b"k")
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        while part := running.stdout.read(1 << 16):
            printed += part
    assert running.returncode == 130
    assert len(printed.split()) == len(set(printed.split())) > 1000


def test_run_keeps_the_banner_of_an_edition():
    """The machine's own output belongs to a run by hand."""
    assert b"halting the LC-3" in grader("run", GOOD, "--input", "A3B5C8", "--profile", "classic").stdout


def test_assemble_in_each_form(tmp_path):
    """Words in hexadecimal, a listing, JSON, and a summary."""
    source = tmp_path / "p.asm"
    source.write_text(".ORIG x3000\nGO ADD R0, R0, #1\n.FILL xABCD\n.END\n")
    assert grader("assemble", source, "--hex").stdout == b"3000: 1021 abcd\n"
    assert b"GO ADD R0, R0, #1" in grader("assemble", source, "--listing").stdout
    assert json.loads(grader("assemble", source, "--json").stdout)["blocks"][0]["origin"] == 0x3000
    assert b"2 words, 1 label" in grader("assemble", source).stdout


def test_assemble_shows_what_is_wrong(tmp_path):
    """Errors go to standard error with place, excerpt and hint, and the exit code is 1."""
    source = tmp_path / "p.asm"
    source.write_text(".ORIG x3000\nLEA R0, MSG\n.END\n")
    done = grader("assemble", source)
    assert (done.returncode, done.stdout) == (1, b"")
    assert f"{source}:2:9" in done.stderr.decode()


@pytest.mark.parametrize("name", ["main.c", "Main.java", "main.py"])
def test_assemble_names_a_program_that_is_no_assembly(name, tmp_path):
    """It once found 161 errors in a right program in C."""
    source = tmp_path / name
    source.write_text("int main(void) { return 0; }\n")
    done = grader("assemble", source)
    assert done.returncode == 2
    assert f"{source}: this is no LC-3 or MIPS assembly file" in done.stderr.decode()
    assert "`grader check SPEC FILE`" in done.stderr.decode()


def test_a_trace_of_a_program_that_has_none_says_so(tmp_path):
    """The program runs, and the reader does not look for instructions."""
    source = tmp_path / "main.py"
    source.write_text("print('Hi')\n")
    done = grader("run", source, "--trace")
    assert (done.returncode, done.stdout) == (0, b"Hi\n")
    assert b"--trace shows instructions of LC-3 and MIPS programs" in done.stderr


MIPS = """
        .data
ask:    .asciiz "How many? "
        .text
main:   li   $v0, 4
        la   $a0, ask
        syscall
        li   $v0, 5
        syscall
        move $a0, $v0
        li   $v0, 1
        syscall
        {end}
"""


def test_several_files_make_one_program(tmp_path):
    """They run and assemble in the order given, start where they are told, and complain under their own names."""
    first, second, third = tmp_path / "a.s", tmp_path / "b.s", tmp_path / "c.s"
    first.write_text("f: li $a0, 65\n.globl main\nmain: jal print\nli $v0, 10\nsyscall\n")
    second.write_text(".globl print\nprint: li $v0, 11\nsyscall\njr $ra\n")
    third.write_text("oops\n")
    assert grader("run", first, second).stdout == b"A"
    assert grader("run", first, second, "--start", "main").stdout == b"\0"
    assert b"7 words, 3 labels, starts at 0x00400000" in grader("assemble", first, second).stdout
    refused = grader("assemble", first, second, third)
    assert refused.returncode == 1
    assert f"{third}:1:1: error".encode() in refused.stderr
    assert grader("assemble", GOOD, GOOD).returncode == 1  # its labels are defined twice


def test_mips_programs_run_and_assemble_too(tmp_path):
    r"""A source is known by what it looks like; Enter is typed as \n, and a pipe is read as it is."""
    source = tmp_path / "p.asm"
    source.write_text(MIPS.format(end="li $v0, 10\n syscall"))
    for done in (grader("run", source, "--input", "42\\n"), grader("run", source, typed=b"42\n")):
        assert (done.returncode, done.stdout) == (0, b"How many? 42")
    assert grader("assemble", source, "--hex").stdout.startswith(b"00400000: ")
    source.write_text(MIPS.format(end="jr $ra"))
    assert grader("run", source, typed=b"7\n").returncode == 0
    bad = grader("run", source, typed=b"many\n")
    assert bad.returncode == 1
    assert b"p.asm:9:" in bad.stderr


def test_a_profile_decides_the_dialect(tmp_path):
    """What SPIM does not know is refused under its profile, with a hint at the dialect that it looks like."""
    source = tmp_path / "p.s"
    source.write_text(".text\n.globl main\nmain: subi $t0, $t0, 1\n jr $ra\n")
    assert grader("run", source).returncode == 0
    refused = grader("run", source, "--profile", "spim")
    assert refused.returncode == 1
    assert b"subi" in refused.stderr
    assert b"MARS" in refused.stderr


def test_batch_grades_the_demo(drawn, tmp_path):
    """``make demo`` has zips, folders, loose files and a packed section, full marks and defects, and no error of ours.

    It is graded into all its files, and a second call has nothing left to do.
    """
    out = tmp_path / "out"
    done = grader("batch", drawn, ROOT / "fixtures/demo/lc3-nim", "-o", out, "-j", 1)
    assert done.returncode == 0
    for name in ("grades.csv", "grades.json", "junit.xml", "index.html", "grades.db"):
        assert (out / name).stat().st_size > 0
    with (out / "grades.csv").open(encoding="utf-8-sig", newline="") as table:
        lines = {line["submission"]: line for line in csv.DictReader(table)}
    assert len(lines) == 12
    assert lines["PB07210346"]["student"] == "杨磊"
    assert {lines[name]["score"] for name in ("PB07210340", "PB07210347", "PB07210348", "PB07210350")} == {"90"}
    assert all(float(lines[f"PB0721034{digit}"]["score"]) < 90 for digit in "123456")
    before = {p: p.read_bytes() for p in out.rglob("*.*ml")}
    again = grader("batch", drawn, ROOT / "fixtures/demo/lc3-nim", "-o", out)
    assert again.returncode == 0
    assert b"of them before" in again.stdout
    assert {p: p.read_bytes() for p in out.rglob("*.*ml")} == before


def test_no_colour_goes_into_a_pipe():
    """Without a terminal there are no escapes, and NO_COLOR changes nothing."""
    plain = grader("check", LINES, ODD)
    assert b"\x1b" not in plain.stdout
    assert grader("check", LINES, ODD, env={"NO_COLOR": "1"}).stdout == plain.stdout
