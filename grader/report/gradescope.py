"""results.json for Gradescope, in the student's language. Any grade is projected for its student here.

The score at the top overrides the sum of the tests. It is left out if nothing could be judged, since it would read as a
zero. Each criterion is a test with points, each case a test without. All tests are visible: with a visibility such as
``after_due_date`` they would hide the score from the student, and a projected grade has nothing for staff. Texts are
marked as plain, so that nothing in them is markup.
"""

from __future__ import annotations

import json
from typing import Any

from grader.languages import Language, language
from grader.report import shown
from grader.report.document import View
from grader.report.translation import translated
from grader.report.words import NOTHING_JUDGED, OUR_FAULT, charged, loses, number, phrase, score_line, tell, why
from grader.results import CaseResult, CriterionResult, Grade, Verdict

_OUTPUT_LIMIT = 8_000  # characters of one test: Gradescope shows all of it on one page
_PLAIN = {"output_format": "text", "visibility": "visible"}


def to_data(grade: Grade) -> dict[str, Any]:
    """The content of results.json."""
    spoken = language(grade.language)
    seen = translated(grade, spoken)
    lines = [f"{shown.line(seen.title)}: {score_line(seen, spoken)}"]
    if seen.nothing_judged or seen.has_judge_error:
        lines.append(spoken.word(OUR_FAULT if seen.has_judge_error else NOTHING_JUDGED))
    lines += map(shown.plain, seen.diagnostics)
    return {
        **({} if seen.nothing_judged else {"score": seen.score}),
        "output": shown.clipped("\n".join(lines), _OUTPUT_LIMIT),
        **_PLAIN,
        "stdout_visibility": "hidden",
        "tests": [*(_criterion(one, spoken) for one in seen.criteria), *(_case(one, spoken) for one in seen.cases)],
        "extra_data": {"assignment": seen.assignment, "complete": seen.complete, "open_points": seen.open_points},
    }


def document(view: View) -> str:
    """results.json of a view as text, which is ASCII."""
    return json.dumps(to_data(view.student), indent=2, allow_nan=False) + "\n"


def _criterion(criterion: CriterionResult, spoken: Language) -> dict[str, Any]:
    title = shown.line(criterion.title)
    lines = filter(None, (why(criterion, spoken), *(charged(one, spoken) for one in criterion.charges)))
    test = {"name": title, "output": "\n".join(lines), **_PLAIN}
    if criterion.points is None:
        name = spoken.word("{title} ({points} points, open)", title=title, points=number(criterion.max_points, spoken))
        return {**test, "name": name}
    points = {"score": criterion.points, "max_score": criterion.max_points}
    if criterion.open:
        name = spoken.word("{title} ({points} points open)", title=title, points=number(criterion.open, spoken))
        return {**test, **points, "name": name, **({"status": "failed"} if loses(criterion) else {})}
    full = criterion.points >= criterion.max_points
    return {**test, **points, "status": "passed" if full else "failed"}


def _case(case: CaseResult, spoken: Language) -> dict[str, Any]:
    heading = f"{phrase(case.verdict, spoken)}: {shown.line(case.title or case.id)}"
    body = shown.clipped("\n".join(line.text for line in tell(case, spoken)), _OUTPUT_LIMIT)
    test = {"name": heading, "output": body, **_PLAIN, "tags": [case.verdict.value]}
    if case.verdict is Verdict.ACCEPTED or case.verdict.blames_student:
        test["status"] = "passed" if case.verdict is Verdict.ACCEPTED else "failed"
    return test
