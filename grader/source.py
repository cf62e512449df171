"""A source text, a span in it, and Diagnostic: one shape of complaint for specs, assemblers and compilers alike.

Lines and columns count from 1, in characters (not bytes), so that a place means the same in a file with Chinese
comments, whatever encoding it was written in.
"""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from functools import cached_property

from grader.values import dataclass

TAB_WIDTH = 8  # columns, as terminals and the listings of assemblers have it
EXCERPT_LENGTH = 200  # characters shown of a line
_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")


@dataclass(frozen=True)
class SourceFile:
    """One text with a name. ``encoding`` is the one that it was decoded from."""

    name: str
    text: str
    encoding: str = "utf-8"

    @classmethod
    def from_bytes(cls, name: str, data: bytes) -> SourceFile:
        """Decode ``data``: a byte-order mark decides, else UTF-8, else GB18030, else Latin-1, which accepts all bytes.

        GB18030 reads a German umlaut and the letter after it as one Chinese character. But such bytes stand alone, and those of
        Chinese text come in pairs. So if most runs of bytes from 0x80 on have an odd length, the text is Latin-1.
        """
        # Notepad and PowerShell save UTF-16 with a mark when asked for "Unicode".
        for mark, encoding in _BOMS:
            if data.startswith(mark):
                return cls(name, data.decode(encoding, errors="replace").removeprefix("\ufeff"), encoding)
        runs = _HIGH_RUN.findall(data)
        in_pairs = 2 * sum(len(run) % 2 for run in runs) <= len(runs)
        for encoding in ("utf-8", "gb18030") if in_pairs else ("utf-8",):
            try:
                return cls(name, data.decode(encoding), encoding)
            except UnicodeDecodeError:
                continue
        return cls(name, data.decode("latin-1"), "latin-1")

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines without their ends; LF, CRLF and a bare CR end a line, and nothing else does (as editors count)."""
        return tuple(self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))

    @property
    def end(self) -> tuple[int, int]:
        """The line and the column behind the last character."""
        return len(self.lines), len(self.lines[-1]) + 1

    def span(self, line: int, column: int, end_column: int | None = None) -> Span:
        """The span from ``column`` up to (not including) ``end_column`` of ``line``; one character when not said."""
        return Span(self, line, column, column + 1 if end_column is None else end_column)

    def line_span(self, line: int) -> Span:
        """The span of a line without its indentation and the blanks at its end; at least one character."""
        text = self.lines[line - 1]
        indent = len(text) - len(text.lstrip())
        return self.span(line, indent + 1, max(indent + 1, len(text.rstrip())) + 1)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch within one line of a source: ``column`` up to, not including, ``end_column``."""

    source: SourceFile
    line: int
    column: int
    end_column: int

    @property
    def place(self) -> str:
        """``file:line:column``, as editors and CI systems read it."""
        return f"{self.source.name}:{self.line}:{self.column}"

    @property
    def text(self) -> str:
        """The whole line that the span lies in; empty when the source has no such line."""
        lines = self.source.lines
        return lines[self.line - 1] if 0 < self.line <= len(lines) else ""

    @property
    def marked(self) -> str:
        """The text of the span alone."""
        return self.text[self.column - 1 : self.end_column - 1][:EXCERPT_LENGTH]

    def excerpt(self) -> str:
        """Two lines: the source line with its number, and carets under the span, aligned for wide characters.

        A line over EXCERPT_LENGTH is shown only around the beginning of the span: a submission may be one line of a
        megabyte, with hundreds of complaints.
        """
        text, column = _window(self.text, self.column - 1)
        before, marked = text[:column], text[column : column + self.end_column - self.column]
        gutter = f"{self.line:>5} | "
        pad = display_width(before)
        carets = max(1, display_width(before + marked) - pad)
        return f"{gutter}{expand(text)}\n{' ' * (len(gutter) - 2)}| {' ' * pad}{'^' * carets}"


class Severity(StrEnum):
    """How much a diagnostic weighs: an error stops the work, a warning and a note do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One positioned complaint. ``code`` is a stable slug such as ``unknown-label``; ``span`` is None for a whole file."""

    severity: Severity
    code: str
    message: str
    span: Span | None = None
    hint: str = ""

    def one_line(self) -> str:
        """``file:line:column: message (hint)``."""
        located = f"{self.span.place}: {self.message}" if self.span else self.message
        return f"{located} ({self.hint})" if self.hint else located

    def render(self) -> str:
        """The complaint as people read it: place, severity, message, excerpt with carets, hint."""
        if self.span is None:
            head = f"{self.severity}: {self.message}"
        else:
            head = f"{self.span.place}: {self.severity}: {self.message}\n{self.span.excerpt()}"
        return f"{head}\n  hint: {self.hint}" if self.hint else head


def _window(line: str, column: int) -> tuple[str, int]:
    """The part of ``line`` that an excerpt shows, and where in it the character at ``column`` (from 0) stands."""
    if len(line) <= EXCERPT_LENGTH:
        return line, column
    start = max(0, min(column - EXCERPT_LENGTH // 4, len(line) - EXCERPT_LENGTH))
    end = start + EXCERPT_LENGTH
    head, tail = "…" if start else "", "…" if end < len(line) else ""
    return f"{head}{line[start:end]}{tail}", column - start + len(head)


def expand(line: str) -> str:
    """The line with tabs as blanks to the next multiple of TAB_WIDTH and control characters as visible symbols."""
    out: list[str] = []
    width = 0
    for char in line:
        if char == "\t":
            piece = " " * (TAB_WIDTH - width % TAB_WIDTH)
        elif char < " " or char == "\x7f":  # its symbol in the block of U+2400
            piece = chr(0x2400 + ord(char)) if char < " " else "\u2421"
        else:
            piece = char if char.isprintable() or unicodedata.combining(char) else "\ufffd"
        width += _char_width(char, width)
        out.append(piece)
    return "".join(out)


def display_width(text: str) -> int:
    """The terminal columns of ``expand(text)``: East Asian wide characters take two, combining marks none."""
    width = 0
    for char in text:
        width += _char_width(char, width)
    return width


def _char_width(char: str, at: int) -> int:
    if char == "\t":
        return TAB_WIDTH - at % TAB_WIDTH
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
