"""One routine of a simulated program, called by itself: arguments in, memory laid out, and what it leaves behind.

Each call begins with a fresh machine. Registers and memory that the case does not set hold random values, drawn by a seed. The
routine returns to an address that no program has. If it gets there it has returned; if it stops elsewhere it has not.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from types import MappingProxyType
from typing import NamedTuple

from grader.errors import JudgeError
from grader.machines.families import Family, Start
from grader.machines.image import Content, Image
from grader.machines.memory import noise
from grader.machines.stop import Stop, StopKind
from grader.sessions.laying import Memory, MissingLabelError, abode, register_number, written_address
from grader.spec.things import Nodes, Odd, Space, Text, Thing, shown
from grader.values import dataclass

REGISTERS, LC3_FRAME, O32 = "registers", "lc3-frame", "o32"
"""The conventions, by the names that specs have for them."""

_IN_REGISTERS = 4
"""Number of arguments that o32 passes in registers."""

_GUARD = 16
"""Words behind all blocks in narrow room; where a call has changed one, its stack has reached them."""

_BESIDE = 64
"""Words behind all blocks that are looked at where nothing may be written elsewhere."""

_DRAWN, _NOISE = 26, 26 * 512
"""Words of noise that each call takes, and words that are made at once."""


class Call(NamedTuple):
    """The setup of one call.

    ``arguments`` are things by register, or by their numbers from ``1`` where the convention has an order. ``given`` lies in
    memory, by label or ``@name``. ``typed`` is typed meanwhile. ``number`` tells calls apart whose noise is to differ.
    """

    routine: str
    arguments: Mapping[str, Thing] = MappingProxyType({})
    given: Mapping[str, Thing] = MappingProxyType({})
    typed: str = ""
    number: int = 0

    @property
    def told(self) -> str:
        """The call as people write it: ``GCD(12, 18)``, with what lies in memory and is typed."""
        passed = ", ".join(map(shown, self.arguments.values()))
        lies = ", ".join(f"{name} = {shown(thing)}" for name, thing in self.given.items())
        typed = f"{shown(Text(self.typed))} typed" if self.typed else ""
        more = " and ".join(filter(None, (lies, typed)))
        return f"{self.routine}({passed})" + (f" with {more}" if more else "")


@dataclass(frozen=True, slots=True)
class CallSetup:
    """How calls are made: by a ``convention``, which is the usual one of the machine where it is empty, and with noise by a ``seed``.

    ``watched`` are routines whose calls are told, each with things that its arguments are compared with: by register, or in order.
    ``guards`` says that memory beside what is given is looked at.
    """

    convention: str = ""
    seed: int = 0
    guards: bool = False
    watched: Mapping[str, Sequence[Mapping[str, Thing]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Prepared:
    """How a machine stands at a call: the registers, what was stored where, in order, and labels that are meant by words."""

    registers: tuple[int, ...]
    stored: tuple[tuple[int, tuple[int, ...]], ...]
    labels: Mapping[int, str]


class Outcome(NamedTuple):
    """The result of one call. Memory is read while the machine is as the call has left it.

    ``before`` and ``after`` are the registers. ``cramped`` says that the stack came to the end of narrow room. ``moved`` is by how much the stack pointer is off at the return. ``heard`` tells for each routine that is
    watched, call by call, which of the arguments that were asked for it was called with.
    """

    stop: Stop
    returned: bool
    instructions: int
    before: tuple[int, ...]
    after: tuple[int, ...]
    moved: int
    output: bytes
    unread: int
    heard: Mapping[str, Sequence[tuple[bool, ...]]] = MappingProxyType({})
    cramped: bool = False


class Stray(NamedTuple):
    """A cell that a call has changed and should not have. ``within`` tells a place in a thing from one behind it. An argument points to the thing, or it has a label."""

    address: int
    pointer: str
    label: str
    within: bool


class Caller(Memory):
    """Calls one routine of a program again and again, under one profile.

    Raises MissingLabelError if the program does not have the routine, NoRoomError where it fills all memory.
    """

    def __init__(self, family: Family, image: Image, start: Start, routine: str, setup: CallSetup) -> None:
        self.convention = setup.convention or (family.traits.conventions[0])
        self.seed = seed = setup.seed
        self._memory_seed = None if family.traits.zeroed else seed  # its users count on zeros, but in the stack
        machine = family.machine(image, replace(start, called=True, bare=True, seed=self._memory_seed))
        super().__init__(family, image, machine, abode(family, image, protects=machine.protects))
        self._watched, self._guards = setup.watched, setup.guards
        self._beside: dict[int, int] = {}
        self._at = {self.label(name): name for name in self._watched}
        self.address = self.label(routine)
        # If a variable has this name, the program lacks the routine.
        origin = image.origins.get(self.address)
        # At an address there may be nothing at all.
        if origin.content is Content.DATA if origin is not None else written_address(routine) is not None:
            raise MissingLabelError(routine)
        self._heard: dict[str, list[tuple[bool, ...]]] = {}
        self._numbers: dict[str, int] = {}
        self._places: dict[str, int] = {}
        # Patt and Patel’s routines leave the result on the stack, where the caller takes it off.
        self._result_below = self.abode.cells if self.convention == LC3_FRAME else 0
        self._noise = noise(seed + 1, _NOISE, "I" if family.traits.bits == 32 else "H")
        # A program that reads what it never wrote to its stack is right by chance with zeros.
        self._stack_noise = noise(seed, 512, "I") if family.traits.zeroed else array("I")
        self.result = family.traits.result

    def is_usual(self, register: str) -> bool:
        """Whether a register is that of the usual result."""
        return self.convention != LC3_FRAME and bool(register) and self._register(register) == self.result

    def prepare(self, call: Call) -> None:
        """Let the machine stand at the routine, with all that the call is given. Raises MissingLabelError, JudgeError."""
        machine = self.machine
        self._room = self._first_room
        self._laid.clear()
        machine.reset(self._memory_seed)
        if self._stack_noise:
            machine.spoil(self.abode.stack - 4 * 448, self._stack_noise)
            if self._guards:  # a zero that is stored over a zero would not be seen
                machine.spoil(self.abode.blocks.start, self._stack_noise)
        if call.given or self._blocks:
            self.lay_out(call.given)
        self._passed = {name: self.word(thing) & self._mask for name, thing in call.arguments.items()}
        # Noise is drawn once: to draw it for each call took most of its time.
        drawn = call.number * _DRAWN % _NOISE
        self._stack = self.abode.stack
        machine.enter(self.address, self.abode.back, self._noise[drawn : drawn + _DRAWN], self._arranged())
        self._before = machine.registers
        self._beside = self._neighbours() if self._guards else {}
        self._guard = machine.cells(self._room, _GUARD) if self.abode.narrow else ()
        if self._watched:
            self._heard = {name: [] for name in self._watched}
            machine.hear_calls(self._hear)
        if call.typed:
            machine.feed(call.typed.encode("latin-1", "replace"))
        # A routine that asks for more than is typed would wait for ever.
        machine.close_input()

    def prepared(self, call: Call) -> Prepared:
        """How the machine stands at a call, which is prepared. Raises MissingLabelError, JudgeError."""
        stored: list[tuple[int, tuple[int, ...]]] = []
        self._stored, self._meant = stored, {}
        self.prepare(call)
        self._stored = None
        meant = self._meant | {self.label(name): name for name in call.given if not name.startswith("@")}
        return Prepared(self._before, tuple(stored), meant)

    def call(self, call: Call) -> Outcome:
        """Call the routine. Raises MissingLabelError, JudgeError."""
        self.prepare(call)
        return self.outcome(self.machine.run())

    def outcome(self, stop: Stop) -> Outcome:
        """The result of the prepared call, with the stop that it ran to."""
        machine, stack = self.machine, self.family.stack
        before, after = self._before, machine.registers
        moved = after[stack] - before[stack] + self._result_below
        returned, output = stop.kind is StopKind.RETURNED, machine.take_output()
        cramped = self.abode.narrow and machine.cells(self._room, _GUARD) != self._guard
        counted, unread = stop.instructions, machine.unread
        return Outcome(stop, returned, counted, before, after, moved, output, unread, self._heard, cramped)

    # ------------------------------------------------------------------------------------------------------ laying out

    def _arranged(self) -> dict[int, int]:
        """The registers as the convention has them for the arguments; what goes on the stack is put there."""
        if self.convention == REGISTERS:
            placed = {self._register(name): word for name, word in self._passed.items()}
            # A lab of stacks may pass the stack pointer itself.
            return placed if self.family.stack in placed else placed | {self.family.stack: self._stack}
        stack, cells = self._stack, self.abode.cells
        if self.convention == O32:
            registers = {self.family.stack: stack}
            for name, word in self._passed.items():
                place = self._place(name)
                if place >= 0:
                    registers[place] = word
                else:
                    # o32 keeps sixteen bytes free for the four arguments that are in registers.
                    self._store(stack + 16 - cells * (place + 1), word)
            return registers
        words = list(self._passed.values())
        stack -= cells * len(words)
        for at, word in enumerate(words):
            self._store(stack + cells * at, word)
        return {self.family.stack: stack}

    def _place(self, name: str) -> int:
        """The place of an argument under o32: the number of its register, or its place on the stack, as -1, -2 and so on."""
        place = self._places.get(name)
        if place is None:
            behind = name.isdecimal() and int(name) > _IN_REGISTERS
            place = self._places[name] = _IN_REGISTERS - int(name) if behind else self._register(name)
        return place

    def _register(self, name: str) -> int:
        """The number of a register; those that are counted are the first that the convention would pass them in."""
        number = self._numbers.get(name)
        if number is None and name.isdecimal():
            number = self.family.traits.first + int(name) - 1
        if number is None:
            number = register_number(self.family, name)
        if number is None:
            raise JudgeError(f"there is no register {name}")
        self._numbers[name] = number
        return number

    # ------------------------------------------------------------------------------------------------------ reading back

    def returned(self, outcome: Outcome, name: str, like: Thing) -> Thing | Odd:
        """The result in a register, or in the usual place if no name is given, read as the expected kind."""
        if name:
            return self.found(outcome.after[self._register(name)], like)
        if self.convention == LC3_FRAME:
            return self.found(self._load(outcome.after[self.family.stack]), like)
        return self.found(outcome.after[self.result], like)

    def _neighbours(self) -> dict[int, int]:
        """The words where a routine may write that goes too far: in the room of blocks, and in statements at whose labels things lie."""
        start = self.abode.blocks.start
        # In narrow room the stack begins right behind the blocks, and `cramped` tells of it.
        beside = 0 if self.abode.narrow else _BESIDE * self.abode.cells
        stretches = [range(start, self._room + beside)]
        own = [laid.start for laid, _ in self._laid if laid.start in self.image.origins]
        for at in own:
            end = at
            while (origin := self.image.origins.get(end)) is not None and origin.span == self.image.origins[at].span:
                end += self.abode.cells
            stretches.append(range(at, end))
        cells = ((stretch.start, self.machine.cells(stretch.start, len(stretch))) for stretch in stretches)
        return {at: cell for first, cells_there in cells for at, cell in enumerate(cells_there, first)}

    def strays(self, leaves: Mapping[str, Thing]) -> tuple[Stray, ...]:
        """The cells that the last call has changed and that nobody asks it to change, the lowest first. Raises MissingLabelError."""
        if not self._guards:
            return ()
        expected = [(self.place(name), thing) for name, thing in leaves.items()]
        free = {cell for at, thing in expected for cell in range(at, at + self._size(thing))}
        # Nodes are linked anew by a routine that sorts them, and room is there to be filled.
        free |= {cell for laid, thing in self._laid if isinstance(thing, Nodes | Space) for cell in laid}
        now = self._neighbours()
        changed = sorted(at for at, cell in self._beside.items() if now.get(at, cell) != cell and at not in free)
        return tuple(self._stray(at) for at in changed)

    def _stray(self, at: int) -> Stray:
        """A cell with the thing that it belongs to, or lies behind: by the argument that points there, or by its label."""
        near = max((laid for laid, _ in self._laid if laid.start <= at), key=lambda laid: laid.start, default=range(0))
        named = {address: name for name, address in self._passed.items()}
        known = {address: name for name, address in self._blocks.items()}
        pointer = named.get(near.start, "")
        label = known.get(near.start) or self.image.label_at(near.start) or ""
        return Stray(at, pointer, label, within=at in near)

    # ------------------------------------------------------------------------------------------------------ calls within

    def _hear(self, address: int) -> None:
        """A routine is about to be called."""
        name = self._at.get(address)
        if name is not None:
            self._heard[name].append(tuple(self._called_with(wanted) for wanted in self._watched[name]))

    def _called_with(self, wanted: Mapping[str, Thing]) -> bool:
        registers = self.machine.registers
        stack, cells = registers[self.family.stack], self.abode.cells
        for number, (name, thing) in enumerate(wanted.items()):
            if self.convention == LC3_FRAME:
                word = self._load(stack + cells * number)
            elif self.convention == O32 and self._place(name) < 0:
                word = self._load(stack + 16 + cells * (-self._place(name) - 1))
            else:
                word = registers[self._register(name)]
            if self.found(word, thing) != self.settled(thing):
                return False
        return True
