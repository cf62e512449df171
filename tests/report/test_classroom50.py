"""The result for Classroom 50: exactly the fields of its form, and whole numbers that add up."""

import json
from fractions import Fraction

import pytest

from grader.errors import UsageError
from grader.report import classroom50
from tests.report.sample_grades import NOW, SAMPLES, needs_review, view, wrong_answer

HUNDREDTH = Fraction(1, 100)
ENVIRONMENT = {
    "CLASSROOM": "cs1",
    "ASSIGNMENT": "nim",
    "SUBMISSION_TAG": "submit/3",
    "COMMIT_URL": "https://example.org/commit",
    "RELEASE_URL": "https://example.org/release",
}
FIELDS = {
    "schema": str,
    "classroom": str,
    "assignment": str,
    "submission": str,
    "commit": str,
    "release": str,
    "review": str,
    "datetime": str,
    "score": int,
    "max-score": int,
    "tests": list,
}
TEST = {"test-name": str, "passed": bool, "score": int, "max-score": int}


@pytest.mark.parametrize("name", SAMPLES)
def test_every_result_has_the_fields_of_the_form_and_no_other(name: str) -> None:
    """The types are those of the form; the score and the maximum are the sums of the tests."""
    data = json.loads(classroom50.document(view(SAMPLES[name](), ENVIRONMENT)))
    assert {key: type(value) for key, value in data.items()} == FIELDS
    assert all({key: type(value) for key, value in test.items()} == TEST for test in data["tests"])
    assert data["score"] == sum(test["score"] for test in data["tests"])
    assert data["max-score"] == sum(test["max-score"] for test in data["tests"])
    assert all(value for value in data.values() if isinstance(value, str))


def test_points_are_whole_numbers_of_the_grain_of_the_spec() -> None:
    """Half points are told in halves where the spec rounds to them, else in hundredths."""
    grade = wrong_answer()
    of = {grain: classroom50.to_data(grade, grain, ENVIRONMENT, NOW)["score"] for grain in (HUNDREDTH, Fraction(1, 2))}
    earned = [Fraction(str(c.points)) for c in grade.criteria if c.points is not None]
    assert of == {
        HUNDREDTH: sum(earned) * 100,
        Fraction(1, 2): sum(int(points * 2 + Fraction(1, 2)) for points in earned),
    }


def test_what_waits_for_a_person_is_named_and_not_passed() -> None:
    """What is open counts nothing yet: of a criterion that is open in part what is earned for certain."""
    data = classroom50.to_data(needs_review(), HUNDREDTH, ENVIRONMENT, NOW)
    waiting = [test for test in data["tests"] if test["test-name"].endswith("(a person decides)")]
    assert [(test["score"], test["max-score"]) for test in waiting] == [(1500, 2500), (0, 2000), (0, 1000)]
    assert not any(test["passed"] for test in waiting)


def test_a_review_without_an_address_is_the_commit() -> None:
    """As the form falls back to it."""
    assert classroom50.to_data(wrong_answer(), HUNDREDTH, ENVIRONMENT, NOW)["review"] == ENVIRONMENT["COMMIT_URL"]
    given = {**ENVIRONMENT, "REVIEW_URL": "https://example.org/review"}
    assert classroom50.to_data(wrong_answer(), HUNDREDTH, given, NOW)["review"] == given["REVIEW_URL"]


@pytest.mark.parametrize("name", ENVIRONMENT)
def test_what_the_runner_did_not_say_is_asked_for(name: str) -> None:
    """An empty field would be refused there, without a word."""
    with pytest.raises(UsageError, match=name):
        classroom50.to_data(wrong_answer(), HUNDREDTH, {**ENVIRONMENT, name: ""}, NOW)
