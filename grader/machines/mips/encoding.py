"""The second pass of the MIPS assembler: the words of each instruction, now that every label has an address."""

from __future__ import annotations

from collections import Counter
from functools import partial

from grader.machines.assembler import Report, short
from grader.machines.image import Block, Content, Image, Origin
from grader.machines.mips import explain
from grader.machines.mips.forms import TooFarError, encode
from grader.machines.mips.lines import Line
from grader.machines.mips.parts import Code, Scope
from grader.machines.mips.placing import TEXT_LIMITS, Placing

_USES_REPORTED = 5  # of one undefined label


class Encoding:
    """Makes the image of what was placed; worth nothing when the report has failed."""

    def __init__(self, placing: Placing, report: Report) -> None:
        self._placing = placing
        self._report = report
        self._undefined: Counter[str] = Counter()

    def image(self, entry: int) -> Image:
        """The image, starting at ``entry``."""
        words: dict[int, int] = {}
        origins = self._placing.origins
        for code in self._placing.code:
            self._code(code, words, origins)
        self._fill_data()
        blocks = [*_blocks(words)]
        for data in self._placing.data.values():
            blocks += data.blocks()
        return Image(tuple(blocks), self._symbols(), origins, entry)

    def _code(self, code: Code, words: dict[int, int], origins: dict[int, Origin]) -> None:
        address, form, operands, values, line, at, scope = code
        known = [value or 0 for value in values]
        for place, (value, word) in enumerate(zip(values, operands, strict=True)):
            if value is None and word not in "()+":
                known[place] = self._address(word, line, at + 1 + place, scope, address)
        if form.sums is not None:
            known[form.sums[0]] += known[form.sums[1]]
        origin = Origin(line.quick_span(), Content.CODE)
        for step in form.steps:
            if address in words:
                span = origins[address].span
                message = (
                    f"Duplicate text segment address: 0x{address:08x} already occupied by {span.source.name} "
                    f"line {span.line} (caused by use of .text operand)"
                )
                hint = "give the second .text another address, or none"
                self._report.error("duplicate-address", message, line.span, hint)
            try:
                words[address] = encode(step, known, address)
            except TooFarError as far:
                message = f"Branch target word address beyond 16-bit range: {far.args[0]} instructions"
                hint = "branch the other way round a j to that label"
                self._report.error("label-too-far", message, line.at(at), hint)
            origins[address] = origin
            address += 4
        if not any(first <= code.address < last for first, last in TEXT_LIMITS):
            message = f"Invalid address for text segment: {code.address}"
            self._report.error("text-address", message, line.at(at), "instructions stand at 0x00400000…0x0fffffff")

    def _address(self, name: str, line: Line, at: int, scope: Scope, otherwise: int = 0) -> int:
        label = scope.labels.get(name) or self._placing.globals.get(name)
        if label is not None:
            return label.address
        constant = self._placing.constants.get(name)
        if constant is not None:
            return constant
        self._undefined[name] += 1
        if self._undefined[name] <= _USES_REPORTED:
            message = f'Symbol "{short(name)}" not found in symbol table.'
            self._report.error("undefined-label", message, line.at(at), partial(explain.undefined, name, scope.labels))
        return otherwise

    def _fill_data(self) -> None:
        for wanted in self._placing.wanted:
            address = self._address(wanted.name, wanted.line, wanted.at, wanted.scope)
            label = wanted.scope.labels.get(wanted.name)
            if self._placing.rules.name == "mipsy" and label is not None and not label.in_data:
                message = f"cannot find constant `{short(wanted.name)}` in program"
                hint = "mipsy takes no labels of instructions as data"
                self._report.error("text-label", message, wanted.line.at(wanted.at), hint)
            mask = (1 << 8 * wanted.size) - 1
            wanted.data.put_at(wanted.address, (address & mask).to_bytes(wanted.size, "little"))

    def _symbols(self) -> dict[str, int]:
        """Every label with its address: those of the first file that has the name, and global ones before others."""
        symbols = {name: label.address for name, label in self._placing.globals.items()}
        for scope in self._placing.scopes:
            for name, label in scope.labels.items():
                symbols.setdefault(name, label.address)
        return symbols


def _blocks(words: dict[int, int]) -> list[Block]:
    """Words by address as blocks without holes."""
    blocks: list[Block] = []
    run: list[int] = []
    start = expected = 0
    for address in sorted(words):
        if address != expected and run:
            blocks.append(Block(start, tuple(run)))
            run = []
        if not run:
            start = address
        run.append(words[address])
        expected = address + 4
    if run:
        blocks.append(Block(start, tuple(run)))
    return blocks
