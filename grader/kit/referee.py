"""The part of a reference that may be given out: the rules of a game and the referee, without the dialogue that is the answer.

Students write a program that plays the game. The referee judges one and plays none, so that a kit may hold it. ``play`` is cut out of
the sources, with every function that only ``play`` needs. Of a pile game, whose rules in Python are half of a solution in Python, tables
of moves are given out. What the referee knows by hearing ``play``, the words of the assignment, is written down.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from textwrap import fill

from grader.errors import JudgeError, UsageError
from grader.games.pile.rules import Rules, rules
from grader.grading.scripts import Scripts
from grader.sessions.reference import VOCABULARY, load
from grader.spec.loader import Assignment, sources_of

PLAY = "play"
_PACKAGE = "__init__.py"
_MAIN = "__main__.py"
_BEYOND = 100  # stones above twice the largest pile of the proof: no game comes near them


def silent_reference(assignment: Assignment) -> dict[str, str]:
    """The sources of a reference without its ``play``, by their paths beside it. Raises UsageError where it cannot be cut out.

    The reference is in Python, and talks.
    """
    reference = assignment.reference
    assert reference is not None, "there is a reference"
    game = assignment.spec.game
    try:
        if game is not None and game.pile is not None:
            return {f"{silent_name(reference)}/{_PACKAGE}": _tables(rules(game.pile, load(reference)))}
        beside, files = reference.parent, sources_of(reference)
        sources = {file.relative_to(beside).as_posix(): file.read_text(encoding="utf-8") for file in files}
        entry = f"{reference.name}/{_PACKAGE}" if reference.is_dir() else reference.name
        cut = cut_out(sources, entry)
        words = sorted(Scripts(assignment).vocabulary) if assignment.spec.games else []
    except (JudgeError, OSError, SyntaxError, UnicodeError) as error:
        raise UsageError(f"the referee cannot be told from the program: {error}", place=str(reference)) from error
    cut[entry] += _vocabulary(words)
    return cut if reference.is_dir() else {f"{silent_name(reference)}/{_PACKAGE}": cut[entry]}


def silent_name(reference: Path) -> str:
    """The name of a reference without its ``play``: a package, since a file without ``play`` could be a model program."""
    return reference.name if reference.is_dir() else reference.stem


def cut_out(sources: Mapping[str, str], entry: str) -> dict[str, str]:
    """The modules of a reference without ``play``: ``entry`` is the one that is imported, and all of them lie in its folder."""
    trees = {path: ast.parse(text) for path, text in sources.items() if PurePosixPath(path).name != _MAIN}
    for tree in trees.values():
        silent = (node for node in tree.body if not _is_play(node))
        imports = (_importing(node, lambda alias: alias.name.rpartition(".")[2] != PLAY) for node in silent)
        tree.body = [node for node in imports if node is not None]
    while any(_forget(path, trees, entry) for path in trees):
        pass
    reached = _reached(trees, entry)
    return {path: _text(sources[path], tree) for path, tree in trees.items() if path in reached}


def _is_play(node: ast.stmt) -> bool:
    """Whether a statement of a module defines ``play`` or starts it."""
    starts = isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)
    return starts or (isinstance(node, ast.FunctionDef) and node.name == PLAY)


def _importing(node: ast.stmt, wanted: Callable[[ast.alias], bool]) -> ast.stmt | None:
    """An import with the names that are wanted, None where none is left; any other statement as it is."""
    if not isinstance(node, ast.Import | ast.ImportFrom):
        return node
    names = [alias for alias in node.names if wanted(alias)]
    if len(names) == len(node.names):
        return node
    return ast.copy_location(type(node)(**{**dict(ast.iter_fields(node)), "names": names}), node) if names else None


def _forget(path: str, trees: Mapping[str, ast.Module], entry: str) -> bool:
    """Take out of a module a function that nobody uses any more, and imports of what it used; whether there was something."""
    tree = trees[path]
    used = {name for other in trees.values() if other is not tree for name in _imported(other)}
    for node in tree.body:
        inside = _names(one for one in tree.body if one is not node)
        private = path != entry or getattr(node, "name", "").startswith("_")
        # A decorated function may be used by what decorates it.
        if isinstance(node, ast.FunctionDef) and private and not node.decorator_list and node.name not in used | inside:
            tree.body.remove(node)
            return True
    if path == entry and PurePosixPath(path).name == _PACKAGE:
        return False  # what a package imports it gives out
    names = _names(node for node in tree.body if not isinstance(node, ast.Import | ast.ImportFrom))
    bound = {"annotations"} | names | used  # what `from __future__` imports is used by no name
    kept = [
        one
        for node in tree.body
        if (one := _importing(node, lambda alias: (alias.asname or alias.name).partition(".")[0] in bound))
    ]
    changed = [id(node) for node in kept] != [id(node) for node in tree.body]
    tree.body = kept
    return changed


def _names(nodes: Iterable[ast.AST]) -> set[str]:
    """Every name that is read in statements, those in texts of annotations included."""
    parts = [part for node in nodes for part in ast.walk(node)]
    texts = {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}
    return {part.id for part in parts if isinstance(part, ast.Name)} | set(filter(str.isidentifier, texts))


def _imported(tree: ast.Module) -> Iterator[str]:
    """The names that a module takes from others, or reads of them."""
    for part in ast.walk(tree):
        if isinstance(part, ast.ImportFrom):
            yield from (alias.name for alias in part.names)
        elif isinstance(part, ast.Attribute):
            yield part.attr


def _reached(trees: Mapping[str, ast.Module], entry: str) -> set[str]:
    """The modules that are imported, straight or by others: the files that their imports may mean, as far as they are there."""
    reached, waiting = set(), [entry]
    while waiting:
        path = waiting.pop()
        if path not in trees or path in reached:
            continue
        reached.add(path)
        for node in ast.walk(trees[path]):
            if isinstance(node, ast.ImportFrom) and node.level:
                folder = PurePosixPath(path).parents[node.level - 1]
                below = folder.joinpath(*(node.module or "").split("."))
                for module in (below, *(below / alias.name for alias in node.names)):
                    waiting += [f"{module}.py", f"{module}/{_PACKAGE}"]
    return reached


def _text(source: str, tree: ast.Module) -> str:
    """The source with the statements that are left, each as it was written, and imports as they are now."""
    lines = source.splitlines()
    whole = ast.parse(source)
    kept = {_start(node): node for node in tree.body}
    for node in reversed(whole.body):
        now = kept.get(_start(node))
        if now is None:
            lines[_start(node) - 1 : node.end_lineno] = []
        elif isinstance(now, ast.Import | ast.ImportFrom):
            lines[node.lineno - 1 : node.end_lineno] = ast.unparse(now).splitlines()
    return "\n".join(lines).rstrip() + "\n"


def _start(node: ast.stmt) -> int:
    """The line of a statement, that of its first decorator where it has any."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min(node.lineno, *(one.lineno for one in decorators), node.lineno)


