"""result.json for Classroom 50 (``classroom50/result/v1``), from a grade that is projected for its student here.

Its points are whole numbers, so points are counted in the unit to which the spec rounds scores: hundredths by default.
Each criterion is a test, and the score is their sum, as the form demands. The form has no word for points that wait for
a person: they count as 0, and the name of the test says that they are open.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from grader.errors import UsageError
from grader.languages import Language, language
from grader.report import shown
from grader.report.document import View
from grader.results import CriterionResult, Grade, for_student

SCHEMA = "classroom50/result/v1"
FIELDS = {
    "classroom": ("CLASSROOM",),
    "assignment": ("ASSIGNMENT",),
    "submission": ("SUBMISSION_TAG",),
    "commit": ("COMMIT_URL",),
    "release": ("RELEASE_URL",),
    "review": ("REVIEW_URL", "COMMIT_URL"),
}
"""The fields that the runner sets in its environment; the first of these variables that is set counts."""


def to_data(grade: Grade, grain: Fraction, environment: Mapping[str, str], now: str) -> dict[str, Any]:
    """The content of result.json; ``grain`` is that of scores, ``now`` the time as 2026-11-23T02:39:01Z.

    Raises UsageError if the environment lacks a field of the runner.
    """
    seen = for_student(grade)
    values = {field: next(filter(None, map(environment.get, names)), "") for field, names in FIELDS.items()}
    if lacking := [FIELDS[field][0] for field, value in values.items() if not value]:
        hint = "Classroom 50's runner sets it; for a try of your own, set it to any word"
        raise UsageError(f"the environment variable {lacking[0]} is not set", hint=hint)
    tests = [_test(criterion, grain, language(grade.language)) for criterion in seen.criteria]
    return {
        "schema": SCHEMA,
        **values,
        "datetime": now,
        "score": sum(test["score"] for test in tests),
        "max-score": sum(test["max-score"] for test in tests),
        "tests": tests,
    }


def document(view: View) -> str:
    """result.json of a view as text, which is ASCII. Raises UsageError."""
    data = to_data(view.whole, view.grain, view.environment, view.now)
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


def _test(criterion: CriterionResult, grain: Fraction, spoken: Language) -> dict[str, Any]:
    title = shown.line(criterion.title)
    waits = bool(criterion.open)
    most = _whole(criterion.max_points, grain)
    points = 0 if criterion.points is None else _whole(criterion.points, grain)
    return {
        "test-name": spoken.word("{title} (a person decides)", title=title) if waits else title,
        "passed": not waits and points >= most,
        "score": points,
        "max-score": most,
    }


def _whole(points: float, grain: Fraction) -> int:
    """Points in units of the grain, half of one rounded up."""
    return int(Fraction(str(points)) * grain.denominator + Fraction(1, 2))
