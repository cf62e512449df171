"""Many runs of a Java program in one JVM: our host in it, what is said to it, and the sessions that it serves."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Final

from grader.bounded import TURNS_PRINTED
from grader.errors import JudgeError
from grader.sandbox import Cage, Command, Event, Process, Span, Status
from grader.sessions.java_endings import Endings
from grader.sessions.native import KEPT_ERRORS
from grader.transcript import Ending, EndingKind, decode

# What is said to the host, and what it says; the host's end of this is grader/java/CaseHost.java.
RUN: Final = b"R"
INPUT: Final = b"I"
END_OF_INPUT: Final = b"E"
LEAVE: Final = b"Q"
ASKS: Final = b"A"
ENDED: Final = b"X"
LEFT: Final = b"L"
_OVER: Final = Status(None, None, "output", 0.0, 0)  # what the sandbox says of a JVM that printed too much
_SIZES: Final = {ASKS: 1, ENDED: 5, LEFT: 1}


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
        if self._process is not None and self._process.status is None and self._is_fresh():
            return
        self._cage.clean()
        self._process = self._cage.start(self._command)
        self._process.close_input()
        self._heard, self._seconds, self._printed = b"", 0.0, 0

    def _is_fresh(self) -> bool:
        limits = self._command.limits
        used_up = self._seconds > limits.wall / 2 or self._printed > limits.output / 2
        return not used_up and self._cage.is_clean()

    def order(self, what: bytes) -> None:
        """Say something to the host; lost if the JVM has ended."""
        self._running.send_control(what)

    def hear(self) -> bytes:
        """What the host reports next; empty when the JVM has ended, or had to be stopped since it spoke out of turn."""
        begun = time.monotonic()
        try:
            while self._running.wait_event(self._turn) not in (Event.ENDED, Event.LIMIT):
                self._heard += self._running.take_control()
                size = _SIZES.get(self._heard[:1], 0)
                if self._heard and len(self._heard) == size:
                    report, self._heard = self._heard, b""
                    return report
                if len(self._heard) > size:
                    self.stop()
            return b""
        finally:
            self._seconds += time.monotonic() - begun

    def take_output(self) -> bytes:
        """What was printed since last taken."""
        printed = self._running.take_output()
        self._printed += len(printed)
        return printed

    def take_errors(self) -> bytes:
        """What was written to standard error since last taken."""
        said = self._running.take_errors()
        self._printed += len(said)
        return said

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

    def __init__(self, machine: Machine, endings: Endings, seed: int) -> None:
        self._machine = machine
        self._endings = endings
        self._room = endings.limits.output
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
            within = self._take_in(self._machine.take_output())
            if not within:
                self._machine.stop()
                self._ending = self._endings.of_machine(_OVER, b"")
            elif report == ASKS:
                self._waits = True
                self._go_on()
            else:
                self._ending = self._end(report)
        return self._ending

    def _take_in(self, printed: bytes) -> bool:
        """Keep what was printed, as far as the limit allows; whether it does."""
        self._output += printed[: self._room]
        within = len(printed) <= self._room
        self._room = max(0, self._room - len(printed))
        self._printed += len(printed)
        return within

    def _end(self, report: bytes) -> Ending:
        errors = self._errors = self._machine.take_errors()
        if report[:1] == ENDED:
            ending = self._endings.of_run(int.from_bytes(report[1:], "big", signed=True), errors)
            return replace(ending, errors=decode(errors)[-KEPT_ERRORS:])
        self._machine.stop()  # unless it has ended, it spoke out of turn
        status = self._machine.status
        if status is None:
            raise JudgeError("a Java machine that was stopped runs on")
        return self._endings.of_machine(status, errors)

    def take_output(self) -> bytes:
        """What was printed since last taken."""
        printed, self._output = self._output, b""
        return printed

    def take_errors(self) -> bytes:
        """What was written to standard error since last taken."""
        said, self._errors = self._errors, b""
        return self._machine.take_errors() if self._ending is None else said

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
            most = self._endings.limits.output
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

    @property
    def wants(self) -> str:
        """What a program asks for: a terminal gives lines."""
        return "line"

    @property
    def instructions(self) -> int:
        """Nobody counts them."""
        return 0
