"""The command that shows a run again, pasted from the terminal as it is printed."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from grader.cli.submissions import seen_again, tried, with_input_files
from grader.grading import Grading
from grader.intake.source import read_submission
from grader.report import console
from grader.report.document import Look
from grader.results import Grade
from grader.spec.loader import Assignment, load_assignment
from tests.commands import run_text
from tests.grading.test_io import SPEC

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "fixtures/lc3-nim/wrong-answer/winner-is-always-player-1/submission/nim.asm"
LABEL = "see it again: "


@pytest.fixture(scope="module")
def lab() -> Assignment:
    """The assignment of the program."""
    return load_assignment(ROOT / "specs/lc3-nim.yaml")


@pytest.fixture(scope="module")
def grade(lab: Assignment) -> Grade:
    """A check of a program that names the wrong winner."""
    return tried(lab, PROGRAM)


def commands(text: str) -> list[str]:
    """The text behind the label, up to the end of its line."""
    return [line.partition(LABEL)[2] for line in text.splitlines() if LABEL in line]


def test_a_command_stays_one_line(grade: Grade, lab: Assignment, tmp_path: Path) -> None:
    """From 40, 80 and 100 columns, coloured or plain, the line that is pasted runs, without a blank that was not typed."""
    path = tmp_path / "a folder of mine" / "nim.asm"
    path.parent.mkdir()
    path.write_bytes(PROGRAM.read_bytes())
    named = seen_again(grade, lab, "lc3-nim", path)
    found = set()
    for width, colour, render in product((40, 80, 100), (False, True), (console.brief, console.render)):
        found.add(commands(render(named, Look(width=width, colour=colour)))[0].removesuffix("\x1b[0m"))
    assert len(found) == 1
    words = shlex.split(found.pop())
    assert words[:3] == ["grader", "run", str(path)]
    assert run_text(*words[1:]).stdout.endswith("Player 1 Wins.\n")


def test_a_command_from_a_pipe_runs_in_a_shell(tmp_path: Path) -> None:
    """The commands of a report, the one that tells more among them, are pasted into a shell as they are printed."""
    path = tmp_path / "it's a deep folder whose name alone is longer than half of a line" / "nim.asm"
    path.parent.mkdir()
    path.write_bytes(PROGRAM.read_bytes())
    said = run_text("check", "lc3-nim", path).stdout
    starter = tmp_path / "grader"
    starter.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m grader "$@"\n')
    starter.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["sh", "-c", commands(said)[0]], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.endswith("Player 1 Wins.\n")
    more = said.splitlines()[-1].partition(": ")[2]
    assert shlex.split(more) == ["grader", "check", "--all", "lc3-nim", str(path)]


def test_a_long_input_goes_into_a_file(grade: Grade, lab: Assignment, tmp_path: Path, monkeypatch) -> None:
    """The command names it and shows the same run, which goes on behind it; a short one stays in the command."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    long = "Z1" * 150 + "C4B5C4A2A1"
    failed = next(case for case in grade.cases if case.again)
    command = f"grader run {PROGRAM} --profile classic --input {long}"
    made = with_input_files(replace(grade, cases=(replace(failed, again=command), failed)))
    words = shlex.split(made.cases[0].again)
    assert len(made.cases[0].again) < len(command)
    assert Path(words[words.index("--input-file") + 1]).read_text() == long
    assert run_text(*words[1:]).stdout == run_text(*shlex.split(command)[1:]).stdout
    assert made.cases[1] == failed


def test_an_input_that_ends_still_ends_in_its_file(tmp_path: Path, monkeypatch) -> None:
    """A text that lies in no file of the course is typed by the command, and ends behind the last line."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    text = "word\\n" * 100
    spec = SPEC.format(name="counts.py", language="python", program="", cpu="1 s")
    case = f'  - {{id: one, title: One, criterion: work, io: {{input: "{text}", output: other}}}}\n'
    (tmp_path / "counts.yaml").write_text(spec + case)
    (tmp_path / "counts.py").write_text("import sys\nprint(len(sys.stdin.read()))\n")
    assignment = load_assignment(tmp_path / "counts.yaml")
    with Grading(assignment) as grading:
        judged = grading.grade(read_submission(tmp_path / "counts.py"))
    made = with_input_files(seen_again(judged, assignment, str(tmp_path / "counts.yaml"), tmp_path / "counts.py"))
    words = shlex.split(made.cases[-1].again)
    assert "--input-file" in words
    assert "--no-end" not in words
    assert run_text(*words[1:], typed="not read").stdout == "500\n"


def test_where_no_file_can_be_written_the_input_stays(grade: Grade, monkeypatch) -> None:
    """A full or locked home costs nothing but a longer line."""
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    case = replace(grade.cases[0], again=f"grader run nim.asm --input {'Z1' * 150}")
    grade = replace(grade, cases=(case,))
    assert with_input_files(grade) == grade
