"""A YAML text as plain data that remembers where every key and value stands.

Theory of operation. PyYAML's parser (libyaml's if it was built in) turns the text into events with marks. This module
builds dicts, lists and scalars from them itself, because PyYAML's own steps are traps for authors of specs. The last of
two equal keys wins, ``no`` is False, ``010`` is 8, ``12:30`` is 750, and a dozen aliases unfold to gigabytes. Here
plain scalars are resolved by the core schema of YAML 1.2, chapter 10.3, and keys are always words. Equal keys, anchors,
aliases, merges, tags, several documents and keys without a value are problems with a place.

Every node is known by its ``Loc``: the keys and indices that lead to it. A node that a problem makes unusable becomes
``REFUSED``, so that later readers know that it was reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from enum import Enum
from typing import Final

import yaml

from grader.source import Diagnostic, Severity, SourceFile, Span
from grader.values import dataclass

Loc = tuple[str | int, ...]

# Each level is a nested call here, and thousands of brackets are easily nested; a spec nests seven deep.
DEEPEST = 24
# To make a number of digits takes Python the square of their number.
MOST_DIGITS = 40
_PARSER = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader

# Characters that YAML's parser takes for a line end although editors do not, or cannot print at all.
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_INT = re.compile(r"[-+]?[0-9]+")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
# No-break, thin and ideographic blanks, which word processors, web pages and Chinese input methods write.
_OTHER_BLANK = re.compile("[ \\t]*[\u00a0\u2000-\u200a\u202f\u3000]")
_BY_LINES = frozenset({"transcript"})  # keys of texts whose line ends count
_CUT = re.compile(r"[ \t]+#[^\s#]")
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_SPECIAL = {
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}
# Advice on the parser's messages, by a part of each.
_HINTS = {
    "mapping values are not allowed": "a text with a colon and a space in it needs quotes; or a line is indented wrongly",
    "cannot start any token": "indent with spaces, not tabs; a text that begins with @, ` or % needs quotes",
    "could not find expected ':'": "a key is followed by a colon and a space; a text of several lines begins with `|`, and is indented more than its key",
    "expected '-' indicator": "an item of a list begins with a dash and a space; its keys stand exactly below the first of them",
    "scanning an alias": "a text that begins with * needs quotes",
    "scanning an anchor": "a text that begins with & needs quotes",
    "did not find expected <document start>": "is a key indented less than the ones above it?",
    "expected <block end>": "keys of one mapping stand exactly below each other; do all brackets and quotes close?",
    "did not find expected key": "keys of one mapping stand exactly below each other; do all brackets and quotes close? Between single quotes an apostrophe is written twice",
    "expected ',' or": "is a bracket not closed, or a comma missing? Between brackets a text with a colon, or with one of []{}, needs quotes",
    "unexpected end of stream": "is a quote not closed?",
    "unknown escape character": "in double quotes a backslash begins an escape; use single quotes",
}


class Refused(Enum):
    """The stand-in for a node that has been reported."""

    REFUSED = "refused"


REFUSED: Final = Refused.REFUSED


@dataclass(frozen=True, slots=True)
class Region:
    """The place of a key or value: lines and columns from 1, the end not included.

    ``indent`` is the indentation of the text of a ``|`` block; None otherwise.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    indent: int | None = None


