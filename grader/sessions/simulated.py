"""Sessions on a simulated machine: an image and limits in, exact events out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from functools import cached_property
from types import MappingProxyType

from grader.machines.computer import Computer
from grader.machines.families import Family, Start
from grader.machines.image import Image
from grader.machines.observe import Observations
from grader.machines.records import NO_EXPERIMENT, Experiment
from grader.machines.stop import Step, Stop, StopKind
from grader.sessions.laying import Labels, Memory, MissingLabelError, register_number, room_of_run
from grader.sessions.routine import Caller, CallSetup
from grader.sessions.session import USUAL, Setup
from grader.spec.model import Limits
from grader.spec.things import Odd, Thing
from grader.transcript import Ending, EndingKind, Transcript
from grader.values import dataclass

# Most stops have the name of their ending; a wait has no ending.
_ENDINGS = {kind: EndingKind[kind.name] for kind in StopKind if kind.name in EndingKind.__members__}
_ENDINGS[StopKind.HALTED] = EndingKind.ENDED


@dataclass(frozen=True, slots=True)
class Evidence:
    """One observed run at its end.

    - ``registers``: the general registers, in the order of their names in ``family``.
    - ``memory``: the words at the places that were asked for, by the names used; None for a label that the program lacks.
    - ``left``: other things that were asked for, each as expected and as it was found; None if a label is missing.
    - ``unread``: the number of keys that were typed and not read.
    """

    family: Family
    transcript: Transcript
    observations: Observations
    registers: tuple[int, ...]
    memory: Mapping[str, int | None]
    left: Mapping[str, tuple[Thing, Thing | Odd | None]] = field(default_factory=dict)
    unread: int = 0


class SimulatedProgram:
    """An assembled program that can be started again and again; the machines behind it are made once and reused.

    Only one session of a program is live at a time: starting the next ends the one before. ``bare`` leaves out what the
    machine itself prints at an end, such as the message of HALT: it is not the student's output. ``entry``, ``files`` and
    ``random_seed`` are those of ``Start``.
    """

    def __init__(
        self,
        family: Family,
        image: Image,
        limits: Limits,
        *,
        bare: bool = False,
        entry: str = "",
        files: Mapping[str, bytes] = MappingProxyType({}),
        random_seed: int = 0,
    ) -> None:
        self.family = family
        self.image = image
        self._usual = Start(
            "", limits.instructions, limits.output, bare=bare, entry=entry, files=files, random_seed=random_seed
        )
        self._machines: dict[tuple[str, bool], Computer] = {}

    def start(
        self,
        profile: str,
        *,
        seed: int | None = None,
        setup: Setup = USUAL,
        observe: bool = False,
        experiment: Experiment = NO_EXPERIMENT,
    ) -> SimulatedSession:
        """A session at the first instruction.

        ``seed`` makes the random contents of the machine: registers and untouched memory of an LC-3, or the generators of a
        MIPS program. None fills memory with zeros, and seeds the generators with ``random_seed``. An ``experiment`` is for an
        observed session. A machine with arguments or a folder of its own is made anew. Raises MissingLabelError and
        NoRoomError if the setup cannot be placed.
        """
        start = replace(self._usual, profile=profile, seed=seed, observe=observe)
        if setup.has_folder:
            arguments = tuple(word.encode("utf-8", "surrogateescape") for word in setup.arguments)
            # Files and arguments are the machine’s from its making on, and most runs have neither.
            given = replace(start, files={**start.files, **setup.files}, arguments=arguments)
            return SimulatedSession(self.family, self.family.machine(self.image, given), setup)
        machine = self._machines.get((profile, observe))
        if machine is None:
            machine = self._machines[profile, observe] = self.family.machine(self.image, start)
        machine.reset(seed, experiment)
        return SimulatedSession(self.family, machine, setup)

    def caller(self, profile: str, routine: str, setup: CallSetup, *, budget: int = 0, observe: bool = False) -> Caller:
        """A caller of routines of the program, with ``budget`` instructions for each call. Raises MissingLabelError."""
        budget, observe = budget or self._usual.budget, observe or bool(setup.watched)
        start = replace(self._usual, profile=profile, budget=budget, observe=observe)
        return Caller(self.family, self.image, start, routine, setup)


class SimulatedSession:
    """One run on a simulated machine, which begins with all that is set up."""

    how_waits = "exact"  # a machine stops where it asks for input

    def __init__(self, family: Family, machine: Computer, setup: Setup = USUAL) -> None:
        self.family = family
        self.machine = machine
        self._wanted = setup.wanted
        self._timed = sorted(setup.keys.items())
        if setup.given:
            numbers = {name: register_number(family, name) for name in setup.given}
            self.memory.lay_out({name: thing for name, thing in setup.given.items() if numbers[name] is None})
            self.memory.set_registers({at: setup.given[name] for name, at in numbers.items() if at is not None})

    def advance(self) -> Ending | None:
        """Run until the program waits for input (None) or has ended."""
        stop = None
        while self._timed and (stop is None or not stop.final):
            at, typed = self._timed[0]
            stop = self.machine.run_to(at)
            # Before its time a key comes only to a program that waits for it.
            if stop is None or not stop.final:
                self.send(typed)
                del self._timed[0]
        if self.machine.waits():
            return None
        # Only the system call 17 of MIPS gives one.
        return replace(as_ending(self.machine.run(), self.family), code=self.machine.exit_code)

    @property
    def left(self) -> Mapping[str, bytes | None]:
        """The files that were wanted, as they are now."""
        return {name: self.machine.files.get(name) for name in self._wanted}

    def trace(self, show: Callable[[str], None]) -> Ending | None:
        """``advance``, showing each instruction in words after it was executed, with the registers that it changed."""
        while True:
            before, registers = self.machine.instructions, self.machine.named_registers
            stop = self.machine.step()
            if self.machine.instructions > before:
                now = self.machine.named_registers
                changed = [f"{name} = {self.family.address(now[name])}" for name in now if now[name] != registers[name]]
                step = show_step(self.machine.last(1)[0], self.family)
                show(f"{step}   {', '.join(changed)}" if changed else step)
            if stop is not None:
                return as_ending(stop, self.family) if stop.final else None

    def take_output(self) -> bytes:
        """The output since the last call."""
        return self.machine.take_output()

    def send(self, text: str) -> None:
        """Type ``text``; each key is one byte, and what is no Latin-1 character goes in as UTF-8."""
        self.machine.feed(as_keys(text))

    def type_bytes(self, keys: bytes) -> None:
        """Type keys as the bytes that a pipe or a terminal sends."""
        self.machine.feed(keys)

    def close_input(self) -> None:
        """Nothing more will be typed: to ask for a key from now on ends the run."""
        self.machine.close_input()

    def fork(self) -> SimulatedSession:
        """An independent session in the same state."""
        fork = SimulatedSession(self.family, self.machine.fork(), Setup(wanted=self._wanted))
        fork._timed = [*self._timed]
        return fork

    @property
    def wants(self) -> str:
        """The kind of input that a waiting program asks for: a ``key``, a ``line``, an ``integer`` or another number."""
        return self.machine.wants

    @property
    def place(self) -> tuple[int, ...]:
        """The address that runs next, and the register of return addresses, which is the last: R7 or ``$ra``."""
        return self.machine.pc, self.machine.registers[-1]

    @property
    def instructions(self) -> int:
        """The number of instructions executed since the start."""
        return self.machine.instructions

    @property
    def pages(self) -> Mapping[int, bytes]:
        """The pages of memory that were written, by number; none for a machine that does not tell."""
        return self.machine.written_pages()

    @cached_property
    def memory(self) -> Memory:
        """The object that puts things into memory and reads them back. Raises JudgeError if there is no room for them."""
        machine = self.machine
        room = room_of_run(self.family, machine.image, protects=machine.protects)
        return Memory(self.family, machine.image, machine, room)

    def evidence(
        self, transcript: Transcript, places: Iterable[str] = (), things: Mapping[str, Thing] = MappingProxyType({})
    ) -> Evidence:
        """The observations of the run: only for a session that was started with ``observe``.

        ``places`` are labels, or addresses such as ``x4000`` and ``0x10010000``, whose words are wanted; ``things`` are what else
        is expected, by place.
        """
        machine, labels = self.machine, Labels(self.machine.image)
        memory = {place: self._word_at(place, labels) for place in places}
        left = {place: self._left(place, thing) for place, thing in things.items()}
        return Evidence(self.family, transcript, machine.observations, machine.registers, memory, left, machine.unread)

    def _word_at(self, place: str, labels: Labels) -> int | None:
        try:
            return self.machine.read(labels.address(place))
        except MissingLabelError:
            return None

    def _left(self, place: str, expected: Thing) -> tuple[Thing, Thing | Odd | None]:
        try:
            return self.memory.settled(expected), self.memory.left(place, expected)
        except MissingLabelError:
            return expected, None


def escaped(text: str) -> str:
    r"""Typed text for a command line: Enter as ``\n``, and a backslash doubled."""
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def unescaped(text: str) -> str:
    """The text that ``escaped`` wrote."""
    return re.sub(r"\\([n\\])", lambda match: "\n" if match[1] == "n" else "\\", text)


def as_keys(text: str) -> bytes:
    """Typed text as the bytes that a keyboard sends."""
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape")


def as_ending(stop: Stop, family: Family) -> Ending:
    """A final stop as the ending that reports show."""
    # MARS ends a program that runs past its last instruction, and says so; an LC-3 executes whatever lies there.
    off_end = stop.kind is StopKind.OFF_END and family.drops_off
    return Ending(
        kind=EndingKind.DROPPED_OFF if off_end else _ENDINGS[stop.kind],
        message=stop.message,
        place=stop.span.place if stop.span else family.address(stop.address),
        excerpt=stop.span.excerpt() if stop.span else "",
        last_steps=tuple(show_step(step, family) for step in stop.last),
    )


def show_step(step: Step, family: Family) -> str:
    """One executed instruction as reports show it: address, instruction, and the source line where there is one."""
    line = f"   ; line {step.span.line}" if step.span else ""
    return f"{family.address(step.address)}  {step.text}{line}"
