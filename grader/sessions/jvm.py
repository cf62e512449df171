"""Java programs: a fresh JVM for each run, or one JVM that runs a program again and again.

Theory of operation. A JVM takes longer to start than a game of Nim takes to play. Under the profile ``java shared`` one JVM
with a host of ours (grader/java/CaseHost.java) serves all runs of a program. Each run has its own class loader, and so new
statics, its own System.in and System.out, and a main thread. The host reports over a socket that the program asks for input or
has ended. A program could forge these reports, and gains nothing: it could ask and end by itself. If a run ends in another state
than ended or waiting, or leaves files, threads or hooks behind, the JVM is replaced.

Changes of a run to the classes of Java itself would stay. So only programs without a means to leave such a trace run in this way
(grader/build/java_traces.py). Runs for hidden cases have another JVM, ``java shared, hidden``, and nothing that a student sees
comes from it. The profile ``java`` is a plain JVM for each run, whose waits the sandbox sees. It decides on every case that is
not accepted under the others.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from grader.bounded import TURNS_PRINTED
from grader.errors import JudgeError
from grader.sandbox import Cage, Command, Event, Process, Span, Status
from grader.sandbox import Limits as CageLimits
from grader.sessions import jdk
from grader.sessions.java_endings import Endings
from grader.sessions.native import KEPT_ERRORS, Explain, NativeProgram, NativeSession, cage_limits, ending_of
from grader.sessions.session import USUAL, Setup
from grader.source import SourceFile
from grader.spec.model import Limits
from grader.transcript import Ending, EndingKind, decode

SHARED: Final = "java shared"
SHARED_HIDDEN: Final = "java shared, hidden"
FRESH: Final = "java"

HOST_PACKAGE: Final = "grader/host/"
"""The folder of our host's classes, among those of a program."""

_HOST: Final = "grader.host.CaseHost"
_PROGRAM_JAR: Final = "program.jar"
_HOST_JAR: Final = "host.jar"
_STACK: Final = 8 << 20  # bytes of a thread's stack: what a C program has
# For a JVM to start, of computing and of waiting, in its first turn: it is not the program's time.
_START_SECONDS: Final = 1.0
# A fresh JVM decides on it in any case.
_SHARED_SECONDS: Final = 1.5  # for a run in the shared JVM; a game of Nim takes some milliseconds
# The limits of a shared JVM are those of 8 runs that use all they may; half of that serves hundreds of usual runs.
_RUNS: Final = 8
_HOST_THREADS: Final = 320  # more than the host has and parks
_OPEN_FILES: Final = 256  # for a JVM, which opens its own archives as well
# Messages to the host, and its messages; the host's end of this is grader/java/CaseHost.java.
RUN: Final = b"R"
INPUT: Final = b"I"
END_OF_INPUT: Final = b"E"
LEAVE: Final = b"Q"
ASKS: Final = b"A"
ENDED: Final = b"X"
LEFT: Final = b"L"
_OVER: Final = Status(None, None, "output", 0.0, 0)  # what the sandbox says of a JVM that printed too much
_SIZES: Final = {ASKS: 1, ENDED: 5, LEFT: 1}
_HOST_FLAGS: Final = (
    *(f"--add-opens=java.base/java.{package}=ALL-UNNAMED" for package in ("io", "lang", "util")),
    "-XX:+UnlockExperimentalVMOptions",
    "-XX:hashCode=2",  # one hash code for all objects: else they would tell how many runs there were before
)


class Machine:
    """The shared JVM of a program; where it has ended or used up half of its limits, the next run gets another.

    ``command`` starts the host in ``cage``, which nothing else may use. The wall clock and the output of all runs in a JVM add
    up, so a run has at least half of the limits of the command for itself. ``turn`` is the most that it may take at once.
    """

    def __init__(self, cage: Cage, command: Command, turn: Span) -> None:
        self._cage = cage
        self._command = command
        self._turn = turn
        self._process: Process | None = None
        self._heard = b""
        self._seconds = 0.0
        self._printed = 0

    def be_ready(self) -> None:
        """Have a JVM that can run the program as if for the first time. Raises JudgeError when none can be started."""
        limits = self._command.limits
        used_up = self._seconds > limits.wall / 2 or self._printed > limits.output / 2
        lives = self._process is not None and self._process.status is None
        # A file that one run leaves behind would be there for the next.
        if lives and not used_up and self._cage.is_clean():
            return
        self._cage.clean()
        self._process = self._cage.start(self._command)
        self._process.close_input()
        self._heard, self._seconds, self._printed = b"", 0.0, 0

    def order(self, what: bytes) -> None:
        """Say something to the host; lost if the JVM has ended."""
        self._running.send_control(what)

    def hear(self) -> bytes:
        """The next report of the host; empty if the JVM has ended, or had to be stopped because it spoke out of turn."""
        begun = time.monotonic()
        try:
            while self._running.wait_event(self._turn) not in (Event.ENDED, Event.LIMIT):
                self._heard += self._running.take_control()
                size = _SIZES.get(self._heard[:1], 0)
                if self._heard and len(self._heard) == size:
                    report, self._heard = self._heard, b""
                    return report
                # The program has the socket as well, and can write anything to it.
                if len(self._heard) > size:
                    self.stop()
            return b""
        finally:
            self._seconds += time.monotonic() - begun

    def take_output(self) -> bytes:
        """The output since the last call."""
        printed = self._running.take_output()
        self._printed += len(printed)
        return printed

    def take_errors(self) -> bytes:
        """The standard error since the last call."""
        written = self._running.take_errors()
        self._printed += len(written)
        return written

    @property
    def status(self) -> Status | None:
        """How the JVM ended; None while it runs."""
        return self._running.status

    @property
    def lost(self) -> bool:
        """Whether no JVM can be started in its cage any more."""
        return self._cage.lost

    def stop(self) -> None:
        """End the JVM; the next run gets another."""
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        """End the JVM and its cage."""
        self._cage.close()

    @property
    def _running(self) -> Process:
        if self._process is None:
            raise JudgeError("a Java machine was spoken to before it was started")
        return self._process


