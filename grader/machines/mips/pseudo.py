"""The pseudo-instructions of MARS 4.5: 388 rows, each a way of writing and the basic instructions that it becomes.

The left side names the operands by one letter each, the right side uses them:

- ``a``, ``b``, ``c``: general registers; ``a+1`` is the next one
- ``f``: a floating-point register
- ``h``: a number 0…31
- ``i``: a number -32768…32767
- ``u``: a number 0…65535
- ``w``: any number of 32 bits
- ``L``: a label; ``L+w`` is a label and a number, whose sum the right side calls L

``hi(x)`` and ``lo(x)`` are the upper and the lower half of a word. ``ha(x)`` is the upper half for use before an
instruction that extends the sign of ``lo(x)``: one more where bit 15 is set. A constant may be added: ``lo(w+3)``.

Rows are tried in this order, after the basic forms: the first that fits is taken. Which expansion MARS has decides
addresses, instruction counts, and what is left in ``$at``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Pseudo(NamedTuple):
    """One row: ``written`` (``"li a, u"``) and what it ``becomes``, instructions separated by semicolons."""

    written: str
    becomes: str

    @property
    def name(self) -> str:
        """The mnemonic."""
        return self.written.split()[0]


def _wide(target: str, written: str, operation: str) -> Pseudo:
    """A row whose last operand is a word that goes through ``$at``."""
    return Pseudo(f"{target} {written}, w", f"lui $at, hi(w); ori $at, $at, lo(w); {operation}")


def _three(name: str, operation: str) -> Iterator[Pseudo]:
    """``name`` with a number at the end: 16 bits through ``addi``, 32 bits through ``lui`` and ``ori``."""
    yield Pseudo(f"{name} a, b, i", f"addi $at, $0, i; {operation}")
    yield _wide(name, "a, b", operation)


_ARITHMETIC = (
    Pseudo("not a, b", "nor a, b, $0"),
    Pseudo("add a, b, i", "addi a, b, i"),
    _wide("add", "a, b", "add a, b, $at"),
    _wide("addu", "a, b", "addu a, b, $at"),
    _wide("addi", "a, b", "add a, b, $at"),
    _wide("addiu", "a, b", "addu a, b, $at"),
    *_three("sub", "sub a, b, $at"),
    _wide("subu", "a, b", "subu a, b, $at"),
    *_three("subi", "sub a, b, $at"),
    _wide("subiu", "a, b", "subu a, b, $at"),
    *(_wide(f"{name}i", "a, b", f"{name} a, b, $at") for name in ("and", "or", "xor")),
    *(Pseudo(f"{name} a, b, u", f"{name}i a, b, u") for name in ("and", "or", "xor")),
    *(Pseudo(f"{name} a, u", f"{name}i a, a, u") for name in ("and", "or", "xor")),
    *(Pseudo(f"{name}i a, u", f"{name}i a, a, u") for name in ("and", "or", "xor")),
    *(_wide(f"{name}i", "a", f"{name} a, a, $at") for name in ("and", "or", "xor")),
    Pseudo("move a, b", "addu a, $0, b"),
    Pseudo("abs a, b", "sra $at, b, 31; xor a, $at, b; subu a, a, $at"),
    Pseudo("neg a, b", "sub a, $0, b"),
    Pseudo("negu a, b", "subu a, $0, b"),
    Pseudo("rol a, b, c", "subu $at, $0, c; srlv $at, b, $at; sllv a, b, c; or a, a, $at"),
    Pseudo("rol a, b, h", "srl $at, b, 32-h; sll a, b, h; or a, a, $at"),
    Pseudo("ror a, b, c", "subu $at, $0, c; sllv $at, b, $at; srlv a, b, c; or a, a, $at"),
    Pseudo("ror a, b, h", "sll $at, b, 32-h; srl a, b, h; or a, a, $at"),
)


def _comparison(name: str, with_register: str, after: str = "") -> Iterator[Pseudo]:
    """A ``set`` instruction: ``with_register`` compares b and c; for a number, ``$at`` stands in the place of c."""
    with_at = with_register.replace("c", "$at")
    yield Pseudo(f"{name} a, b, c", with_register + after)
    yield Pseudo(f"{name} a, b, i", f"addi $at, $0, i; {with_at}{after}")
    yield _wide(name, "a, b", with_at + after)


_NEGATED = "; ori $at, $0, 1; subu a, $at, a"

_COMPARISONS = (
    *_comparison("seq", "subu a, b, c", "; ori $at, $0, 1; sltu a, a, $at"),
    *_comparison("sne", "subu a, b, c", "; sltu a, $0, a"),
    *_comparison("sge", "slt a, b, c", _NEGATED),
    *_comparison("sgeu", "sltu a, b, c", _NEGATED),
    *_comparison("sgt", "slt a, c, b"),
    *_comparison("sgtu", "sltu a, c, b"),
    *_comparison("sle", "slt a, c, b", _NEGATED),
    *_comparison("sleu", "sltu a, c, b", _NEGATED),
)

_LOAD_AT = "lui $at, hi(w); ori $at, $at, lo(w)"
_LOAD_AT_PLUS_1 = "lui $at, hi(w+1); ori $at, $at, lo(w+1)"

_BRANCHES = (
    Pseudo("b L", "bgez $0, L"),
    Pseudo("beqz a, L", "beq a, $0, L"),
    Pseudo("bnez a, L", "bne a, $0, L"),
    Pseudo("beq a, i, L", "addi $at, $0, i; beq $at, a, L"),
    Pseudo("beq a, w, L", f"{_LOAD_AT}; beq $at, a, L"),
    Pseudo("bne a, i, L", "addi $at, $0, i; bne $at, a, L"),
    Pseudo("bne a, w, L", f"{_LOAD_AT}; bne $at, a, L"),
    Pseudo("bge a, b, L", "slt $at, a, b; beq $at, $0, L"),
    Pseudo("bge a, i, L", "slti $at, a, i; beq $at, $0, L"),
    Pseudo("bge a, w, L", f"{_LOAD_AT}; slt $at, a, $at; beq $at, $0, L"),
    Pseudo("bgeu a, b, L", "sltu $at, a, b; beq $at, $0, L"),
    Pseudo("bgeu a, i, L", "sltiu $at, a, i; beq $at, $0, L"),
    Pseudo("bgeu a, w, L", f"{_LOAD_AT}; sltu $at, a, $at; beq $at, $0, L"),
    Pseudo("bgt a, b, L", "slt $at, b, a; bne $at, $0, L"),
    Pseudo("bgt a, i, L", "addi $at, $0, i; slt $at, $at, a; bne $at, $0, L"),
    Pseudo("bgt a, w, L", f"{_LOAD_AT_PLUS_1}; slt $at, a, $at; beq $at, $0, L"),
    Pseudo("bgtu a, b, L", "sltu $at, b, a; bne $at, $0, L"),
    Pseudo("bgtu a, i, L", "addi $at, $0, i; sltu $at, $at, a; bne $at, $0, L"),
    Pseudo("bgtu a, w, L", f"{_LOAD_AT}; sltu $at, $at, a; bne $at, $0, L"),
    Pseudo("ble a, b, L", "slt $at, b, a; beq $at, $0, L"),
    Pseudo("ble a, i, L", "addi $at, a, -1; slti $at, $at, i; bne $at, $0, L"),
    Pseudo("ble a, w, L", f"{_LOAD_AT_PLUS_1}; slt $at, a, $at; bne $at, $0, L"),
    Pseudo("bleu a, b, L", "sltu $at, b, a; beq $at, $0, L"),
    Pseudo("bleu a, i, L", "addi $at, $0, i; sltu $at, $at, a; beq $at, $0, L"),
    Pseudo("bleu a, w, L", f"{_LOAD_AT}; sltu $at, $at, a; beq $at, $0, L"),
    Pseudo("blt a, b, L", "slt $at, a, b; bne $at, $0, L"),
    Pseudo("blt a, i, L", "slti $at, a, i; bne $at, $0, L"),
    Pseudo("blt a, w, L", f"{_LOAD_AT}; slt $at, a, $at; bne $at, $0, L"),
    Pseudo("bltu a, b, L", "sltu $at, a, b; bne $at, $0, L"),
    Pseudo("bltu a, i, L", "sltiu $at, a, i; bne $at, $0, L"),
    Pseudo("bltu a, w, L", f"{_LOAD_AT}; sltu $at, a, $at; bne $at, $0, L"),
)


def _product(name: str, work: str) -> Iterator[Pseudo]:
    """A multiplication of b and c, or of b and a number that goes through ``$at``."""
    yield Pseudo(f"{name} a, b, c", work)
    yield from _three(name, work.replace("c", "$at", 1))


def _quotient(name: str, divide: str, fetch: str) -> Iterator[Pseudo]:
    """A division that stops the program where the divisor is a register that holds 0."""
    yield Pseudo(f"{name} a, b, c", f"bne c, $0, 1; break; {divide} b, c; {fetch} a")
    yield from _three(name, f"{divide} b, $at; {fetch} a")


_PRODUCTS = (
    *_three("mul", "mul a, b, $at"),
    *_product("mulu", "multu b, c; mflo a"),
    *_product("mulo", "mult b, c; mfhi $at; mflo a; sra a, a, 31; beq $at, a, 1; break; mflo a"),
    *_product("mulou", "multu b, c; mfhi $at; beq $at, $0, 1; break; mflo a"),
    *_quotient("div", "div", "mflo"),
    *_quotient("divu", "divu", "mflo"),
    *_quotient("rem", "div", "mfhi"),
    *_quotient("remu", "divu", "mfhi"),
)

_CONSTANTS = (
    Pseudo("li a, i", "addiu a, $0, i"),
    Pseudo("li a, u", "ori a, $0, u"),
    Pseudo("li a, w", "lui $at, hi(w); ori a, $at, lo(w)"),
    Pseudo("la a, (b)", "addi a, b, 0"),
    Pseudo("la a, i", "addiu a, $0, i"),
    Pseudo("la a, u", "ori a, $0, u"),
    Pseudo("la a, w", "lui $at, hi(w); ori a, $at, lo(w)"),
    Pseudo("la a, u(b)", "ori $at, $0, u; add a, b, $at"),
    Pseudo("la a, w(b)", "lui $at, hi(w); ori $at, $at, lo(w); add a, b, $at"),
    Pseudo("la a, L", "lui $at, hi(L); ori a, $at, lo(L)"),
    Pseudo("la a, L(b)", "lui $at, hi(L); ori $at, $at, lo(L); add a, b, $at"),
    Pseudo("la a, L+w", "lui $at, hi(L); ori a, $at, lo(L)"),
    Pseudo("la a, L+w(b)", "lui $at, hi(L); ori $at, $at, lo(L); add a, b, $at"),
)


def _access(name: str, basic: str, a: str, *, unsigned: bool) -> Iterator[Pseudo]:
    """A load or store of ``a`` by ``basic`` with every kind of address; ``unsigned`` says whether u is one of them."""
    yield Pseudo(f"{name} {a}, (b)", f"{basic} {a}, 0(b)")
    yield Pseudo(f"{name} {a}, i", f"{basic} {a}, i($0)")
    if unsigned:
        yield Pseudo(f"{name} {a}, u", f"ori $at, $0, u; {basic} {a}, 0($at)")
    yield Pseudo(f"{name} {a}, w", f"lui $at, ha(w); {basic} {a}, lo(w)($at)")
    if unsigned:
        yield Pseudo(f"{name} {a}, u(b)", f"ori $at, $0, u; addu $at, $at, b; {basic} {a}, 0($at)")
    yield Pseudo(f"{name} {a}, w(b)", f"lui $at, ha(w); addu $at, $at, b; {basic} {a}, lo(w)($at)")
    for address in ("L", "L+w"):
        yield Pseudo(f"{name} {a}, {address}", f"lui $at, ha(L); {basic} {a}, lo(L)($at)")
        yield Pseudo(f"{name} {a}, {address}(b)", f"lui $at, ha(L); addu $at, $at, b; {basic} {a}, lo(L)($at)")


_WORDS = ("lw", "sw", "lh", "sh", "lb", "sb", "lhu", "lbu", "lwl", "swl", "lwr", "swr", "ll", "sc")
_FLOATS = {"lwc1": "lwc1", "ldc1": "ldc1", "swc1": "swc1", "sdc1": "sdc1", "l.s": "lwc1", "s.s": "swc1", "l.d": "ldc1", "s.d": "sdc1"}  # fmt: skip

_ACCESSES = (
    *(row for name in _WORDS for row in _access(name, name, "a", unsigned=True)),
    *(row for name, basic in _FLOATS.items() for row in _access(name, basic, "f", unsigned=False)),
)

# Halves of an access in two parts: the instruction, the register, and how far from the address.
_PAIRS = {
    "ulw": ("lwl a, 3", "lwr a, 0"),
    "ulh": ("lb a, 1", "lbu $at, 0"),
    "ulhu": ("lbu a, 1", "lbu $at, 0"),
    "ld": ("lw a, 0", "lw a+1, 4"),
    "usw": ("swl a, 3", "swr a, 0"),
    "ush": ("sb a, 0", "sb a, 1"),
    "sd": ("sw a, 0", "sw a+1, 4"),
}
_BETWEEN = {"ush": "sll $at, a, 24; srl a, a, 8; or a, a, $at"}
_AFTER = {
    "ulh": "sll a, a, 8; or a, a, $at",
    "ulhu": "sll a, a, 8; or a, a, $at",
    "ush": "srl $at, a, 24; sll a, a, 8; or a, a, $at",
}


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def _at(half: str, address: str, base: str) -> str:
    """One half at ``address`` (w or L), which goes through ``$at``, and the register ``base`` or nothing."""
    access, offset = half.rsplit(", ", 1)
    place = f"{address}+{offset}" if offset != "0" else address
    return _joined(f"lui $at, ha({place})", f"addu $at, $at, {base}" if base else "", f"{access}, lo({place})($at)")


def _near(half: str) -> str:
    """One half whose own offset from the register b fits: no ``$at`` is needed."""
    return f"{half.rsplit(', ', 1)[0]}, i(b)"


def _pair(name: str) -> Iterator[Pseudo]:
    """An access in two halves with every kind of address."""
    halves, between, after = _PAIRS[name], _BETWEEN.get(name, ""), _AFTER.get(name, "")
    # With a small offset MARS reaches one half directly, the one at offset 0, and the other through $at.
    first, second = (_near(half) if half.endswith(", 0") else _at(half, "i", "b") for half in halves)
    yield Pseudo(f"{name} a, i(b)", _joined(first, between, second, after))
    for written, address, base in (("w", "w", ""), ("L", "L", ""), ("L+w", "L", "")):
        first, second = (_at(half, address, base) for half in halves)
        yield Pseudo(f"{name} a, {written}", _joined(first, between, second, after))
    first, second = (f"{half}(b)" for half in halves)
    yield Pseudo(f"{name} a, (b)", _joined(first, between, second, after))
    for written, address in (("w", "w"), ("L", "L"), ("L+w", "L")):
        first, second = (_at(half, address, "b") for half in halves)
        yield Pseudo(f"{name} a, {written}(b)", _joined(first, between, second, after))


_UNALIGNED = tuple(row for name in _PAIRS for row in _pair(name))

_MOVES = (
    Pseudo("mfc1.d a, f", "mfc1 a, f; mfc1 a+1, f+1"),
    Pseudo("mtc1.d a, f", "mtc1 a, f; mtc1 a+1, f+1"),
)

PSEUDOS: tuple[Pseudo, ...] = (
    *_ARITHMETIC, *_COMPARISONS, *_BRANCHES, *_MOVES, *_PRODUCTS, *_CONSTANTS, *_ACCESSES, *_UNALIGNED,
)  # fmt: skip
"""All rows, in the order in which they are tried."""
