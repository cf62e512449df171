"""What to say to a student whose MIPS statement cannot be assembled: the usual slips, each with what to write instead.

Facts about students, as tables; the assembler asks only when it has found an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from grader.machines.assembler import nearest, short
from grader.machines.mips.dialect import DIALECTS, MARS_DIRECTIVES, Dialect, classify

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
"""What students write who come from another machine or dialect, and how MIPS does it."""

_NO_SUCH_DIRECTIVE = {
    ".string": "write .asciiz", ".asciz": "write .asciiz", ".ascii_z": "write .asciiz", ".equ": "write .eqv NAME value",
    ".global": "write .globl", ".int": "write .word", ".long": "write .word", ".skip": "write .space", ".zero": "write .space",
    ".rodata": "write .data", ".code": "write .text", ".char": "write .byte", ".dword": "write .word, two for each value",
    ".end": "MARS needs no .end", ".ent": "MARS needs no .ent", ".endm": "write .end_macro",
}  # fmt: skip

DIALECT_SIGNS = (
    ("spim", re.compile(r"^\s*[\w.$]+\s*:?=\s*[^=]"), "NAME = value"),
    (
        "spim",
        re.compile(r"^[^\"#']*(?<![\w.$])\.(?:rdata|sdata|ent|end|frame|mask|comm|lcomm|livereg)\b"),
        "a directive of SPIM",
    ),
    ("spim", re.compile(r"^[^\"#]*\$s8\b"), "$s8"),
    (
        "mipsy",
        re.compile(r"^[^\"#]*(?<![\w.$])(?:begin|end|push\s+\$\w+|pop\s+\$\w+)\s*(?:#.*)?$"),
        "begin, end, push or pop",
    ),
    (
        "mars",
        re.compile(r"^[^\"#']*(?<![\w.$])\.(?:eqv|macro|include|end_macro)\b", re.IGNORECASE),
        "a directive of MARS",
    ),
    ("mars", re.compile(r"^[^\"#']*(?<![\w.$])(?:subi|subiu|mulu)\b", re.IGNORECASE), "an instruction of MARS"),
)
"""What only one dialect has: its name, a pattern of a line, and what that is."""


def signs(lines: Iterable[str], dialect: str) -> list[tuple[str, str, int]]:
    """Signs of other dialects in a source: dialect, what it is, and the number of its line."""
    found = []
    for number, line in enumerate(lines, 1):
        for name, pattern, what in DIALECT_SIGNS:
            if name != dialect and len(line) < 1000 and pattern.search(line):
                found.append((name, what, number))
    return found


def unknown_operator(word: str, operands: Sequence[str], rules: Dialect) -> str:
    """What to write instead of a word that is no instruction."""
    lower = word.lower()
    if operands[:1] == ["="] or "=" in word:
        return f"NAME = value is SPIM's; in MARS write .eqv {word.partition('=')[0]} value"
    others = [dialect.title for dialect in DIALECTS.values() if dialect is not rules and lower in dialect.forms.by_name]
    if lower in NO_SUCH_INSTRUCTION:
        known = f" ({' and '.join(others)} has it)" if others else ""
        return NO_SUCH_INSTRUCTION[lower] + known
    if others:
        return f"this is an instruction of {' and '.join(others)}, not of {rules.title}"
    if f".{lower}" in rules.directives:
        return f"a directive begins with a dot: .{lower}"
    if word.startswith(("//", ";", "--", "/*", "*", "!", "%", "@")):
        return "a comment begins with #"
    if word == ":":
        return "one label in a line; put the second in a line of its own"
    close = nearest(word, rules.forms.by_name, 0.7)
    if close:
        return f"did you mean {close}?"
    return (
        f"a label ends with a colon: {short(word)}:"
        if not operands
        else "a comment begins with #, a label ends with a colon"
    )


def unknown_directive(word: str, rules: Dialect) -> str:
    """What to write instead of a directive that does not exist."""
    if word.lower() in _NO_SUCH_DIRECTIVE and rules.name == "mars":
        return _NO_SUCH_DIRECTIVE[word.lower()]
    close = nearest(word, rules.directives)
    return f"did you mean {close}?" if close else "delete the line if nothing needs it"


def wrong_operands(name: str, operands: Sequence[str], rules: Dialect) -> str:
    """What to write instead of operands that no form takes: the slip, or all ways to write the instruction."""
    for at, word in enumerate(operands):
        kind = classify(word, rules.name)[0]
        if kind == "L" and word[0] == "$":
            return bad_register(word)
        if kind == "L" and f"${word}" in _REGISTER_WORDS:
            return f"a register begins with $: ${word}"
        if kind == "e":
            return f"{short(word)} is no register, number or label"
        if kind == "x":
            return "this instruction takes whole numbers; a real number is loaded from memory with l.s or l.d"
        if kind in "01234" and at + 3 < len(operands) and operands[at + 1] == "(" and name in ("lw", "sw"):
            break
    if (
        name in ("lw", "sw", "lb", "sb", "lbu", "lh", "sh")
        and len(operands) == 2
        and classify(operands[1], rules.name)[0] == "r"
    ):
        return f"to use the address in {operands[1]}, write {name} {operands[0]}, 0({operands[1]})"
    if name in ("add", "sub", "mul", "addi", "mult", "and", "or") and len(operands) == 2:
        return f"write where the result goes, and both values: {name} {operands[0]}, {operands[0]}, {operands[1]}"
    if name == "li" and len(operands) == 2 and classify(operands[1], rules.name)[0] == "L":
        return f"li takes a number; for the address of {short(operands[1])} write la"
    if name == "li" and len(operands) == 2 and classify(operands[1], rules.name)[0] == "r":
        return f"to copy a register write move {operands[0]}, {operands[1]}"
    if name == "move" and len(operands) == 2:
        return f"move copies a register; for a number write li {operands[0]}, {short(operands[1])}"
    if name in ("j", "jal") and operands[:1] and classify(operands[0], rules.name)[0] == "r":
        return f"{name} takes a label; to jump to the address in {operands[0]} write {'jr' if name == 'j' else 'jalr'} {operands[0]}"
    if name == "jr":
        return "jr takes a register; to jump to a label write j"
    ways = [form.example for form in rules.forms.by_name[name][:4]]
    return f"{name} is written {' or '.join(ways)}"


_REGISTER_WORDS = {f"${name}{number}" for name in "tsavk" for number in range(10)} | {
    "$zero",
    "$sp",
    "$ra",
    "$fp",
    "$gp",
    "$at",
}


def bad_register(word: str) -> str:
    """What is wrong with a word that looks like a register."""
    if word == "$s8":
        return "MARS has no $s8; write $fp"
    if word.lower() in _REGISTER_WORDS:
        return f"registers are written in small letters: {word.lower()}"
    return f"{short(word)} is no register: there are $zero $at $v0-$v1 $a0-$a3 $t0-$t9 $s0-$s7 $k0-$k1 $gp $sp $fp $ra, $0-$31, $f0-$f31"


def undefined(name: str, similar: str) -> str:
    """What to do about a label that is not defined; ``similar`` is the nearest one that is, or empty."""
    if name[0] == "$":
        return bad_register(name)
    if f"${name}" in _REGISTER_WORDS:
        return f"a register begins with $: ${name}"
    if re.fullmatch(r"[0-9]+[bf]", name):
        return "labels such as 1b and 1f are GNU's; give the label a name"
    if similar:
        return f"did you mean {short(similar)}?"
    return f"write {short(name)}: before the line that it names"


def is_directive_elsewhere(word: str) -> bool:
    """Whether any dialect knows this directive."""
    return word.lower() in MARS_DIRECTIVES or any(word.lower() in dialect.directives for dialect in DIALECTS.values())
