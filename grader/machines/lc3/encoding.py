"""The second pass of the LC-3 assembler: the word of each statement, now that every label has an address."""

from __future__ import annotations

from collections.abc import Sequence

from grader.machines.assembler import Report, Statement, Symbol, Word, short
from grader.machines.image import Block, Content, Image, Origin
from grader.machines.lc3 import explain
from grader.machines.lc3.dialect import DIRECTIVES, FILL, FORMS, REGISTERS, is_binary_looking, number
from grader.machines.lc3.placing import Placed, Placing
from grader.machines.table import Form, Kind, Slot

USES_REPORTED = 5  # of one undefined label
_FILL_RANGE = (-32768, 65535)


class Encoding:
    """Encodes what was placed; a statement at fault becomes a zero and a diagnostic."""

    def __init__(self, placing: Placing, report: Report) -> None:
        self.placing = placing
        self.symbols = placing.symbols
        self.report = report
        self._undefined: dict[str, list[Word]] = {}

    def image(self) -> Image:
        """The image of all regions; it starts at the first. Without meaning if the report has errors."""
        blocks: list[Block] = []
        origins: dict[int, Origin] = {}
        for region in self.placing.regions:
            words: list[int] = []
            for placed in region.placed:
                content = Content.DATA if placed.statement.mnemonic in DIRECTIVES else Content.CODE
                own = placed.words or (self._word(placed) & 0xFFFF,)
                words += own
                origin = Origin(placed.statement.span, content)
                origins.update(dict.fromkeys(range(placed.address, placed.address + len(own)), origin))
            blocks.append(Block(region.origin, tuple(words)))
        self._report_undefined()
        return Image(tuple(blocks), self.symbols.addresses, origins, entry=blocks[0].origin if blocks else 0)

    def _word(self, placed: Placed) -> int:
        statement = placed.statement
        if statement.mnemonic in FORMS:
            return self._instruction(statement, placed.address)
        if statement.mnemonic == FILL:
            return self._fill(statement)
        if statement.mnemonic not in DIRECTIVES:
            self._unknown(statement)
        return 0

    def _unknown(self, statement: Statement) -> None:
        written, at = statement.mnemonic, Word(statement, len(statement.labels))
        if written[0] == ".":
            message = f"there is no directive {short(written)}"
            self.report.error("unknown-directive", message, at, lambda: explain.unknown_directive(written))
        else:
            message = f"there is no instruction {short(written)}"
            self.report.error("unknown-mnemonic", message, at, lambda: explain.unknown_mnemonic(written))

    def _fill(self, statement: Statement) -> int:
        operands = statement.operands
        if len(operands) != 1 or operands[0] in REGISTERS or operands[0][0] == '"':
            return self._wrong_operands(statement, ".FILL takes one number or label")
        written, at = operands[0], Word(statement, len(statement.labels) + 1)
        value = self._number_unless_label(written, at)
        if value is None:
            symbol = self._symbol(written, at)
            return symbol.address if symbol else 0
        if not _FILL_RANGE[0] <= value <= _FILL_RANGE[1]:
            message = f"a word is {_FILL_RANGE[0]}…{_FILL_RANGE[1]} (xFFFF); {short(written)} does not fit"
            self.report.error("out-of-range", message, at, "a word has 16 bits")
        return value

    # ------------------------------------------------------------------------------------------------- instructions

    def _instruction(self, statement: Statement, address: int) -> int:
        for form in FORMS[statement.mnemonic]:
            if len(form.slots) == len(statement.operands) and _fits(form, statement.operands):
                word = form.bits
                for index, slot in enumerate(form.slots):
                    value = self._value(statement, index, slot, address)
                    word |= (value & slot.mask) << slot.shift
                return word
        return self._wrong_operands(statement, explain.usage(statement.mnemonic))

    def _value(self, statement: Statement, index: int, slot: Slot, address: int) -> int:
        written = statement.operands[index]
        if slot.kind is Kind.REGISTER:
            return REGISTERS[written]
        at = Word(statement, len(statement.labels) + 1 + index)
        value = self._number_unless_label(written, at)
        if value is None:
            return self._distance(at, slot, address)
        if not slot.least <= value <= slot.greatest:
            message = f"{slot.noun} is {explain.bounds(slot)}; {short(written).removeprefix('#')} does not fit"
            hint = explain.out_of_range(statement.mnemonic, slot, written, value)
            self.report.error("out-of-range", message, at, hint)
        return value

    def _distance(self, at: Word, slot: Slot, address: int) -> int:
        statement = at.statement
        symbol = self._symbol(statement.operands[at.position - len(statement.labels) - 1], at)
        if symbol is None:
            return 0
        distance = symbol.address - (address + 1)
        if not slot.least <= distance <= slot.greatest:
            message = f"{short(symbol.name)} is {distance} words away; {statement.mnemonic} reaches {slot.least}…{slot.greatest}"
            self.report.error("label-too-far", message, at, explain.too_far(statement.mnemonic, short(symbol.name)))
        return distance

    def _number_unless_label(self, written: str, at: Word) -> int | None:
        """The value of a number; a name that reads as a binary number is a label where there is one."""
        value = number(written)
        if value is not None and is_binary_looking(written):
            if self.symbols.find(written):
                return None
            self.report.refusal("binary-number", f"{short(written)} is a binary number", at)
        return value

    def _wrong_operands(self, statement: Statement, message: str) -> int:
        """Report operands that no form takes; a word that was meant as a number or a register is named by itself."""
        for index, written in enumerate(statement.operands[:3], len(statement.labels) + 1):
            advice = explain.bad_number(written) or explain.bad_register(written)
            if advice and number(written) is None and not self.symbols.find(written):
                code = "bad-register" if explain.bad_register(written) else "bad-number"
                what = "register" if code == "bad-register" else "number"
                self.report.error(code, f"{short(written)} is no {what}", Word(statement, index), advice)
                return 0
        hint = explain.misuse(statement.mnemonic, statement.operands)
        self.report.error("wrong-operands", message, statement, hint)
        return 0

    # ------------------------------------------------------------------------------------------------------- labels

    def _symbol(self, name: str, at: Word) -> Symbol | None:
        symbols = self.symbols.find(name)
        if not symbols:
            self._undefined.setdefault(name, []).append(at)
            return None
        if len(symbols) > 1:
            names = " or ".join(f"{short(symbol.name)} (line {symbol.span.line})" for symbol in symbols[:3])
            self.report.error("ambiguous-label", f"{short(name)} can mean {names}", at, "write it as it is defined")
        return symbols[0]

    def _report_undefined(self) -> None:
        for name, uses in self._undefined.items():
            more = len(uses) - USES_REPORTED
            for count, at in enumerate(uses[:USES_REPORTED], 1):
                rest = f" (and {more} more uses of it)" if more > 0 and count == USES_REPORTED else ""
                advice = explain.bad_number(name)
                if advice:
                    self.report.error("bad-number", f"{short(name)} is no number and no label{rest}", at, advice)
                else:
                    message = f"there is no label {short(name)}{rest}"
                    self.report.error("undefined-label", message, at, lambda name=name: self._advice(name))  # type: ignore[misc]

    def _advice(self, name: str) -> str:
        after_end = self.placing.labels_after_end.get(name.upper())
        if after_end is not None:
            return f"it stands in line {after_end}, after .END, where nothing is assembled"
        return explain.undefined(name, self.symbols.nearest(name))


def _fits(form: Form, operands: Sequence[str]) -> bool:
    """Whether each operand is of the kind that its slot takes; for a distance that is any name or number."""
    for slot, written in zip(form.slots, operands, strict=True):
        if slot.kind is Kind.REGISTER:
            if written not in REGISTERS:
                return False
        elif slot.kind is Kind.RELATIVE:
            if written in REGISTERS or written[0] == '"':
                return False
        elif number(written) is None:
            return False
    return True