class SharedSession:
    """One run in a machine that is ready; ``seed`` is the number, from 0, that says which random numbers ``Math.random`` draws."""

    how_waits = "exact"
    wants = "line"  # as a terminal gives them
    instructions = 0  # nobody counts them

    def __init__(self, machine: Machine, limits: Limits, explain: Explain, seed: int) -> None:
        self._machine = machine
        self._limits = limits
        self._explain = explain
        self._room = limits.output
        self._printed = 0
        self._output = b""
        self._typed = b""
        self._closed = False
        self._waits = False
        self._ending: Ending | None = None
        self._errors = b""
        machine.order(RUN + seed.to_bytes(4, "big"))

    def advance(self) -> Ending | None:
        """Run until the program waits for input (None) or has ended."""
        while not self._waits and self._ending is None:
            report = self._machine.hear()
            printed = self._machine.take_output()
            # In a shared JVM the sandbox counts the output of all runs, and this one has its own limit.
            within = len(printed) <= self._room
            self._output += printed[: self._room]
            self._room = max(0, self._room - len(printed))
            self._printed += len(printed)
            if not within:
                self._machine.stop()
                self._ending = ending_of(_OVER, b"", self._limits)
            elif report == ASKS:
                self._waits = True
                self._go_on()
            else:
                self._ending = self._end(report)
        return self._ending

    def _end(self, report: bytes) -> Ending:
        errors = self._errors = self._machine.take_errors()
        if report[:1] == ENDED:
            status = Status(int.from_bytes(report[1:], "big", signed=True), None, None, 0.0, 0)
            ending = ending_of(status, errors, self._limits, self._explain)
            return replace(ending, errors=decode(errors)[-KEPT_ERRORS:])
        self._machine.stop()  # unless it has ended, it spoke out of turn
        stopped = self._machine.status
        if stopped is None:
            raise JudgeError("a Java machine that was stopped runs on")
        return ending_of(stopped, errors, self._limits, self._explain)

    def take_output(self) -> bytes:
        """The output since the last call."""
        printed, self._output = self._output, b""
        return printed

    def take_errors(self) -> bytes:
        """The standard error since the last call."""
        errors, self._errors = self._errors, b""
        return self._machine.take_errors() if self._ending is None else errors

    def send(self, text: str) -> None:
        """Give it what was typed, as UTF-8."""
        self._typed += text.encode("utf-8", "surrogateescape")
        self._go_on()

    def close_input(self) -> None:
        """Nothing more will be typed: reads find the end of input."""
        self._closed = True
        self._go_on()

    def _go_on(self) -> None:
        """Answer a program that waits, if there is something to answer."""
        if self._waits and self._typed:
            self._machine.order(INPUT + len(self._typed).to_bytes(4, "big") + self._typed)
            self._typed, self._waits = b"", False
            most = self._limits.output
            self._room = min(most, max(0, TURNS_PRINTED * most - self._printed))
        elif self._waits and self._closed:
            self._machine.order(END_OF_INPUT)
            self._waits = False

    def leave(self) -> None:
        """Nobody will go on with this session: the JVM can serve another run if the program waits or has ended."""
        if self._ending is not None:
            return
        if self._waits:
            self._machine.order(LEAVE)
        if not self._waits or self._machine.hear() != LEFT:
            self._machine.stop()
        self._machine.take_output()
        self._machine.take_errors()
        self._ending = Ending(EndingKind.STILL_WAITING, "the program was left waiting")


