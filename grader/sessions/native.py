"""Sessions on programs of the computer itself, in a cage: exact waits, typed lines, endings in words.

What is typed is not part of what a program prints: a terminal would show it, and reports put it where it was typed.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from grader.errors import JudgeError
from grader.sandbox import Cage, Command, Event, Process, Status
from grader.sandbox import Limits as CageLimits
from grader.sessions.patience import Patience
from grader.sessions.session import END_OF_INPUT, USUAL, Setup
from grader.spec.model import Limits
from grader.transcript import Ending, EndingKind

SEED = "GRADER_SEED"
"""The variable of the environment that asks for other random numbers than usual, by a number from 1."""

Explain = Callable[[Status, str], Ending | None]
"""What a language can say of an ending by what the program wrote to its error stream; None where nothing special."""

OPEN_FILES = 64
_SANITIZED = 3
_SPARE = 1 << 30  # of address space: what a program maps and never touches costs nothing
KEPT_ERRORS = 4000  # characters of what was written to standard error, the last ones
_LOUDER = 16  # times as much may be printed: who prints without end has done so in no time
_MOST_TOLD = 1 << 20  # bytes that are listened to on a control socket

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
    "output": (
        EndingKind.OUTPUT_LIMIT,
        "it printed more than {limits.output:,} bytes without asking for input, or ten times as many in all",
    ),
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

    def start(self, profile: str, *, seed: int | None = None, setup: Setup = USUAL) -> NativeSession:  # noqa: ARG002  it is built once for all
        """A session at the start of the program; the one before is ended.

        A program that draws random numbers, in C by ``rand`` or the time, in Python by ``random``, draws the same ones in each run of a
        ``seed``.
        """
        self._runs += 1
        session, self._ahead = self._ahead, None
        return session if session is not None and setup.plain and not seed else self._fresh(setup, seed or 0)

    def over(self) -> None:
        """The last session has ended: where there have been several, another will come."""
        if self._runs > 1 and self._ahead is None:
            with suppress(JudgeError):  # what is wrong shows again when somebody asks for it
                self._ahead = self._fresh(USUAL)

    def _fresh(self, setup: Setup, seed: int = 0) -> NativeSession:
        if self._cage is not None and self._cage.lost:
            self._cage.close()
            self._cage = None
        if self._cage is None:
            self._cage = self._new_cage().furnish(self._files, executable=True)
        else:
            self._cage.clean()
        for name, data in setup.files.items():
            self._cage.lay(name, data)
        command = replace(self._command, argv=(*self._command.argv, *setup.arguments))
        if seed:
            command = replace(command, environment={**command.environment, SEED: str(seed)})
        return NativeSession(self, self._cage, self._cage.start(command), setup)

    def left(self, cage: Cage, wanted: tuple[str, ...]) -> Mapping[str, bytes | None]:
        """The files that a run was to write, as far as they are there and are files."""
        return {name: cage.take(name, self._limits.storage) for name in wanted}

    def wait(self, process: Process, *, first: bool) -> Event:
        """Wait for a run, in its first turn or a later one."""
        return self._patience.wait(process, first=first)

    def notes(self, inputs: Sequence[str], environment: Mapping[str, str], cpu: float) -> bytes:
        """What one more run tells on its control socket after the last of these inputs, where it ends without another.

        It computes for ``cpu`` seconds at most. Nothing is where it waits for more input, or ends before it was given all.
        Raises LaunchError.
        """
        self._ahead = None
        if self._cage is None or self._cage.lost:
            self.close()
            self._cage = self._new_cage().furnish(self._files, executable=True)
        else:
            self._cage.clean()
        usual = self._command.limits
        limits = replace(usual, cpu=min(cpu, usual.cpu), output=_LOUDER * usual.output)
        asked = {**self._command.environment, **environment}
        process = self._cage.start(replace(self._command, environment=asked, limits=limits, control=True))
        told = b""
        left = [*inputs]
        while (event := process.wait_event()) is Event.CONTROL or (event is Event.WAITS and left):
            told += process.take_control() if event is Event.CONTROL else b""
            if len(told) > _MOST_TOLD:
                process.kill()
            process.take_output()
            if event is Event.WAITS:
                process.take_control()
                told = b""
                typed = left.pop(0)
                if typed == END_OF_INPUT:
                    process.close_input()
                else:
                    process.send(typed.encode("utf-8", "surrogateescape"))
        told += process.take_control()
        if event is Event.WAITS:
            process.kill()
        return told if event is not Event.WAITS and not left else b""

    def close(self) -> None:
        """End what runs."""
        if self._cage is not None:
            self._cage.close()
        self._cage = self._ahead = None

    def ending(self, status: Status, errors: bytes) -> Ending:
        """An end in words."""
        told = self._patience.told(ending_of(status, errors, self._limits, self._explain))
        return replace(told, errors=errors.decode("utf-8", "replace")[-KEPT_ERRORS:])


class NativeSession:
    """One run. ``how_waits`` says how it is known that the program asks for input: ``exact`` where by an event.

    ``left`` are the files that were wanted, once it has ended.
    """

    def __init__(self, program: NativeProgram, cage: Cage, process: Process, setup: Setup) -> None:
        self._program = program
        self._cage = cage
        self._process = process
        self._setup = setup
        self._begins = True  # nothing was typed yet
        self._ending: Ending | None = None
        self._errors = b""
        self.left: Mapping[str, bytes | None] = {}

    def advance(self) -> Ending | None:
        """Run until the program waits for input (None) or has ended."""
        if self._ending is not None:
            return self._ending
        event = self._program.wait(self._process, first=self._begins)
        if event is Event.WAITS:
            return None
        status = self._process.status
        if status is None:
            raise JudgeError("the sandbox tells of an end and not of how it came")
        self._errors = self._process.take_errors()
        self.left = self._program.left(self._cage, self._setup.wanted)
        if self._setup.plain:
            self._program.over()
        self._ending = self._program.ending(status, self._errors)
        return self._ending

    def take_output(self) -> bytes:
        """What was printed since last taken."""
        return self._process.take_output()

    def take_errors(self) -> bytes:
        """What was written to standard error since last taken."""
        said, self._errors = self._errors or self._process.take_errors(), b""
        return said

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
    return explained or _ending(status, limits)


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


def _ending(status: Status, limits: Limits) -> Ending:
    over = limit_ending(status, limits)
    if over is not None:
        return over
    if status.signal is not None:
        name = signal.Signals(status.signal).name if status.signal in set(signal.Signals) else f"signal {status.signal}"
        meaning = _SIGNALS.get(signal.Signals(status.signal), "") if status.signal in set(signal.Signals) else ""
        message = f"it was ended by {name}{f': {meaning}' if meaning else ''}"
        return Ending(EndingKind.SIGNAL, message, killed=status.killed)
    if status.exit_code:
        said = f"the program ended with exit code {status.exit_code}"
        return Ending(EndingKind.EXIT_CODE, said, code=status.exit_code)
    return Ending(EndingKind.ENDED, "the program ended", code=0)
