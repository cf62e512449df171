"""Sessions on programs of the computer itself, in a cage: exact waits, typed lines, endings in words.

Typed input is not part of a program's output: a terminal would show it, and reports put it where it was typed.

Patience. A program that searches for ever hangs at another input in each game, and each time costs its whole limit. So after two
runs that passed their limits a turn of a later run is given a sixth of them. It is always given ten times as long as any turn took
that came to its end. The first turn of a run is left out of all this: a program starts up in it, and hangs in it in every run alike.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from grader.errors import JudgeError
from grader.sandbox import Cage, Command, Event, Process, Span, Status
from grader.sandbox import Limits as CageLimits
from grader.sessions.session import END_OF_INPUT, USUAL, Setup
from grader.spec.model import Limits
from grader.transcript import Ending, EndingKind, decode

SEED = "GRADER_SEED"
"""The variable of the environment that asks for other random numbers than usual, by a number from 1."""

Explain = Callable[[Status, str], Ending | None]
"""The sentence of a language for an ending, by the program's error stream; None if there is nothing special."""

OPEN_FILES = 64  # files that a program may have open
_SANITIZED = 3  # factor of time and memory for a program with checks
_SPARE = 1 << 30  # of address space: what a program maps and never touches costs nothing
KEPT_ERRORS = 4000  # characters of what was written to standard error, the last ones
_LOUDER = 16  # times as much may be printed: who prints without end has done so in no time
_MOST_TOLD = 1 << 20  # bytes that are listened to on a control socket

_SIGNALS = {
    signal.SIGSEGV: "segmentation fault: it used memory that is not its own (a wild pointer, an index outside an array, or endless recursion)",
    signal.SIGBUS: "bus error: it used memory that is not there",
    signal.SIGFPE: "arithmetic exception: an integer was divided by zero",
    signal.SIGABRT: "it aborted itself: a failed assertion, a damaged heap, or an uncaught exception",
    signal.SIGILL: "illegal instruction",
    signal.SIGSYS: "it asked the system for something that programs may not do here",
    signal.SIGKILL: "it was killed",
    signal.SIGPIPE: "it wrote to a stream that nobody reads any more",
}
_TOO_LONG = "it ran for more than {limits.wall:g} s without asking for input, or for more than ten times as long in all"
_TOO_MUCH = (
    "it printed more than {limits.output:,} bytes without asking for input, or more than ten times as many in all"
)
_LIMITS = {
    "cpu": (EndingKind.TIME_LIMIT, "it computed for more than {limits.cpu:g} s"),
    "wall": (EndingKind.TIME_LIMIT, _TOO_LONG),
    "memory": (EndingKind.MEMORY_LIMIT, "it used more than {mebibytes} MiB of memory"),
    "output": (EndingKind.OUTPUT_LIMIT, _TOO_MUCH),
    "processes": (EndingKind.PROCESS_LIMIT, "it started more than {limits.processes} processes"),
    "file-size": (EndingKind.FILE_LIMIT, "it wrote more than {limits.storage:,} bytes to a file"),
}


SURE: Final = 2
"""Runs that must have passed their limits before later ones are given less: one alone may be a busy machine."""

_SHARE: Final = 1 / 6  # the least part of the spec's limits that a turn gets
_TIMES: Final = 10  # a turn gets at least ten times as long as any turn took before


