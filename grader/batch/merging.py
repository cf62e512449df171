"""``grader merge``: the shards of a batch, graded on several machines, as one batch.

A shard is a batch of every n-th submission. Its store says which, and holds the verdicts; they are put together in the order in which the
sources were read, and the reports are written from them: the same bytes as if one machine had graded them all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path

from grader.batch.carrying import carried, marked
from grader.batch.damage import DamagedError, reading
from grader.batch.decisions import FILE_NAME as DECISIONS
from grader.batch.decisions import decisions_in
from grader.batch.engine import engine
from grader.batch.files import make_folder
from grader.batch.marks import Marking, read_marks
from grader.batch.mending import mended
from grader.batch.opening import Opened, corrections_in, given_digest, shard_of
from grader.batch.rows import without_nul
from grader.batch.sheet import Line, file_in, read_text
from grader.batch.store import Store, open_store
from grader.batch.summary import Summary
from grader.batch.today import today
from grader.batch.values import KeptCall, Owner, silent
from grader.errors import UsageError
from grader.spec.loader import load_assignment
from grader.spec.model import Spec
from grader.spec.parts import for_judging

_NAMED = 8  # shards that a sentence names
_SAME = "grade all shards by the same grader and the same spec"


def merge_batches(
    folders: Sequence[Path],
    out: Path,
    *,
    spec_path: Path | None = None,
    roster: Path | None = None,
    jobs: int,
    drop_marks: bool = False,
    warn: Callable[[str], None] = silent,
) -> Summary:
    """Put the shards in ``folders`` together in ``out``, and write its reports.

    ``spec_path`` is the place of the spec here, where it is not that of the first shard; ``roster`` as in `run_batch`. ``warn`` is told
    where the store in ``out`` was damaged. Marks of the shards are carried into the file of marks in ``out``. Those that would be lost
    raise UsageError, unless the caller says to ``drop_marks``. Raises UsageError where a shard is missing, is there twice, or was graded
    by something else; DamagedError where one holds what no grader writes: it may come from anywhere.
    """
    merged = partial(_merged, folders, out, spec_path, roster, jobs, drop_marks)
    try:
        return merged()
    except DamagedError as fault:
        if fault.place != str(out / "grades.db"):
            raise
        warn(mended(out / "grades.db", fault))
        return merged()


def _merged(
    folders: Sequence[Path], out: Path, spec_path: Path | None, roster: Path | None, jobs: int, drop_marks: bool
) -> Summary:
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
        path = _spec_here(folders, spec_path, first)
        assignment = load_assignment(path, today())
        if (for_judging(assignment).fingerprint, engine()) != (first.inputs.judging, first.inputs.engine):
            raise UsageError("the shards were graded by another spec or grader than what is here", hint=_SAME)
        owners = _interleaved([shard.call.owners for shard in shards])
        names = Counter(owner.submission for owner in owners)
        if twice := [name for name, count in names.items() if count > 1]:
            raise UsageError(f"{twice[0]} is in several shards", hint=_SAME)
        corrections = corrections_in(out)
        for shard in shards:
            shard.begin(shard.call, corrections, keep=False)
            for _ in shard.counting():  # what is wrong in one is said before anything is written
                pass
        in_shards = dict(zip(folders, stores, strict=True))
        marking, notes = _marking(in_shards, out, assignment.spec, owners, drop_marks=drop_marks)
        decisions = decisions_in(out)
        whole = KeptCall(
            replace(
                first.inputs,
                spec=assignment.fingerprint,
                submissions={owner.submission: owner.contents for owner in owners},
            ),
            owners,
            str(path.absolute()),
            first.sources,
            given_digest(marking, decisions),
            tuple(dict.fromkeys(doubt for shard in shards for doubt in shard.call.doubts)),
            str(roster.absolute()) if roster else "",
        )
        with open_store(out / "grades.db") as store:
            changes = store.begin(whole, corrections)
            for shard in shards:
                store.take(shard.counting())
            if lacking := whole.inputs.submissions.keys() - store.finished() - store.judge_errors():
                told = f"{len(lacking)} submissions have no verdict in any shard, such as {min(lacking)}"
                raise UsageError(told, hint="let each shard end; corrections of it, `learned.yaml`, belong here too")
            summary = Summary.of(Opened(assignment, store, out, marking, decisions), jobs)
        notes = (*marking.ignored, *notes, *_undecided(folders, out))
        return replace(summary, changes=changes, notes=notes)


def _spec_here(folders: Sequence[Path], spec_path: Path | None, call: KeptCall) -> Path:
    """Where the spec lies here: where the caller says, or where a shard had it. Raises UsageError."""
    path = spec_path or Path(call.spec_path)
    if not path.exists():
        raise UsageError("is not here", place=str(path), hint="name the spec's place here with `--spec`")
    if spec_path is None and any(path.resolve().is_relative_to(folder.resolve()) for folder in folders):
        told = "this spec came with a shard, and whoever wrote a spec may run anything here"
        raise UsageError(told, place=str(path), hint="name it with `--spec` where you trust it")
    return path


def _marking(
    shards: Mapping[Path, Store], out: Path, spec: Spec, owners: Sequence[Owner], *, drop_marks: bool
) -> tuple[Marking, tuple[str, ...]]:
    """The marks of the whole, to which those of the shards are carried, and what is to be said of them. Raises UsageError."""
    names = [owner.submission for owner in owners]
    before = {}
    if (out / "grades.db").exists():
        with open_store(out / "grades.db") as store:
            before = marked(store)
    marks = carried(shards, read_marks(file_in(out), spec, names), before, spec, names)
    if not drop_marks:
        marks.refuse(out)
    make_folder(out)
    ids = {name: number for store in shards.values() for name, number in store.student_ids().items()}
    marks.write(out, [Line(one.submission, one.student, ids.get(one.submission, "")) for one in owners], spec)
    return read_marks(file_in(out), spec, names), marks.notes


def _undecided(folders: Sequence[Path], out: Path) -> list[str]:
    """A sentence for each file of decisions in a shard that is not that of the whole."""
    held = read_text(out / DECISIONS)
    return [
        f"{folder / DECISIONS} was left alone: decisions hold where they stand in {out / DECISIONS}"
        for folder in folders
        if (folder / DECISIONS).exists() and read_text(folder / DECISIONS) != held
    ]


def _in_order(folders: Sequence[Path], stores: Sequence[Store]) -> list[Store]:
    """The shards by their numbers."""
    found: dict[int, Store] = {}
    first = stores[0].call
    total = 0
    for folder, store in zip(folders, stores, strict=True):
        shard, call = shard_of(store.call.shard), store.call
        if shard is None:
            raise UsageError("is no shard", place=str(folder), hint="`grader batch … --shard I/N` makes them")
        number, of = shard
        total = total or of
        mine = replace(call.inputs, submissions={})
        if of != total or mine != replace(first.inputs, submissions={}):
            raise UsageError("is a shard of another batch", place=str(folder), hint=_SAME)
        if number in found:
            raise UsageError(f"shard {number} of {of} is there twice", place=str(folder))
        found[number] = store
    missing = [f"{number}/{total}" for number in range(1, total + 1) if number not in found]
    if missing:
        more = ", …" if len(missing) > _NAMED else ""
        raise UsageError(f"shards are missing: {', '.join(missing[:_NAMED])}{more}", hint="name the folders of all")
    return [found[number] for number in sorted(found)]


def _interleaved(shards: Sequence[Sequence[Owner]]) -> tuple[Owner, ...]:
    """Everybody in the order of the whole batch: the first of each shard, the second of each, and so on."""
    longest = max(map(len, shards))
    return tuple(shard[at] for at in range(longest) for shard in shards if at < len(shard))
