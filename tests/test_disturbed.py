"""Whose fault it is where something that we run is killed, stopped or starved: never the student's."""

from __future__ import annotations

import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest
from click.testing import CliRunner

from grader.build import gcc
from grader.build.java_server import Server
from grader.cli.main import cli
from grader.errors import JudgeError
from grader.grading import Grading
from grader.results import Grade, Verdict
from grader.sandbox import Tier
from grader.sessions.jvm import SharedSession
from grader.sessions.native import NativeSession
from grader.spec.loader import load_assignment
from tests.graded import grades_in, handed_in
from tests.killing import kill, killer, processes, small_disk

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is for Linux alone")

SPEC = """
assignment: hello
title: Says hello
submission: {required: ['*.*']}
program: {language: [c, cpp, java, python], sources: ['*.c', '*.cpp', '*.java', '*.py']}
limits: {cpu: 5 s, wall: 10 s}
rubric: [{id: talk, title: Says hello, points: 2}]
cases:
  - id: talk
    title: Says hello
    criterion: talk
    dialogue: [{expect: 'Name\\?'}, {send: Ann}, {expect: 'Hello, Ann'}, {ends: true}]
"""
C = """\
#include <stdio.h>
int main(void) { char name[20]; printf("Name? "); fflush(stdout); scanf("%19s", name); printf("Hello, %s\\n", name); return 0; }
"""
SLOW_TO_ASSEMBLE = C + 'void unused(void) { __asm__(".rept 1000000\\nnop\\n.endr"); }\n'
SLOW_TO_COMPILE = "#include <map>\n#include <regex>\n" + C
JAVA = """
import java.util.Scanner;
public class Hello {
    public static void main(String[] arguments) {
        System.out.print("Name? ");
        System.out.println("Hello, " + new Scanner(System.in).next());
    }
}
"""
LEAVES_TRACES = JAVA.replace(
    "System.out.print(", 'System.setProperty("a", "b"); System.out.print('
)  # no shared machine runs it
PYTHON = 'name = input("Name? ")\nprint("Hello,", name)\n'
SLOW_TO_READ = PYTHON + "x = 1\n" * 100_000
ENDS_ITSELF = C.replace('printf("Hello', 'raise(SIGKILL); printf("Hello').replace(
    "#include", "#include <signal.h>\n#include", 1
)
EVERY = 1_000


@pytest.fixture
def grading(tmp_path: Path, products: Path) -> Iterator[Grading]:
    """A grading of programs that say hello."""
    (tmp_path / "hello.yaml").write_text(SPEC)
    with Grading(load_assignment(tmp_path / "hello.yaml")) as opened:
        yield opened


def graded(grading: Grading, name: str, text: str) -> Grade:
    """The grade of one program."""
    return grading.grade(handed_in({name: text}))


def named(*words: str) -> Callable[[str], bool]:
    """Whether a command line begins with a program of this name, and has the other words."""
    name, *others = words
    return lambda line: Path(line.partition(" ")[0]).name == name and all(word in line for word in others)


CC1PLUS, AS = named("cc1plus"), named("as")
CHECK = lambda line: "ast.parse" in line  # noqa: E731
SERVER = lambda line: "grader.host.CompileServer" in line  # noqa: E731
STUDENT = lambda line: "grader_program" in line and "grader_" not in line.replace("grader_program", "")  # noqa: E731
HOST = lambda line: "grader.host.CaseHost" in line  # noqa: E731
JVM = lambda line: "program.jar Hello" in line  # noqa: E731


@pytest.mark.parametrize(
    ("whom", "name", "text"),
    [(CC1PLUS, "hello.cpp", SLOW_TO_COMPILE), (AS, "hello.c", SLOW_TO_ASSEMBLE), (CHECK, "hello.py", SLOW_TO_READ)],
    ids=["cc1plus", "as", "Python check"],
)
def test_a_compiler_that_is_killed_is_our_failure(grading, whom, name, text):
    """Killed twice it leaves the points open, and nothing is kept of it; killed once, the program earns what it earns."""
    assert graded(grading, name, PYTHON if name.endswith("py") else C).score == 2  # what is linked into each is made
    with killer(whom, EVERY) as kills, pytest.raises(JudgeError, match=r"somebody ended .*the same command goes on"):
        graded(grading, name, text)
    assert kills.number == 2
    with killer(whom, 1) as kills:
        grade = graded(grading, name, text)
    assert kills.number == 1
    assert (grade.score, grade.complete) == (2, True)