class Patience:
    """How long the turns of one program are waited for, by what its runs so far have shown."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._hung: list[Ending] = []
        self._longest = Span(0.0, 0.0)

    def wait(self, process: Process, *, first: bool) -> Event:
        """Wait for the program, in the first turn of its run or a later one."""
        if first:
            return process.wait_event()
        event = process.wait_event(Span(self._share * self._limits.cpu, self._share * self._limits.wall))
        if event is not Event.LIMIT:
            took, longest = process.took, self._longest
            self._longest = Span(max(took.cpu, longest.cpu), max(took.wall, longest.wall))
        return event

    @property
    def _share(self) -> float:
        """The part of the limits that a turn is given."""
        if len(self._hung) < SURE:
            return 1
        longest, limits = self._longest, self._limits
        return min(1, max(_SHARE, _TIMES * longest.cpu / limits.cpu, _TIMES * longest.wall / limits.wall))

    def told(self, ending: Ending) -> Ending:
        """The ending of a run, which is remembered where it passed its limits, and told for what it is where they were shortened.

        Findings must not depend on the speed of the machine: so no seconds of the shortened limit are named.
        """
        if ending.kind is not EndingKind.TIME_LIMIT:
            return ending
        if self._share < 1:
            before = self._hung[0].message
            return replace(
                ending, message=f"it hangs again: in {SURE} runs before {before}; this time it was stopped sooner"
            )
        self._hung.append(ending)
        return ending


class NativeProgram:
    """A program in a cage that can be started again and again, each time in a folder that holds ``files`` alone.

    ``cage`` makes its cage, and another where one is lost; ``command`` says what is started in it. ``limits`` are those of the spec,
    ``explain`` knows the endings of its language. With ``ahead``, a program that has run twice starts again as soon as a run ends,
    while that run is judged: a start takes as long as a short dialogue.
    """

    def __init__(
        self,
        cage: Callable[[], Cage],
        command: Callable[[Cage], Command],
        files: Mapping[str, bytes],
        limits: Limits,
        explain: Explain | None = None,
        *,
        ahead: bool = True,
    ) -> None:
        self.limits = limits
        self.patience = Patience(limits)
        self.explain = explain
        self._new_cage = cage
        self._command = command
        self._files = files
        self._cage: Cage | None = None
        self._runs = 0
        self._prepares = ahead
        self._ahead: NativeSession | None = None

    def start(self, profile: str, *, seed: int | None = None, setup: Setup = USUAL) -> NativeSession:  # noqa: ARG002  it is built once for all
        """A session at the start of the program; the one before is ended.

        A program that draws random numbers, in C by ``rand`` or the time, in Python by ``random``, draws the same ones in each run of a
        ``seed``.
        """
        self._runs += 1
        session, self._ahead = self._ahead, None
        # A session that was started ahead has the usual seed and nothing set up.
        return session if session is not None and setup.plain and not seed else self._fresh(setup, seed or 0)

    def over(self) -> None:
        """The last session has ended: where there have been several, another will come."""
        if self._prepares and self._runs > 1 and self._ahead is None:
            with suppress(JudgeError):  # what is wrong shows again when somebody asks for it
                self._ahead = self._fresh(USUAL)

    def _fresh(self, setup: Setup, seed: int = 0) -> NativeSession:
        cage = self._clean_cage()
        for name, data in setup.files.items():
            cage.put(name, data, writable=True)
        usual = self._command(cage)
        environment = {**usual.environment, SEED: str(seed)} if seed else usual.environment
        command = replace(usual, argv=(*usual.argv, *setup.arguments), environment=environment)
        return NativeSession(self, cage, command, setup)

    def _clean_cage(self) -> Cage:
        """The cage, in which nothing runs, with the program's files alone in its folder; another one where it was lost."""
        # A launcher that was killed, as by the kernel for lack of memory, costs its run alone.
        if self._cage is not None and self._cage.lost:
            self._cage.close()
            self._cage = None
        if self._cage is None:
            self._cage = self._new_cage().furnish(self._files, executable=True)
        else:
            self._cage.clean()
        return self._cage

    def notes(self, inputs: Sequence[str], environment: Mapping[str, str], cpu: float) -> bytes:
        """The notes of one more run on its control socket after the last of these inputs, if it ends without another.

        It computes for ``cpu`` seconds at most. Nothing is where it waits for more input, or ends before it was given all.
        Raises LaunchError.
        """
        self._ahead = None
        cage = self._clean_cage()
        usual = self._command(cage)
        limits = replace(usual.limits, cpu=min(cpu, usual.limits.cpu), output=_LOUDER * usual.limits.output)
        variables = {**usual.environment, **environment}
        process = cage.start(replace(usual, environment=variables, limits=limits, control=True))
        note = b""
        left = [*inputs]
        while (event := process.wait_event()) is Event.CONTROL or (event is Event.WAITS and left):
            note += process.take_control() if event is Event.CONTROL else b""
            if len(note) > _MOST_TOLD:
                process.kill()
            process.take_output()
            if event is Event.WAITS:
                process.take_control()
                note = b""
                typed = left.pop(0)
                if typed == END_OF_INPUT:
                    process.close_input()
                else:
                    process.send(typed.encode("utf-8", "surrogateescape"))
        note += process.take_control()
        if event is Event.WAITS:
            process.kill()
        return note if event is not Event.WAITS and not left else b""

    def close(self) -> None:
        """End what runs."""
        if self._cage is not None:
            self._cage.close()
        self._cage = self._ahead = None


