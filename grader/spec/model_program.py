"""Model programs: references in the language of the assignment, rather than dialogues in Python."""

from __future__ import annotations

import ast
from collections.abc import Collection
from pathlib import Path


def is_model_program(reference: Path, languages: Collection[str]) -> bool:
    """Whether a reference is built and run like a submission.

    It is one unless it is a Python package, or a Python file; where students write Python, one without ``play`` and without a checker is one as
    well. A path without a file is not a model program: the rule on `reference` reports it, once.
    """
    try:
        if not reference.exists():
            return False
        if reference.is_dir():
            return not (reference / "__init__.py").is_file()
    except OSError:  # no file has so long a name, as the rules say
        return False
    # In a course of Python both are Python: only one talks by `play`, or checks what was printed.
    return reference.suffix != ".py" or ("python" in languages and not _plays_or_checks(reference))


def model_sources(reference: Path) -> tuple[Path, ...]:
    """The files of a model program: itself, or all in its folder except hidden ones, in their order."""
    if not reference.is_dir():
        return (reference,)
    inside = sorted(path.relative_to(reference) for path in reference.rglob("*") if path.is_file())
    hidden = [path for path in inside if any(part.startswith((".", "__")) for part in path.parts)]
    return tuple(reference / path for path in inside if path not in hidden)


CHECKED = ["typed", "printed"]
"""The parameters of a function that mark it as a checker."""


def _plays_or_checks(reference: Path) -> bool:
    """Whether ``play`` is a name of the module, or one of its functions is a checker; a file that is no Python is left to the code that plays it."""
    try:
        body = ast.parse(reference.read_bytes()).body
    except (OSError, SyntaxError, ValueError):
        return False
    names: list[str] = []
    for node in body:
        if isinstance(node, ast.FunctionDef):
            checks = [argument.arg for argument in node.args.args] == CHECKED
            names.append("play" if checks else node.name)
        elif isinstance(node, ast.ImportFrom):
            names += (alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Assign):
            names += (target.id for target in node.targets if isinstance(target, ast.Name))
    return "play" in names
