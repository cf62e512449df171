"""From written operands to words: every way to write an instruction, found by the shape of its operands.

A shape has one character for each word of the operands (``dialect.classify``). ``r`` is a register, ``f`` a floating-point
register, ``L`` a name, and a digit a number, by its size. Parentheses and ``+`` stand for themselves. One mapping has all
shapes that a form accepts: basic forms first, in the order of the tables, and the first entry stays. So one look finds the
first form that fits, which is MARS's rule.

A form makes words by Steps: the fixed bits of an instruction, and for each field its operand and how it is put there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import NamedTuple

from grader.machines.mips.isa import REGISTER_NAMES, TABLE
from grader.machines.mips.pseudo import Pseudo
from grader.machines.table import Form, Kind, Slot
from grader.values import dataclass

SMALL, LOW, HIGH, NEGATIVE, WIDE = "01234"
"""The sizes of numbers: 0…31, …32767, …65535, -32768…-1, all others."""

ACCEPTED = {
    "r": "r", "f": "f", "L": "L", "(": "(", ")": ")", "+": "+",
    "h": SMALL, "i": SMALL + LOW + NEGATIVE, "u": SMALL + LOW + HIGH, "w": SMALL + LOW + HIGH + NEGATIVE + WIDE,
}  # fmt: skip
"""The characters of a shape that each part of a pattern accepts."""

_PART_OF_KIND = {
    Kind.REGISTER: "r", Kind.FLOAT: "f", Kind.SIGNED: "i", Kind.RELATIVE: "L", Kind.TARGET: "L",
}  # fmt: skip
_EXAMPLES = {"f": "$f2", "h": "10", "i": "-100", "u": "100", "w": "100000", "L": "label"}
_ODD_EXAMPLES = {
    **{f"{name}.w.d": "$f1,$f2" for name in ("floor", "ceil", "round", "trunc")},
    "cvt.d.s": "$f2,$f1", "cvt.d.w": "$f2,$f1", "cvt.s.d": "$f1,$f2", "cvt.w.d": "$f1,$f2",
    "j": "target", "jal": "target",
}  # fmt: skip


class How(NamedTuple):
    """How an operand's value becomes a field: ``value + add`` goes to the bits; see the constants below."""

    rule: int
    operand: int
    add: int
    shift: int
    mask: int


PLAIN, UPPER, ADJUSTED, COMPLEMENT, BRANCH, JUMP = range(6)
"""Rules of How: the value itself, its upper half, that adjusted for a signed lower half, ``add - value``, the distance
of a branch, the target of a jump."""


class Step(NamedTuple):
    """One instruction of an expansion: the bits known beforehand, and how the rest is filled in."""

    bits: int
    fields: tuple[How, ...]


