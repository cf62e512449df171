"""The effect of each directive on the placing of a program."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from grader.machines.assembler import short
from grader.machines.mips.constants import reckoned
from grader.machines.mips.dialect import IGNORED, bytes_of, classify, real
from grader.machines.mips.lines import Line
from grader.machines.mips.parts import Label, Wanted

if TYPE_CHECKING:
    from grader.machines.mips.placing import Placing

SIZES = {".byte": 1, ".half": 2, ".word": 4, ".float": 4, ".double": 8}
_FLOATS = (".float", ".double")
_STRINGS = (".ascii", ".asciiz")
_GREATEST = {".byte": 127, ".half": 32767, ".float": 3.4028234663852886e38}
_SPACE_LIMIT = 1 << 22  # bytes: no data segment is larger
_NUMBER_KINDS = "01234"


class Directives:
    """Carries directives out on a Placing."""

    def __init__(self, placing: Placing) -> None:
        self._placing = placing
        self._report = placing.report
        self._align = True
        self._last = ".word"

    def begin_file(self) -> None:
        """Forget what an earlier file left."""
        self._align, self._last = True, ".word"

    def run(self, name: str, line: Line, at: int) -> None:
        """Carry out the directive ``name`` that stands at word ``at``."""
        placing = self._placing
        if name in SIZES or name in _STRINGS:
            self._last = name
            if self._in_data(line, at) and len(line.words) > at + 1:
                self._store(name, line, at + 1)
        elif name in (".data", ".kdata", ".rdata", ".sdata", ".text", ".ktext"):
            self._segment(name, line, at)
        elif name == ".macro":
            placing.macros.begin(line, at)
        elif name == ".end_macro":
            placing.macros.end(line, at)
        elif name == ".set":
            if placing.rules.name == "mars":
                message = "MARS currently ignores the .set directive."
                self._report.warning("set-ignored", message, line.at(at), "delete the line")
            elif line.words[at + 1 :] in (["noat"], ["at"]):
                placing.uses_at = line.words[at + 1] == "noat"
        elif name not in IGNORED:
            _OTHERS[name](self, line, at)

    def go_on(self, line: Line, at: int) -> None:
        """More values for the last directive, in a line of their own."""
        if classify(line.words[at], self._placing.rules.name)[0] in ("(", ")", ":", "r", "f", "m"):
            return
        self._store(self._last, line, at)

    def _in_data(self, line: Line, at: int) -> bool:
        if not self._placing.in_data:
            message = f'"{line.words[at]}" directive cannot appear in text segment'
            hint = "write .data before it, and .text before the next instruction"
            self._report.error("data-in-text", message, line.at(at), hint)
        return self._placing.in_data

    def _segment(self, name: str, line: Line, at: int) -> None:
        placing = self._placing
        placing.in_data = not name.endswith("text")
        placing.kernel = name[1] == "k"
        if placing.in_data:
            self._align = True
        placing.recent.clear()
        if len(line.words) > at + 1 and (value := classify(line.words[at + 1])[1]) is not None:
            address = value & 0xFFFF_FFFF
            if placing.in_data:
                placing.data[placing.kernel].cursor = address
            else:
                placing.text[placing.kernel] = address

    # ------------------------------------------------------------------------------------------------------- values

    def _store(self, name: str, line: Line, at: int) -> None:
        placing = self._placing
        start = placing.data[placing.kernel].cursor
        if name in _STRINGS:
            self._strings(name, line, at)
        else:
            if placing.rules.equates:
                line = self._reckoned(line, at)
            store = self._repeated if len(line.words) == at + 3 and line.words[at + 1] == ":" else self._values
            store(name, line, at)
        placing.data_origin(start, placing.data[placing.kernel].cursor, line)

    def _reckoned(self, line: Line, at: int) -> Line:
        """The line with the expressions from word ``at`` on replaced by their values."""
        self._placing.note_signs(line.words[at:], line)
        words = line.words[:at] + reckoned(line.words[at:], self._placing.constants, signs_join=False)
        return line if words == line.words else line._replace(words=words, replaced=True)

    def _aligned(self, size: int) -> None:
        """Move the cursor to a multiple of ``size``, and with it the labels that stand there."""
        if self._align or self._placing.rules.name == "mipsy":  # which aligns after .align 0 as well
            self._move_to_multiple(size)
        self._placing.recent.clear()

    def _move_to_multiple(self, size: int) -> None:
        data = self._placing.data[self._placing.kernel]
        before, data.cursor = data.cursor, -(-data.cursor // size) * size
        # In MARS a label on a line of its own moves along with the word below it.
        for label in self._placing.recent:
            if label.address == before:
                label.address = data.cursor

    def _put(self, data: bytes, line: Line, at: int) -> None:
        placing = self._placing
        segment = placing.data[placing.kernel]
        if not segment.put(data):
            signed = segment.cursor - (1 << 32) if segment.cursor >> 31 else segment.cursor
            message = f'"{signed}" is not a valid data segment address'
            self._report.error("data-address", message, line.at(at), "user data stands at 0x10010000…0x103fffff")

    def _values(self, name: str, line: Line, at: int) -> None:
        words = line.words
        if len(words) > at:
            self._aligned(SIZES[name])
        numbers = self._numbers(name, words[at:])
        if numbers is not None:
            self._put(struct.pack(f"<{len(numbers)}{_PACKED[SIZES[name]]}", *numbers), line, at)
            return
        place = at
        while place < len(words):
            word = words[place]
            after_name = place > at and classify(words[place - 1])[0] == "L"
            before_number = place + 1 < len(words) and classify(words[place + 1])[0] in _NUMBER_KINDS
            if word in "+-" and before_number and not after_name:
                place += 1
                word = words[place] if word == "+" else f"-{words[place]}"
            self._value(name, word, line, place)
            place += 1

    def _numbers(self, name: str, words: list[str]) -> list[int] | None:
        """The values of a list that holds nothing but numbers in range, as most do; else None."""
        if name in _FLOATS:
            return None
        greatest = _GREATEST.get(name, 0x7FFF_FFFF)
        mask = (1 << 8 * SIZES[name]) - 1
        numbers = []
        for word in words:
            value = classify(word, self._placing.rules.name)[1]
            if value is None or word[0] == "$" or not -greatest - 1 <= value <= greatest:
                return None
            numbers.append(value & mask)
        return numbers

    def _value(self, name: str, word: str, line: Line, at: int) -> None:
        size = SIZES[name]
        kind, value = classify(word, self._placing.rules.name)
        if word in self._placing.constants:
            kind, value = "4", self._placing.constants[word]
        if name in _FLOATS:
            self._float(name, word, line, at)
        elif kind in _NUMBER_KINDS and value is not None:
            greatest = _GREATEST.get(name, 0x7FFF_FFFF)
            if not -greatest - 1 <= value <= greatest:
                self._too_large(name, word, value, line, at)
            self._put((value & (1 << 8 * size) - 1).to_bytes(size, "little"), line, at)
        elif kind == "L":
            placing = self._placing
            data = placing.data[placing.kernel]
            placing.wanted.append(Wanted(data, data.cursor, size, word, line, at, placing.scope))
            self._put(bytes(size), line, at)
        else:
            message = f'"{short(word)}" is not a valid integer constant or label'
            hint = "write .float or .double for real numbers" if kind == "x" else "write numbers, 'A', or labels"
            self._report.error("bad-value", message, line.at(at), hint if kind != "s" else "write .asciiz for a string")

    def _too_large(self, name: str, word: str, value: int, line: Line, at: int) -> None:
        bits = 8 * SIZES[name]
        message = f'"{short(word)}" is out-of-range for a signed value and possibly truncated'
        hint = f"{name} holds {-(1 << bits - 1)}…{(1 << bits - 1) - 1}"
        if self._placing.rules.name == "mipsy" and value >= 1 << bits:
            self._report.error("out-of-range", message, line.at(at), hint)
        else:
            self._report.warning("truncated", message, line.at(at), hint)

    def _float(self, name: str, word: str, line: Line, at: int) -> None:
        value = real(word)
        if value is None:
            integer = classify(word)[1] if classify(word)[0] in _NUMBER_KINDS else None
            value = float(integer) if integer is not None and word[0] != "'" else None
        if value is None:
            message = f'"{short(word)}" is not a valid floating point constant'
            self._report.error("bad-value", message, line.at(at), "write 1.5 or 2e3")
        elif not abs(value) <= _GREATEST.get(name, 1.7976931348623157e308):
            message = f'"{short(word)}" is an out-of-range value'
            self._report.error("out-of-range", message, line.at(at), "write a smaller number")
        else:
            self._put(struct.pack("<f" if name == ".float" else "<d", value), line, at)

    def _repeated(self, name: str, line: Line, at: int) -> None:
        word, count_word = line.words[at], line.words[at + 2]
        count = classify(count_word)[1] if classify(count_word)[0] in _NUMBER_KINDS else None
        count = self._placing.constants.get(count_word, count)
        kind = classify(word)[0]
        if count is None or kind not in _NUMBER_KINDS + ("x" if name in _FLOATS else ""):
            hint = f"write {name} value : count, both as numbers"
            self._report.error("bad-value", "malformed expression", line.at(at), hint)
            return
        if count <= 0:
            message = "repetition factor must be positive"
            self._report.error("out-of-range", message, line.at(at + 2), "write how often to store the value")
            return
        size = SIZES[name]
        self._aligned(size)
        segment = self._placing.data[self._placing.kernel]
        start = segment.cursor
        self._value(name, word, line, at)
        if count * size > _SPACE_LIMIT:
            message = f"{count * size:,} bytes are more than the data segment holds"
            self._report.error("data-address", message, line.at(at + 2), "store fewer")
        elif segment.cursor > start:
            self._put(segment.at(start, size) * (count - 1), line, at)

    def _strings(self, name: str, line: Line, at: int) -> None:
        self._placing.recent.clear()
        dialect = self._placing.rules.name
        for place, word in enumerate(line.words[at:], at):
            if word[0] != '"':
                message = f'"{short(word)}" is not a valid character string'
                self._report.error("bad-value", message, line.at(place), 'write the text in double quotes: "hello"')
                continue
            if len(word) < 2 or word[-1] != '"':
                message = "the closing quote is missing, and the last character is lost"
                self._report.warning("unclosed-string", message, line.at(place), 'end the text with "')
            # Boxes of a board: the low byte of U+2500 is 0, which ends the text.
            if dialect == "mars" and not word.isascii() and any(ord(char) > 255 for char in word):
                message = "MARS keeps one byte of each character: this text will not print as written"
                self._report.warning("wide-characters", message, line.at(place), "print plain ASCII")
            self._put(bytes_of(word, dialect) + (b"\0" if name == ".asciiz" else b""), line, place)

    # ------------------------------------------------------------------------------------------------------- others

    def _wrong_operands(self, line: Line, at: int, message: str, hint: str) -> None:
        self._report.error("wrong-operands", message, line.at(at), hint)

    def _count(self, line: Line, at: int) -> int | None:
        """The one number that a directive takes."""
        word = line.words[at]
        if self._placing.rules.equates:
            line = self._reckoned(line, at + 1)
        if len(line.words) != at + 2:
            self._wrong_operands(line, at, f'"{word}" requires one operand', f"write {word} and a number")
            return None
        written = line.words[at + 1]
        value = classify(written)[1] if classify(written)[0] in _NUMBER_KINDS else self._placing.constants.get(written)
        if value is None or value < 0:
            self._wrong_operands(line, at, f'"{word}" requires a non-negative integer', f"write {word} and a number")
            return None
        return value

    def alignment(self, line: Line, at: int) -> None:
        """``.align n``: go on at a multiple of 2 to the power n; 0 switches alignment off."""
        # SPIM aligns its data, wherever the line stands: compilers write one before each routine.
        allowed = self._placing.rules.name == "spim" or self._in_data(line, at)
        if allowed and (count := self._count(line, at)) is not None:
            if count == 0:
                self._align = False
            elif count > 20:
                message = f".align {count} is a boundary of 2 to the power {count}"
                self._report.error("out-of-range", message, line.at(at + 1), "write .align 2 for words")
            else:
                self._move_to_multiple(1 << count)

    def space(self, line: Line, at: int) -> None:
        """``.space n``: reserve n bytes."""
        if self._in_data(line, at) and (count := self._count(line, at)) is not None:
            segment = self._placing.data[self._placing.kernel]
            if count > _SPACE_LIMIT:
                message = f"{count:,} bytes are more than the data segment holds"
                self._report.error("data-address", message, line.at(at + 1), "reserve less")
                return
            self._placing.data_origin(segment.cursor, segment.cursor + count, line)
            self._placing.reserved.append(range(segment.cursor, segment.cursor + count))
            segment.cursor += count
            self._placing.recent.clear()

    def globl(self, line: Line, at: int) -> None:
        """``.globl a b``: labels that other files see."""
        if len(line.words) < at + 2:
            self._wrong_operands(line, at, '".globl" directive requires at least one argument.', "write .globl main")
        for place, word in enumerate(line.words[at + 1 :], at + 1):
            if classify(word)[0] != "L":
                self._wrong_operands(line, at, '".globl" directive argument must be label.', "write .globl main")
                return
            self._placing.scope.declared.append((word, line, place))

    def extern(self, line: Line, at: int) -> None:
        """``.extern name size``: room that all files share."""
        placing = self._placing
        if len(line.words) != at + 3:
            message = '".extern" directive requires two operands (label and size).'
            self._wrong_operands(line, at, message, "write .extern name 4")
            return
        name, size = line.words[at + 1], classify(line.words[at + 2])
        if size[0] not in _NUMBER_KINDS or size[1] is None or size[1] < 0:
            self._wrong_operands(line, at, '".extern" requires a non-negative integer size', "write .extern name 4")
        elif name not in placing.globals:
            placing.globals[name] = Label(name, placing.extern, line, True)
            placing.extern += size[1]

    def common(self, line: Line, at: int) -> None:
        """SPIM's ``.comm name, size``: room in the data segment under a name."""
        placing = self._placing
        size = classify(line.words[at + 2])[1] if len(line.words) == at + 3 else None
        if size is None or not 0 <= size <= _SPACE_LIMIT:
            written = line.words[at]
            self._wrong_operands(line, at, f"{written} takes a name and a size", f"write {written} name, 4")
            return
        data = placing.data[False]
        data.cursor = (data.cursor + 3) & ~3
        placing.scope.labels.setdefault(line.words[at + 1], Label(line.words[at + 1], data.cursor, line, True))
        data.cursor += size

    def include(self, line: Line, at: int) -> None:
        """``.include`` without a file in quotes."""
        message = '".include" directive recognized but not yet implemented.'
        self._wrong_operands(line, at, message, 'write .include "file.asm"')


_PACKED = {1: "B", 2: "H", 4: "I"}
_OTHERS = {
    ".align": Directives.alignment,
    ".space": Directives.space,
    ".globl": Directives.globl,
    ".extern": Directives.extern,
    ".comm": Directives.common,
    ".lcomm": Directives.common,
    ".include": Directives.include,
}
