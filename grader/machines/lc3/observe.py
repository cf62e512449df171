"""What an observed run of an LC-3 shows: the loop's marks, and the records of calls, as values for checks to read."""

from __future__ import annotations

from array import array
from itertools import compress

from grader.machines import observe
from grader.machines.image import Content, Image
from grader.machines.lc3 import kinds
from grader.machines.observe import Call, Marks, Observations, Patch, RegisterChange, Routine, StackImbalance, TrapUse
from grader.machines.records import Records

__all__ = [
    "COMPARED",
    "STACK",
    "Call",
    "Observations",
    "Patch",
    "RegisterChange",
    "Routine",
    "StackImbalance",
    "TrapUse",
    "fresh_marks",
    "observations",
]

COMPARED = tuple(range(6))  # R0-R5; R7 is the return address
STACK = 6


def fresh_marks(image: Image) -> array[int]:
    """The marks that a run begins with: code is marked as such."""
    marks = array("B", bytes(0x10000))
    for address, origin in image.origins.items():
        if origin.content is Content.CODE:
            marks[address] = kinds.CODE
    return marks


def observations(records: Records, marks: array[int], image: Image, instructions: int, stores: int) -> Observations:
    """The values behind ``records`` and ``marks``, which go on changing when the machine runs on."""
    marked = tuple(compress(range(len(marks)), marks))
    executed, stored, ran_stored = (
        frozenset(address for address in marked if marks[address] & bit)
        for bit in (kinds.EXECUTED, kinds.STORED, kinds.RAN_STORED)
    )
    return observe.observations(records, Marks(executed, stored, ran_stored, stores), image, instructions)
