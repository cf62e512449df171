"""The pseudo-instructions of SPIM and mipsy, in the notation of ``pseudo``: MARS's rows, changed."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from grader.machines.mips.pseudo import PSEUDOS, Pseudo

_NARROW = (
    Pseudo("seb a, b", "sll a, b, 24; sra a, a, 24"),
    Pseudo("seh a, b", "sll a, b, 16; sra a, a, 16"),
    Pseudo("rotr a, b, h", "sll $at, b, 32-h; srl a, b, h; or a, a, $at"),
    Pseudo("rotrv a, b, c", "subu $at, $0, c; sllv $at, b, $at; srlv a, b, c; or a, a, $at"),
)
"""Instructions of later MIPS processors, which this machine has in several words."""

_NOT_IN_SPIM = {"subi", "subiu", "mulu", "li"}  # its li comes of the value, and of rows of its own

_DIVISIONS = (("div", "div", "mflo"), ("divu", "divu", "mflo"), ("rem", "div", "mfhi"), ("remu", "divu", "mfhi"))
"""Instructions that divide and give a quotient or a remainder: the name, the instruction, and the register of the result."""


def _adapted(changed: Mapping[str, str], lacking: Container[str]) -> Iterator[Pseudo]:
    """The rows of MARS for another assembler: some become something else, and some names it does not have."""
    return (Pseudo(row.written, changed.get(row.written, row.becomes)) for row in PSEUDOS if row.name not in lacking)


_TWO_REGISTERS = tuple(
    Pseudo(f"{name} a, b", f"{name} a, a, b") for name in ("add", "addu", "sub", "subu", "and", "or", "xor", "nor", "mul", "slt", "sltu")
)  # fmt: skip

_SHORT = (
    *(Pseudo(f"{name} a, i", f"{name} a, a, i") for name in ("addi", "addiu", "slti", "sltiu")),
    Pseudo("add a, i", "addi a, a, i"),
    Pseudo("addu a, i", "addiu a, a, i"),
    Pseudo("sub a, i", "addi $at, $0, i; sub a, a, $at"),
    Pseudo("slt a, b, i", "slti a, b, i"),
    Pseudo("sltu a, b, i", "sltiu a, b, i"),
    *(Pseudo(f"{name} a, b, h", f"{name[:3]} a, b, h") for name in ("sllv", "srlv", "srav")),
    *(Pseudo(f"{name} a, b, c", f"{name}v a, b, c") for name in ("sll", "srl", "sra")),
    *_NARROW,
)
"""Rows that SPIM and mipsy both add."""


def _logical(name: str) -> Iterator[Pseudo]:
    """A logical operation with numbers that its own instruction does not hold; with one register, the result is there too."""
    for written, b in ((f"{name} a, b", "b"), (f"{name} a", "a")):
        if name == "nor":
            yield Pseudo(f"{written}, u", f"ori $at, $0, u; nor a, {b}, $at")
        yield Pseudo(f"{written}, w", f"lui $at, hi(w); ori $at, $at, lo(w); {name} a, {b}, $at")


_SPIM_ONLY = (
    *(row for name in ("and", "or", "xor", "nor") for row in _logical(name)),
    Pseudo("add a, w", "lui $at, hi(w); ori $at, $at, lo(w); add a, a, $at"),
    Pseudo("slt a, i", "slti a, a, i"),
    Pseudo("sltu a, i", "sltiu a, a, i"),
    Pseudo("jal a", "jalr a"),
    Pseudo("jalr L", "jal L"),
    Pseudo("j a", "jr a"),
    Pseudo("jr L", "j L"),
    Pseudo("bal L", "bgezal $0, L"),
    Pseudo("li.s f, w", "lui $at, hi(w); ori $at, $at, lo(w); mtc1 $at, f"),
    Pseudo("li.d f, w", "lui $at, hi(w); ori $at, $at, lo(w); mtc1 $at, f"),
)

_SPIM_CHANGED = {
    "abs a, b": "addu a, $0, b; bgez b, 1; sub a, $0, b",
    "seq a, b, c": "beq c, b, 2; ori a, $0, 0; beq $0, $0, 1; ori a, $0, 1",
    "sne a, b, c": "beq c, b, 2; ori a, $0, 1; beq $0, $0, 1; ori a, $0, 0",
    "sge a, b, c": "bne c, b, 2; ori a, $0, 1; beq $0, $0, 1; slt a, c, b",
    "sgeu a, b, c": "bne c, b, 2; ori a, $0, 1; beq $0, $0, 1; sltu a, c, b",
    "sle a, b, c": "bne c, b, 2; ori a, $0, 1; beq $0, $0, 1; slt a, b, c",
    "sleu a, b, c": "bne c, b, 2; ori a, $0, 1; beq $0, $0, 1; sltu a, b, c",
}

_COMPARED = {
    **{written.split()[0]: row.replace("c", "$at") for written, row in _SPIM_CHANGED.items() if written[0] == "s"},
    "sgt": "slt a, $at, b",
    "sgtu": "sltu a, $at, b",
}
"""The rows of a comparison with a number, once the number is in ``$at``."""

_SPIM_FIRST = (
    *(Pseudo(f"{name} a, b, u", f"ori $at, $0, u; {becomes}") for name, becomes in _COMPARED.items()),
    Pseudo("bgt a, h, L", "slti $at, a, h+1; beq $at, $0, L"),
    Pseudo("ble a, h, L", "slti $at, a, h+1; bne $at, $0, L"),
    Pseudo("addu a, b, i", "addiu a, b, i"),
    Pseudo("sub a, b, h", "addi a, b, 0-h"),
    Pseudo("sub a, h", "addi a, a, 0-h"),
    Pseudo("subu a, b, h", "addiu a, b, 0-h"),
    Pseudo("subu a, h", "addiu a, a, 0-h"),
    Pseudo("subu a, w", "lui $at, hi(w); ori $at, $at, lo(w); subu a, a, $at"),
    Pseudo("ulw a, h(b)", "lwl a, h+3(b); lwr a, h(b)"),
    Pseudo("ld a, h(b)", "lw a, h(b); lw a+1, h+4(b)"),
    Pseudo("sd a, h(b)", "sw a, h(b); sw a+1, h+4(b)"),
    Pseudo("l.s f, i(b)", "lwc1 f, i(b)"),
    Pseudo("s.s f, i(b)", "swc1 f, i(b)"),
    Pseudo("la a, i(b)", "addi a, b, i"),
    Pseudo("la a, u", "ori a, $0, u"),
    Pseudo("li a, u", "ori a, $0, u"),
    Pseudo("li a, w", "lui $at, hi(w); ori a, $at, lo(w)"),
    Pseudo("beq a, u, L", "ori $at, $0, u; beq $at, a, L"),
    Pseudo("bne a, u, L", "ori $at, $0, u; bne $at, a, L"),
    Pseudo("mul a, b, u", "ori $at, $0, u; mul a, b, $at"),
    *(Pseudo(f"{name} a, b, u", f"ori $at, $0, u; {divide} b, $at; {fetch} a") for name, divide, fetch in _DIVISIONS),
)
"""Rows that are tried before those of MARS. If SPIM adds to a number or negates it, only small ones are sure to fit."""

SPIM_PSEUDOS = (*_SPIM_FIRST, *_adapted(_SPIM_CHANGED, _NOT_IN_SPIM), *_SHORT, *_SPIM_ONLY)

_MIPSY_ONLY = (
    Pseudo("neg a", "sub a, $0, a"),
    Pseudo("not a", "nor a, a, $0"),
    *(Pseudo(f"{name} a, h", f"{name} a, a, h") for name in ("sll", "srl", "sra")),
    Pseudo("push a", "addiu $sp, $sp, -4; sw a, 0($sp)"),
    Pseudo("pop a", "lw a, 0($sp); addiu $sp, $sp, 4"),
    Pseudo("begin", "addiu $sp, $sp, -4; sw $fp, 0($sp); addu $fp, $0, $sp"),
    Pseudo("end", "addiu $sp, $fp, 4; lw $fp, 0($fp)"),
    Pseudo("incr a", "addi a, a, 1"),
    Pseudo("decr a", "addi a, a, -1"),
    Pseudo("copy a, b", "addu a, $0, b"),
    Pseudo("bal L", "bgezal $0, L"),
    Pseudo("mod a, b, c", "div b, c; mfhi a"),
    Pseudo("modu a, b, c", "divu b, c; mfhi a"),
    Pseudo("zeb a, b", "andi a, b, 255"),
    Pseudo("zeh a, b", "andi a, b, 65535"),
)
_MIPSY_CHANGED = {
    "li a, i": "addi a, $0, i",
    "li a, w": "lui a, hi(w); ori a, a, lo(w)",
    # A divisor of 0 is the machine's to tell there: no instructions look for it.
    **{f"{name} a, b, c": f"{divide} b, c; {fetch} a" for name, divide, fetch in _DIVISIONS},
}

_NOT_IN_MIPSY = {"mulo", "mulou"}
_FLOATING = {"lwc1", "ldc1", "swc1", "sdc1", "l.s", "s.s", "l.d", "s.d", "mfc1.d", "mtc1.d"}

MIPSY_PSEUDOS = (*_adapted(_MIPSY_CHANGED, _FLOATING | _NOT_IN_MIPSY), *_TWO_REGISTERS, *_SHORT, *_MIPSY_ONLY)