@dataclass(frozen=True)
class Written:
    """One way to write an instruction: its name, its operands, and what makes its words.

    ``syntax`` shows the operands as letters, with commas, as the tables do. ``pattern`` has one part for each word of the
    operands: r f h i u w L ( ) +. ``becomes`` is the basic form, or the text of an expansion.
    """

    name: str
    syntax: str
    pattern: str
    letters: tuple[str, ...]
    becomes: Form | str

    @cached_property
    def size(self) -> int:
        """The number of words that it makes."""
        return len(self.becomes.split(";")) if isinstance(self.becomes, str) else 1

    @cached_property
    def sums(self) -> tuple[int, int] | None:
        """The places of a label and of the number that is added to it, where it has these."""
        at = self.pattern.find("+")
        return (at - 1, at + 1) if at >= 0 else None

    @property
    def example(self) -> str:
        """An example as MARS shows it: ``addi $t1,$t2,-100``."""
        if self.name in _ODD_EXAMPLES:
            return f"{self.name} {_ODD_EXAMPLES[self.name]}"
        floats = iter(_float_examples(self))
        place = 0
        written = ""
        for char in self.syntax.replace(" ", ""):
            part = self.pattern[place]
            if char != ",":
                place += 1
            if char == "c" and part == "h":
                written += "1"
            elif char == "z":
                written += "$8"
            elif part == "r" and char.isalpha():
                written += f"$t{1 + written.count('$')}"
            elif part == "f" and char.isalpha():
                written += next(floats)
            else:
                written += _EXAMPLES.get(part, char) if char.isalnum() else char
        return f"{self.name} {written}".rstrip()

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps that make its words."""
        if isinstance(self.becomes, Form):
            return (_basic_step(self.becomes, self.pattern),)
        places = {letter: at for at, letter in enumerate(self.letters)}
        return tuple(_expansion_step(part.strip(), places) for part in self.becomes.split(";"))

    def shapes(self) -> Iterator[str]:
        """Every shape of operands that it accepts."""
        return map("".join, product(*(ACCEPTED[part] for part in self.pattern)))


def _float_examples(form: Written) -> tuple[str, ...]:
    """Registers for an example: MARS shows even ones for doubles."""
    if form.name.endswith(".d") or form.name in ("ldc1", "sdc1"):
        return "$f2", "$f4", "$f6"
    return ("$f1",) if form.pattern.count("f") == 1 else ("$f0", "$f1", "$f3")


def _part(slot: Slot) -> str:
    if slot.kind is Kind.UNSIGNED:
        return "h" if slot.greatest < 32 else "u"
    return _PART_OF_KIND[slot.kind]


def basic_forms(forms: Iterable[Form]) -> Iterator[Written]:
    """Ways to write basic instructions, from the forms of a table; those without a condition flag come first."""
    for form in sorted(forms, key=lambda form: "c" in form.letters):
        parts = {letter: _part(slot) for letter, slot in zip(form.letters, form.slots, strict=True)}
        whole = form.letters == form.row.letters
        syntax = form.row.syntax if whole else ",".join(form.letters)
        written = [char for char in syntax if char in parts or char in "()"]
        yield Written(form.name, syntax, "".join(parts.get(char, char) for char in written), tuple(written), form)


_LETTER_PARTS = {"a": "r", "b": "r", "c": "r"}


def pseudo_forms(rows: Iterable[Pseudo]) -> Iterator[Written]:
    """Ways to write pseudo-instructions."""
    for row in rows:
        syntax = row.written.partition(" ")[2]
        letters = tuple(re.sub(r"[\s,]", "", syntax))
        pattern = "".join(_LETTER_PARTS.get(letter, letter) for letter in letters)
        yield Written(row.name, syntax, pattern, letters, row.becomes)


def _basic_step(form: Form, pattern: str) -> Step:
    places = [at for at, part in enumerate(pattern) if part not in "()+"]
    return Step(form.bits, tuple(_how(slot, at, 0) for slot, at in zip(form.slots, places, strict=True)))


def _how(slot: Slot, operand: int, add: int) -> How:
    rule = {Kind.RELATIVE: BRANCH, Kind.TARGET: JUMP}.get(slot.kind, PLAIN)
    return How(rule, operand, add, slot.shift, slot.mask)


_NUMBERS = {name: number for number, name in enumerate(REGISTER_NAMES)} | {"$0": 0}
_OPERAND = re.compile(r"(?:(?P<half>hi|lo|ha)\()?(?P<letter>[a-zL])(?:\+(?P<add>[0-9]+))?\)?|(?P<literal>-?[0-9]+)")
_WORD = re.compile(r"\$[a-z0-9]+|(?:hi|lo|ha)\([^)]*\)|[0-9]+-h|-?[0-9]+|[a-zL](?:\+[0-9]+)?")


def _expansion_step(text: str, places: Mapping[str, int]) -> Step:
    """One instruction of an expansion, such as ``lui $at, ha(L)``; ``places`` are those of the operands by letter."""
    name, _, operands = text.partition(" ")
    words = _WORD.findall(operands)
    form = next(form for form in TABLE.forms[name.upper()] if len(form.slots) == len(words))
    bits, fields = form.bits, []
    for word, slot in zip(words, form.slots, strict=True):
        if word in _NUMBERS or word.lstrip("-").isdigit():
            bits |= (_NUMBERS[word] if word in _NUMBERS else int(word)) % (slot.mask + 1) << slot.shift
        else:
            fields.append(_expansion_field(word, slot, places))
    return Step(bits, tuple(fields))


def _expansion_field(word: str, slot: Slot, places: Mapping[str, int]) -> How:
    if word.endswith("-h"):
        return How(COMPLEMENT, places["h"], int(word[:-2]), slot.shift, slot.mask)
    match = _OPERAND.fullmatch(word)
    assert match is not None, word
    add = int(match["add"] or 0)
    if match["half"] in ("hi", "ha"):
        rule = UPPER if match["half"] == "hi" else ADJUSTED
        return How(rule, places[match["letter"]], add, slot.shift, slot.mask)
    if match["half"] == "lo":
        return How(PLAIN, places[match["letter"]], add, slot.shift, slot.mask)
    return _how(slot, places[match["letter"]], add)


class Forms:
    """All ways to write the instructions of one dialect."""

    def __init__(self, written: Sequence[Written]) -> None:
        self.by_name: dict[str, list[Written]] = {}
        self.shapes: dict[str, dict[str, Written]] = {}
        for form in written:
            self.by_name.setdefault(form.name, []).append(form)
            shapes = self.shapes.setdefault(form.name, {})
            for shape in form.shapes():
                shapes.setdefault(shape, form)

    def find(self, name: str, shape: str) -> Written | None:
        """The first form of the instruction ``name`` (in lower case) that takes operands of this shape."""
        return self.shapes[name].get(shape)


class TooFarError(Exception):
    """A branch cannot reach its label: the distance in instructions from the next one."""


def encode(step: Step, values: Sequence[int], address: int) -> int:
    """The word of one step at ``address``; ``values`` holds the value of each operand.

    Raises:
        TooFarError: a branch cannot reach its label.
    """
    word = step.bits
    for rule, operand, add, shift, mask in step.fields:
        value = values[operand] + add
        if rule:
            value = _ruled(rule, value, add, address)
        word |= (value & mask) << shift
    return word


def _ruled(rule: int, value: int, add: int, address: int) -> int:
    if rule == UPPER:
        return value >> 16
    if rule == ADJUSTED:
        return value + 0x8000 >> 16
    if rule == COMPLEMENT:
        return 2 * add - value
    if rule == JUMP:
        return value >> 2
    distance = value - address - 4 >> 2
    if not -32768 <= distance <= 32767:
        raise TooFarError(distance)
    return distance
