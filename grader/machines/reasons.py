"""Why a loop stopped, as numbers: a compiled loop has no enumerations. They count the kinds of stops; RUNNING is no stop."""

from __future__ import annotations

from grader.machines.stop import StopKind

RUNNING, WAITS, HALTED, INPUT_ENDED, OFF_END, DATA_EXECUTED, ILLEGAL, UNDEFINED_TRAP = range(8)
ACCESS, PRIVILEGE, RETURNED, EXCEPTION, BAD_INPUT, BUDGET, NEVER_ENDS, OUTPUT_LIMIT = range(8, 16)
OTHERS = 16  # from here on a machine has exceptions of its own

KINDS: tuple[StopKind, ...] = (StopKind.WAITS, *StopKind)
"""The kind of stop for each reason; nothing asks for that of RUNNING."""


def kind_of(reason: int) -> StopKind:
    """The kind of stop for a reason."""
    return KINDS[reason] if reason < OTHERS else StopKind.RUNTIME_EXCEPTION


MESSAGES = {
    StopKind.INPUT_ENDED: "the program asks for {noun}, but the input has ended",
    StopKind.BUDGET: "the program had not ended after {instructions:,} instructions",
    StopKind.NEVER_ENDS: "the program can never end: registers and memory are the same as at an earlier time, with no input in between",
    StopKind.OUTPUT_LIMIT: "the program printed more than is allowed",
}
"""Templates of the sentences that every machine uses for a stop."""
