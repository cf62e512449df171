"""The common part of the two-pass assemblers: statements, limited diagnostics, symbols, and the layout of an image.

An assembler reads a source into statements; its first pass gives each an address and defines the labels; its second
encodes them, since only then every label is known. Both passes go on after an error, so that one run shows them all:
a statement that cannot be encoded still takes its place, and labels keep their addresses.

No text makes it raise. A hostile text cannot make it slow. Limits hold for the size of a source, for the number of worded
diagnostics, and for the names that are compared to find the nearest one.
"""

from __future__ import annotations

import difflib
import re
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from grader.errors import UsageError
from grader.machines.lexer import Lexer, Odd, controls_in
from grader.source import Diagnostic, Severity, SourceFile, Span
from grader.values import dataclass

SOURCE_LIMIT = 1 << 20  # characters: no program that a person wrote is longer
WORDED_DIAGNOSTICS = 200  # of errors, and as many of all others; the rest are counted
Hint = Callable[[], str] | str
Named = TypeVar("Named")

_NAMES_COMPARED = 300  # maximum names that are compared to find the nearest one: a hostile source may define thousands
_BINARY_SHARE = 50  # a text with a control character in every 50 is no text


@dataclass(frozen=True, slots=True)
class Statement:
    """One line of a source as an assembler reads it.

    ``mnemonic`` is the instruction or directive as the table spells it (``BRz``, ``.FILL``), or as the source spells it if
    the table lacks it; empty on a line without one. ``comment`` begins with its sign. ``span`` goes from the first label to
    the last operand; on a line with only a comment it is the comment.
    """

    labels: tuple[str, ...]
    mnemonic: str
    operands: tuple[str, ...]
    comment: str
    span: Span

    @property
    def line(self) -> int:
        """The number of its line, from 1."""
        return self.span.line


class Word(NamedTuple):
    """One word of a statement, as the place of a diagnostic: labels, mnemonic and operands are counted from 0."""

    statement: Statement
    position: int


class Report:
    """The diagnostics of one program, as they are found: each is worded while there is room, and counted beyond it.

    ``refused`` are the codes that the dialect makes errors of. A hint may be a function, called only if it is shown.
    """

    def __init__(self, lexer: Lexer, refused: frozenset[str] = frozenset()) -> None:
        self._lexer = lexer
        self._refused = refused
        self._worded: list[Diagnostic] = []
        self._counts: Counter[bool] = Counter()
        self._places_of: Span | None = None  # a line may be a megabyte long, with a hundred faults in it
        self._places: list[tuple[int, int]] = []

    @property
    def failed(self) -> bool:
        """Whether any error was found."""
        return self._counts[True] > 0

    def error(self, code: str, message: str, at: Span | Statement | Word, hint: Hint = "") -> None:
        """Report what keeps the source from being assembled."""
        self._add(Severity.ERROR, code, message, at, hint)

    def warning(self, code: str, message: str, at: Span | Statement | Word, hint: Hint = "") -> None:
        """Report what can be assembled and is probably not meant; an error where the dialect refuses it."""
        severity = Severity.ERROR if code in self._refused else Severity.WARNING
        self._add(severity, code, message, at, hint)

    def refusal(self, code: str, message: str, at: Span | Statement | Word) -> None:
        """Report what is no fault in itself, as an error where the dialect refuses it, else not at all."""
        if code in self._refused:
            self._add(Severity.ERROR, code, message, at, "")

    def _add(self, severity: Severity, code: str, message: str, at: Span | Statement | Word, hint: Hint) -> None:
        is_error = severity is Severity.ERROR
        if self._counts[is_error] < WORDED_DIAGNOSTICS:
            worded = hint if isinstance(hint, str) else hint()
            self._worded.append(Diagnostic(severity, code, message, self._span(at), worded))
        self._counts[is_error] += 1

    def _span(self, at: Span | Statement | Word) -> Span:
        if isinstance(at, Span):
            return at
        if isinstance(at, Statement):
            return at.span
        whole = at.statement.span
        if self._places_of is not whole:
            self._places_of, self._places = whole, self._lexer.places(whole.text)
        return Span(whole.source, whole.line, *self._places[at.position])

    def diagnostics(self, sources: Sequence[SourceFile] = ()) -> tuple[Diagnostic, ...]:
        """All of them by file, then line: ``sources`` first, in their order, then others by name.

        A last note says how many are not shown.
        """
        ranks = {source.name: rank for rank, source in enumerate(sources)}

        def place(diagnostic: Diagnostic) -> tuple[int, str, int, int]:
            span = diagnostic.span
            if span is None:
                return (-1, "", 0, 0)
            return (ranks.get(span.source.name, len(ranks)), span.source.name, span.line, span.column)

        shown = sorted(self._worded, key=place)
        hidden = self._counts.total() - len(shown)
        if hidden:
            shown.append(Diagnostic(Severity.NOTE, "more-diagnostics", f"{hidden} more diagnostics are not shown"))
        return tuple(shown)

    def odd_character(self, odd: Odd, at: Span) -> None:
        """Report a character that is not what it seems; the lexer has put a plain one in its place."""
        named = f"U+{ord(odd.char):04X}"
        if odd.blank:
            code = "byte-order-mark" if odd.char == "\ufeff" else "odd-blank"
            self.warning(code, f"an invisible character ({named}) is read as a space", at, "delete it and type a space")
        elif odd.plain == " ":
            self.error("odd-character", f"the source has a control character ({named}) here", at, "delete it")
        else:
            self.error("odd-character", f"{odd.char} ({named}) is not {odd.plain}", at, f"type a plain {odd.plain}")


