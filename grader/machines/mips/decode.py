"""From an instruction word to the form in which the loop takes it: one number of 64 bits.

From the lowest bit: 8 bits of operation (``kinds.OPERATIONS``), three fields of 8 bits (``a`` is written, ``b`` and
``c`` are read), 32 bits of immediate, extended. A write to ``$zero`` goes to a place that nobody reads. Targets of
branches and jumps are indices into the code array. ``jal`` keeps its target in the three fields and the return address
in the immediate.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping

from grader.machines.mips import kinds
from grader.machines.mips.isa import TABLE
from grader.machines.table import Decoded, Row

_MASK = 0xFFFF_FFFF
_LETTERS = {"d": "a", "D": "a", "s": "b", "S": "b", "z": "b", "t": "c", "T": "c"}
_WRITE_T = frozenset((
    "addi", "addiu", "slti", "sltiu", "andi", "ori", "xori", "lui", "lw", "lb", "lbu", "lh", "lhu", "lwl", "lwr", "ll",
    "sc", "lwc1", "ldc1", "mfc0", "mfc1",
))  # fmt: skip
_STORE_T = frozenset(("sb", "sh", "sw", "swl", "swr", "sc"))
_READ_T_TOO = frozenset(("lwl", "lwr", "sc"))
_FLOAT_TARGET = frozenset(("lwc1", "ldc1"))
_BRANCH_ON_FLAG = frozenset(("bc1f", "bc1t"))

READS_B, READS_C, WRITES_A, STORES_C = 1, 2, 4, 8


def _uses(row: Row) -> int:
    """The use of the general registers in an instruction's fields."""
    uses = READS_B if "s" in row.letters else 0
    if "t" in row.letters:
        if row.name in _STORE_T:
            uses |= STORES_C
        elif row.name not in _WRITE_T or row.name in _READ_T_TOO:
            uses |= READS_C
    return uses | (WRITES_A if "d" in row.letters or ("t" in row.letters and row.name in _WRITE_T) else 0)


USES = array("B", bytes(256))
"""The same by operation, for the records of a run: 0 for what is no instruction."""
for _row in TABLE.rows:
    USES[kinds.OPERATION_OF[_row.name]] |= _uses(_row)

Place = Callable[[int], int]
"""From an address that is jumped to to the index of the code there."""


def pack(operation: int, a: int = 0, b: int = 0, c: int = 0, immediate: int = 0) -> int:
    """The number that the loop takes."""
    return operation | a << 8 | b << 16 | c << 24 | (immediate & _MASK) << 32


def decode(word: int, address: int, place: Place, *, delayed: bool = False) -> int:
    """The instruction ``word`` at ``address``; any other word has an illegal kind."""
    decoded = TABLE.decode(word)
    if decoded is None:
        return pack(kinds.ILLEGAL_WORD, immediate=word)
    name, values = decoded.row.name, decoded.values
    operation = kinds.OPERATION_OF[name]
    if name == "jal":
        link = address + (8 if delayed else 4)
        return operation | place(_target(values["j"], address)) << 8 | (link & _MASK) << 32
    if name == "j":
        return pack(operation, immediate=place(_target(values["j"], address)))
    fields = _fields(name, values)
    immediate = place(address + 4 + 4 * values["p"] & _MASK) if "p" in values else _immediate(decoded)
    return pack(operation, fields["a"], fields["b"], fields["c"], immediate)


def _target(field: int, address: int) -> int:
    return (address + 4 & 0xF000_0000) | field << 2


def _fields(name: str, values: Mapping[str, int]) -> dict[str, int]:
    """The three register fields."""
    fields = {"a": 0, "b": 0, "c": 0}
    for letter, field in _LETTERS.items():
        if letter in values:
            fields[field] = values[letter]
    if name in _WRITE_T:
        fields["a"] = fields["c"]
        if name not in _READ_T_TOO:
            fields["c"] = 0
    if name in _BRANCH_ON_FLAG:
        fields["a"] = values["c"]
    elif fields["a"] == 0 and "D" not in values and name not in _FLOAT_TARGET:
        fields["a"] = kinds.SINK
    return fields


def _immediate(decoded: Decoded) -> int:
    values = decoded.values
    if decoded.row.name == "lui":
        return values["u"] << 16
    return next((values[letter] for letter in "iuhbc" if letter in values), 0)