def test_a_compiler_that_is_stopped_is_our_failure(grading, monkeypatch):
    """A compiler that stands still has used up no time of the student's: that is told apart from one that computes or sleeps."""
    assert graded(grading, "hello.cpp", C).score == 2
    with monkeypatch.context() as patch, killer(CC1PLUS, EVERY, signal.SIGSTOP):
        patch.setattr(gcc, "TOOL_LIMITS", replace(gcc.TOOL_LIMITS, wall=1.0))
        with pytest.raises(JudgeError, match=r"held g\+\+ up for 1 s"):
            graded(grading, "hello.cpp", SLOW_TO_COMPILE)
    assert graded(grading, "hello.cpp", SLOW_TO_COMPILE).score == 2


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A disk of 200 MiB for temporary files, on which the cages of this test have their folders."""
    with small_disk("size=200m") as mounted:
        monkeypatch.setattr(tempfile, "tempdir", str(mounted))
        monkeypatch.setattr("grader.build.workshop.best_tier", lambda: Tier.CONTAINER)
        yield mounted


def test_a_disk_that_fills_under_a_compiler_is_our_failure(disk, grading):
    """What gcc then says, "No space left on device", is no error of the program: with room again it earns what it earns."""
    assert graded(grading, "hello.cpp", C).score == 2
    with killer(CC1PLUS, 1, signal.SIGSTOP), ThreadPoolExecutor(1) as aside:
        grade = aside.submit(graded, grading, "hello.cpp", SLOW_TO_COMPILE)
        while not any(stopped(pid) for pid in processes(CC1PLUS)):
            assert not grade.done(), grade.result()
        with suppress(OSError), (disk / "filler").open("wb", buffering=0) as filler:
            while True:
                filler.write(bytes(1 << 16))
        kill(CC1PLUS, signal.SIGCONT)
        with pytest.raises(JudgeError, match=r"its disk has [\d,]+ bytes left"):
            grade.result()
    (disk / "filler").unlink()
    assert graded(grading, "hello.cpp", SLOW_TO_COMPILE).score == 2
    wrong = graded(grading, "hello.cpp", C.replace("int main", "int nobody"))
    assert (wrong.score, wrong.complete) == (0, True)


def stopped(pid: int) -> bool:
    """Whether a process stands still."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


def test_a_compile_server_that_is_killed_behind_its_hello_is_our_failure(grading, monkeypatch):
    """Another takes its place; where that is killed as well, the points are open, and nothing is kept."""
    ask, left = Server.ask, [EVERY]

    def killed(server: Server, request: bytes) -> object:
        if left[0]:
            left[0] -= 1
            assert kill(SERVER)
        return ask(server, request)

    monkeypatch.setattr(Server, "ask", killed)
    with pytest.raises(JudgeError, match="somebody ended the Java compiler"):
        graded(grading, "Hello.java", JAVA)
    left[0] = 1
    grade = graded(grading, "Hello.java", JAVA)
    assert (grade.score, left) == (2, [0])


@pytest.mark.parametrize(
    ("whom", "kind", "name", "text"),
    [
        (STUDENT, NativeSession, "hello.c", C),
        (HOST, SharedSession, "Hello.java", JAVA),
        (JVM, NativeSession, "Hello.java", LEAVES_TRACES),
    ],
    ids=["C", "shared Java", "Java"],
)
def test_a_program_that_is_killed_once_is_run_again(grading, monkeypatch, whom, kind, name, text):
    """It goes on where it was killed, and nothing is seen of that: neither a lost point nor a finding."""
    send, kills = kind.send, []

    def killed(session: NativeSession | SharedSession, typed: str) -> None:
        if not kills:
            kills.append(kill(whom))
        send(session, typed)

    monkeypatch.setattr(kind, "send", killed)
    grade = graded(grading, name, text)
    assert kills == [1]
    assert (grade.score, grade.complete, [case.findings for case in grade.cases]) == (2, True, [(), ()])


def test_a_program_that_kills_itself_is_charged(grading):
    """With the same answers it happens again: that is the program's own doing."""
    grade = graded(grading, "hello.c", ENDS_ITSELF)
    assert (grade.score, grade.complete, grade.cases[1].verdict) == (0, True, Verdict.RUNTIME_ERROR)
    assert "SIGKILL" in grade.cases[1].findings[0].message


def test_a_batch_grades_once_more_at_its_end(tmp_path, products):
    """A compiler that was killed beside others is run again with nothing beside it; killed again, the points stay open, exit code 4.

    The same command then goes on, and comes to the grades of an undisturbed batch.
    """
    (tmp_path / "hello.yaml").write_text(SPEC)
    # Workers may have been forked with another cache, which keeps what was compiled in any earlier run: so no two texts are the same.
    for folder in ("first", "second"):
        for name, text in {"ann": SLOW_TO_COMPILE, "bob": SLOW_TO_COMPILE.replace("Hello", "Bye")}.items():
            (tmp_path / folder / name).mkdir(parents=True)
            (tmp_path / folder / name / "hello.cpp").write_text(f"{text}// {uuid4()}\n")
    spec = str(tmp_path / "hello.yaml")
    with killer(CC1PLUS, 2):
        once = typed("batch", spec, tmp_path / "first", "-j", "2", "-o", tmp_path / "once")
    assert (once, scores(tmp_path / "once")) == (0, {"ann": 2, "bob": 0})
    command = ["batch", spec, tmp_path / "second", "-j", "2", "-o", tmp_path / "again"]
    with killer(CC1PLUS, EVERY) as kills:
        lost = typed(*command)
    assert (lost, scores(tmp_path / "again")) == (4, {"ann": 0, "bob": 0})
    assert not any(grade["complete"] for grade in grades_in(tmp_path / "again").values())
    assert kills.number >= 4
    shown = (tmp_path / "again/grades.csv").read_text()
    assert shown.count("Our error: somebody ended g++ (SIGKILL)") == 2
    again = typed(*command)
    assert (again, scores(tmp_path / "again")) == (0, {"ann": 2, "bob": 0})


def typed(*words: object) -> int:
    """The exit code of a command."""
    return CliRunner().invoke(cli, [*map(str, words)], catch_exceptions=False, standalone_mode=False).return_value


def scores(folder: Path) -> dict[str, int]:
    """The points of each submission of a batch."""
    return {name: grade["score"] for name, grade in grades_in(folder).items()}
