"""results.json for Gradescope."""

import json
from dataclasses import replace

import pytest

from grader.report import gradescope
from grader.results import HIDDEN_MESSAGE
from tests.report.sample_grades import (
    SAMPLES,
    compile_error,
    full_marks,
    judge_error,
    needs_review,
    view,
    wrong_answer,
)


@pytest.mark.parametrize("name", SAMPLES)
def test_everything_is_visible_plain_text(name: str) -> None:
    """No test hides the score, and no text is read as markup."""
    data = json.loads(gradescope.document(view(SAMPLES[name]())))
    assert {test["visibility"] for test in data["tests"]} == {data["visibility"]} == {"visible"}
    assert {test["output_format"] for test in data["tests"]} == {data["output_format"]} == {"text"}
    assert data["stdout_visibility"] == "hidden"


def test_the_score_stands_at_the_top() -> None:
    """The score of the grade overrides any sum, and says what is open."""
    data = gradescope.to_data(wrong_answer())
    assert data["score"] == 63.75
    assert "10 still open" in data["output"]


def test_points_are_those_of_the_criteria() -> None:
    """Each graded criterion is a test with points; an open one has none, and its name says so."""
    tests = gradescope.to_data(wrong_answer())["tests"]
    assert [(t["score"], t["max_score"]) for t in tests if "score" in t] == [
        (10, 10),
        (22.5, 30),
        (6.25, 25),
        (20, 20),
        (5, 5),
    ]
    assert any(t["name"] == "The report has its three parts (10 points, open)" for t in tests)


def test_only_what_a_student_may_see() -> None:
    """A grade is projected here: no staff case, and of a hidden one only that it failed."""
    text = gradescope.document(view(wrong_answer()))
    assert "Keeps registers" not in text
    assert "nothing is refused, after b2" not in text
    assert HIDDEN_MESSAGE in text


@pytest.mark.parametrize(
    ("grade", "count"), [(full_marks(), 0), (wrong_answer(), 4), (compile_error(), 1), (judge_error(), 0)]
)
def test_failed_cases_are_those_of_the_student(grade: object, count: int) -> None:
    """Skipped cases and our own errors are neither passed nor failed."""
    cases = [t for t in gradescope.to_data(grade)["tests"] if "tags" in t]  # type: ignore[arg-type]
    assert sum(t.get("status") == "failed" for t in cases) == count


def test_diagnostics_come_along() -> None:
    """The messages of the assembler are part of the output."""
    assert "does not fit into 5 bits" in gradescope.to_data(compile_error())["output"]


def test_a_criterion_that_is_open_in_part_has_the_points_that_are_earned() -> None:
    """Its name says how many are open, and it fails only where points are lost for certain."""
    grade = needs_review()
    tests = {one["name"]: one for one in gradescope.to_data(grade)["tests"]}
    invalid = tests["Invalid moves are refused and asked again (5 points open)"]
    assert (invalid["score"], invalid["max_score"], invalid["status"]) == (15, 25, "failed")
    kept = tuple(replace(one, points=20) if one.id == "invalid" else one for one in grade.criteria)
    tests = {one["name"]: one for one in gradescope.to_data(replace(grade, criteria=kept))["tests"]}
    assert "status" not in tests["Invalid moves are refused and asked again (5 points open)"]
