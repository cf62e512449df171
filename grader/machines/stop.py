"""How a run of a simulated machine stopped: an exact event with its place, never a guess from a clock."""

from __future__ import annotations

from enum import StrEnum

from grader.source import Span
from grader.values import dataclass

LAST_STEPS = 8
"""How many of the last instructions a stop keeps."""


class StopKind(StrEnum):
    """Why ``Machine.run`` returned. Only WAITS can be gone on from, after ``feed`` or ``close_input``."""

    WAITS = "waits"  # the program asks for input and none is there
    HALTED = "halted"  # it ended as a program should
    INPUT_ENDED = "input-ended"  # it asks for input after the end of input
    OFF_END = "off-end"  # it ran, or returned, past its own code into memory that holds nothing of it
    DATA_EXECUTED = "data-executed"  # it ran into words that the source declares as data
    ILLEGAL_INSTRUCTION = "illegal-instruction"  # the word is no instruction of this machine
    UNDEFINED_TRAP = "undefined-trap"  # a trap or system call that this machine does not have
    ACCESS_VIOLATION = "access-violation"  # memory that the profile forbids
    PRIVILEGE_VIOLATION = "privilege-violation"  # an instruction that only a supervisor may use
    RETURNED = "returned"  # the main program returned to where it was not called from
    RUNTIME_EXCEPTION = "runtime-exception"  # an exception that nothing handles: overflow, a bad address, a trap
    BAD_INPUT = "bad-input"  # it read an answer that it cannot take, such as letters for a number
    BUDGET = "budget"  # the instruction budget is used up
    NEVER_ENDS = "never-ends"  # proved: the whole state came back with no input in between
    OUTPUT_LIMIT = "output-limit"  # it printed more bytes than allowed


@dataclass(frozen=True, slots=True)
class Step:
    """One executed instruction: its address, the word, its disassembly, and its place in the source where it has one."""

    address: int
    word: int
    text: str
    span: Span | None


@dataclass(frozen=True, slots=True)
class Stop:
    """A stop with its evidence.

    ``address`` is that of the instruction at fault (or that waits). ``instructions`` is the number since the start. ``message``
    is one sentence for the student, without the place. ``last`` holds the last executed steps, oldest first.
    """

    kind: StopKind
    address: int
    instructions: int
    message: str
    span: Span | None = None
    last: tuple[Step, ...] = ()

    @property
    def final(self) -> bool:
        """Whether the run is over: everything but a wait for input."""
        return self.kind is not StopKind.WAITS
