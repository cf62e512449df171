"""The classes of the benchmarks: different submissions, half of them right, which are what they say they are."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.students import ROOT, renamed, students
from grader.grading import Grading
from grader.spec.loader import load_assignment

LC3 = '        .ORIG x3000\n        BR DONE_WITH\n\nDONE_WITH HALT ; DONE_WITHOUT\nTEXT .STRINGZ "DONE"\n        .END'


@pytest.mark.parametrize("name", ["lc3-nim", "mips-connect4", "pile-nim", "c-nim", "java-nim"])
def test_a_class_has_no_two_alike_of_ten_hands(name: str) -> None:
    """Right programs of at least ten different ones, as many mutants, and the same class each time."""
    made = list(students(name, 24))
    assert len({one.submission.files for one in made}) == 24
    assert len({one.origin for one in made if one.right}) >= 10
    assert sum(one.right for one in made) == 12
    assert [one.submission.files for one in students(name, 24)] == [one.submission.files for one in made]


def test_what_has_grown_is_worth_what_it_was_worth() -> None:
    """Right programs with comments, a spare routine and other labels get all points that a fixture gets."""
    with Grading(load_assignment(ROOT / "specs/lc3-nim.yaml")) as grading:
        grades = [grading.grade(one.submission) for one in students("lc3-nim", 6) if one.right]
    assert [(grade.score, grade.max_points - grade.score) for grade in grades] == [(90, 10)] * 3


def test_names_change_in_code_alone() -> None:
    """A label has another name wherever it is meant, and no text is touched."""
    text = renamed(LC3, ".asm", "lc3", Random(1))
    assert text.count("DONE_WITH ") == 0
    assert '.STRINGZ "DONE"' in text
    assert "DONE_WITHOUT" in text
