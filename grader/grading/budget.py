"""What judging one submission may use in all: instructions of simulated machines, our own computing, and time.

Each run has limits of its own, but a spec may ask for a thousand runs. Past the budget no further run is begun, and the
cases that are not judged by then are left open. What was found before stands. The instructions are the same on every
machine, and meant to be used up first; the clocks are there for what nobody foresaw, and far away.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from grader.errors import JudgeError
from grader.spec.model import Budget


class _Counted(Protocol):
    @property
    def instructions(self) -> int: ...


class OverBudgetError(Exception):
    """No further run is begun for this submission; the message says why."""


class Spent:
    """What one submission has used of its budget since this was made."""

    def __init__(self, budget: Budget | None = None) -> None:
        self._budget = budget or Budget()
        self._cpu, self._wall = time.process_time(), time.monotonic()
        self._before = 0
        self._running: _Counted | None = None
        self._beside: _Counted | None = None
        self._reason = ""

    def begin(self) -> None:
        """Another session will begin, which ends the one before: its machine may be used again. Raises OverBudgetError."""
        self._before, self._running, self._beside = self.instructions, None, None
        self.check()

    def check(self) -> None:
        """Raises OverBudgetError where the budget is used up."""
        if self.reason:
            raise OverBudgetError(self.reason)

    def beside(self, forks: _Counted) -> None:
        """Count the instructions of what was forked from the session, too."""
        self._beside = forks

    def counts(self, session: _Counted) -> None:
        """Count the instructions of a session that has begun."""
        self._running = session

    @property
    def instructions(self) -> int:
        """The instructions that all sessions have executed."""
        return self._before + sum(one.instructions for one in (self._running, self._beside) if one)

    @property
    def reason(self) -> str:
        """Why no further run is begun; empty while there is something left. Once given it stays."""
        self._reason = self._reason or self._exceeded()
        return self._reason

    def _exceeded(self) -> str:
        budget, used_up = self._budget, ""
        if self.instructions > budget.instructions:
            used_up = f"{budget.instructions:,} instructions"
        elif time.process_time() - self._cpu > budget.cpu:
            used_up = f"{budget.cpu:g} s of computing by the grader"
        elif time.monotonic() - self._wall > budget.wall:
            used_up = f"{budget.wall:g} s"
        return used_up and f"not judged: this submission used up its budget of {used_up}"


class _BrokenOffError(BaseException):
    """Time is up. No ``Exception``: it ends whatever is being done."""


@contextmanager
def broken_off_after(seconds: float) -> Iterator[None]:
    """Judge inside for so long at most; then it ends, wherever it hangs. Raises JudgeError.

    For who judges in the process that was called: a batch ends the worker. Where a system has no such timer nothing is ended.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _break_off)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    except _BrokenOffError:
        hint = "this is the grader's fault, and says nothing of the program; `limits.submission.wall` of the spec sets the limit"
        raise JudgeError(f"judging this submission was broken off after {seconds:g} s", hint=hint) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _break_off(*_: object) -> None:
    raise _BrokenOffError