@dataclass(frozen=True)
class Document:
    """The data of a YAML text with their places. ``data`` is REFUSED if nothing could be read."""

    source: SourceFile
    data: object
    keys: Mapping[Loc, Region]
    values: Mapping[Loc, Region]
    problems: tuple[Diagnostic, ...]

    def settle(self, loc: Loc) -> Loc:
        """The node that ``loc`` leads to when every step that names no node is left out."""
        here: Loc = ()
        for step in loc:
            if (*here, step) in self.values:
                here = (*here, step)
        return here

    def at(self, loc: Loc) -> object:
        """The data at a settled ``loc``."""
        here = self.data
        for step in loc:
            here = here[step]  # type: ignore[index]
        return here

    def key_span(self, loc: Loc) -> Span:
        """The span of the key that leads to a settled ``loc``; of the value where there is no key, as in a list."""
        return self._span(self.keys[loc]) if loc in self.keys else self.value_span(loc)

    def value_span(self, loc: Loc) -> Span:
        """The span of the first line of the value at a settled ``loc``."""
        return self._span(self.values[loc]) if loc in self.values else self.source.span(1, 1)

    def span_within(self, loc: Loc, line: int, column: int, end_column: int) -> Span:
        """The span of a stretch of the text at ``loc``, where its ``line`` counts from 1; exact in ``|`` blocks alone."""
        region = self.values.get(loc)
        if region is None or region.indent is None:
            return self.value_span(loc)
        return self.source.span(region.line + line, region.indent + column, region.indent + end_column)

    def _span(self, region: Region) -> Span:
        if region.end_line == region.line and region.end_column > region.column:
            return self.source.span(region.line, region.column, region.end_column)
        length = len(self.source.lines[region.line - 1]) if region.line <= len(self.source.lines) else 0
        return self.source.span(region.line, region.column, max(length, region.column) + 1)


def read_document(source: SourceFile) -> Document:
    """The data of one YAML document with every problem found on the way. Never raises on any text."""
    hint = "remove it; in double quotes it can be written as an escape such as \\e or \\x07"
    unprintable = []
    for match in _UNPRINTABLE.finditer(source.text):
        span = source.span(*SourceFile("", source.text[: match.start()]).end)
        message = f"the character U+{ord(match[0]):04X} cannot stand in a spec"
        unprintable.append(Diagnostic(Severity.ERROR, "unprintable", message, span, hint))
    return Document(source, REFUSED, {}, {}, tuple(unprintable)) if unprintable else _Reader(source).read()


class _StopReading(Exception):  # noqa: N818 - it ends a walk, it reports nothing
    """Nothing more can be read after the problem that was recorded last."""


