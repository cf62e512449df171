"""One way to hand files in and to grade them, for all tests that do so with a spec of their own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grader.grading import Grading
from grader.results import Grade
from grader.spec.loader import load_assignment
from grader.submission import Form, Submission, SubmittedFile


def handed_in(files: Mapping[str, str | bytes], form: Form = Form.FOLDER) -> Submission:
    """A submission of these files, by their paths; text may hold bytes that are no UTF-8, as surrogates."""
    return Submission("s", "S", tuple(SubmittedFile(path, _bytes(data)) for path, data in files.items()), form)


def graded(spec: Path, files: Mapping[str, str | bytes], form: Form = Form.FOLDER) -> Grade:
    """The grade of these files by a spec."""
    with Grading(load_assignment(spec)) as grading:
        return grading.grade(handed_in(files, form))


def grades_in(out: Path) -> dict[str, dict[str, Any]]:
    """The records that a batch wrote into a folder, by their submissions."""
    grades = json.loads((out / "grades.json").read_bytes())["grades"]
    return {grade["submission"]: grade for grade in grades}


def _bytes(data: str | bytes) -> bytes:
    return data if isinstance(data, bytes) else data.encode("utf-8", "surrogateescape")
