"""From a word back to the text that assembles to it."""

from __future__ import annotations

from grader.machines.image import Image
from grader.machines.mips.isa import REGISTER_NAMES, TABLE
from grader.machines.table import Decoded, Field, Kind


def disassemble(word: int, address: int = 0, image: Image | None = None) -> str:
    """``word`` as a basic instruction, ``addi $t0, $t0, 1``; as ``.word 0x…`` when it is none.

    Branches and jumps from ``address`` name the label that they lead to, where ``image`` has one, else the address.
    """
    short = TABLE.short_forms.get(word)
    if short is not None:
        return short.name
    decoded = TABLE.decode(word)
    if decoded is None:
        return f".word 0x{word:08x}"
    row, values = decoded
    operands = {
        letter: _operand(place, decoded, values[letter], address, image) for letter, place in row.fields.items()
    }
    return f"{row.name} {''.join(operands.get(char, char) for char in row.syntax)}".rstrip()


def _operand(place: Field, decoded: Decoded, value: int, address: int, image: Image | None) -> str:
    match TABLE.operands[place.letter].kind:
        case Kind.REGISTER:
            return f"${value}" if place.letter == "z" else REGISTER_NAMES[value]
        case Kind.FLOAT:
            return f"$f{value}"
        case Kind.RELATIVE:
            return _place(address + 4 + 4 * value, image)
        case Kind.TARGET:
            return _place((address + 4 & 0xF000_0000) | value << 2, image)
        case Kind.UNSIGNED if decoded.row.name in ("andi", "ori", "xori", "lui"):
            return f"0x{value:x}"
        case _:
            return str(value)


def _place(address: int, image: Image | None) -> str:
    label = image.label_at(address) if image is not None else None
    return label or f"0x{address & 0xFFFF_FFFF:08x}"
