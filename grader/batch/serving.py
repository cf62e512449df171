"""The life of a worker process: it is set up once, and does the tasks that it is sent, until nobody sends any more."""

from __future__ import annotations

import multiprocessing
import shutil
import signal
import tempfile
import threading
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from multiprocessing.connection import Connection
from typing import TypeVar

from grader.errors import lack_of
from grader.values import dataclass

T = TypeVar("T")
R = TypeVar("R")

Setup = Callable[[], AbstractContextManager[Callable[[T], R]]]
"""The setup of a worker: entered once in each process, it gives the function that does a task."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The worker is set up."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The exception that ends the worker."""

    reason: str
    trace: str


class _ParentGoneError(Exception):
    """Nobody will send anything any more."""


class _NotWantedError(BaseException):
    """The work is not wanted any more. Not an ``Exception``, so that it ends whatever is running."""


def serve(pipe: Connection, setup: Setup[T, R], folder: str, _lock: object) -> None:
    """The life of a worker process. Any error ends it, after a message to the parent, if possible."""
    tempfile.tempdir = folder
    try:

        def drop(*_: object) -> None:
            _ignore_drops()
            raise _NotWantedError

        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
        signal.signal(signal.SIGTERM, drop)
        threading.Thread(target=_outlive_parent, daemon=True).start()
        with setup() as work:
            pipe.send(Ready())
            while True:
                try:
                    task = pipe.recv()
                except (EOFError, OSError) as fault:
                    raise _ParentGoneError from fault
                pipe.send(work(task))
    except (_ParentGoneError, _NotWantedError):
        return
    except BaseException as fault:  # noqa: BLE001 -- it ends the process: nothing goes on in a state that nobody knows
        # If the parent was killed while a worker began, the worker printed a traceback.
        _ignore_drops()
        with suppress(OSError):
            lack, kind, message = lack_of(fault), type(fault).__name__, str(fault).partition("\n")[0]
            reason = f"the grader failed: {kind}: {message}" if message else f"the grader failed: {kind}"
            pipe.send(Fault(str(lack), "") if lack else Fault(reason, traceback.format_exc()))
    finally:
        _ignore_drops()
        shutil.rmtree(folder, ignore_errors=True)


def _ignore_drops() -> None:
    """Ignore further signals: the cleaning up and a last message must not be dropped as well."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def _outlive_parent() -> None:
    """Wake the main thread when the parent is gone; it may be waiting for a program."""
    parent, worker = multiprocessing.parent_process(), threading.main_thread().ident
    if parent is None or worker is None or not hasattr(signal, "pthread_kill"):
        return
    parent.join()
    # A worker whose parent was killed went on for as long as its submission took: a minute for a Java program that
    # hangs.
    signal.pthread_kill(worker, signal.SIGTERM)
