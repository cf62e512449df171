"""Worker processes that may die.

Theory of operation. Each worker is a fresh process with its own pipe. It grades submissions in the order of the pipe,
so the parent always knows which one a worker is busy with. It may hold one more, to go on with while the parent stores
the first. A worker dies if it is killed, out of memory, by a fault in compiled code, or by an uncaught exception. Then
the submission that it was busy with is set aside, the other one goes back to the queue, and a new worker takes its
place. In the end each submission set aside is tried once more, alone in a fresh worker; if that dies as well, it is
given up. A worker that exceeds the time limit for one submission is ended. That submission would hang again, so it is
not retried.

Workers are spawned, not forked: the same on every system, and nothing of the parent's state is in them. They ignore
Ctrl-C, which a terminal sends to all; the parent stops them by a signal that lets them clean up. A worker whose parent
is gone sends itself that signal. Temporary files of a worker lie in a folder of its own, which the parent removes, so
that nothing stays behind if one of the two is killed. If both are, the next batch removes it.
"""

from __future__ import annotations

import errno
import math
import multiprocessing
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import DupFd
from operator import methodcaller
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from grader.batch.serving import Fault, Ready, Setup, serve
from grader.errors import JudgeError, UsageError
from grader.values import dataclass

if TYPE_CHECKING:
    from grader.sandbox.leftovers import OwnedFolder

# -------------------------------------------------------------------------------------- a worker, as its parent has it

T = TypeVar("T")
R = TypeVar("R")

# A worker without work only takes its folder away; on a busy disk that may take seconds.
FAREWELL = 10  # seconds that a worker without work may take to end
# A Java server is told to end, and removes its classes.
PUTTING_AWAY = 3  # seconds for a worker that was told to drop its work
_LOCKS = sys.platform == "linux"  # where the sandbox can be imported


@dataclass
class Worker(Generic[T]):
    """A process with a pipe to it, the tasks that it holds, and its own folder of temporary files."""

    process: BaseProcess
    pipe: Connection
    folder: OwnedFolder | TemporaryDirectory[str]
    tasks: deque[T] = field(default_factory=deque)
    ready: bool = False
    fault: Fault | None = None
    since: float = 0.0  # when it turned to the first of its tasks

    def give(self, task: T) -> None:
        """Send one more task; a worker that has just died is noticed when its pipe is read."""
        if not self.tasks:
            self.since = time.monotonic()
        self.tasks.append(task)
        try:
            self.pipe.send(task)
        except OSError:
            return

    def done(self) -> T:
        """The first of its tasks, which is done: the worker turns to the next."""
        self.since = time.monotonic()
        return self.tasks.popleft()

    def end(self, seconds: float) -> None:
        """Wait this many seconds for the process to end, then end it; remove its folder."""
        self.process.join(seconds)
        self.process.kill()
        self.process.join()
        self.folder.cleanup()

    def bury(self) -> Fault:
        """Why the worker died."""
        self.pipe.close()
        self.end(FAREWELL)
        code = self.process.exitcode
        how = f"was ended by signal {-code}" if code is not None and code < 0 else f"ended with exit code {code}"
        return self.fault or Fault(f"the process that graded it {how}", "")


def started(setup: Setup[T, R]) -> Worker[T]:
    """Start a worker process, which is set up by ``setup``. Raises OSError if the system does not let it start."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    folder: OwnedFolder | TemporaryDirectory[str]
    if _LOCKS:
        from grader.sandbox.leftovers import OwnedFolder

        folder = OwnedFolder("batch")
        lock = _Passed(folder.lock)  # it also makes the worker an owner of its folder
    else:
        folder, lock = TemporaryDirectory(prefix="grader-batch-", ignore_cleanup_errors=True), None
    process = context.Process(target=serve, args=(theirs, setup, folder.name, lock), daemon=True)
    try:
        # Ctrl-C goes to the whole group of the terminal: a worker that is just starting would die with a traceback.
        with _interrupts_kept_from_children():
            process.start()
    except BaseException:
        folder.cleanup()
        raise
    theirs.close()
    return Worker(process, ours, folder)


class _Passed:
    """A descriptor that is open in a new worker as well, until that ends."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def __reduce__(self) -> tuple[Callable[[Any], int], tuple[Any]]:
        return methodcaller("detach"), (DupFd(self._descriptor),)


