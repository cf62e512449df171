"""A compiler, or another tool of this machine, run on what a student handed in; and whose fault it is where it did not end well.

Theory of operation. A source can make a compiler print any line (by `#line`), so the text never tells. The grader looks at how the tool
ended: its wait status and those of its parts (`gcc -wrapper`, grader/sandbox/tool.c), and the limit that it passed. It looks as well
at the kernel's count of processes that were killed for lack of memory.

- It ended by an exit code of its own, or passed one of our limits: what was handed in did that. If its disk has no
  room left then, that is a disturbance as well.
- It broke by a signal of its own, such as SIGSEGV: it is run once more, and where it breaks again, what was handed in did that.
- Somebody killed it, or it was held up by the machine until its time was over: that is a disturbance. It is run once more, alone, and
  where it is disturbed again, the grader has failed (`JudgeError`): no point is lost.
- It slept until its time was over: once more, alone; where it sleeps again, what was handed in did that, and staff are told.
"""

from __future__ import annotations

import os
import secrets
import signal
import struct
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Final

from grader.errors import DisturbedError
from grader.sandbox import (
    MORE_MEMORY,
    OWN_BREAKS,
    Cage,
    Command,
    LaunchError,
    Limits,
    Status,
    complete,
    free_memory,
    memory_kills,
)
from grader.sandbox.process import SIGNAL_LIMITS
from grader.sandbox.wire import LAUNCHER
from grader.source import Diagnostic, Severity
from grader.values import dataclass

TOOL_LIMITS: Final = Limits(
    cpu=10, wall=30, memory=1 << 30, output=1 << 20, processes=64, file_size=64 << 20, files=256, address_space=None
)
"""Limits of a compiler for one program: a submission can attack a compiler."""

_PART: Final = struct.Struct("=i")
_BEGINS: Final = -1  # as in tool.c
_SHARE: Final = 0.8  # of the free memory: the rest is for the grader, whom the kernel would kill as well
_SHOWN: Final = 200  # characters of what a tool wrote
# Part of the time by the clock: a compiler that computed or was held up for the rest has passed other limits first.
_ASLEEP: Final = 0.5
_DRAWN: Final = 8  # bytes of a name that nobody hands in: gcc looks for cc1, crt1.o and others in the same folder


CRASH: Final = "crash"
"""The sentence on a compiler that broke by a signal of its own."""


