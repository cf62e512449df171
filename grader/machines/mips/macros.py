"""Macros as MARS has them: text with parameters, chosen by name and number of arguments.

A label that a macro defines gets the suffix ``_M1``, ``_M2`` …, another one at each use. A macro is known from its end on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from grader.machines.assembler import Report
from grader.machines.mips.dialect import FLOAT_REGISTERS, REGISTERS, classify
from grader.machines.mips.lines import Line, length_with, with_texts, words_in

EXPANDED_TEXT = 4_000_000  # characters of one file: macros that use macros can grow without measure
_LINE = 20  # characters that a line counts as, however short it is
NESTING = 64  # maximum depth of macros within macros: one that uses itself has no end


@dataclass
class Macro:
    """One macro: its parameters, its lines, and the labels that these define."""

    name: str
    start: Line
    parameters: list[str] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    labels: set[str] = field(default_factory=set)


def is_parameter(word: str) -> bool:
    """Whether a word can name a parameter: ``%x``, or ``$x`` where that is no register."""
    if len(word) < 2:
        return False
    return word[0] == "%" or (word[0] == "$" and word not in REGISTERS and word not in FLOAT_REGISTERS)


class Macros:
    """The macros of one file."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._known: dict[tuple[str, int], Macro] = {}
        self._names: set[str] = set()
        self._uses = 0
        self._expanded = 0
        self.open: Macro | None = None
        """The macro whose lines are being read."""

    def begin(self, line: Line, at: int) -> None:
        """A ``.macro`` at word ``at``."""
        operands = line.words[at + 1 :]
        if not operands:
            message = '".macro" directive requires at least one argument.'
            self._report.error("wrong-operands", message, line.at(at), "write .macro name (%a, %b)")
        elif classify(operands[0])[0] != "L":
            message = f'Invalid Macro name "{operands[0]}"'
            self._report.error("bad-macro", message, line.at(at + 1), "a name begins with a letter")
        elif self.open is not None:
            hint = "end the other macro with .end_macro first"
            self._report.error("nested-macro", "Nested macros are not allowed", line.at(at), hint)
        else:
            self.open = Macro(operands[0], line)
            self._names.add(operands[0])
            for place, word in enumerate(operands[1:], at + 2):
                if word in "()":
                    continue
                if not is_parameter(word):
                    message = f"Invalid macro argument '{word}'"
                    self._report.error("bad-macro", message, line.at(place), f"write %{word}")
                    return
                self.open.parameters.append(word)

    def end(self, line: Line, at: int) -> None:
        """An ``.end_macro`` at word ``at``."""
        if len(line.words) > at + 1:
            self._report.error("wrong-operands", "invalid text after .END_MACRO", line.at(at), "write .end_macro alone")
        elif self.open is None:
            self._report.error("stray-end", ".END_MACRO without .MACRO", line.at(at), "delete it")
        else:
            self._known[self.open.name, len(self.open.parameters)] = self.open
            self.open = None

    def finish(self) -> None:
        """The file has ended."""
        if self.open is not None:
            message = "Macro started but not ended (no .end_macro directive)"
            self._report.error("open-macro", message, self.open.start.span, "write .end_macro after its last line")

    def knows(self, name: str) -> bool:
        """Whether any macro has this name, whatever its parameters."""
        return name in self._names

    def arities(self, name: str) -> list[int]:
        """The numbers of arguments that the macros of this name take."""
        return sorted(count for known, count in self._known if known == name)

    def find(self, words: Sequence[str]) -> tuple[Macro, list[str]] | None:
        """The macro that these words use, and its arguments; parentheses round them all do not count."""
        if not self._names or words[0] not in self._names:
            return None
        arguments = list(words[1:])
        if len(arguments) > 1 and arguments[0] == "(" and arguments[-1] == ")":
            arguments = arguments[1:-1]
        macro = self._known.get((words[0], len(arguments)))
        return (macro, arguments) if macro else None

    def expand(self, macro: Macro, arguments: Sequence[str], depth: int, line: Line) -> Iterator[Line]:
        """The lines of a macro with these arguments."""
        if depth > NESTING:
            message = "Detected a macro expansion loop (recursive reference). "
            self._report.error("macro-loop", message, line.span, "a macro cannot use itself")
            return
        self._uses += 1
        given = dict(zip(macro.parameters, arguments, strict=True))
        suffix = f"_M{self._uses}"
        for inner in macro.lines:
            texts = self._texts(inner, given, macro.labels, suffix)
            before = self._expanded
            self._expanded += _LINE + len(inner.text) + length_with(inner.words, texts)
            if before < EXPANDED_TEXT <= self._expanded:
                message = "the macros of this program make too much text"
                self._report.error("macro-too-large", message, line.span, "use a loop or a subroutine")
            if self._expanded >= EXPANDED_TEXT:
                return
            if "-" in inner.text or "+" in inner.text:  # a sign joins the number that comes behind it
                words = words_in(with_texts(inner.text, texts))
            else:
                words = [texts.get(word, word) for word in inner.words]
            yield inner._replace(words=words, replaced=True)

    def _texts(self, line: Line, given: dict[str, str], labels: set[str], suffix: str) -> dict[str, str]:
        """The texts for the parameters and labels of a line."""
        texts = {}
        for word in line.words:
            if word in given:
                texts[word] = given[word]
            elif word in labels:
                texts[word] = word + suffix
            elif is_parameter(word) and word[0] == "%":
                hint = f"{word} is no parameter of this macro"
                self._report.error("unknown-parameter", "Unknown macro parameter", line.span, hint)
        return texts