@dataclass
class _Reader:
    """Builds the data of one document from the parser's events. A node's reader consumes exactly its events."""

    source: SourceFile
    keys: dict[Loc, Region] = field(default_factory=dict)
    values: dict[Loc, Region] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)
    _events: Iterator[yaml.Event] = field(init=False)

    def read(self) -> Document:
        self._events = yaml.parse(self.source.text, Loader=_PARSER)
        data: object = REFUSED
        try:
            data = self._document()
        except _StopReading:
            pass
        except yaml.MarkedYAMLError as error:
            self._syntax(error)
        self._find_other_blanks()
        return Document(self.source, data, self.keys, self.values, tuple(self.problems))

    def _document(self) -> object:
        data: object = REFUSED
        documents = 0
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                # Whoever pastes a second spec below the first would wonder which of them counts.
                if documents > 1:
                    self._complain("several-documents", "a spec is one document, and here a second begins", event)
                    break
            elif isinstance(event, yaml.NodeEvent):
                data = self._node(event, ())
        if not documents or (data is None and () in self.values):
            hint = "begin with `assignment: NAME`; `grader docs writing-a-spec` shows how"
            self._complain("empty", "the spec is empty", None, hint)
            return REFUSED
        return data

    def _node(self, event: yaml.Event, loc: Loc) -> object:
        """The data of the node that begins with ``event``, and of all below it."""
        # Nothing is skipped here: a later reader would take the rest of the node for the rest of the spec.
        if len(loc) > DEEPEST:
            self._complain("too-deep", f"nested more than {DEEPEST} deep", event)
            raise _StopReading
        if isinstance(event, yaml.AliasEvent):
            self._complain("alias", "aliases are refused", event, "write the value out")
            self.values[loc] = _region(event)
            return REFUSED
        refused = self._refuse_properties(event)
        self.values[loc] = _region(event)
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[object] = []
            while not isinstance(item := next(self._events), yaml.SequenceEndEvent):
                items.append(self._node(item, (*loc, len(items))))
            return items
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(loc)
        assert isinstance(event, yaml.ScalarEvent)
        return REFUSED if refused else self._scalar(event, loc)

    def _refuse_properties(self, event: yaml.Event) -> bool:
        """Complain about an anchor or a tag before a node; whether there was a tag."""
        if getattr(event, "anchor", None):
            self._complain("anchor", "anchors are refused", event, "remove it")
        tag = getattr(event, "tag", None)
        if tag:
            self._complain("tag", f"tags such as {tag} are refused", event, "remove it; quotes make a text of a number")
        return bool(tag)

    def _mapping(self, loc: Loc) -> dict[str, object]:
        entries: dict[str, object] = {}
        for event in self._events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            key = self._key(event, loc)
            value = next(self._events)
            if key is None or key in entries:
                self._node(value, (*loc, "", len(self.values)))  # read past it, under a place that nothing asks for
                continue
            self.keys[(*loc, key)] = _region(event)
            entries[key] = self._node(value, (*loc, key))
        return entries

    def _key(self, event: yaml.Event, loc: Loc) -> str | None:
        """The word that is a key; None, with a complaint, when it is something else or was there before."""
        if not isinstance(event, yaml.ScalarEvent):
            self._complain("key", "a key must be a word", event, "quote a text that begins with { or [")
            self._node(event, (*loc, "", len(self.values)))
            return None
        if self._refuse_properties(event):
            return None
        # In quotes it is a word like others.
        if event.value == "<<" and event.implicit[0]:
            self._complain("merge", "merges (<<) are refused", event, "write the keys out")
            return None
        before = self.keys.get((*loc, event.value))
        if before is not None:
            in_list = bool(loc) and isinstance(loc[-1], int)
            hint = "remove one; or does a new item begin here, with a dash?" if in_list else "remove one"
            self._complain("duplicate-key", f"`{event.value}` is here already, in line {before.line}", event, hint)
            return None
        return str(event.value)

    def _scalar(self, event: yaml.ScalarEvent, loc: Loc) -> object:
        if event.style == ">" and loc and loc[-1] in _BY_LINES:
            # Its lines would be one, and every program would differ from such a transcript.
            self._complain("folded", f"`>` joins the lines of `{loc[-1]}`", event, "write `|` behind it")
        if event.style == "|":
            region = self.values[loc]
            self.values[loc] = replace(region, indent=_indent(self.source, region, event.value))
        if not event.implicit[0]:
            return event.value
        if event.value in _NULLS:
            if loc:
                owner = f"`{loc[-1]}`" if isinstance(loc[-1], str) else "this item"
                self._complain("no-value", f"{owner} has no value", event, self._missing_value(event, loc), loc)
            return REFUSED if loc else None
        if len(event.value) > MOST_DIGITS and _INT.fullmatch(event.value):
            message = f"a number of more than {MOST_DIGITS} digits"
            self._complain("too-large", message, event, "put quotes around a text")
            return REFUSED
        value = _resolve(event.value)
        if isinstance(value, str):
            self._warn_of_text(event)
        return value

    def _missing_value(self, event: yaml.ScalarEvent, loc: Loc) -> str:
        """Advice on a missing value: between braces a comma ends a text, and the words after it look like a key."""
        key, value = self.keys.get(loc), _region(event)
        # `{title: Takes 1, 2 or 3}` has the keys `2 or 3`, without a value: a key that ends where its value begins.
        if key is not None and (key.end_line, key.end_column) == (value.line, value.column):
            before = self.source.lines[key.line - 1][: key.column - 1]
            if before.rstrip().endswith(",") and str(loc[-1]).isdecimal():
                return "a comma ends a value between braces: set inputs apart by spaces, and write a number with a point, 2.5"
            if before.rstrip().endswith(","):
                return "between braces a text with a comma in it needs quotes: {title: 'Takes 1, 2 or 3'}"
        begins = key is not None and not self.source.lines[key.line - 1][: key.column - 1].strip(" -")
        return f"give it one, or remove it{'; what belongs to it is indented more than it' if begins else ''}"

    def _warn_of_text(self, event: yaml.ScalarEvent) -> None:
        """Warn of a plain text that may mean more than YAML takes for it: a ``#`` cuts it off, or curly quotes are part of it."""
        text, region = event.value, _region(event)
        # `use #0` is a text of one word for YAML.
        if _CUT.match(self.source.lines[region.end_line - 1][region.end_column - 1 :]):
            cut = f"a comment begins behind this text, which ends with “{text[-12:]}”"
            hint = "quote the text if `#` belongs to it; else put a space behind `#`"
            self._complain("cut-text", cut, event, hint, warns=True)
        # Word processors set them by themselves, and a spec is often first written in one.
        if len(text) > 1 and text[0] in "“”„‘’‚" and text[-1] in "“”‘’":
            message = f"the quotes {text[0]} and {text[-1]} belong to this text"
            hint = "where they should not, write straight ones: \" or '"
            self._complain("curly-quotes", message, event, hint, warns=True)

    def _complain(
        self, code: str, message: str, event: yaml.Event | None, hint: str = "", key: Loc = (), *, warns: bool = False
    ) -> None:
        region = self.keys.get(key)
        if region is None:
            region = _region(event) if event is not None else Region(1, 1, 1, 2)
        width = region.end_column - region.column if region.end_line == region.line else 1
        span = self.source.span(region.line, region.column, region.column + max(width, 1))
        self.problems.append(Diagnostic(Severity.WARNING if warns else Severity.ERROR, code, message, span, hint))

    def _find_other_blanks(self) -> None:
        """Report lines of invalid YAML that begin with a foreign blank, as word processors and web pages write it."""
        # We tried 36 first mistakes. A third of the messages had a place further down, or no hint; this blank was one of them.
        for number, line in enumerate(self.source.lines if self.problems else (), 1):
            match = _OTHER_BLANK.match(line)
            if match:
                span = self.source.span(number, match.end(), match.end() + 1)
                char = f"U+{ord(line[match.end() - 1]):04X}"
                message = f"this line begins with {char}, which looks like a space but is not one"
                problem = Diagnostic(Severity.ERROR, "other-blank", message, span, "write a space in its place")
                self.problems.append(problem)

    def _syntax(self, error: yaml.MarkedYAMLError) -> None:
        first, second = error.problem_mark, error.context_mark
        # An open bracket, or a wrong word in the place of a key, is noticed only further down.
        late = any(part in str(error.problem) for part in ("end of stream", "expected ':'"))
        late = late or bool(first and second and "flow" in str(error.context) and first.line > second.line)
        mark = (second or first) if late else (first or second)
        span = self.source.span(mark.line + 1, mark.column + 1) if mark else None
        problem = " ".join(part for part in (error.context, error.problem) if part)
        hint = next((hint for part, hint in _HINTS.items() if part in problem), "")
        self.problems.append(Diagnostic(Severity.ERROR, "yaml", f"this is not YAML: {problem}", span, hint))


def _region(event: yaml.Event) -> Region:
    start, end = event.start_mark, event.end_mark
    assert start is not None  # the parser sets both
    assert end is not None
    return Region(start.line + 1, start.column + 1, end.line + 1, end.column + 1)


def _indent(source: SourceFile, region: Region, text: str) -> int:
    """The indentation of a literal block: the extra length of its first non-empty line in the file."""
    for offset, content in enumerate(text.split("\n")):
        if content:
            # The parser tells where a block begins, and not how far it is indented.
            return len(source.lines[region.line + offset]) - len(content)
    return 0


def _resolve(text: str) -> object:
    """A plain scalar by the core schema of YAML 1.2: bool, int, float, else text."""
    if text in _BOOLS:
        return _BOOLS[text]
    if _INT.fullmatch(text):
        return int(text)
    if _BASED.fullmatch(text):
        return int(text[2:], 16 if text[1] == "x" else 8)
    if _FLOAT.fullmatch(text):
        return float(text)
    return _SPECIAL.get(text, text)
