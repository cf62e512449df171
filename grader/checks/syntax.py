"""Functions, constructs and comments in the syntax trees of C, C++, Java and Python sources.

``trees`` reads and searches them. A source beyond its limits is not a defect: a person looks at it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from grader.checks.trees import ParsedSource, found, parsed
from grader.results import Finding
from grader.source import SourceFile
from grader.spec.kinds.handed_in import Construct, SourceRules

if TYPE_CHECKING:
    from tree_sitter import Node

UNREAD = "unread-source"
"""The code of the finding that says: the sources could not be read. A person decides."""

# Words that may stand in a part of a source that the grammar cannot parse, such as C without types.
_LACKING = ("few-functions", "missing-construct")

SIZE_LIMIT = 1 << 16
"""Maximum bytes of all sources together, as UTF-8."""

_FUNCTIONS = {
    "c": "(function_definition) @found",
    "cpp": "(function_definition) @found",
    "java": "(method_declaration) @found",
    "python": "(function_definition) @found",
}
_OF_C = '(comment) @found ((preproc_arg) @found (#match? @found "//|/[*]"))'  # a macro swallows what follows it
_COMMENTS = {
    "c": _OF_C,
    "cpp": _OF_C,
    "java": "[(line_comment) (block_comment)] @found",
    "python": "(comment) @found (expression_statement . (string) @found .)",
}
# Names of functions that do not count: where a program starts, and constructors, as in the other languages.
_NOT_COUNTED = (b"main", b"__init__")


def check(rules: SourceRules, sources: Sequence[tuple[str, SourceFile]]) -> list[Finding]:
    """The rules that the sources of a program break. Each source comes with its language.

    If they cannot be read, one finding has the code `UNREAD`, which costs no point. Raises JudgeError for an invalid
    query of the spec.
    """
    if not (rules.functions or rules.constructs or rules.comments is not None):
        return []
    if sum(len(source.text.encode()) for _, source in sources) > SIZE_LIMIT:
        return [Finding(UNREAD, f"the sources have more than {SIZE_LIMIT:,} bytes: a person looks at them")]
    trees = []
    for language, source in sources:
        tree = parsed(language, source)
        if tree is None:
            return [Finding(UNREAD, f"the syntax of {source.name} is too complicated for us: a person looks at it")]
        trees.append(tree)
    findings = [*_functions(rules.functions, trees), *_constructs(rules.constructs, trees), *_comments(rules, trees)]
    garbled = next((tree.file.name for tree in trees if tree.tree.root_node.has_error), "")
    if garbled and any(finding.code in _LACKING for finding in findings):
        reasons = "; ".join(finding.message for finding in findings)
        return [Finding(UNREAD, f"we could not read a part of {garbled}, so a person looks at it: {reasons}")]
    return findings


# --------------------------------------------------------------------------------------------- functions and constructs


def _functions(least: int, trees: Sequence[ParsedSource]) -> list[Finding]:
    defined = sum(_counts(node) for source in trees for _, node in found(_FUNCTIONS[source.language], [source]))
    if defined >= least:
        return []
    number = "1 function is" if defined == 1 else f"{defined or 'no'} functions are"
    return [Finding("few-functions", f"{number} defined besides main; at least {least} required")]


def _counts(node: Node) -> bool:
    """Whether a node defines a function, with a body, that is neither `main` nor a constructor."""
    # Prototypes, and methods of interfaces
    if node.child_by_field_name("body") is None:
        return False
    name = node.child_by_field_name("name")
    if name is None:  # C and C++ have a declarator instead, and constructors and destructors no type
        name = _declared(node) if node.child_by_field_name("type") else None
    return name is not None and name.text not in _NOT_COUNTED


def _declared(node: Node) -> Node | None:
    """The function that a definition declares; None if it declares none: a macro with a block can look like one."""
    at: Node | None = node
    while at is not None and at.type != "function_declarator":
        inner = (child for child in at.named_children if child.type.endswith("declarator"))
        at = at.child_by_field_name("declarator") or next(inner, None)
    return at.child_by_field_name("declarator") if at is not None else None


def _constructs(constructs: Iterable[Construct], trees: Sequence[ParsedSource]) -> Iterator[Finding]:
    """Findings on constructs, each in the sources of its language."""
    for construct in constructs:
        meant = [source for source in trees if construct.language in (None, source.language)]
        if not meant:
            continue
        places = found(construct.query, meant)
        if len(places) < construct.least:
            message = f"{construct.name} does not occur"
            if places or construct.least > 1:
                least = _times(construct.least)
                message = f"{construct.name}: found {_times(len(places))}; at least {least} required"
            yield Finding("missing-construct", message, hint=construct.hint, subject=(construct.name,))
        elif construct.most is not None and len(places) > construct.most:
            source, node = places[construct.most]
            message = f"{construct.name} is not allowed here"
            if construct.most:
                most = _times(construct.most)
                message = f"{construct.name}: found {_times(len(places))}; at most {most} allowed"
            finding = source.finding("forbidden-construct", message, construct.hint, node)
            yield replace(finding, subject=(construct.name,))


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


# ---------------------------------------------------------------------------------------------- lines of code, comments


def lines_of_code(language: str, source: SourceFile) -> int:
    """The number of lines of a source with code; 0 if it cannot be read."""
    tree = parsed(language, source)
    return len(_code(tree, _notes(tree))) if tree is not None else 0


def _comments(rules: SourceRules, trees: Iterable[ParsedSource]) -> list[Finding]:
    if rules.comments is None:
        return []
    code = commented = 0
    for source in trees:
        rows, rows_with_comment = _commented(source)
        code, commented = code + len(rows), commented + len(rows_with_comment)
    if commented >= rules.comments * code:
        return []
    share, wanted = 100 * commented // code, round(100 * float(rules.comments))
    message = f"{share} % of the lines of code have a comment beside them or just above; {wanted} % are required"
    return [Finding("few-comments", message)]


def _commented(source: ParsedSource) -> tuple[list[int], set[int]]:
    """The rows of code, and those among them with a comment. A row with only marks, such as ``}``, is not code."""
    notes = _notes(source)
    code = _code(source, notes)
    commented: set[int] = set()
    for note in notes:
        if _speaks(source.text(note)):
            # A comment is about the rows on which it begins or ends, or else about the next one.
            before, after = bisect_left(code, note.start_point.row), bisect_right(code, note.end_point.row)
            about = code[before:after] or code[after : after + 1]
            # A string alone is a docstring, or serves as one: it is about the row before.
            if before == after and before and note.type == "string":
                about = code[before - 1 : before]
            commented.update(about)
    return code, commented


def _notes(source: ParsedSource) -> list[Node]:
    return [node for _, node in found(_COMMENTS[source.language], [source])]


def _code(source: ParsedSource, notes: Sequence[Node]) -> list[int]:
    bare = bytearray(source.data)
    for note in notes:
        bare[note.start_byte : note.end_byte] = re.sub(rb"[^\n]", b" ", source.text(note))
    return [row for row, line in enumerate(bare.split(b"\n")) if _speaks(line)]


def _speaks(text: bytes | bytearray) -> bool:
    # A row of `}` or `/****/` is no code and says nothing.
    return any(char.isalnum() for char in text.decode())
