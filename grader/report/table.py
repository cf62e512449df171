"""grades.csv: one line for a submission, for spreadsheets and scripts.

A cell of text that a spreadsheet would run as a formula gets an apostrophe in front, which spreadsheets hide; numbers
are left alone, negative ones too. A criterion whose points are open has an empty cell.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from grader.report.shown import line
from grader.report.words import number
from grader.results import Grade

BEFORE = ("submission", "student", "id", "score", "max", "complete", "open points")
AFTER = ("review", "sandbox")
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def header(criteria: Sequence[str]) -> str:
    """The first line; ``criteria`` are the ids of the rubric. One that clashes with a fixed column says what it is."""
    fixed = {*BEFORE, *AFTER}
    named = (f"criterion {name}" if name in fixed else name for name in criteria)
    return _line([*BEFORE, *(_text(name) for name in named), *AFTER])


def row(grade: Grade, criteria: Sequence[str]) -> str:
    """The line of one grade, with a cell for each of ``criteria`` in that order."""
    points = {c.id: c.points for c in grade.criteria}
    owner = (_text(grade.submission), _text(grade.student), _text(grade.student_id))
    totals = (
        number(grade.score),
        number(grade.max_points),
        "yes" if grade.complete else "no",
        number(grade.open_points),
    )
    cells = ("" if (earned := points.get(name)) is None else number(earned) for name in criteria)
    after = (_text("; ".join(grade.review)), _text(grade.provenance.sandbox))
    return _line([*owner, *totals, *cells, *after])


def chunks(criteria: Sequence[str], grades: Iterable[Grade]) -> Iterator[str]:
    """The whole table, line by line."""
    yield header(criteria)
    for grade in grades:
        yield row(grade, criteria)


def _text(cell: str) -> str:
    return f"'{line(cell)}" if cell.lstrip(" \n\xa0").startswith(_FORMULA_STARTS) else line(cell)


def _line(cells: Iterable[str]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue()
