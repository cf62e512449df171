"""The output for one submission, made by workers: its two pages, and its entries in the reports of the class."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import count, islice
from pathlib import Path

from grader.batch.files import write
from grader.batch.finals import Finals, Given, case_in_short, in_short, same_student
from grader.batch.identified import Identified
from grader.batch.pool import Done, run_pool
from grader.batch.serving import Setup
from grader.batch.sheet import Line
from grader.batch.store import Store
from grader.batch.values import Kept
from grader.grading.deciding import Mistake
from grader.report import junit, page, record, table
from grader.report.again import in_batch
from grader.results import Finding, Status
from grader.spec.loader import Assignment
from grader.values import dataclass

STUDENTS = "students"
STAFF = "staff"
_FOR_A_PERSON = (Status.MANUAL, Status.NEEDS_REVIEW)  # judge errors are tried again


@dataclass(frozen=True, slots=True)
class _Wanted:
    """One submission to write: its kept verdicts, a note on others with its student number, and its neighbours."""

    kept: Kept
    note: str
    beside: page.Neighbours


@dataclass(frozen=True, slots=True)
class Part:
    """A few submissions that are written together."""

    number: int
    wanted: tuple[_Wanted, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """The entries of one submission in the reports of the class."""

    row: page.Row
    lines: str
    line: Line
    record: str
    short: str
    suites: tuple[str, ...]
    counts: junit.Counts
    mistakes: tuple[Mistake, ...]
    waiting: tuple[page.ForPerson, ...]
    opened: tuple[str, ...]


_Work = Callable[[Part], tuple[Told, ...]]


@contextmanager
def writing(assignment: Assignment, given: Given, identified: Identified | None, out: Path) -> Iterator[_Work]:
    """The work on a few submissions: write their pages, and return their entries in the other reports."""
    finals = Finals(assignment, given, identified)
    criteria = [criterion.id for criterion in assignment.spec.rubric]

    def briefly(mistake: Mistake) -> Mistake:
        """The parts of a mistake that the overview shows: a class may have one for each submission."""
        case, one = replace(case_in_short(mistake.case), findings=()), mistake.finding
        return replace(mistake, finding=Finding(one.code, one.message, subject=one.subject), case=case)

    def told(wanted: _Wanted) -> Told:
        final = finals.one(wanted.kept, wanted.note)
        grade, shown = final.grade, in_batch(final.grade)
        name = f"{grade.submission}.html"
        write(out / STUDENTS / name, [final.page])
        write(out / STAFF / name, [page.student_page(shown, audience="staff", neighbours=wanted.beside)])
        return Told(
            row=page.Row.of(grade, tuple(dict.fromkeys(one.group for one in final.mistakes))),
            lines=table.row(grade, criteria),
            line=Line(grade.submission, grade.student, grade.student_id),
            record=record.piece(shown),
            short=record.dump(in_short(grade)),
            suites=tuple(junit.suite(assignment.id, shown, most) for most in junit.LIMITS),
            counts=junit.Counts.of(grade),
            mistakes=tuple(map(briefly, final.mistakes)),
            waiting=page.ForPerson.of(shown, assignment.spec),
            opened=tuple(c.id for c in grade.criteria if c.status in _FOR_A_PERSON),
        )

    yield lambda part: tuple(map(told, part.wanted))


def parts_of(store: Store, identified: Identified | None, at_once: int) -> Iterator[Part]:
    """All finished submissions, in the batch's order."""
    notes = same_student(store)
    finished = store.finished() | store.judge_errors()
    owners = [owner for owner in store.owners() if owner.submission in finished]
    names = [(identified and identified.called(one.submission)) or one.student or one.submission for one in owners]
    named = [None, *((one.submission, name) for one, name in zip(owners, names, strict=True)), None]
    wanted = (
        _Wanted(kept, notes.get(kept.owner.submission, ""), page.Neighbours(named[at], named[at + 2]))
        for at, kept in enumerate(store.kept())
    )
    for number in count():
        some = tuple(islice(wanted, at_once))
        if not some:
            return
        yield Part(number, some)


def told_in_order(
    setup: Setup[Part, tuple[Told, ...]], parts: Iterator[Part], workers: int
) -> Generator[Told, None, None]:
    """The entries of each submission, in the order of the parts, whichever is done first.

    Done in this process if one worker would do everything.
    """
    with setup() as here:
        if workers <= 1:
            for part in parts:
                yield from here(part)
            return
        done: dict[int, tuple[Told, ...]] = {}
        due = 0
        # Nothing ahead: a part and its result are both larger than a pipe holds, and parent and worker waited for each
        # other forever.
        with closing(run_pool(setup, parts, workers, ahead=0)) as outcomes:
            for outcome in outcomes:
                # a worker's failure to write, for example on a full disk, ends here with a message
                done[outcome.task.number] = outcome.result if isinstance(outcome, Done) else here(outcome.task)
                while due in done:
                    yield from done.pop(due)
                    due += 1
