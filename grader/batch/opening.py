"""A graded batch, opened again: its last call, later input of staff, and the owners of submissions."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import field, replace
from pathlib import Path

from grader.batch.computer import today
from grader.batch.decisions import decisions_in
from grader.batch.engine import engine
from grader.batch.finals import Final, Finals, Given
from grader.batch.identified import Identified, identified_in
from grader.batch.marks import NO_MARKING, Marking, read_marks, refuse_lost_marks
from grader.batch.sheet import file_in
from grader.batch.store import Store, open_store
from grader.batch.values import Call, KeptCall
from grader.errors import UsageError
from grader.grading.deciding import NONE_DECIDED, Decisions
from grader.intake.course import CourseFiles
from grader.intake.plan import Plan, plan
from grader.intake.source import read_entry
from grader.report.words import listed
from grader.spec.corrections import FILE_NAME, NONE, Corrections, load_corrections
from grader.spec.loader import Assignment, load_assignment
from grader.spec.parts import for_judging
from grader.submission import Submission
from grader.values import dataclass

_NAMED = 5  # people whose names contain the text, in a message


def planned_for(assignment: Assignment, sources: Sequence[Path]) -> Plan:
    """The plan of a batch of these sources. Raises UsageError if there is nothing to grade in them."""
    spec = assignment.spec
    return plan(sources, spec.submission.student_id, spec.program.sources, CourseFiles.of(assignment))


def of_others(out: Path, sources: Sequence[Path]) -> tuple[Path, ...]:
    """The folders with submissions of others, their running programs, and their grades."""
    folders = [out, *(source if source.is_dir() else source.parent for source in sources)]
    with suppress(FileNotFoundError):  # no such folder: the start of a worker reports it
        folders.append(Path(tempfile.gettempdir()))
    return tuple(dict.fromkeys(folders))


def last_call(out: Path) -> Call:
    """The last call for a folder. Raises UsageError if there was no call, or a part of it is gone."""
    with open_store(out / "grades.db", make=False) as store:
        kept = store.call
    roster = Path(kept.roster) if kept.roster else None
    call = Call(Path(kept.spec_path), tuple(map(Path, kept.sources)), out, roster, shard_of(kept.shard))
    for path in filter(None, (call.spec, *call.sources, call.roster)):
        if not path.exists():
            hint = "call `grader batch` with its new place"
            raise UsageError("is no longer where the batch found it", place=str(path), hint=hint)
    return call


def spec_of(kept: KeptCall, spec_path: Path | None) -> Path:
    """The named spec, or else that of the call. Raises UsageError if that of the call is gone."""
    path = spec_path or Path(kept.spec_path)
    if not path.exists():
        raise UsageError("is no longer where the batch found it", place=str(path), hint="name it with `--spec`")
    return path


def shard_of(text: str) -> tuple[int, int] | None:
    """A shard from its text, such as ``2/8``; None for an empty text."""
    number, _, of = text.partition("/")
    return (int(number), int(of)) if of else None


def handed_in(out: Path, wanted: str) -> tuple[Assignment, Submission, tuple[Path, ...]]:
    """One submission of a batch, read again, with its assignment and the folders hidden from its program.

    ``wanted`` is the identifier of a submission, a student's number or name (there or on the roster), or a unique part
    of one. Raises UsageError.
    """
    last = last_call(out)
    assert last.spec is not None  # each call that was kept has one
    assignment, sources = load_assignment(last.spec), last.sources
    with open_store(out / "grades.db", make=False) as store:
        numbers = store.student_ids()
        # Staff type the names on the pages, which are those of the roster.
        identified = identified_in(store, out) or Identified()
    entries = planned_for(assignment, sources).entries
    names = [
        (entry.id, numbers.get(entry.id) or entry.student_id, entry.student, *identified.names(entry.id))
        for entry in entries
    ]
    key = wanted.casefold()
    # an exact name counts before one in other letters, and that before a part of a name
    for fits in (lambda name: name == wanted, lambda name: name.casefold() == key, lambda name: key in name.casefold()):
        meant = [entry for entry, own in zip(entries, names, strict=True) if any(fits(name) for name in own if name)]
        if len(meant) == 1:
            course, pattern = CourseFiles.of(assignment), assignment.spec.submission.student_id
            return assignment, read_entry(meant[0], pattern, course=course), of_others(out, sources)
        if meant:
            several = listed([entry.id for entry in meant], _NAMED)
            raise UsageError(f"“{wanted}” fits several submissions: {several}", place=str(out))
    raise UsageError(f"nobody in this batch is called “{wanted}”", place=str(out))


@dataclass(frozen=True, slots=True)
class Opened:
    """A batch with the spec of its last call and the later marks of staff."""

    assignment: Assignment
    store: Store
    out: Path
    marking: Marking = NO_MARKING
    decisions: Decisions = field(default_factory=dict)

    @property
    def given(self) -> Given:
        """The marks and decisions of staff."""
        return Given(self.marking.marks, self.decisions)

    def finals(self, more: Decisions = NONE_DECIDED) -> Iterator[Final]:
        """Its final grades, also with ``more`` decisions than staff have made."""
        return Finals(self.assignment, Given(self.marking.marks, {**self.decisions, **more})).of(self.store)


@contextmanager
def opened_batch(out: Path, spec_path: Path | None = None, *, drop_marks: bool = False) -> Iterator[Opened]:
    """Open a batch without running anything, by the spec of its last call, or by another.

    Marks that are gone from their file raise UsageError, unless the caller says to ``drop_marks``. So does a missing
    batch or spec, and a change in the spec that verdicts depend on.
    """
    with open_store(out / "grades.db", make=False) as store:
        call = store.call
        path = spec_of(call, spec_path)
        assignment = load_assignment(path, today())
        hint = "`grader regrade` shows what would change, and `grader batch` grades again"
        # Nothing is run here, so verdicts cannot be renewed.
        if for_judging(assignment).fingerprint != call.inputs.judging:
            raise UsageError("has changed in what verdicts depend on", place=str(path), hint=hint)
        if call.inputs.engine != engine():
            raise UsageError("was judged by another version of the grader", place=str(out), hint=hint)
        submissions = [owner.submission for owner in store.owners()]
        marking = read_marks(file_in(out), assignment.spec, submissions)
        if not drop_marks:
            refuse_lost_marks(out, store, marking, submissions)
        decisions = decisions_in(out)
        inputs = replace(call.inputs, spec=assignment.fingerprint)
        now = replace(call, inputs=inputs, spec_path=str(path.absolute()), given=given_digest(marking, decisions))
        store.begin(now, corrections_in(out), keep=False)
        yield Opened(assignment, store, out, marking, decisions)


def refuse_outdated(out: Path) -> None:
    """Raises UsageError if marks, decisions or prices are newer than the reports of a batch."""
    with opened_batch(out) as opened:
        last, now = opened.store.last(), (opened.store.call.given, opened.assignment.fingerprint)
        if last is not None and (last.given, last.inputs.spec) != now:
            hint = f"`grader mark {out}` puts it to the grades first"
            raise UsageError("marks, decisions or the spec have changed since", place=str(out), hint=hint)


def given_digest(marking: Marking, decisions: Decisions) -> str:
    """A digest of marks and decisions, to notice later changes."""
    decided = repr(sorted(decisions.items(), key=lambda one: one[0])) if decisions else ""
    return " ".join(filter(None, (marking.digest, decided)))


def corrections_in(out: Path) -> Corrections:
    """The corrections of staff beside the grades. Raises SpecError, UsageError."""
    path = out / FILE_NAME
    return load_corrections(path) if path.exists() else NONE