class NativeSession:
    """One run. ``how_waits`` says how it is known that the program asks for input: ``exact`` where by an event.

    ``left`` are the files that were wanted, once it has ended.
    """

    wants = "line"  # as a terminal gives them
    instructions = 0  # nobody counts them

    def __init__(self, program: NativeProgram, cage: Cage, command: Command, setup: Setup) -> None:
        self._program = program
        self._cage = cage
        self._terminal = command.terminal
        self._process = cage.start(command)
        self._setup = setup
        self._begins = True  # nothing was typed yet
        self._ending: Ending | None = None
        self._output = self._errors = b""
        self.left: Mapping[str, bytes | None] = {}

    def advance(self) -> Ending | None:
        """Run until the program waits for input (None) or has ended."""
        if self._ending is not None or self._program.patience.wait(self._process, first=self._begins) is Event.WAITS:
            return self._ending
        status, limits = self._process.status, self._program.limits
        if status is None:
            raise JudgeError("the sandbox tells of an end and not of how it came")
        self._output += self._process.take_output()
        self._errors = self._process.take_errors()
        # Taken now: the next start empties the folder.
        self.left = {name: self._cage.take(name, limits.storage) for name in self._setup.wanted}
        if self._setup.plain:
            self._program.over()
        written = self._errors or (self._output if self._terminal else b"")  # a terminal shows both streams as one
        ending = self._program.patience.told(ending_of(status, written, limits, self._program.explain))
        self._ending = replace(ending, errors=decode(self._errors)[-KEPT_ERRORS:])
        return self._ending

    def take_output(self) -> bytes:
        """The output since the last call."""
        printed, self._output = self._output + self._process.take_output(), b""
        return printed

    def take_errors(self) -> bytes:
        """The standard error since the last call."""
        written, self._errors = self._errors or self._process.take_errors(), b""
        return written

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

    def leave(self) -> None:
        """Nobody will go on with this session."""
        self._process.kill()

    @property
    def how_waits(self) -> str:
        """``exact``, ``proc`` or ``timeout``."""
        return self._process.how_waits


def ending_of(status: Status, errors: bytes, limits: Limits, explain: Explain | None = None) -> Ending:
    """How a run ended, in words; ``explain`` knows what is special to its language."""
    if status.limit is not None:
        kind, message = _LIMITS[status.limit]
        return Ending(kind, message.format(limits=limits, mebibytes=limits.memory >> 20))
    explained = explain(status, errors.decode("utf-8", "replace")) if explain else None
    if explained is not None:
        return explained
    if status.signal is not None:
        known = signal.Signals(status.signal) if status.signal in set(signal.Signals) else None
        meaning = _SIGNALS.get(known, "") if known else ""
        name = known.name if known else f"signal {status.signal}"
        message = f"it was ended by {name}{f': {meaning}' if meaning else ''}"
        return Ending(EndingKind.SIGNAL, message, killed=status.killed)
    code = status.exit_code or 0
    if code:
        return Ending(EndingKind.EXIT_CODE, f"the program ended with exit code {code}", code=code & 0xFF)
    return Ending(EndingKind.ENDED, "the program ended", code=0)


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
