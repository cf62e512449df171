"""The editions of the MIPS machine that courses teach: what differs between them, in one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from grader.machines.mips import kinds


@dataclass(frozen=True, slots=True)
class Profile:
    """One edition of the machine.

    ``argument`` is the program's name where it gets one: ``$a0`` holds 1, and ``$a1`` where its address stands.
    ``return_address`` is what ``$ra`` holds at the start. ``stack`` are the addresses of the stack.
    ``data_bytes`` is the size of the data segment; where ``heap_extends_data`` it grows with system call 9, else the
    heap lies in it. ``delayed``: the instruction after a branch runs before it takes effect. ``reads_text`` and
    ``writes_text``: loads from and stores into text are allowed; what is stored runs. ``ignores_exceptions``: without a
    handler of the program's own, an exception prints a line and the program goes on after it. ``speaks_c``: numbers
    are printed and read as C does it, and strings as ``read`` does it; else as Java. ``widens``: a character from 0x80
    on is printed as UTF-8. ``key_by_key``: system call 12 takes one key; else the first of a line.
    ``keeps_least_quotient``: -2³¹ / -1, and divu of the same words, leave HI and LO alone. ``negative_nan``: the sign of the NaN that arithmetic
    makes. ``last_service`` is the greatest number of a system call.
    """

    name: str
    stack: range = range(kinds.STACK, kinds.STACK + kinds.STACK_BYTES - 3)
    stack_pointer: int = 0x7FFF_EFFC
    return_address: int = 0
    argument: bytes = b""
    data_bytes: int = kinds.DATA_BYTES
    heap_extends_data: bool = False
    delayed: bool = False
    reads_text: bool = False
    writes_text: bool = False
    ignores_exceptions: bool = False
    speaks_c: bool = False
    widens: bool = True
    key_by_key: bool = True
    keeps_least_quotient: bool = False
    negative_nan: bool = False
    last_service: int = 59


_ALL = (
    Profile("mars"),
    Profile(
        "spim",
        stack=range(0x7FFC_0000, 0x8000_0000),
        return_address=0x0040_0018,
        argument=b"program.s",
        data_bytes=0x0002_0000,
        heap_extends_data=True,
        reads_text=True,
        writes_text=True,
        ignores_exceptions=True,
        speaks_c=True,
        widens=False,
        keeps_least_quotient=True,
        negative_nan=True,
        last_service=17,
    ),
)

PROFILES: Mapping[str, Profile] = MappingProxyType({profile.name: profile for profile in _ALL})
