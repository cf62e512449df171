"""Bad programs of the computer itself: each has a verdict or a clear error, and costs nothing else.

Each program greets three people in three cases. A deed comes in the second, so that the first and the last show what else it
costs; or at the start, and then in all.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from grader.build import build, gcc, native
from grader.errors import JudgeError, UsageError
from grader.grading import Grading
from grader.report.record import dump
from grader.results import Grade, Status
from grader.sandbox import Tier, best_tier
from grader.sandbox.wire import Launcher
from grader.spec.loader import load_assignment
from grader.submission import Form, Submission, SubmittedFile
from tests.graded import handed_in as given
from tests.killing import largest_file
from tests.sandbox.test_disk import BESIDE

SPEC = """
assignment: greet
title: Greet
submission: {{required: [{name}]}}
program: {{language: {language}, sources: [{name}]}}
limits: {{cpu: 500 ms, wall: 1 s, output: 100 KiB, memory: 64 MiB, processes: 4, storage: 1 MiB}}
text: {{criterion: talk, echo: terminal}}
rubric: [{{id: talk, points: 3, title: Talks, counts: each}}]
cases:
  - {{id: ada, title: Greets Ada, criterion: talk, transcript: "Name? ‹Ada›\\nHello Ada"}}
  - {{id: bob, title: Greets Bob, criterion: talk, transcript: "Name? ‹Bob›\\nHello Bob"}}
  - {{id: cleo, title: Greets Cleo, criterion: talk, transcript: "Name? ‹Cleo›\\nHello Cleo"}}
