"""From what a TA names on the command line to a plan for a whole batch, and that plan as text.

A plan is cheap: it looks at names alone, so that a worker process reads each submission itself, memory stays flat in
their number, and an archive that attacks harms one worker at most.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from grader.errors import UsageError
from grader.intake.course import NO_FILES, CourseFiles
from grader.intake.names import shown, unique_ids
from grader.intake.places import place_of
from grader.intake.search import Flat, Search
from grader.intake.source import Entry
from grader.report.words import plural
from grader.source import display_width
from grader.submission import Form, Identifier
from grader.values import dataclass

_NAMED = 3  # files that a sentence names
_WIDEST = 40  # columns of a cell


@dataclass(frozen=True, slots=True)
class Plan:
    """The submissions of a batch in their order, and how it came to them.

    ``read_as`` are sentences on the downloads that were recognised, ``ignored`` on what lies beside submissions and is none,
    ``doubts`` on what a person should look at. ``refusal``, if not empty, says why this must not be graded as it is.
    """

    entries: tuple[Entry, ...]
    ignored: tuple[str, ...]
    read_as: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    refusal: str = ""


def plan(
    sources: Sequence[Path],
    student_id_pattern: str | None = None,
    programs: Sequence[str] = (),
    course: CourseFiles = NO_FILES,
) -> Plan:
    """What a batch has to grade, in an order that depends on names alone.

    ``programs`` are the names or patterns of the sources that the spec asks for: they tell many submissions from one. The files
    of the ``course`` are no submissions. Raises UsageError when a source is not there or when nothing to grade is in any of them.
    """
    search = Search(student_id_pattern, frozenset(programs), course)
    search.look_into_all([place_of(source) for source in dict.fromkeys(path.resolve() for path in sources)])
    ignored = tuple(dict.fromkeys((*search.ignored, *search.ignored_members())))
    if not search.found:
        where = ", ".join(str(path) for path in sources)
        hint = "; ".join(ignored[:_NAMED]) or "give a folder of zips or folders, or a zip of them"
        raise UsageError("holds no submissions", place=where, hint=hint)
    ordered = sorted(_noted(search.found), key=_order)
    ids = unique_ids(entry.id for entry in ordered)
    entries = tuple(replace(entry, id=unique) for entry, unique in zip(ordered, ids, strict=True))
    doubts, refusal = _side_by_side(search.flat, programs, alone=len(entries) == 1)
    return Plan(entries, ignored, tuple(search.read_as), (*search.doubts, *doubts), refusal)


def _order(entry: Entry) -> tuple[str, ...]:
    """By identifier, then by name without its extension, so that ``LAB04.zip`` comes before ``LAB04 (1).zip``."""
    stem = entry.handed_in_as.rpartition(".")[0] or entry.handed_in_as
    return (entry.id.casefold(), entry.id, stem, entry.handed_in_as, entry.member, entry.path.as_posix())


def _noted(entries: Sequence[Entry]) -> list[Entry]:
    """The entries, with a note where a student has several. Those of one student number are told of when all are graded."""
    together: dict[Identifier | str, list[int]] = defaultdict(list)
    for number, entry in enumerate(entries):
        # an identifier, or a name that has none: a loose file is called by its program, and one word may be anybody
        keys: set[Identifier | str] = {identifier for who in entry.origin.submitters for identifier in who.ids}
        if not keys and not entry.student_id and entry.form is not Form.FILE and " " in entry.student.strip():
            keys = {f"“{shown(entry.student)}”"}
        for key in keys:
            together[key].append(number)
    notes: dict[int, list[str]] = defaultdict(list)
    for key, several in together.items():
        if len(several) > 1:
            listed = ", ".join(shown(entries[number].handed_in_as) for number in several[: _NAMED + 1])
            more = f" and {len(several) - _NAMED - 1} more" if len(several) > _NAMED + 1 else ""
            for number in several:
                notes[number].append(f"{len(several)} submissions are of {key}: {listed}{more}")
    return [replace(entry, notes=(*entry.notes, *notes[number])) for number, entry in enumerate(entries)]


def _side_by_side(flat: Sequence[Flat], programs: Sequence[str], *, alone: bool) -> tuple[list[str], str]:
    """What is to be said of programs that lie side by side and were taken for one submission.

    A spec that names its sources lets tell: of one submission at least one file has such a name.
    """
    names = {name.casefold() for name in programs if "*" not in name}
    if programs and not names and not alone:  # several files are usual where the spec has patterns
        return [], ""
    unnamed = [held for held in flat if not names & {name.casefold() for name in held.programs}]
    doubts = [f"{held}, and were taken for one submission" for held in unnamed]
    return (doubts, doubts[0]) if alone and doubts and names else (doubts, "")


# --------------------------------------------------------------------------------------------------------------- as text


def outline(planned: Plan) -> str:
    """The whole plan: what was recognised, a line for each submission, what was left out, and what is not sure."""
    return "\n".join(_lines(planned))


def _lines(planned: Plan) -> Iterator[str]:
    as_names = "read by student numbers, folders and archives: no download of a platform was recognised"
    yield from planned.read_as or (as_names,)
    yield f"{plural(len(planned.entries), 'submission')}:"
    yield from _table([_row(entry) for entry in planned.entries])
    for entry in planned.entries:
        yield from (f"earlier, of {shown(entry.student)}: {remark}" for remark in entry.origin.earlier)
    yield from (f"not taken for a submission: {remark}" for remark in planned.ignored)
    yield from (f"not sure: {remark}" for remark in planned.doubts)
    yield from (f"not sure: {entry.id}: {note}" for entry in planned.entries for note in entry.notes)
    numbers = Counter(entry.student_id.upper() for entry in planned.entries if entry.student_id)
    yield from (f"not sure: {n} submissions carry the number {number}" for number, n in numbers.items() if n > 1)
    if planned.refusal:
        yield "`grader batch` refuses to grade this as one submission"


def _row(entry: Entry) -> tuple[str, ...]:
    origin = entry.origin
    ids = [str(i) for who in origin.submitters for i in who.ids]
    if not ids and entry.student_id:
        ids = [f"number {entry.student_id}"]
    elif entry.student_id and not any(entry.student_id in one for one in ids) and "," not in entry.student_id:
        ids.append(f"number {entry.student_id}")
    when = " ".join(filter(None, ("LATE" if origin.late else "", origin.attempt)))
    return tuple(map(shown, (entry.id, entry.student, ", ".join(ids) or "no id", when, entry.handed_in_as)))


def _table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Columns as wide as what is in them, within reason; one that is empty in every row is left out."""
    used = [column for column in zip(*rows, strict=True) if any(column)]
    widths = [min(_WIDEST, max(map(display_width, column))) for column in used]
    for row in zip(*used, strict=True):
        cells = (cell + " " * (width - display_width(cell)) for cell, width in zip(row, widths, strict=True))
        yield f"  {'  '.join(cells)}".rstrip()
