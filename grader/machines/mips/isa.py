"""THE TABLE of MIPS: the basic instructions of MARS 4.5, 139 mnemonics, encoded as in MIPS32's manual.

The assembler, the disassembler and the machine all read it. A word that no row matches is no instruction. An alias is a
way of writing a row with some fields left out: ``bc1t label`` is ``bc1t 0, label``, ``nop`` is a shift of ``$zero``.
"""

from __future__ import annotations

from collections.abc import Iterator

from grader.machines.image import Image
from grader.machines.table import Alias, Field, Kind, Operand, Row, Table

WORD_BITS = 32

TEXT, KERNEL_TEXT = 0x0040_0000, 0x8000_0180
DATA, EXTERN, KERNEL_DATA = 0x1001_0000, 0x1000_0000, 0x9000_0000

REGISTER_NAMES = (
    "$zero", "$at", "$v0", "$v1", "$a0", "$a1", "$a2", "$a3", "$t0", "$t1", "$t2", "$t3", "$t4", "$t5", "$t6", "$t7",
    "$s0", "$s1", "$s2", "$s3", "$s4", "$s5", "$s6", "$s7", "$t8", "$t9", "$k0", "$k1", "$gp", "$sp", "$fp", "$ra",
)  # fmt: skip
"""The general registers by number."""

OPERANDS = {
    "d": Operand(Kind.REGISTER, "rd"),
    "s": Operand(Kind.REGISTER, "rs"),
    "t": Operand(Kind.REGISTER, "rt"),
    "z": Operand(Kind.REGISTER, "cp0"),  # a register of coprocessor 0, written as a general register
    "D": Operand(Kind.FLOAT, "fd"),
    "S": Operand(Kind.FLOAT, "fs"),
    "T": Operand(Kind.FLOAT, "ft"),
    "i": Operand(Kind.SIGNED, "imm"),
    "u": Operand(Kind.UNSIGNED, "imm"),
    "h": Operand(Kind.UNSIGNED, "shamt"),
    "b": Operand(Kind.UNSIGNED, "code"),
    "c": Operand(Kind.UNSIGNED, "cc"),
    "p": Operand(Kind.RELATIVE, "offset"),
    "j": Operand(Kind.TARGET, "target"),
}


def _floats(fmt: str, bits: str, other: str, to_other: str) -> Iterator[Row]:
    """The instructions that singles and doubles both have: the manual has each once, with the format in five bits."""
    yield Row(f"add.{fmt}", f"010001 {bits} TTTTT SSSSS DDDDD 000000", "D, S, T")
    yield Row(f"sub.{fmt}", f"010001 {bits} TTTTT SSSSS DDDDD 000001", "D, S, T")
    yield Row(f"mul.{fmt}", f"010001 {bits} TTTTT SSSSS DDDDD 000010", "D, S, T")
    yield Row(f"div.{fmt}", f"010001 {bits} TTTTT SSSSS DDDDD 000011", "D, S, T")
    yield Row(f"sqrt.{fmt}", f"010001 {bits} 00000 SSSSS DDDDD 000100", "D, S")
    yield Row(f"abs.{fmt}", f"010001 {bits} 00000 SSSSS DDDDD 000101", "D, S")
    yield Row(f"mov.{fmt}", f"010001 {bits} 00000 SSSSS DDDDD 000110", "D, S")
    yield Row(f"neg.{fmt}", f"010001 {bits} 00000 SSSSS DDDDD 000111", "D, S")
    yield Row(f"round.w.{fmt}", f"010001 {bits} 00000 SSSSS DDDDD 001100", "D, S")
    yield Row(f"trunc.w.{fmt}", f"010001 {bits} 00000 SSSSS DDDDD 001101", "D, S")
    yield Row(f"ceil.w.{fmt}", f"010001 {bits} 00000 SSSSS DDDDD 001110", "D, S")
    yield Row(f"floor.w.{fmt}", f"010001 {bits} 00000 SSSSS DDDDD 001111", "D, S")
    yield Row(f"movf.{fmt}", f"010001 {bits} ccc 00 SSSSS DDDDD 010001", "D, S, c")
    yield Row(f"movt.{fmt}", f"010001 {bits} ccc 01 SSSSS DDDDD 010001", "D, S, c")
    yield Row(f"movz.{fmt}", f"010001 {bits} ttttt SSSSS DDDDD 010010", "D, S, t")
    yield Row(f"movn.{fmt}", f"010001 {bits} ttttt SSSSS DDDDD 010011", "D, S, t")
    yield Row(f"cvt.{other}.{fmt}", f"010001 {bits} 00000 SSSSS DDDDD {to_other}", "D, S")
    yield Row(f"cvt.w.{fmt}", f"010001 {bits} 00000 SSSSS DDDDD 100100", "D, S")
    yield Row(f"c.eq.{fmt}", f"010001 {bits} TTTTT SSSSS ccc 00 110010", "c, S, T")
    yield Row(f"c.lt.{fmt}", f"010001 {bits} TTTTT SSSSS ccc 00 111100", "c, S, T")
    yield Row(f"c.le.{fmt}", f"010001 {bits} TTTTT SSSSS ccc 00 111110", "c, S, T")