@contextmanager
def _interrupts_kept_from_children() -> Iterator[None]:
    """Start children with SIGINT blocked, where a system has masks: they inherit it. A Ctrl-C now reaches us just later."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_STILLBORN = 3  # workers in a row that may die during setup: a single one may be chance
_FILES = "allow more open files: ulimit -n 1024"
_LACKS = {
    errno.EMFILE: _FILES,
    errno.ENFILE: _FILES,
    errno.ENOSPC: "give the disk room, or name another folder in TMPDIR",
}


@dataclass(frozen=True, slots=True)
class Done(Generic[T, R]):
    """A task and its result."""

    task: T
    result: R


@dataclass(frozen=True, slots=True)
class GivenUp(Generic[T]):
    """A task that ended two workers: a sentence on the cause, and the traceback, if any."""

    task: T
    reason: str
    trace: str


@dataclass(frozen=True, slots=True)
class Overran(Generic[T]):
    """A task whose worker was ended after this many seconds."""

    task: T
    seconds: float


def run_pool(
    setup: Setup[T, R],
    tasks: Iterable[T],
    jobs: int,
    *,
    ahead: int = 1,
    limit: float = math.inf,
    alone: Setup[T, R] | None = None,
) -> Generator[Done[T, R] | GivenUp[T] | Overran[T], None, None]:
    """Do all tasks in ``jobs`` processes, and yield each as it is done, in any order.

    A worker gets up to ``ahead`` tasks besides its current one. One is useful if tasks are as quick as storing their
    results; behind slow tasks it would leave other workers idle at the end. Use 0 for large tasks: a result and the
    next task can fill a pipe in both directions, and nobody would empty it. A task that is not done after ``limit``
    seconds ends its worker. ``alone`` sets up the worker of a retry. ``setup``, the tasks and the results must be
    picklable. Raises JudgeError when a process cannot be set up, UsageError when the system does not let it start.
    Closing the generator stops the processes. Tasks are taken from their iterator as they are wanted, so that they may
    be too many to be held.
    """
    pool: _Pool[T, R] = _Pool(setup, alone or setup, iter(tasks), ahead, limit)
    try:
        yield from pool.run(jobs)
        yield from pool.try_again()
    except BaseException:
        pool.kill()
        raise
    pool.dismiss()


class _Pool(Generic[T, R]):
    def __init__(self, setup: Setup[T, R], alone: Setup[T, R], tasks: Iterator[T], ahead: int, limit: float) -> None:
        self._setup = setup
        self._alone = alone
        self._tasks = tasks
        self._queue: deque[T] = deque()
        self._ahead = ahead
        self._limit = limit
        self._workers: list[Worker[T]] = []
        self._suspects: list[T] = []
        self._stillborn = 0

    def run(self, jobs: int) -> Iterator[Done[T, R] | Overran[T]]:
        """The results of the queue, without tasks that ended their worker."""
        while True:
            # Parts of a batch come out of its store one by one: the dialogues of a class of thousands fit into no memory.
            wanted = jobs * (1 + self._ahead) - len(self._queue)  # as many as all workers together may hold
            self._queue.extend(islice(self._tasks, max(0, wanted)))
            if not (self._queue or any(worker.tasks for worker in self._workers)):
                return
            self._employ(jobs)
            for worker in self._speaking():
                done = self._hear(worker)
                if done is not None:
                    yield done
                # The worker was busy with the first of its tasks; those behind it are not to blame.
                elif worker not in self._workers and worker.tasks:
                    self._suspects.append(worker.tasks.popleft())
                    self._queue.extendleft(reversed(worker.tasks))
            yield from self._overran()

    def _overran(self) -> Iterator[Overran[T]]:
        """Tasks that take too long. The worker is ended, and its other tasks go back to the queue."""
        late = [worker for worker in self._workers if worker.tasks and self._left(worker) <= 0]
        for worker in late:
            self._workers.remove(worker)
            worker.process.terminate()
            worker.end(PUTTING_AWAY)
            worker.pipe.close()
            overran = Overran(worker.done(), self._limit)
            self._queue.extendleft(reversed(worker.tasks))
            yield overran

    def _left(self, worker: Worker[T]) -> float:
        """The seconds that a worker has left for its task."""
        return self._limit - (time.monotonic() - worker.since)

    def try_again(self) -> Iterator[Done[T, R] | GivenUp[T] | Overran[T]]:
        """The results of tasks that ended their worker, each retried in a worker of its own."""
        self.dismiss()
        self._setup = self._alone
        for task in self._suspects:
            worker = self._start()
            # The task is sent only to a worker that is set up: one that dies during setup would cost the student a try.
            while not worker.ready:
                self._hear(worker)
                if worker not in self._workers:  # it died before it could work, which may be chance
                    worker = self._start()
            worker.give(task)
            done: Done[T, R] | Overran[T] | None = None
            while done is None and worker in self._workers:
                done = self._hear(worker) if self._speaking() else next(self._overran(), None)
            fault = worker.fault or Fault("the process that graded it ended", "")
            yield done or GivenUp(task, fault.reason, fault.trace)
            self.dismiss()

    def _employ(self, jobs: int) -> None:
        """Start as many workers as there is work for, and deal out tasks evenly, each with a few ahead."""
        busy = sum(bool(worker.tasks) for worker in self._workers)
        while len(self._workers) < min(jobs, len(self._queue) + busy):
            self._start()
        for held in range(1 + self._ahead):
            for worker in self._workers:
                if self._queue and worker.ready and len(worker.tasks) == held:
                    worker.give(self._queue.popleft())

    def _start(self) -> Worker[T]:
        """One more worker. If the system cannot start it, that is not a judge error."""
        try:
            worker: Worker[T] = started(self._setup)
        except OSError as fault:
            what = f"a worker process cannot be started ({fault.strerror})"
            raise UsageError(what, hint=_LACKS.get(fault.errno or 0, "fewer at once: -j")) from fault
        self._workers.append(worker)
        return worker

    def _speaking(self) -> Sequence[Worker[T]]:
        left = min((self._left(worker) for worker in self._workers if worker.tasks), default=math.inf)
        pipes = wait([worker.pipe for worker in self._workers], None if left == math.inf else max(left, 0.0))
        return [worker for worker in self._workers if worker.pipe in pipes]

    def _hear(self, worker: Worker[T]) -> Done[T, R] | None:
        """The next message of a worker: a result, or None for news of the worker itself. A dead one is struck off."""
        try:
            message = worker.pipe.recv()
        except (EOFError, OSError):
            fault = worker.fault = worker.bury()
            self._workers.remove(worker)
            if not worker.ready:
                self._stillborn += 1
                if fault.trace or self._stillborn > _STILLBORN:  # the same error would come again
                    why = f"\n{fault.trace}" if fault.trace else f" {fault.reason}"
                    raise JudgeError(f"a worker process could not start:{why}") from None
            return None
        if isinstance(message, Ready):
            worker.ready, self._stillborn = True, 0
        elif isinstance(message, Fault):
            worker.fault = message
        else:
            return Done(worker.done(), message)
        return None

    def dismiss(self) -> None:
        """Let all workers end, which have nothing to do any more."""
        for worker in self._workers:
            worker.pipe.close()
        for worker in self._workers:
            worker.end(FAREWELL)
        self._workers.clear()

    def kill(self) -> None:
        """End all workers; their current tasks are lost."""
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            worker.end(PUTTING_AWAY)
            worker.pipe.close()
        self._workers.clear()
