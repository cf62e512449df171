"""From a word back to the text that assembles to it."""

from __future__ import annotations

from grader.machines.image import Image
from grader.machines.lc3.isa import ADDRESS_SPACE, TABLE
from grader.machines.table import Decoded, Field, Kind


def disassemble(word: int, address: int | None = None, image: Image | None = None) -> str:
    """``word`` (0…xFFFF) as assembly text, ``ADD R0, R0, #1``; as ``.FILL xD000`` when it is no instruction.

    With the ``address`` that it stands at and an ``image``, a distance becomes the label that it leads to, where there
    is one (``BRz LOOP``); otherwise it stays a number (``BRz #-3``).
    """
    short = TABLE.short_forms.get(word)
    if short is not None:
        return short.name
    decoded = TABLE.decode(word)
    if decoded is None:
        return f".FILL x{word:04X}"
    return _written(decoded, address, image)


def _written(decoded: Decoded, address: int | None, image: Image | None) -> str:
    row, values = decoded
    operands = {letter: _operand(place, values[letter], address, image) for letter, place in row.fields.items()}
    return f"{row.name} {''.join(operands.get(char, char) for char in row.syntax)}".rstrip()


def _operand(place: Field, value: int, address: int | None, image: Image | None) -> str:
    match TABLE.operands[place.letter].kind:
        case Kind.REGISTER:
            return f"R{value}"
        case Kind.UNSIGNED:
            return f"x{value:02X}"
        case Kind.RELATIVE if address is not None and image is not None:
            return image.label_at((address + 1 + value) % ADDRESS_SPACE) or f"#{value}"
        case _:
            return f"#{value}"
