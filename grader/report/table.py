"""grades.csv: one line for each student of a submission, for spreadsheets and scripts.

Each student of a shared grade has a line with the same submission, so a join with a list of students finds everybody,
and no cell has several names.

A cell of text that a spreadsheet would run as a formula gets an apostrophe in front, which spreadsheets hide; numbers
are left alone, even negative ones. The cell of a criterion is empty while nothing is decided. If it is open in part,
the cell has the points that are certain. The last column says how many points of each criterion are open.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from grader.report.shown import line
from grader.report.words import adjustment, number
from grader.results import Grade
from grader.submission import Identifier, Submitter

BEFORE = ("submission", "student", "id", "score", "max", "complete", "open points")
AFTER = ("review", "sandbox", "staff", "handed in late", "attempt", "group", "ids", "open by criterion")
# Spreadsheets also read the wide signs of Chinese keyboards as the start of a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def header(criteria: Sequence[str]) -> str:
    """The first line; ``criteria`` are the ids of the rubric.

    An id that equals a fixed column reads ``criterion ID``.
    """
    # A rubric may call a criterion `score` or `review`: two columns of one name are one to a script.
    fixed = {*BEFORE, *AFTER}
    named = (f"criterion {name}" if name in fixed else name for name in criteria)
    return text_of([[*BEFORE, *(cell(name) for name in named), *AFTER]])


def row(grade: Grade, criteria: Sequence[str]) -> str:
    """The line of one grade, with a cell for each of ``criteria`` in that order; as many lines as share the grade."""
    sharing = grade.origin.submitters
    if len(sharing) < 2:
        ids = sharing[0].ids if sharing else ()
        return _row(grade, criteria, (grade.student, grade.student_id), ids)
    return "".join(_row(grade, criteria, (who.name, who.known_by), who.ids) for who in sharing)


def absent(name: str, ids: Sequence[Identifier], criteria: Sequence[str]) -> str:
    """The line of somebody on the roster who handed in nothing; its points are not decided here."""
    known = Submitter(name, tuple(ids)).known_by
    before = ("", cell(name), cell(known), "", "", "no", "")
    after = ("handed in nothing", "", "", "", "", "", cell("; ".join(map(str, ids))), "")
    return text_of([[*before, *("" for _ in criteria), *after]])


def _row(grade: Grade, criteria: Sequence[str], who: tuple[str, str], ids: Sequence[Identifier]) -> str:
    points = {c.id: c.points for c in grade.criteria}
    owner = (cell(grade.submission), *map(cell, who))
    complete = "yes" if grade.complete else "no"
    totals = (number(grade.score), number(grade.max_points), complete, number(grade.open_points))
    cells = ("" if (earned := points.get(name)) is None else number(earned) for name in criteria)
    origin = grade.origin
    came = ("yes" if origin.late else "", cell(origin.attempt), cell(origin.group), cell("; ".join(map(str, ids))))
    staff = [f"{c.id} {c.given}" for c in grade.criteria if c.given] + [adjustment(one) for one in grade.adjustments]
    after = (cell("; ".join(grade.review)), cell(grade.provenance.sandbox), cell("; ".join(staff)))
    left_open = "; ".join(f"{c.id} {number(c.open)}" for c in grade.criteria if c.open)
    return text_of([[*owner, *totals, *cells, *after, *came, left_open]])


def cell(text: str) -> str:
    """A text as it may stand in a table: one line, and no formula."""
    return f"'{line(text)}" if _is_formula(text) else line(text)


def unformulated(text: str) -> str:
    """A cell that every spreadsheet reads as text."""
    return f"'{text}" if _is_formula(text) else text


def separator_of(text: str) -> str:
    """The separator of a table, guessed from its first line.

    Spreadsheets write ``;`` if the comma is the decimal sign.
    """
    return max(",;\t", key=text.partition("\n")[0].count)


def _is_formula(text: str) -> bool:
    # Spreadsheets pass over blanks before they look for the sign of a formula.
    return text.lstrip(" \n\xa0").startswith(FORMULA_STARTS)


def text_of(rows: Iterable[Sequence[str]], *, separator: str = ",", end: str = "\n") -> str:
    """Rows as the text of a table, quoted where they need it."""
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator=end).writerows(rows)
    return out.getvalue()
