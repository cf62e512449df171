"""The fixtures of a spec: programs with the grade that each must get, and whether it gets it.

A fixture is a folder ``VERDICT/NAME/`` with a ``submission`` and ``expected.yaml``. That file has the score, the points of the criteria that are not
full, and the verdicts of the program's cases that are not accepted. The folder is named after the first of these verdicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path

import yaml

from grader.errors import UsageError
from grader.grading import Grading
from grader.intake.source import read_submission
from grader.lint.prices import DECLARED, declared_in
from grader.results import CriterionResult, Grade, Verdict
from grader.spec.kinds import KINDS
from grader.spec.loader import Assignment
from grader.values import dataclass

Declared = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Tried:
    """A fixture that was graded: its folder, name and score, whether it declares a grade, and sentences on what differs from that."""

    folder: Path
    name: str
    score: str
    declares: bool
    differs: tuple[str, ...]


def try_fixtures(assignment: Assignment, folder: Path, patterns: tuple[str, ...], *, accept: bool) -> Iterator[Tried]:
    """Grade the fixtures in a folder whose names fit one of the patterns; all of them without patterns.

    With ``accept`` each is made to declare what it gets. Raises UsageError if no fixture fits or one cannot be read.
    """
    paths = [path.parent for path in sorted(folder.glob("*/*/submission"))]
    names = {path: path.relative_to(folder).as_posix() for path in paths}
    wanted = [
        path for path in paths if not patterns or any(p in names[path] or fnmatchcase(names[path], p) for p in patterns)
    ]
    if not wanted:
        raise UsageError("no such fixture is here", place=str(folder), hint="a fixture is VERDICT/NAME/submission")
    with Grading(assignment) as grading:
        for path in wanted:
            grade = grading.grade(read_submission(path / "submission", assignment.spec.submission.student_id))
            lost = {c.id: declared(c) for c in grade.criteria if c.points != c.max_points and c.status != "manual"}
            own = {"score": _number(grade.score), "criteria": lost, "cases": not_accepted(grade)}
            held = declared_in(path / DECLARED)
            differs = () if accept else tuple(_differences(path, own, held))
            if accept:
                whole = {**held, **own}
                # Further keys that the author wrote stay, and in their place.
                text = yaml.safe_dump(whole, sort_keys=False, allow_unicode=True, default_flow_style=None, width=130)
                (path / DECLARED).write_text(text, encoding="utf-8", newline="\n")
            yield Tried(
                path, names[path], f"{_number(grade.score):g} of {_number(grade.max_points):g}", bool(held), differs
            )


def not_accepted(grade: Grade) -> dict[str, str]:
    """The verdicts of a program's cases that are not accepted, in the order of the spec.

    A fixture is a program: whether its archive has the right name and a report is no part of what it declares.
    """
    of_program = (case for case in grade.cases if KINDS[case.kind].of_program)
    return {case.id: str(case.verdict) for case in of_program if case.verdict is not Verdict.ACCEPTED}


def declared(criterion: CriterionResult) -> object:
    """The declared points of a criterion in a fixture: null if they are open, and both if they are open in part."""
    if criterion.points is None:
        return None
    points = _number(criterion.points)
    return {"points": points, "open": _number(criterion.open)} if criterion.open else points


def _number(points: float) -> int | float:
    return int(points) if points == int(points) else points


def _differences(path: Path, own: Declared, held: Declared) -> Iterator[str]:
    if not held:
        yield f"it declares no grade yet: --accept writes what it gets into {DECLARED}"
        return
    for key, value in own.items():
        if held.get(key) != value:
            yield f"{key}: got {_shown(value)}, declared {_shown(held.get(key))}"
    cases = own["cases"]
    first = next(iter(cases.values()), str(Verdict.ACCEPTED)) if isinstance(cases, dict) else ""
    if path.parent.name != first:
        yield f"it lies in {path.parent.name}/, but its first verdict is {first}"


def _shown(value: object) -> str:
    def points(one: object) -> object:
        if isinstance(one, dict):
            return f"{one.get('points')} and {one.get('open')} open"
        return "open" if one is None else one

    if isinstance(value, dict):
        return ", ".join(f"{name} {points(one)}" for name, one in value.items()) or "none"
    return "nothing" if value is None else str(value)
