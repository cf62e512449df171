"""Grading on other machines, by workers of Dask (the extra ``dask``).

Theory of operation. A task is a few submissions. It carries everything that it needs: the spec with its reference and
support files, and the submissions, read by a process here. A remote worker does it by the same pool as here, in
processes of their own, with the same limits and retries. The result is grades to keep; the store stays here. Dask gives
the tasks of a worker that died to another. Remote workers must have the same grader: one that judges differently is
refused.
"""

from __future__ import annotations

import multiprocessing
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Unpack, cast

from grader.batch.engine import engine
from grader.batch.pool import Done, GivenUp, Overran, run_pool
from grader.batch.values import Graded
from grader.batch.worker import Options, Read, grading_of, reading_of
from grader.errors import UsageError
from grader.intake.course import CourseFiles
from grader.intake.source import Entry
from grader.spec.loader import Assignment, sources_of
from grader.values import dataclass

Outcome = Done[Entry, Graded] | GivenUp[Entry] | Overran[Entry]

_AT_ONCE = 8  # submissions of a task, which begins by starting a process
_TASKS = 2  # tasks that each thread of a worker does or has waiting
_CONNECT = 10  # seconds for the scheduler to answer,
_PATIENCE = 60  # and for the first worker to come


@dataclass(frozen=True, slots=True)
class Carried:
    """An assignment with the bytes of its files, so that it can be laid down elsewhere, and the grader that is to judge by it."""

    assignment: Assignment
    spec: bytes
    reference: tuple[tuple[str, bytes], ...]
    engine: str

    @classmethod
    def of(cls, assignment: Assignment) -> Carried:
        """The assignment as it lies here."""
        root = assignment.reference
        files = [] if root is None else [(root.parent, file) for file in sources_of(root)]
        reference = tuple((file.relative_to(above).as_posix(), file.read_bytes()) for above, file in files)
        return cls(assignment, assignment.path.read_bytes(), reference, engine())

    def refuse_another_grader(self) -> None:
        """Raises UsageError if the grader here may judge differently from the one that sent this."""
        if self.engine != engine():
            hint = "install the same version of the grader on all machines"
            raise UsageError(f"a worker has another grader: {engine()} in place of {self.engine}", hint=hint)

    def laid_down(self, folder: Path) -> Assignment:
        """The assignment with its files in a folder."""
        path = folder / self.assignment.path.name
        path.write_bytes(self.spec)
        for name, data in self.reference:
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        root = self.assignment.reference
        return replace(self.assignment, path=path, reference=folder / root.name if root else None)


def run_remote(
    address: str, assignment: Assignment, entries: Sequence[Entry], limit: float, **options: Unpack[Options]
) -> Generator[Outcome, None, None]:
    """Do the same as `run_pool` by workers of Dask.

    Raises UsageError if no scheduler with workers answers at ``address``.
    """
    with _client(address) as client:
        threads = sum(client.nthreads().values())
        at_once = max(1, min(_AT_ONCE, len(entries) // (threads * _TASKS)))
        carried = Carried.of(assignment)  # scattered data would be lost with its worker
        send = partial(client.submit, _done, carried, limit=limit, options=options, pure=False)
        reading = partial(reading_of, assignment.spec.submission.student_id, CourseFiles.of(assignment))
        with closing(run_pool(reading, entries, 1)) as read:
            yield from _outcomes(client, read, send, at_once, threads * _TASKS)


@contextmanager
def _client(address: str) -> Iterator[Any]:
    try:
        from distributed import Client
    except ImportError:
        raise UsageError("Dask is not installed", hint="pip install 'grader[dask]'") from None
    try:
        client = Client(address, timeout=_CONNECT, set_as_default=False)
    except (OSError, ValueError) as fault:
        what, hint = f"no scheduler of Dask answers ({fault})", "such as tcp://host:8786"
        raise UsageError(what, place=address, hint=hint) from fault
    with client:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError as fault:
            hint = "`dask worker ADDRESS` starts one"
            raise UsageError("the scheduler has no workers", place=address, hint=hint) from fault
        yield client


def _outcomes(
    client: Any,
    read: Iterable[Done[Entry, Read] | GivenUp[Entry] | Overran[Entry]],
    send: Callable[..., Any],
    at_once: int,
    most: int,
) -> Iterator[Outcome]:
    """The outcomes of the tasks, in any order. Few tasks are under way at once, since each holds its submissions."""
    from distributed import as_completed

    under_way, entries_of = as_completed(loop=client.loop), dict[str, tuple[Entry, ...]]()
    source = iter(read)
    while True:
        while under_way.count() < most and (some := list(islice(source, at_once))):
            yield from (one for one in some if not isinstance(one, Done))
            if part := tuple(one.result for one in some if isinstance(one, Done)):
                future = send(part)
                entries_of[future.key] = tuple(one.entry for one in part)
                under_way.add(future)
        if not under_way.count():
            return
        future = next(under_way)
        yield from _came_of(future, entries_of.pop(future.key))


def _came_of(future: Any, entries: Sequence[Entry]) -> Iterable[Outcome]:
    """The outcomes of a task. If it ended several workers in a row, that blames nobody."""
    from distributed import KilledWorker

    try:
        outcomes: Sequence[Outcome] = future.result()
    except KilledWorker as fault:
        return [GivenUp(entry, "the workers that were to grade it were lost", str(fault)) for entry in entries]
    return outcomes


def _done(carried: Carried, part: Sequence[Read], *, limit: float, options: Options) -> list[Outcome]:
    """One task, where it is done. A worker of Dask counts as a daemon, which may have no processes; ours end with their parent."""
    from distributed import get_worker

    carried.refuse_another_grader()
    # Python refuses children to a daemon, which could leave them behind.
    multiprocessing.current_process().daemon = False
    others = [Path(get_worker().local_directory), Path(tempfile.gettempdir()), *options["hidden"]]
    settings: Options = {**options, "hidden": tuple(path for path in others if path.exists())}
    setup, alone = partial(_grading, carried, {**settings, "shares": True}), partial(_grading, carried, settings)
    with closing(run_pool(setup, part, 1, ahead=0, limit=limit, alone=alone)) as outcomes:
        # without the submissions, which need not travel back
        return [replace(cast(Outcome, outcome), task=outcome.task.entry) for outcome in outcomes]


@contextmanager
def _grading(carried: Carried, options: Options) -> Iterator[Callable[[Read], Graded]]:
    with (
        tempfile.TemporaryDirectory(prefix="grader-spec-") as name,
        grading_of(carried.laid_down(Path(name)), **options) as work,
    ):
        yield work