class JvmProgram:
    """A compiled Java program that can be started again and again: starting it ends the session before.

    ``classes`` are class files by their paths, those of our host among them; ``main`` is the name of the class to start.
    ``sources`` are the student's files, for places in them; ``files`` lie in the folder in which it runs. Fresh JVMs run in one
    cage that ``another`` makes, on a terminal if so wished; each shared one runs in one of its own, and never on a terminal.
    """

    def __init__(
        self,
        another: Callable[[], Cage],
        classes: Mapping[str, bytes],
        main: str,
        limits: Limits,
        *,
        sources: tuple[SourceFile, ...] = (),
        files: Mapping[str, bytes] = MappingProxyType({}),
        terminal: bool = False,
    ) -> None:
        host = {path: data for path, data in classes.items() if path.startswith(HOST_PACKAGE)}
        own = students(classes)
        self._explain = Endings(class_names(own), sources).explain
        self._files = {**files, _PROGRAM_JAR: jdk.jar(own)}
        self._host_jar = jdk.jar(host)
        self._main = main
        self._limits = limits
        self._terminal = terminal
        self._another = another
        self._fresh = NativeProgram(another, self._command, self._files, limits, self._explain, ahead=False)
        self._machines: dict[str, Machine] = {}  # by profile
        self._session: NativeSession | SharedSession | None = None

    def start(self, profile: str, *, seed: int | None = None, setup: Setup = USUAL) -> NativeSession | SharedSession:
        """A session at the start of the program: under SHARED, SHARED_HIDDEN, or else FRESH.

        ``Math.random`` draws the numbers of ``seed`` under the first two. Java seeds all else by its clock, which nobody sets.

        A run that is set up has a machine of its own: its files would be there for the next.

        Raises:
            JudgeError: no JVM can be started.
        """
        if self._session is not None:
            self._session.leave()
        shared = profile in (SHARED, SHARED_HIDDEN) and setup.plain
        self._session = self._start_shared(profile, seed or 0) if shared else self._fresh.start(profile, setup=setup)
        return self._session

    def _command(self, cage: Cage) -> Command:
        """A function that starts a fresh JVM."""
        argv = (*java_command(cage, self._limits), "-cp", _PROGRAM_JAR, self._main)
        return Command(argv, jvm_limits(self._limits), jdk.ENVIRONMENT, terminal=self._terminal)

    def _start_shared(self, profile: str, seed: int) -> SharedSession:
        # A launcher can be killed from outside, as by the kernel: that is no reason to give up a submission.
        if profile in self._machines and self._machines[profile].lost:
            self._machines.pop(profile).close()
        if profile not in self._machines:
            self._machines[profile] = self._make_machine()
        self._machines[profile].be_ready()
        return SharedSession(self._machines[profile], self._limits, self._explain, seed)

    def _make_machine(self) -> Machine:
        cage = self._another().furnish({**self._files, _HOST_JAR: self._host_jar})
        run = ("-cp", _HOST_JAR, _HOST, _PROGRAM_JAR, self._main, str(_STACK))
        argv = (*java_command(cage, self._limits), *_HOST_FLAGS, *run)
        limits = shared_limits(self._limits)
        turn = Span(limits.wall / _RUNS, 2 * limits.wall / _RUNS)
        return Machine(cage, Command(argv, limits, jdk.ENVIRONMENT, control=True), turn)

    def close(self) -> None:
        """End what runs, and the cages."""
        if self._session is not None:
            self._session.leave()
            self._session = None
        for machine in self._machines.values():
            machine.close()
        self._machines.clear()
        self._fresh.close()


def students(classes: Mapping[str, bytes]) -> dict[str, bytes]:
    """The classes of a program without those of our host."""
    return {path: data for path, data in classes.items() if not path.startswith(HOST_PACKAGE)}


def class_names(classes: Mapping[str, bytes]) -> frozenset[str]:
    """The names of classes, by the paths of their files."""
    return frozenset(path.removesuffix(".class").replace("/", ".") for path in classes)


def java_command(cage: Cage, limits: Limits) -> tuple[str, ...]:
    """The command of a JVM, up to what it shall run."""
    return (jdk.java(), *jdk.FLAGS, f"-Xmx{limits.memory}", f"-Xss{_STACK}", f"-Djava.io.tmpdir={cage.path}")


def jvm_limits(limits: Limits) -> CageLimits:
    """The limits of one run, with what a JVM needs for itself on top."""
    plain = cage_limits(limits)
    cpu, wall = plain.cpu + _START_SECONDS, plain.wall + _START_SECONDS
    memory, processes = plain.memory + jdk.OWN_MEMORY, plain.processes + jdk.OWN_THREADS
    # There is no bound on addresses: a JVM reserves far more than it uses.
    return replace(plain, cpu=cpu, wall=wall, memory=memory, processes=processes, files=_OPEN_FILES, address_space=None)


def shared_limits(limits: Limits) -> CageLimits:
    """The limits of a JVM for many runs: at least half of them are left for each, see ``Machine``.

    A run that takes longer than ``_SHARED_SECONDS`` is tried again in a fresh JVM, which decides: it need not hang here first.
    """
    run = jvm_limits(limits)
    wall = _RUNS * min(run.cpu, _SHARED_SECONDS)
    threads = run.processes + _HOST_THREADS
    return replace(run, cpu=2 * wall, wall=wall, output=_RUNS * limits.output, processes=threads)
