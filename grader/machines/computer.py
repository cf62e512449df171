"""The common part of both machines: run until the program waits or ends, take its output, type, and keep records.

A subclass owns the memory and the ``_core`` that executes, and says how its stops and steps are described.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from grader.errors import JudgeError
from grader.machines import reasons
from grader.machines.image import Image
from grader.machines.observe import Observations, observations
from grader.machines.records import NO_EXPERIMENT, Experiment, Records
from grader.machines.stop import LAST_STEPS, Step, Stop, StopKind


class Computer(ABC):
    """A simulated computer with a program in it: all that is asked of a machine of any family."""

    NAMES: ClassVar[tuple[str, ...]]
    """The general registers by number."""
    KEPT: ClassVar[tuple[int, ...]]
    """The numbers of those that a subroutine is to keep."""
    STACK: ClassVar[int]
    """The number of the stack pointer."""
    WORD: ClassVar[int]
    """A word of ones."""
    STEPS: ClassVar[int] = LAST_STEPS
    """The number of last steps that explain a stop."""

    image: Image
    budget: int
    observe: bool
    _registers: array[int]
    _core: Any  # the loop of a family, which is compiled
    _stopped: bool  # whether the core has run, and nothing was typed since
    _stop: Stop | None  # where it was described
    _records: Records

    # ------------------------------------------------------------------------------------------- what a family says of itself

    @abstractmethod
    def reset(self, seed: int | None = None, experiment: Experiment = NO_EXPERIMENT) -> None:
        """Begin anew, as a machine just made with this ``seed`` would; buffers are used again.

        Only a machine that keeps records restores what an ``experiment`` names.
        """

    @abstractmethod
    def fork(self) -> Computer:
        """An independent copy of this moment, records included."""

    @abstractmethod
    def enter(self, address: int, back: int, noise: array[int], values: Mapping[int, int]) -> None:
        """Stand at a routine as if it had been called, from where nothing lies: to return to ``back`` ends the run.

        Registers hold ``noise``, and some of them ``values``, which alone count as set.
        """

    def set_registers(self, values: Mapping[int, int]) -> None:
        """Put values into registers, which count as set by that."""
        for number, value in values.items():
            self._registers[number] = value & self.WORD

    @abstractmethod
    def store(self, address: int, cells: Sequence[int]) -> None:
        """Put words or bytes, as the memory has them, from ``address`` on, as a program would that stores them."""

    @abstractmethod
    def cells(self, address: int, count: int) -> Sequence[int]:
        """``count`` words or bytes from ``address`` on; fewer at the end of memory."""

    def spoil(self, start: int, words: array[int]) -> None:  # noqa: B027  memory that a seed fills needs no more
        """Put words into memory of zeros that count as nothing anybody has set."""

    @abstractmethod
    def read(self, address: int) -> int:
        """The word at an address; device registers are not asked."""

    def written_pages(self) -> Mapping[int, bytes]:
        """The pages of memory that differ from blank ones, or may, by number; none where nobody notes them."""
        return {}

    @property
    def exit_code(self) -> int | None:
        """The exit code of the program, on a machine whose programs have one."""
        return None

    @property
    def files(self) -> Mapping[str, bytes]:
        """The files of the program's folder as they are now; none on a machine without one."""
        return {}

    @property
    def protects(self) -> bool:
        """Whether a program may touch only the memory of users."""
        return True

    @property
    def wants(self) -> str:
        """The kind of input that a waiting program asks for: ``key``, ``line``, ``integer``, another number, or nothing."""
        return "key"

    @property
    @abstractmethod
    def pc(self) -> int:
        """The address of the instruction that would run next; after an end, that of the last instruction."""

    @property
    def registers(self) -> tuple[int, ...]:
        """The general registers, that of return addresses last; words without a sign."""
        return tuple(self._registers[: len(self.NAMES)])

    @property
    def named_registers(self) -> Mapping[str, int]:
        """All registers that a trace shows, by name."""
        return dict(zip(self.NAMES, self.registers, strict=True))

    @property
    @abstractmethod
    def instructions(self) -> int:
        """Instructions executed since the start."""

    @property
    @abstractmethod
    def _returned(self) -> int | None:
        """The address that a routine which was entered has returned to; None before."""

    @abstractmethod
    def _stop_for(self, last: tuple[Step, ...]) -> Stop:
        """The stop that the core has come to by these last steps."""

    @abstractmethod
    def _executed(self) -> frozenset[int]:
        """The addresses of the instructions that ran, as the loop marked them."""

    @abstractmethod
    def _trail(self, count: int) -> Iterable[tuple[int, int]]:
        """Addresses and words of the last executed instructions, oldest first."""

    @abstractmethod
    def _disassembled(self, word: int, address: int) -> str:
        """The word as assembly text."""

    # ------------------------------------------------------------------------------------------------------- running

    def run(self) -> Stop:
        """Run to the next wait for input or to the end; without anything new typed, the same stop again."""
        self.waits()
        if self._stop is None:
            self._stop = self._describe()
        return self._stop

    def waits(self) -> bool:
        """Run as ``run`` does: True if the program waits for input then. Only a few of thousands of waits are looked at."""
        if not self._stopped:
            self._core.run()
            self._stopped = True
            if self._core.reason != reasons.WAITS:
                self._stop = self._describe()
        return bool(self._core.reason == reasons.WAITS)

    def step(self) -> Stop | None:
        """Run one instruction: None when the program goes on after it, else the stop that ``run`` would return."""
        return self._run_until(self._used + 1)

    def run_to(self, instructions: int) -> Stop | None:
        """Run until ``instructions`` were executed in all, when a key will come: None there, else the stop before it.

        To look for the key in vain until then is no wait.
        """
        stop = None
        # Else a program that polls the keyboard would wait at its second look, before the key has come.
        self._core.timed = True
        while stop is None and self.instructions < instructions:  # a system call uses up more than an instruction
            stop = self._run_until(self._used + instructions - self.instructions)
        self._core.timed = False
        return stop

    def _run_until(self, used: int) -> Stop | None:
        """Run until so much of the budget is used up: None there, else the stop before it."""
        self._core.budget, self._core.stepping = min(self.budget, used), True
        stop = self.run()
        self._core.budget, self._core.stepping = self.budget, False
        if stop.kind is StopKind.BUDGET and self._used < self.budget:
            self._stop, self._stopped = None, False
            return None
        return stop

    @property
    def _used(self) -> int:
        """The used part of the budget, in instructions."""
        return self.instructions

    def _describe(self) -> Stop:
        """The stop that the core has come to."""
        back = self._returned
        if back is not None:
            return Stop(StopKind.RETURNED, back, self.instructions, "the routine returned")
        # After a wait or an exit the last steps would explain nothing, and they cost most of a stop.
        plain = self._core.reason in (reasons.WAITS, reasons.HALTED)
        return self._stop_for(() if plain else self.last(self.STEPS))

    def take_output(self) -> bytes:
        """The bytes that the program printed since the last call."""
        printed: bytes = self._core.take_output()
        return printed

    def feed(self, data: bytes) -> None:
        """Type ``data``, after what was typed before."""
        self._core.feed(data)
        self._go_on()

    def close_input(self) -> None:
        """Nothing more will be typed: from now on, to ask for a key ends the run."""
        self._core.close_input()
        self._go_on()

    def _go_on(self) -> None:
        # Input after an end changes nothing: sessions type whole answers, and a program may end within one.
        if self._stopped and self._core.reason == reasons.WAITS:
            self._stop, self._stopped = None, False

    @property
    def unread(self) -> int:
        """The number of typed keys that the program has not read."""
        return int(self._core.unread())

    def _record(self, marks: Any, records: Records) -> None:
        """Keep these records from now on; ``marks`` are what the loop marks by itself."""
        self._marks, self._records = marks, records
        self._core.observe(records, marks, records.followed)

    def hear_calls(self, heard: Callable[[int], None]) -> None:
        """Tell of each call from now on, by the address of the routine; of a machine that keeps records."""
        self._records.heard = heard

    @property
    def observations(self) -> Observations:
        """The records so far; JudgeError when the machine was made without ``observe``."""
        if not self.observe:
            raise JudgeError("this machine keeps no records", hint="make it with observe=True")
        return observations(self._records, self._executed(), self.image, self.instructions)

    def last(self, count: int = LAST_STEPS) -> tuple[Step, ...]:
        """The last executed instructions, oldest first, at most ``RECENT`` of the loop."""
        place = self.image.span_at
        return tuple(Step(at, word, self._disassembled(word, at), place(at)) for at, word in self._trail(count))
