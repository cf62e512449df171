"""The answer key of an assignment: what no program of a student may read, wherever it lies."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import Distribution, packages_distributions
from importlib.util import find_spec
from pathlib import Path

from grader.spec.loader import Assignment, sources_of


def answer_key(assignment: Assignment) -> tuple[Path, ...]:
    """The folders of the spec and of its reference, under each name and behind each link, the modules of the reference, and the secret."""
    files = [assignment.path, *([assignment.reference] if assignment.reference else [])]
    secret = [assignment.path.parent / assignment.spec.secret] if assignment.spec.secret is not None else []
    places = [place for file in files for place in (file, file.parent, file.resolve().parent)]
    # The bytecode of a reference holds what its source says.
    compiled = [Path(sys.pycache_prefix)] if sys.pycache_prefix else []
    seen: set[str] = set()
    sources = sources_of(assignment.reference) if assignment.reference else ()
    modules = [module for source in sources for module in _modules(source, seen)]
    return tuple(dict.fromkeys((*places, *secret, *compiled, *modules)))


def _modules(source: Path, seen: set[str]) -> Iterator[Path]:
    """The course's own modules that a source imports, and that those import: found, not imported."""
    try:
        tree = ast.parse(source.read_bytes())
    except (OSError, SyntaxError, ValueError):  # whoever plays the reference says so
        return
    for name in _imported(tree) - seen:
        seen.add(name)
        for place in _places(name):
            yield place
            for file in sorted(place.rglob("*.py")) if place.is_dir() else (place,):
                yield from _modules(file, seen)


def _imported(tree: ast.Module) -> set[str]:
    """The first parts of the names of all modules that it imports, without Python's own and the grader's."""
    nodes = [*ast.walk(tree)]
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    # Relative imports lead into the folder of the reference, which is hidden as a whole.
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level]
    return {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {"grader"}


def _places(name: str) -> list[Path]:
    """The place of a module that is the course's own."""
    try:
        # Of `a.b` this would import `a` to find it: only first parts are asked for, so that nothing of the course is
        # run here.
        spec = find_spec(name)
    except (ImportError, ValueError):
        return []
    if spec is None or _is_public(name):
        return []
    folders = spec.submodule_search_locations or ([spec.origin] if spec.origin else [])
    return [Path(folder) for folder in folders]


@cache
def _is_public(name: str) -> bool:
    """Whether a module comes from an index, where everybody finds it: programs may import it as well."""
    owners = [Distribution.from_name(owner) for owner in packages_distributions().get(name, ())]
    # A course may install its own package from a folder, and pip notes of such where it came from.
    return bool(owners) and all(owner.read_text("direct_url.json") is None for owner in owners)
