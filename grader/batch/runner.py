"""``grader batch``: from sources to a folder of reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from grader.batch.comparing import Change, changes
from grader.batch.crew import cores, usual_jobs
from grader.batch.damage import DamagedError
from grader.batch.decisions import FILE_NAME as DECISIONS
from grader.batch.decisions import load_decisions
from grader.batch.engine import engine
from grader.batch.finals import Finals, Given, in_short
from grader.batch.folders import make_folder, of_others, planned_for, refuse_inside
from grader.batch.identified import Identified
from grader.batch.inputs import Inputs, digests
from grader.batch.lost import refuse_lost_marks, refuse_to_forget_marks
from grader.batch.marks import Marking, read_marks
from grader.batch.mending import mended
from grader.batch.missing import grade_missing, graded_by
from grader.batch.opening import Opened, corrections_in, given_digest, last_call, opened_batch
from grader.batch.outputs import Reported, write_outputs
from grader.batch.rosters import identified_in, roster_of
from grader.batch.rows import origin_text
from grader.batch.sheet import file_in
from grader.batch.store import Store, open_store
from grader.batch.summary import Progress, Summary, slowest
from grader.batch.today import today
from grader.batch.values import Call, Owner
from grader.batch.worker import Options
from grader.errors import UsageError
from grader.grading import Grading
from grader.grading.deciding import Decisions
from grader.grading.rescoring import Scoring
from grader.intake.plan import Plan
from grader.spec.loader import Assignment, load_assignment
from grader.values import dataclass


def run_batch(  # noqa: PLR0913  (one for each option of the command, and two ears)
    spec_path: Path,
    sources: Sequence[Path],
    out: Path,
    *,
    jobs: int | None = None,
    fresh: bool = False,
    unsafe: bool = False,
    roster: Path | None = None,
    shard: tuple[int, int] | None = None,
    scheduler: str = "",
    progress: Callable[[Progress], None] | None = None,
    warn: Callable[[str], None] | None = None,
) -> Summary:
    """Grade all submissions in ``sources`` and write the reports into the folder ``out``, going on where a batch stopped.

    ``jobs`` is the number of workers; where it is None as many as fit (`usual_jobs`).
    ``progress`` is called at the beginning and after each submission, ``warn`` before that where programs will not be
    caged. ``roster`` is a table of who should have handed in. Of a ``shard``, such as the second of eight, every eighth submission is graded,
    for `merge_batches` to put together. A ``scheduler`` of Dask, by its address, has workers elsewhere that grade. What ``learned.yaml`` in ``out`` corrects is graded again. Raises SpecError; UsageError when there is nothing
    to grade, ``out`` holds another batch, or programs cannot be caged here (unless ``unsafe``); JudgeError when no worker
    can start. Interrupted, it keeps what is finished. Of a damaged store it keeps what can be read, and says so by ``warn``.
    """
    roster_of(roster, out)  # what is wrong in it is said before anything is graded
    graded = partial(
        _graded_store,
        spec_path,
        sources,
        out,
        jobs=jobs,
        unsafe=unsafe,
        progress=progress,
        warn=warn,
        roster=roster,
        shard=shard,
        scheduler=scheduler,
    )
    try:
        return _summary(graded(fresh=fresh), out)
    except DamagedError as fault:
        (warn or _silent)(mended(out / "grades.db", fault, fresh=fresh))
        return _summary(graded(), out)


def _summary(graded: AbstractContextManager[_Done], out: Path) -> Summary:
    """Grade what is missing, write the reports, and say what it all came to."""
    with graded as done:
        planned = done.planned
        given = Given(done.marking.marks, done.decisions)
        return replace(
            reported_summary(done.assignment, done.store, out, given, done.jobs),
            graded=len(planned.entries) - done.resumed,
            resumed=done.resumed,
            ignored=planned.ignored,
            notes=done.marking.ignored,
            read_as=planned.read_as,
            changes=done.changes,
        )


def reported_summary(assignment: Assignment, store: Store, out: Path, given: Given, jobs: int) -> Summary:
    """Write the reports of a batch in which all is graded, and say what it came to."""
    reported, identified = _reported(assignment, store, out, given, jobs)
    owners = store.owners()
    return Summary(
        folder=out,
        graded=0,
        resumed=len(owners),
        judge_errors=tuple(sorted(store.judge_errors())),
        ignored=(),
        conditions=reported.conditions,
        reported=reported,
        slowest=slowest(store.seconds()),
        doubts=(*store.call.doubts, *(f"{owner.submission}: {note}" for owner in owners for note in owner.notes)),
        absent=tuple(person.label for person in identified.absent) if identified else (),
        undecided=sum(not row["decision"] for row in identified.review) if identified else 0,
    )


def regrade(
    out: Path,
    spec_path: Path | None = None,
    *,
    jobs: int | None = None,
    unsafe: bool = False,
    progress: Callable[[Progress], None] | None = None,
    warn: Callable[[str], None] | None = None,
) -> tuple[Change, ...]:
    """What would change in a batch if it were graded by its spec as that is now, or by another one.

    No report is written; verdicts that had to be reached for it are kept, so that `apply` takes no time. Raises what
    `run_batch` does, and UsageError where what was handed in is no longer where it was.
    """
    last = last_call(out)
    with _graded_store(
        spec_path or last.spec,
        last.sources,
        out,
        jobs=jobs,
        unsafe=unsafe,
        progress=progress,
        warn=warn,
        keep=False,
        roster=last.roster,
        shard=last.shard,
    ) as done:
        before = (done.store.grade(text, name) for name, text in done.store.finals())
        after = (
            in_short(final.grade)
            for final in Finals(
                done.assignment, Given(done.marking.marks, done.decisions), identified_in(done.store, out)
            ).of(done.store)
        )
        return changes(before, after)


def write_again(out: Path, spec_path: Path | None = None, *, jobs: int = 1, drop_marks: bool = False) -> Opened:
    """Put marks.csv, and what scoring reads of the spec, to the verdicts of a batch, and write its reports. Raises as `opened_batch`."""
    with opened_batch(out, spec_path, drop_marks=drop_marks) as opened:
        opened.store.begin(opened.store.call, corrections_in(out))
        _reported(opened.assignment, opened.store, out, Given(opened.marking.marks, opened.decisions), jobs)
        return opened


@dataclass(frozen=True, slots=True)
class _Done:
    """A store in which all is graded that a call asks for."""

    assignment: Assignment
    planned: Plan
    store: Store
    resumed: int
    changes: tuple[str, ...]
    marking: Marking
    decisions: Decisions
    jobs: int


@contextmanager
def _graded_store(  # noqa: PLR0913
    spec_path: Path,
    sources: Sequence[Path],
    out: Path,
    *,
    jobs: int | None,
    unsafe: bool,
    progress: Callable[[Progress], None] | None,
    warn: Callable[[str], None] | None,
    fresh: bool = False,
    keep: bool = True,
    roster: Path | None = None,
    shard: tuple[int, int] | None = None,
    scheduler: str = "",
) -> Iterator[_Done]:
    assignment = load_assignment(spec_path, today())
    corrections = corrections_in(out)
    options = Options(unsafe=unsafe, hidden=of_others(out, sources), corrections=corrections)
    _warn_of_machine(assignment, options, warn or _silent)
    workers = jobs or (cores() if scheduler else usual_jobs(assignment.spec, warn or _silent))
    refuse_inside(out, sources)
    planned = planned_for(assignment, sources)
    if planned.refusal:
        raise UsageError(planned.refusal, hint=_ONE_OR_MANY)
    if shard:
        number, of = shard
        planned = replace(planned, entries=tuple(planned.entries[number - 1 :: of]))
    scoring = Scoring(assignment)
    make_folder(out)
    decisions = load_decisions(out / DECISIONS)
    submissions = [entry.id for entry in planned.entries]
    marking = read_marks(file_in(out), assignment.spec, submissions)
    if fresh:
        refuse_to_forget_marks(out, marking, submissions)
    with open_store(out / "grades.db", fresh=fresh) as store:
        refuse_lost_marks(out, store, marking, submissions)
        call = replace(
            _call(scoring, planned, sources, given_digest(marking, decisions)),
            doubts=planned.doubts,
            roster=str(roster.absolute()) if roster else "",
            shard=f"{shard[0]}/{shard[1]}" if shard else "",
        )
        changed = (*_roster_left_out(store.last(), call), *store.begin(call, corrections, keep=keep))
        resumed = len(store.finished())
        graded = partial(graded_by, scoring, workers, options, scheduler)
        grade_missing(planned, store, graded, progress or _silent)
        yield _Done(assignment, planned, store, resumed, changed, marking, decisions, workers)


_ONE_OR_MANY = (
    "of several students, put each into a folder of its own or name them one by one; "
    "one submission is graded by `grader grade`"
)


def _reported(
    assignment: Assignment, store: Store, out: Path, given: Given, jobs: int
) -> tuple[Reported, Identified | None]:
    """Write the reports as the last call asks for them. Raises UsageError where its roster is gone."""
    identified = identified_in(store, out)
    doubts = store.call.doubts
    told = write_outputs(assignment, store, out, given=given, doubts=doubts, identified=identified, jobs=jobs)
    return told, identified


def _call(scoring: Scoring, planned: Plan, sources: Sequence[Path], given: str) -> Call:
    """What this call rests on."""
    assignment, found = scoring.assignment, digests(planned.entries)
    return Call(
        Inputs(assignment.id, assignment.fingerprint, scoring.judged.fingerprint, engine(), found),
        tuple(
            Owner(e.id, e.student, e.student_id, e.handed_in_as, found[e.id], origin_text(e.origin), e.notes)
            for e in planned.entries
        ),
        str(assignment.path.absolute()),
        tuple(str(source.absolute()) for source in sources),
        given,
    )


def _roster_left_out(last: Call | None, call: Call) -> tuple[str, ...]:
    """A sentence where the last call had a roster and this one has none."""
    if last is None or not last.roster or call.roster:
        return ()
    told = "names and groups are those of the download again, and nobody is known to have handed in nothing"
    return (f"the roster was left out: {told} (`--roster {last.roster}`)",)


def _silent(told: object) -> None:
    """Nobody wants to know."""


def _warn_of_machine(assignment: Assignment, options: Options, warn: Callable[[str], None]) -> None:
    """Say what this machine lacks before any program runs. Raises UsageError where none may run here, SpecError where the course's own do not build."""
    with Grading(assignment, **options) as grading:
        if not grading.caged:
            warn("this machine cannot cage programs: what was handed in runs with your own rights")
        if grading.unkept:
            warn(grading.unkept)
        grading.refuse_mistakes()
