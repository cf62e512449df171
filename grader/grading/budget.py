"""The budget of judging one submission: instructions of simulated machines, computing time and clock time; and hangs.

Each run has limits of its own, but a spec may ask for a thousand runs. Past the budget no further run is begun, and
cases that are not judged by then are left open. Earlier findings stand. Instructions are the same on every machine, and
should be used up first; the clocks are a distant limit for unforeseen cases.

A program does the same after the same inputs. If it has twice passed its time limit after the same inputs, a third run
ends there at once, with its output so far: the hang is shown already. A hang at one input costs nothing at any other
input. A program that was killed, and not by a limit of ours, is run once more with the same inputs. A program that
kills itself does so again, and a run that somebody else killed goes on.
"""

from __future__ import annotations

import signal
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from grader.errors import DisturbedError, JudgeError
from grader.sessions.session import END_OF_INPUT, Session, WithFiles
from grader.spec.model import Budget, Spec
from grader.transcript import Ending, EndingKind

if TYPE_CHECKING:
    from grader.sandbox import Limits


CPU_LOOKS = 0.05
"""Seconds of the clock before the computing time is asked for again. A proof by forks asks 4,000 times whether it may go on, and the
kernel takes up to 0.1 ms for an answer."""


class _Counted(Protocol):
    @property
    def instructions(self) -> int: ...


class OverBudgetError(Exception):
    """No further run is begun for this submission; the message says why."""


class Spent:
    """The part of its budget that one submission has used since this was made."""

    def __init__(self, budget: Budget | None = None) -> None:
        self._budget = budget or Budget()
        self._cpu, self._wall = time.process_time(), time.monotonic()
        self._looked = -CPU_LOOKS
        self._before = 0
        self._running: _Counted | None = None
        self._beside: _Counted | None = None
        self._reason = ""

    def begin(self) -> None:
        """Note that another session begins, which ends the one before: its machine may be used again.

        Raises OverBudgetError.
        """
        self._before, self._running, self._beside = self.instructions, None, None
        self.check()

    def check(self) -> None:
        """Raises OverBudgetError if the budget is used up."""
        if self.reason:
            raise OverBudgetError(self.reason)

    def beside(self, forks: _Counted) -> None:
        """Count the instructions of forks of the session as well."""
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
        """The reason why no further run is begun; empty while some budget is left. Once set it stays."""
        self._reason = self._reason or self._exceeded()
        return self._reason

    def _exceeded(self) -> str:
        budget, now, used_up = self._budget, time.monotonic(), ""
        if self.instructions > budget.instructions:
            used_up = f"{budget.instructions:,} instructions"
        elif now - self._wall > budget.wall:
            used_up = f"{budget.wall:g} s"
        elif now - self._looked > CPU_LOOKS:
            self._looked = now
            if time.process_time() - self._cpu > budget.cpu:
                used_up = f"{budget.cpu:g} s of computing by the grader"
        return used_up and f"not judged: this submission used up its budget of {used_up}"


class _BrokenOffError(BaseException):
    """Time is up. Not an ``Exception``, so that it ends whatever is running."""


@contextmanager
def broken_off_after(seconds: float) -> Iterator[None]:
    """Limit judging inside to this many seconds, wherever it hangs. Raises JudgeError.

    It is for judging in this process: a batch ends the worker instead. Systems without such a timer have no limit.
    """
    try:
        with ended_after(seconds, _BrokenOffError()):
            yield
    except _BrokenOffError:
        hint = "this is the grader's fault, and says nothing of the program; `limits.submission.wall` of the spec sets the limit"
        raise JudgeError(f"judging this submission was broken off after {seconds:g} s", hint=hint) from None


