"""The place in its source where a program broke or looped, in words that a first-year student knows.

The notes of a program name functions and lines. The syntax tree has the statements at these lines, so that a sentence
can ask about the very index, pointer or divisor. It only asks, since the tree does not tell which of them failed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from grader.checks import ending as endings
from grader.checks.trees import ParsedSource, found, parsed
from grader.sessions.noted import Active, Note
from grader.source import SourceFile
from grader.values import dataclass

if TYPE_CHECKING:
    from tree_sitter import Node

LEAST: Final = 5
"""Minimum samples before a sentence names a loop."""

_LONGEST: Final = 40  # characters of an expression that is quoted
_ASKED: Final = 2  # expressions that a sentence asks about
_LOOPS: Final = frozenset({"for_statement", "while_statement", "do_statement", "for_range_loop"})
_ABORTED, _DIVIDED = 6, 8  # signals, as Linux numbers them
# signals of a bad address: SIGBUS and SIGSEGV
_MEMORY: Final = frozenset({7, 11})
_MOST: Final = 0.9  # of the samples
_TAKES_BACK: Final = frozenset({"free", "realloc", "delete"})


_INNER = ("_expression", "_declarator", "argument_list", "expression_statement", "return_statement", "declaration")
_ASTRAY: Final = "it could not return from a function: does it write past the end of a local array?"
_NO_WAY_ON: Final = (
    "it came to a place where no program can go on, such as the end of a function that must return a value"
)
_DAMAGED: Final = "the memory that `malloc` manages is damaged: the program wrote past the end of an array before"
_AT_END: Final = ", or lost its way back: is a pointer above wrong, or was more written into an array than it holds?"


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """A line of a source, as ``place`` and ``excerpt`` of a finding, and a sentence on what the program did there.

    The ``hint`` replaces the general one on the signal; empty if nothing better is known.
    """

    place: str
    excerpt: str
    sentence: str
    hint: str = ""


class Whole:
    """The sources of one program, with their trees, which are made when they are asked for."""

    def __init__(self, language: str, sources: Sequence[SourceFile]) -> None:
        self._language = language
        self._sources = sources
        self._trees: dict[str, ParsedSource | None] = {}

    def file(self, one: Active) -> SourceFile | None:
        """The student's file in which a function is at a line; None for other files."""
        sources = (
            source for source in self._sources if one.file == source.name or one.file.endswith(f"/{source.name}")
        )
        source = max(sources, key=lambda source: len(source.name), default=None)
        return source if source is not None and 0 < one.line <= len(source.lines) else None

    def tree(self, source: SourceFile) -> ParsedSource | None:
        """The syntax tree of a source; None if it cannot be read."""
        if source.name not in self._trees:
            self._trees[source.name] = parsed(self._language, source)
        return self._trees[source.name]

    def line(self, one: Active) -> str:
        """``line 14``, or ``line 14 of board.c`` where there are several files."""
        source = self.file(one)
        return f"line {one.line}" + (f" of {source.name}" if source and len(self._sources) > 1 else "")


def broken(note: Note, whole: Whole) -> Whereabouts | None:
    """The place where a signal broke a program, with a possible cause; None if no line is the student's."""
    own = [(number, one) for number, one in enumerate(note.active) if whole.file(one)]
    if not own:
        if note.signal not in _MEMORY or any(one.function for one in note.active):
            return None
        return Whereabouts("", "", _ASTRAY)
    number, here = own[0]
    source = whole.file(here)
    assert source is not None
    # A brace does nothing itself: the return breaks there, since its address was overwritten.
    at_end = source.lines[here.line - 1].strip() == "}"
    if note.deep and note.signal in _MEMORY and (again := _recursion([one for _, one in own])):
        return replace(_at(source, here.line, None, f"{whole.line(here)}: {again}"), hint=endings.ENDLESS)
    tree = whole.tree(source)
    statement = _Statement(tree, here.line) if tree else None
    clause, node = _said(note.signal, statement, in_library=number > 0)
    clause += _AT_END if at_end and note.signal in _MEMORY else ""
    callers = [one for _, one in own[1:] if one.function != here.function or one.line != here.line]
    called = f" (called from {whole.line(callers[0])}, in `{callers[0].function}`)" if callers else ""
    sentence = f"{whole.line(here)}, in `{here.function}`{called}: {clause}"
    return _at(source, here.line, (tree, node) if tree and node else None, sentence)


