"""The editions of the MIPS machine that courses teach: what differs between them, in one table."""

from __future__ import annotations

from collections.abc import Container, Mapping
from types import MappingProxyType

from grader.machines.mips import kinds
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Profile:
    """One edition of the machine.

    The start:

    - ``argument``: the program's name if it gets one. Then ``$a0`` holds 1, and ``$a1`` points to the name's address.
    - ``return_address``, ``frame_pointer``, ``status``: the values of ``$ra``, ``$fp`` and the status register.

    Memory:

    - ``stack``: the addresses of the stack.
    - ``data_bytes``: the size of the data segment in bytes.
    - ``heap_extends_data``: the segment grows with system call 9, up to ``heap_limit`` bytes in steps of ``heap_step``;
      otherwise the heap lies in it.
    - ``touches_kernel``: a program may load from and store into kernel data and device registers.
    - ``reads_text``, ``writes_text``: loads from and stores into text are allowed; stored instructions run.

    Instructions:

    - ``delayed``: the instruction after a branch runs before the branch takes effect.
    - ``keeps_least_quotient``: -2³¹ / -1, and divu of the same words, leave HI and LO alone.
    - ``refuses_zero``: a division by zero is an exception.
    - ``refuses_unset``: reading a register, or a byte of a string, that nothing has set is an exception. Loads and stores
      only copy it.
    - ``ignores_traps``: ``break`` and traps do nothing.
    - ``negative_nan``: the sign of the NaN that arithmetic makes.

    Endings and exceptions:

    - ``ignores_exceptions``: without a handler of the program, an exception prints a line and the program goes on after it.
    - ``exits_with_result``: the return from main ends the program with ``$v0`` as its exit code.
    - ``must_exit``: running past the last instruction is an error.
    - ``keyboard_bit``, ``display_bit``: the bits of the cause register for an interrupt.
    - ``masks_interrupts``: the same bits of the status register let interrupts through, and a display whose interrupts are
      switched on makes one at once.

    System calls:

    - ``services``: their numbers.
    - ``speaks_c``: numbers are printed and read as by C, and strings as by ``read``; otherwise as by Java.
    - ``widens``: a character from 0x80 on is printed as UTF-8.
    - ``plain_strings``: strings are printed as their bytes, even if ``widens``.
    - ``key_by_key``: system call 12 takes one key; otherwise the first of a line.
    - ``asks_again``: system calls 5 and 12 take a word between blanks. They print a complaint at one that they cannot read, and
      give 0 at the end of input. System call 8 loses the part of a line that does not fit.
    """

    name: str
    stack: range = range(kinds.STACK, kinds.STACK + kinds.STACK_BYTES - 3)
    stack_pointer: int = 0x7FFF_EFFC
    return_address: int = 0
    frame_pointer: int = 0
    argument: bytes = b""
    data_bytes: int = kinds.DATA_BYTES
    heap_extends_data: bool = False
    heap_limit: int = 1_000 * 1024
    heap_step: int = 8
    touches_kernel: bool = True
    delayed: bool = False
    reads_text: bool = False
    writes_text: bool = False
    ignores_exceptions: bool = False
    speaks_c: bool = False
    widens: bool = True
    plain_strings: bool = False
    asks_again: bool = False
    key_by_key: bool = True
    keeps_least_quotient: bool = False
    refuses_zero: bool = False
    refuses_unset: bool = False
    ignores_traps: bool = False
    exits_with_result: bool = False
    must_exit: bool = False
    negative_nan: bool = False
    services: Container[int] = range(1, 60)
    status: int = 0x0000_FF11
    keyboard_bit: int = 0x100
    display_bit: int = 0x200
    masks_interrupts: bool = False


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
        services=range(1, 18),
        status=0x3000_FF10,
        keyboard_bit=0x800,
        display_bit=0x400,
        masks_interrupts=True,
    ),
    Profile(
        "mipsy",
        stack=range(0x7FFF_0000, 0x8000_0000),
        stack_pointer=0x7FFF_FFFC,
        return_address=0x8000_000C,
        frame_pointer=0x7FFF_FFFC,
        data_bytes=kinds.HEAP - kinds.DATA,
        heap_extends_data=True,
        heap_limit=kinds.DATA_BYTES,
        heap_step=1,
        touches_kernel=False,
        reads_text=True,
        writes_text=True,
        plain_strings=True,
        asks_again=True,
        key_by_key=False,
        refuses_zero=True,
        refuses_unset=True,
        ignores_traps=True,
        exits_with_result=True,
        must_exit=True,
        services=frozenset({1, 4, 5, 8, 9, 10, 11, 12, 17}),
    ),
)

PROFILES: Mapping[str, Profile] = MappingProxyType({profile.name: profile for profile in _ALL})
