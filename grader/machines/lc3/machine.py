"""The LC-3 as a machine that talks: run until it waits for input or ends, take what it printed, type, fork, reset.

``loop`` executes, ``load`` fills memory, ``endings`` words a stop; this module owns the arrays and holds them together.
Nothing that a program does raises an exception here.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from grader.machines import reasons
from grader.machines.computer import Computer
from grader.machines.image import Content, Image
from grader.machines.lc3 import kinds, loop
from grader.machines.lc3.endings import Scene, fault_texts, stop_for
from grader.machines.lc3.isa import disassemble
from grader.machines.lc3.load import WORDS, load
from grader.machines.lc3.profiles import Profile
from grader.machines.records import NO_EXPERIMENT, Experiment, records_for
from grader.machines.stop import Step, Stop

NOWHERE = -1
"""No address: nobody called the program."""

LINK = 7
"""The register of return addresses."""


_EXECUTED = re.compile(rb"[\x01\x03]")
"""Marks of an address that ran, which may be code for the source (2) or not."""
_UNTOUCHED = array("B", bytes(loop.PAGES))


class _Parts(NamedTuple):
    """A core and the arrays on which it works; see ``loop.Core.attach``."""

    core: loop.Core
    memory: array[int]
    kinds: array[int]
    touched: array[int]
    registers: array[int]
    recent: array[int]


class Machine(Computer):
    """One LC-3 with a program in it.

    ``seed`` None starts registers and untouched memory as zeros, a number as noise. ``budget`` bounds the instructions
    of the whole life, ``output_limit`` the bytes printed in it. ``observe`` keeps the records behind ``observations``.
    """

    NAMES = tuple(f"R{number}" for number in range(8))
    KEPT = tuple(range(6))  # R7 is the return address
    STACK = 6
    WORD = 0xFFFF
    STEPS = loop.RECENT  # a jump to nowhere is traced to the load of its register

    def __init__(
        self,
        image: Image,
        profile: Profile,
        *,
        seed: int | None = None,
        budget: int = 50_000_000,
        output_limit: int = 1 << 20,
        observe: bool = False,
    ) -> None:
        self.image = image
        self.profile = profile
        self.budget = budget
        self.output_limit = output_limit
        self.observe = observe
        self._seed = seed
        self._experiment = NO_EXPERIMENT
        self._back = NOWHERE
        self._fault_texts = fault_texts(profile.faults)
        self._loaded = load(image, protects=profile.protects, seed=seed)
        self._spare: list[_Parts] = []  # of ended forks; their untouched pages hold what was loaded
        self._own(self._parts())
        self._begin()

    def _parts(self) -> _Parts:
        """Arrays with what was loaded, and a core that works on them."""
        core = loop.Core(self.profile, self._fault_texts, self.budget, self.output_limit)
        memory, kinds_of, touched = self._loaded.memory[:], self._loaded.kinds[:], array("B", bytes(loop.PAGES))
        parts = _Parts(core, memory, kinds_of, touched, array("H", bytes(16)), array("I", bytes(4 * loop.RECENT)))
        core.attach(*parts[1:])
        return parts

    def _own(self, parts: _Parts) -> None:
        self._owned = parts
        self._core, self._memory, self._kinds, self._touched, self._registers, self._recent = parts

    def __del__(self) -> None:
        """Leave the arrays to the next fork: to have new ones of 200 KB takes longer than all else that a fork does."""
        # Code that looks at records may still look at registers.
        if not self.observe and hasattr(self, "_owned"):
            self._spare.append(self._owned)

    def _begin(self) -> None:
        """Everything as at the start."""
        self._core.take_pages(self._loaded.memory, self._loaded.kinds, _UNTOUCHED)
        self._registers[:] = self._loaded.registers
        for register, value in self._experiment.contents.items():
            self._registers[register] = value
        self._core.start(self.image.entry)
        self._stop, self._stopped = None, False
        if self.observe:
            marks = array("B", bytes(WORDS))
            # Only stores into what the source calls code are patches; a program that fills its own .BLKW is right.
            for address, origin in self.image.origins.items():
                if origin.content is Content.CODE:
                    marks[address] = kinds.CODE
            self._record(marks, records_for(self._registers, self.KEPT, self.STACK, self._experiment))

    @property
    def _returned(self) -> int | None:
        core = self._core
        return self._back if core.reason == reasons.OFF_END and core.at == self._back else None

    def _stop_for(self, last: tuple[Step, ...]) -> Stop:
        core = self._core
        scene = Scene(core.reason, core.at, self.instructions, last, self._memory, self._registers)
        return stop_for(scene, self._loaded, self.image)

    def fork(self) -> Machine:
        """An independent copy of this moment, records included."""
        twin: Machine = Machine.__new__(Machine)
        twin.__dict__.update(
            self.__dict__
        )  # a tenth of what `copy` takes, and ten thousand forks are made of a program
        twin._own(self._spare.pop() if self._spare else self._parts())
        twin._core.copy_state(self._core)
        twin._core.take_pages(self._memory, self._kinds, self._touched)
        twin._registers[:], twin._recent[:] = self._registers, self._recent
        if self.observe:
            twin._record(self._marks[:], self._records.copy(twin._registers))
        return twin

    def reset(self, seed: int | None = None, experiment: Experiment = NO_EXPERIMENT) -> None:
        """Begin anew with this ``seed``, as a machine made with it would; buffers are used again.

        Only a machine that keeps records restores what an ``experiment`` names.
        """
        self._experiment = experiment
        self._back = NOWHERE
        # To load an image takes longer than to copy one, and most resets keep the seed.
        if seed != self._seed:
            self._seed, self._loaded = seed, load(self.image, protects=self.profile.protects, seed=seed)
            self._memory[:], self._kinds[:], self._spare = self._loaded.memory, self._loaded.kinds, []
        self._begin()

    def enter(self, address: int, back: int, noise: array[int], values: Mapping[int, int]) -> None:
        """Stand at a routine as if it had been called from the word before ``back``, where nothing lies: to return ends the run.

        Registers hold ``noise``, and some of them ``values``.
        """
        self._back = back
        self._registers[:] = noise[:8]
        self.set_registers(values)
        self._registers[LINK] = back
        self._core.pc = address

    def store(self, address: int, cells: Sequence[int]) -> None:
        """Put words into memory from ``address`` on, as a program would that stores them."""
        for place, word in enumerate(cells, address):
            # The kind goes with the word, as for a store of the loop: code that a call is given must run.
            self._memory[place % WORDS] = word & 0xFFFF
            self._kinds[place % WORDS] = kinds.CLASSES[word & 0xFFFF]
            self._touched[place % WORDS // loop.PAGE] = 1

    @property
    def protects(self) -> bool:
        """Whether a program may touch only the memory of users, x3000-xFDFF."""
        return self.profile.protects

    def cells(self, address: int, count: int) -> Sequence[int]:
        """``count`` words from ``address`` on; fewer at the end of memory."""
        return self._memory[address : address + count]

    @property
    def pc(self) -> int:
        """The address of the instruction that would run next; after a HALT or a fault, that of the instruction itself."""
        pc: int = self._core.pc
        return pc

    @property
    def condition(self) -> str:
        """The condition code that is set: ``n``, ``z`` or ``p``."""
        value: int = self._core.condition
        return "n" if value & 0x8000 else "p" if value else "z"

    @property
    def instructions(self) -> int:
        """Instructions executed since the start, with what the profile counts for the routines of traps."""
        return int(self._core.steps + self._core.extra)

    def _executed(self) -> frozenset[int]:
        """The addresses of the instructions that ran, as the loop marked them."""
        # One search in C: to look at 65,536 marks from Python took a tenth of the judging of a class.
        return frozenset([match.start() for match in _EXECUTED.finditer(self._marks)])

    def read(self, address: int) -> int:
        """The word in memory at ``address`` (0…xFFFF); device registers are not asked."""
        return self._memory[address % WORDS]

    def _trail(self, count: int) -> Iterable[tuple[int, int]]:
        """Addresses and words of the last executed instructions, oldest first."""
        steps: int = self._core.steps
        for index in range(max(0, steps - min(count, loop.RECENT)), steps):
            packed = self._recent[index % loop.RECENT]
            yield packed >> 16, packed & 0xFFFF

    def _disassembled(self, word: int, address: int) -> str:
        """The word as assembly text."""
        return disassemble(word, address, self.image)
