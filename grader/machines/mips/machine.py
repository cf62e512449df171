"""The MIPS machine as a machine that talks: run until it waits for input or ends, take what it printed, type, fork, reset.

``loop`` executes, ``services`` are the system calls, ``load`` makes the memory at the start, and ``endings`` words a
stop. This module owns the buffers and joins these parts. Nothing that a program does raises an exception here.

Memory is one anonymous mapping of 9 MiB. The operating system provides only the pages that are touched.
"""

from __future__ import annotations

import mmap
from array import array
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from types import MappingProxyType
from typing import Any

from grader.machines import reasons
from grader.machines.computer import Computer
from grader.machines.image import Image
from grader.machines.mips import kinds, loop
from grader.machines.mips.endings import Scene, stop_for
from grader.machines.mips.isa import REGISTER_NAMES, disassemble
from grader.machines.mips.load import load, place_of
from grader.machines.mips.profiles import Profile
from grader.machines.mips.services import Services
from grader.machines.records import NO_EXPERIMENT, Experiment, records_for
from grader.machines.stop import Step, Stop

_PAGE = kinds.PAGE_WORDS
_FLOAT_BYTES = 4 * 32


def blank_memory() -> memoryview:
    """Words of zeros, in pages that cost nothing until they are touched."""
    return _blank(4 * kinds.WORDS).cast("I")


def _blank(size: int) -> memoryview:
    """Bytes of zero in such pages."""
    pages = mmap.mmap(-1, size)
    # With huge pages one store would cost 2 MiB, and there is a machine for each moment that is explored.
    if hasattr(mmap, "MADV_NOHUGEPAGE"):
        pages.madvise(mmap.MADV_NOHUGEPAGE)
    return memoryview(pages)


_SPREAD = 0x9E37_79B9_7F4A_7C15
"""Neighbouring seeds are spread: the first numbers of java.util.Random from 0, 1, 2 … all have the same sign."""


