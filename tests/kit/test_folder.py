"""Kits for the command line: what is in them, and what is not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader.bundled import bundled_specs, spec_path, specs_folder
from grader.errors import UsageError
from grader.grading import Grading
from grader.intake.source import read_submission
from grader.kit.folder import as_yaml, visible_cases, write_kit
from grader.kit.referee import cut_out
from grader.lint import examine, patterns
from grader.results import Verdict, for_student
from grader.sessions.reference import is_silent, load_module
from grader.source import SourceFile
from grader.spec.document import read_document
from grader.spec.loader import load_assignment
from tests.commands import run_text as grader
from tests.kit.conftest import SECRETS

FIXTURES = Path(__file__).parents[2] / "fixtures"


def test_no_hidden_text_is_in_a_kit(secretive: Path, tmp_path: Path) -> None:
    """No title, name, input, expectation, seed or hint of a hidden case, nor a comment; the spec has them all."""
    written = secretive.read_text(encoding="utf-8")
    assert [secret for secret in SECRETS if secret in written] == list(SECRETS)
    write_kit(load_assignment(secretive), tmp_path / "kit", with_reference=False)
    files = [path for path in (tmp_path / "kit").rglob("*") if path.is_file()]
    assert {path.name for path in files} >= {"lc3-nim.yaml", "README.md", "referee.py"}
    told = [(path.name, secret) for path in files for secret in SECRETS if secret.encode() in path.read_bytes()]
    assert told == []


@pytest.mark.parametrize("name", bundled_specs())
def test_the_kit_of_a_bundled_spec_holds_its_visible_cases(name: str, tmp_path: Path) -> None:
    """As they were, in their order, and it is a spec without a problem."""
    whole = load_assignment(spec_path(name))
    kit = write_kit(whole, tmp_path / "kit", with_reference=True)
    made = load_assignment(kit.spec)
    assert made.spec.cases == visible_cases(whole.spec)
    assert kit.shown + kit.left_out == len(whole.spec.cases)


def test_a_kit_says_the_same_as_the_visible_cases_of_the_whole_spec(secretive: Path, tmp_path: Path) -> None:
    """Points, verdicts and findings: what only hidden cases decide is left out of both."""
    program = read_submission(next((FIXTURES / "lc3-nim/wrong-answer").glob("lower-case-*/submission")))
    grades = []
    for path in (secretive, write_kit(load_assignment(secretive), tmp_path / "kit", with_reference=False).spec):
        assignment = load_assignment(path)
        with Grading(assignment) as grading:
            grade = for_student(grading.grade(program, only={case.id for case in visible_cases(assignment.spec)}))
        grades.append((grade.score, grade.max_points, grade.criteria, grade.cases))
    assert grades[0] == grades[1]


def test_what_only_hidden_cases_decide_is_not_in_a_kit(secretive: Path, tmp_path: Path) -> None:
    """Nor is a set of games that none but them looks at, nor the weight of their kind of defect."""
    kit = write_kit(load_assignment(secretive), tmp_path / "kit", with_reference=False)
    spec = load_assignment(kit.spec).spec
    assert kit.left_out == 3
    assert "clandestine" not in {criterion.id for criterion in spec.rubric}
    assert sorted(spec.games) == ["everywhere", "legal", "wrong"]
    assert sorted(next(c for c in spec.rubric if c.id == "moves").weights) == ["alternation", "start", "update"]


DIALOGUES = {"c-nim": "COMPUTER moves", "java-nim": "Der Computer ist am Zug", "pile-nim": "How many do you take"}
"""Something that each reference says."""


@pytest.mark.parametrize("name", DIALOGUES)
def test_a_kit_holds_a_referee_that_plays_no_game(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program in Python could be handed in, or copied from: no module says what a program must say, nor asks for a line."""
    whole = load_assignment(spec_path(name))
    kit = write_kit(whole, tmp_path / "kit", with_reference=False)
    sources = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "kit/reference").rglob("*.py")}
    assert sources
    for part in (DIALOGUES[name], "yield", "__main__", "% 3"):
        assert [name for name, source in sources.items() if part in source] == []
    made = load_assignment(kit.spec)
    assert is_silent(load_module(made.reference))
    known = {pattern for _, pattern in patterns.of_spec(whole.spec)}
    assert {pattern for _, pattern in patterns.of_spec(made.spec)} <= known
    monkeypatch.setattr(patterns, "slow", {}.get)  # how long they need is tried in the tests of lint
    assert [d.message for d in examine(kit.spec).diagnostics] == []


@pytest.mark.parametrize(
    "fixture",
    [
        "c-nim/wrong-answer/in-german",
        pytest.param("java-nim/wrong-answer/computer-adds-a-match", marks=pytest.mark.spare),
        "pile-nim/wrong-answer/always-takes-two",
    ],
)
def test_a_kit_without_play_says_the_same_as_the_whole_spec(fixture: str, tmp_path: Path) -> None:
    """Each visible case has its verdict and its findings, of games, texts and strategies alike."""
    assignment = load_assignment(spec_path(fixture.partition("/")[0]))
    kit = load_assignment(write_kit(assignment, tmp_path / "kit", with_reference=False).spec)
    submission = read_submission(FIXTURES / fixture / "submission")
    told = []
    for one in (assignment, kit):
        with Grading(one) as grading:
            results = grading.grade(submission, only={case.id for case in visible_cases(one.spec)}).cases
        told.append([(case.id, case.verdict, case.findings) for case in results])
    assert any(verdict.blames_student or verdict is Verdict.FORM for _, verdict, _ in told[0])
    assert told[0] == told[1]


