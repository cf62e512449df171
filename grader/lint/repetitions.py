"""Texts that lead a pattern to one of its repetitions, and what that repeats: a flood behind ``ok 1`` shows what one of blanks does not.

The tree is that of ``re`` itself. What it demands besides characters, as what stands ahead, is not looked at: a text that does not get
so far shows less, and nothing wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any

LONG = 40
"""A repetition that ends by itself after fewer times goes back over little."""

_CHARACTERS = (" ", "0", "a", "\n", "|", "-", "x", ".", "\t", "A", "'", '"', "[", "#", ":", "=", "_", "é", "\0")
_PIECES = 4  # of one repetition
_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT)
_OF_ONE = (_constants.LITERAL, _constants.NOT_LITERAL, _constants.IN, _constants.ANY)

_Node = tuple[Any, Any]


def repetitions(pattern: str, flags: int = 0) -> Iterator[tuple[str, str]]:
    """What comes before each repetition of a pattern that has no end of its own, and a piece that it takes. Raises re.error."""
    tree = _parser.parse(pattern, flags)
    yield from dict.fromkeys(_Walk(tree.state).within([*tree], ""))


def example(pattern: str, flags: int = 0) -> str:
    """A short text in which a pattern is found, as far as characters alone decide that. Raises re.error."""
    tree = _parser.parse(pattern, flags)
    return _Walk(tree.state).text([*tree])


class _Walk:
    """One pattern."""

    def __init__(self, state: Any) -> None:
        self._state = state
        self._groups: dict[int | None, str] = {}

    def within(self, nodes: Sequence[_Node], before: str) -> Iterator[tuple[str, str]]:
        """The repetitions among nodes that follow a text, and in them."""
        for node in nodes:
            kind, rest = node
            if kind in _REPEATS and rest[1] >= LONG:
                yield from ((before, piece) for piece in self._pieces([*rest[2]]))
            for inner in _parts(node):
                yield from self.within(inner, before)
            before += self.text([node])

    def _pieces(self, body: Sequence[_Node]) -> Sequence[str]:
        of_one = len(body) == 1 and body[0][0] in _OF_ONE
        return self._taken(body[0])[:_PIECES] if of_one else [self.text(body)]

    def text(self, nodes: Sequence[_Node]) -> str:
        """A short text that nodes take."""
        return "".join(map(self._of_node, nodes))

    def _of_node(self, node: _Node) -> str:
        kind, rest = node
        if kind in _OF_ONE:
            return next(iter(self._taken(node)), "")
        if kind is _constants.GROUPREF:
            return self._groups.get(int(rest), "")
        if kind in (*_REPEATS, _constants.POSSESSIVE_REPEAT):
            return self.text([*rest[2]]) * int(rest[0])
        if parts := _parts(node):
            text = self.text(parts[0])
            if kind is _constants.SUBPATTERN:
                self._groups[rest[0]] = text
            return text
        return ""

    def _taken(self, node: _Node) -> list[str]:
        """The characters that a node of one takes: some of every kind, or else any."""
        takes = _compiler.compile(_parser.SubPattern(self._state, [node])).fullmatch
        own = [chr(value) for kind, value in node[1] if kind is _constants.LITERAL] if node[0] is _constants.IN else []
        own = [chr(node[1])] if node[0] is _constants.LITERAL else own
        usual = [one for one in dict.fromkeys((*_CHARACTERS, *own)) if takes(one)]
        return usual or [one for one in map(chr, range(128)) if takes(one)]


def _parts(node: _Node) -> list[list[_Node]]:
    """The sequences that lie in a node."""
    kind, rest = node
    if kind in (*_REPEATS, _constants.POSSESSIVE_REPEAT):
        return [[*rest[2]]]
    if kind is _constants.SUBPATTERN:
        return [[*rest[3]]]
    if kind is _constants.ATOMIC_GROUP:
        return [[*rest]]
    return [[*one] for one in rest[1]] if kind is _constants.BRANCH else []