def refuse_source(source: SourceFile) -> Diagnostic | None:
    """The reason not to assemble this text: it is too large, or no text at all."""
    size = len(source.text)
    if size > SOURCE_LIMIT:
        message = f"the source has {size:,} characters; more than {SOURCE_LIMIT:,} are not assembled"
        return Diagnostic(Severity.ERROR, "source-too-large", message, source.span(1, 1), "hand in the program alone")
    if controls_in(source.text) * _BINARY_SHARE > size:
        message = "this is a binary file, not assembly text"
        hint = "hand in the .asm file itself, saved as UTF-8, not an object file, an archive or a document"
        return Diagnostic(Severity.ERROR, "binary-source", message, source.span(1, 1), hint)
    return None


@dataclass(frozen=True, slots=True)
class Symbol:
    """A label: its name as spelt at its definition, its address, and the place of the definition."""

    name: str
    address: int
    span: Span


class Symbols:
    """The labels of one source. An exact match comes first, then one in another case."""

    def __init__(self) -> None:
        self._exact: dict[str, Symbol] = {}
        self._folded: dict[str, list[Symbol]] = {}
        self._used: set[str] = set()

    def define(self, symbol: Symbol) -> tuple[Symbol, ...]:
        """Enter a label, unless it is there already; the earlier ones of that name, in any case, come back."""
        others = self._folded.setdefault(symbol.name.upper(), [])
        if symbol.name in self._exact:
            return (self._exact[symbol.name],)
        earlier = tuple(others)
        others.append(symbol)
        self._exact[symbol.name] = symbol
        return earlier

    def find(self, name: str) -> tuple[Symbol, ...]:
        """The labels that ``name`` can mean: none, one, or several that differ from it in case; marks them as used."""
        symbol = self._exact.get(name)
        if symbol is not None:
            self._used.add(name)
            return (symbol,)
        symbols = tuple(self._folded.get(name.upper(), ()))
        self._used.update(symbol.name for symbol in symbols)
        return symbols

    def is_used(self, name: str) -> bool:
        """Whether any operand meant this label."""
        return name in self._used

    @property
    def addresses(self) -> dict[str, int]:
        """Every label with its address, in the order of definition."""
        return {name: symbol.address for name, symbol in self._exact.items()}

    def nearest(self, name: str) -> str:
        """The label that ``name`` is probably a slip for, or the empty string."""
        return nearest(name, self._exact)


def named(name: str, dialects: Mapping[str, Named], machine: str) -> Named:
    """The dialect of that name; UsageError when the machine has none."""
    if name not in dialects:
        raise UsageError(f"there is no {machine} dialect {name!r}", hint=f"known: {', '.join(dialects)}")
    return dialects[name]


def span_of(source: SourceFile, number: int, line: str, comment: str) -> Span:
    """The place of a statement: its line without indentation and ``comment``; of a line that is all comment, this."""
    code = line[: len(line) - len(comment)].rstrip() or line.rstrip()
    return Span(source, number, len(code) - len(code.lstrip()) + 1, len(code) + 1)


def short(word: str) -> str:
    """A word of the source for use in a message: its first 40 characters when there are more."""
    return word if len(word) <= 40 else f"{word[:39]}…"


def advice(rows: Iterable[tuple[str, str]], written: str, words: Sequence[str]) -> str:
    """The advice of the first row whose pattern fits a statement; empty if none does.

    ``{op}`` in it is the first word that is ``written``, and ``{0}`` the first of the ``words``.
    """
    fits = (text for pattern, text in rows if re.fullmatch(pattern, written.rstrip()))
    return next(fits, "").format(*map(short, words), op=written.partition(" ")[0])


def nearest(name: str, candidates: Iterable[str], cutoff: float = 0.6) -> str:
    """The candidate most like ``name``, whatever its case, or the empty string when none is."""
    alike: dict[str, str] = {}
    for candidate in candidates:
        if abs(len(candidate) - len(name)) <= max(2, len(name) // 3):
            alike.setdefault(candidate.upper(), candidate)
            if len(alike) >= _NAMES_COMPARED:
                break
    best = difflib.get_close_matches(name.upper()[:64], alike, n=1, cutoff=cutoff)
    return alike[best[0]] if best else ""


class Ranges:
    """Address ranges in use, by the span that claimed each: finds the first one that a new range runs into."""

    def __init__(self) -> None:
        self._claimed: list[tuple[int, int, int]] = []
        self._spans: list[Span] = []

    def claim(self, start: int, end: int, span: Span) -> Span | None:
        """Claim ``start`` up to, not including, ``end``; the claimant of a range that it overlaps, or None.

        An overlapping range is not entered, so that those entered stay apart and one look at each side is enough.
        """
        if start >= end:
            return None
        at = bisect_left(self._claimed, (start, 0, 0))
        for neighbour in self._claimed[max(0, at - 1) : at + 1]:
            if neighbour[0] < end and start < neighbour[1]:
                return self._spans[neighbour[2]]
        insort(self._claimed, (start, end, len(self._spans)))
        self._spans.append(span)
        return None
