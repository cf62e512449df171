"""Tests in Python apart from the program that they try: two processes, each in a cage of its own, and the line between them.

Theory of operation. The tests run in one cage, and the modules that a student handed in in another. The tests import a stand-in for each
module (``handles``), and whatever they do with it becomes a request to the program (``program``). Only one of the two runs at a
time, so that the grader waits for a frame of one and hands it to the other. A program that has ended is started again for
the next test, as long as it may compute.

What a program could do to the tests in one process it cannot do here: it never holds the results, the runner, or what a test expects.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from signal import SIGKILL
from typing import Final

from grader.build.apart.line import GO_ON, GONE, HEAD, LARGEST_FRAME, MESSAGE, MORE
from grader.sandbox import Completed, Event, Process, Status, memory_kills
from grader.transcript import Ending, EndingKind
from grader.values import dataclass

MOST_LIVES: Final = 50
"""Maximum starts of a program in one run of tests: more only take time, and each lost a test."""

_FOLDER: Final = Path(__file__).parent
_PACKAGE: Final = __name__

_LOAD: Final = """\
import sys, types
for name, text in SOURCES.items():
    module = sys.modules[name] = types.ModuleType(name)
    exec(compile(text, '<' + name + '>', 'exec'), module.__dict__)
"""


def loading(*modules: str) -> str:
    """The program text that loads these modules of this package in a cage, where nothing of the grader is installed."""
    sources = {f"{_PACKAGE}.{name}": (_FOLDER / f"{name}.py").read_text(encoding="utf-8") for name in modules}
    return _LOAD.replace("SOURCES", repr(sources))


@dataclass
class Run:
    """One run of tests: their process, and how the program is started, which may compute for ``cpu`` seconds in all its lives.

    ``explain`` says how it ended, by its status and what it wrote to standard error.
    """

    tests: Process
    start: Callable[[float], Process]
    cpu: float
    explain: Callable[[Status, bytes], Ending]

    def __post_init__(self) -> None:
        """No program has been started."""
        self._starved = False
        self._program: Process | None = None
        self._lives = self._kills = 0

    def complete(self) -> Completed:
        """The tests, run to their end. Raises LaunchError."""
        self.tests.send(b"")
        self.tests.close_input()
        try:
            while (frame := _frame(self.tests)) is not None:
                self._put(self.tests, self._answer(frame))
        finally:
            if self._program is not None:
                self._program.kill()
        assert self.tests.status is not None
        status = self.tests.status
        if self._starved:  # it counts as tests that the kernel killed: they are run again
            status = replace(status, exit_code=None, signal=SIGKILL, limit=None)
        return Completed(status, self.tests.take_output(), self.tests.take_errors())

    def _answer(self, frame: bytes) -> bytes:
        """The program's answer to a frame of the tests."""
        if self._program is None:
            if self._lives >= MOST_LIVES or self.cpu <= 0:
                return _gone(EndingKind.TIME_LIMIT, "the program has used all its time in tests before this one")
            self._kills = memory_kills()
            self._program = self.start(self.cpu)
            self._lives += 1
        program = self._program
        if program.take_control():  # who has written before it was asked would answer the next question
            program.kill()
            self._program = None
            return GONE + b"again:"
        self._put(program, frame)
        answer = _frame(program)
        if answer is not None and answer[:1] in (MESSAGE, MORE, GO_ON):
            return answer
        self._program, ended = None, program.status is not None
        program.kill()
        assert program.status is not None
        self.cpu -= program.status.cpu
        if not ended:  # it wrote by itself what is no answer
            return _gone(EndingKind.SIGNAL, "the program broke the line to its tests")
        self._starved = self._starved or (program.status.killed and memory_kills() > self._kills)
        ending = self.explain(program.status, program.take_errors())
        return _gone(ending.kind, ending.message)

    @staticmethod
    def _put(process: Process, frame: bytes) -> None:
        process.send_control(len(frame).to_bytes(HEAD) + frame)


def _gone(kind: EndingKind, message: str) -> bytes:
    return GONE + f"{'time' if kind is EndingKind.TIME_LIMIT else 'ended'}:{message}".encode()


def _frame(process: Process) -> bytes | None:
    """The next frame of a process; None where it has ended, or sends what is no frame."""
    data = b""
    while True:
        length = int.from_bytes(data[:HEAD]) if len(data) >= HEAD else 1
        if not 1 <= length <= LARGEST_FRAME + 1 or len(data) > HEAD + length:
            return None
        if len(data) == HEAD + length and len(data) > HEAD:
            return data[HEAD:]
        event = process.wait_event()
        if event in (Event.ENDED, Event.LIMIT):
            return None
        if event is Event.CONTROL:
            data += process.take_control()
