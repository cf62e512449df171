"""A command whose standard streams are closed, full, or read by somebody who has seen enough."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LAB = ROOT / "specs/examples/lc3-lines"
SPEC = LAB / "lc3-lines.yaml"
RIGHT = LAB / "fixtures/accepted/stack/submission/lines.asm"
WRONG = LAB / "fixtures/wrong-answer/not-reversed/submission/lines.asm"
ECHOES = """
        .ORIG x3000
LOOP    GETC
        OUT
        BR LOOP
        .END
"""


def shell(line: str, *words: object) -> subprocess.CompletedProcess[str]:
    """A line of a shell in which ``"$@"`` is the command with these words; its standard error is kept."""
    command = [sys.executable, "-m", "grader", *map(str, words)]
    return subprocess.run(["bash", "-c", line, "bash", *command], capture_output=True, text=True, check=False, cwd=ROOT)


ALL = "<&- >&- 2>&-"


@pytest.mark.parametrize(
    ("streams", "submission", "code"),
    [("<&-", WRONG, 1), (">&-", WRONG, 1), ("2>&-", WRONG, 1), (ALL, WRONG, 1), (ALL, RIGHT, 0)],
)
def test_closed_streams_change_no_grade(streams, submission, code):
    """Whatever is closed, the exit code says what the grade says, and nothing else is printed where it does not belong."""
    done = shell(f'"$@" {streams}', "grade", SPEC, submission)
    assert (done.returncode, done.stderr) == (code, "")
    assert bool(done.stdout) == (">&-" not in streams.replace("2>&-", ""))


def test_a_closed_input_has_ended(tmp_path):
    """A program that is played without standard input finds the end of it."""
    (tmp_path / "a.c").write_text('#include <stdio.h>\nint main(void) { printf("%d", getchar()); return 0; }\n')
    done = shell('"$@" <&-', "run", tmp_path / "a.c")
    assert (done.stdout, done.stderr, done.returncode) == ("-1", "", 0)


def test_a_batch_without_streams_is_a_batch(tmp_path):
    """Its files and the store are whole: none of them got the number of a stream, and with it what workers print."""
    done = shell('"$@" <&- >&- 2>&-', "batch", SPEC, RIGHT, "-o", tmp_path / "out")
    assert done.returncode == 0
    assert (tmp_path / "out" / "grades.db").read_bytes().startswith(b"SQLite format 3\0")
    assert (tmp_path / "out" / "index.html").read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize("words", [("grade", SPEC, RIGHT), ("run", RIGHT, "--input", "ab\\n\\n"), ("--help",)])
def test_what_cannot_be_printed_is_said(words):
    """On a full disk there is a sentence with its place, exit code 2, and no traceback: of a report, a run and a help alike."""
    done = shell('"$@" >/dev/full', *words)
    expected = "grader: standard output: cannot print: No space left on device\n"
    assert (done.returncode, done.stderr) == (2, expected)


def test_where_nothing_can_be_printed_the_exit_code_says_so():
    """With no room for a sentence, either, the code alone is 2."""
    assert shell('"$@" >/dev/full 2>/dev/full', "grade", SPEC, RIGHT).returncode == 2


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("grade", SPEC, WRONG, "-v"), 1),
        (("schema",), 0),
        (("assemble", RIGHT, "--listing"), 0),
    ],
)
def test_a_reader_that_has_gone_changes_no_exit_code(words, code):
    """Who has seen enough, as ``head`` does, hears no complaint, and the exit code says what it always says."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as gone:
        done = subprocess.run(
            [sys.executable, "-m", "grader", *map(str, words)],
            stdout=gone,
            stderr=subprocess.PIPE,
            check=False,
            cwd=ROOT,
        )
    assert (done.returncode, done.stderr) == (code, b"")


def test_a_program_that_nobody_reads_is_left(tmp_path):
    """A run that could go on for ever, as its input does, ends with its reader."""
    (tmp_path / "a.asm").write_text(ECHOES)
    done = shell('yes | "$@" | head -n 1; echo "${PIPESTATUS[1]}"', "run", tmp_path / "a.asm")
    assert (done.stdout, done.stderr) == ("y\n1\n", "")
