"""A worker process as its parent has it: a pipe, the tasks that it holds, and a folder of its own."""

from __future__ import annotations

import multiprocessing
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import DupFd
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from grader.batch.serving import Fault, Setup, serve

if TYPE_CHECKING:
    from grader.sandbox.leftovers import OwnedFolder

T = TypeVar("T")
R = TypeVar("R")

FAREWELL = 10  # seconds that a worker without work may take to end
PUTTING_AWAY = 3  # seconds that a worker may take which was told to drop its work
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
    since: float = 0.0
    """When it turned to the first of its tasks."""

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
        """The first of its tasks, which it has done: it turns to the next."""
        self.since = time.monotonic()
        return self.tasks.popleft()

    def end(self, seconds: float) -> None:
        """Wait so long for the process to end, then end it; and remove what it left."""
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
    """Start a worker process, which is set up by ``setup``. Raises OSError where the system does not let it start."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    folder: OwnedFolder | TemporaryDirectory[str]
    if _LOCKS:
        from grader.sandbox.leftovers import OwnedFolder

        folder = OwnedFolder("batch")
        lock = _Passed(folder.lock)  # it makes the worker an owner of its folder, too
    else:
        folder, lock = TemporaryDirectory(prefix="grader-batch-", ignore_cleanup_errors=True), None
    process = context.Process(target=serve, args=(theirs, setup, folder.name, lock), daemon=True)
    try:
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
        return _detached, (DupFd(self._descriptor),)


def _detached(passed: Any) -> int:
    descriptor: int = passed.detach()
    return descriptor


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
