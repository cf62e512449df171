"""A proof from its programs to its figures: on all cores, and from where it was left."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from grader.batch.engine import engine, prover
from grader.batch.pool import Done, GivenUp, Overran, run_pool
from grader.batch.values import Progress
from grader.mutants.drawing import Original, mutants, originals
from grader.mutants.mutant import Mutant
from grader.mutants.outcome import Outcome
from grader.mutants.proving import proving
from grader.mutants.record import Record, Result
from grader.spec.loader import Assignment

PATIENCE = 3
"""A mutant is graded at most twice and played once: it may take so many times as long as a submission."""


def prove(
    assignment: Assignment,
    paths: Sequence[Path],
    number: int,
    *,
    jobs: int,
    record: Record | None,
    unsafe: bool = False,
    progress: Callable[[Progress], None] = lambda _: None,
) -> tuple[Result, ...]:
    """The results of the first ``number`` mutants, in their order.

    What ``record`` has of them is not done again. Raises UsageError where there is no program, JudgeError where no worker can start.
    """
    programs = originals(assignment, paths)
    wanted = mutants(assignment.spec, programs)[:number]
    known = record.results() if record is not None else {}
    results = {one.name: known[one.name] for one in wanted if one.name in known}
    left = [one for one in wanted if one.name not in results]
    progress(Progress(len(results), len(wanted), ""))
    hidden = tuple(path.resolve().parent for path in paths)
    for result in _proved(assignment, programs, left, jobs, hidden, unsafe=unsafe):
        results[result.name] = result
        if record is not None:
            record.keep(result)
        progress(Progress(len(results), len(wanted), result.name))
    return tuple(results[one.name] for one in wanted)


def key(assignment: Assignment) -> str:
    """What the results of a proof depend on, apart from the mutants: the spec and the judge."""
    return f"{assignment.fingerprint} {engine()} {prover()}"


def _proved(
    assignment: Assignment,
    programs: Sequence[Original],
    left: Sequence[Mutant],
    jobs: int,
    hidden: tuple[Path, ...],
    *,
    unsafe: bool,
) -> Iterator[Result]:
    """The results in any order. Mutants of one program follow each other, so that few workers need its original."""
    tasks = sorted(left, key=lambda one: one.program)
    if jobs == 1:
        with proving(assignment, programs, hidden=hidden, unsafe=unsafe) as work:
            yield from map(work, tasks)
        return
    setup = partial(proving, assignment, programs, hidden=hidden, unsafe=unsafe)
    limit = PATIENCE * assignment.spec.limits.submission.last_resort
    with closing(run_pool(setup, tasks, jobs, limit=limit)) as done:
        yield from map(_result, done)


def _result(done: Done[Mutant, Result] | GivenUp[Mutant] | Overran[Mutant]) -> Result:
    if isinstance(done, Done):
        return done.result
    note = done.reason if isinstance(done, GivenUp) else f"it took more than {done.seconds:g} s"
    return Result.of(done.task, Outcome.JUDGE_ERROR, note=note)
