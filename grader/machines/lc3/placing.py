"""The first pass of the LC-3 assembler: an address for each statement, and for each label.

A wrong statement also takes its place in memory (one word if it does not say how many), so that one error does not move the
rest. Statements before the first ``.ORIG`` give an error. They are placed at x3000, so that their other errors are found.
Statements after an ``.END`` give a warning and are not placed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from grader.machines.assembler import Ranges, Report, Statement, Symbol, Symbols, Word, short
from grader.machines.lc3 import explain
from grader.machines.lc3.dialect import (
    BLKW,
    DIRECTIVES,
    END,
    ESCAPES,
    ORIG,
    REGISTERS,
    STRINGZ,
    is_binary_looking,
    is_closed,
    number,
    text_of,
)
from grader.machines.lc3.isa import ADDRESS_SPACE, DEVICE_REGISTERS
from grader.source import Span
from grader.values import dataclass

ASSUMED_ORIGIN = 0x3000
_WORDS_LIMIT = 4 * ADDRESS_SPACE  # a source that asks for more only lays blocks on top of each other


@dataclass(frozen=True, slots=True)
class Placed:
    """A statement that makes words, and its address. ``words`` are those of .BLKW and .STRINGZ, known already."""

    statement: Statement
    address: int
    words: tuple[int, ...] = ()


@dataclass(slots=True)
class Region:
    """One ``.ORIG`` … ``.END``. ``size`` grows as statements are placed; ``assumed`` when no .ORIG began it."""

    origin: int
    span: Span
    assumed: bool = False
    size: int = 0
    placed: list[Placed] = field(default_factory=list)
    overflows: bool = False


class Placing:
    """The result of the first pass: the regions with their statements, the labels, and the labels that stand alone."""

    def __init__(self, report: Report, kept_escapes: str = "") -> None:
        self.report = report
        self._kept_escapes = kept_escapes
        self.regions: list[Region] = []
        self.symbols = Symbols()
        self.lone_labels: list[Statement] = []
        self.labels_after_end: dict[str, int] = {}
        self._open: Region | None = None
        self._in_file = 0
        self._told_after_end = False
        self._words = 0

    def place(self, sources: Iterable[tuple[Iterable[Statement], Span]]) -> None:
        """Place all statements of the sources of a program, each with where it ends; what is open ends with its file."""
        for statements, end_of_source in sources:
            last, before = end_of_source, len(self.regions)
            for statement in statements:
                self._take(statement)
                last = statement.span
            if len(self.regions) == before:
                self.report.error("no-program", "there is no program in this file", last, "begin it with .ORIG x3000")
            elif self._open is not None:
                self.report.warning("missing-end", "the program has no .END", last, "write .END below its last line")
            self._open, self._in_file = None, len(self.regions)
        if self.regions and not any(region.size for region in self.regions):
            self.report.warning("empty-program", "this program has not one instruction", last)
        self._find_overlaps()

    def _take(self, statement: Statement) -> None:
        if statement.mnemonic == ORIG:
            self._begin(statement)
        elif statement.mnemonic == END:
            self._end(statement)
        elif self._open is None and len(self.regions) > self._in_file:
            self._after_end(statement)
        else:
            region = self._open or self._before_origin(statement)
            self._define_labels(statement, region)
            if statement.mnemonic:
                self._allot(statement, region)
            else:
                self.lone_labels.append(statement)

    # ------------------------------------------------------------------------------------------------------ regions

    def _begin(self, statement: Statement) -> None:
        if self._open is not None and not self._open.assumed:
            message = "a new .ORIG, and the block before it has no .END"
            self.report.warning("missing-end", message, statement, "write .END above this line")
        if self.regions:
            self.report.refusal("several-blocks", "only the first block of a file is assembled", statement)
        self._open = Region(self._origin_of(statement), statement.span)
        self.regions.append(self._open)
        self._define_labels(statement, self._open)

    def _origin_of(self, statement: Statement) -> int:
        if len(statement.operands) != 1 or (origin := number(statement.operands[0])) is None:
            self._wrong_operands(statement, ".ORIG takes one address")
            return ASSUMED_ORIGIN
        written, at = statement.operands[0], Word(statement, len(statement.labels) + 1)
        if not 0 <= origin < ADDRESS_SPACE:
            message = f"an address is x0000…xFFFF; {short(written)} does not fit"
            self.report.error("out-of-range", message, at, "write .ORIG x3000")
            return ASSUMED_ORIGIN
        if written.isdecimal() and len(written) == 4:
            message = f"{written} is a decimal number, the address x{origin:04X}"
            self.report.warning("decimal-origin", message, at, f"for a hexadecimal address write x{written}")
        return origin

    def _end(self, statement: Statement) -> None:
        if self._open is None:
            self.report.warning("stray-end", "there is no open block for this .END to end", statement, "delete it")
            return
        self._define_labels(statement, self._open)
        if statement.operands:
            at = Word(statement, len(statement.labels) + 1)
            self.report.warning("after-end", "what follows .END is not assembled", at, "a comment begins with ;")
        self._open = None

    def _before_origin(self, statement: Statement) -> Region:
        message = "the source does not say where in memory this goes: .ORIG must come first"
        hint = "write .ORIG x3000 above the program; a comment begins with ;"
        self.report.error("before-orig", message, statement, hint)
        self._open = Region(ASSUMED_ORIGIN, statement.span, assumed=True)
        self.regions.append(self._open)
        return self._open

    def _after_end(self, statement: Statement) -> None:
        for label in statement.labels:
            self.labels_after_end.setdefault(label.upper(), statement.line)
        if not self._told_after_end:
            self._told_after_end = True
            hint = "move .END below the last line of the program"
            self.report.warning("after-end", "what follows .END is not assembled", statement, hint)

    def _find_overlaps(self) -> None:
        ranges = Ranges()
        for region in self.regions:
            other = ranges.claim(region.origin, region.origin + region.size, region.span)
            if other is not None:
                line, hint = other.line, "give the blocks addresses further apart"
                message = f"this block overlaps the one of line {line}; where both put a word, the later one stays"
                self.report.warning("overlap", message, region.span, hint)

    # ------------------------------------------------------------------------------------------------------- labels

    def _define_labels(self, statement: Statement, region: Region) -> None:
        if not statement.labels:
            return
        if len(statement.labels) > 1:
            self.report.refusal("several-labels", "more than one label in a line", Word(statement, 1))
        for index, name in enumerate(statement.labels):
            at = Word(statement, index)
            if self._can_be_label(name, at, lone=not statement.mnemonic):
                symbol = Symbol(name, region.origin + region.size, statement.span)
                self._compare(symbol, self.symbols.define(symbol), at)

    def _compare(self, symbol: Symbol, earlier: tuple[Symbol, ...], at: Word) -> None:
        """Report labels that were defined before under the same name, or under one that differs only in case."""
        for other in earlier[:1]:
            if other.name == symbol.name:
                message = f"{short(symbol.name)} is defined a second time; the first is in line {other.span.line}"
                self.report.error("duplicate-label", message, at, "give one of them another name")
            else:
                message = f"{short(symbol.name)} and {short(other.name)} (line {other.span.line}) differ only in case"
                hint = "here these are two labels; lc3tools and others treat them as one and refuse them"
                self.report.warning("label-case", message, at, hint)

    def _can_be_label(self, name: str, at: Word, *, lone: bool) -> bool:
        if name in REGISTERS:
            self.report.error("bad-label", f"{name} is a register and cannot be a label", at, "is a mnemonic missing?")
            return False
        if name[0] in "\"'" and (name[0] == '"' or number(name) is not None):
            self.report.error("bad-label", f"{short(name)} cannot be a label", at, "a text is written .STRINGZ")
            return False
        if name[0] in "#-+0123456789xXbB" and number(name) is not None:
            return self._number_as_label(name, at)
        if name[0] in "0123456789":
            message = f"the label {short(name)} begins with a digit, which most assemblers refuse"
            self.report.warning("digit-label", message, at, f"call it L{short(name)}")
        elif lone and name.startswith(("#", "//")):
            self.report.warning("comment-sign", f"{short(name)} is read as a label", at, "a comment begins with ;")
        return True

    def _number_as_label(self, name: str, at: Word) -> bool:
        if is_binary_looking(name):
            message = f"lc3tools reads the label {short(name)} as a binary number"
            self.report.warning("binary-label", message, at, f"call it L{short(name)}")
            return True
        self.report.error("bad-label", f"{short(name)} is a number and cannot be a label", at, "give it another name")
        return False

    # ------------------------------------------------------------------------------------------------------- memory

    def _allot(self, statement: Statement, region: Region) -> None:
        words: tuple[int, ...] = ()
        size = 1
        if statement.mnemonic == BLKW:
            size = self._block_size(statement)
            words = (0,) * size if region.size + size <= ADDRESS_SPACE else ()
        elif statement.mnemonic == STRINGZ:
            words = self._text(statement)
            size = max(1, len(words))
        address = region.origin + region.size
        region.size += size
        if region.origin + region.size > DEVICE_REGISTERS:
            self._overflow(statement, region)
            return
        before, self._words = self._words, self._words + size
        if self._words <= _WORDS_LIMIT:
            region.placed.append(Placed(statement, address, words))
        elif before <= _WORDS_LIMIT:
            message = f"the blocks of this program have more than {_WORDS_LIMIT:,} words in all"
            self.report.error("image-too-large", message, statement, "reserve less with .BLKW")

    def _overflow(self, statement: Statement, region: Region) -> None:
        if region.overflows:
            return
        region.overflows = True
        last = region.origin + region.size - 1
        if last < ADDRESS_SPACE:
            message = f"this reaches x{last:04X}, but the addresses from x{DEVICE_REGISTERS:04X} are device registers"
            self.report.error("device-region", message, statement, "begin at a lower address, such as .ORIG x3000")
        else:
            message = f"this goes {last - ADDRESS_SPACE + 1} words past the end of memory, xFFFF"
            self.report.error("past-memory", message, statement, "reserve less, or begin at a lower address")

    def _block_size(self, statement: Statement) -> int:
        if len(statement.operands) != 1 or (size := number(statement.operands[0])) is None:
            self._wrong_operands(statement, ".BLKW takes one number")
            return 1
        if not 1 <= size < ADDRESS_SPACE:
            at = Word(statement, len(statement.labels) + 1)
            message = f".BLKW reserves 1…{ADDRESS_SPACE - 1} words; {short(statement.operands[0])} does not fit"
            self.report.error("out-of-range", message, at, "write how many words to reserve")
            return 1
        return size

    def _text(self, statement: Statement) -> tuple[int, ...]:
        if len(statement.operands) != 1:
            self._wrong_operands(statement, ".STRINGZ takes one text")
            return ()
        written, at = statement.operands[0], Word(statement, len(statement.labels) + 1)
        if written[0] != '"':
            if written in REGISTERS or (number(written) is not None and written[0] != "'"):
                self._wrong_operands(statement, ".STRINGZ takes one text")
                return ()
            self.report.warning("unquoted-string", f"{short(written)} has no double quotes", at, 'write "…"')
        elif not is_closed(written):
            self.report.warning("unclosed-string", "the closing quote is missing", at, 'end the text with "')
        words, unknown = text_of(written, self._kept_escapes)
        for escape in unknown[:1]:
            message = f"{escape} means nothing special: both characters are stored"
            known = " ".join(f"\\{letter}" for letter in ESCAPES if letter not in self._kept_escapes)
            self.report.warning("unknown-escape", message, at, f"there are {known}")
        return tuple(words)

    def _wrong_operands(self, statement: Statement, message: str) -> None:
        hint = explain.misuse(statement.mnemonic, statement.operands)
        self.report.error("wrong-operands", message, statement, hint)

    def words_alone(self) -> Iterable[tuple[Word, str]]:
        """Labels that stand alone in their line and that nothing uses, and the dotless directive that each spells."""
        for statement in self.lone_labels:
            for index, name in enumerate(statement.labels):
                if not self.symbols.is_used(name):
                    yield Word(statement, index), f".{name.upper()}" if f".{name.upper()}" in DIRECTIVES else ""
