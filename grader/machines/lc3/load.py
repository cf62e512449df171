"""Memory, kinds and registers at the start of a program."""

from __future__ import annotations

from array import array

from grader.machines.image import Content, Image
from grader.machines.lc3 import kinds
from grader.machines.memory import noise
from grader.values import dataclass

WORDS = 0x10000
VECTORS = 0x200  # trap and interrupt vectors lie below, and noise leaves them alone
USER_SPACE = range(0x3000, 0xFE00)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A machine's arrays at the start: 65,536 words, the kind of each (see ``loop``), and 8 registers. Never written."""

    memory: array[int]
    kinds: array[int]
    registers: array[int]


def load(image: Image, *, protects: bool, seed: int | None) -> Loaded:
    """Put ``image`` into memory of zeros, or of noise where ``seed`` is a number; registers likewise."""
    memory = array("H", bytes(2 * WORDS)) if seed is None else noise(seed, WORDS)
    memory[:VECTORS] = array("H", bytes(2 * VECTORS))
    memory[kinds.DEVICES :] = array("H", bytes(2 * (WORDS - kinds.DEVICES)))
    kind_of = array("B", [kinds.UNTOUCHED]) * WORDS
    for block in image.blocks:
        for offset, word in enumerate(block.words):
            address = (block.origin + offset) % WORDS
            memory[address] = word & 0xFFFF
            guarded = protects and address not in USER_SPACE
            kind_of[address] = kinds.GUARDED if guarded else kinds.CLASSES[word & 0xFFFF]
    for address in _data(image):
        kind_of[address] = kinds.DATA
    registers = array("H", bytes(16)) if seed is None else noise(seed + 1, 8)
    return Loaded(memory, kind_of, registers)


def _data(image: Image) -> set[int]:
    """The addresses of strings and blocks: data that one statement puts into several words.

    A single word may be an instruction written as a number (``.FILL x1021``); it runs when it is one.
    """
    origins = image.origins
    addresses: set[int] = set()
    for address, origin in origins.items():
        after = origins.get(address + 1)
        if origin.content is Content.DATA and after is not None and after.span == origin.span:
            addresses |= {address, address + 1}
    return addresses