ROWS = (
    Row("sll", "000000 00000 ttttt ddddd hhhhh 000000", "d, t, h"),
    Row("srl", "000000 00000 ttttt ddddd hhhhh 000010", "d, t, h"),
    Row("sra", "000000 00000 ttttt ddddd hhhhh 000011", "d, t, h"),
    Row("sllv", "000000 sssss ttttt ddddd 00000 000100", "d, t, s"),
    Row("srlv", "000000 sssss ttttt ddddd 00000 000110", "d, t, s"),
    Row("srav", "000000 sssss ttttt ddddd 00000 000111", "d, t, s"),
    Row("jr", "000000 sssss 00000 00000 00000 001000", "s"),
    Row("jalr", "000000 sssss 00000 ddddd 00000 001001", "d, s"),
    Row("movz", "000000 sssss ttttt ddddd 00000 001010", "d, s, t"),
    Row("movn", "000000 sssss ttttt ddddd 00000 001011", "d, s, t"),
    Row("movf", "000000 sssss ccc 00 ddddd 00000 000001", "d, s, c"),
    Row("movt", "000000 sssss ccc 01 ddddd 00000 000001", "d, s, c"),
    Row("syscall", "000000 00000 00000 00000 00000 001100"),
    Row("break", "000000 bbbbbbbbbbbbbbbbbbbb 001101", "b"),
    Row("mfhi", "000000 00000 00000 ddddd 00000 010000", "d"),
    Row("mthi", "000000 sssss 00000 00000 00000 010001", "s"),
    Row("mflo", "000000 00000 00000 ddddd 00000 010010", "d"),
    Row("mtlo", "000000 sssss 00000 00000 00000 010011", "s"),
    Row("mult", "000000 sssss ttttt 00000 00000 011000", "s, t"),
    Row("multu", "000000 sssss ttttt 00000 00000 011001", "s, t"),
    Row("div", "000000 sssss ttttt 00000 00000 011010", "s, t"),
    Row("divu", "000000 sssss ttttt 00000 00000 011011", "s, t"),
    Row("add", "000000 sssss ttttt ddddd 00000 100000", "d, s, t"),
    Row("addu", "000000 sssss ttttt ddddd 00000 100001", "d, s, t"),
    Row("sub", "000000 sssss ttttt ddddd 00000 100010", "d, s, t"),
    Row("subu", "000000 sssss ttttt ddddd 00000 100011", "d, s, t"),
    Row("and", "000000 sssss ttttt ddddd 00000 100100", "d, s, t"),
    Row("or", "000000 sssss ttttt ddddd 00000 100101", "d, s, t"),
    Row("xor", "000000 sssss ttttt ddddd 00000 100110", "d, s, t"),
    Row("nor", "000000 sssss ttttt ddddd 00000 100111", "d, s, t"),
    Row("slt", "000000 sssss ttttt ddddd 00000 101010", "d, s, t"),
    Row("sltu", "000000 sssss ttttt ddddd 00000 101011", "d, s, t"),
    Row("tge", "000000 sssss ttttt 00000 00000 110000", "s, t"),
    Row("tgeu", "000000 sssss ttttt 00000 00000 110001", "s, t"),
    Row("tlt", "000000 sssss ttttt 00000 00000 110010", "s, t"),
    Row("tltu", "000000 sssss ttttt 00000 00000 110011", "s, t"),
    Row("teq", "000000 sssss ttttt 00000 00000 110100", "s, t"),
    Row("tne", "000000 sssss ttttt 00000 00000 110110", "s, t"),
    Row("bltz", "000001 sssss 00000 pppppppppppppppp", "s, p"),
    Row("bgez", "000001 sssss 00001 pppppppppppppppp", "s, p"),
    Row("tgei", "000001 sssss 01000 iiiiiiiiiiiiiiii", "s, i"),
    Row("tgeiu", "000001 sssss 01001 iiiiiiiiiiiiiiii", "s, i"),
    Row("tlti", "000001 sssss 01010 iiiiiiiiiiiiiiii", "s, i"),
    Row("tltiu", "000001 sssss 01011 iiiiiiiiiiiiiiii", "s, i"),
    Row("teqi", "000001 sssss 01100 iiiiiiiiiiiiiiii", "s, i"),
    Row("tnei", "000001 sssss 01110 iiiiiiiiiiiiiiii", "s, i"),
    Row("bltzal", "000001 sssss 10000 pppppppppppppppp", "s, p"),
    Row("bgezal", "000001 sssss 10001 pppppppppppppppp", "s, p"),
    Row("j", "000010 jjjjjjjjjjjjjjjjjjjjjjjjjj", "j"),
    Row("jal", "000011 jjjjjjjjjjjjjjjjjjjjjjjjjj", "j"),
    Row("beq", "000100 sssss ttttt pppppppppppppppp", "s, t, p"),
    Row("bne", "000101 sssss ttttt pppppppppppppppp", "s, t, p"),
    Row("blez", "000110 sssss 00000 pppppppppppppppp", "s, p"),
    Row("bgtz", "000111 sssss 00000 pppppppppppppppp", "s, p"),
    Row("addi", "001000 sssss ttttt iiiiiiiiiiiiiiii", "t, s, i"),
    Row("addiu", "001001 sssss ttttt iiiiiiiiiiiiiiii", "t, s, i"),
    Row("slti", "001010 sssss ttttt iiiiiiiiiiiiiiii", "t, s, i"),
    Row("sltiu", "001011 sssss ttttt iiiiiiiiiiiiiiii", "t, s, i"),
    Row("andi", "001100 sssss ttttt uuuuuuuuuuuuuuuu", "t, s, u"),
    Row("ori", "001101 sssss ttttt uuuuuuuuuuuuuuuu", "t, s, u"),
    Row("xori", "001110 sssss ttttt uuuuuuuuuuuuuuuu", "t, s, u"),
    Row("lui", "001111 00000 ttttt uuuuuuuuuuuuuuuu", "t, u"),
    Row("mfc0", "010000 00000 ttttt zzzzz 00000 000000", "t, z"),
    Row("mtc0", "010000 00100 ttttt zzzzz 00000 000000", "t, z"),
    Row("eret", "010000 1 0000000000000000000 011000"),
    Row("mfc1", "010001 00000 ttttt SSSSS 00000 000000", "t, S"),
    Row("mtc1", "010001 00100 ttttt SSSSS 00000 000000", "t, S"),
    Row("bc1f", "010001 01000 ccc 00 pppppppppppppppp", "c, p"),
    Row("bc1t", "010001 01000 ccc 01 pppppppppppppppp", "c, p"),
    *_floats("s", "10000", "d", "100001"),
    *_floats("d", "10001", "s", "100000"),
    Row("cvt.s.w", "010001 10100 00000 SSSSS DDDDD 100000", "D, S"),
    Row("cvt.d.w", "010001 10100 00000 SSSSS DDDDD 100001", "D, S"),
    Row("madd", "011100 sssss ttttt 00000 00000 000000", "s, t"),
    Row("maddu", "011100 sssss ttttt 00000 00000 000001", "s, t"),
    Row("mul", "011100 sssss ttttt ddddd 00000 000010", "d, s, t"),
    Row("msub", "011100 sssss ttttt 00000 00000 000100", "s, t"),
    Row("msubu", "011100 sssss ttttt 00000 00000 000101", "s, t"),
    Row("clz", "011100 sssss 00000 ddddd 00000 100000", "d, s"),
    Row("clo", "011100 sssss 00000 ddddd 00000 100001", "d, s"),
    Row("lb", "100000 sssss ttttt iiiiiiiiiiiiiiii", "t, i(s)"),
    Row("lh", "100001 sssss ttttt iiiiiiiiiiiiiiii", "t, i(s)"),
    Row("lwl", "100010 sssss ttttt iiiiiiiiiiiiiiii", "t, i(s)"),
    Row("lw", "100011 sssss ttttt iiiiiiiiiiiiiiii", "t, i(s)"),
    Row("lbu", "100100 sssss ttttt iiiiiiiiiiiiiiii", "t, i(s)"),
    Row("lhu", "100101 sssss ttttt iiiiiiiiiiiiiiii", "t, i(s)"),
    Row("lwr", "100110 sssss ttttt iiiiiiiiiiiiiiii", "t, i(s)"),
    Row("sb", "101000 sssss ttttt iiiiiiiiiiiiiiii", "t, i(s)"),
    Row("sh", "101001 sssss ttttt iiiiiiiiiiiiiiii", "t, i(s)"),
    Row("swl", "101010 sssss ttttt iiiiiiiiiiiiiiii", "t, i(s)"),
    Row("sw", "101011 sssss ttttt iiiiiiiiiiiiiiii", "t, i(s)"),
    Row("swr", "101110 sssss ttttt iiiiiiiiiiiiiiii", "t, i(s)"),
    Row("ll", "110000 sssss ttttt iiiiiiiiiiiiiiii", "t, i(s)"),
    Row("lwc1", "110001 sssss TTTTT iiiiiiiiiiiiiiii", "T, i(s)"),
    Row("ldc1", "110101 sssss TTTTT iiiiiiiiiiiiiiii", "T, i(s)"),
    Row("sc", "111000 sssss ttttt iiiiiiiiiiiiiiii", "t, i(s)"),
    Row("swc1", "111001 sssss TTTTT iiiiiiiiiiiiiiii", "T, i(s)"),
    Row("sdc1", "111101 sssss TTTTT iiiiiiiiiiiiiiii", "T, i(s)"),
)

