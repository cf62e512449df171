"""Patterns that need long for a flood are found, and none of the bundled specs has one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.bundled import bundled_specs, spec_path
from grader.lint import examine, patterns
from grader.lint.patterns import of_spec, slow, unsaid_patterns
from grader.spec.loader import load_assignment
from grader.spec.model import Case
from tests.chosen import is_chosen


@pytest.fixture
def quarter(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A pattern may need a quarter of a second: whatever goes back needs many times that for a flood."""
    monkeypatch.setattr(patterns, "BOUND", 0.25)
    slow.cache_clear()
    yield
    slow.cache_clear()


SPECS = [spec_path(name) for name in bundled_specs()]

CELLS = r"(?m)^\|[ ]*(\w?)[ ]*\|[ ]*(\w?)[ ]*\|[ ]*(\w?)[ ]*\|$"
"""The pattern of a board's rows in a spec: a line of wide blank cells held it for 14 s."""


@pytest.mark.usefixtures("quarter")
@pytest.mark.parametrize(
    "pattern",
    [
        r"[ \t]+(?=\n)",
        r"player[ ]*#?[ ]*[12]",
        CELLS,
        r"(?:[|x]|\|\|)+\n",
        r"(?:\d+,?)+;",
        r"\b(?:the|now)\b(?:\s|the|now)*(?:\s|the)*:",
        r"(?s)I.*took.*left",
    ],
)
def test_a_pattern_that_goes_back_without_bound_is_found(pattern: str) -> None:
    """Repetitions beside or inside each other that take the same characters show, whatever the characters are."""
    assert slow(pattern) is not None


@pytest.mark.usefixtures("quarter")
@pytest.mark.parametrize(
    "pattern",
    [
        r"(?<![ \t])[ \t]++(?=\n)",
        r"player[ ]*+#?[ ]*+[12]",
        CELLS.replace("[ ]*", "[ ]*+"),
        r"\bhow\s+many\b[^?\n]{0,60}?\btake\b",
        r"\S",
    ],
)
def test_a_pattern_that_keeps_what_it_took_is_not(pattern: str) -> None:
    """Possessive and bounded repetitions take a time that grows with the length of the text alone."""
    assert slow(pattern) is None


@pytest.mark.usefixtures("quarter")
def test_lint_says_where_and_what_to_do(small: Path) -> None:
    """The warning stands at the pattern, names the flood, and the hint says how to mend it."""
    warning = next(one for one in examine(small).diagnostics if one.code == "slow-pattern")
    assert "64 KiB" in warning.message
    assert warning.span is not None
    assert warning.span.line == 7
    assert "*+" in warning.hint


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A spec with one pattern that needs long."""
    path = tmp_path / "small.yaml"
    path.write_text(
        "assignment: small\n"
        "title: Small\n"
        "submission: {required: [a.asm]}\n"
        "program: {language: lc3, sources: [a.asm]}\n"
        "text:\n"
        "  facts:\n"
        "    - {name: player, pattern: 'player[ ]*#?[ ]*[12]'}\n"
        "rubric: [{id: works, points: 1, title: Works}]\n"
        "cases: [{id: one, title: One, criterion: works, dialogue: [{expect: 'x'}]}]\n",
        encoding="utf-8",
    )
    return path


@pytest.mark.parametrize("part", ["chosen", pytest.param("others", marks=pytest.mark.spare)])
@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_no_pattern_of_a_bundled_spec_needs_long(path: Path, part: str) -> None:
    """64 KiB of every piece that a program might repeat, searched as they are, before any bound of ours; a quarter of them in a whole run."""
    found = {
        str(loc): slow(pattern)
        for loc, pattern in of_spec(load_assignment(path).spec)
        if is_chosen(4, pattern) == (part == "chosen")
    }
    assert {loc: one.sentence() for loc, one in found.items() if one is not None} == {}


def test_a_pattern_that_students_are_not_told_in_words_is_found() -> None:
    """A plain text speaks for itself; another pattern needs `says` beside it."""
    steps = [{"expect": "name"}, {"expect": "sum\\D*5", "says": "the sum"}, {"expect": "sum\\D*5"}, {"refuse": "[a-z]"}]
    case = Case.model_validate({"id": "talk", "title": "Talk", "dialogue": steps})
    spec = load_assignment(SPECS[0]).spec.model_copy(update={"cases": (case,)})
    (problem,) = unsaid_patterns(spec)
    assert problem.loc == ("cases", 0, "dialogue", 2, "expect")
    assert "says" in problem.hint