@contextmanager
def ended_after(seconds: float, error: BaseException, *, computing: bool = False) -> Iterator[None]:
    """Raise an error inside after this many seconds, of the clock or of ``computing`` by this process.

    It even interrupts a search of ``re``. Windows has no such timer, and only the main thread gets the signal.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: object) -> None:
        raise error

    timer = signal.ITIMER_VIRTUAL if computing else signal.ITIMER_REAL
    number = signal.SIGVTALRM if computing else signal.SIGALRM
    before = signal.signal(number, end)
    signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        signal.setitimer(timer, 0)
        signal.signal(number, before)


# ------------------------------------------------------------------------------------------ what the machine must have


def demand(spec: Spec) -> None:
    """Raise LaunchError if this machine cannot give a program what its limits promise."""
    for limits in demanded(spec):
        from grader.sandbox import demand_limits

        demand_limits(limits)


def demanded(spec: Spec) -> Iterator[Limits]:
    """The limits of everything that is started for a submission; empty for simulated programs. One runs at a time."""
    program = spec.program
    if program.simulated:
        return
    from grader.build.tool import TOOL_LIMITS
    from grader.sessions.native import cage_limits

    yield TOOL_LIMITS
    if "java" in program.language:
        from grader.build.java_server import SERVER_LIMITS
        from grader.sessions.jvm import shared_limits

        yield SERVER_LIMITS  # it stays between two submissions
        yield shared_limits(spec.limits)
    else:
        yield cage_limits(spec.limits, sanitized=program.sanitize)


def memory_demanded(spec: Spec) -> int:
    """The bytes of memory that everything at once for a submission may use; 0 for simulated programs."""
    limits = [one.memory for one in demanded(spec)]
    return sum(limits[1:]) if "java" in spec.program.language else max(limits, default=0)


# --------------------------------------------------------------------------------------------- runs that took too long

TOO_LONG = frozenset({EndingKind.TIME_LIMIT, EndingKind.MEMORY_LIMIT})
"""Endings that are slow to reproduce: nobody looks for a smaller run that ends in the same way."""

SURE = 2
"""Timeouts after the same inputs until a hang is taken as certain: a single one may come from a busy machine."""

AGAIN = 2
"""Retries of a killed program before the kill counts as its own: a second kill may come from a lack of memory."""

_KILLED_ELSEWHERE = "somebody killed the program, and run again it does not do the same"
_GRADE_AGAIN = "grade this submission again"

Place = tuple[object, ...]


@dataclass
class Hangs:
    """The timeouts of one submission, by profile, seed and inputs: each ending, and the output since the last input."""

    seen: defaultdict[Place, list[tuple[Ending, bytes]]] = field(default_factory=lambda: defaultdict(list))

    def under(self, profile: str) -> bool:
        """Whether any run has taken too long under this profile."""
        return any(place[0] == profile for place, endings in self.seen.items() if endings)


class Watched:
    """A session that does not wait for known timeouts after the same inputs, and begins again if it was killed.

    ``start`` begins a run of the program; it ends the run before.
    """

    def __init__(self, start: Callable[[], Session], hangs: Hangs, *key: object) -> None:
        self._start = start
        self._session = start()
        self._history: list[str | bytes] = []  # the inputs as text, and the output of each turn
        self._hangs = hangs
        self._place: Place = key
        self._over: tuple[Ending, bytes] | None = None
        self._hung: Ending | None = None

    def advance(self) -> Ending | None:
        """Run until the program waits for input (None) or has ended."""
        known = self._hangs.seen.get(self._place, [])
        if len(known) >= SURE:
            self._over = known[0]
            return self._over[0]
        ending = self._session.advance()
        if ending is not None and ending.killed:
            ending = self._begun_again()
        if ending is not None and ending.kind is EndingKind.TIME_LIMIT:
            self._hung = ending
        self._history.append(b"")
        return ending

    def _begun_again(self) -> Ending | None:
        """The ending of another run after the same inputs, which replaces the killed one.

        Raises DisturbedError if it cannot stand for the first, or the kernel killed it for lack of memory.
        """
        from grader.sandbox import MORE_MEMORY, memory_kills  # the sandbox is for Linux alone

        kills, killed_at, ending = memory_kills(), self._session.take_output(), None
        for _ in range(AGAIN):
            self._session = self._repeated()
            ending = self._session.advance()
            if ending is None or not ending.killed:
                return ending
            if memory_kills() > kills:
                raise DisturbedError("the kernel killed the program again for lack of memory", hint=MORE_MEMORY)
            if self._session.take_output() != killed_at:
                raise DisturbedError(_KILLED_ELSEWHERE, hint=_GRADE_AGAIN)
        return ending

    def _repeated(self) -> Session:
        """Another run, behind the same inputs."""
        session = self._start()
        for step in self._history:
            if isinstance(step, str):
                _give(session, step)
            elif session.advance() is not None or session.take_output() != step:
                raise DisturbedError(_KILLED_ELSEWHERE, hint=_GRADE_AGAIN)
        return session

    def take_output(self) -> bytes:
        """The output since it was last taken."""
        if self._over is not None:
            return self._over[1]
        printed = self._session.take_output()
        if self._hung is not None:
            self._hangs.seen[self._place].append((self._hung, printed))
            self._hung = None
        if self._history and isinstance(before := self._history[-1], bytes):
            self._history[-1] = before + printed
        return printed

    def take_errors(self) -> bytes:
        """The error output since it was last taken, if there is an error stream."""
        # To ask at each wait whether the session is one `WithErrors` took an eighth of the time of a pile program.
        take: Callable[[], bytes] = getattr(self._session, "take_errors", bytes)
        return take() if self._over is None else b""

    @property
    def left(self) -> Mapping[str, bytes | None]:
        """The files that were wanted, as the program left them."""
        return self._session.left if isinstance(self._session, WithFiles) else {}

    def send(self, text: str) -> None:
        """Give the program an input."""
        self._place = (*self._place, text)
        self._history.append(text)
        _give(self._session, text)

    def close_input(self) -> None:
        """Nothing more will be typed."""
        self.send(END_OF_INPUT)

    @property
    def wants(self) -> str:
        """The kind of input that the waiting program asks for."""
        return self._session.wants

    @property
    def how_waits(self) -> str:
        """The way in which the wait for input was recognised."""
        return self._session.how_waits

    @property
    def instructions(self) -> int:
        """The number of instructions executed since the start."""
        return self._session.instructions


def _give(session: Session, typed: str) -> None:
    if typed == END_OF_INPUT:
        session.close_input()
    else:
        session.send(typed)
