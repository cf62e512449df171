"""Messages if the shell, the disk or the environment gives less than is needed: one sentence, an exit code."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.commands import run_text
from tests.killing import cgroup

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


def started(
    *words: object, before: str = ":", command: str = "grade", **environment: str
) -> subprocess.CompletedProcess[str]:
    """``grader grade``, or what the words say, started in a shell that does something before, with other variables in its environment."""
    variables = {**os.environ, **environment}
    typed = [*filter(None, [command]), *map(str, words)]
    line = [f'{before}; exec "$@"', "bash", sys.executable, "-m", "grader", *typed]
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
        ("-f 100", "this machine's limit RLIMIT_FSIZE is 102,400"),
        ("-v 4000000", "this machine's limit RLIMIT_AS is 4,096,000,000"),
    ],
)
def test_a_shell_with_low_limits_is_told_of(hello, limit, said):
    """A missing need of a compiler or a program is one sentence and exit code 4, never a compile error of the student's."""
    done = started(*hello, before=f"ulimit {limit}")
    assert done.returncode == 4, done
    assert any(part in done.stderr for part in said.split("|")), done.stderr
    assert (done.stdout, done.stderr.count("\n")) == ("", 1)


@pytest.mark.parametrize(("room", "code"), [(6, 4), (64, 4), (500, 0)])
def test_a_container_with_few_processes_is_told_of(hello, tmp_path, room, code):
    """With room for six gcc starts all of its parts but ld: that was a compile error of the student's."""
    with cgroup("pids", room) as join:
        done = started(*hello, before=join, XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert done.returncode == code, done
    assert ("this container lets us start" in done.stderr) == (code == 4)


@pytest.mark.parametrize(("limit", "said"), [("-n 128", "ulimit -n 1024"), ("-u 40", "ulimit -u 4096")])
def test_a_batch_under_low_limits_ends_before_it_begins(hello, tmp_path, limit, said):
    """One sentence with what to do, and not an error of ours for each student: nobody is graded."""
    for number in range(3):
        (tmp_path / "class" / f"PB0000000{number}").mkdir(parents=True)
        (tmp_path / "class" / f"PB0000000{number}" / "main.c").write_text("int main(void) { return 0; }\n")
    words = ["batch", hello[0], tmp_path / "class", "-o", tmp_path / "out", "-q"]
    done = started(*words, command="", before=f"ulimit {limit}")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (4, "", 1)
    assert said in done.stderr
    assert not (tmp_path / "out").exists()


LACKS = {
    "can't start new thread": (RuntimeError("can't start new thread"), "start no more processes or threads"),
    "no process": (BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable"), "start no more processes"),
    "no memory": (MemoryError(), "has not enough memory"),
    "no descriptor": (OSError(errno.EMFILE, "Too many open files"), "open no more files"),
}


@pytest.mark.parametrize("lack", LACKS)
def test_what_the_machine_lacks_is_one_sentence(monkeypatch, grader, lack):
    """Wherever it shows, no traceback is printed, and the exit code is 4."""
    fault, said = LACKS[lack]

    def lacking(*_, **__):
        raise fault

    monkeypatch.setattr("grader.cli.check.graded", lacking)
    code, out, err = grader("grade", LAB / "lc3-lines.yaml", RIGHT)
    assert (code, out, err.count("\n")) == (4, "", 1)
    assert said in err


def test_the_end_of_data_is_no_interruption(monkeypatch, grader):
    """Data that end too early are a fault of ours, which is loud: only whoever types may interrupt."""

    def ends(*_, **__):
        raise EOFError("it ended too early")

    monkeypatch.setattr("grader.cli.check.graded", ends)
    code, _, err = grader("grade", LAB / "lc3-lines.yaml", RIGHT)
    assert code == 4
    assert "internal error: EOFError('it ended too early')" in err


def test_little_memory_while_an_archive_is_read(tmp_path):
    """A submission that does not fit into memory is not judged: a sentence, exit code 4, and no word of a damaged archive."""
    path = tmp_path / "PB00000001.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for number in range(4):
            packed.writestr(f"data{number}", os.urandom(15 << 20))
        packed.writestr("lines.asm", RIGHT.read_bytes())
    done = started(LAB / "lc3-lines.yaml", path, before="ulimit -v 150000")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (4, "", 1), done
    assert "has not enough memory" in done.stderr


@pytest.mark.parametrize("place", ["/nonexistent", "/proc", "/dev/null"])
def test_another_folder_is_taken_for_one_that_is_none(hello, place):
    """If TMPDIR names no folder that can be written, the usual one serves."""
    done = started(*hello, TMPDIR=place)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("place", ["/proc/none", "/dev/null"])
def test_a_cache_that_cannot_be_is_said_once(hello, place):
    """The program is graded, and one sentence names the folder.

    With an assignment that compiles nothing the sentence is missing.
    """
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
