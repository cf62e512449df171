"""Syntax trees of C, C++, Java and Python sources, made by tree-sitter, and queries on them.

Theory of operation. tree-sitter makes a tree of any text: a part that it cannot read becomes a node ``ERROR``, and the
rest is still searched. A query of a spec is divided into its patterns. Each finds the text at its capture ``@found``; a
pattern without a capture is captured as a whole, so that each match has a place. A stretch of text counts once, even if
a pattern matches it in several ways.

For a few kinds of text, tree-sitter takes quadratic time or worse. So sources have limits that do not depend on a
clock: the size of a source, the steps of the parser and the depth of the tree.

tree-sitter and the grammars are imported where the first tree is made: specs of simulated machines never need them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

from grader.errors import JudgeError
from grader.results import Finding
from grader.source import SourceFile
from grader.values import dataclass

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Query, Tree

STEPS = 500
STEPS_EACH = 50
"""The parser may report ``STEPS`` times, and once more for each ``STEPS_EACH`` bytes.

It reports once for 80 bytes or more of ordinary programs, and once for 20 or less of the costliest ones.
"""
DEPTH_LIMIT = 1000
"""Maximum depth of a tree: the time of a query grows with the depth of each node."""
BREADTH_LIMIT = 1 << 14
"""Maximum parts of a node: the time of a query grows with the square of their number."""

FOUND = "found"


@dataclass(frozen=True)
class ParsedSource:
    """A source with its tree. ``data``, to which the nodes refer, is its text as UTF-8 with LF at the end of lines."""

    file: SourceFile
    language: str
    data: bytes
    tree: Tree

    @cached_property
    def rows(self) -> tuple[bytes, ...]:
        """The lines; their numbers are those of the nodes, from 0."""
        return tuple(self.data.split(b"\n"))

    def text(self, node: Node) -> bytes:
        """The text of a node."""
        return self.data[node.start_byte : node.end_byte]

    def finding(self, code: str, message: str, hint: str, node: Node) -> Finding:
        """A finding that points at a node, in the line in which it begins."""
        row, end = self.rows[node.start_point.row], node.end_point
        first = _characters(row, node.start_point.column)
        last = _characters(row, end.column if end.row == node.start_point.row else len(row))
        span = self.file.span(node.start_point.row + 1, first + 1, max(last, first + 1) + 1)
        return Finding(code, message, hint=hint, place=span.place, excerpt=span.excerpt())


def _characters(row: bytes, column: int) -> int:
    """The number of characters in the first ``column`` bytes of a line."""
    return len(row[:column].decode(errors="ignore"))


def parsed(language: str, file: SourceFile) -> ParsedSource | None:
    """The source with its tree; None if it exceeds a limit."""
    from tree_sitter import Parser

    # Rows are then those that editors count, whatever ends a line in the file.
    data = "\n".join(file.lines).encode()
    steps = STEPS + len(data) // STEPS_EACH

    def spent(_offset: int, _error: bool) -> bool:
        nonlocal steps
        steps -= 1
        return steps < 0

    try:
        tree = Parser(_grammar(language)).parse(lambda at, _point: data[at:], progress_callback=spent)
    except ValueError:  # the parser raises this when it was stopped
        if steps < 0:
            return None
        raise
    return ParsedSource(file, language, data, tree) if _is_readable(tree) else None


def _is_readable(tree: Tree) -> bool:
    """Whether all nodes are within ``DEPTH_LIMIT`` and have at most ``BREADTH_LIMIT`` parts."""
    cursor, depth = tree.walk(), 0
    while depth <= DEPTH_LIMIT:
        if cursor.node is not None and cursor.node.child_count > BREADTH_LIMIT:
            return False
        if cursor.goto_first_child():
            depth += 1
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return True
            depth -= 1
    return False


def _grammar(language: str) -> Language:
    from tree_sitter import Language

    return Language(import_module(f"tree_sitter_{language}").language())


# -------------------------------------------------------------------------------------------------------------- queries

_PREDICATES = frozenset(f"{kind}{which}?" for kind in ("", "any-") for which in ("eq", "not-eq", "match", "not-match"))
# tree-sitter takes an unknown predicate for one that always holds, so a typing error would match everything.
_KNOWN = _PREDICATES | {"any-of?", "not-any-of?"}
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*+"?|;[^\n]*|#([\w.-]+[?!]?)')


def problem_in(query: str, language: str) -> str:
    """The error in a query for the grammar of a language; empty if it is valid."""
    try:
        _patterns(query, language)
    except ValueError as error:
        return str(error)
    return ""


def _patterns(query: str, language: str) -> list[Query]:
    """Each pattern as a query of its own that captures `@found`, or else as a whole. Raises ValueError."""
    unknown = [match[1] for match in _TOKEN.finditer(query) if match[1] and match[1] not in _KNOWN]
    if unknown:
        raise ValueError(f"there is no predicate #{unknown[0]}; known are #{', #'.join(sorted(_KNOWN))}")
    grammar = _grammar(language)
    # One by one, so that a pattern without a capture is not lost among those that have one.
    whole, text = _query(grammar, query), query.encode()
    bounds = [(whole.start_byte_for_pattern(i), whole.end_byte_for_pattern(i)) for i in range(whole.pattern_count)]
    if not bounds:
        raise ValueError("it holds no pattern")
    patterns = []
    for start, end in bounds:
        pattern = text[start:end].decode()
        query_alone = _query(grammar, pattern)
        captures = (query_alone.capture_name(index) for index in range(query_alone.capture_count))
        patterns.append(query_alone if FOUND in captures else _query(grammar, f"({pattern}\n) @{FOUND}"))
    return patterns


def _query(grammar: Language, text: str) -> Query:
    from tree_sitter import Query, QueryError

    try:
        return Query(grammar, text)
    except QueryError as error:  # it counts from 0
        counted = re.sub(r"(row|column) (\d+)", lambda match: f"{match[1]} {int(match[2]) + 1}", str(error))
        raise ValueError(counted) from error


def found(query: str, sources: Iterable[ParsedSource]) -> list[tuple[ParsedSource, Node]]:
    """The matches of a query, in the order of the sources and of their text. Raises JudgeError for an invalid query."""
    from tree_sitter import QueryCursor

    places: list[tuple[ParsedSource, Node]] = []
    for source in sources:
        here: dict[tuple[int, int], Node] = {}
        try:
            patterns = _patterns(query, source.language)
        except ValueError as error:
            message = f"a query of the spec is invalid: {error}"
            raise JudgeError(message, hint="grader lint says where it stands") from error
        for pattern in patterns:
            captured = QueryCursor(pattern).captures(source.tree.root_node)
            here |= {node.byte_range: node for node in captured.get(FOUND, ())}
        places += [(source, here[at]) for at in sorted(here)]
    return places
