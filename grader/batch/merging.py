"""``grader merge``: the shards of a batch, graded on several machines, as one batch.

A shard is a batch of every n-th submission. Its store says which, and holds the verdicts. Verdicts are merged in the
order of the sources, and the reports are written from them: the same bytes as if one machine had graded everything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

from grader.batch import sheet
from grader.batch.computer import cores, today
from grader.batch.damage import DamagedError, reading
from grader.batch.decisions import FILE_NAME as DECISIONS
from grader.batch.decisions import decisions_in
from grader.batch.engine import engine
from grader.batch.files import make_folder
from grader.batch.marks import MOST_NAMED, Marking, columns_of, read_marks
from grader.batch.mending import mended
from grader.batch.opening import Opened, corrections_in, given_digest, shard_of
from grader.batch.rows import without_nul
from grader.batch.sheet import file_in, read_text
from grader.batch.store import Store, open_store
from grader.batch.summary import Summary
from grader.batch.values import Call, KeptCall, Owner
from grader.errors import UsageError
from grader.report.words import listed
from grader.spec.loader import load_assignment
from grader.spec.model import Spec
from grader.spec.parts import for_judging

_NAMED = 8  # shards that a sentence names
_SAME = "grade all shards by the same grader and the same spec"


def merge_batches(call: Call, *, drop_marks: bool = False) -> Summary:
    """Put the shards that a call names together, and write the reports of the whole.

    The call names the place of the spec here, if it is not that of the first shard. It is warned if the store of the
    whole was damaged. Marks of the shards are copied into the file of marks of the whole. Marks that would be lost
    raise UsageError, unless the caller says to ``drop_marks``. Raises UsageError if a shard is missing, is there twice,
    or was graded by another grader or spec. Raises DamagedError if one holds data that no grader writes: it may come
    from anywhere.
    """
    try:
        return _merged(call, drop_marks=drop_marks)
    except DamagedError as fault:
        if fault.place != str(call.out / "grades.db"):
            raise
        call.warn(mended(call.out / "grades.db", fault))
        return _merged(call, drop_marks=drop_marks)


def _merged(call: Call, *, drop_marks: bool) -> Summary:
    folders, out = call.sources, call.out
    # The store of the whole would be read and written at once.
    if out.resolve() in {folder.resolve() for folder in folders}:
        raise UsageError("is a shard itself", place=str(out), hint="choose another folder for the whole")
    with ExitStack() as opened:
        stores = [opened.enter_context(open_store(folder / "grades.db", make=False)) for folder in folders]
        shards = _in_order(folders, stores)
        for folder, store in zip(folders, stores, strict=True):
            with reading(folder / "grades.db", "the roll"):
                for owner in store.owners():  # no system gives a person or a file a name with a NUL
                    without_nul((owner.student, owner.student_id, owner.handed_in_as))
        first = shards[0].call
        path = _spec_here(call, first)
        assignment = load_assignment(path, today())
        # The next call would judge the whole anew, on a machine that may lack the submissions.
        if (for_judging(assignment).fingerprint, engine()) != (first.inputs.judging, first.inputs.engine):
            raise UsageError("the shards were graded by another spec or grader than what is here", hint=_SAME)
        # the order of the whole batch: the first of each shard, the second of each, and so on
        in_turn = zip_longest(*(shard.call.owners for shard in shards))
        owners = tuple(owner for turn in in_turn for owner in turn if owner is not None)
        names = Counter(owner.submission for owner in owners)
        if twice := [name for name, count in names.items() if count > 1]:
            raise UsageError(f"{twice[0]} is in several shards", hint=_SAME)
        corrections = corrections_in(out)
        for shard in shards:
            shard.begin(shard.call, corrections, keep=False)
            for _ in shard.counting():  # faults in a shard are reported before anything is written
                pass
        in_shards = dict(zip(folders, stores, strict=True))
        marking, notes = _marking(in_shards, out, assignment.spec, owners, drop_marks=drop_marks)
        decisions = decisions_in(out)
        contents = {one.submission: one.contents for one in owners}
        inputs = replace(first.inputs, spec=assignment.fingerprint, submissions=contents)
        doubts = tuple(dict.fromkeys(doubt for shard in shards for doubt in shard.call.doubts))
        given, roster = given_digest(marking, decisions), str(call.roster.absolute()) if call.roster else ""
        whole = KeptCall(inputs, owners, str(path.absolute()), first.sources, given, doubts, roster)
        with open_store(out / "grades.db") as store:
            changes = store.begin(whole, corrections)
            for shard in shards:
                store.take(shard.counting())
            if lacking := whole.inputs.submissions.keys() - store.finished() - store.judge_errors():
                what = f"{len(lacking)} submissions have no verdict in any shard, such as {min(lacking)}"
                raise UsageError(what, hint="let each shard end; corrections of it, `learned.yaml`, belong here too")
            summary = Summary.of(Opened(assignment, store, out, marking, decisions), call.jobs or cores())
        held = read_text(out / DECISIONS)
        files = [folder / DECISIONS for folder in folders]
        others = [file for file in files if file.exists() and read_text(file) != held]
        alone = [f"{file} was left alone: decisions hold where they stand in {out / DECISIONS}" for file in others]
        return replace(summary, changes=changes, notes=(*marking.ignored, *notes, *alone))


def _spec_here(call: Call, first: KeptCall) -> Path:
    """The path of the spec here: from the call, or from the first shard. Raises UsageError."""
    path = call.spec or Path(first.spec_path)
    if not path.exists():
        raise UsageError("is not here", place=str(path), hint="name the spec's place here with `--spec`")
    if call.spec is None and any(path.resolve().is_relative_to(folder.resolve()) for folder in call.sources):
        what = "this spec came with a shard, and whoever wrote a spec may run anything here"
        raise UsageError(what, place=str(path), hint="name it with `--spec` where you trust it")
    return path


def _marking(
    shards: Mapping[Path, Store], out: Path, spec: Spec, owners: Sequence[Owner], *, drop_marks: bool
) -> tuple[Marking, tuple[str, ...]]:
    """The marks of the whole with those of the shards, and sentences on them. Raises UsageError."""
    names = [owner.submission for owner in owners]
    before = {}
    if (out / "grades.db").exists():
        with open_store(out / "grades.db") as store:
            before = _marked(store)
    carrying = _Carrying(file_in(out), before, spec, names)
    for folder, store in shards.items():
        carrying.take(folder, store)
    carrying.miss("the last reports of the whole", before)
    if not drop_marks:
        carrying.refuse()
    make_folder(out)
    ids = {name: number for store in shards.values() for name, number in store.student_ids().items()}
    carrying.write([sheet.Line(one.submission, one.student, ids.get(one.submission, "")) for one in owners])
    return read_marks(file_in(out), spec, names), tuple(dict.fromkeys(carrying.notes))


def _marked(store: Store) -> dict[str, list[str]]:
    """The columns with marks in the last reports of a store, by submission. Raises DamagedError."""
    last = store.last()
    names = [owner.submission for owner in last.owners] if last else []
    return {name: columns for name in names if (columns := columns_of(store, name))}


def _in_order(folders: Sequence[Path], stores: Sequence[Store]) -> list[Store]:
    """The shards by their numbers."""
    by_number: dict[int, Store] = {}
    first = stores[0].call
    total = 0
    for folder, store in zip(folders, stores, strict=True):
        shard = shard_of(store.call.shard)
        if shard is None:
            raise UsageError("is no shard", place=str(folder), hint="`grader batch … --shard I/N` makes them")
        number, of = shard
        total = total or of
        if of != total or replace(store.call.inputs, submissions={}) != replace(first.inputs, submissions={}):
            raise UsageError("is a shard of another batch", place=str(folder), hint=_SAME)
        if number in by_number:
            raise UsageError(f"shard {number} of {of} is there twice", place=str(folder))
        by_number[number] = store
    missing = [f"{number}/{total}" for number in range(1, total + 1) if number not in by_number]
    if missing:
        raise UsageError(f"shards are missing: {listed(missing, _NAMED)}", hint="name the folders of all")
    return [by_number[number] for number in sorted(by_number)]


# --------------------------------------------------------------------------------------------------------------- marks

_HINT = (
    "put a missing file beside the `grades.db` of its shard, and leave one answer where two differ; "
    "or `grader merge … --drop-marks`, which writes the reports without these marks"
)


class _Carrying:
    """Marks of the shards on their way into the file of the whole.

    Before anything is written, marks that cannot be copied are named.

    Each mark is one answer of a person: points with their comment, a score with its reason, lateness, or a comment on the whole
    submission. A record shows that a mark counted, but not what was typed, so marks are only copied from files of
    marks. ``before`` names the marks that the last reports of the whole held, by submission. A cell that was emptied
    later is an answer, and stays empty. Raises UsageError if a file of marks cannot be understood.
    """

    def __init__(self, path: Path, before: Mapping[str, Sequence[str]], spec: Spec, submissions: Sequence[str]) -> None:
        self._path = path
        self._whole = read_marks(path, spec, submissions)
        self._before = before
        self._spec = spec
        self._names = sheet.Names(submissions)
        self._submissions = submissions
        self._answers = {
            (name, column): (answer, "the file of the whole") for name, column, answer in _answers(self._whole)
        }
        self._cells: dict[str, dict[str, str]] = {}
        self._lost: list[str] = []
        self.notes: list[str] = []

    def take(self, folder: Path, store: Store) -> None:
        """Take the answers in a shard's file of marks, and name marks that counted in its reports and are gone."""
        path = file_in(folder)
        marking = read_marks(path, self._spec, self._submissions)
        rows = {self._names.find(marking.sheet.cell(row, sheet.SUBMISSION)): row for row in marking.sheet.rows}
        for name, column, answer in _answers(marking):
            if self._emptied(name, column):
                continue
            if (held := self._answers.get((name, column))) is None:
                self._answers[name, column] = (answer, str(path))
                usual = () if column in sheet.LAST else (column + sheet.COMMENT,)
                beside = {"override": ("reason",)}.get(column, usual)
                cells = {part: marking.sheet.cell(rows[name], part) for part in (column, *beside)}
                self._cells.setdefault(name, {}).update(cells)
            elif held[0] != answer:
                self._lost.append(f"{name} ({column}): {path} and {held[1]} differ")
        self._lost += [f"{name}: {path} has marks, and no shard has the submission" for name in marking.strange]
        self.notes += [f"{folder}: {note}" for note in marking.ignored]
        self.miss(f"the reports of {folder}", _marked(store), marking)

    def miss(self, where: str, counted: Mapping[str, Sequence[str]], marking: Marking | None = None) -> None:
        """Name the marks that ``counted`` in reports and that the merged reports cannot have; ``marking`` is the file beside those."""
        known = {criterion.id for criterion in self._spec.rubric} | set(sheet.LAST)
        for name, column in ((name, column) for name, columns in counted.items() for column in columns):
            if name not in self._submissions:
                self._lost.append(f"{name} ({column}): in {where}, and no shard has the submission")
            elif column not in known:
                self._lost.append(f"{name} ({column}): in {where}, and the spec has no such criterion")
            elif not (
                (name, column) in self._answers or _has_cell(marking, name, column) or self._emptied(name, column)
            ):
                self._lost.append(f"{name} ({column}): in {where}, and in no file of marks")

    def _emptied(self, name: str, column: str) -> bool:
        counted = column in self._before.get(name, ())
        return counted and (name, column) not in self._answers and _has_cell(self._whole, name, column)

    def refuse(self) -> None:
        """Raise UsageError where marks would be lost."""
        lost = list(dict.fromkeys(self._lost))
        if lost:
            more = f"\nand {len(lost) - MOST_NAMED} more" if len(lost) > MOST_NAMED else ""
            lines = "\n".join(lost[:MOST_NAMED])
            raise UsageError(f"these marks would be lost:\n{lines}{more}\n", place=str(self._path), hint=_HINT)

    def write(self, lines: Sequence[sheet.Line]) -> None:
        """Add the cells to the file of the whole. Raises UsageError if it cannot be read or written."""
        if not self._cells:
            return
        rubric = [criterion.id for criterion in self._spec.rubric]
        columns = {column for cells in self._cells.values() for column in cells}
        wanted = [name for name in rubric if name in columns]
        whole = sheet.completed(sheet.read_sheet(self._path), lines, wanted, rubric)
        sheet.write_sheet(self._path, sheet.with_marks(whole, self._cells))


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
