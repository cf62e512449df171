"""The first pass of the MIPS assembler: an address for each label and instruction, and the bytes of the data.

A line is labels, then a directive, a use of a macro, or an instruction. Instructions wait for the second pass with the
form that fits them, which alone says how many words they make. Data is stored at once; where it names a label, the
label's address is filled in at the end.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping, Sequence
from functools import partial

from grader.machines.assembler import Report, short
from grader.machines.image import Content, Origin
from grader.machines.mips import explain
from grader.machines.mips.constants import folded, reckoned
from grader.machines.mips.dialect import FLOAT_REGISTERS, Dialect, classify, real
from grader.machines.mips.directives import Directives
from grader.machines.mips.forms import ACCEPTED
from grader.machines.mips.isa import DATA, EXTERN, KERNEL_DATA, KERNEL_TEXT
from grader.machines.mips.lines import Line, Reader
from grader.machines.mips.macros import Macro, Macros
from grader.machines.mips.parts import Code, Data, Label, Scope, Wanted
from grader.source import SourceFile

_MACRO_TOO_LATE = "a macro is known from its .end_macro on: move it up"
TEXT_LIMITS = ((0x0040_0000, 0x1000_0000), (0x8000_0000, 0x8040_0000))


class Placing:
    """Places the lines of one program, file by file."""

    def __init__(self, rules: Dialect, report: Report, files: Mapping[str, SourceFile]) -> None:
        self.rules = rules
        self.report = report
        self.globals: dict[str, Label] = {}
        self.code: list[Code] = []
        self.wanted: list[Wanted] = []
        self.origins: dict[int, Origin] = {}
        self.text = {False: rules.text, True: KERNEL_TEXT}
        self.data = {False: Data(DATA), True: Data(KERNEL_DATA)}
        self.extern = EXTERN
        self.in_data = False
        self.kernel = False
        self.scope = Scope()
        self.scopes: list[Scope] = []
        self.constants: dict[str, int] = {}
        self.uses_at = False
        self.reserved: list[range] = []
        self.recent: list[Label] = []
        self._files = files
        self._shapes = rules.forms.shapes
        self._directives = Directives(self)
        self._depth = 0
        self._stray_in_data = False

    def file(self, source: SourceFile) -> None:
        """Place one file: its labels are its own, except those that it declares global."""
        self.scope = Scope()
        self.scopes.append(self.scope)
        self.in_data = self.kernel = False
        self._directives.begin_file()
        self.reader = Reader(self.rules, self.report, self._files)
        self.macros = Macros(self.report)
        for line in self.reader.lines(source):
            self._line(line)
        self.macros.finish()
        for name, line, at in self.scope.declared:
            self._declare(name, line, at)

    def _declare(self, name: str, line: Line, at: int) -> None:
        label = self.scope.labels.get(name)
        if label is None:
            if self.rules.name == "mars":
                message = f'"{short(name)}" declared global label but not defined.'
                hint = partial(explain.undefined, name, self.scope.labels)
                self.report.error("undefined-label", message, line.at(at), hint)
        elif self.globals.get(name, label) is not label:
            message = f'"{short(name)}" already defined as global in a different file.'
            self.report.error("duplicate-label", message, line.at(at), "give one of them another name")
        else:
            self.globals[name] = label

    # -------------------------------------------------------------------------------------------------------- lines

    def _line(self, line: Line) -> None:
        first = 0
        macro = self.macros.open
        if macro is not None:
            self._macro_line(macro, line)
            return
        if len(line.words) > 1 and line.words[1] == ":":
            line = self._labelled(line)
            first = 2
            if len(line.words) == 2:
                return
        words = line.words
        word = words[first]
        if word[0] == ".":
            self._dotted(word, line, first)
        elif (use := self.macros.find(words[first:])) is not None:
            self._depth += 1
            for inner in self.macros.expand(*use, self._depth, line):
                self._line(inner)
            self._depth -= 1
        elif self.rules.equates and self._is_equate(words, first):
            self._equate(line, first)
        elif self.in_data:
            self._stray(word, line, first)
        else:
            self._instruction(line, first)

    def _macro_line(self, macro: Macro, line: Line) -> None:
        """A line between ``.macro`` and ``.end_macro``."""
        words = line.words
        first = 2 if len(words) > 1 and words[1] == ":" else 0
        if first:
            macro.labels.add(words[0])
        name = words[first].lower() if len(words) > first else ""
        if name in (".macro", ".end_macro"):
            self._directives.run(name, line, first)
        else:
            macro.lines.append(line)

    def _dotted(self, word: str, line: Line, at: int) -> None:
        """A word with a dot: a directive, an unknown one, or more values where data is listed."""
        if word.lower() in self.rules.directives and not (self.rules.small_letters and word.lower() != word):
            self._directives.run(word.lower(), line, at)
        elif classify(word)[0] == "L":
            self._unknown_directive(word, line, at)
        elif self.in_data:
            self._directives.go_on(line, at)
        else:
            self._instruction(line, at)

    def _labelled(self, line: Line) -> Line:
        """Define the label of a line, and return the line. mipsy takes several labels; the last one stays in the line."""
        self._label(line)
        words, last = line.words, 0
        while self.rules.name == "mipsy" and words[last + 3 : last + 4] == [":"]:
            last += 2
            self._label(line._replace(words=words[last : last + 2], replaced=True))
        return line._replace(words=words[last:], replaced=True) if last else line

    def _label(self, line: Line) -> None:
        name = line.words[0]
        kind = classify(name, self.rules.name)[0]
        if kind != "L":
            message = f'"{short(name)}" is not a recognized operator'
            hint = "a label begins with a letter, and is no register or number"
            self.report.error("bad-label", message, line.at(0), hint)
            return
        if not self.rules.operation_labels and name in self.rules.forms.by_name:
            hint = f"SPIM takes {name} for the instruction; give the label another name"
            self.report.error("bad-label", "Cannot use opcodes as labels", line.at(0), hint)
            return
        earlier = self.scope.labels.get(name)
        if earlier is not None:
            message = f'label "{short(name)}" already defined'
            if self.rules.name == "spim":
                message = f"Label is defined for the second time: {short(name)}"
            hint = f"the first is in line {earlier.line.number}; give this one another name"
            self.report.error("duplicate-label", message, line.at(0), hint)
            return
        address = self.data[self.kernel].cursor if self.in_data else self.text[self.kernel]
        label = Label(name, address, line, self.in_data)
        self.scope.labels[name] = label
        if self.in_data:
            self.recent.append(label)

    def _unknown_directive(self, word: str, line: Line, at: int) -> None:
        hint = partial(explain.unknown_directive, word, self.rules)
        if self.rules.name == "mars":
            message = f"MARS does not recognize the {short(word)} directive.  Ignored."
            self.report.warning("unknown-directive", message, line.at(at), hint)
        else:
            message = f"{self.rules.title} has no directive {short(word)}"
            self.report.error("unknown-directive", message, line.at(at), hint)

    def _stray(self, word: str, line: Line, at: int) -> None:
        """A line in a data segment that begins with no directive: more values, or what does not belong there."""
        if word.lower() in self.rules.forms.by_name:
            if not self._stray_in_data:
                message = f"{word} stands in the data segment and is ignored"
                self.report.warning("instruction-in-data", message, line.at(at), "write .text before the instructions")
            self._stray_in_data = True
        else:
            self._directives.go_on(line, at)

    # ---------------------------------------------------------------------------------------------------- constants

    @staticmethod
    def _is_equate(words: Sequence[str], at: int) -> bool:
        apart = len(words) > at + 1 and words[at + 1][0] == "="
        return apart or "=" in words[at][1:] or (at == 2 and words[2][0] == "=")

    def _equate(self, line: Line, at: int) -> None:
        """``NAME = expression``, in any spacing; ``name:=`` as SPIM has it."""
        name, _, expression = " ".join(line.words).replace(" : ", " ").partition("=")
        name = name.strip()
        value = folded(expression.split(), self.constants)
        if not name or classify(name)[0] != "L" or value is None:
            message = f"{short(name)} = {short(expression.strip())} is no constant"
            self.report.error("bad-constant", message, line.span, "write NAME = 4")
        else:
            self.scope.labels.pop(name, None) if at == 2 else None
            self.constants[name] = value

    def note_signs(self, words: Sequence[str], line: Line) -> None:
        """Warn of the sign of a name, as in ``-SIZE``: it is taken here, and SPIM 8.0 refuses it."""
        if self.rules.name != "spim":
            return
        for before, sign, name in zip(("", *words), words, words[1:], strict=False):
            if sign == "-" and name in self.constants and folded([before], self.constants) is None:
                message = f"SPIM refuses the sign of a name: -{short(name)}"
                hint = f"write NEGATIVE = {-self.constants[name]} and its name"
                self.report.warning("signed-name", message, line.span, hint)

    # ------------------------------------------------------------------------------------------------- instructions

    def _instruction(self, line: Line, at: int) -> None:
        by_value = self.rules.name == "spim" and line.words[at][:2] == "li"
        loads = immediate_loads(line.words[at:]) if by_value else []
        for words in loads:
            self._place(line._replace(words=words, replaced=True), 0)
        if not loads:
            self._place(line, at)

    def _place(self, line: Line, at: int) -> None:
        words = line.words
        name = words[at].lower()
        shapes = self._shapes.get(name)
        if shapes is None or (self.rules.small_letters and name != words[at]):
            self._unknown_operator(line, at)
            return
        operands = words[at + 1 :]
        dialect = self.rules.name
        if self.constants:
            self.note_signs(operands, line)
        classes = [classify(word, dialect) for word in operands]
        form = shapes.get("".join([kind for kind, _ in classes]))
        if form is None:
            operands, classes = self._tidied(operands)
            form = shapes.get("".join([kind for kind, _ in classes]))
            if form is None:
                self._no_form(name, operands, line, at)
                return
        elif self.constants:
            tidied = self._tidied(operands)
            form, operands, classes = shapes.get("".join([kind for kind, _ in tidied[1]]), form), *tidied
        if self.rules.reserves_at and not self.uses_at and classes[:1] == [("r", 1)]:
            message = "Register 1 is reserved for assembler"
            hint = "use $t0-$t9, or write .set noat before this line"
            self.report.error("reserved-register", message, line.at(at + 1), hint)
        address = self.text[self.kernel]
        self.text[self.kernel] = address + 4 * form.size
        self.code.append(Code(address, form, operands, [value for _, value in classes], line, at, self.scope))

    def _tidied(self, operands: list[str]) -> tuple[list[str], list[tuple[str, int | None]]]:
        """The operands with ``label +4`` as three words and, where the dialect has constants, these reckoned."""
        words_out: list[str] = []
        for word in operands:
            after_label = (
                bool(words_out)
                and classify(words_out[-1], self.rules.name)[0] == "L"
                and words_out[-1] not in self.constants
            )
            words_out += ["+", word[1:]] if word[0] == "+" and len(word) > 1 and after_label else [word]
        if self.rules.equates:
            words_out = reckoned(words_out, self.constants, signs_join=True)
        return words_out, [classify(word, self.rules.name) for word in words_out]

    def _unknown_operator(self, line: Line, at: int) -> None:
        word, operands = line.words[at], line.words[at + 1 :]
        if self.macros.knows(word):
            message = f'forward reference or invalid parameters for macro "{short(word)}"'
            counts = self.macros.arities(word)
            written = len([operand for operand in operands if operand not in "()"])
            taken = f"{short(word)} takes {' or '.join(map(str, counts))} arguments, here are {written}"
            self.report.error("macro-arguments", message, line.at(at), taken if counts else _MACRO_TOO_LATE)
            return
        message = f'"{short(word)}" is not a recognized operator'
        if classify(word)[0] == "e" and self.rules.name == "mars":
            message = f"Invalid language element: {short(word)}"

        def hint() -> str:
            if re.search(rf"(?im)^\s*\.macro[\s,]+{re.escape(word)}(?![\w.$])", line.source.text):
                return _MACRO_TOO_LATE
            return explain.unknown_operator(word, operands, self.rules)

        self.report.error("unknown-operator", message, line.at(at), hint)

    def _no_form(self, name: str, operands: list[str], line: Line, at: int) -> None:
        """Say as MARS does why no form fits, which goes by the first of them, with a hint that goes by all."""
        form, written = self.rules.forms.by_name[name][0], line.words[at]
        hint = partial(explain.wrong_operands, name, operands, self.rules)
        for place, word in enumerate(operands):
            if classify(word, self.rules.name)[0] == "e" and not (word == "=" or self.rules.equates):
                self.report.error("bad-word", f"Invalid language element: {short(word)}", line.at(at + 1 + place), hint)
                return
        if len(operands) != len(form.pattern):
            which = "few" if len(operands) < len(form.pattern) else "many"
            message = f'"{written}": Too {which} or incorrectly formatted operands. Expected: {form.example}'
            self.report.error("wrong-operands", message, line.at(at), hint)
            return
        for place, (part, word) in enumerate(zip(form.pattern, operands, strict=True)):
            kind = classify(word, self.rules.name)[0]
            if kind not in ACCEPTED[part]:
                at_word = line.at(at + 1 + place)
                if part in _RANGES and kind in "01234":
                    message = f'"{short(word)}": operand is out of range'
                    self.report.error("out-of-range", message, at_word, _RANGES[part])
                else:
                    self.report.error("wrong-operands", f'"{short(word)}": operand is of incorrect type', at_word, hint)
                return

    # ------------------------------------------------------------------------------------------------------- origins

    def data_origin(self, start: int, end: int, line: Line) -> None:
        """Note that a line made the bytes from ``start`` to ``end``."""
        origin = Origin(line.quick_span(), Content.DATA)
        for address in range(start & ~3, min(end, start + 4096), 4):
            self.origins.setdefault(address, origin)


_RANGES = {
    "h": "the number is 0…31",
    "i": "the number is -32768…32767; put a larger one into a register with li first",
    "u": "the number is 0…65535; put another one into a register with li first",
}


def immediate_loads(words: Sequence[str]) -> list[list[str]]:
    """The instructions that a load of a number becomes, none where the tables know it as it is.

    A multiple of 65536 is a single ``lui``. ``li.s`` and ``li.d`` load the bits of a number, ``li.d`` into two registers.
    """
    if len(words) != 3:
        return []
    name, register, number = words
    if name == "li":
        value = classify(number, "spim")[1]
        single = value and value & 0xFFFF == 0 and classify(register, "spim")[0] == "r"
        return [["lui", register, str(value >> 16 & 0xFFFF)]] if single and value else []
    place, wanted = FLOAT_REGISTERS.get(register), real(number)
    if name not in ("li.s", "li.d") or place is None or wanted is None:
        return []
    try:
        bits = struct.unpack("<i" if name == "li.s" else "<ii", struct.pack("<f" if name == "li.s" else "<d", wanted))
    except OverflowError:
        return []
    return [[name, f"$f{place + offset}", str(word)] for offset, word in enumerate(bits)]
