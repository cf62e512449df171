"""Fixtures: programs beside the grade that each of them declares."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from grader.authoring.fixtures import declared, not_accepted
from grader.results import Grade


def said(grade: Grade) -> str:
    """All that a grade tells about what went wrong: diagnostics, codes, messages and hints."""
    findings = [finding for case in grade.cases for finding in case.findings]
    return "\n".join([*grade.diagnostics, *(part for f in findings for part in (f.code, f.message, f.hint))])


def is_as_declared(grade: Grade, fixture: Path) -> dict[str, Any]:
    """Assert that a grade is that of ``expected.yaml``, which is returned, and the folder its first verdict that is not accepted."""
    expected: dict[str, Any] = yaml.safe_load((fixture / "expected.yaml").read_text(encoding="utf-8"))
    verdicts = not_accepted(grade)
    lost = {c.id: declared(c) for c in grade.criteria if c.points != c.max_points and c.status != "manual"}
    assert (lost, verdicts, grade.score) == (expected["criteria"], expected["cases"], expected["score"])
    assert next(iter(verdicts.values()), "accepted") == fixture.parent.name
    told = said(grade)
    assert [text for key in ("diagnostics", "messages") for text in expected.get(key, []) if text not in told] == []
    return expected