"""
C = """
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char much[65536];
int main(void)
{
    char name[99] = "";
    memset(much, 'x', sizeof much);
    START
    printf("Name? ");
    scanf("%98s", name);
    if (strcmp(name, "Bob") == 0) { LATER }
    printf("Hello %s", name);
    return 0;
}
"""
JAVA = """
import java.io.*;
import java.util.*;
public class Main {
    static byte[] much = new byte[65536];
    public static void main(String[] arguments) throws Exception {
        START
        System.out.print("Name? ");
        String name = new Scanner(System.in).next();
        if (name.equals("Bob")) { LATER }
        System.out.print("Hello " + name);
    }
}
"""
PYTHON = """
print("Name? ", end="")
print(f"Hello {input()}", end="")
"""
FILES = {"c": ("main.c", C), "java": ("Main.java", JAVA), "python": ("main.py", PYTHON)}
ALL = {"ada": "accepted", "bob": "accepted", "cleo": "accepted"}
java = pytest.mark.xdist_group("java")
LANGUAGES = ["c", pytest.param("java", marks=java)]


@dataclass(frozen=True)
class Deed:
    """Statements in C, and in Java where that may differ; the verdict, the turn, and what the student is told of it."""

    verdict: str
    turn: int | None
    said: str
    c: str
    java: str = ""

    def statements(self, language: str) -> str:
        """The deed in a language."""
        return self.c if language == "c" else self.java


LATER = {
    "prints a gigabyte": Deed(
        "output-limit",
        2,
        "it printed more than 102,400 bytes without asking for input, or more than ten times as many in all",
        "for (int i = 0; i < 16384; i++) fwrite(much, 1, sizeof much, stdout);",
        "for (int i = 0; i < 16384; i++) System.out.write(much, 0, much.length);",
    ),
    "complains for a gigabyte": Deed(
        "output-limit",
        2,
        "it printed more than 102,400 bytes without asking for input, or more than ten times as many in all",
        "for (int i = 0; i < 16384; i++) fwrite(much, 1, sizeof much, stderr);",
        "for (int i = 0; i < 16384; i++) System.err.write(much, 0, much.length);",
    ),
    "complains in one long line and crashes": Deed(
        "runtime-error", 2, "it was ended by SIGABRT", "fwrite(much, 1, sizeof much, stderr); abort();"
    ),
    "prints nothing and ends": Deed("wrong-answer", 2, "nothing is printed", "exit(0);", "System.exit(0);"),
    "closes its output": Deed("wrong-answer", 2, "nothing is printed", "fclose(stdout);", "System.out.close();"),
    "prints the rest after a sleep": Deed(
        "accepted",
        None,
        "",
        'printf("Hel"); fflush(stdout); usleep(300000); printf("lo Bob"); exit(0);',
        'System.out.print("Hel"); Thread.sleep(300); System.out.print("lo Bob"); return;',
    ),
    "prints a half and sleeps for ever": Deed(
        "time-limit",
        2,
        "it ran for more than 1 s without asking for input",
        'printf("Hel"); fflush(stdout); for (;;) sleep(1);',
        'System.out.print("Hel"); while (true) Thread.sleep(1000);',
    ),
    "prints a half and computes for ever": Deed(
        "time-limit",
        2,
        "more than",  # of computing, or of waiting for it on a machine that is busy
        'printf("Hel"); fflush(stdout); for (;;) ;',
        'System.out.print("Hel"); while (name != null) ;',
    ),
    "asks once more than it should": Deed(
        "wrong-answer", 2, "the text differs", 'printf("Sure? "); scanf("%98s", name);'
    ),
    "deletes its folder": Deed(
        "accepted",
        None,
        "",
        'system("rm -rf \\"$PWD\\" .* * 2>/dev/null"); rmdir(getenv("HOME"));',
        'for (File file : new File(".").listFiles()) file.delete(); new File(".").getCanonicalFile().delete();',
    ),
    "fills the disk": Deed(
        "output-limit",
        2,
        "it wrote more than 1,048,576 bytes to a file",
        'FILE *f = fopen("f", "w"); for (int i = 0; i < 16384; i++) fwrite(much, 1, sizeof much, f);',
    ),
}
START = {
    "prints nothing and ends": Deed(
        "wrong-answer", 1, "the program ends where it should ask for input", "return 0;", "if (much != null) return;"
    ),
    "reads and prints nothing": Deed(
        "wrong-answer",
        1,
        "nothing is printed",
        'scanf("%98s", name); return 0;',
        "new Scanner(System.in).next(); if (much != null) return;",
    ),
    "exits before it reads": Deed(
        "wrong-answer",
        1,
        "the program ends where it should ask for input",
        'printf("Name? "); exit(3);',
        'System.out.print("Name? "); System.exit(3);',
    ),
    "never reads and says it all": Deed(
        "wrong-answer",
        1,
        "the program ends where it should ask for input",
        'printf("Name? Hello Ada"); return 0;',
        'System.out.print("Name? Hello Ada"); if (much != null) return;',
    ),
    "never reads and stays": Deed(
        "time-limit",
        1,
        "it ran for more than 1 s without asking for input",
        'printf("Name? "); fflush(stdout); for (;;) sleep(1);',
    ),
    "closes its input": Deed(
        "wrong-answer",
        1,
        "the program ends where it should ask for input",
        'printf("Name? "); fflush(stdout); close(0); printf("Hello Ada"); return 0;',
        'System.out.print("Name? "); System.in.close(); System.out.print("Hello Ada"); if (much != null) return;',
    ),
    "prints half a prompt, sleeps, and prints the rest": Deed(
        "accepted",
        None,
        "",
        'printf("Na"); fflush(stdout); usleep(300000); printf("me? "); fflush(stdout); '
        'scanf("%98s", name); printf("Hello %s", name); return 0;',
        'System.out.print("Na"); Thread.sleep(300); System.out.print("me? "); '
        'System.out.print("Hello " + new Scanner(System.in).next()); if (much != null) return;',
    ),
    "prints half a prompt and sleeps for ever": Deed(
        "time-limit",
        1,
        "it ran for more than 1 s without asking for input",
        'printf("Na"); fflush(stdout); for (;;) sleep(1);',
        'System.out.print("Na"); while (much != null) Thread.sleep(1000);',
    ),
}


def in_languages(deeds: Mapping[str, Deed]) -> list[object]:
    """Each deed in each of its languages: in C all of them, of those in Java a whole run has a quarter.

    What is in Java runs with the other tests of Java, which share a compiler.
    """
    in_c = [pytest.param("c", what) for what in deeds]
    return in_c + [pytest.param("java", what, marks=[java, pytest.mark.share(4)]) for what in deeds if deeds[what].java]


def opened(folder: Path, language: str, **options: bool) -> Grading:
    """A grading of the greetings in one language."""
    path = folder / "greet.yaml"
    path.write_text(SPEC.format(language=language, name=FILES[language][0]), encoding="utf-8")
    return Grading(load_assignment(path), **options)


@pytest.fixture(scope="module")
def gradings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Grading]]:
    """``gradings(language)`` is one for all tests."""
    made: dict[str, Grading] = {}

    def of(language: str) -> Grading:
        if language not in made:
            made[language] = opened(tmp_path_factory.mktemp(language), language)
        return made[language]

    yield of
    for grading in made.values():
        grading.close()


def handed_in(language: str, *, start: str = "", later: str = "") -> Submission:
    """A program that does something at the start, or when it greets Bob."""
    name, text = FILES[language]
    text = text.replace("START", start).replace("LATER", later)
    return given({name: text})


def verdicts(grade: Grade) -> dict[str, str]:
    """Those of the three greetings."""
    return {case.id: str(case.verdict) for case in grade.cases if case.id != "builds"}


def told(grade: Grade, case: str) -> list[tuple[int | None, str]]:
    """The turns and sentences of a case's findings."""
    return [(finding.turn, finding.message) for one in grade.cases if one.id == case for finding in one.findings]


