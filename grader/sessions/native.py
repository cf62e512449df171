"""Sessions on programs of the computer itself, in a cage: exact waits, typed lines, endings in words.

What is typed is not part of what a program prints: a terminal would show it, and reports put it where it was typed.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace

from grader.errors import JudgeError
from grader.sandbox import Cage, Command, Event, Process, Status
from grader.sandbox import Limits as CageLimits
from grader.sessions.patience import Patience
from grader.spec.model import Limits
from grader.transcript import Ending, EndingKind

Explain = Callable[[Status, str], Ending | None]
"""What a language can say of an ending by what the program wrote to its error stream; None where nothing special."""

OPEN_FILES = 64
_SANITIZED = 3
_SPARE = 1 << 30  # of address space: what a program maps and never touches costs nothing
_SAID_LINES, _SAID_LENGTH = 12, 300

_SIGNALS = {
    signal.SIGSEGV: "segmentation fault: it used memory that is not its own, by a wild pointer, an index outside an array, or a recursion without end",
    signal.SIGBUS: "bus error: it used memory that is not there",
    signal.SIGFPE: "arithmetic exception: an integer was divided by zero",
    signal.SIGABRT: "it aborted itself: a failed assertion, a damaged heap, or an exception that nothing caught",
    signal.SIGILL: "illegal instruction",
    signal.SIGSYS: "it asked the system for something that programs may not do here",
    signal.SIGKILL: "it was killed",
    signal.SIGPIPE: "it wrote to something that nobody reads",
}
_LIMITS = {
    "cpu": (EndingKind.TIME_LIMIT, "it computed for more than {limits.cpu:g} s"),
    "wall": (
        EndingKind.TIME_LIMIT,
        "it took more than {limits.wall:g} s without asking for input, or ten times as long in all",
    ),
    "memory": (EndingKind.MEMORY_LIMIT, "it used more than {mebibytes} MiB of memory"),
    "output": (EndingKind.OUTPUT_LIMIT, "it printed more than {limits.output:,} bytes"),
    "processes": (EndingKind.PROCESS_LIMIT, "it started more than {limits.processes} processes"),
    "file-size": (EndingKind.FILE_LIMIT, "it wrote more than {limits.storage:,} bytes to a file"),
}


class NativeProgram:
    """A program in a cage that can be started again and again, each time in a folder that holds ``files`` alone.

    ``cage`` makes its cage, and another where one is lost. From the second run on the next one starts up as soon as one has
    ended, while that is judged: starting up takes as long as a short dialogue. ``sanitized`` programs are checked while they run.
    """

    def __init__(
        self,
        cage: Callable[[], Cage],
        command: Command,
        files: Mapping[str, bytes],
        limits: Limits,
        explain: Explain | None = None,
        *,
        sanitized: bool = False,
    ) -> None:
        self._new_cage = cage
        self._command = replace(command, limits=cage_limits(limits, sanitized=sanitized))
        self._files = files
        self._limits = limits
        self._patience = Patience(limits)
        self._explain = explain
        self._cage: Cage | None = None
        self._runs = 0
        self._ahead: NativeSession | None = None

    def start(self, profile: str, *, seed: int | None = None) -> NativeSession:  # noqa: ARG002  nothing here is random
        """A session at the start of the program; the one before is ended."""
        self._runs += 1
        session, self._ahead = self._ahead, None
        return session or self._fresh()

    def over(self) -> None:
        """The last session has ended: where there have been several, another will come."""
        if self._runs > 1 and self._ahead is None:
            with suppress(JudgeError):  # what is wrong shows again when somebody asks for it
                self._ahead = self._fresh()

    def _fresh(self) -> NativeSession:
        if self._cage is not None and self._cage.lost:
            self._cage.close()
            self._cage = None
        if self._cage is None:
            self._cage = self._new_cage().furnish(self._files, executable=True)
        else:
            self._cage.clean()
        return NativeSession(self, self._cage)

    def process(self, cage: Cage) -> Process:
        """The program, started in a cage."""
        return cage.start(self._command)

    def wait(self, process: Process, *, first: bool) -> Event:
        """Wait for a run, in its first turn or a later one."""
        return self._patience.wait(process, first=first)

    def close(self) -> None:
        """End what runs."""
        if self._cage is not None:
            self._cage.close()
        self._cage = self._ahead = None

    def ending(self, status: Status, errors: bytes) -> Ending:
        """An end in words."""
        return self._patience.told(ending_of(status, errors, self._limits, self._explain))


class NativeSession:
    """One run. ``how_waits`` says how it is known that the program asks for input: ``exact`` where by an event."""

    def __init__(self, program: NativeProgram, cage: Cage) -> None:
        self._program = program
        self._process = program.process(cage)
        self._begins = True  # nothing was typed yet

    def advance(self) -> Ending | None:
        """Run until the program waits for input (None) or has ended."""
        event = self._program.wait(self._process, first=self._begins)
        if event is Event.WAITS:
            return None
        status = self._process.status
        if status is None:
            raise JudgeError("the sandbox tells of an end and not of how it came")
        self._program.over()
        return self._program.ending(status, self._process.take_errors())

    def take_output(self) -> bytes:
        """What was printed since last taken."""
        return self._process.take_output()

    def take_errors(self) -> bytes:
        """What was written to standard error since last taken."""
        return self._process.take_errors()

    def send(self, text: str) -> None:
        """Give it what was typed, as UTF-8."""
        self.type_bytes(text.encode("utf-8", "surrogateescape"))

    def type_bytes(self, keys: bytes) -> None:
        """Give it what was typed as the bytes that a pipe or a terminal sends."""
        self._begins = False
        self._process.send(keys)

    def close_input(self) -> None:
        """Nothing more will be typed: reads find the end of input."""
        self._begins = False
        self._process.close_input()

    @property
    def wants(self) -> str:
        """What a program asks for: a terminal gives lines."""
        return "line"

    @property
    def how_waits(self) -> str:
        """``exact``, ``proc`` or ``timeout``."""
        return self._process.how_waits

    @property
    def instructions(self) -> int:
        """Nobody counts them."""
        return 0


def ending_of(status: Status, errors: bytes, limits: Limits, explain: Explain | None = None) -> Ending:
    """How a run ended, in words; ``explain`` knows what is special to its language."""
    said = errors.decode("utf-8", "replace")
    explained = explain(status, said) if explain and status.limit is None else None
    return explained or _ending(status, said, limits)


def cage_limits(limits: Limits, *, sanitized: bool = False) -> CageLimits:
    """The limits of a spec as the sandbox takes them.

    A program that is checked while it runs takes some three times the time and memory, and reserves more addresses than there is memory.
    """
    times = _SANITIZED if sanitized else 1
    return CageLimits(
        cpu=times * limits.cpu,
        wall=limits.wall,
        memory=times * limits.memory,
        output=limits.output,
        processes=limits.processes,
        file_size=limits.storage,
        files=OPEN_FILES,
        address_space=None if sanitized else limits.memory + _SPARE,
    )


def limit_ending(status: Status, limits: Limits) -> Ending | None:
    """The ending of a program that passed a limit; None for any other."""
    if status.limit is None:
        return None
    kind, said = _LIMITS[status.limit]
    return Ending(kind, said.format(limits=limits, mebibytes=limits.memory >> 20))


def last_lines(said: str) -> tuple[str, ...]:
    """The last that a program wrote to its error stream, as much as a report has room for: a line may be a flood, too."""
    lines = said.splitlines()[-_SAID_LINES:]
    return tuple(f"{line[:_SAID_LENGTH]} …" if len(line) > _SAID_LENGTH else line for line in lines)


def _ending(status: Status, said: str, limits: Limits) -> Ending:
    over = limit_ending(status, limits)
    last = last_lines(said)
    if over is not None:
        return replace(over, last_steps=last)
    if status.signal is not None:
        name = signal.Signals(status.signal).name if status.signal in set(signal.Signals) else f"signal {status.signal}"
        meaning = _SIGNALS.get(signal.Signals(status.signal), "") if status.signal in set(signal.Signals) else ""
        return Ending(EndingKind.SIGNAL, f"it was ended by {name}{f': {meaning}' if meaning else ''}", last_steps=last)
    if status.exit_code:
        return Ending(EndingKind.EXIT_CODE, f"the program ended with exit code {status.exit_code}", last_steps=last)
    return Ending(EndingKind.ENDED, "the program ended")
