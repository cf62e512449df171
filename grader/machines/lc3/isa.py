"""THE TABLE of the LC-3: every instruction as in Appendix A of Patt and Patel, 3rd edition.

The assembler, the disassembler and the machine all read it. A word that no row matches (opcode 1101, or a 1 where the
manual demands 0) is no instruction.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from grader.machines.image import Image
from grader.machines.table import Alias, Field, Kind, Operand, Row, Table

if TYPE_CHECKING:  # what is known of a run is no part of the table
    from grader.machines.observe import Call

WORD_BITS = 16
ADDRESS_SPACE = 1 << WORD_BITS
DEVICE_REGISTERS = 0xFE00  # from here up, addresses are device registers

OPERANDS = {
    "d": Operand(Kind.REGISTER, "DR"),
    "s": Operand(Kind.REGISTER, "SR1"),
    "t": Operand(Kind.REGISTER, "SR2"),
    "r": Operand(Kind.REGISTER, "SR"),
    "b": Operand(Kind.REGISTER, "BaseR"),
    "i": Operand(Kind.SIGNED, "imm"),
    "o": Operand(Kind.SIGNED, "offset"),
    "p": Operand(Kind.RELATIVE, "PCoffset"),
    "v": Operand(Kind.UNSIGNED, "trapvect"),
}

ROWS = (
    Row("ADD", "0001 ddd sss 0 00 ttt", "d, s, t"),
    Row("ADD", "0001 ddd sss 1 iiiii", "d, s, i"),
    Row("AND", "0101 ddd sss 0 00 ttt", "d, s, t"),
    Row("AND", "0101 ddd sss 1 iiiii", "d, s, i"),
    Row("NOT", "1001 ddd rrr 1 11111", "d, r"),
    Row("BRn", "0000 100 ppppppppp", "p"),
    Row("BRz", "0000 010 ppppppppp", "p"),
    Row("BRp", "0000 001 ppppppppp", "p"),
    Row("BRnz", "0000 110 ppppppppp", "p"),
    Row("BRnp", "0000 101 ppppppppp", "p"),
    Row("BRzp", "0000 011 ppppppppp", "p"),
    Row("BRnzp", "0000 111 ppppppppp", "p"),
    Row("NOP", "0000 000 ppppppppp", "p"),  # a branch on no condition
    Row("JMP", "1100 000 bbb 000000", "b"),
    Row("JSR", "0100 1 ppppppppppp", "p"),
    Row("JSRR", "0100 0 00 bbb 000000", "b"),
    Row("LD", "0010 ddd ppppppppp", "d, p"),
    Row("LDI", "1010 ddd ppppppppp", "d, p"),
    Row("LDR", "0110 ddd bbb oooooo", "d, b, o"),
    Row("LEA", "1110 ddd ppppppppp", "d, p"),
    Row("ST", "0011 rrr ppppppppp", "r, p"),
    Row("STI", "1011 rrr ppppppppp", "r, p"),
    Row("STR", "0111 rrr bbb oooooo", "r, b, o"),
    Row("RTI", "1000 000000000000"),
    Row("TRAP", "1111 0000 vvvvvvvv", "v"),
)

GETC, OUT, PUTS, IN, PUTSP, HALT = range(0x20, 0x26)

ALIASES = (
    Alias("BR", "BRnzp"),
    Alias("RET", "JMP", {"b": 7}),
    Alias("NOP", "NOP", {"p": 0}),
    Alias("GETC", "TRAP", {"v": GETC}),
    Alias("OUT", "TRAP", {"v": OUT}),
    Alias("PUTC", "TRAP", {"v": OUT}),
    Alias("PUTS", "TRAP", {"v": PUTS}),
    Alias("IN", "TRAP", {"v": IN}),
    Alias("PUTSP", "TRAP", {"v": PUTSP}),
    Alias("HALT", "TRAP", {"v": HALT}),
)

TABLE = Table(WORD_BITS, OPERANDS, ROWS, ALIASES)


_RETURN = 0xC1C0
_SETS_CODES = (0x1, 0x2, 0x5, 0x6, 0x9, 0xA)  # ADD, LD, AND, LDR, NOT, LDI


def told_by_codes(image: Image, calls: Iterable[Call]) -> frozenset[tuple[int, int]]:
    """The subroutines, by their addresses, that return right after the codes were set by a register, for a branch right behind the call."""
    # “ADD R0, R0, #0” and “RET” answer a “BRn” behind the JSR: to restore R0 by LD would change the answer.
    words = {block.origin + at: word for block in image.blocks for at, word in enumerate(block.words)}
    asked = {one.routine.address for one in calls if 0 < words.get(one.site + 1, 0) >> 9 < 7}
    entries = sorted({one.routine.address for one in calls})
    told: set[tuple[int, int]] = set()
    for at, word in words.items():
        last = words.get(at - 1, 0)
        routine = max((entry for entry in entries if entry <= at), default=-1)
        if word == _RETURN and last >> 12 in _SETS_CODES and routine in asked:
            told.add((routine, last >> 9 & 7))
    return frozenset(told)


def disassemble(word: int, address: int | None = None, image: Image | None = None) -> str:
    """``word`` (0…xFFFF) as assembly text, ``ADD R0, R0, #1``; as ``.FILL xD000`` when it is no instruction.

    With the ``address`` that it stands at and an ``image``, a distance becomes the label that it leads to, where there
    is one (``BRz LOOP``); otherwise it stays a number (``BRz #-3``).
    """

    def operand(_row: Row, place: Field, value: int) -> str:
        match OPERANDS[place.letter].kind:
            case Kind.REGISTER:
                return f"R{value}"
            case Kind.UNSIGNED:
                return f"x{value:02X}"
            case Kind.RELATIVE if address is not None and image is not None:
                return image.label_at((address + 1 + value) % ADDRESS_SPACE) or f"#{value}"
            case _:
                return f"#{value}"

    return TABLE.written(word, operand) or f".FILL x{word:04X}"
