"""A batch that an early version has graded, with a decision of staff: the formats of its store and of its files are kept."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

from grader.batch.runner import run_batch
from grader.batch.values import Call

EARLY = Path(__file__).parent / "kept" / "early"
"""Made by commit 2cc9205: a greeting that is right, one with another letter, and a decision that the letter costs 4 of 10 points."""


def test_a_decision_on_a_batch_of_an_early_version_holds(tmp_path):
    """The submission is graded again, since other code judges, and the decision finds the same mistake by its old name."""
    out = shutil.copytree(EARLY / "batch", tmp_path / "out")
    run_batch(Call(EARLY / "greet.yaml", [EARLY / "submissions"], out, jobs=1))
    rows = list(csv.DictReader((out / "grades.csv").read_text("utf-8-sig").splitlines()))
    assert {row["submission"]: row["score"] for row in rows} == {"a": "10", "b": "6"}
    assert "a letter" in rows[1]["staff"]
