"""What a user sees where the shell, the disk or the environment gives less than is needed: one sentence, an exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import run_text

ROOT = Path(__file__).parents[2]
LAB = ROOT / "specs/examples/lc3-lines"
RIGHT = LAB / "fixtures/accepted/stack/submission/lines.asm"
SPEC = """
assignment: hello
title: Hello
submission: {required: [main.c]}
program: {language: c, sources: [main.c]}
rubric: [{id: says, points: 1, title: Says}]
cases: [{id: hello, title: Hello, criterion: says, transcript: Hello}]
"""


@pytest.fixture
def hello(tmp_path: Path) -> tuple[Path, Path]:
    """A spec and a program that is right."""
    (tmp_path / "hello.yaml").write_text(SPEC, encoding="utf-8")
    (tmp_path / "main.c").write_text('#include <stdio.h>\nint main(void) { printf("Hello"); return 0; }\n')
    return tmp_path / "hello.yaml", tmp_path / "main.c"


def started(*words: object, before: str = ":", **environment: str) -> subprocess.CompletedProcess[str]:
    """``grader grade``, started in a shell that does something before, with other variables in its environment."""
    variables = {**os.environ, **environment}
    line = [f'{before}; exec "$@"', "bash", sys.executable, "-m", "grader", "grade", *map(str, words)]
    return subprocess.run(
        ["bash", "-c", *line], capture_output=True, text=True, check=False, cwd=ROOT, env=variables, timeout=120
    )


def graded(*words: object, **environment: str | None) -> subprocess.CompletedProcess[str]:
    """``grader grade`` with other variables in its environment, where what a start does is no matter."""
    return run_text("grade", *words, env=environment)


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("-n 40", "this machine's limit RLIMIT_NOFILE is 40"),
        ("-u 5", "this machine's limit RLIMIT_NPROC is 5|the sandbox's launcher cannot be started"),
        ("-f 100", "cannot be put into the work folder: File too large (ulimit -f"),
        ("-v 4000000", "this machine's limit RLIMIT_AS is 4,096,000,000"),
    ],
)
def test_a_shell_with_low_limits_is_told_of(hello, limit, said):
    """What a compiler or a program would lack is one sentence and exit code 4, never a compile error of the student's."""
    done = started(*hello, before=f"ulimit {limit}")
    assert done.returncode == 4, done
    assert any(part in done.stderr for part in said.split("|")), done.stderr
    assert (done.stdout, done.stderr.count("\n")) == ("", 1)


@pytest.mark.parametrize("place", ["/nonexistent", "/proc", "/dev/null"])
def test_another_folder_is_taken_for_one_that_is_none(hello, place):
    """Where TMPDIR names no folder that can be written, the usual one serves."""
    done = started(*hello, TMPDIR=place)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("place", ["/proc/none", "/dev/null"])
def test_a_cache_that_cannot_be_is_said_once(hello, place):
    """The program is graded, and one sentence names the folder; with an assignment that compiles nothing there is none."""
    done = graded(*hello, XDG_CACHE_HOME=place)
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    assert done.stderr.startswith(f"grader: {place}/grader/products: what is compiled cannot be kept")
    assert graded(LAB / "lc3-lines.yaml", RIGHT, XDG_CACHE_HOME=place).stderr == ""


def test_no_home_is_needed(hello, tmp_path):
    """Without HOME the program is graded."""
    assert graded(*hello, HOME=None, XDG_CACHE_HOME=str(tmp_path / "cache")).returncode == 0


@pytest.mark.parametrize("option", ["--json", "--junit", "--html", "--gradescope", "--summary"])
@pytest.mark.parametrize(
    ("place", "said"), [("/proc/none", "No such file or directory"), ("/dev/full", "No space left")]
)
def test_a_report_that_cannot_be_written_is_named(option, place, said):
    """On a disk that is full or takes nothing the sentence has the place, and the exit code is 2."""
    done = graded(LAB / "lc3-lines.yaml", RIGHT, "-q", option, place)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith(f"grader: {place}: cannot write it: {said}")
