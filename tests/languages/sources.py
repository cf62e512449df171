"""The sentences in our sources that may reach a student, as templates: every literal and f-string that reads like one.

Code may build the message of a finding anywhere, so a search for ``Finding(…)`` alone would miss most. All sentences of
the packages that find something are taken. Docstrings, patterns, messages of exceptions, clauses behind a sentence, and
the lines of ``not-for-students.txt`` are left out.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLACES = (
    "grader/build", "grader/checks", "grader/games", "grader/grading", "grader/machines", "grader/results.py",
    "grader/scoring.py", "grader/sessions", "reference",
)  # fmt: skip
"""The places where findings, endings, hints, occasions, lessons and diagnostics are written."""

APART = re.compile(
    r"corrections\.py|/games/(referee|ground|methods)\.py|/follow/sampling\.py|/(answer_key|workshop|java_server|java_traces|jdk|jvm)\.py"
    r"|/sessions/reference\.py|/sessions/java_shared\.py|/machines/(table|listing|lc3/isa|lc3/kinds|lc3/loop|mips/(isa|quick|pseudo|pseudo_others|loop|forms))\.py"
    r"|/(play|rules)\.py|/hear/(names|slots)\.py|/own_words\.py|/build/python(_tests)?\.py|/build/course/|/build/apart/|/pile_nim\.py|/trees\.py"
)
"""Files without words for students: settings of staff, tables of instructions, output of references."""

_FILLED = "7"  # in a place: a number is what any place takes, and nothing that needs a translation
_SENTENCE = re.compile(r"[A-Za-z’']{2,},?:? [a-z0-9(“]|[A-Za-z7]+ [a-z]{2,}")
_PATTERN = re.compile(r"\\[dsSwWbAZ]|\(\?|\[\^|\.\*|\|.*\||\)\?|\$\Z|^\(")
_NO_TEXT = {
    "compile", "fullmatch", "match", "search", "sub", "split", "fromkeys", "query", "JudgeError", "UsageError",
    "TypeError",
}  # fmt: skip
_MOST = 64  # ways to read one f-string


@dataclass(frozen=True)
class Template:
    """One way to read a literal: what fills its places is a 7."""

    place: str
    written: str
    sample: str


@cache
def templates() -> tuple[Template, ...]:
    """All sentences of ours, with their places."""
    return tuple(_found())


def _found() -> Iterator[Template]:
    for name in PLACES:
        path = ROOT / name
        for source in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            inside = source.relative_to(ROOT).as_posix()
            if not APART.search(f"/{inside}"):
                yield from _of(inside, ast.parse(source.read_text(encoding="utf-8")))


def _of(inside: str, tree: ast.Module) -> Iterator[Template]:
    skipped: set[int] = set()
    for node in ast.walk(tree):  # from the outside in
        if id(node) in skipped:
            skipped.update(map(id, ast.iter_child_nodes(node)))
            continue
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))  # a docstring
        elif isinstance(node, ast.Raise | ast.Assert):
            skipped.update(map(id, ast.iter_child_nodes(node)))
        elif isinstance(node, ast.Call) and _called(node) in _NO_TEXT:
            skipped.update(map(id, [*node.args, *node.keywords]))
        elif isinstance(node, ast.JoinedStr):
            skipped.update(id(part) for part in node.values if isinstance(part, ast.Constant))
            skipped.update(_alternatives(node))
            yield from _readings(inside, node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _readings(inside, node)


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _alternatives(node: ast.JoinedStr) -> Iterator[int]:
    """The literals in the places of an f-string: they are read with it."""
    for part in node.values:
        if isinstance(part, ast.FormattedValue) and len(_ways(part.value)) > 1:
            yield from (id(one) for one in ast.walk(part.value))


def _readings(inside: str, node: ast.expr) -> Iterator[Template]:
    written = ast.unparse(node)
    for sample in dict.fromkeys(_ways(node)):
        bare = re.sub(r"\{[\w!:.,]*\}", _FILLED, sample)  # what `format` fills in later
        if _SENTENCE.search(bare) and bare[0] not in " ,;:.\n(" and not _PATTERN.search(bare):
            yield Template(f"{inside}:{node.lineno}", written, bare)


def _ways(node: ast.expr) -> list[str]:
    """All texts that an expression can be, with what is not literal as a 7."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.Call) and _called(node) == "after_inputs":
        return ["at the start"]
    if isinstance(node, ast.IfExp):
        return [*_ways(node.body), *_ways(node.orelse)]
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
        return [way for value in node.values for way in _ways(value)]
    if isinstance(node, ast.JoinedStr):
        parts = [_ways(part.value if isinstance(part, ast.FormattedValue) else part) for part in node.values]
        return ["".join(chosen) for chosen in itertools.islice(itertools.product(*parts), _MOST)]
    return [_FILLED]


def listed(path: Path) -> frozenset[str]:
    """The samples in a list: a line each, except lines that begin with a hash."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return frozenset(
        line.replace("\\n", "\n").strip() for line in lines if line.strip() and not line.startswith("# ----")
    )


NOT_FOR_STUDENTS = listed(Path(__file__).with_name("not-for-students.txt"))
