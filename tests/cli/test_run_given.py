"""``grader run`` with what a run is given: its whole input, arguments and files; and the command that a report shows."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from grader.grading import Grading
from grader.intake.source import read_submission
from grader.report.again import named_as
from grader.spec.loader import load_assignment
from tests.commands import run_text
from tests.grading.test_io import MIPS, SPEC

SHOWS = """
import sys
print(sys.argv[1:], open('a.txt').read(), repr(sys.stdin.read()))
"""


def run(*arguments: object, given: str = "") -> str:
    """The output of the command."""
    done = run_text("run", *arguments, typed=given)
    return done.stdout + done.stderr


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program that shows what it is given."""
    path = tmp_path / "shows.py"
    path.write_text(SHOWS)
    return path


def test_arguments_files_and_the_end_of_the_input(program: Path, tmp_path: Path) -> None:
    """A file has its text on the command line, or comes from a path; the input ends where it is said, or is a file."""
    (tmp_path / "b.txt").write_text("from b")
    assert run(
        program, "--argument", "-w", "--argument", "x y", "--file", "a.txt=1\\n2", "--input", "in\\n", "--end"
    ) == ("['-w', 'x y'] 1\n2 'in\\n'\n")
    assert run(program, "--file", f"a.txt@{tmp_path / 'b.txt'}", given="in") == "[] from b 'in'\n"
    assert run(program, "--file", "a.txt=", "--input-file", tmp_path / "b.txt", given="no") == "[]  'from b'\n"


def test_what_cannot_be_given_is_refused(program: Path, tmp_path: Path) -> None:
    """Two inputs, a file that is not there, and words for a machine that has no command line."""
    (tmp_path / "p.asm").write_text(".ORIG x3000\nHALT\n.END")
    assert "leave out --input" in run(program, "--input-file", program, "--input", "x")
    assert "cannot read it" in run(program, "--file", "a.txt@nowhere")
    assert "neither arguments nor files" in run(tmp_path / "p.asm", "--argument", "x")


def test_a_mips_program_is_given_arguments(tmp_path: Path) -> None:
    """As when it is graded."""
    (tmp_path / "p.s").write_text(MIPS)
    assert run(tmp_path / "p.s", "--argument", "abc", "--argument", "de", "--end") == "2abcde"


def test_the_command_of_a_report_shows_the_run_again(program: Path, tmp_path: Path) -> None:
    """With its input, arguments and files, whatever words are among them."""
    pair = 'io: {arguments: [--input, "x y"], files: {a.txt: "1\\n2"}, input: "i\\n", output: other}'
    spec = SPEC.format(name="shows.py", language="python", program="", cpu="1 s")
    (tmp_path / "filter.yaml").write_text(f"{spec}  - {{id: one, title: One, criterion: work, {pair}}}\n")
    with Grading(load_assignment(tmp_path / "filter.yaml")) as grading:
        grade = grading.grade(read_submission(program))
    again = named_as(grade, [str(program)]).cases[-1].again
    assert run(*shlex.split(again)[2:]) == grade.cases[-1].turns[-1].output == "['--input', 'x y'] 1\n2 'i\\n'\n"


@pytest.mark.parametrize(
    ("options", "given", "printed", "code"),
    [
        ((), "", "all of --input is typed, and the program waits for more", 0),
        ((), "two\n", "EOFError", 1),
        (("--end",), "", "EOFError", 1),
    ],
)
def test_a_run_stops_where_the_program_wants_more_than_it_is_given(
    options: tuple[str, ...], given: str, printed: str, code: int, tmp_path: Path
) -> None:
    """The command of a finding shows a mistake, and no other one; only who ends the input hears what comes of that."""
    path = tmp_path / "asks.py"
    path.write_text("while True:\n    print(input('? '))\n")
    done = run_text("run", path, "--input", "one\\n", *options, typed=given)
    assert printed in done.stderr
    assert done.returncode == code
