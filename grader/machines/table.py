"""Instruction tables: each instruction is one row, a bit string that people can check against the manual.

A row such as ``Row("ADD", "0001 ddd sss 0 00 ttt", "d, s, t")`` says everything at once: which bits are fixed, which
field each letter names, and in which order the operands are written. From it come the encoder, the decoder, the ranges
in error messages and the disassembler; nothing about an encoding is written down twice.

The meanings of the letters (a register, a signed number, a distance from the next instruction) stand once for a
table, in ``operands``. An Alias is another way of writing a row with some fields given: ``RET`` is ``JMP`` with ``b`` = 7.

``tests/machines/soundness`` has the proof that a table can be trusted; each machine's test holds its table to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from grader.values import dataclass


class Kind(StrEnum):
    """The meaning of the number in a field."""

    REGISTER = "register"  # unsigned, the number of a register
    SIGNED = "signed"  # two's complement
    UNSIGNED = "unsigned"
    RELATIVE = "relative"  # two's complement, a distance from the next instruction, in instructions
    FLOAT = "float"  # unsigned, the number of a floating-point register
    TARGET = "target"  # unsigned, the low bits of an address, in instructions


@dataclass(frozen=True, slots=True)
class Operand:
    """The meaning of one letter: its kind, and the manual's name of it without the width (``imm``, ``BaseR``)."""

    kind: Kind
    noun: str


@dataclass(frozen=True, slots=True)
class Field:
    """The bits that one letter takes in a word: ``width`` bits, the lowest of them at ``shift``."""

    letter: str
    shift: int
    width: int

    @property
    def mask(self) -> int:
        """All bits of the field, at the bottom of a word."""
        return (1 << self.width) - 1


