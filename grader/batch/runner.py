"""``grader batch``: from sources to a folder of reports."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from grader.batch.comparing import Change, changes
from grader.batch.decisions import FILE_NAME as DECISIONS
from grader.batch.decisions import load_decisions
from grader.batch.engine import engine
from grader.batch.failure import failed_grade, unjudged_grade
from grader.batch.finals import Final, Finals, Given, in_short, origin_of, origin_text
from grader.batch.identified import REVIEW, Claim, Identified, identify, roster_decisions
from grader.batch.inputs import Inputs, digests
from grader.batch.marks import FILE_NAME as MARKS
from grader.batch.marks import Marking, read_marks
from grader.batch.outputs import Reported, write_outputs
from grader.batch.pool import Done, Overran, run_pool
from grader.batch.store import Call, Graded, Owner, Store, open_store
from grader.batch.summary import Progress, Summary, slowest
from grader.batch.worker import Options, finished, grading_of
from grader.errors import UsageError
from grader.grading import Grading
from grader.grading.deciding import Decisions
from grader.grading.rescoring import Scoring
from grader.intake.plan import Plan, plan
from grader.intake.roster import Roster, load_roster
from grader.intake.source import Entry, read_entry
from grader.report.record import load
from grader.spec.corrections import FILE_NAME, NONE, Corrections, load_corrections
from grader.spec.loader import Assignment, load_assignment
from grader.spec.parts import for_judging
from grader.submission import Submission


def run_batch(  # noqa: PLR0913  (one for each option of the command, and two ears)
    spec_path: Path,
    sources: Sequence[Path],
    out: Path,
    *,
    jobs: int,
    fresh: bool = False,
    unsafe: bool = False,
    roster: Path | None = None,
    shard: tuple[int, int] | None = None,
    progress: Callable[[Progress], None] | None = None,
    warn: Callable[[str], None] | None = None,
) -> Summary:
    """Grade all submissions in ``sources`` and write the reports into the folder ``out``, going on where a batch stopped.

    ``progress`` is called at the beginning and after each submission, ``warn`` before that where programs will not be
    caged. ``roster`` is a table of who should have handed in. Of a ``shard``, such as the second of eight, every eighth submission is graded,
    for `merge_batches` to put together. What ``learned.yaml`` in ``out`` corrects is graded again. Raises SpecError; UsageError when there is nothing
    to grade, ``out`` holds another batch, or programs cannot be caged here (unless ``unsafe``); JudgeError when no worker
    can start. Interrupted, it keeps what is finished.
    """
    roster_of(roster, out)  # what is wrong in it is said before anything is graded
    with _graded_store(
        spec_path,
        sources,
        out,
        jobs=jobs,
        unsafe=unsafe,
        progress=progress,
        warn=warn,
        fresh=fresh,
        roster=roster,
        shard=shard,
    ) as done:
        planned = done.planned
        given = Given(done.marking.marks, done.decisions)
        return replace(
            reported_summary(done.assignment, done.store, out, given, jobs),
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
    jobs: int,
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
        before = (load(text, place=f"grades.db: {name}") for name, text in done.store.finals())
        after = (
            in_short(final.grade)
            for final in Finals(
                done.assignment, Given(done.marking.marks, done.decisions), _identified(done.store, out)
            ).of(done.store)
        )
        return changes(before, after)


@dataclass(frozen=True, slots=True)
class LastCall:
    """What the last call for a folder was given."""

    spec: Path
    sources: tuple[Path, ...]
    roster: Path | None
    shard: tuple[int, int] | None


def last_call(out: Path) -> LastCall:
    """What the last call for a folder was given. Raises UsageError where there was none, or something of it is gone."""
    with open_store(out / "grades.db", make=False) as store:
        call = store.call
    spec, sources = Path(call.spec_path), tuple(map(Path, call.sources))
    roster = Path(call.roster) if call.roster else None
    for path in filter(None, (spec, *sources, roster)):
        if not path.exists():
            hint = "call `grader batch` with its new place"
            raise UsageError("is no longer where the batch found it", place=str(path), hint=hint)
    return LastCall(spec, sources, roster, shard_of(call.shard))


def shard_of(text: str) -> tuple[int, int] | None:
    """A shard as it is written, such as ``2/8``; None where there is none."""
    number, _, of = text.partition("/")
    return (int(number), int(of)) if of else None


def handed_in(out: Path, wanted: str) -> tuple[Assignment, Submission, tuple[Path, ...]]:
    """What one student of a batch handed in, read again, with its assignment and the folders that are hidden from its program.

    ``wanted`` is the identifier of a submission, a student's number or name, or a part of one that no other has. Raises UsageError.
    """
    last = last_call(out)
    assignment, sources = load_assignment(last.spec), last.sources
    with open_store(out / "grades.db", make=False) as store:
        numbers = store.student_ids()
    entries = planned_for(assignment, sources).entries
    names = [(entry.id, numbers.get(entry.id) or entry.student_id, entry.student) for entry in entries]
    key = wanted.casefold()
    for fits in (lambda name: name == wanted, lambda name: name.casefold() == key, lambda name: key in name.casefold()):
        found = [entry for entry, own in zip(entries, names, strict=True) if any(fits(name) for name in own if name)]
        if len(found) == 1:
            read = read_entry(found[0], assignment.spec.submission.student_id)
            return assignment, read, _of_others(out, sources)
        if found:
            told = ", ".join(entry.id for entry in found[:_NAMED])
            raise UsageError(f"“{wanted}” means several: {told}{', …' if len(found) > _NAMED else ''}", place=str(out))
    raise UsageError(f"nobody in this batch is called “{wanted}”", place=str(out))


@dataclass(frozen=True, slots=True)
class Opened:
    """A batch as it is, with the spec of its last call and the marks that staff gave since."""

    assignment: Assignment
    store: Store
    out: Path
    marking: Marking
    decisions: Decisions

    def finals(self) -> Iterator[Final]:
        """What its grades come to now."""
        return Finals(self.assignment, Given(self.marking.marks, self.decisions)).of(self.store)


@contextmanager
def opened_batch(out: Path, spec_path: Path | None = None) -> Iterator[Opened]:
    """Open a batch in which nothing is to be run, by the spec of its last call, or by another.

    Raises UsageError where there is no batch, the spec is gone, or verdicts depend on what has changed in it.
    """
    with open_store(out / "grades.db", make=False) as store:
        call = store.call
        path = spec_path or Path(call.spec_path)
        if not path.exists():
            raise UsageError("is no longer where the batch found it", place=str(path), hint="name it with `--spec`")
        assignment = load_assignment(path)
        if for_judging(assignment).fingerprint != call.inputs.judging or call.inputs.engine != engine():
            hint = "`grader regrade` shows what would change, and `grader batch` grades again"
            raise UsageError("has changed in what verdicts depend on", place=str(path), hint=hint)
        marking = read_marks(out / MARKS, assignment.spec, [owner.submission for owner in store.owners()])
        decisions = load_decisions(out / DECISIONS)
        inputs = replace(call.inputs, spec=assignment.fingerprint)
        now = replace(call, inputs=inputs, spec_path=str(path.absolute()), given=given_digest(marking, decisions))
        store.begin(now, corrections_in(out), keep=False)
        yield Opened(assignment, store, out, marking, decisions)


def refuse_outdated(out: Path) -> None:
    """Raises UsageError where staff have given, decided or priced something since the reports of a batch were written."""
    with opened_batch(out) as opened:
        last = opened.store.last()
        if last is not None and (last.given, last.inputs.spec) != (
            opened.store.call.given,
            opened.assignment.fingerprint,
        ):
            hint = f"`grader mark {out}` puts it to the grades first"
            raise UsageError("marks, decisions or the spec have changed since", place=str(out), hint=hint)


def write_again(out: Path, spec_path: Path | None = None, *, jobs: int = 1) -> Opened:
    """Put marks.csv, and what scoring reads of the spec, to the verdicts of a batch, and write its reports. Raises as `opened_batch`."""
    with opened_batch(out, spec_path) as opened:
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


@contextmanager
def _graded_store(  # noqa: PLR0913
    spec_path: Path,
    sources: Sequence[Path],
    out: Path,
    *,
    jobs: int,
    unsafe: bool,
    progress: Callable[[Progress], None] | None,
    warn: Callable[[str], None] | None,
    fresh: bool = False,
    keep: bool = True,
    roster: Path | None = None,
    shard: tuple[int, int] | None = None,
) -> Iterator[_Done]:
    assignment = load_assignment(spec_path)
    corrections = corrections_in(out)
    options = Options(unsafe=unsafe, hidden=_of_others(out, sources), corrections=corrections)
    _warn_of_machine(assignment, options, warn or _silent)
    _refuse_inside(out, sources)
    planned = planned_for(assignment, sources)
    if planned.refusal:
        raise UsageError(planned.refusal, hint=_ONE_OR_MANY)
    if shard:
        number, of = shard
        planned = replace(planned, entries=tuple(planned.entries[number - 1 :: of]))
    scoring = Scoring(assignment)
    make_folder(out)
    decisions = load_decisions(out / DECISIONS)
    marking = read_marks(out / MARKS, assignment.spec, [entry.id for entry in planned.entries])
    with open_store(out / "grades.db", fresh=fresh) as store:
        call = replace(
            _call(scoring, planned, sources, given_digest(marking, decisions)),
            doubts=planned.doubts,
            roster=str(roster.absolute()) if roster else "",
            shard=f"{shard[0]}/{shard[1]}" if shard else "",
        )
        changed = store.begin(call, corrections, keep=keep)
        resumed = len(store.finished())
        _grade_missing(planned, store, partial(_graded, scoring, jobs, options), progress or _silent)
        yield _Done(assignment, planned, store, resumed, changed, marking, decisions)


_NAMED = 5  # of those who handed in nothing
_ONE_OR_MANY = (
    "of several students, put each into a folder of its own or name them one by one; "
    "one submission is graded by `grader grade`"
)


def planned_for(assignment: Assignment, sources: Sequence[Path]) -> Plan:
    """How a batch of these sources is understood. Raises UsageError where there is nothing to grade in them."""
    spec = assignment.spec
    return plan(sources, spec.submission.student_id, spec.program.sources)


def roster_of(path: Path | None, out: Path | None) -> tuple[Roster | None, dict[tuple[str, str], str]]:
    """The roster, if one is named, and what a person has decided about it beside the grades. Raises UsageError."""
    if path is None:
        return None, {}
    roster = Roster(load_roster(path))
    return roster, roster_decisions(out / REVIEW, roster) if out else {}


def _claims(store: Store) -> list[Claim]:
    """What is known of each submission; the number may have been found inside of it only."""
    numbers = store.student_ids()
    return [
        Claim.of(o.submission, o.student, numbers.get(o.submission, o.student_id), origin_of(o.origin))
        for o in store.owners()
    ]


def _reported(
    assignment: Assignment, store: Store, out: Path, given: Given, jobs: int
) -> tuple[Reported, Identified | None]:
    """Write the reports as the last call asks for them. Raises UsageError where its roster is gone."""
    identified = _identified(store, out)
    doubts = store.call.doubts
    told = write_outputs(assignment, store, out, given=given, doubts=doubts, identified=identified, jobs=jobs)
    return told, identified


def _identified(store: Store, out: Path) -> Identified | None:
    """Who is who by the roster of the call; None where it has none. Raises UsageError where that is gone."""
    roster = Path(store.call.roster) if store.call.roster else None
    if roster and not roster.exists():
        hint = "call `grader batch` with its new place"
        raise UsageError("the roster is no longer there", place=str(roster), hint=hint)
    people, decisions = roster_of(roster, out)
    return identify(_claims(store), people, decisions) if people else None


def matched(planned: Plan, roster: Roster) -> Identified:
    """Who is who by the roster, as far as names tell before anything is graded."""
    claims = [Claim.of(entry.id, entry.student, entry.student_id, entry.origin) for entry in planned.entries]
    return identify(claims, roster, {})


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


def given_digest(marking: Marking, decisions: Decisions) -> str:
    """What tells whether staff have given or decided something else since."""
    return " ".join(
        filter(None, (marking.digest, repr(sorted(decisions.items(), key=lambda one: one[0])) if decisions else ""))
    )


def _silent(told: object) -> None:
    """Nobody wants to know."""


def corrections_in(out: Path) -> Corrections:
    """What staff have corrected beside the grades. Raises SpecError, UsageError."""
    path = out / FILE_NAME
    return load_corrections(path) if path.exists() else NONE


def _of_others(out: Path, sources: Sequence[Path]) -> tuple[Path, ...]:
    """The folders in which a program would find what others handed in or run, and their grades."""
    folders = [out, *(source if source.is_dir() else source.parent for source in sources)]
    with suppress(FileNotFoundError):  # there is none: whoever starts a worker says so
        folders.append(Path(tempfile.gettempdir()))
    return tuple(dict.fromkeys(folders))


def _warn_of_machine(assignment: Assignment, options: Options, warn: Callable[[str], None]) -> None:
    """Say what this machine lacks before any program runs. Raises UsageError where none may run here."""
    with Grading(assignment, **options) as grading:
        if not grading.caged:
            warn("this machine cannot cage programs: what was handed in runs with your own rights")
        if grading.unkept:
            warn(grading.unkept)


def _refuse_inside(out: Path, sources: Sequence[Path]) -> None:
    """Reports among submissions would be submissions the next time."""
    for source in sources:
        if source.is_dir() and out.resolve().is_relative_to(source.resolve()):
            raise UsageError("lies inside the submissions", place=str(out), hint="choose a folder beside them")


def make_folder(out: Path) -> None:
    """Make the folder of a batch. Raises UsageError where it cannot be."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise UsageError(f"cannot be made ({fault.strerror})", place=str(out)) from fault


