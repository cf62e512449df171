"""What the pseudo-instructions of SPIM and mipsy become, in the notation of ``pseudo``: MARS's rows, changed."""

from __future__ import annotations

from grader.machines.mips.pseudo import PSEUDOS, Pseudo

_NARROW = (
    Pseudo("seb a, b", "sll a, b, 24; sra a, a, 24"),
    Pseudo("seh a, b", "sll a, b, 16; sra a, a, 16"),
    Pseudo("rotr a, b, h", "sll $at, b, 32-h; srl a, b, h; or a, a, $at"),
    Pseudo("rotrv a, b, c", "subu $at, $0, c; sllv $at, b, $at; srlv a, b, c; or a, a, $at"),
)
"""Instructions of later MIPS processors, which this machine has in several words."""

_NOT_IN_SPIM = {"subi", "subiu", "mulu"}

_SPIM_ONLY = (
    *(Pseudo(f"{name} a, b", f"{name} a, a, b") for name in ("add", "addu", "sub", "subu", "and", "or", "xor", "nor", "mul", "slt", "sltu")),
    *(Pseudo(f"{name} a, i", f"{name} a, a, i") for name in ("addi", "addiu", "slti", "sltiu")),
    *(Pseudo(f"{name} a, i", f"{name}i a, a, i") for name in ("add", "addu") if name == "add"),
    Pseudo("addu a, i", "addiu a, a, i"),
    Pseudo("addu a, b, i", "addiu a, b, i"),
    Pseudo("sub a, i", "addi $at, $0, i; sub a, a, $at"),
    Pseudo("subu a, b, i", "addi $at, $0, i; subu a, b, $at"),
    Pseudo("slt a, b, i", "slti a, b, i"),
    Pseudo("sltu a, b, i", "sltiu a, b, i"),
    Pseudo("neg a", "sub a, $0, a"),
    Pseudo("not a", "nor a, a, $0"),
    Pseudo("abs a", "bgez a, 1; sub a, $0, a"),
    Pseudo("bal L", "bgezal $0, L"),
    *(Pseudo(f"{name} a, b, h", f"{name[:3]} a, b, h") for name in ("sllv", "srlv", "srav")),
    *(Pseudo(f"{name} a, b, c", f"{name}v a, b, c") for name in ("sll", "srl", "sra")),
    Pseudo("li.s f, w", "lui $at, hi(w); ori $at, $at, lo(w); mtc1 $at, f"),
    Pseudo("li.d f, w", "lui $at, hi(w); ori $at, $at, lo(w); mtc1 $at, f"),
    *_NARROW,
)  # fmt: skip

_SPIM_CHANGED = {
    "abs a, b": "addu a, $0, b; bgez b, 1; sub a, $0, b",
    "seq a, b, c": "beq c, b, 2; ori a, $0, 0; beq $0, $0, 1; ori a, $0, 1",
    "sne a, b, c": "beq c, b, 2; ori a, $0, 1; beq $0, $0, 1; ori a, $0, 0",
    "sge a, b, c": "bne c, b, 2; ori a, $0, 1; beq $0, $0, 1; slt a, c, b",
    "sgeu a, b, c": "bne c, b, 2; ori a, $0, 1; beq $0, $0, 1; sltu a, c, b",
    "sle a, b, c": "bne c, b, 2; ori a, $0, 1; beq $0, $0, 1; slt a, b, c",
    "sleu a, b, c": "bne c, b, 2; ori a, $0, 1; beq $0, $0, 1; sltu a, b, c",
}

_SPIM_FIRST = (
    Pseudo("bgt a, h, L", "slti $at, a, h+1; beq $at, $0, L"),
    Pseudo("ble a, h, L", "slti $at, a, h+1; bne $at, $0, L"),
    Pseudo("sub a, b, h", "addi a, b, 0-h"),
    Pseudo("sub a, h", "addi a, a, 0-h"),
    Pseudo("ulw a, h(b)", "lwl a, h+3(b); lwr a, h(b)"),
    Pseudo("li a, u", "ori a, $0, u"),
    Pseudo("li a, w", "lui $at, hi(w); ori a, $at, lo(w)"),
    Pseudo("beq a, u, L", "ori $at, $0, u; beq $at, a, L"),
    Pseudo("bne a, u, L", "ori $at, $0, u; bne $at, a, L"),
    Pseudo("mul a, b, u", "ori $at, $0, u; mul a, b, $at"),
    Pseudo("div a, b, u", "ori $at, $0, u; div b, $at; mflo a"),
    Pseudo("rem a, b, u", "ori $at, $0, u; div b, $at; mfhi a"),
)
"""Rows that are tried before those of MARS. Where SPIM adds to a number or negates it, only small ones are sure to fit."""

SPIM_PSEUDOS: tuple[Pseudo, ...] = (
    *_SPIM_FIRST,
    *(
        Pseudo(row.written, _SPIM_CHANGED.get(row.written, row.becomes))
        for row in PSEUDOS
        if row.name not in _NOT_IN_SPIM and row.name != "li"
    ),
    *_SPIM_ONLY,
)

_MIPSY_ONLY = (
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
    **{f"{name} a, b, c": f"{divide} b, c; {fetch} a" for name, divide, fetch in (
        ("div", "div", "mflo"), ("divu", "divu", "mflo"), ("rem", "div", "mfhi"), ("remu", "divu", "mfhi"),
    )},
}  # fmt: skip

_NOT_IN_MIPSY = {"mulo", "mulou"}
_FLOATING = {"lwc1", "ldc1", "swc1", "sdc1", "l.s", "s.s", "l.d", "s.d", "mfc1.d", "mtc1.d"}

MIPSY_PSEUDOS: tuple[Pseudo, ...] = (
    *(
        Pseudo(row.written, _MIPSY_CHANGED.get(row.written, row.becomes))
        for row in PSEUDOS
        if row.name not in _FLOATING | _NOT_IN_MIPSY
    ),
    *(row for row in _SPIM_ONLY if row.name not in ("bal", "abs", "li.s", "li.d")),
    *_MIPSY_ONLY,
)