def _recursion(own: Sequence[Active]) -> str:
    """The sentence on endless recursion; empty otherwise."""
    names = [*dict.fromkeys(f"`{one.function}`" for one in own)]
    if len(names) == 1:
        return f"{names[0]} calls itself until the stack is full: which condition must end that?"
    if len(names) > 3:
        return ""
    return f"{' and '.join(names)} call each other until the stack is full: which condition must end that?"


def _at(source: SourceFile, line: int, node: tuple[ParsedSource, Node] | None, sentence: str) -> Whereabouts:
    if node is not None and node[1].start_point.row == line - 1:
        finding = node[0].finding("", "", "", node[1])
        return Whereabouts(finding.place, finding.excerpt, sentence)
    span = source.line_span(line)
    return Whereabouts(span.place, span.excerpt(), sentence)


def whole_line(source: SourceFile, line: int) -> str:
    """The excerpt of a line without its indentation; empty if there is no such line."""
    return source.line_span(line).excerpt() if 0 < line <= len(source.lines) else ""


# ---------------------------------------------------------------------------------------------------- what stands there


class _Statement:
    """The statement at a line, and the parts of it that may fail."""

    def __init__(self, tree: ParsedSource, line: int) -> None:
        self._tree = tree
        self._row = line - 1
        self._nodes = [*self._parts(tree.tree.root_node)]

    def _parts(self, node: Node) -> Iterator[Node]:
        """The nodes of statements around the line, from the outside in; of compound statements only the heads."""
        for child in node.named_children:
            if child.start_point.row <= self._row <= child.end_point.row or node.type.endswith(_INNER):
                yield child
                yield from self._parts(child)

    def text(self, node: Node) -> str:
        """The text of an expression in one line, cut where it is long."""
        return _cut(self._tree.text(node).decode(errors="replace"))

    def _with_fields(self, kinds: Sequence[str], *names: str) -> Iterator[tuple[Node, list[Node]]]:
        """The nodes of these kinds that have all these fields, kind by kind, each with its fields."""
        for node in (one for kind in kinds for one in self._nodes if one.type == kind):
            fields = [field for name in names if (field := node.child_by_field_name(name)) is not None]
            if len(fields) == len(names):
                yield node, fields

    @property
    def subscripts(self) -> list[tuple[Node, str, str]]:
        """Each ``heap[i]``: the node, the name and the index."""
        subscripts = []
        for node, (name,) in self._with_fields(("subscript_expression",), "argument"):
            indices = node.child_by_field_name("indices")
            index = node.child_by_field_name("index") or (indices.named_child(0) if indices is not None else None)
            if index is not None and index.type != "number_literal":
                subscripts.append((node, self.text(name), self.text(index)))
        return subscripts

    @property
    def pointers(self) -> list[tuple[Node, str]]:
        """Each ``*p`` and ``p->x``: the node, and the pointer."""
        operands = self._with_fields(("pointer_expression", "field_expression"), "operator", "argument")
        return [(node, self.text(one)) for node, (sign, one) in operands if self._tree.text(sign) in (b"*", b"->")]

    @property
    def divisors(self) -> list[tuple[Node, str]]:
        """Each divisor that is not a number."""
        operands = self._with_fields(("binary_expression", "assignment_expression"), "operator", "right")
        signs = (b"/", b"%", b"/=", b"%=")
        divided = [(node, right) for node, (sign, right) in operands if self._tree.text(sign) in signs]
        return [(node, self.text(right)) for node, right in divided if right.type != "number_literal"]

    @property
    def calls(self) -> list[tuple[Node, str, list[Node]]]:
        """Each call: the node, the name of the function, the arguments."""
        calls = []
        for node, (function,) in self._with_fields(("call_expression",), "function"):
            arguments = node.child_by_field_name("arguments")
            calls.append((node, self.text(function), arguments.named_children if arguments is not None else []))
        return calls + [(node, "delete", []) for node, _ in self._with_fields(("delete_expression",))]


