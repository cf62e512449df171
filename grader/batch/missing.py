"""Grading what a batch has no grade of yet, in processes here or elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from grader.batch.failure import failed_grade, unjudged_grade
from grader.batch.pool import Done, Overran, run_pool
from grader.batch.store import Store
from grader.batch.summary import Progress
from grader.batch.values import Graded
from grader.batch.worker import Options, grading_of, to_keep
from grader.grading.rescoring import Scoring
from grader.intake.plan import Plan
from grader.intake.source import Entry
from grader.spec.loader import Assignment

if TYPE_CHECKING:
    from grader.batch.remote import Outcome


def grade_missing(
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
    contents = {owner.submission: owner.contents for owner in store.owners()}
    missing = [replace(entry, contents=contents[entry.id]) for entry in planned.entries if entry.id in together]
    done, total = len(finished), len(planned.entries)
    progress(Progress(done, total))
    with closing(graded_all(missing)) as finished_now:  # what cannot be kept ends the workers at once
        for graded in finished_now:
            store.add(graded)
            for submission in together[graded.submission]:
                done += 1
                progress(Progress(done, total, submission))


def graded_by(
    scoring: Scoring, jobs: int, options: Options, scheduler: str, entries: Sequence[Entry]
) -> Generator[Graded, None, None]:
    """The grades of entries in the order in which they are done; where there is a ``scheduler``, its workers do it."""
    judged = scoring.judged
    with closing(_outcomes(scoring.assignment, jobs, options, scheduler, entries)) as outcomes:
        for outcome in outcomes:
            if isinstance(outcome, Done):
                yield outcome.result
            elif isinstance(outcome, Overran):
                grade = unjudged_grade(judged, outcome.task, outcome.seconds)
                yield to_keep(scoring, grade, outcome.seconds, grade.review[0], options["corrections"])
            else:
                grade = failed_grade(judged, outcome.task, outcome.reason)
                yield to_keep(scoring, grade, 0.0, outcome.trace or outcome.reason, options["corrections"])


def _outcomes(
    assignment: Assignment, jobs: int, options: Options, scheduler: str, entries: Sequence[Entry]
) -> Generator[Outcome, None, None]:
    """What comes of each submission, in processes here, or of a scheduler's workers where there is one."""
    limit = assignment.spec.limits.submission.last_resort
    if scheduler and entries:
        from grader.batch.remote import run_remote

        return run_remote(scheduler, assignment, entries, limit, **options)
    ahead = 1 if assignment.spec.program.simulated else 0
    alone = partial(grading_of, assignment, **options)
    sharing: Options = {**options, "shares": jobs > 1}
    return run_pool(partial(grading_of, assignment, **sharing), entries, jobs, ahead=ahead, limit=limit, alone=alone)
