"""Things in the memory of a simulated machine: laid out before a program runs, and read back after it.

A thing is read as the expected kind: a text to its zero, a list by following its pointers. If it cannot be read in this way,
a sentence says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from grader.errors import JudgeError
from grader.machines.computer import Computer
from grader.machines.families import Family
from grader.machines.image import Block, Image
from grader.spec.things import NEXT, Address, Bytes, Nodes, Odd, Space, Text, Thing, Words, behind, shown
from grader.values import dataclass

_SHOWN = 60
"""Characters of a statement that a sentence shows; one may hold a text of a page."""

_MORE = 16
"""Additional characters or nodes that are read beyond the expected ones, so that a report can show them."""


class MissingLabelError(Exception):
    """A label that is asked for and that the program does not have; the message is its name."""


class NoRoomError(JudgeError):
    """A program fills so much memory that what it is given does not fit beside it: no point can be lost by that.

    It names the statement that fills the most.
    """

    def __init__(self, image: Image) -> None:
        filled = Counter(origin.span for origin in image.origins.values())
        [(span, _)] = filled.most_common(1)
        statement = span.text[span.column - 1 : span.end_column - 1].strip()[:_SHOWN]
        hint = "Reserve fewer words: arguments and a stack need memory that the program leaves free."
        super().__init__(f"{statement} leaves too little memory beside the program", place=span.place, hint=hint)


@dataclass(frozen=True, slots=True)
class Abode:
    """The places of a machine that have room for a call's arguments, and the size of its words.

    ``cells`` make a word of ``bits`` bits. ``blocks`` is where things are put, ``stack`` what the stack pointer holds at the call, ``back`` where a
    routine returns to. In ``narrow`` room the stack grows towards the blocks.
    """

    cells: int
    bits: int
    blocks: range
    stack: int
    back: int
    narrow: bool = False


def room_of_run(family: Family, image: Image, *, protects: bool = True) -> Abode:
    """The room beside a program that runs as a whole, with a stack of its own. Raises JudgeError if no room is left."""
    machine = family.traits
    room = machine.run_room
    if room is None:
        return abode(family, image, protects=protects)
    ends = ((block.origin, block.origin + machine.cells * len(block.words)) for block in image.blocks)
    if any(first < room.stop and end > room.start for first, end in ends):
        raise JudgeError("the program leaves no room for what it is given")
    return Abode(machine.cells, machine.bits, room, 0, 0)


_ROOMS = (0x80, 0xA0, 0x60, 0x50, *range(0x30, 0xCD))
"""Possible starts of room on an LC-3, in pages of 256 words: in the middle of memory that programs use least."""

_USER, _BELOW = range(0x3000, 0xFE00), range(0x0200, 0x3000)
"""The memory of an LC-3 that every program may use, and the memory below it, which only some profiles let a program use."""

_ARGUMENTS, _LEAST_STACK = 16, 64
"""Words above the stack pointer and below it, in the smallest room. A frame of the LC-3 takes four words and its variables."""


def abode(family: Family, image: Image, *, protects: bool = True) -> Abode:
    """The room beside a program; ``protects`` says that it may use only the memory of users. Raises NoRoomError."""
    if family.traits.call_room is not None:
        return Abode(family.traits.cells, family.traits.bits, *family.traits.call_room)
    extents = [range(block.origin, block.origin + len(block.words) + 256, 256) for block in image.blocks]
    used = {address >> 8 for extent in extents for address in extent}
    free = set(range(0x30, 0xFD)) - used
    room = next((page for page in _ROOMS if free.issuperset(range(page, page + 48))), None)
    if room is None:
        return _narrow(image, protects=protects)
    return Abode(1, 16, range(room + 16 << 8, room + 47 << 8), (room + 16 << 8) - 64, (room + 47 << 8) + 0x80)


def _narrow(image: Image, *, protects: bool) -> Abode:
    """The largest gap that a program leaves: blocks from its beginning on, the stack down from its end. Raises NoRoomError.

    So both share what there is, and neither takes more than a call needs.
    """
    # A program with one large .BLKW leaves little, and is called in what it leaves.
    gap = max((_largest_gap(image, area) for area in ((_USER,) if protects else (_USER, _BELOW))), key=len)
    back = gap.stop - 1
    stack = back - _ARGUMENTS
    blocks = range(gap.start, stack - _LEAST_STACK)
    if not blocks:
        raise NoRoomError(image)
    return Abode(1, 16, blocks, stack, back, narrow=True)


def _largest_gap(image: Image, area: range) -> range:
    """The longest stretch of an area in which nothing of a program lies."""
    starts, largest = area.start, range(0)
    for block in (*sorted(image.blocks, key=lambda one: one.origin), Block(area.stop, ())):
        gap = range(starts, min(block.origin, area.stop))
        largest = max(largest, gap, key=len)
        starts = max(starts, block.origin + len(block.words))
    return largest


def register_number(family: Family, name: str) -> int | None:
    """The number of a register by its name, in any case, with or without ``$``; None for an unknown name."""
    wanted = name.upper().removeprefix("$")
    for number, known in enumerate(family.registers):
        if known.upper().removeprefix("$") == wanted:
            return number
    counted = family.traits.register.fullmatch(name) and name.startswith("$") and wanted.isdecimal()
    return int(wanted) if counted and int(wanted) < len(family.registers) else None


def written_address(name: str) -> int | None:
    """The address that is written as ``x4000`` or ``0x10010000``; None for a name."""
    match = re.fullmatch(r"0?[xX]([0-9A-Fa-f]{1,8})", name)
    return int(match[1], 16) if match else None


class Labels:
    """The labels of a program, in any case."""

    def __init__(self, image: Image) -> None:
        self._exact = image.symbols
        self._folded = {name.casefold(): address for name, address in reversed(list(image.symbols.items()))}

    def address(self, name: str) -> int:
        """The address of a label, or one that is written as ``x4000``, or so many behind it: ``ROW+2``. Raises MissingLabelError."""
        address = self._known(name)
        # A label of the LC-3 may hold a + itself, and then it is meant.
        plain, offset = behind(name) if address is None else (name, 0)
        address = self._known(plain) if plain != name else address
        if address is None:
            raise MissingLabelError(plain)
        return address + offset

    def _known(self, name: str) -> int | None:
        address = self._exact.get(name)
        if address is None:
            address = self._folded.get(name.casefold())
        return written_address(name) if address is None else address


class Memory:
    """The memory of one ``machine``, with a program in it, and room beside the program for what is put there."""

    def __init__(self, family: Family, image: Image, machine: Computer, room: Abode) -> None:
        self.family, self.image, self.abode = family, image, room
        self.machine = machine
        self._labels = Labels(image)
        self._mask = (1 << room.bits) - 1
        self._room = self._first_room = room.blocks.start + 2 * room.cells
        self._blocks: dict[str, int] = {}
        self._passed: dict[str, int] = {}
        self._stored: list[tuple[int, tuple[int, ...]]] | None = None
        self._laid: list[tuple[range, Thing]] = []
        self._meant: dict[int, str] = {}

    def label(self, name: str) -> int:
        """The address of a label, or one that is written (``Labels.address``). Raises MissingLabelError."""
        return self._labels.address(name)

    def lay_out(self, given: Mapping[str, Thing]) -> None:
        """Let things lie at labels, at addresses such as ``x4000``, and in blocks, which may point to each other.

        Raises MissingLabelError, JudgeError.
        """
        self._room = self._first_room
        self._blocks = {name[1:]: self._take(thing) for name, thing in given.items() if name.startswith("@")}
        for name, thing in given.items():
            self._put(thing, self._blocks[name[1:]] if name.startswith("@") else self.label(name))

    def set_registers(self, things: Mapping[int, Thing]) -> None:
        """Put things into registers, by their numbers: numbers themselves, addresses of everything else."""
        self.machine.set_registers({number: self.word(thing) for number, thing in things.items()})

    def word(self, thing: Thing) -> int:
        """The word for a thing: a number itself, or the address of anything else."""
        if isinstance(thing, int):
            return thing
        if isinstance(thing, Address):
            if thing.name in self._blocks:
                return self._blocks[thing.name] + thing.offset
            address = self.label(thing.name)
            self._meant[address] = thing.name
            return address + thing.offset
        if isinstance(thing, Nodes) and not thing.items:
            return 0
        at = self._take(thing)
        self._put(thing, at)
        return at

    def _take(self, thing: Thing) -> int:
        """The address of room for a thing. Raises JudgeError if no room is left."""
        at = self._room
        size = -(-self._size(thing) // self.abode.cells) * self.abode.cells
        # A cell stays free behind each: what reads past an end shall not find the next thing.
        self._room += size + self.abode.cells
        if self._room > self.abode.blocks.stop:
            # Only there the program is the cause: elsewhere the spec gives more than any room has.
            if self.abode.narrow:
                raise NoRoomError(self.image)
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
        self._laid.append((range(at, at + self._size(thing)), thing))
        if isinstance(thing, Text):
            self._lay(at, (*map(ord, thing.text), 0))
        elif isinstance(thing, Bytes):
            self._lay(at, tuple(byte & 0xFF for byte in thing.items))
        elif isinstance(thing, Words):
            for number, item in enumerate(thing.items):
                self._store(at + self.abode.cells * number, self.word(item))
        elif isinstance(thing, Nodes):
            self._link(thing, at)
        elif not isinstance(thing, Space):
            self._store(at, self.word(thing))

    def _link(self, nodes: Nodes, at: int) -> None:
        """Lay out nodes: the first at an address, the others behind it in the opposite order, so that no place can be guessed."""
        others = [self._take(nodes) for _ in nodes.items[1:]][::-1]
        places = [at, *others, 0]
        for number, item in enumerate(nodes.items):
            held = iter(item)
            for place, name in enumerate(nodes.fields):
                word = places[number + 1] if name == NEXT else self.word(next(held))
                self._store(places[number] + self.abode.cells * place, word)

    def _store(self, at: int, word: int) -> None:
        word &= self._mask
        self._lay(at, (word,) if self.abode.cells == 1 else tuple(word.to_bytes(4, "little")))

    def _lay(self, at: int, cells: tuple[int, ...]) -> None:
        self.machine.store(at, cells)
        if self._stored is not None:
            self._stored.append((at, cells))

    def left(self, place: str, like: Thing) -> Thing | Odd:
        """The thing at a label, in a block, or where an argument pointed to, read as the expected kind. Raises MissingLabelError."""
        return self.lying(self.place(place), like)

    def place(self, name: str) -> int:
        """The address of a label, of a block, or what an argument holds. Raises MissingLabelError."""
        if name.startswith("@"):
            return self.word(Address(*behind(name[1:])))
        passed = next((word for known, word in self._passed.items() if known.upper() == name.upper()), None)
        return self.label(name) if passed is None else passed

    def found(self, word: int, like: Thing) -> Thing | Odd:
        """The thing that a word holds or points to."""
        if isinstance(like, int):
            return self.signed(word)
        if isinstance(like, Address):
            return self._named(word)
        if isinstance(like, Nodes):
            return self._followed(word, like)
        return self.lying(word, like)

    def lying(self, at: int, like: Thing) -> Thing | Odd:
        """The thing at an address."""
        if isinstance(like, Text):
            return self._text(at, len(like.text))
        if isinstance(like, Words):
            items = [self.found(self._load(at + self.abode.cells * n), item) for n, item in enumerate(like.items)]
            odd = next((item for item in items if isinstance(item, Odd)), None)
            return odd or Words(tuple(item for item in items if not isinstance(item, Odd)))
        if isinstance(like, Bytes):
            return Bytes(tuple(self.machine.cells(at, len(like.items))))
        if isinstance(like, Nodes):
            return self._followed(at, like)
        return like if isinstance(like, Space) else self.found(self._load(at), like)

    def _text(self, at: int, length: int) -> Thing | Odd:
        cells = list(self.machine.cells(at, length + _MORE + 1))
        # A word of the LC-3 that is no character
        text = "".join(chr(cell) if cell < 256 else "�" for cell in cells)
        if 0 in cells:
            return Text(text[: cells.index(0)])
        return Odd(f"{shown(Text(text[: length + 4]))[:-1]}… without the zero at its end")

    def _followed(self, at: int, like: Nodes) -> Thing | Odd:
        """The list that begins at an address."""
        items: list[tuple[Thing, ...]] = []
        seen: set[int] = set()
        size = self.abode.cells
        while at and len(items) < len(like.items) + _MORE:
            # A list that a student closed to a ring would be read for ever.
            if at in seen:
                return Odd(f"a list that runs in a circle after {shown(replace(like, items=tuple(items)))}")
            seen.add(at)
            if len(self.machine.cells(at, size * len(like.fields))) < size * len(like.fields) or at % size:
                before = shown(replace(like, items=tuple(items)))
                return Odd(f"a list that leads to {self.family.address(at)} after {before}")
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
        cells = self.machine.cells(at & self._mask, self.abode.cells)
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
        if name is None and self._blocks:  # perhaps a place within a block
            before = max((address for address in names if address < word < self._room), default=None)
            return self.signed(word) if before is None else Address(names[before], word - before)
        return self.signed(word) if name is None else Address(name)

    def settled(self, thing: Thing) -> Thing:
        """An expected thing as it would be read: numbers as words with a sign, names as the addresses that they stand for."""
        if isinstance(thing, int):
            return self.signed(thing)
        if isinstance(thing, Address):
            return self._named(self.word(thing))
        if isinstance(thing, Words):
            return Words(tuple(map(self.settled, thing.items)))
        if isinstance(thing, Bytes):
            return Bytes(tuple(byte & 0xFF for byte in thing.items))
        if isinstance(thing, Nodes):
            return replace(thing, items=tuple(tuple(map(self.settled, item)) for item in thing.items))
        return thing
