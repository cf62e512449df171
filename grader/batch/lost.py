"""Marks that counted in the last reports and are no longer in the file of marks: whoever calls is told before anything is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from grader.batch.marks import Marking
from grader.batch.sheet import file_in
from grader.batch.store import Store, open_store
from grader.errors import UsageError
from grader.report.record import load
from grader.results import Grade

MOST_NAMED = 10
"""Submissions whose marks would go, as far as a sentence names them."""
_OF_ROW = ("late", "override", "comment")


def refuse_lost_marks(out: Path, store: Store, marking: Marking, submissions: Sequence[str]) -> None:
    """Raise UsageError where rows or columns are gone from the file of marks whose marks are in the last reports."""
    _refuse(out, tuple(_lost(store, marking, submissions)))


def refuse_to_forget_marks(out: Path, marking: Marking, submissions: Sequence[str]) -> None:
    """The same before all grades are forgotten. Nothing is known of a store that cannot be read, and nothing is refused."""
    if not (out / "grades.db").exists():
        return
    try:
        with open_store(out / "grades.db") as store:
            lost = tuple(_lost(store, marking, submissions))
    except UsageError:
        return
    _refuse(out, lost)


def _refuse(out: Path, lost: Sequence[str]) -> None:
    if not lost:
        return
    path = file_in(out)
    more = f" and {len(lost) - MOST_NAMED} more" if len(lost) > MOST_NAMED else ""
    what = "lacks rows or columns that it had" if path.exists() else "is gone"
    raise UsageError(
        f"{what}, and these marks with it: {', '.join(lost[:MOST_NAMED])}{more}",
        place=str(path),
        hint=f"put the file back; or `grader mark {out} --drop-marks`, which writes the reports without these marks",
    )


def _lost(store: Store, marking: Marking, submissions: Iterable[str]) -> Iterator[str]:
    """The submissions whose marks were in the last reports and are gone, each with the columns."""
    if store.last() is None:
        return
    columns = set(marking.sheet.header)
    whole = all(name in columns for name in marking.columns)
    for submission in submissions:
        if whole and submission in marking.rows:
            continue
        record = store.final(submission)
        if record is None:
            continue
        held = set() if submission not in marking.rows else columns
        gone = [name for name in given_in(load(record, place=f"grades.db: {submission}")) if name not in held]
        if gone:
            yield f"{submission} ({', '.join(gone)})"


def given_in(grade: Grade) -> list[str]:
    """The columns from which marks of a grade came."""
    kinds = {adjustment.kind for adjustment in grade.adjustments}
    return [
        *(criterion.id for criterion in grade.criteria if criterion.given),
        *(name for name in _OF_ROW if name in kinds),
    ]