@pytest.mark.parametrize(("language", "what"), in_languages(LATER))
def test_what_a_program_does_in_one_case_costs_that_case(gradings, language, what):
    """It has a verdict and a sentence that names the turn; the cases before and after are graded as if it were not."""
    deed = LATER[what]
    grade = gradings(language).grade(handed_in(language, later=deed.statements(language)))
    assert verdicts(grade) == {**ALL, "bob": deed.verdict}
    assert (grade.score, grade.complete) == (3 if deed.verdict == "accepted" else 2, True)
    if deed.said:
        turn, message = told(grade, "bob")[0]
        assert (turn, deed.said in message) == (deed.turn, True), message
    assert len(dump(grade)) < 50_000


@pytest.mark.parametrize(("language", "what"), in_languages(START))
def test_what_a_program_does_at_its_start_costs_every_case(gradings, language, what):
    """Each case has the verdict and the sentence, and no fault is ours."""
    deed = START[what]
    grade = gradings(language).grade(handed_in(language, start=deed.statements(language)))
    assert verdicts(grade) == dict.fromkeys(ALL, deed.verdict)
    assert (grade.score, grade.complete) == (3 if deed.verdict == "accepted" else 0, True)
    for case in ALL if deed.said else ():
        turn, message = told(grade, case)[0]
        assert (turn, deed.said in message) == (deed.turn, True), message


BESIDE_IT = {
    "a title that is long in Chinese": ["石" * 100 + ".pdf"],
    "a name of the greatest length, and one more": ["x" * 255, "x" * 256],
    "a file that is also a folder": ["data", "data/one.txt", "data/one.txt/two.txt"],
    "a folder with the name of the program": ["main.c/read.me", "Main.java/read.me", "main.py/read.me", "program.jar"],
    "many small files": [f"data/{number}.txt" for number in range(2000)],
    "many small files in folders of their own": [f"{number}/a/b/c/d/e/f.txt" for number in range(900)],
    "names that mean something to a tool": ["-o", "@x", "a\nb", "*.c", "$(exit)", "grader_terminal.c", "product.json"],
}


@pytest.mark.parametrize("language", [*LANGUAGES, "python"])
@pytest.mark.parametrize("what", BESIDE_IT)
def test_what_lies_beside_a_program_costs_nothing(gradings, language, what):
    """Whatever else was handed in, with names that no file system holds and more than fits, the program is graded."""
    alone = handed_in(language)
    files = (*alone.files, *(SubmittedFile(name, b"x") for name in BESIDE_IT[what]))
    assert verdicts(gradings(language).grade(replace(alone, files=files))) == ALL


@pytest.mark.parametrize("language", [*LANGUAGES, "python"])
def test_a_program_with_a_name_that_no_system_takes(gradings, language):
    """In an archive a name may be of any length: what cannot be a file is for the student to rename, and no error of ours."""
    (file,) = handed_in(language).files
    suffix = Path(file.path).suffix
    for length, verdict in ((255, "accepted"), (256, "compile-error")):
        name = "n" * (length - len(suffix)) + suffix
        grade = gradings(language).grade(given({name: file.data}, Form.FILE))
        assert str(grade.cases[0].verdict) == verdict
    assert grade.cases[0].findings[0].hint == "give it a shorter name"


# ------------------------------------------------------------------------------------------------ what this machine lacks


def test_without_gcc_nobody_is_graded(tmp_path, monkeypatch):
    """A compiler that is not there is our fault, which is said with its name and who knows more."""
    monkeypatch.setitem(gcc._COMPILERS, "c", "no-such-gcc")
    monkeypatch.setitem(native.RECIPES, "c", gcc.recipe("c"))
    with opened(tmp_path, "c") as grading, pytest.raises(JudgeError, match=r"no-such-gcc cannot be run here.*doctor"):
        grading.grade(handed_in("c"))


