"""Advice for a student whose LC-3 statement cannot be assembled: the usual slips, each with the right way to write it.

Facts about students, as tables; the assembler asks only when it has found an error.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from grader.machines.assembler import advice, nearest, short
from grader.machines.lc3.dialect import DIRECTIVES, FORMS, OPERATIONS, REGISTERS, number
from grader.machines.lc3.isa import TABLE
from grader.machines.table import Kind, Slot

NO_SUCH_INSTRUCTION = {
    "SUB": "the LC-3 has no SUB; to subtract R2: NOT R2, R2, then ADD R2, R2, #1, then ADD",
    "MUL": "the LC-3 has no MUL; add in a loop",
    "DIV": "the LC-3 has no DIV; subtract in a loop",
    "OR": "the LC-3 has no OR; a OR b is NOT (NOT a AND NOT b)",
    "XOR": "the LC-3 has no XOR; build it from AND and NOT",
    "INC": "write ADD R0, R0, #1",
    "DEC": "write ADD R0, R0, #-1",
    "CLR": "write AND R0, R0, #0",
    "NEG": "write NOT R0, R0, then ADD R0, R0, #1",
    "MOV": "write ADD R0, R1, #0 to copy R1 into R0",
    "MOVE": "write ADD R0, R1, #0 to copy R1 into R0",
    "CMP": "the LC-3 has no CMP; subtract, then branch on the result",
    "PUSH": "write ADD R6, R6, #-1, then STR R0, R6, #0",
    "POP": "write LDR R0, R6, #0, then ADD R6, R6, #1",
    "CALL": "write JSR",
    "RTS": "write RET",
    "IRET": "write RTI",
    "RETURN": "write RET",
    "JUMP": "write BR for a label, JMP for a register",
    "GOTO": "write BR",
    "B": "write BR",
    "STOP": "write HALT",
    "PRINT": "write OUT for a character, PUTS for a string",
    "READ": "write GETC",
}
"""Instructions of other machines that students write, and how the LC-3 does it."""

_NO_SUCH_DIRECTIVE = {
    ".ASCII": "write .STRINGZ",
    ".ASCIIZ": "this is a directive of MIPS; write .STRINGZ",
    ".ASCIZ": "write .STRINGZ",
    ".STRING": "write .STRINGZ",
    ".WORD": "this is a directive of MIPS; write .FILL",
    ".BYTE": "this is a directive of MIPS; write .FILL, one for each value",
    ".SPACE": "this is a directive of MIPS; write .BLKW",
    ".DATA": "this is a directive of MIPS; on the LC-3 data stands among the code, after HALT",
    ".TEXT": "this is a directive of MIPS; begin with .ORIG x3000",
    ".GLOBL": "this is a directive of MIPS; LC-3 labels need no declaration",
    ".SET": "LC-3 assemblers have no constants; write the number, or .FILL it and LD it",
    ".EQU": "LC-3 assemblers have no constants; write the number, or .FILL it and LD it",
    ".EXTERNAL": "a program is one file here; put the other file's text into it",
}

_BRANCH = re.compile("BR[NZP]{2,3}")

# Each row has the mnemonic, the kinds of the operands, and the advice.
# Kinds: r is a register, n a number, s a string, l any other word. In advice {op} is the mnemonic; {0}, {1}, {2} are operands.
_MISUSES = (
    (r"JSR r", "JSR takes a label; to call the subroutine whose address is in {0}, write JSRR {0}"),
    (r"JSRR [ln]", "JSRR takes a register; to call a label, write JSR {0}"),
    (r"JMP [ln]", "JMP takes a register; to jump to a label, write BR {0}"),
    (r"BR[nzp]* r", "{op} takes a label; to jump to the address in {0}, write JMP {0}"),
    (r"BR[nzp]* r.+", "{op} compares nothing: it tests the last result that was written to a register; write {op} and a label"),
    (r"LDR rrl", "the last operand of LDR is a number; to load from a label, write LD {0}, {2}"),
    (r"STR rrl", "the last operand of STR is a number; to store to a label, write ST {0}, {2}"),
    (r"LDR rr", "also write the offset: LDR {0}, {1}, #0"),
    (r"STR rr", "also write the offset: STR {0}, {1}, #0"),
    (r"LDR rl", "to load from a label, write LD {0}, {1}"),
    (r"STR rl", "to store to a label, write ST {0}, {1}"),
    (r"LDI? rrn", "to load from the address in {1}, write LDR {0}, {1}, {2}"),
    (r"LDI? rr", "to load from the address in {1}, write LDR {0}, {1}, #0"),
    (r"STI? rrn", "to store to the address in {1}, write STR {0}, {1}, {2}"),
    (r"STI? rr", "to store to the address in {1}, write STR {0}, {1}, #0"),
    (r"LEA rr.?", "to copy a register, write ADD {0}, {1}, #0"),
    (r"(ADD|AND) rr[l]", "{op} takes a register or a number at the end; load {2} into a register with LD first, and name that"),
    (r"(ADD|AND) r[nl]", "write where the result goes, and both values: {op} {0}, {0}, {1}"),
    (r"(ADD|AND) rr", "write where the result goes, and both values: {op} {0}, {0}, {1}"),
    (r"(ADD|AND) rnr", "the register comes before the number: {op} {0}, {2}, {1}"),
    (r"(ADD|AND) rnn", "only the last operand can be a number; put {1} into a register first"),
    (r"NOT r", "also write where the result goes: NOT {0}, {0}"),
    (r"NOT .*", "NOT takes two registers: NOT R0, R1"),
    (r"TRAP l", "a trap vector is a number, such as x25; names such as HALT stand alone, without TRAP"),
    (r"PUTS [ls]", "PUTS prints the string whose address is in R0: write LEA R0, LABEL before it"),
    (r"(GETC|OUT|PUTC|PUTS|IN|PUTSP) .+", "{op} stands alone: it works on R0"),
    (r"(HALT|RET|RTI) .+", "{op} stands alone"),
    (r"\.FILL s", ".FILL makes one word; for a character write 'A', for a text .STRINGZ"),
    (r"\.FILL ..+", "write one .FILL for each value"),
    (r"\.FILL", "write the value, or .FILL 0"),
    (r"\.BLKW.*", ".BLKW takes how many words to reserve, as a number: .BLKW 10"),
    (r"\.STRINGZ.*", 'write one text in double quotes: .STRINGZ "hello"'),
    (r"\.ORIG.*", "write the address where the program goes: .ORIG x3000"),
)  # fmt: skip


def kinds(operands: Sequence[str]) -> str:
    """One letter for each operand: r register, n number, s string, l any other word."""
    return "".join(map(_kind, operands))


def _kind(word: str) -> str:
    if word in REGISTERS:
        return "r"
    if word[0] == '"':
        return "s"
    return "l" if number(word) is None else "n"


def misuse(mnemonic: str, operands: Sequence[str]) -> str:
    """Advice on operands that ``mnemonic`` does not take."""
    if operands and operands[0].upper() in DIRECTIVES:
        return f"{mnemonic} is an instruction and cannot be a label"
    stray = _stray_word(operands)
    if stray:
        return stray
    usual = "registers are R0 to R7; numbers are written #5, x1F or b101; a label is a name"
    return advice(_MISUSES, f"{mnemonic} {kinds(operands)}", operands) or usual


def _stray_word(operands: Sequence[str]) -> str:
    """Advice on the first operand that no instruction takes; empty if there is no such operand."""
    for word, following in pairwise((*operands, "")):
        if word == "#" and following and number(following) is not None:
            return f"# and its number are one word: #{short(following)}"
        if word.startswith(("//", "#")) and number(word) is None:
            return "a comment begins with ;"
        if word.upper() in OPERATIONS:
            return "write each instruction on a line of its own"
        if word[0] in "[(" or word[-1] in "])":
            return "operands are written without brackets: LDR R0, R1, #0"
    return ""


def usage(mnemonic: str) -> str:
    """How an instruction is written: ``ADD is written ADD DR, SR1, SR2 or ADD DR, SR1, imm5``."""
    ways = [re.sub(r"PCoffset\d+", "LABEL", TABLE.usage(form)) for form in FORMS[mnemonic]]
    return f"{mnemonic} takes no operands" if ways == [mnemonic] else f"{mnemonic} is written {' or '.join(ways)}"


def unknown_mnemonic(word: str) -> str:
    """Advice on a word that is no instruction."""
    upper = word.upper()
    if upper in NO_SUCH_INSTRUCTION:
        return NO_SUCH_INSTRUCTION[upper]
    if _BRANCH.fullmatch(upper):
        proper = "BR" + "".join(letter for letter in "nzp" if letter.upper() in upper[2:])
        return f"the conditions are written in the order n, z, p: {proper}"
    if f".{upper}" in DIRECTIVES:
        return f"a directive begins with a dot: .{upper}"
    if word.startswith(("//", "#", "--", "/*", "*", "!", "%", "@")):
        return "a comment begins with ;"
    close = nearest(word, OPERATIONS)
    if close:
        return f"did you mean {OPERATIONS[close]}?"
    return "a comment begins with ; and a label is one word"


def unknown_directive(word: str) -> str:
    """Advice on a directive that does not exist."""
    if word.upper() in _NO_SUCH_DIRECTIVE:
        return _NO_SUCH_DIRECTIVE[word.upper()]
    close = nearest(word, DIRECTIVES)
    return f"did you mean {close}?" if close else f"there are {', '.join(DIRECTIVES)}"


def bounds(slot: Slot) -> str:
    """The range of an operand as the manual's reader knows it: ``-16…15``, ``x00…xFF``."""
    if slot.kind is Kind.UNSIGNED:
        return f"x{slot.least:02X}…x{slot.greatest:02X}"
    return f"{slot.least}…{slot.greatest}"


