r"""No pattern of ours goes back without bound over what others wrote: each is searched in 64 KiB of everything.

All patterns of the package and of the references are found, those in constants and those in calls, so that a new one is
tried as well. A pattern that is only matched at the beginning says so by ``\A``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from itertools import permutations
from pathlib import Path

import pytest

from grader.bundled import bundled_specs, spec_path
from grader.lint.patterns import Flood, of_spec, slow_search
from grader.spec.loader import load_assignment

ROOT = Path(__file__).parents[1]
OURS = (
    "grader/spec",
    "grader/lint",
    "grader/games/follow/sampling.py",
    "grader/doctor.py",
    "grader/build/workshop.py",
    "grader/__main__.py",
)
"""Modules that read only specs and our own tools."""
SPECS = [spec_path(name) for name in bundled_specs()]

KINDS = (" ", "\n", "\u3000", "0", "[", "|", "a", "'", "\\")
"""One character of each kind: two that alternate, and runs of one and then another, show what pieces of one kind do not."""
PAIRS = (
    *(Flood(one + other) for one, other in permutations(KINDS, 2)),
    *(Flood(other, one, runs=True) for one, other in permutations(KINDS, 2)),
)


def _files() -> Iterator[Path]:
    files = (path.relative_to(ROOT) for folder in ("grader", "reference") for path in (ROOT / folder).rglob("*.py"))
    yield from (path for path in sorted(files) if not path.as_posix().startswith(OURS))


PARTS = sorted({"/".join(path.with_suffix("").parts[:2]) for path in _files()})
"""The parts of the folders ``grader`` and ``reference``; patterns of one part are tried together."""


def _patterns(value: object, depth: int = 4) -> Iterator[re.Pattern]:
    if isinstance(value, type):
        return
    if isinstance(value, re.Pattern):
        yield value
    elif hasattr(value, "word") and hasattr(value, "odd"):  # a lexer
        yield from (value.word, value.odd)
    elif hasattr(value, "pattern"):
        yield from _patterns(value.pattern, depth - 1)
    elif isinstance(value, tuple | list | dict | frozenset) and depth:
        for one in value.values() if isinstance(value, dict) else value:
            yield from _patterns(one, depth - 1)


def _called(path: Path) -> Iterator[re.Pattern]:
    """The patterns that stand in a call such as ``re.search("…", text)``."""
    text = path.read_text("utf-8")
    for node in ast.walk(ast.parse(text)) if "re." in text else ():
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        of_re = isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
        written = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
        if of_re and isinstance(written, str | bytes):
            anchored = node.func.attr in ("match", "fullmatch")
            prefix = (r"\A" if isinstance(written, str) else rb"\A") if anchored else written[:0]
            yield re.compile(prefix + written)


@pytest.fixture(scope="module")
def patterns() -> dict[str, dict[str, re.Pattern]]:
    """All of them, by the part and then by the module where they stand first."""
    found: set[tuple[object, int]] = set()
    by_part: dict[str, dict[str, re.Pattern]] = {part: {} for part in PARTS}
    for path in _files():
        name = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        module = None if name.startswith("reference.") else import_module(name)
        constants = (one for value in vars(module).values() for one in _patterns(value)) if module else ()
        for pattern in (*constants, *_called(ROOT / path)):
            if (pattern.pattern, pattern.flags) not in found:
                found.add((pattern.pattern, pattern.flags))
                by_part["/".join(path.with_suffix("").parts[:2])][f"{name}-{len(found)}"] = pattern
    return by_part


def test_patterns_are_found(patterns: dict[str, dict[str, re.Pattern]]) -> None:
    """Those in constants, in tables, of lexers, and in calls."""
    texts = {str(pattern.pattern) for part in patterns.values() for pattern in part.values()}
    assert len(texts) > 100
    for part in (r"undefined reference", r"[-+]?[0-9]{1,38}", r"compiler\.", r"\d{1,18}", r"\$s8"):
        assert any(part in text for text in texts), part


@pytest.mark.parametrize("part", PARTS)
def test_a_pattern_takes_a_time_that_grows_with_the_text(part: str, patterns: dict[str, dict[str, re.Pattern]]) -> None:
    """64 KiB of blanks, digits, brackets, bars, letters, quotes, the pattern's own words, and of their mixtures."""
    found = {name: slow_search(pattern, PAIRS) for name, pattern in patterns[part].items()}
    assert {name: flood.sentence() for name, flood in found.items() if flood is not None} == {}


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_a_pattern_of_a_spec_takes_pairs_of_kinds(path: Path) -> None:
    """Two characters that alternate; of a run no pattern of a spec sees more than its beginning."""
    alternating = [flood for flood in PAIRS if not flood.runs]
    for loc, pattern in of_spec(load_assignment(path).spec):
        compiled = re.compile(pattern, re.IGNORECASE)
        found = slow_search(compiled, alternating[len(pattern) % 5 :: 5], usual=False)
        assert found is None, f"{loc}: {found.sentence()}"
