"""The editions of the LC-3 that courses teach: what differs between them, in one table.

The counts of routine instructions are those of the tools' operating systems, as runs of them show (the vectors in
``tests/vectors/lc3/runtime.json``): PUTS of n characters takes ``puts + n * (out + 4)``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from types import MappingProxyType

from grader.machines.stop import StopKind
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class RoutineCosts:
    """The instructions that the trap routines of an operating system take, the TRAP itself included.

    ``puts`` is the number for an empty string, ``putsp`` that for a string before its first word is read.
    """

    getc: int
    out: int
    puts: int
    putsp: int


@dataclass(frozen=True, slots=True)
class Profile:
    """One edition of the machine.

    - ``keeps_r7``: TRAP leaves R7 alone, as in the 3rd edition. The return address goes to the supervisor stack, and a
      routine of the program's own ends with RTI. Otherwise TRAP puts it into R7, and the routine ends with RET.
    - ``protects``: a user program may only touch x3000-xFDFF.
    - ``newline_for_return``: the display shows x0D as a newline.
    - ``maps_psr``: the processor status register can be read and written at xFFFC.
    - ``prompt``, ``farewell``: the texts that IN prints first and that HALT prints.
    - ``faults``: the texts that the operating system prints for an ending, before the farewell.
    - ``costs``: None if a trap counts as one instruction.
    """

    name: str
    keeps_r7: bool = True
    lea_sets_condition: bool = False
    protects: bool = False
    newline_for_return: bool = True
    maps_psr: bool = True
    prompt: bytes = b"\nInput a character> "
    farewell: bytes = b""
    faults: Mapping[StopKind, bytes] = field(default_factory=dict)
    costs: RoutineCosts | None = None


_LC3TOOLS_FAULTS = MappingProxyType(
    {
        StopKind.ILLEGAL_INSTRUCTION: b"\n\n--- Illegal opcode ---\n\n",
        StopKind.UNDEFINED_TRAP: b"\n\n--- Undefined trap executed ---\n\n",
        StopKind.ACCESS_VIOLATION: b"\n\n--- Access violation---\n\n",
        StopKind.PRIVILEGE_VIOLATION: b"\n\n--- Privilege violation ---\n\n",
    }
)
_LC3TOOLS = Profile(
    "lc3tools",
    protects=True,
    farewell=b"\n\n--- Halting the LC-3 ---\n\n",
    faults=_LC3TOOLS_FAULTS,
    costs=RoutineCosts(getc=5, out=9, puts=13, putsp=19),
)

_ALL = (
    Profile("default"),
    _LC3TOOLS,
    replace(_LC3TOOLS, name="lc3tools-ignore-privilege", protects=False),
    Profile(
        "classic",
        keeps_r7=False,
        lea_sets_condition=True,
        newline_for_return=False,
        maps_psr=False,
        farewell=b"\n\n--- halting the LC-3 ---\n\n",
        faults=MappingProxyType({StopKind.UNDEFINED_TRAP: b"\n\n--- undefined trap executed ---\n\n"}),
        costs=RoutineCosts(getc=5, out=7, puts=11, putsp=13),
    ),
)

PROFILES: Mapping[str, Profile] = MappingProxyType({profile.name: profile for profile in _ALL})
