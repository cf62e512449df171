"""The code of the quick loop: that of the exact one, with frequent sequences of instructions run as one.

An entry whose instruction begins a sequence of the table has the sequence's operation; its fields stay those of the
instruction, and the entries after it stay what they are. So a jump into a sequence runs the rest of it alone. If
several sequences begin at one place, the longest is taken.
"""

from __future__ import annotations

from array import array

from grader.machines.mips.kinds import OPERATION_OF, SINK, SP, WILD

_ANYWHERE = (
    "lui ori", "addi bne", "addiu bne", "addi beq", "addiu beq", "addi bgtz", "addiu bgtz", "addi jal", "addiu jal",
    "addi jr", "addiu jr", "addi slt bne", "addiu slt bne", "slti bne", "slt beq", "add lw", "addu lw", "add lb", "addu lb",
    "add sb", "addu sb", "add addiu", "addu addiu", "add j", "addu j", "add add", "addu addu", "sll sll", "lw lw", "lw bne",
    "lw addi", "lb lb", "lb bne",
)  # fmt: skip
"""Each saves at least every sixtieth step of the switch in some program of the fixtures or of ``benchmarks/mips_speed``."""

_ON_STACK = ("lw lw", "sw sw", "addi sw", "addiu sw")  # relative to $sp, and on for as long as the next is alike


def _numbered(sequences: tuple[str, ...], first: int) -> dict[tuple[int, ...], int]:
    return {tuple(OPERATION_OF[name] for name in names.split()): first + n for n, names in enumerate(sequences)}


ANYWHERE = _numbered(_ANYWHERE, WILD + 1)
ON_STACK = _numbered(_ON_STACK, WILD + 1 + len(_ANYWHERE))
"""The operations of sequences by those of their instructions."""

_LONGEST = 3  # instructions of the longest sequence
_LUI, _BEQ, _BGEZ, _J, _LW = (OPERATION_OF[name] for name in ("lui", "beq", "bgez", "j", "lw"))
_COMPARISONS = frozenset((OPERATION_OF["slt"], OPERATION_OF["slti"]))
_SHIFTS = {"a": 8, "b": 16, "c": 24}


def quick_code(code: array[int]) -> array[int]:
    """All of ``code`` for the quick loop."""
    quick = code[:]
    for index in range(len(code)):
        quick[index] = _entry(code, index)
    return quick


def renew(quick: array[int], code: array[int], index: int) -> None:
    """Bring ``quick`` up to date when the instruction at ``index`` of ``code`` has changed."""
    for first in range(max(0, index - _LONGEST + 1), index + 1):
        quick[first] = _entry(code, first)


def _entry(code: array[int], index: int) -> int:
    words = code[index : index + _LONGEST]
    operations = tuple(map(_plain, words))
    for length in range(len(words), 1, -1):
        fused = _fused(operations[:length], words)
        if fused:
            return _constant(words[0], words[1]) | fused if operations[0] == _LUI else _with(words[0], fused)
    return _with(words[0], operations[0])


def _fused(sequence: tuple[int, ...], words: array[int]) -> int:
    """The operation of the sequence that these words begin with; 0 if it is in no table or its registers do not fit."""
    if sequence in ON_STACK:
        relative = words[1:2] if sequence[0] != _LW else words[:2]
        if all(_field(word, "b") == SP for word in relative):
            return ON_STACK[sequence]
    last = len(sequence) - 1
    if sequence in ANYWHERE and _fits(sequence[last - 1], words[last - 1], words[last]):
        return ANYWHERE[sequence]
    return 0


def _plain(word: int) -> int:
    """The operation of this instruction; that of ``j`` for a branch that is always taken."""
    operation = word & 0xFF
    compared, other = _field(word, "b"), _field(word, "c")
    always = (operation == _BEQ and compared == other) or (operation == _BGEZ and not compared)
    return _J if always else operation


def _fits(operation: int, word: int, after: int) -> bool:
    """Whether the last instruction makes of the result of the one before it what the sequence expects."""
    result, read, beside = _field(word, "a"), _field(after, "b"), _field(after, "c")
    if operation == _LUI:
        return read == result != SINK
    return operation not in _COMPARISONS or (read == result and beside == 0)


def _constant(word: int, low: int) -> int:
    """``lui`` and ``ori`` in one, without an operation: ``a`` gets the upper half, ``b`` the whole."""
    return (word | low) >> 32 << 32 | _field(low, "a") << 16 | _field(word, "a") << 8


def _with(word: int, operation: int) -> int:
    return word & ~0xFF | operation


def _field(word: int, name: str) -> int:
    """A register field of an entry."""
    return word >> _SHIFTS[name] & 0xFF
