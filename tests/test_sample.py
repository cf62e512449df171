"""The sample report in ``reports/sample`` is what ``grader grade`` writes today."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.grading import Grading
from grader.intake.source import read_submission
from grader.report import junit, page, record
from grader.spec.loader import load_assignment

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "reports" / "sample"
FIXTURE = ROOT / "fixtures/lc3-nim/wrong-answer/lower-case-rows-are-accepted/submission/nim.asm"


@pytest.fixture(scope="module")
def reports() -> dict[str, str]:
    """The reports on one fixture, by file name."""
    grade = Grading(load_assignment(ROOT / "specs/lc3-nim.yaml")).grade(read_submission(FIXTURE))
    return {
        "page.html": page.student_page(grade, audience="student"),
        "junit.xml": junit.render(grade.assignment, [grade]),
        "record.json": record.dump(grade),
    }


@pytest.mark.parametrize("name", ["page.html", "junit.xml", "record.json"])
def test_the_sample_is_fresh(name, reports, request):
    """Each file of the sample is the report on its fixture, byte for byte; ``make accept`` rewrites it."""
    path = SAMPLE / name
    if request.config.getoption("--accept"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(reports[name].encode())
    assert path.read_bytes().decode() == reports[name]