def _vocabulary(words: list[str]) -> str:
    """The words of the assignment, as a module has them."""
    listed = "".join(f"    {word!r},\n" for word in words)
    return f"\n{VOCABULARY} = (\n{listed})\n"


def _tables(rules: Rules) -> str:
    """A reference of a pile game that holds tables: what may be taken, and what is best, by the number of stones."""
    counts = range(_largest(rules) + 1)
    moves = [tuple(rules.moves(stones)) for stones in counts]
    best = [int(rules.best(stones)) if moves[stones] else 0 for stones in counts]
    return _PILE.format(moves=_wrapped(moves), best=_wrapped(best)) + _vocabulary([])


def _largest(rules: Rules) -> int:
    """Maximum stones in a table; fewer if the course itself has a table."""
    most = 2 * rules.game.plan.proved_to + _BEYOND
    for stones in range(rules.game.plan.proved_to + 1, most):
        try:
            rules.best(stones), rules.moves(stones)
        except (LookupError, ValueError):
            return stones - 1
    return most


def _wrapped(values: Iterable[object]) -> str:
    return fill(", ".join(map(repr, values)), 110, initial_indent="    ", subsequent_indent="    ")


_PILE = '''"""The rules of the game, for the grader: what may be taken of a number of stones, and what is best."""

MOVES = (
{moves},
)
BEST = (
{best},
)


def moves(stones):
    """How many stones may be taken."""
    return MOVES[min(stones, len(MOVES) - 1)]


def best(stones):
    """How many stones are best taken."""
    return BEST[min(stones, len(BEST) - 1)]
'''
