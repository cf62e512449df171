"""From sources to lines of words: comments off, ``.include`` resolved, ``.eqv`` names replaced.

A Line knows where it comes from. Its words are counted as the lexer counts them, so that the column of any word can be
found again when there is something to say about it; where words were replaced, the whole line is the place.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from grader.machines.assembler import Report, refuse_source
from grader.machines.lexer import is_plain
from grader.machines.mips.dialect import LEXER, Dialect, classify
from grader.source import SourceFile, Span

_REPLACEMENTS = 1000  # in one line: .eqv names may stand for each other
_WORDS = 100_000  # in one line, after that


_LONG = 2000  # characters: no person wrote a longer line


@lru_cache(maxsize=8)
def _places(text: str) -> list[tuple[int, int]]:
    """Where the words of a line stand; kept, since a line may be a megabyte long, with a hundred faults in it."""
    return LEXER.places(text)


class Line(NamedTuple):
    """The words of one line, without its comment. ``replaced``: they are not those that the source shows."""

    source: SourceFile
    number: int
    words: list[str]
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


class Reader:
    """Reads the lines of one file with all that it includes. ``names`` are the ``.eqv`` names, by what they stand for."""

    def __init__(self, rules: Dialect, report: Report, files: Mapping[str, SourceFile]) -> None:
        self._rules = rules
        self._report = report
        self._files = files
        self._folded = {name.replace("\\", "/").casefold(): source for name, source in files.items()}
        self._included: set[str] = set()
        self.names: dict[str, list[str]] = {}

    def lines(self, source: SourceFile) -> Iterator[Line]:
        """The lines that hold any words, in the order in which they are assembled."""
        all_plain = is_plain(source.text)
        including = self._rules.name == "mars"
        words_of, names = LEXER.words, self.names
        for number, written in enumerate(source.lines, 1):
            text = written if all_plain else self._tidied(written, source, number)
            for part in self._statements(text):
                words = words_of(part)
                if words and words[-1][0] == "#":
                    words.pop()
                if not words:
                    continue
                line = Line(source, number, words, part is not text)
                if including and ".include" in text.lower() and self._includes(words):
                    yield from self._include(line)
                elif names and not names.keys().isdisjoint(words) and ".eqv" not in words[:3]:
                    yield Line(source, number, self._replaced(words, line), True)
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

    def _replaced(self, words: list[str], line: Line) -> list[str]:
        """The words with what ``.eqv`` names stand for in their place, and in the place of names in that."""
        done: list[str] = []
        waiting = words[::-1]
        room = _REPLACEMENTS
        while waiting:
            word = waiting.pop()
            if len(waiting) > _WORDS:
                room = 0
            if word in self.names and room:
                waiting += self.names[word][::-1]
                room -= 1
            else:
                done.append(word)
        if not room:
            self._report.error("eqv-loop", "names of .eqv stand for each other without end, or for too much", line.span)
        return done

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
            self._report.error(
                "recursive-include",
                f"Recursive include of file {written}",
                line.at(place),
                "a file can be included once",
            )
            return
        source = self._folded.get(path.casefold()) or self._folded.get(posixpath.normpath(written).casefold())
        if source is None:
            hint = (
                "hand the file in together with the program"
                if "/" not in written
                else "write the name of the file alone, without folders, and hand it in together with the program"
            )
            self._report.error("no-such-include", f"Error reading include file {written}", line.at(place), hint)
            return
        self._included.add(path.casefold())
        refusal = refuse_source(source)
        if refusal is not None:
            self._report.error(refusal.code, refusal.message, line.at(place), refusal.hint)
            return
        yield from self.lines(source)

    # --------------------------------------------------------------------------------------------------- .eqv itself

    def define(self, line: Line, at: int) -> None:
        """Enter the name that the ``.eqv`` at word ``at`` defines."""
        operands = line.words[at + 1 :]
        if len(operands) < 2:
            self._report.error(
                "wrong-operands", "Too few operands for .eqv directive", line.at(at), "write .eqv NAME value"
            )
        elif classify(operands[0])[0] != "L":
            self._report.error("wrong-operands", "Malformed .eqv directive", line.at(at), "write .eqv NAME value")
        elif operands[0] in operands[1:]:
            message = f"Cannot substitute {operands[0]} for itself in .eqv directive"
            self._report.error("eqv-loop", message, line.at(at))
        elif self.names.get(operands[0], operands[1:]) != operands[1:]:
            message = f'"{operands[0]}" is already defined'
            self._report.error("duplicate-name", message, line.at(at + 1), "give each .eqv a name of its own")
        else:
            self.names[operands[0]] = operands[1:]
