"""`grader fixtures` says whether the programs of a spec get the grades that they must get."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest
import yaml

ROOT = Path(__file__).parents[2]


@pytest.fixture
def grader(grader):
    """``grader(…)`` runs a command in a folder with a new spec."""
    grader("new", "lab", "-l", "lc3")
    return grader


@pytest.fixture
def broken(grader, tmp_path):
    """A fixture that was made by breaking the first one, and declares nothing yet."""
    fixtures = tmp_path / "lab/fixtures"
    copytree(fixtures / "accepted/sample-run/submission", fixtures / "wrong-answer/other-words/submission")
    program = fixtures / "wrong-answer/other-words/submission/lab.asm"
    program.write_text(program.read_text().replace("Thank you.", "Thanks!"), encoding="utf-8")
    return fixtures / "wrong-answer/other-words"


def test_a_new_spec_has_a_fixture_that_gets_what_it_declares(grader):
    """It is one line, and the exit code says so."""
    code, said, _ = grader("fixtures", "lab/lab.yaml")
    assert (code, said.split()) == (0, ["accepted/sample-run", "20", "of", "20", "as", "declared"])


def test_a_fixture_without_a_grade_is_told_and_accepted_when_asked(grader, broken):
    """The grade of the fixture is written down, and holds from then on."""
    told = grader("fixtures", "lab/lab.yaml", "other")[1]
    assert "it declares no grade yet: --accept writes" in told
    assert told.startswith("wrong-answer/other-words")
    assert " of 20  new\n" in told
    assert grader("fixtures", "lab/lab.yaml", "other", "--accept")[0] == 0
    assert yaml.safe_load((broken / "expected.yaml").read_text()) == {
        "score": 4,
        "criteria": {"works": 0},
        "cases": {"sample-run": "wrong-answer"},
    }
    code, said, _ = grader("fixtures", "lab/lab.yaml")
    assert (code, said.count("as declared")) == (0, 2)
    assert "other words" in grader("lint", "lab/lab.yaml", "--prices")[1]


def test_what_is_not_as_declared_is_told(grader, broken):
    """Each difference in a line, and a folder whose name is another verdict."""
    grader("fixtures", "lab/lab.yaml", "--accept")
    declared = broken / "expected.yaml"
    declared.write_text(declared.read_text().replace("score: 4", "score: 15"), encoding="utf-8")
    broken.parent.rename(broken.parents[1] / "form")
    code, said, _ = grader("fixtures", "lab/lab.yaml", "words")
    assert code == 1
    assert "    score: got 4, declared 15\n" in said
    assert "    it lies in form/, but its first verdict is wrong-answer\n" in said


def test_no_fixture_of_a_name_is_wrong_usage(grader):
    """A pattern that nothing fits is a mistake."""
    assert grader("fixtures", "lab/lab.yaml", "nothing")[0] == 2


def test_a_fixture_declares_nothing_of_its_archive(grader):
    """A fixture is a program: the archive's name is judged, and is no part of its grade."""
    code, said, _ = grader("fixtures", str(ROOT / "specs/lc3-nim.yaml"), "row-d-is-accepted")
    assert (code, said.split()[1:]) == (0, ["87", "of", "100", "as", "declared"])