def _grade_missing(
    planned: Plan,
    store: Store,
    graded_all: Callable[[Sequence[Entry]], Generator[Graded, None, None]],
    progress: Callable[[Progress], None],
) -> None:
    """Grade what has no grade yet; what two handed in alike, once."""
    finished = store.finished()
    alike: dict[str, list[str]] = {}
    for owner in store.owners():
        if owner.submission not in finished:
            alike.setdefault(owner.contents, []).append(owner.submission)
    together = {first: (first, *others) for first, *others in alike.values()}
    missing = [entry for entry in planned.entries if entry.id in together]
    done, total = len(finished), len(planned.entries)
    progress(Progress(done, total))
    with closing(graded_all(missing)) as finished_now:  # what cannot be kept ends the workers at once
        for graded in finished_now:
            store.add(graded)
            for submission in together[graded.submission]:
                done += 1
                progress(Progress(done, total, submission))


def _graded(scoring: Scoring, jobs: int, options: Options, entries: Sequence[Entry]) -> Generator[Graded, None, None]:
    assignment, judged = scoring.assignment, scoring.judged
    limit = assignment.spec.limits.submission.last_resort
    ahead = 1 if assignment.spec.program.simulated else 0
    pool = run_pool(partial(grading_of, assignment, **options), entries, jobs, ahead=ahead, limit=limit)
    with closing(pool) as outcomes:
        for outcome in outcomes:
            if isinstance(outcome, Done):
                yield outcome.result
            elif isinstance(outcome, Overran):
                grade = unjudged_grade(judged, outcome.task, outcome.seconds)
                yield finished(scoring, grade, outcome.seconds, grade.review[0])
            else:
                grade = failed_grade(judged, outcome.task, outcome.reason)
                yield finished(scoring, grade, 0.0, outcome.trace or outcome.reason)