@dataclass(frozen=True)
class Row:
    """One instruction: ``pattern`` has one character for a bit (blanks aside), ``syntax`` the operands as written."""

    name: str
    pattern: str
    syntax: str = ""

    @cached_property
    def bits(self) -> str:
        """The pattern without its blanks."""
        return self.pattern.replace(" ", "")

    @cached_property
    def fixed_mask(self) -> int:
        """The bits that the pattern fixes."""
        return int("".join("1" if bit in "01" else "0" for bit in self.bits), 2)

    @cached_property
    def fixed_bits(self) -> int:
        """The value of the bits that the pattern fixes; the others are 0."""
        return int("".join(bit if bit in "01" else "0" for bit in self.bits), 2)

    @cached_property
    def fields(self) -> Mapping[str, Field]:
        """The fields by letter, from the highest bit down. For a letter in two places: from its first bit to its last."""
        letters = dict.fromkeys(bit for bit in self.bits if bit not in "01")
        top = len(self.bits) - 1
        ends = {letter: (self.bits.index(letter), self.bits.rindex(letter)) for letter in letters}
        return {letter: Field(letter, top - last, last - first + 1) for letter, (first, last) in ends.items()}

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """The operands in the order in which they are written."""
        return tuple(char for char in self.syntax if char.isalpha())


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name for the row (or rows) called ``of``, with the values of ``given`` fields left unwritten."""

    name: str
    of: str
    given: Mapping[str, int] = field(default_factory=dict)


class Slot(NamedTuple):
    """The place of one written operand, with everything that an assembler needs: kind, range, place, and name."""

    kind: Kind
    least: int
    greatest: int
    shift: int
    mask: int
    noun: str


class Form(NamedTuple):
    """One way to write a mnemonic: its row, the bits known before any operand is read, and the operands to write."""

    name: str
    row: Row
    bits: int
    letters: tuple[str, ...]
    slots: tuple[Slot, ...]


class Decoded(NamedTuple):
    """The row that a word matches, and the values of its fields; signed kinds are signed."""

    row: Row
    values: dict[str, int]


@dataclass(frozen=True)
class Table:
    """All instructions of one machine: words of ``width`` bits, rows, aliases, and the meaning of the letters."""

    width: int
    operands: Mapping[str, Operand]
    rows: tuple[Row, ...]
    aliases: tuple[Alias, ...] = ()

    @cached_property
    def forms(self) -> Mapping[str, tuple[Form, ...]]:
        """Every way to write each mnemonic, by its name in upper case, in the order of the table."""
        by_name: dict[str, list[Form]] = {}
        for row in self.rows:
            by_name.setdefault(row.name.upper(), []).append(self._form(row.name, row, row.fixed_bits, row.letters))
        for alias in self.aliases:
            by_name.setdefault(alias.name.upper(), []).extend(self._aliased(alias))
        return {name: tuple(forms) for name, forms in by_name.items()}

    def _aliased(self, alias: Alias) -> Iterator[Form]:
        for row in self.rows:
            if row.name == alias.of:
                given = sum((value & row.fields[k].mask) << row.fields[k].shift for k, value in alias.given.items())
                letters = tuple(letter for letter in row.letters if letter not in alias.given)
                yield self._form(alias.name, row, row.fixed_bits | given, letters)

    def _form(self, name: str, row: Row, bits: int, letters: tuple[str, ...]) -> Form:
        places = [row.fields[letter] for letter in letters]
        slots = [Slot(self.operands[p.letter].kind, *self.bounds(p), p.shift, p.mask, self.noun(p)) for p in places]
        return Form(name, row, bits, letters, tuple(slots))

    @cached_property
    def short_forms(self) -> Mapping[int, Form]:
        """The aliases that leave no operand to write, by their word: how a disassembler shows these words."""
        by_bits: dict[int, Form] = {}
        # The first alias stays: OUT and PUTC are one word, and the manual has OUT.
        for alias in self.aliases:
            for form in self.forms[alias.name.upper()]:
                if form.name == alias.name and not form.letters:
                    by_bits.setdefault(form.bits, form)
        return by_bits

    @cached_property
    def _by_mask(self) -> tuple[tuple[int, Mapping[int, Row]], ...]:
        # A few masks serve all rows, and a word is looked up in as many mappings: 9 for the LC-3, 17 for MIPS.
        groups: dict[int, dict[int, Row]] = {}
        for row in self.rows:
            groups.setdefault(row.fixed_mask, {})[row.fixed_bits] = row
        return tuple(groups.items())

    def row_of(self, word: int) -> Row | None:
        """The row that ``word`` matches, or None when it is no instruction."""
        for mask, rows in self._by_mask:
            row = rows.get(word & mask)
            if row is not None:
                return row
        return None

    def decode(self, word: int) -> Decoded | None:
        """The row and the field values of ``word``, or None when it is no instruction."""
        row = self.row_of(word)
        if row is None:
            return None
        return Decoded(row, {letter: self._value(place, word) for letter, place in row.fields.items()})

    def _value(self, place: Field, word: int) -> int:
        value = word >> place.shift & place.mask
        if value > self.bounds(place)[1]:
            value -= 1 << place.width
        return value

    def bounds(self, place: Field) -> tuple[int, int]:
        """The least and the greatest value of a field, by the kind of its operand."""
        if self.operands[place.letter].kind in (Kind.SIGNED, Kind.RELATIVE):
            return -(1 << place.width - 1), (1 << place.width - 1) - 1
        return 0, place.mask

    def noun(self, place: Field) -> str:
        """The manual's name of a field: ``BaseR``, ``imm5``, ``PCoffset9``."""
        operand = self.operands[place.letter]
        return operand.noun if operand.kind in (Kind.REGISTER, Kind.FLOAT) else f"{operand.noun}{place.width}"

    def written(self, word: int, operand: Callable[[Row, Field, int], str]) -> str | None:
        """``word`` as assembly text, each value written by ``operand``; None when it is no instruction."""
        short = self.short_forms.get(word)
        if short is not None:
            return short.name
        decoded = self.decode(word)
        if decoded is None:
            return None
        row, values = decoded
        operands = {letter: operand(row, place, values[letter]) for letter, place in row.fields.items()}
        return f"{row.name} {''.join(operands.get(char, char) for char in row.syntax)}".rstrip()

    def usage(self, form: Form) -> str:
        """How a form is written, in the manual's words: ``ADD DR, SR1, imm5``."""
        nouns = {letter: slot.noun for letter, slot in zip(form.letters, form.slots, strict=True)}
        if form.letters != form.row.letters:
            return f"{form.name} {', '.join(nouns.values())}".rstrip()
        return f"{form.name} {''.join(nouns.get(char, char) for char in form.row.syntax)}".rstrip()
