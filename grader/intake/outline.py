"""A plan as text: how the sources of a batch were understood, before anything is graded."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

from grader.intake.names import shown
from grader.intake.plan import Plan
from grader.intake.source import Entry

_WIDEST = 40


def outline(plan: Plan) -> str:
    """The whole plan: what was recognised, a line for each submission, what was left out, and what is not sure."""
    return "\n".join(_lines(plan))


def _lines(plan: Plan) -> Iterator[str]:
    yield from plan.read_as or (
        "read by student numbers, folders and archives: no download of a platform was recognised",
    )
    count = len(plan.entries)
    yield f"{count} {'submission' if count == 1 else 'submissions'}:"
    yield from _table([_row(entry) for entry in plan.entries])
    for entry in plan.entries:
        yield from (f"earlier, of {shown(entry.student)}: {told}" for told in entry.origin.earlier)
    yield from (f"not taken for a submission: {told}" for told in plan.ignored)
    yield from (f"not sure: {told}" for told in plan.doubts)
    yield from (f"not sure: {entry.id}: {note}" for entry in plan.entries for note in entry.notes)
    numbers = Counter(entry.student_id.upper() for entry in plan.entries if entry.student_id)
    yield from (f"not sure: {n} submissions carry the number {number}" for number, n in numbers.items() if n > 1)
    if plan.refusal:
        yield "`grader batch` refuses to grade this as one submission"


def _row(entry: Entry) -> tuple[str, ...]:
    origin = entry.origin
    ids = [str(i) for who in origin.submitters for i in who.ids]
    if not ids and entry.student_id:
        ids = [f"number {entry.student_id}"]
    elif entry.student_id and not any(entry.student_id in told for told in ids) and "," not in entry.student_id:
        ids.append(f"number {entry.student_id}")
    when = " ".join(filter(None, ("LATE" if origin.late else "", origin.attempt)))
    return tuple(map(shown, (entry.id, entry.student, ", ".join(ids) or "no id", when, entry.handed_in_as)))


def _table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Columns as wide as what is in them, within reason; one that is empty in every row is left out."""
    used = [column for column in zip(*rows, strict=True) if any(column)]
    widths = [min(_WIDEST, max(map(_width, column))) for column in used]
    for row in zip(*used, strict=True):
        yield (
            "  "
            + "  ".join(cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)).rstrip()
        )


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