_FLAG_0 = {"c": 0}

ALIASES = (
    Alias("nop", "sll", {"d": 0, "t": 0, "h": 0}),
    Alias("break", "break", {"b": 0}),
    Alias("jalr", "jalr", {"d": 31}),
    *(Alias(name, name, _FLAG_0) for name in ("movf", "movt", "movf.s", "movt.s", "movf.d", "movt.d", "bc1f", "bc1t")),
    *(Alias(name, name, _FLAG_0) for name in ("c.eq.s", "c.lt.s", "c.le.s", "c.eq.d", "c.lt.d", "c.le.d")),
)

TABLE = Table(WORD_BITS, OPERANDS, ROWS, ALIASES)


def disassemble(word: int, address: int = 0, image: Image | None = None) -> str:
    """``word`` as a basic instruction, ``addi $t0, $t0, 1``; any other word as ``.word 0x…``.

    Branches and jumps from ``address`` name the label that they lead to, where ``image`` has one, else the address.
    """

    def goal(target: int) -> str:
        label = image.label_at(target) if image is not None else None
        return label or f"0x{target & 0xFFFF_FFFF:08x}"

    def operand(row: Row, place: Field, value: int) -> str:
        match OPERANDS[place.letter].kind:
            case Kind.REGISTER:
                return f"${value}" if place.letter == "z" else REGISTER_NAMES[value]
            case Kind.FLOAT:
                return f"$f{value}"
            case Kind.RELATIVE:
                return goal(address + 4 + 4 * value)
            case Kind.TARGET:
                return goal((address + 4 & 0xF000_0000) | value << 2)
            case Kind.UNSIGNED if row.name in ("andi", "ori", "xori", "lui"):
                return f"0x{value:x}"
            case _:
                return str(value)

    return TABLE.written(word, operand) or f".word 0x{word:08x}"
