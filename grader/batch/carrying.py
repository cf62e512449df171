"""Marks of the shards of a batch, carried into the file of marks of the whole; a mark that cannot be carried is named before anything is written.

Each mark is one answer of a person: points with their comment, a score with its reason, lateness, or a comment on the whole submission. A record
tells that a mark counted, and not what was typed, so that marks are carried from files of marks alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from grader.batch.marks import MOST_NAMED, Marking, given_in, read_marks
from grader.batch.sheet import (
    COMMENT,
    LAST,
    SUBMISSION,
    Known,
    Line,
    completed,
    file_in,
    read_sheet,
    with_marks,
    write_sheet,
)
from grader.batch.store import Store
from grader.errors import UsageError
from grader.spec.model import Spec
from grader.values import dataclass

_HINT = (
    "put a missing file beside the `grades.db` of its shard, and leave one answer where two differ; "
    "or `grader merge … --drop-marks`, which writes the reports without these marks"
)


@dataclass(frozen=True, slots=True)
class Carried:
    """The cells that the file of the whole lacks, by submission, and a sentence for each loss and each thing that was left alone."""

    cells: Mapping[str, Mapping[str, str]]
    lost: tuple[str, ...]
    notes: tuple[str, ...]

    def refuse(self, out: Path) -> None:
        """Raise UsageError where marks would be lost."""
        if not self.lost:
            return
        more = f"\nand {len(self.lost) - MOST_NAMED} more" if len(self.lost) > MOST_NAMED else ""
        said = "\n".join(self.lost[:MOST_NAMED])
        raise UsageError(f"these marks would be lost:\n{said}{more}\n", place=str(file_in(out)), hint=_HINT)

    def write(self, out: Path, lines: Sequence[Line], spec: Spec) -> None:
        """Add the cells to the file of the whole. Raises UsageError where it cannot be read or written."""
        if not self.cells:
            return
        held, rubric = read_sheet(file_in(out)), [criterion.id for criterion in spec.rubric]
        named = {column for cells in self.cells.values() for column in cells}
        wanted = [name for name in rubric if name in named]
        write_sheet(file_in(out), with_marks(completed(held, lines, wanted, rubric), self.cells))


def carried(
    shards: Mapping[Path, Store],
    whole: Marking,
    before: Mapping[str, Sequence[str]],
    spec: Spec,
    submissions: Sequence[str],
) -> Carried:
    """The marks of the shards that the file of the whole, read as ``whole``, lacks.

    ``before`` names the marks that the last reports of the whole held, by submission. A cell that was emptied since is an answer, and stays
    empty. Raises UsageError where a file of marks cannot be understood.
    """
    gathering = _Gathering(whole, before, spec, submissions)
    for folder, store in shards.items():
        path = file_in(folder)
        marking = read_marks(path, spec, submissions)
        gathering.take(path, marking)
        gathering.miss(f"the reports of {folder}", marked(store), marking)
    gathering.miss("the last reports of the whole", before)
    return gathering.result()


def marked(store: Store) -> dict[str, list[str]]:
    """The columns of the marks that the last reports of a store hold, by submission. Raises DamagedError."""
    last = store.last()
    found = {}
    for owner in last.owners if last else ():
        record = store.final(owner.submission)
        if record is not None and (names := given_in(store.grade(record, owner.submission))):
            found[owner.submission] = names
    return found


class _Gathering:
    """The answers of the whole and its shards, as the files come in."""

    def __init__(
        self, whole: Marking, before: Mapping[str, Sequence[str]], spec: Spec, submissions: Sequence[str]
    ) -> None:
        self._whole = whole
        self._before = before
        self._columns = {criterion.id for criterion in spec.rubric} | set(LAST)
        self._known = Known(submissions)
        self._submissions = frozenset(submissions)
        self._answers = {(name, column): (answer, "the file of the whole") for name, column, answer in _answers(whole)}
        self._cells: dict[str, dict[str, str]] = {}
        self._lost: list[str] = []
        self._notes: list[str] = []

    def take(self, path: Path, marking: Marking) -> None:
        """Take the answers of one shard's file."""
        rows = {self._known.find(marking.sheet.cell(row, SUBMISSION)): row for row in marking.sheet.rows}
        for name, column, answer in _answers(marking):
            if self._emptied(name, column):
                continue
            if (held := self._answers.get((name, column))) is None:
                self._answers[name, column] = (answer, str(path))
                beside = {"override": ("reason",)}.get(column, () if column in LAST else (column + COMMENT,))
                cells = {part: marking.sheet.cell(rows[name], part) for part in (column, *beside)}
                self._cells.setdefault(name, {}).update(cells)
            elif held[0] != answer:
                self._lost.append(f"{name} ({column}): {path} and {held[1]} differ")
        self._lost += [f"{name}: {path} has marks, and no shard has the submission" for name in marking.strange]
        self._notes += [f"{path.parent}: {note}" for note in marking.ignored]

    def miss(self, where: str, counted: Mapping[str, Sequence[str]], marking: Marking | None = None) -> None:
        """Name the marks that ``counted`` in reports and that the merged reports cannot have; ``marking`` is the file beside those."""
        for name, column in ((name, column) for name, columns in counted.items() for column in columns):
            if name not in self._submissions:
                self._lost.append(f"{name} ({column}): in {where}, and no shard has the submission")
            elif column not in self._columns:
                self._lost.append(f"{name} ({column}): in {where}, and the spec has no such criterion")
            elif not (
                (name, column) in self._answers or _has_cell(marking, name, column) or self._emptied(name, column)
            ):
                self._lost.append(f"{name} ({column}): in {where}, and in no file of marks")

    def _emptied(self, name: str, column: str) -> bool:
        counted = column in self._before.get(name, ())
        return counted and (name, column) not in self._answers and _has_cell(self._whole, name, column)

    def result(self) -> Carried:
        """What there is to carry, and what would be lost."""
        return Carried(self._cells, tuple(dict.fromkeys(self._lost)), tuple(dict.fromkeys(self._notes)))


def _has_cell(marking: Marking | None, name: str, column: str) -> bool:
    return marking is not None and name in marking.rows and column in marking.sheet.header


def _answers(marking: Marking) -> Iterator[tuple[str, str, object]]:
    """Each answer of a person: the submission, the first column in which it stands, and its value."""
    for name, one in marking.marks.items():
        yield from ((name, criterion, given) for criterion, given in one.given.items())
        if one.late:
            yield name, "late", one.late
        if one.override is not None:
            yield name, "override", (one.override, one.reason)
        if one.comment:
            yield name, "comment", one.comment
