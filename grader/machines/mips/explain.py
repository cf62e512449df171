"""Advice for a student whose MIPS statement cannot be assembled: the usual slips, each with the right way to write it.

Facts about students, as tables; the assembler asks only when it has found an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from grader.machines.assembler import advice, nearest, short
from grader.machines.mips.dialect import DIALECTS, Dialect, classify
from grader.machines.mips.isa import REGISTER_NAMES

NO_SUCH_INSTRUCTION = {
    "mov": "write move $t0, $t1", "inc": "write addi $t0, $t0, 1", "dec": "write addi $t0, $t0, -1",
    "push": "write addi $sp, $sp, -4, then sw $t0, 0($sp)", "pop": "write lw $t0, 0($sp), then addi $sp, $sp, 4",
    "call": "write jal", "ret": "write jr $ra", "return": "write jr $ra", "goto": "write j", "jmp": "write j",
    "muli": "write mul $t0, $t1, 5", "divi": "write div $t0, $t1, 5", "lbi": "write li", "load": "write lw",
    "store": "write sw", "cmp": "compare and branch in one: blt $t0, $t1, label", "halt": "write li $v0, 10, then syscall",
    "exit": "write li $v0, 10, then syscall", "print": "write li $v0, 1 (number) or 4 (string), then syscall",
    "mod": "write rem $t0, $t1, $t2", "sbu": "write sb", "shu": "write sh", "subiu": "write addiu with the negative number",
    "subi": "write addi with the negative number", "bz": "write beqz", "bnz": "write bnez", "beqi": "write beq",
    "sys": "write syscall", "syscal": "write syscall", "end": "programs end by li $v0, 10 and syscall",
}  # fmt: skip
"""Instructions of other machines or dialects that students write, and how MIPS does it."""

_NO_SUCH_DIRECTIVE = {
    ".string": "write .asciiz", ".asciz": "write .asciiz", ".ascii_z": "write .asciiz", ".equ": "write .eqv NAME value",
    ".global": "write .globl", ".int": "write .word", ".long": "write .word", ".skip": "write .space", ".zero": "write .space",
    ".rodata": "write .data", ".code": "write .text", ".char": "write .byte", ".dword": "write .word, two for each value",
    ".end": "MARS needs no .end", ".ent": "MARS needs no .ent", ".endm": "write .end_macro",
}  # fmt: skip

DIALECT_SIGNS = tuple(
    (dialect, re.compile(pattern), what)
    for dialect, pattern, what in (
        ("spim", r"\A\s*+[\w.$]++\s*+:?=\s*[^=]", "NAME = value"),
        ("spim", r"^[^\"#']*(?<![\w.$])\.(?:rdata|sdata|ent|end|frame|mask|comm|lcomm|livereg)\b", "a directive of SPIM"),
        ("spim", r"^[^\"#]*\$s8\b", "$s8"),
        ("mipsy", r"\A\s*+(?:[\w.$]++\s*+:)?+\s*+(?:begin|end|p(?:ush|op)\s++\$\w++)\s*+(?:#.*)?$", "begin, end, push or pop"),
        ("mars", r"(?i)^[^\"#']*(?<![\w.$])\.(?:eqv|macro|include|end_macro)\b", "a directive of MARS"),
        ("mars", r"(?i)^[^\"#']*(?<![\w.$])(?:subi|subiu|mulu)\b", "an instruction of MARS"),
    )
)  # fmt: skip
"""Features of only one dialect: the dialect's name, a pattern of a line, and a description."""


def signs(lines: Iterable[str], dialect: str) -> list[tuple[str, str, int]]:
    """Signs of other dialects in a source: dialect, what it is, and the number of its line."""
    seen = []
    for number, line in enumerate(lines, 1):
        for name, pattern, what in DIALECT_SIGNS:
            known_to_both = dialect == "mipsy" and what == "NAME = value"
            if name != dialect and not known_to_both and len(line) < 1000 and pattern.search(line):
                seen.append((name, what, number))
    return seen


def unknown_operator(word: str, operands: Sequence[str], rules: Dialect) -> str:
    """Advice on a word that is no instruction."""
    lower = word.lower()
    if rules.small_letters and word != lower and lower in rules.forms.by_name:
        return f"{rules.title} knows instructions in small letters only: {lower}"
    if operands[:1] == ["="] or "=" in word[1:]:
        return f"NAME = value is SPIM's; in MARS write .eqv {word.partition('=')[0]} value"
    others = " and ".join(other.title for other in DIALECTS.values() if lower in other.forms.by_name)
    if others:
        instead = NO_SUCH_INSTRUCTION.get(lower, f"write it with what {rules.title} has")
        return f"this is an instruction of {others}, not of {rules.title}; {instead}"
    if lower in NO_SUCH_INSTRUCTION:
        return NO_SUCH_INSTRUCTION[lower]
    return _misspelt(word, operands, rules)


