"""Mutants of LC-3 and MIPS programs: one instruction changes, by what the instruction table of the machine says of it.

=============== ============================================================================================
``condition``   a branch or a comparison becomes another one that is written with the same operands.
``immediate``   a number in an instruction is one more or one less.
``register``    a register becomes another one of those that the program uses.
``left-out``    an instruction is left out; its labels stay.
``exchanged``   an instruction changes places with the next one.
``constant``    a number in ``.FILL``, ``.word``, ``.half`` or ``.byte`` is one more or one less.
=============== ============================================================================================

The numbers of traps and of shifts by registers are no immediates: a table says what each operand is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grader.machines.assembler import Statement
from grader.machines.families import Family
from grader.machines.table import Kind
from grader.mutants.mutant import Edit, by_lot
from grader.source import SourceFile
from grader.values import dataclass

OTHERS = 2
"""Maximum other conditions for one branch: an LC-3 has six, which would outnumber all other mutants."""

_DATA = frozenset((".fill", ".word", ".half", ".byte"))
_COMPARISONS = ("slt", "sltu", "sle", "sleu", "sgt", "sgtu", "sge", "sgeu", "seq", "sne")


@dataclass(frozen=True, slots=True)
class Operations:
    """The facts of one instruction table: which names are instructions, which of them are ``conditions`` for each other.

    ``numbered`` are the instructions whose numbers are no parts of a calculation.
    """

    names: frozenset[str]
    conditions: Mapping[str, tuple[str, ...]]
    numbered: frozenset[str]


def operations(language: str) -> Operations:
    """The instruction table of ``lc3`` or ``mips``, with names in lower case."""
    known = {"lc3": _lc3, "mips": _mips}.get(language)
    return known() if known else Operations(frozenset(), {}, frozenset())


def _lc3() -> Operations:
    from grader.machines.lc3.isa import TABLE

    forms = [form for ways in TABLE.forms.values() for form in ways]
    branches = [form for form in forms if form.slots and all(slot.kind is Kind.RELATIVE for slot in form.slots)]
    named = [form for form in branches if form.row.name == form.name and form.bits]
    conditions = {}
    for form in (one for one in branches if one.bits):
        others = (other for other in named if other.slots == form.slots and other.bits != form.bits)
        conditions[form.name.lower()] = tuple(other.name.lower() for other in others)
    traps = {form.name.lower() for form in forms if form.row.name == "TRAP"}
    return Operations(frozenset(name.lower() for name in TABLE.forms), conditions, frozenset(traps))


def _mips() -> Operations:
    from grader.machines.mips.dialect import DIALECTS

    forms = DIALECTS["mars"].forms.by_name
    patterns = {}
    for name, ways in forms.items():
        # `b` always jumps, and names that end in `al` keep a return address: neither of them is a condition.
        branch = name[0] == "b" and name != "b" and name[-2:] != "al" and any("L" in way.pattern for way in ways)
        if branch or name in _COMPARISONS:
            patterns[name] = frozenset(way.pattern for way in ways)
    conditions = {}
    for name, shapes in patterns.items():
        alike = (other for other in patterns if (other in _COMPARISONS) == (name in _COMPARISONS))
        conditions[name] = tuple(other for other in alike if other != name and shapes & patterns[other])
    return Operations(frozenset(forms), conditions, frozenset(("break", "syscall")))


def edits(machine: Family, source: SourceFile) -> Iterator[Edit]:
    """Every mutant of an assembly source, in the order of its text."""
    known = operations(machine.language)
    text = "\n".join(source.lines)
    begins = [0]
    for line in source.lines:
        begins.append(begins[-1] + len(line) + 1)
    statements = [one for one in machine.statements(source) if one.mnemonic or one.labels]
    written = [_Written(one, text, begins[one.line - 1]) for one in statements]
    registers = sorted({word for one in written for word, _ in one.operands if _is_register(machine, word)})
    for at, one in enumerate(written):
        name = one.statement.mnemonic.lower()
        if name in _DATA:
            yield from _numbers("constant", one, machine)
        elif name in known.names:
            following = written[at + 1] if at + 1 < len(written) else None
            yield from _instruction(machine, known, one, following, registers)


class _Written:
    """A statement with the places of its mnemonic and operands in the text; ``end`` is behind the last of them."""

    def __init__(self, statement: Statement, text: str, begin: int) -> None:
        self.statement, self.text = statement, text
        code = text[begin : begin + statement.span.end_column - 1].lower()
        at = statement.span.column - 1
        for label in statement.labels:
            at = max(code.find(label.lower(), at), at) + len(label)
        # A statement knows its line, and not where in it its parts stand; labels may be called like an instruction.
        offset_in_code = code.find(statement.mnemonic.lower(), at)
        self.start = begin + (at if offset_in_code < 0 else offset_in_code)
        at = self.start - begin + len(statement.mnemonic)
        self.operands: list[tuple[str, int]] = []
        for operand in statement.operands:
            offset_in_code = code.find(operand.lower(), at)
            if offset_in_code >= 0:
                self.operands += [(word, begin + offset_in_code + offset) for word, offset in _words(operand)]
                at = offset_in_code + len(operand)
        self.end = begin + len(code.rstrip())

    @property
    def code(self) -> str:
        return self.text[self.start : self.end]


def _words(operand: str) -> Iterator[tuple[str, int]]:
    """The parts of an operand with their places in it: an address has a number and a register."""
    inside = operand.find("(")
    if inside < 0 or not operand.endswith(")"):
        yield operand, 0
        return
    if inside:
        yield operand[:inside], 0
    yield operand[inside + 1 : -1], inside + 1


def _instruction(
    machine: Family, known: Operations, one: _Written, following: _Written | None, registers: Sequence[str]
) -> Iterator[Edit]:
    name = one.statement.mnemonic
    others = known.conditions.get(name.lower(), ())
    for other in by_lot(others, f"{one.start}")[:OTHERS]:
        yield Edit("condition", one.start, one.start + len(name), machine.spelling.get(other.upper(), other))
    if name.lower() not in known.numbered:
        yield from _numbers("immediate", one, machine)
    for word, at in one.operands:
        if _is_register(machine, word):
            for other in by_lot([r for r in registers if r.lower() != word.lower()], f"{at}")[:1]:
                yield Edit("register", at, at + len(word), other)
    yield Edit("left-out", one.start, one.end, "")
    next_name = following.statement.mnemonic.lower() if following else ""
    if following and next_name in known.names and not following.statement.labels and following.code != one.code:
        between = one.text[one.end : following.start]
        yield Edit("exchanged", one.start, following.end, following.code + between + one.code)


def _numbers(rule: str, one: _Written, machine: Family) -> Iterator[Edit]:
    for word, at in one.operands:
        value = machine.number(word)
        if value is not None:
            for other in (value - 1, value + 1):
                yield Edit(rule, at, at + len(word), machine.decimal.format(other))


def _is_register(machine: Family, word: str) -> bool:
    # A write to $zero does nothing, so that every change of it would.
    return machine.traits.register.fullmatch(word) is not None and word not in ("$0", "$zero")