def test_without_a_jdk_nobody_is_graded(tmp_path, monkeypatch):
    """Without javac the error says what to install; programs in C are still graded."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with (
        opened(tmp_path, "java") as grading,
        pytest.raises(JudgeError, match=r"no JDK on this machine.*apt-get install"),
    ):
        grading.grade(handed_in("java"))
    with opened(tmp_path, "c") as grading:
        assert grading.grade(handed_in("c")).score == 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_namespaces_the_grade_is_the_same(gradings, tmp_path, monkeypatch, language):
    """If the system refuses rooms another tier serves, the verdicts are equal, and the grade says which it was."""
    bad = handed_in(language, later=LATER["prints nothing and ends"].statements(language))
    usual = gradings(language).grade(bad)
    monkeypatch.setattr("grader.build.workshop.best_tier", lambda: BESIDE)
    with opened(tmp_path, language) as grading:
        grade = grading.grade(bad)
    assert verdicts(grade) == verdicts(usual)
    assert (usual.provenance.sandbox, grade.provenance.sandbox) == (best_tier(), BESIDE)


def test_without_any_wall_staff_are_refused(tmp_path, monkeypatch):
    """On a kernel too old for any of them nobody else's program runs unless staff insist, and then the grade says so."""
    monkeypatch.setattr("grader.build.workshop.best_tier", lambda: Tier.BARE)
    with pytest.raises(UsageError, match="this machine has no sandbox"):
        opened(tmp_path, "c")
    with opened(tmp_path, "c", unsafe=True) as grading:
        grade = grading.grade(handed_in("c", later='system("rm -rf \\"$(dirname \\"$PWD\\")\\"");'))
    assert (verdicts(grade), grade.provenance.sandbox) == (ALL, "bare")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_old_kernel_that_tells_no_reads_serves(tmp_path, monkeypatch, language):
    """If no read is an event, waits are found by looking.

    Half a prompt is not a wait, and the grade says how they were found.
    """
    start = Launcher.start
    monkeypatch.setattr(Launcher, "start", lambda self, c, ends: start(self, replace(c, watch_reads=False), ends))
    halves = START["prints half a prompt, sleeps, and prints the rest"]
    with opened(tmp_path, language) as grading:
        grade = grading.grade(handed_in(language, start=halves.statements(language)))
    assert verdicts(grade) == ALL
    assert language == "java" or "waits told by looking" in grade.provenance.sandbox


def test_a_disk_that_takes_nothing_costs_no_point(tmp_path, monkeypatch):
    """If no cage can be made any more, each case is our error with what to do; once one can again, all is as before."""
    monkeypatch.setattr("grader.build.workshop.best_tier", lambda: BESIDE)
    with opened(tmp_path, "c") as grading:
        assert grading.grade(handed_in("c")).score == 3
        usual = tempfile.gettempdir()
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "greet.yaml"))
        grade = grading.grade(handed_in("c"))
        assert verdicts(grade) == dict.fromkeys(ALL, "judge-error")
        assert all("TMPDIR" in told(grade, case)[0][1] for case in ALL)
        assert (grade.points_lost, grade.complete, grade.open_points) == (False, False, 3)
        assert {criterion.status for criterion in grade.criteria} == {Status.JUDGE_ERROR}
        monkeypatch.setattr(tempfile, "tempdir", usual)
        assert grading.grade(handed_in("c")).score == 3


@pytest.mark.parametrize(
    ("language", "deed"),
    [
        ("c", "kill(getppid(), 9); pause();"),
        pytest.param(
            "java",
            "ProcessHandle.current().parent().get().destroyForcibly(); Thread.currentThread().join();",
            marks=java,
        ),
    ],
)
def test_a_launcher_that_dies_costs_one_case(tmp_path, monkeypatch, language, deed):
    """The case in which it died is our error; the next has a new cage, and is graded. In the bare tier a program can kill it."""
    monkeypatch.setattr("grader.build.workshop.best_tier", lambda: Tier.BARE)
    with opened(tmp_path, language, unsafe=True) as grading:
        grade = grading.grade(handed_in(language, later=deed))
    assert verdicts(grade) == {**ALL, "bob": "judge-error"}
    assert "launcher has died" in told(grade, "bob")[0][1]
    assert (grade.points_lost, grade.complete) == (False, False)


def test_a_cage_that_was_not_furnished_serves_nobody(gradings):
    """If a program cannot be put into its cage, the next run has a new one, rather than one in which it is missing."""
    grading = gradings("c")
    with closing(build(grading.assignment, handed_in("c"), grading._workshop)) as built:
        (program,) = built.programs.values()
        with largest_file(1000), pytest.raises(JudgeError, match="cannot be put into the work folder"):
            program.start("")
        session = program.start("")
        assert (session.advance(), session.take_output()) == (None, b"Name? ")


def test_a_cache_that_takes_nothing_changes_no_grade(gradings, tmp_path, monkeypatch):
    """If products cannot be kept, the grade is the same, and staff can be told why it took longer."""
    usual = gradings("c").grade(handed_in("c"))
    for place in (tmp_path / "greet.yaml", Path("/proc/none")):
        monkeypatch.setenv("XDG_CACHE_HOME", str(place))
        with opened(tmp_path, "c") as grading:
            assert grading.unkept.startswith(f"{place}/grader/products: what is compiled cannot be kept")
            assert verdicts(grading.grade(handed_in("c"))) == verdicts(usual)
    assert gradings("c").unkept == ""