def test_what_only_the_dialogue_needs_is_cut_out_with_it() -> None:
    """Functions, whatever they are called in a module of a package, private ones in a file; what the referee needs stays as it was written."""
    one = """
from math import gcd, lcm

LEFT = 3  # of each


def play():
    yield _shown(lcm(2, LEFT))


def _shown(n):
    return f"now {_plain(n)}"


def _plain(n):
    return n


def rule(n):
    return _counted(n)


def _counted(n):  # by the text
    return gcd(n, LEFT)


if __name__ == "__main__":
    play()
"""
    cut = cut_out({"game.py": one}, "game.py")["game.py"]
    assert re.findall(r"^(?:def|from|if|LEFT).*", cut, re.MULTILINE) == [
        "from math import gcd",
        "LEFT = 3  # of each",
        "def rule(n):",
        "def _counted(n):  # by the text",
    ]
    package = {
        "g/__init__.py": "from .play import SIZES, play\nfrom .rules import rule\n",
        "g/__main__.py": "from . import play\n",
        "g/play.py": "from .words import WORDS\nSIZES = 1\ndef play():\n    yield from board()\ndef board():\n    yield WORDS\n",
        "g/words.py": "WORDS = 'secret'\n",
        "g/rules.py": "from .play import SIZES\ndef rule():\n    return SIZES\n",
    }
    assert cut_out(package, "g/__init__.py") == {
        "g/__init__.py": "from .play import SIZES\nfrom .rules import rule\n",
        "g/play.py": "SIZES = 1\n",
        "g/rules.py": package["g/rules.py"],
    }


def test_what_a_reference_must_play_live_is_given_out_only_when_asked(tmp_path: Path) -> None:
    """If visible games are compared with its own, a kit for programs in Python is refused."""
    (tmp_path / "main.py").write_text(
        "from grader.sessions.reference import Line\n\n\ndef play():\n    yield Line()\n", encoding="utf-8"
    )
    (tmp_path / "spec.yaml").write_text(
        "assignment: small\ntitle: S\nprogram: {language: python, sources: ['*.py']}\nreference: main.py\n"
        "rubric: [{id: all, points: 1, title: All}]\n"
        "cases: [{id: drawn, title: D, criterion: all, differential: {games: 1, seed: 1, illegal: ['[a-z]']}}]\n",
        encoding="utf-8",
    )
    with pytest.raises(UsageError, match="gives away a correct program"):
        write_kit(load_assignment(tmp_path / "spec.yaml"), tmp_path / "kit", with_reference=False)
    assert not (tmp_path / "kit").exists()


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    """Only an earlier kit is written anew."""
    assignment = load_assignment(spec_path("lc3-nim"))
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(UsageError, match="no kit"):
        write_kit(assignment, tmp_path, with_reference=False)
    write_kit(assignment, tmp_path / "kit", with_reference=False)
    (tmp_path / "kit/old.yaml").write_text("x")
    write_kit(assignment, tmp_path / "kit", with_reference=False)
    assert not (tmp_path / "kit/old.yaml").exists()


@pytest.mark.parametrize("text", ["no", "010", "1e3", "12:30", "x23", "0x10", ".5", "a\nb", " \n", "· ", "ü “x”", "\t"])
def test_texts_are_read_back_as_they_were(text: str) -> None:
    """Also those that a YAML reader could take for something else."""
    data = {"a": text, "b": [text, {"c": text}]}
    assert read_document(SourceFile("", as_yaml(data))).data == data


def test_the_command_says_what_it_made(tmp_path: Path) -> None:
    """The place of it, the number of its cases, and the number of those left out."""
    done = grader("kit", "c-nim", "-o", tmp_path / "kit")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{tmp_path / 'kit'}: 36 cases; 4 that students may not see are left out\n"
    assert "grader check c-nim.yaml main.c" in (tmp_path / "kit/README.md").read_text(encoding="utf-8")


def test_what_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    """With exit code 2, as all wrong usage."""
    (tmp_path / "thesis.txt").write_text("years of work")
    done = grader("kit", "c-nim", "-o", tmp_path)
    assert done.returncode == 2
    assert "name a new or empty folder" in done.stderr
    both = grader("kit", "lc3-nim", "-o", tmp_path / "kit", "--web", tmp_path / "page")
    assert both.returncode == 2


def test_files_of_visible_pairs_are_in_a_kit_and_those_of_hidden_ones_are_not(tmp_path: Path) -> None:
    """By the paths that the spec names; a folder of pairs comes with all of them."""
    example = load_assignment(specs_folder() / "examples/c-wordcount/c-wordcount.yaml")
    kit = write_kit(example, tmp_path / "kit", with_reference=False)
    made = {path.relative_to(tmp_path / "kit").as_posix() for path in (tmp_path / "kit").rglob("*") if path.is_file()}
    assert made == {"c-wordcount.yaml", "README.md", "kit.json", "texts/poem.txt"}
    assert load_assignment(kit.spec).spec.cases == visible_cases(example.spec)
