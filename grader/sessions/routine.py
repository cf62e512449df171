"""One routine of a simulated program, called by itself: arguments in, memory laid out, and what it leaves behind.

Each call begins with a fresh machine: registers and memory that nothing is said of hold noise, which a seed decides, and
the routine returns to an address that no program has. Where it gets there it has returned, wherever else it stops it has not.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from grader.errors import JudgeError
from grader.machines.families import Family, Simulator, Start
from grader.machines.image import Content, Image
from grader.machines.memory import noise
from grader.machines.stop import Stop, StopKind
from grader.spec.things import NEXT, Address, Bytes, Nodes, Odd, Space, Text, Thing, Words, shown

REGISTERS, LC3_FRAME, O32 = "registers", "lc3-frame", "o32"
"""The conventions, by the names that specs have for them."""

_DRAWN, _NOISE = 26, 26 * 512
"""So many words of noise each call takes, of so many that are made."""

_MORE = 16
"""So many characters or nodes more than are expected are looked at, so that a report can show them."""


class MissingLabelError(Exception):
    """A label that is asked for and that the program does not have; the message is its name."""


@dataclass(frozen=True, slots=True)
class Call:
    """What one call is given.

    ``arguments`` are things by register, or by their numbers from ``1`` where the convention has an order. ``given`` lies in
    memory, by label or ``@name``. ``typed`` is typed meanwhile. ``number`` tells calls apart whose noise is to differ.
    """

    routine: str
    arguments: Mapping[str, Thing] = field(default_factory=dict)
    given: Mapping[str, Thing] = field(default_factory=dict)
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


class CallingMachine(Simulator, Protocol):
    """What a machine offers to whoever calls its routines."""

    def enter(self, address: int, back: int, noise: array[int], values: Mapping[int, int]) -> None:
        """Stand at a routine as if it had been called, and end the run where it returns to ``back``."""

    def hear_calls(self, heard: Callable[[int], None]) -> None:
        """Tell of each call by the address of the routine."""

    def store(self, address: int, cells: Sequence[int]) -> None:
        """Put words or bytes into memory."""

    def cells(self, address: int, count: int) -> Sequence[int]:
        """Words or bytes of memory."""

    @property
    def unread(self) -> int:
        """How many keys were typed that nobody has read."""


@dataclass(frozen=True, slots=True)
class Abode:
    """Where a machine has room for what a call is given, and what its words are made of.

    ``cells`` make a word of ``bits`` bits. ``blocks`` is where things are put, ``stack`` what the stack pointer holds at the call, ``back`` where a
    routine returns to; ``link`` and ``stack_register`` are the numbers of registers.
    """

    cells: int
    bits: int
    blocks: range
    stack: int
    back: int


_ROOMS = (0x80, 0xA0, 0x60, 0x50, *range(0x30, 0xCD))
"""Where room on an LC-3 may begin, in pages of 256 words: in the middle of what programs use least."""


def abode(family: Family, image: Image) -> Abode:
    """The room beside a program. Raises JudgeError where it fills the whole machine."""
    if family.language == "mips":
        return Abode(4, 32, range(0x7FFF_8000, 0x7FFF_F000), 0x7FFF_7F00, 0x003F_FFFC)
    used = {
        address >> 8
        for block in image.blocks
        for address in range(block.origin, block.origin + len(block.words) + 256, 256)
    }
    free = set(range(0x30, 0xFD)) - used
    room = next((page for page in _ROOMS if free.issuperset(range(page, page + 48))), None)
    if room is None:
        raise JudgeError("the program leaves no room for what its routines are given")
    return Abode(1, 16, range(room + 16 << 8, room + 47 << 8), (room + 16 << 8) - 64, (room + 47 << 8) + 0x80)


def register_number(family: Family, name: str) -> int | None:
    """The number of a register by its name, in any case, with its sign or without; None where there is none of that name."""
    wanted = name.upper().removeprefix("$")
    for number, known in enumerate(family.registers):
        if known.upper().removeprefix("$") == wanted:
            return number
    if (
        family.language == "mips"
        and wanted.isdecimal()
        and name.startswith("$")
        and int(wanted) < len(family.registers)
    ):
        return int(wanted)
    return None


@dataclass(frozen=True, slots=True)
class Prepared:
    """How a machine stands at a call: the registers, what was stored where, in order, and labels that are meant by words."""

    registers: tuple[int, ...]
    stored: tuple[tuple[int, tuple[int, ...]], ...]
    labels: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one call. What lies in memory is read while the machine is as the call has left it.

    ``before`` and ``after`` are the registers. ``moved`` is by how much the stack pointer is off at the return. ``heard`` tells for each routine that is
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
    heard: Mapping[str, Sequence[tuple[bool, ...]]] = field(default_factory=dict)


class Caller:
    """Calls one routine of a program again and again, under one profile.

    ``watched`` are routines whose calls are told, each with things that its arguments are compared with: by register, or in order.
    Raises MissingLabelError where the program does not have the routine.
    """

    def __init__(
        self,
        family: Family,
        image: Image,
        start: Start,
        routine: str,
        *,
        convention: str = "",
        seed: int = 0,
        watched: Mapping[str, Sequence[Mapping[str, Thing]]] | None = None,
    ) -> None:
        self.family, self.image = family, image
        self.convention = convention or (O32 if family.language == "mips" else REGISTERS)
        self.seed = seed
        self.abode = abode(family, image)
        self._memory_seed = None if family.language == "mips" else seed  # its users count on zeros, but in the stack
        self._symbols = {name.casefold(): address for name, address in reversed(list(image.symbols.items()))}
        self._watched = watched or {}
        self._at = {self.label(name): name for name in self._watched}
        self._mask = (1 << self.abode.bits) - 1
        self._machine: CallingMachine = family.machine(
            image, replace(start, called=True, bare=True, seed=self._memory_seed)
        )  # type: ignore[assignment]
        self.address = self.label(routine)
        origin = image.origins.get(self.address)
        if origin is not None and origin.content is Content.DATA:
            raise MissingLabelError(routine)
        self._heard: dict[str, list[tuple[bool, ...]]] = {}
        self._blocks: dict[str, int] = {}
        self._stored: list[tuple[int, tuple[int, ...]]] | None = None
        self._meant: dict[int, str] = {}
        self._numbers: dict[str, int] = {}
        self._first_room = self.abode.blocks.start + 2 * self.abode.cells
        self._result_below = self.abode.cells if self.convention == LC3_FRAME else 0
        self._noise = noise(seed + 1, _NOISE, "I" if family.language == "mips" else "H")
        self._stack_noise = noise(seed, 512, "I") if family.language == "mips" else array("I")
        self.result = 2 if family.language == "mips" else 0

    @property
    def machine(self) -> CallingMachine:
        """The machine, as the last call has left it."""
        return self._machine

    def is_usual(self, register: str) -> bool:
        """Whether a register is that of the usual result."""
        return self.convention != LC3_FRAME and bool(register) and self._register(register) == self.result

    def label(self, name: str) -> int:
        """The address of a label, in any case. Raises MissingLabelError."""
        address = self.image.symbols.get(name)
        if address is None:
            address = self._symbols.get(name.casefold())
        if address is None:
            raise MissingLabelError(name)
        return address

    def prepare(self, call: Call) -> None:
        """Let the machine stand at the routine, with all that the call is given. Raises MissingLabelError, JudgeError."""
        machine = self._machine
        self._room = self._first_room
        machine.reset(self._memory_seed)
        if self._stack_noise:
            machine.spoil(self.abode.stack - 4 * 448, self._stack_noise)  # type: ignore[attr-defined]
        if call.given or self._blocks:
            self._lay_out(call)
        self._passed = {name: self._word(thing) & self._mask for name, thing in call.arguments.items()}
        drawn = call.number * _DRAWN % _NOISE
        self._stack = self.abode.stack
        machine.enter(self.address, self.abode.back, self._noise[drawn : drawn + _DRAWN], self._arranged())
        self._before = machine.registers
        if self._watched:
            self._heard = {name: [] for name in self._watched}
            machine.hear_calls(self._hear)
        if call.typed:
            machine.feed(call.typed.encode("latin-1", "replace"))
        machine.close_input()

    def _lay_out(self, call: Call) -> None:
        """Let lie in memory what the call is given there; blocks may point to each other."""
        self._blocks = {name[1:]: self._take(thing) for name, thing in call.given.items() if name.startswith("@")}
        for name, thing in call.given.items():
            self._put(thing, self._blocks[name[1:]] if name.startswith("@") else self.label(name))

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
        return self.outcome(self._machine.run())

    def outcome(self, stop: Stop) -> Outcome:
        """What has become of the call that was prepared, with the stop that it ran to."""
        machine, stack = self._machine, self.family.stack
        after = machine.registers
        expected = self._before[stack] - self._result_below
        return Outcome(
            stop,
            stop.kind is StopKind.RETURNED,
            stop.instructions,
            self._before,
            after,
            after[stack] - expected,
            machine.take_output(),
            machine.unread,
            self._heard,
        )

    # ------------------------------------------------------------------------------------------------------ laying out

    def _arranged(self) -> dict[int, int]:
        """The registers as the convention has them for the arguments; what goes on the stack is put there."""
        if self.convention == REGISTERS:
            placed = {self._register(name): word for name, word in self._passed.items()}
            return placed if self.family.stack in placed else placed | {self.family.stack: self._stack}
        words = list(self._passed.values())
        stack, cells = self._stack, self.abode.cells
        if self.convention == O32:
            ordered = {self._place(name): word for name, word in self._passed.items()}
            registers = {number: word for number, word in ordered.items() if number >= 0}
            pushed = {-number - 1: word for number, word in ordered.items() if number < 0}
            for at, word in pushed.items():
                self._store(stack + 16 + cells * at, word)
            return registers | {self.family.stack: stack}
        stack -= cells * len(words)
        for at, word in enumerate(words):
            self._store(stack + cells * at, word)
        return {self.family.stack: stack}

    def _place(self, name: str) -> int:
        """Where o32 passes an argument: the number of its register, or its place on the stack, as -1, -2 and so on."""
        if name.isdecimal():
            return int(name) + 3 if int(name) <= 4 else 4 - int(name)
        return self._register(name)

    def _register(self, name: str) -> int:
        """The number of a register; those that are counted are the first that the convention would pass them in."""
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = self._known(name)
        return number

    def _known(self, name: str) -> int:
        if name.isdecimal():
            return int(name) + 3 if self.family.language == "mips" else int(name) - 1
        number = register_number(self.family, name)
        if number is None:
            raise JudgeError(f"there is no register {name}")
        return number

    def _word(self, thing: Thing) -> int:
        """What a word holds for a thing: a number itself, an address of everything else."""
        if isinstance(thing, int):
            return thing
        if isinstance(thing, Address):
            if thing.name in self._blocks:
                return self._blocks[thing.name]
            address = self.label(thing.name)
            self._meant[address] = thing.name
            return address
        if isinstance(thing, Nodes) and not thing.items:
            return 0
        at = self._take(thing)
        self._put(thing, at)
        return at

    def _take(self, thing: Thing) -> int:
        """The address of room for a thing. Raises JudgeError where there is none."""
        at = self._room
        size = -(-self._size(thing) // self.abode.cells) * self.abode.cells
        self._room += size + self.abode.cells
        if self._room > self.abode.blocks.stop:
            raise JudgeError("what the routine is given does not fit beside the program")
        return at

    def _size(self, thing: Thing) -> int:
        """The cells that lie where a thing lies; of nodes the first."""
        if isinstance(thing, Text):
            return len(thing.text) + 1
        if isinstance(thing, Words):
            return self.abode.cells * len(thing.items)
        if isinstance(thing, Bytes):
            return len(thing.items)
        if isinstance(thing, Nodes):
            return self.abode.cells * len(thing.fields)
        return thing.size if isinstance(thing, Space) else self.abode.cells

    def _put(self, thing: Thing, at: int) -> None:
        """Let a thing lie at an address."""
        if isinstance(thing, Text):
            self._lay(at, (*map(ord, thing.text), 0))
        elif isinstance(thing, Bytes):
            self._lay(at, tuple(byte & 0xFF for byte in thing.items))
        elif isinstance(thing, Words):
            for number, item in enumerate(thing.items):
                self._store(at + self.abode.cells * number, self._word(item))
        elif isinstance(thing, Nodes):
            self._link(thing, at)
        elif not isinstance(thing, Space):
            self._store(at, self._word(thing))

    def _link(self, nodes: Nodes, at: int) -> None:
        """Nodes of which the first lies at an address, and the others behind it in the opposite order: none is where it might be guessed."""
        others = [self._take(nodes) for _ in nodes.items[1:]][::-1]
        places = [at, *others, 0]
        for number, item in enumerate(nodes.items):
            held = iter(item)
            for place, name in enumerate(nodes.fields):
                word = places[number + 1] if name == NEXT else self._word(next(held))
                self._store(places[number] + self.abode.cells * place, word)

    def _store(self, at: int, word: int) -> None:
        word &= self._mask
        self._lay(at, (word,) if self.abode.cells == 1 else tuple(word.to_bytes(4, "little")))

    def _lay(self, at: int, cells: tuple[int, ...]) -> None:
        self._machine.store(at, cells)
        if self._stored is not None:
            self._stored.append((at, cells))

    # ------------------------------------------------------------------------------------------------------ reading back

    def returned(self, outcome: Outcome, name: str, like: Thing) -> Thing | Odd:
        """What came back in a register, or in the place of the result where no name is given, read as what is expected."""
        if name:
            return self.found(outcome.after[self._register(name)], like)
        if self.convention == LC3_FRAME:
            return self.found(self._load(outcome.after[self.family.stack]), like)
        return self.found(outcome.after[self.result], like)

    def left(self, place: str, like: Thing) -> Thing | Odd:
        """What lies at a label, in a block, or where an argument pointed to, read as what is expected. Raises MissingLabelError."""
        return self.lying(self.place(place), like)

    def place(self, name: str) -> int:
        """The address of a label, of a block, or what an argument holds. Raises MissingLabelError."""
        if name.startswith("@"):
            return self._word(Address(name[1:]))
        passed = next((word for known, word in self._passed.items() if known.upper() == name.upper()), None)
        return self.label(name) if passed is None else passed

    def found(self, word: int, like: Thing) -> Thing | Odd:
        """What a word holds or points to."""
        if isinstance(like, int):
            return self.signed(word)
        if isinstance(like, Address):
            return self._named(word)
        if isinstance(like, Nodes):
            return self._followed(word, like)
        return self.lying(word, like)

    def lying(self, at: int, like: Thing) -> Thing | Odd:
        """What lies at an address."""
        if isinstance(like, Text):
            return self._text(at, len(like.text))
        if isinstance(like, Words):
            items = [self.found(self._load(at + self.abode.cells * n), item) for n, item in enumerate(like.items)]
            odd = next((item for item in items if isinstance(item, Odd)), None)
            return odd or Words(tuple(item for item in items if not isinstance(item, Odd)))
        if isinstance(like, Bytes):
            return Bytes(tuple(self._machine.cells(at, len(like.items))))
        if isinstance(like, Nodes):
            return self._followed(at, like)
        return like if isinstance(like, Space) else self.found(self._load(at), like)

    def _text(self, at: int, length: int) -> Thing | Odd:
        cells = list(self._machine.cells(at, length + _MORE + 1))
        text = "".join(chr(cell) if cell < 256 else "�" for cell in cells)
        end = cells.index(0) if 0 in cells else -1
        if end < 0:
            return Odd(f"{shown(Text(text[: length + 4]))[:-1]}… without the zero at its end")
        return Text(text[:end])

    def _followed(self, at: int, like: Nodes) -> Thing | Odd:
        """The list that begins at an address."""
        items: list[tuple[Thing, ...]] = []
        seen: set[int] = set()
        size = self.abode.cells
        while at and len(items) < len(like.items) + _MORE:
            if at in seen:
                return Odd(f"a list that runs in a circle after {shown(replace(like, items=tuple(items)))}")
            seen.add(at)
            if len(self._machine.cells(at, size * len(like.fields))) < size * len(like.fields) or at % size:
                return Odd(
                    f"a list that leads to {self.family.address(at)} after {shown(replace(like, items=tuple(items)))}"
                )
            likes = iter(like.items[len(items)] if len(items) < len(like.items) else (0,) * len(like.fields))
            item: list[Thing] = []
            after = 0
            for number, name in enumerate(like.fields):
                word = self._load(at + size * number)
                if name == NEXT:
                    after = word
                    continue
                held = self.found(word, next(likes))
                if isinstance(held, Odd):
                    return held
                item.append(held)
            items.append(tuple(item))
            at = after
        return replace(like, items=tuple(items))

    def _load(self, at: int) -> int:
        cells = self._machine.cells(at & self._mask, self.abode.cells)
        if self.abode.cells == 1:
            return cells[0] if cells else 0
        return int.from_bytes(bytes(cells), "little")

    def signed(self, word: int) -> int:
        """A word as a number with a sign."""
        word &= self._mask
        return word - (self._mask + 1) if word >> (self.abode.bits - 1) else word

    def _named(self, word: int) -> Thing:
        """A word as the name of the block or label that lies there, where one does."""
        names = {address: name for name, address in reversed(self._blocks.items())}
        name = names.get(word) or (self.image.label_at(word) if word else None)
        return self.signed(word) if name is None else Address(name)

    def settled(self, thing: Thing) -> Thing:
        """An expected thing as it would be read: numbers as words with a sign, names as the addresses that they stand for."""
        if isinstance(thing, int):
            return self.signed(thing)
        if isinstance(thing, Address):
            return self._named(self._word(thing))
        if isinstance(thing, Words):
            return Words(tuple(map(self.settled, thing.items)))
        if isinstance(thing, Bytes):
            return Bytes(tuple(byte & 0xFF for byte in thing.items))
        if isinstance(thing, Nodes):
            return replace(thing, items=tuple(tuple(map(self.settled, item)) for item in thing.items))
        return thing

    # ------------------------------------------------------------------------------------------------------ calls within

    def _hear(self, address: int) -> None:
        """A routine is about to be called."""
        name = self._at.get(address)
        if name is not None:
            self._heard[name].append(tuple(self._called_with(wanted) for wanted in self._watched[name]))

    def _called_with(self, wanted: Mapping[str, Thing]) -> bool:
        registers = self._machine.registers
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