def out_of_range(mnemonic: str, slot: Slot, written: str, value: int) -> str:
    """Advice on a number that does not fit its field."""
    if slot.kind is Kind.RELATIVE:
        return "a number here is a distance in words, not an address or a value; use a label"
    if slot.kind is Kind.UNSIGNED:
        return "the trap vectors are x20 to x25"
    if slot.greatest < value <= slot.mask and any(letter in written for letter in "xXbB"):
        return f"for the number with these bits write #{value - slot.mask - 1}"
    if mnemonic in ("LDR", "STR"):
        return "add the rest to the base register first"
    return "put it into memory with .FILL and load it with LD" + ", or add in steps" * (mnemonic == "ADD")


def too_far(mnemonic: str, name: str) -> str:
    """How to reach a label that is too far away."""
    if mnemonic.startswith("BR"):
        return f"near here, write a label and .FILL {name}; LD that into a register and JMP to it"
    if mnemonic == "JSR":
        return f"near here, write a label and .FILL {name}; LD that into a register and use JSRR"
    indirect = {"LD": "use LDI with that label", "ST": "use STI with that label", "LEA": "LD that label instead"}
    return f"move {name} nearer, or write a label and .FILL {name} near here and {indirect.get(mnemonic, 'use that')}"


def undefined(name: str, similar: str) -> str:
    """Advice on a label that is not defined; ``similar`` is the nearest defined one, or empty."""
    if name == "#":
        return "a number is written #5, x1F or b101"
    if bad_register(name):
        return bad_register(name)
    if name.upper() in OPERATIONS:
        return f"{OPERATIONS[name.upper()]} is an instruction and cannot be a label"
    if re.fullmatch(r".+[-+][0-9]+", name):
        return "labels cannot be used in arithmetic; give the word its own label"
    if similar:
        return f"did you mean {similar}?"
    return f"write {name[:20]} at the beginning of the line that it names"


_BAD_NUMBERS = (
    (r"(?i)#[-+]?x-?[0-9a-f]+", "# is for decimal numbers; write {0}"),
    (r"(?i)#[-+]?[0-9a-f]+", "# is for decimal numbers; if it is hexadecimal, write x{0}"),
    (r"(?i)[0-9][0-9a-f]*", "a hexadecimal number begins with x: x{0}"),
    (r"(?i)0?x[0-9a-z]+", "a hexadecimal number has the digits 0…9 and A…F"),
    (r"#[^])]+", "a number is written #5, x1F or b101"),
    (r"'.*", "a character is one sign in single quotes, such as 'A'"),
)


def bad_number(word: str) -> str:
    """Advice on a word that was meant as a number; empty for other words."""
    return advice(_BAD_NUMBERS, word, [word.lstrip("#")])


def bad_register(word: str) -> str:
    """Advice on a word that looks like a register but is not one; empty for other words."""
    looks_like_one = word not in REGISTERS and re.fullmatch("[rR][0-9]+", word)
    return "the registers are R0 to R7" if looks_like_one else ""
