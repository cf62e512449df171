"""Programs in C, Java and Python on the command line, as a student and a grader meet them."""

from __future__ import annotations

import shlex
from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner

from grader.cli.main import cli
from grader.grading import Grading
from grader.intake.source import read_submission
from grader.report.again import named_as
from grader.results import Verdict
from grader.sandbox import Tier
from grader.spec.loader import load_assignment
from tests.commands import run_text as grader

ROOT = Path(__file__).parents[2]
C_NIM = ROOT / "fixtures/c-nim/accepted/scanf-and-three-ints/submission/main.c"
ASKS = '#include <stdio.h>\nint main(void) { char s[9]; printf("Name? "); scanf("%8s", s); printf("Hello %s\\n", s); return 0; }\n'

ASKS_IN_JAVA = """
import java.util.Scanner;

class Ask {
    public static void main(String[] arguments) {
        System.out.print("Name? ");
        System.out.println("Hello " + new Scanner(System.in).next());
    }
}
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ask.c", ASKS),
        ("ask.py", "print('Hello', input('Name? '))\n"),
        ("Ask.java", ASKS_IN_JAVA),
    ],
)
def test_a_program_is_played_from_a_pipe(tmp_path, name, text):
    """Standard output has what the program prints and nothing else; what is typed first comes from the option."""
    (tmp_path / name).write_text(text)
    for done in (grader("run", tmp_path / name, typed="Ada\n"), grader("run", tmp_path / name, "--input", "Ada\\n")):
        assert (done.stdout, done.stderr, done.returncode) == ("Name? Hello Ada\n", "", 0)


def test_several_sources_make_one_program(tmp_path):
    """Files that are named together are compiled together."""
    (tmp_path / "a.c").write_text("int two(void); int main(void) { return two() - 2; }")
    (tmp_path / "b.c").write_text("int two(void) { return 2; }")
    assert grader("run", tmp_path / "a.c", tmp_path / "b.c").returncode == 0
    done = grader("run", tmp_path / "a.c")
    assert (done.returncode, "undefined reference to `two'" in done.stderr) == (1, True)


def test_a_crash_is_told(tmp_path):
    """After an end that is no normal one the exit code is 1, and the reason stands on standard error."""
    (tmp_path / "a.c").write_text("int main(void) { __builtin_trap(); }")
    done = grader("run", tmp_path / "a.c")
    assert (done.returncode, done.stdout) == (1, "")
    assert "grader: it was ended by SIGILL" in done.stderr


def test_a_spec_says_how_it_is_built():
    """With a spec a program is built as it is for grading, and the command of a finding works as it stands."""
    done = grader("run", "--spec", "c-nim", C_NIM, "--input", "c2\\nB2\\n")
    assert done.stdout.startswith("Welcome to the Ancient Game of Nim\n")
    assert done.stdout.count("COMPUTER moves a1") == 2


def test_a_program_that_plays_by_chance_shows_its_poor_move_again():
    """The command of a finding has the seed of that game, so that the program draws the same random numbers."""
    program = ROOT / "fixtures/pile-nim/wrong-answer/moves-by-chance-where-it-cannot-win/submission/lab06.py"
    with Grading(load_assignment(ROOT / "specs/pile-nim.yaml")) as grading:
        grade = named_as(grading.grade(read_submission(program)), [str(program)])
    (case,) = (one for one in grade.cases if one.verdict is Verdict.WRONG_ANSWER)
    _, *words = shlex.split(case.again)
    assert "--seed" in words
    assert grader(*words).stdout == "".join(turn.output for turn in case.turns)


def test_a_simulated_program_is_built_as_its_spec_says(tmp_path):
    """The submission is named, an archive as well; another profile than those of the spec is refused."""
    program = ROOT / "fixtures/lc3-nim/accepted/lower-case-source/submission/nim.asm"
    packed = tmp_path / "PB00000001.zip"
    with ZipFile(packed, "w") as archive:
        archive.write(program, "PB00000001/nim.asm")
    done = grader("run", "--spec", "lc3-nim", packed, "--input", "A3B5C8")
    assert (done.returncode, done.stdout.endswith("Player 2 Wins.\n")) == (0, True)
    refused = grader("run", "--spec", "lc3-nim", packed, "--profile", "spim")
    assert (refused.returncode, "--profile may be" in refused.stderr) == (2, True)


def test_a_program_that_cannot_be_caged(tmp_path, monkeypatch):
    """If nothing can be caged staff are refused with exit code 2, unless they insist; a student is told."""
    monkeypatch.setattr("grader.build.workshop.best_tier", lambda: Tier.BARE)
    spec = tmp_path / "s.yaml"
    spec.write_text(
        "assignment: s\ntitle: S\nsubmission: {required: [a.c]}\nprogram: {language: c, sources: [a.c]}\n"
        "rubric: [{id: a, title: A, points: 1}]\ncases: [{id: c, title: C, criterion: a, dialogue: [{ends: true}]}]\n"
    )
    program = tmp_path / "a.c"
    program.write_text("int main(void) { return 0; }")
    refused = CliRunner().invoke(cli, ["grade", str(spec), str(program)], standalone_mode=False)
    assert "has no sandbox" in str(refused.exception)
    batch = ["batch", str(spec), str(program), "-o", str(tmp_path / "out")]
    assert "has no sandbox" in str(CliRunner().invoke(cli, batch, standalone_mode=False).exception)
    insisted = CliRunner().invoke(cli, ["grade", str(spec), str(program), "--unsafe"], standalone_mode=False)
    assert (insisted.exception, insisted.return_value) == (None, 0)
    tried = CliRunner().invoke(cli, ["check", str(spec), str(program)], standalone_mode=False)
    assert (tried.return_value, "your own rights" in tried.output) == (0, True)
