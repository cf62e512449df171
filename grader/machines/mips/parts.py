"""What the first pass of the MIPS assembler hands to the second: labels, instructions, and places that wait for a label."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from grader.machines.mips.forms import Written
from grader.machines.mips.lines import Line
from grader.machines.mips.segments import Data


@dataclass(slots=True)
class Label:
    """A label: ``address`` may still move while the data at it is aligned."""

    name: str
    address: int
    line: Line
    in_data: bool


@dataclass
class Scope:
    """The labels of one file, and the names that it declares global."""

    labels: dict[str, Label] = field(default_factory=dict)
    declared: list[tuple[str, Line, int]] = field(default_factory=list)


class Code(NamedTuple):
    """One instruction as written: its address, its form, the words and values of its operands, and where it stands."""

    address: int
    form: Written
    operands: list[str]
    values: list[int | None]
    line: Line
    at: int
    scope: Scope


class Wanted(NamedTuple):
    """A place in the data that waits for the address of a label."""

    data: Data
    address: int
    size: int
    name: str
    line: Line
    at: int
    scope: Scope
