"""From sources to lines of words: comments off, ``.include`` resolved, ``.eqv`` names replaced.

A Line knows its place in the source. Its words are counted as the lexer counts them, so that a message can name the column
of any word. If words were replaced, the place is the whole line.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from grader.machines.assembler import Report, Statement, refuse_source, span_of
from grader.machines.lexer import is_plain
from grader.machines.mips.dialect import DIALECTS, LEXER, MARS_DIRECTIVES, Dialect, classify
from grader.source import SourceFile, Span

_ROUNDS = 1000  # in one line: .eqv names may stand for each other
_REPLACED = 1 << 22  # characters of lines with .eqv names, in one file
_LONG = 2000  # characters: no person wrote a longer line


@lru_cache(maxsize=8)
def _places(text: str) -> list[tuple[int, int]]:
    """The columns of the words of a line; cached, since a line may be a megabyte long, with a hundred faults in it."""
    return LEXER.places(text)


class Line(NamedTuple):
    """The words of one line, without its comment, and the text that they are read from.

    ``replaced``: they are not those that the source shows.
    """

    source: SourceFile
    number: int
    words: list[str]
    text: str
    replaced: bool = False

    @property
    def span(self) -> Span:
        """The stretch from the first word to the last."""
        text = self.source.lines[self.number - 1]
        places = _places(text)
        if not places:
            return self.source.span(self.number, 1)
        last = len(places) - (text[places[-1][0] - 1] == "#" and len(places) > 1)
        return Span(self.source, self.number, places[0][0], places[last - 1][1])

    def at(self, word: int) -> Span:
        """The place of one of the words, counted from 0."""
        text = self.source.lines[self.number - 1]
        places = _places(text)
        if self.replaced or word >= len(places):
            return self.span
        return Span(self.source, self.number, *places[word])

    def quick_span(self) -> Span:
        """The whole line without its indentation; quicker than ``span``, and as good where nothing is wrong."""
        text = self.source.lines[self.number - 1]
        if len(text) > _LONG:
            return Span(self.source, self.number, 1, _LONG)
        code = text.partition("#")[0].rstrip() if '"' not in text and "'" not in text else text.rstrip()
        return Span(self.source, self.number, len(text) - len(text.lstrip()) + 1, max(len(code), 1) + 1)


def words_in(text: str) -> list[str]:
    """The words of a line without its comment."""
    words = LEXER.words(text)
    if words and words[-1][0] == "#":
        words.pop()
    return words


def with_texts(text: str, texts: Mapping[str, str]) -> str:
    """The line with other text in the place of some words.

    It is text, since it is read anew: where WIDTH is 7, ``-WIDTH`` is one number.
    """
    parts, done = [], 0
    for match in LEXER.word.finditer(text):
        if match[0] in texts:
            parts += [text[done : match.start()], texts[match[0]]]
            done = match.end()
    return "".join([*parts, text[done:]])


def length_with(words: Iterable[str], texts: Mapping[str, str]) -> int:
    """The number of characters that ``with_texts`` puts into a line of these words."""
    return sum(len(texts[word]) for word in words if word in texts)


class Reader:
    """Reads the lines of one file with all that it includes. ``names`` are the ``.eqv`` names, by what they stand for."""

    def __init__(self, rules: Dialect, report: Report, files: Mapping[str, SourceFile]) -> None:
        self._rules = rules
        self._report = report
        self._files = files
        self._folded = {name.replace("\\", "/").casefold(): source for name, source in files.items()}
        self._included: set[str] = set()
        self.names: dict[str, str] = {}
        self._room = _REPLACED

    def lines(self, source: SourceFile) -> Iterator[Line]:
        """The lines that hold any words, in the order in which they are assembled."""
        all_plain = is_plain(source.text)
        is_mars = self._rules.name == "mars"
        names = self.names
        for number, written in enumerate(source.lines, 1):
            text = written if all_plain else self._tidied(written, source, number)
            for part in self._statements(text):
                words = words_in(part)
                if not words:
                    continue
                line = Line(source, number, words, part, part is not text)
                lower = part.lower() if is_mars else ""
                if ".include" in lower and self._includes(words):
                    yield from self._include(line)
                elif ".eqv" in lower and (at := self._equates(words)) is not None:
                    self._define(line, at)
                    if at:
                        yield line._replace(words=words[:at])
                elif names and not names.keys().isdisjoint(words):
                    yield self._replaced(line)
                else:
                    yield line

    def _tidied(self, text: str, source: SourceFile, number: int) -> str:
        text, odd_ones = LEXER.tidy(text)
        for odd in odd_ones:
            self._report.odd_character(odd, source.span(number, odd.column))
        return text

    def _statements(self, text: str) -> list[str]:
        if not self._rules.semicolons or ";" not in text:
            return [text]
        parts = re.findall(r'(?:"(?:[^"\\]|\\.)*"?|\'[^\']*\'|#.*|[^;"\'#])+', text)
        return parts if len(parts) > 1 else [text]

    def _replaced(self, line: Line) -> Line:
        """The line with what ``.eqv`` names stand for in their place, and in the place of names in that."""
        text, words = line.text, line.words
        for _ in range(_ROUNDS):
            self._room -= len(text) + length_with(words, self.names)
            if self._room < 0:
                break
            text = with_texts(text, self.names)
            words = words_in(text)
            if self.names.keys().isdisjoint(words):
                return line._replace(words=words, text=text, replaced=True)
        self._report.error(
            "eqv-loop", "names of .eqv refer to each other without end, or stand for too much text", line.span
        )
        return line

    # ------------------------------------------------------------------------------------------------------ includes

    @staticmethod
    def _includes(words: list[str]) -> bool:
        lower = [word.lower() for word in words[:3]]
        return ".include" in lower and any(word[0] == '"' for word in words[lower.index(".include") + 1 :][:1])

    def _include(self, line: Line) -> Iterator[Line]:
        place = [word.lower() for word in line.words].index(".include") + 1
        written = line.words[place].strip('"').replace("\\", "/")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(line.source.name.replace("\\", "/")), written))
        if path.casefold() in self._included:
            message = f"Recursive include of file {written}"
            self._report.error("recursive-include", message, line.at(place), "a file can be included once")
            return
        source = self._folded.get(path.casefold()) or self._folded.get(posixpath.normpath(written).casefold())
        if source is None:
            hint = "hand the file in together with the program"
            if "/" in written:
                hint = "write the name of the file alone, without folders, and hand it in together with the program"
            self._report.error("no-such-include", f"Error reading include file {written}", line.at(place), hint)
            return
        self._included.add(path.casefold())
        refusal = refuse_source(source)
        if refusal is not None:
            self._report.error(refusal.code, refusal.message, line.at(place), refusal.hint)
            return
        yield from self.lines(source)

    # --------------------------------------------------------------------------------------------------- .eqv itself

    @staticmethod
    def _equates(words: list[str]) -> int | None:
        """The index of the ``.eqv`` that MARS looks for: the first word, or the third after a label."""
        return next((at for at in (0, 2) if len(words) > at and words[at].lower() == ".eqv"), None)

    def _define(self, line: Line, at: int) -> None:
        """Enter the name that the ``.eqv`` at word ``at`` defines."""
        operands = line.words[at + 1 :]
        if len(line.words) < 3:
            return  # MARS passes over it
        if len(operands) < 2:
            message = "Too few operands for .eqv directive"
            self._report.error("wrong-operands", message, line.at(at), "write .eqv NAME value")
            return
        name = operands[0]
        places = LEXER.places(line.text)
        text = line.text[places[at + 2][0] - 1 : places[len(line.words) - 1][1] - 1]
        if classify(name)[0] != "L" or name.lower() in self._rules.forms.by_name:
            hint = f"{name} is an instruction in any case: choose another name" if classify(name)[0] == "L" else ""
            message = "Malformed .eqv directive"
            self._report.error("wrong-operands", message, line.at(at), hint or "write .eqv NAME value")
        elif name in operands[1:]:
            message = f"Cannot substitute {name} for itself in .eqv directive"
            self._report.error("eqv-loop", message, line.at(at))
        elif self.names.get(name, text) != text:
            message = f'"{name}" is already defined'
            self._report.error("duplicate-name", message, line.at(at + 1), "give each .eqv a name of its own")
        else:
            self.names[name] = text


def statements(source: SourceFile) -> tuple[Statement, ...]:
    """The statements of ``source`` in order, comment lines included; any text has some reading.

    Mnemonics and directives are in small letters where they are known; an address is one operand, ``4($sp)``.
    """
    read = (_statement(source, number, text) for number, text in enumerate(source.lines, 1))
    return tuple(statement for statement in read if statement is not None)


def _statement(source: SourceFile, number: int, text: str) -> Statement | None:
    text = LEXER.tidy(text)[0]
    words = LEXER.words(text)
    if not words:
        return None
    comment = words.pop() if words[-1][0] == "#" else ""
    span = span_of(source, number, text, comment if words else "")
    first = 0
    while words[first + 1 : first + 2] == [":"]:
        first += 2
    labels, words = tuple(words[:first:2]), words[first:]
    mnemonic = words[0] if words else ""
    known = mnemonic.lower() in DIALECTS["mars"].forms.by_name or mnemonic.lower() in MARS_DIRECTIVES
    operands = _operands(words[1:])
    return Statement(labels, mnemonic.lower() if known else mnemonic, operands, comment, span)


def _operands(words: list[str]) -> tuple[str, ...]:
    """The words with those of one address joined: ``label+4($t0)``."""
    operands: list[str] = []
    for word in words:
        goes_on = word in ("(", ")", "+") or (operands and operands[-1][-1] in "(+" and operands[-1][0] != '"')
        if goes_on and operands:
            operands[-1] += word
        else:
            operands.append(word)
    return tuple(operands)
