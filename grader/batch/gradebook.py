"""grades.csv as a workbook, for whoever works with one."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from grader.batch.export import read_file
from grader.errors import UsageError
from grader.intake import workbook
from grader.report import table

_TEXTS = {"submission", "student", "id", "complete", *table.AFTER}  # columns of grades.csv that hold no numbers


def workbook_of(folder: Path) -> bytes:
    """grades.csv of a batch as a workbook: scores as numbers, and all else, such as the number of a student, as texts."""
    path = folder / "grades.csv"
    rows = list(csv.reader(io.StringIO(read_file(path).decode("utf-8-sig"), newline="")))
    if not rows:
        raise UsageError("is empty", place=str(path), hint="the same `grader batch` writes it again")
    numbers = [at for at, name in enumerate(rows[0]) if name not in _TEXTS]
    return workbook.new([[cell.removeprefix("'") for cell in row] for row in rows], numbers)