def _cut(text: str) -> str:
    """An expression in one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _said(number: int, statement: _Statement | None, *, in_library: bool) -> tuple[str, Node | None]:
    """A sentence on a line with a question about its statement, and the node of the question."""
    if number in _MEMORY:
        return _of_memory(statement, in_library=in_library)
    if number == _DIVIDED:
        divisors = statement.divisors if statement else []
        asked = _listed(text for _, text in divisors)
        return "an integer was divided by zero" + (f": can {asked} be 0 there?" if asked else ""), _node(divisors)
    if number == _ABORTED:
        return _of_abort(statement)
    return _NO_WAY_ON, None


def _of_memory(statement: _Statement | None, *, in_library: bool) -> tuple[str, Node | None]:
    clause = "the program used memory that is not its own"
    if statement is None:
        return clause, None
    if in_library and statement.calls:
        return _of_call(statement, clause)
    subscripts, pointers = statement.subscripts, statement.pointers
    indexed = {(name, index): f"is `{index}` a valid index of `{name}`" for _, name, index in subscripts}
    asked = [*indexed.values()][:_ASKED]
    asked += [f"does {_listed(text for _, text in pointers)} point to something"] if pointers else []
    node = subscripts[0][0] if subscripts else _node(pointers)
    return clause + (f": {', and '.join(asked)} there?" if asked else ""), node


def _of_call(statement: _Statement, clause: str) -> tuple[str, Node | None]:
    """A question about the arguments of a library function."""
    calls = statement.calls
    if any(name in _TAKES_BACK for _, name, _ in calls):
        return _of_abort(statement)
    node, name, arguments = calls[0]
    plain = [statement.text(one) for one in arguments if one.type == "identifier"]
    # `scanf("%d", n)`: beginners in C forget the sign.
    if name.endswith("scanf") and plain:
        return f"{clause}, in `{name}`: is an `&` missing before {_listed(plain[-_ASKED:])}?", node
    names = _listed(name for _, name, _ in calls)
    return f"{clause}, in {names}: do all pointers that it gets point to your own memory, with enough room?", node


def _of_abort(statement: _Statement | None) -> tuple[str, Node | None]:
    for node, name, _ in statement.calls if statement else []:
        if name == "assert":
            return "the `assert` there failed", node
        if name in ("abort", "std::abort", "std::terminate", "terminate"):
            return f"the program called `{name}`", node
        if name in _TAKES_BACK:
            return f"`{name}` got memory that it cannot free, or the program wrote past its end before", node
        if name in ("malloc", "calloc"):
            return _DAMAGED, node
        if name.endswith((".at", ".substr")):
            return f"`{name}` was asked for something that does not exist, and the exception was not caught", node
    return "it aborted itself there", None


def _node(nodes: Sequence[tuple[Node, str]]) -> Node | None:
    return nodes[0][0] if nodes else None


def _listed(texts: Iterable[str]) -> str:
    """``` `a` or `b` ```: each once, the first few."""
    return " or ".join(f"`{text}`" for text in [*dict.fromkeys(texts)][:_ASKED])


# ------------------------------------------------------------------------------------------------------------ endless runs

# A step shared by samples: a loop by its file and lines, or a call by its line.
_Step = tuple[str, str, int, int]


def endless(notes: Sequence[Note], whole: Whole, when: str) -> Whereabouts | None:
    """The smallest loop, or else function, that all samples share; None with too few samples.

    ``when`` completes a sentence: ``its time was up``.
    """
    paths = [(steps, own) for steps, own in (_path(note, whole) for note in notes) if steps]
    if len(paths) < LEAST:
        return None
    shared = _shared([steps for steps, _ in paths])
    loops = [number for number, step in enumerate(shared) if step[0] == "loop"]
    if loops:
        _, name, first, last = shared[loops[-1]]
        here = Active("", name, first)
        source = whole.file(here)
        assert source is not None
        lines = f"line {first}" if first == last else f"lines {first}–{last}"
        of = f" of {name}" if whole.line(here) != f"line {first}" else ""
        around = [step for step in shared[: loops[-1]] if step[0] == "loop" and step[1] == name and step[2] < first]
        inside = f", inside the one at lines {around[-1][2]}–{around[-1][3]}," if around else ""
        sentence = f"it was in the loop at {lines}{of}{inside} when {when}{_goes_on(source, first, last, whole)}"
        return _at(source, first, None, sentence)
    calls = [step for step in shared if step[0] == "in"]
    if not calls:
        return None
    _, name, *_ = calls[-1]
    at = next(one for _, actives in paths for one in actives if one.function == name)
    source = whole.file(at)
    assert source is not None
    # A sample outside of loops, in a function that does not call itself, does not explain an endless run.
    again = sum(one.function == name for one in paths[0][1]) > 1
    sentence = f"it was in `{name}` when {when}; this function calls itself: which condition ends that?"
    return _at(source, at.line, None, sentence) if again else None


def _path(note: Note, whole: Whole) -> tuple[list[_Step], list[Active]]:
    """The student's functions of a sample from ``main`` on, and the loops in which each of them is."""
    steps: list[_Step] = []
    own = [one for one in reversed(note.active) if whole.file(one)]
    for one in own:
        source = whole.file(one)
        assert source is not None
        steps.append(("in", one.function, 0, 0))
        tree = whole.tree(source)
        loops = _loops(tree, one.line) if tree else ()
        steps += [("loop", source.name, first, last) for first, last in loops]
        steps.append(("call", source.name, one.line, 0))
    return steps, own


