"""``grader batch``: from sources to a folder of reports."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from grader.batch.comparing import Change, changes
from grader.batch.computer import cores, today, usual_jobs
from grader.batch.damage import DamagedError
from grader.batch.decisions import decisions_in
from grader.batch.engine import engine
from grader.batch.files import make_folder
from grader.batch.finals import Finals, in_short
from grader.batch.identified import identified_in, roster_of
from grader.batch.inputs import Inputs, digests
from grader.batch.marks import read_marks, refuse_lost_marks, refuse_to_forget_marks
from grader.batch.mending import mended
from grader.batch.opening import Opened, corrections_in, given_digest, of_others, opened_batch, planned_for
from grader.batch.outputs import write_outputs
from grader.batch.pool import Done, Overran, run_pool
from grader.batch.rows import origin_text
from grader.batch.sheet import file_in
from grader.batch.store import open_store
from grader.batch.summary import Summary
from grader.batch.values import Call, Graded, KeptCall, Owner, Progress
from grader.batch.worker import Options, failed_grade, grading_of, to_keep, unjudged_grade
from grader.errors import UsageError
from grader.grading import Grading
from grader.grading.deciding import Scoring
from grader.intake.plan import Plan
from grader.intake.source import Entry
from grader.spec.loader import Assignment, load_assignment
from grader.values import dataclass

if TYPE_CHECKING:
    from grader.batch.remote import Outcome

_ONE_OR_MANY = (
    "of several students, put each into a folder of its own or name them one by one; "
    "one submission is graded by `grader grade`"
)


def run_batch(call: Call) -> Summary:
    """Grade all submissions that a call names and write the reports, going on where a batch stopped.

    Submissions corrected by ``learned.yaml`` in its folder are graded again. Raises SpecError. Raises UsageError if
    there is nothing to grade, the folder holds another batch, or programs cannot be sandboxed here (unless the call is
    ``unsafe``). Raises JudgeError if no worker can start. After an interrupt, finished grades are kept. The readable
    part of a damaged store is kept, with a warning.
    """
    roster_of(call.roster, call.out)  # faults in it are reported before anything is graded
    try:
        return _graded_and_reported(call)
    except DamagedError as fault:
        call.warn(mended(call.out / "grades.db", fault, fresh=call.fresh))
        return _graded_and_reported(replace(call, fresh=False))


def _graded_and_reported(call: Call) -> Summary:
    with _graded_batch(call) as batch:
        planned, notes, resumed = batch.planned, batch.opened.marking.ignored, batch.resumed
        summary = replace(Summary.of(batch.opened, batch.jobs), graded=len(planned.entries) - resumed, resumed=resumed)
        return replace(summary, ignored=planned.ignored, notes=notes, read_as=planned.read_as, changes=batch.changes)


def regrade(call: Call) -> tuple[Change, ...]:
    """The changes in a batch if a call graded it: usually the last call, by its spec as it is now, or by another.

    No report is written; new verdicts are kept, so that `apply` takes no time. Raises as `run_batch`.
    """
    with _graded_batch(call, keep=False) as batch:
        store = batch.opened.store
        before = (store.grade(text, name) for name, text in store.finals())
        finals = Finals(batch.opened.assignment, batch.opened.given, identified_in(store, call.out))
        return changes(before, (in_short(final.grade) for final in finals.of(store)))


def write_again(out: Path, spec_path: Path | None = None, *, jobs: int = 1, drop_marks: bool = False) -> Opened:
    """Score the verdicts of a batch anew, by marks.csv and the spec, and write its reports.

    Raises as `opened_batch`.
    """
    with opened_batch(out, spec_path, drop_marks=drop_marks) as opened:
        opened.store.begin(opened.store.call, corrections_in(out))
        write_outputs(opened, jobs)
        return opened


@dataclass(frozen=True, slots=True)
class _Batch:
    """A batch that a call grades: ``resumed`` submissions have a grade from before.

    ``changes`` are sentences on changes since.
    """

    call: Call
    opened: Opened
    scoring: Scoring
    planned: Plan
    options: Options
    jobs: int
    resumed: int
    changes: tuple[str, ...]


@contextmanager
def _graded_batch(call: Call, *, keep: bool = True) -> Iterator[_Batch]:
    """A batch with everything graded that the call asks for; the store keeps the call only if it may ``keep`` it."""
    assert call.spec is not None  # only a merge finds it in its shards
    assignment, out = load_assignment(call.spec, today()), call.out
    corrections = corrections_in(out)
    options = Options(unsafe=call.unsafe, hidden=of_others(out, call.sources), corrections=corrections)
    _warn_of_machine(assignment, options, call.warn)
    # Remote workers have their own memory: this machine does not limit their number.
    jobs = call.jobs or (cores() if call.scheduler else usual_jobs(assignment.spec, call.warn))
    planned = _planned(assignment, call)
    scoring = Scoring(assignment)
    make_folder(out)
    decisions = decisions_in(out)
    submissions = [entry.id for entry in planned.entries]
    marking = read_marks(file_in(out), assignment.spec, submissions)
    if call.fresh:
        refuse_to_forget_marks(out, marking, submissions)
    with open_store(out / "grades.db", fresh=call.fresh) as store:
        refuse_lost_marks(out, store, marking, submissions)
        kept = _kept_call(call, scoring, planned, given_digest(marking, decisions))
        last, differences = store.last(), store.begin(kept, corrections, keep=keep)
        # Without this, a user who forgets `--roster` would hand out reports in which nobody is missing.
        if last is not None and last.roster and not kept.roster:
            what = "names and groups are those of the download again, and nobody is known to have handed in nothing"
            differences = (f"the roster was left out: {what} (`--roster {last.roster}`)", *differences)
        opened = Opened(assignment, store, out, marking, decisions)
        batch = _Batch(call, opened, scoring, planned, options, jobs, len(store.finished()), differences)
        _grade_missing(batch)
        yield batch


def _warn_of_machine(assignment: Assignment, options: Options, warn: Callable[[str], None]) -> None:
    """Warn of everything that this machine lacks, before any program runs.

    Raises UsageError if no program may run here, SpecError if the course's own files do not build.
    """
    with Grading(assignment, **options) as grading:
        if not grading.caged:
            warn("this machine has no sandbox for programs: submissions run with your own rights")
        if grading.unkept:
            warn(grading.unkept)
        grading.refuse_mistakes()


def _planned(assignment: Assignment, call: Call) -> Plan:
    """The submissions that a call is to grade.

    Raises UsageError if nothing is found, or if reports would lie among the submissions: the next call would take them
    for submissions.
    """
    for source in call.sources:
        if source.is_dir() and call.out.resolve().is_relative_to(source.resolve()):
            raise UsageError("lies inside the submissions", place=str(call.out), hint="choose a folder beside them")
    planned = planned_for(assignment, call.sources)
    if planned.refusal:
        raise UsageError(planned.refusal, hint=_ONE_OR_MANY)
    if call.shard is None:
        return planned
    number, of = call.shard
    return replace(planned, entries=tuple(planned.entries[number - 1 :: of]))


def _kept_call(call: Call, scoring: Scoring, planned: Plan, given: str) -> KeptCall:
    """The call as the store keeps it: the digests that its grades depend on, and its options."""
    assignment, contents = scoring.assignment, digests(planned.entries)
    inputs = Inputs(assignment.id, assignment.fingerprint, scoring.judged.fingerprint, engine(), contents)
    owners = tuple(
        Owner(e.id, e.student, e.student_id, e.handed_in_as, contents[e.id], origin_text(e.origin), e.notes)
        for e in planned.entries
    )
    spec_path, sources = str(assignment.path.absolute()), tuple(str(source.absolute()) for source in call.sources)
    roster = str(call.roster.absolute()) if call.roster else ""
    shard = "{}/{}".format(*call.shard) if call.shard else ""
    return KeptCall(inputs, owners, spec_path, sources, given, planned.doubts, roster, shard)


def _grade_missing(batch: _Batch) -> None:
    """Grade submissions without a grade; equal ones are graded once."""
    store, progress = batch.opened.store, batch.call.progress
    finished = store.finished()
    alike: dict[str, list[str]] = {}
    for owner in store.owners():
        if owner.submission not in finished:
            alike.setdefault(owner.contents, []).append(owner.submission)
    together = {first: (first, *others) for first, *others in alike.values()}
    contents = store.call.inputs.submissions
    missing = [replace(entry, contents=contents[entry.id]) for entry in batch.planned.entries if entry.id in together]
    done, total = len(finished), len(batch.planned.entries)
    progress(Progress(done, total))
    with closing(_grades(batch, missing)) as grades:  # a grade that cannot be kept ends the workers at once
        for graded in grades:
            store.add(graded)
            for submission in together[graded.submission]:
                done += 1
                progress(Progress(done, total, submission))


def _grades(batch: _Batch, entries: Sequence[Entry]) -> Generator[Graded, None, None]:
    """The grades of entries in the order in which they are done."""
    scoring, corrections = batch.scoring, batch.options["corrections"]
    with closing(_outcomes(batch, entries)) as outcomes:
        for outcome in outcomes:
            if isinstance(outcome, Done):
                yield outcome.result
            elif isinstance(outcome, Overran):
                grade = unjudged_grade(scoring.judged, outcome.task, outcome.seconds)
                yield to_keep(scoring, grade, outcome.seconds, grade.review[0], corrections)
            else:
                grade = failed_grade(scoring.judged, outcome.task, outcome.reason)
                yield to_keep(scoring, grade, 0.0, outcome.trace or outcome.reason, corrections)


def _outcomes(batch: _Batch, entries: Sequence[Entry]) -> Generator[Outcome, None, None]:
    """The outcome of each submission, from processes here, or from a scheduler's workers."""
    assignment, options = batch.opened.assignment, batch.options
    limit = assignment.spec.limits.submission.last_resort
    if batch.call.scheduler and entries:
        from grader.batch.remote import run_remote

        return run_remote(batch.call.scheduler, assignment, entries, limit, **options)
    # A compiled program may hang until its limit: no submission waits behind another there.
    ahead = 1 if assignment.spec.program.simulated else 0
    alone = partial(grading_of, assignment, **options)
    sharing: Options = {**options, "shares": batch.jobs > 1}
    setup = partial(grading_of, assignment, **sharing)
    return run_pool(setup, entries, batch.jobs, ahead=ahead, limit=limit, alone=alone)