@dataclass(frozen=True, slots=True)
class Product:
    """Files by their names, none where the compiler refused the sources, and what it wrote.

    ``stopped`` is empty where it ended by itself, else the limit that it passed, or `CRASH`. ``note`` is for staff.
    """

    files: Mapping[str, bytes]
    said: str = ""
    stopped: str = ""
    note: str = ""

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks for staff."""
        return (self.note,) if self.note else ()

    def stop(self) -> tuple[Diagnostic, ...]:
        """The complaint about sources that a compiler did not get through; none where it ended by itself."""
        if not self.stopped:
            return ()
        if self.stopped == CRASH:
            message = "the compiler crashes on this program"
            hint = "something in it is nested too deeply, or far too large"
        else:
            message = f"the compiler was stopped at its limit: {self.stopped}"
            hint = "it includes or expands without end, or holds something huge"
        return (Diagnostic(Severity.ERROR, "compiler", message, None, hint),)


class DisturbedToolError(DisturbedError):
    """A tool was killed, held up, broke or slept: it must be run once more.

    ``product`` is what it came to where that happens again, None where that is our failure. ``alone`` says whether nothing may
    run beside it then.
    """

    def __init__(self, message: str, product: Product | None = None, *, alone: bool = True, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.product = product
        self.alone = alone


@dataclass(frozen=True, slots=True)
class ToolRun:
    """A tool that ended for a reason of what it was given: whether it succeeded, and what it wrote to standard error.

    ``stopped`` is the limit that it passed, empty where it ended by itself.
    """

    succeeded: bool
    errors: str
    stopped: str


def run_tool(cage: Cage, command: Command, *, wrapped: bool = False) -> ToolRun:
    """Run a tool in a cage that holds its input. A ``wrapped`` one is a gcc, whose parts report how they ended.

    Raises:
        DisturbedToolError: it was killed, held up, broke or slept, or its disk is full.
    """
    watch = Watch(command.limits)
    argv = _with_reports(cage, command.argv) if wrapped else command.argv
    done = complete(cage, replace(command, argv=argv, limits=watch.limits, sealed=True, control=wrapped))
    name, errors = PurePath(command.argv[0]).name, done.errors.decode("utf-8", "replace")
    stopped = watch.passed_limit(name, done.status, done.control)
    succeeded = done.status.exit_code == 0
    if wrapped and not (succeeded or stopped or any(_reports(done.control))):
        # It refuses its flags, or a part was killed before it could report that it begins: nothing that a source can do.
        message = f"{name} failed, and not one of its parts: {errors.strip()[:_SHOWN]}"
        raise DisturbedToolError(message, hint="are the `flags` of the spec right?")
    if not (succeeded or stopped):
        # Somebody filled the disk while cc1 wrote to it: "No space left on device" was a compile error of the student's.
        try:
            cage.demand_room()
        except LaunchError as full:
            raise DisturbedToolError(f"{name} failed, and {full.message}", hint=full.hint) from full
    return ToolRun(succeeded, errors, stopped)


def _with_reports(cage: Cage, argv: tuple[str, ...]) -> tuple[str, ...]:
    """The command of a gcc that starts its parts through grader/sandbox/tool.c.

    ``-wrapper`` does not reach ld, which collect2 starts: that looks for it first in the folder that ``-B`` names.
    """
    folder = f"grader_{secrets.token_hex(_DRAWN)}"
    cage.put(f"{folder}/tool", LAUNCHER.read_bytes(), executable=True)
    cage.put(f"{folder}/ld", f'#!/bin/sh\nexec ./{folder}/tool tool ld "$@"\n'.encode(), executable=True)
    return (argv[0], "-wrapper", f"./{folder}/tool,tool", f"-B./{folder}/", *argv[1:])


class Watch:
    """Counts that are taken before a tool starts, to tell how it ended.

    ``limits`` are those that it is promised, with no more memory than is free here: a bomb must meet our limit, not the kernel.
    """

    def __init__(self, promised: Limits) -> None:
        affordable = int(_SHARE * free_memory())
        self.limits = replace(promised, memory=min(promised.memory, affordable))
        self._lowered = affordable < promised.memory
        self._kills = memory_kills()

    def passed_limit(self, name: str, status: Status, parts: bytes = b"") -> str:
        """The limit that the tool ``name`` passed; empty where it ended by itself. ``parts`` is what its parts told of their ends.

        Raises:
            DisturbedToolError: neither.
        """
        if status.exit_code == 0:
            return ""
        if status.limit == "wall":
            if status.asleep < _ASLEEP * self.limits.wall:
                raise DisturbedToolError(f"this machine held {name} up for {self.limits.wall:g} s", hint=_SAME_COMMAND)
            note = f"{name} slept until its time was over, twice: does this machine make it wait, or the source?"
            product = Product({}, stopped="wall", note=note)
            raise DisturbedToolError(f"{name} slept until its time was over", product)
        if status.limit == "memory" and self._lowered:
            message = f"{name} needs more memory than the {self.limits.memory >> 20} MiB that it can have here"
            raise DisturbedToolError(message, hint=MORE_MEMORY)
        if status.limit is not None:
            return status.limit
        if memory_kills() > self._kills:
            raise DisturbedToolError(f"the kernel ended {name} for lack of memory", hint=MORE_MEMORY)
        # A compiler that the kernel had ended was taken for an error of the program.
        signals = _signals(status, parts)
        foreign = signals - OWN_BREAKS - SIGNAL_LIMITS.keys()
        if foreign:
            raise DisturbedToolError(f"somebody ended {name} ({_names(foreign)})", hint=_SAME_COMMAND)
        if signals & OWN_BREAKS:
            raise DisturbedToolError(f"{name} broke ({_names(signals)})", Product({}, stopped=CRASH), alone=False)
        return next((SIGNAL_LIMITS[number] for number in sorted(signals)), "")


_SAME_COMMAND: Final = "the same command goes on"


def _signals(status: Status, control: bytes) -> frozenset[int]:
    """The signals that ended a tool or a part of it; a part that began and told no end was killed."""
    ends = list(_reports(control))
    lost = control.count(_PART.pack(_BEGINS)) > len(ends)
    ends = [-code for number in ends if (code := os.waitstatus_to_exitcode(number)) < 0]
    own = [status.signal] if status.signal is not None else []
    return frozenset((*ends, *own, *([signal.SIGKILL] if lost else [])))


def _reports(control: bytes) -> Iterator[int]:
    """The wait statuses of the parts of a tool that have ended."""
    whole = len(control) - len(control) % _PART.size
    return (number for (number,) in _PART.iter_unpack(control[:whole]) if number != _BEGINS)


def _names(signals: frozenset[int]) -> str:
    known = set(signal.Signals)
    return ", ".join(signal.Signals(one).name if one in known else f"signal {one}" for one in sorted(signals))
