"""results.json for Gradescope, from a grade that is projected for its student here, whatever was given.

The score stands at the top, where it overrides the sum of the tests. Each criterion is a test with points, each case
one without. All tests are visible: one of any other visibility but ``hidden`` would hide the score from the student,
and what is for staff alone is not in a projected grade. Texts are marked as plain, so that nothing in them is markup.
"""

from __future__ import annotations

import json
from typing import Any

from grader.report import shown
from grader.report.words import OUR_FAULT, PHRASES, number, score_line, tell, why
from grader.results import CaseResult, CriterionResult, Grade, Verdict, for_student

_OUTPUT_LIMIT = 8_000


def to_data(grade: Grade) -> dict[str, Any]:
    """The content of results.json."""
    seen = for_student(grade)
    return {
        "score": seen.score,
        "output": _output(seen),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [*map(_criterion, seen.criteria), *map(_case, seen.cases)],
        "extra_data": {"assignment": seen.assignment, "complete": seen.complete, "open_points": seen.open_points},
    }


def dump(grade: Grade) -> str:
    """results.json as text, which is ASCII."""
    return json.dumps(to_data(grade), indent=2, allow_nan=False) + "\n"


def _output(grade: Grade) -> str:
    lines = [f"{shown.line(grade.title)}: {score_line(grade)}"]
    if grade.has_judge_error:
        lines.append(OUR_FAULT)
    lines += [shown.plain(message) for message in grade.diagnostics]
    return shown.clipped("\n".join(lines), _OUTPUT_LIMIT)


def _criterion(criterion: CriterionResult) -> dict[str, Any]:
    title = shown.line(criterion.title)
    lines = [why(criterion)] if why(criterion) else []
    lines += [f"-{number(c.points)} {shown.line(c.message)} (charged once)" for c in criterion.charges]
    test = {"name": title, "output": "\n".join(lines), "output_format": "text", "visibility": "visible"}
    if criterion.points is None:
        return {**test, "name": f"{title} ({number(criterion.max_points)} points, open)"}
    full = criterion.points >= criterion.max_points
    points = {"score": criterion.points, "max_score": criterion.max_points, "status": "passed" if full else "failed"}
    return {**test, **points}


def _case(case: CaseResult) -> dict[str, Any]:
    heading = f"{PHRASES[case.verdict]}: {shown.line(case.title or case.id)}"
    body = shown.clipped("\n".join(line.text for line in tell(case)), _OUTPUT_LIMIT)
    test = {
        "name": heading,
        "output": body,
        "output_format": "text",
        "visibility": "visible",
        "tags": [case.verdict.value],
    }
    if case.verdict is Verdict.ACCEPTED or case.verdict.blames_student:
        test["status"] = "passed" if case.verdict is Verdict.ACCEPTED else "failed"
    return test
