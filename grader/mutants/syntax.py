"""Mutants of C, C++, Java and Python programs: one node of the syntax tree changes.

================ ============================================================================================
``comparison``   ``<`` becomes ``<=`` and ``>=``, and so on: the limit moves, or the answer turns round.
``arithmetic``   ``+`` becomes ``-``, ``*`` becomes ``/``, ``++`` becomes ``--``, and so on.
``logic``        ``&&`` becomes ``||``; a ``!`` is left out.
``constant``     a whole number is one more or one less.
``forced``       a condition is always true, or never.
``left-out``     a statement is left out.
``jump``         a ``break``, ``continue`` or ``return`` is left out.
``exchanged``    two arguments that stand beside each other change places.
================ ============================================================================================

Texts stay as they are: a mistake in a text is one of form. A change that the compiler refuses makes no mutant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from grader.checks.trees import ParsedSource, parsed
from grader.mutants.mutant import Edit
from grader.source import SourceFile

if TYPE_CHECKING:
    from tree_sitter import Node

# Each sign with those that it becomes, by the rule.
_SIGNS = {
    "comparison": "< <= >=   <= < >   > >= <=   >= > <   == !=   != ==   === !==",
    "arithmetic": "+ -   - +   * /   / *   % *   // *   & |   | &   ^ |   << >>   >> <<   ++ --   -- ++   += -=   -= +=   "
    "*= /=   /= *=   %= *=   ^= |=   &= |=   |= &=   //= *=",
    "logic": "&& ||   || &&   and or   or and",
}
_SWAPS = {}
for _rule, _lines in _SIGNS.items():
    for _sign, *_others in map(str.split, _lines.split("   ")):
        _SWAPS[_sign] = (_rule, tuple(_others))
_OPERATIONS = frozenset(
    (
        *("binary_expression", "update_expression", "assignment_expression", "augmented_assignment"),
        *("binary_operator", "boolean_operator", "comparison_operator"),
    )
)
_NUMBERS = frozenset(("number_literal", "decimal_integer_literal", "integer"))
_CONDITIONED = frozenset(
    ("if_statement", "while_statement", "for_statement", "do_statement", "elif_clause", "conditional_expression")
)
_JUMPS = frozenset(("break_statement", "continue_statement", "return_statement"))
_TEXTS = frozenset(("string", "concatenated_string"))  # a statement of these alone is a docstring
_CALLS = frozenset(("argument_list", "arguments"))


def edits(language: str, source: SourceFile) -> Iterator[Edit]:
    """Every mutant of a source, in the order of its text; nothing for one that the parser gives up."""
    tree = parsed(language, source)
    if tree is None:
        return
    places = _Places(tree)
    for node in _nodes(tree.tree.root_node):
        yield from _of_node(language, tree, node, places)


class _Places:
    """Turns the bytes of a node into characters of the text."""

    def __init__(self, tree: ParsedSource) -> None:
        self._data = tree.data
        self._ascii = tree.data.isascii()

    def edit(self, rule: str, start: int, end: int, text: str) -> Edit:
        if self._ascii:
            return Edit(rule, start, end, text)
        return Edit(rule, self._character(start), self._character(end), text)

    def _character(self, byte: int) -> int:
        return len(self._data[:byte].decode(errors="replace"))


def _nodes(root: Node) -> Iterator[Node]:
    """All nodes, in the order of the text. Nothing inside of an error is looked at: it may mean anything."""
    left = [root]
    while left:
        node = left.pop()
        if node.is_error:
            continue
        yield node
        left.extend(reversed(node.children))


def _of_node(language: str, tree: ParsedSource, node: Node, places: _Places) -> Iterator[Edit]:
    def edit(rule: str, of: Node, text: str) -> Edit:
        return places.edit(rule, of.start_byte, of.end_byte, text)

    kind = node.type
    empty = "pass" if language == "python" else ";"
    if kind in _OPERATIONS:
        for sign in (child for child in node.children if not child.is_named):
            rule, others = _SWAPS.get(sign.type, ("", ()))
            yield from (edit(rule, sign, other) for other in others)
    elif kind in _NUMBERS:
        yield from _constant(tree.text(node).decode(), lambda text: edit("constant", node, text))
    elif kind in _JUMPS:
        yield edit("jump", node, empty)
    elif kind == "expression_statement" and not _TEXTS.issuperset(child.type for child in node.children):
        yield edit("left-out", node, empty)
    elif kind in _CALLS:
        yield from _exchanged(tree, node, places)
    elif kind in ("unary_expression", "not_operator"):
        operand = node.child_by_field_name("argument") or node.child_by_field_name("operand")
        if operand is not None and node.children[0].type in ("!", "not"):
            yield edit("logic", node, tree.text(operand).decode(errors="replace"))
    if kind in _CONDITIONED:
        condition = node.child_by_field_name("condition")
        if condition is not None:
            # A condition has its brackets in C, and none in Python.
            around = "({})" if condition.type in ("parenthesized_expression", "condition_clause") else "{}"
            words = {"python": ("True", "False"), "c": ("1", "0")}.get(language, ("true", "false"))
            yield from (edit("forced", condition, around.format(word)) for word in words)


def _constant(text: str, edit: Callable[[str], Edit]) -> Iterator[Edit]:
    digits = text.rstrip("uUlL")
    try:
        value = int(digits, 0) if digits != "0" else 0
    except ValueError:  # a number with a point, or an octal one
        return
    rest = text[len(digits) :]
    for other in (value - 1, value + 1):
        yield edit(f"({other}{rest})" if other < 0 else f"{other}{rest}")


def _exchanged(tree: ParsedSource, node: Node, places: _Places) -> Iterator[Edit]:
    arguments = [child for child in node.children if child.is_named and child.type != "comment"]
    for one, other in pairwise(arguments):
        first, second = tree.text(one).decode(errors="replace"), tree.text(other).decode(errors="replace")
        if first != second:
            between = tree.data[one.end_byte : other.start_byte].decode(errors="replace")
            yield places.edit("exchanged", one.start_byte, other.end_byte, second + between + first)