class Machine(Computer):
    """One MIPS computer with a program in it.

    - ``random_seed``: the seed of generators of system calls 40-44 that the program does not seed. ``seed`` replaces it if
      given; it is the name that all machines share. Memory and registers always start as zeros here.
    - ``budget``: the maximum number of instructions in all. A system call other than printing counts as many.
    - ``output_limit``: the maximum number of printed bytes in all.
    - ``files``: the files that the program finds.
    - ``arguments``: the arguments of main, handed over as by MARS' option ``pa``.
    - ``observe``: keep the records behind ``observations``.
    """

    NAMES = REGISTER_NAMES
    KEPT = (*range(16, 24), kinds.GP, kinds.FP)  # $s0-$s7, $gp, $fp, by the convention of MIPS
    STACK = kinds.SP
    WORD = 0xFFFF_FFFF

    def __init__(  # noqa: PLR0913  (each is a fact about the run that a session sets by name)
        self,
        image: Image,
        profile: Profile,
        *,
        seed: int | None = None,
        budget: int = 50_000_000,
        output_limit: int = 1 << 20,
        observe: bool = False,
        random_seed: int = 0,
        files: Mapping[str, bytes] = MappingProxyType({}),
        arguments: tuple[bytes, ...] = (),
    ) -> None:
        self.image = image
        self.profile = profile
        self.budget = budget
        self.output_limit = output_limit
        self.observe = observe
        self._given_files = files
        self._random_seed = random_seed
        self._loaded = load(image, profile, arguments)
        self._own(array("I", bytes(4 * kinds.REGISTERS)), bytearray(_FLOAT_BYTES))
        self.reset(seed)

    def __del__(self) -> None:
        """Let memory go at once: core and services hold each other, and would wait for the garbage collector."""
        services: Any = getattr(self, "_services", None)  # neither is there where making the machine failed
        if hasattr(services, "core"):
            del services.core

    def _own(self, registers: array[int], floats: bytearray) -> None:
        """Have these buffers and blank memory, and a core and services that work on them."""
        self._registers, self._floats = registers, floats
        self._memory, self._touched = blank_memory(), bytearray(kinds.PAGES)
        self._control = self._control_at_start()
        self._code, self._quick = self._loaded.code, self._loaded.quick
        if self.profile.writes_text:
            self._code, self._quick = self._code[:], self._quick[:]
        self._services = Services(
            self.profile, self._loaded, 0, self._given_files, registers, floats, self._code, self._quick, blank_memory
        )
        self._core = loop.Core(self.profile, self.budget, self.output_limit)
        self._known = _blank(kinds.WORDS) if self.profile.refuses_unset else None
        self._core.attach(self._memory, self._touched, registers, floats, self._control, self._known)
        self._core.load(self._code, self._quick, self._loaded, self._services)
        self._services.core = self._core

    def reset(self, seed: int | None = None, experiment: Experiment = NO_EXPERIMENT) -> None:
        """Begin anew, as a machine just made with this ``seed`` would. Buffers are used again.

        Only a machine that keeps records restores what an ``experiment`` names.
        """
        self._called = False
        # All else is cleared page by page: a program touches a few of 2,320 pages, and is reset for each case of a spec.
        self._services.random_seed = (self._random_seed if seed is None else seed) * _SPREAD
        for page in self._pages():
            self._memory[page * _PAGE : (page + 1) * _PAGE] = _BLANK
            if self._known is not None:
                self._known[page * _PAGE : (page + 1) * _PAGE] = bytes(_PAGE)
        self._touched[:] = bytes(kinds.PAGES)
        for page, words in self._loaded.pages.items():
            self._memory[page * _PAGE : (page + 1) * _PAGE] = memoryview(words)
            self._touched[page] = 1
        if self._known is not None:
            for page, known in self._loaded.known.items():
                self._known[page * _PAGE : (page + 1) * _PAGE] = known
        self._registers[:] = self._loaded.registers
        for register, value in experiment.contents.items():
            self._registers[register] = value
        self._floats[:] = bytes(_FLOAT_BYTES)
        self._control[:] = self._control_at_start()
        if self.profile.writes_text:
            self._code[:], self._quick[:] = self._loaded.code, self._loaded.quick
        self._core.start(self._loaded.entry, self._loaded.data_bytes)
        self._services.start()
        self._stop, self._stopped = None, False
        if self.observe or self.profile.refuses_unset:  # the loop that keeps records also looks for what is unset
            records = records_for(self._registers, self.KEPT, self.STACK, experiment)
            self._record(bytearray(len(self._code)), records)

    def _control_at_start(self) -> array[int]:
        """The address of a fault, status, cause, and where it happened."""
        return array("I", [0, self.profile.status, 0, 0])

    def _pages(self) -> list[int]:
        """The numbers of the pages that differ from blank ones, or may."""
        touched = self._touched.replace(b"\2", b"\1")
        pages, page = [], touched.find(1)
        while page >= 0:
            pages.append(page)
            page = touched.find(1, page + 1)
        return pages

    @property
    def _used(self) -> int:
        """The used part of the budget, in instructions."""
        return int(self._core.steps + self._core.spent)

    @property
    def _returned(self) -> int | None:
        return self.profile.return_address if self._called and self._core.reason == reasons.RETURNED else None

    def _stop_for(self, last: tuple[Step, ...]) -> Stop:
        core = self._core
        scene = Scene(
            reason=core.reason,
            address=core.address_of(core.at),
            fault=core.fault_kind,
            value=core.fault_value,
            failure=self._services.failure,
            wants=kinds.WANTS[core.wanted],
            instructions=self.instructions,
            last=last,
        )
        return stop_for(scene, self.image, self.profile)

    @property
    def wants(self) -> str:
        """The kind of input that the program waits for: ``integer``, ``float``, ``double``, ``line``, ``key``, ``confirmation``, or nothing."""
        waits = self._stopped and self._core.reason in (reasons.WAITS, reasons.INPUT_ENDED)
        return kinds.WANTS[self._core.wanted] if waits else ""

    def fork(self) -> Machine:
        """An independent copy of this moment."""
        twin: Machine = copy(self)
        # Else the destructor of a twin that could not be made would take our own services apart.
        del twin._services  # these are ours, and end with us
        twin._own(self._registers[:], self._floats[:])
        for page in self._pages():
            twin._memory[page * _PAGE : (page + 1) * _PAGE] = self._memory[page * _PAGE : (page + 1) * _PAGE]
            if self._known is not None and twin._known is not None:
                twin._known[page * _PAGE : (page + 1) * _PAGE] = self._known[page * _PAGE : (page + 1) * _PAGE]
        twin._touched[:] = self._touched
        twin._control[:] = self._control
        if self.profile.writes_text:
            twin._code[:], twin._quick[:] = self._code, self._quick
        twin._core.copy_state(self._core)
        twin._services.copy_state(self._services)
        if self.observe or self.profile.refuses_unset:
            twin._record(self._marks[:], self._records.copy(twin._registers))
        return twin

    def enter(self, address: int, back: int, noise: array[int], values: Mapping[int, int]) -> None:
        """Stand at a routine as if it had been called: to return to ``back``, the profile's return address, ends the run.

        Registers hold ``noise``, and some of them ``values``, which alone count as set.
        """
        self._called = True
        # $k0, $k1, $gp and $sp keep what the profile gives them: a routine may count on these.
        self._core.start((address - kinds.TEXT) >> 2, self._loaded.data_bytes)
        self._registers[1:26], self._registers[kinds.FP] = noise[:25], noise[25]
        self.set_registers(values)
        self._registers[kinds.RA] = back

    def set_registers(self, values: Mapping[int, int]) -> None:
        """Put values into registers, which count as set by that."""
        super().set_registers(values)
        for number in values:
            self._core.set_registers |= 1 << number

    def store(self, address: int, cells: Sequence[int]) -> None:
        """Put bytes into memory from ``address`` on, as a program would that stores them."""
        poke = self._core.poke
        for place, byte in enumerate(cells, address):
            poke(place, byte)

    def cells(self, address: int, count: int) -> Sequence[int]:
        """``count`` bytes from ``address`` on; fewer at the end of memory."""
        cells_read: list[int] = []
        # The loop is asked, since the end of data moves with system call 9 under SPIM.
        for place in range(address, address + count):
            byte = self._core.peek(place)
            if byte < 0:
                break
            cells_read.append(byte)
        return cells_read

    def spoil(self, start: int, words: array[int]) -> None:
        """Put words into data or stack that count as nothing that anybody has set; they lie within pages of their own."""
        first = place_of(start) or 0
        self._memory[first : first + len(words)] = memoryview(words)
        for page in range(first // _PAGE, (first + len(words) - 1) // _PAGE + 1):
            self._touched[page] = 1

    @property
    def named_registers(self) -> Mapping[str, int]:
        """The general registers, ``hi``, ``lo`` and ``$f0`` to ``$f31`` by name; the latter as their bits."""
        named = {**super().named_registers, "hi": self._registers[kinds.HI], "lo": self._registers[kinds.LO]}
        return named | {f"$f{number}": bits for number, bits in enumerate(self.floats)}

    @property
    def pc(self) -> int:
        """The address of the instruction that would run next; after an end, that of the last instruction."""
        return int(self._core.address_of(self._core.index))

    @property
    def floats(self) -> tuple[int, ...]:
        """``$f0`` to ``$f31``, as their bits."""
        return tuple(memoryview(self._floats).cast("I"))

    @property
    def exit_code(self) -> int:
        """The exit code: the number given to system call 17, 0…255, or the program's result if the profile says so; otherwise 0."""
        if self._core.reason == reasons.RETURNED and self.profile.exits_with_result:
            return self._registers[kinds.V0] & 0xFF
        return self._services.exit_code

    @property
    def files(self) -> Mapping[str, bytes]:
        """The files of the program's folder as they are now."""
        return MappingProxyType({name: bytes(contents) for name, contents in self._services.files.items()})

    @property
    def instructions(self) -> int:
        """Instructions executed since the start; a system call is one."""
        return int(self._core.steps)

    def _executed(self) -> frozenset[int]:
        """The addresses of the instructions that ran, as the loop marked them."""
        return frozenset(self._core.address_of(index) for index, mark in enumerate(self._marks) if mark)

    def read(self, address: int) -> int:
        """The word that holds the byte at ``address``; 0 if there is no memory. Device registers are not asked."""
        place = place_of(address & 0xFFFF_FFFF)
        return self._services.read_text(address & 0xFFFF_FFFC) if place is None else self._memory[place]

    def written_pages(self) -> Mapping[int, bytes]:
        """The pages of memory that differ from blank ones, or may, by number: what was loaded and what the program has written."""
        return {page: self._memory[page * _PAGE : (page + 1) * _PAGE].tobytes() for page in self._pages()}

    def _trail(self, count: int) -> Iterable[tuple[int, int]]:
        """Addresses and words of the last executed instructions, oldest first."""
        for index in self._core.last(count):
            address = self._core.address_of(index)
            yield address, self._services.read_text(address)

    def _disassembled(self, word: int, address: int) -> str:
        """The word as assembly text."""
        return disassemble(word, address, self.image)


_BLANK = memoryview(bytes(4 * _PAGE)).cast("I")