def _misspelt(word: str, operands: Sequence[str], rules: Dialect) -> str:
    if f".{word.lower()}" in rules.directives:
        return f"a directive begins with a dot: .{word.lower()}"
    if word.startswith(("//", ";", "--", "/*", "*", "!", "%", "@")):
        return "a comment begins with #"
    if word == ":":
        return "one label in a line; put the second in a line of its own"
    close = nearest(word, rules.forms.by_name, 0.7)
    if close:
        return f"did you mean {close}?"
    if operands:
        return "a comment begins with #, a label ends with a colon"
    return f"a label ends with a colon: {short(word)}:"


def unknown_directive(word: str, rules: Dialect) -> str:
    """Advice on a directive that does not exist."""
    if word.lower() in _NO_SUCH_DIRECTIVE and rules.name == "mars":
        return _NO_SUCH_DIRECTIVE[word.lower()]
    close = nearest(word, rules.directives)
    return f"did you mean {close}?" if close else "delete the line if nothing needs it"


# Each row: mnemonic and shape of the operands (n for any number), and what to say. {op} is the mnemonic, {0}, {1} the words.
_MISUSES = (
    (r"[ls](w|hu?|bu?) rr", "to use the address in {1}, write {op} {0}, 0({1})"),
    (r"(add|sub|mul|and|or|xor|rem)[iu]* rr", "write where the result goes, and both values: {op} {0}, {0}, {1}"),
    (r"(add|sub|mul)[iu]* rn", "write where the result goes, and both values: {op} {0}, {0}, {1}"),
    (r"(add|sub|mul|div|rem)[iu]* rr?L", "{op} takes registers and numbers; load the label's value with lw first"),
    (r"li rL", "li takes a number; for the address of {1} write la {0}, {1}, for the value there lw {0}, {1}"),
    (r"li rr", "to copy a register write move {0}, {1}"),
    (r"move rn", "move copies a register; for a number write li {0}, {1}"),
    (r"move rL", "move copies a register; for an address write la {0}, {1}"),
    (r"la rr", "to copy a register write move {0}, {1}"),
    (r"j r", "j takes a label; to jump to the address in {0} write jr {0}"),
    (r"jal r", "jal takes a label; to call the address in {0} write jalr {0}"),
    (r"jr L", "jr takes a register; to jump to a label write j {0}"),
    (r"jr", "also write the register: jr $ra"),
    (r"\A(j|jal|b\w*+) .*n", "a place to go to is a label, not a number"),
    (r"(syscall|nop|eret) .+", "{op} stands alone; the service goes into $v0 before it"),
    (r"(mult|div)u? r", "write both values: {op} {0}, $t1"),
)  # fmt: skip


def wrong_operands(name: str, operands: Sequence[str], rules: Dialect) -> str:
    """Advice on operands that no form takes: the slip, or ways to write the instruction."""
    kinds = [classify(word, rules.name)[0] for word in operands]
    for word, kind in zip(operands, kinds, strict=True):
        if slip := _bad_word(word, kind):
            return slip
    if slip := advice(_MISUSES, f"{name} {re.sub('[0-4]', 'n', ''.join(kinds))}", operands):
        return slip
    ways = [form.example for form in rules.forms.by_name[name][:4]]
    return f"{name} is written {' or '.join(ways)}"


def _bad_word(word: str, kind: str) -> str:
    """Advice on an operand that no instruction takes; empty for other operands."""
    if kind == "L" and word[0] == "$":
        return bad_register(word)
    if kind == "L" and f"${word}" in _REGISTER_WORDS:
        return f"a register begins with $: ${word}"
    if re.fullmatch(r"[0-9]+[bf]", word):
        return _GNU_LABEL
    if kind == "e":
        return f"{short(word)} is no register, number or label"
    if kind == "x":
        return "instructions take whole numbers; a real number is loaded from memory with l.s or l.d"
    return ""


_GNU_LABEL = "labels such as 1b and 1f are GNU's; give the label a name"
_REGISTER_WORDS = frozenset(f"${name}{number}" for name in "tsavk" for number in range(10)) | {*REGISTER_NAMES}


def bad_register(word: str) -> str:
    """Advice on a word that looks like a register."""
    if word == "$s8":
        return "MARS has no $s8; write $fp"
    if word.lower() in _REGISTER_WORDS:
        return f"registers are written in small letters: {word.lower()}"
    return f"{short(word)} is no register: there are $zero $at $v0-$v1 $a0-$a3 $t0-$t9 $s0-$s7 $k0-$k1 $gp $sp $fp $ra, $0-$31, $f0-$f31"


def undefined(name: str, labels: Iterable[str]) -> str:
    """Advice on a label that the file does not define."""
    if name[0] == "$":
        return bad_register(name)
    if f"${name}" in _REGISTER_WORDS:
        return f"a register begins with $: ${name}"
    if similar := nearest(name, labels):
        return f"did you mean {short(similar)}?"
    return f"write {short(name)}: before the line that it names"