def _shared(paths: Sequence[list[_Step]]) -> list[_Step]:
    """Their common beginning, down to the smallest loop that all are in.

    A compiler moves instructions, so a few samples give lines outside of their loop. Within a loop, one sample
    outside of an inner loop is enough to show that the inner loop ends.
    """
    left = [*paths]
    shared: list[_Step] = []
    while True:
        depth = len(shared)
        counted = Counter(steps[depth] for steps in left if len(steps) > depth)
        step, count = counted.most_common(1)[0] if counted else (("", "", 0, 0), 0)
        inside = any(one[0] == "loop" for one in shared)
        if not count or count < len(left if inside else paths) * (1 if inside else _MOST):
            return shared
        left = [steps for steps in left if steps[depth : depth + 1] == [step]]
        shared.append(step)


def _loops(tree: ParsedSource, line: int) -> list[tuple[int, int]]:
    """The first and last lines of all loops around a line, the outermost first. A jump back to a label is one as well."""
    loops = [(node.start_point.row + 1, node.end_point.row + 1) for node in _loop_nodes(tree.tree.root_node, line)]
    # `again: … goto again;` asked for ever, and the loop of `main` around the call was named, which was right.
    labels, jumps = (found(f"({kind} label: (_) @found)", [tree]) for kind in ("labeled_statement", "goto_statement"))
    for _, jump in jumps:
        above = (
            one.start_point.row + 1 for _, one in labels if one.text == jump.text and one.start_byte < jump.start_byte
        )
        first, last = max(above, default=line + 1), jump.end_point.row + 1
        loops += [(first, last)] if first <= line <= last else []
    return sorted(set(loops), key=lambda loop: (loop[0], -loop[1]))


def _loop_nodes(node: Node, line: int) -> Iterator[Node]:
    """The loops in a node around a line, the outermost first."""
    for child in node.named_children:
        # Lines count from 1, and rows of tree-sitter from 0.
        if child.start_point.row < line <= child.end_point.row + 1:
            if child.type in _LOOPS:
                yield child
            yield from _loop_nodes(child, line)


def _goes_on(source: SourceFile, first: int, last: int, whole: Whole) -> str:
    """A sentence on the condition of a loop."""
    tree = whole.tree(source)
    nodes = _loop_nodes(tree.tree.root_node, first) if tree else ()
    node = next((one for one in nodes if (one.start_point.row + 1, one.end_point.row + 1) == (first, last)), None)
    if tree is None or node is None:
        return ""
    condition: Node | None = node.child_by_field_name("condition")
    text = " ".join(tree.text(condition).decode(errors="replace").split()) if condition is not None else ""
    text = text[1:-1].strip() if text.startswith("(") and text.endswith(")") else text
    if node.type == "for_range_loop":
        return ""
    if text in ("", "1", "true", "TRUE"):
        return ": no condition ends this loop; does it reach a `break` or a `return`?"
    return f". It goes on while `{_cut(text)}`: does anything in it change that?"
