"""A small spec that is right, and what the loader says once it is broken in one place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from grader.source import Diagnostic
from grader.spec.loader import read_assignment

REFERENCE = "def play():\n    yield 'Hello'\n"

SMALL = dedent(
    """\
    assignment: small
    title: Small
    submission: {required: [a.asm], optional: [report.pdf]}
    program: {language: lc3, sources: [a.asm]}
    reference: reference.py
    text:
      criterion: format
      echo: program
      choices: {gap: [" ", ""], end: ["\\n", ""]}
      facts: [{name: greeting, pattern: 'hello (?P<whom>\\w+)', lengths: [whom]}]
      slips: {case: 1, wording: whole, echo: {price: 2, criterion: works}}
    rubric:
      - {id: format, points: 2, title: Format}
      - {id: works, points: 3, title: Works}
      - {id: refusals, points: 4, title: Refusals, counts: kinds}
      - {id: style, points: 1, title: Style, manual: true}
      - {id: late, points: 2, title: Late, kind: deduction}
    cases:
      - {id: plain, title: Plain, criterion: works, play: B2}
      - id: text
        title: Text
        criterion: format
        judges: [text]
        transcript: |
          Hello «gap»you ‹B2›

            and bye«end»
      - {id: refusal, title: Refusal, criterion: refusals, defect: wrong-row, play: D1, requires: [plain]}
      - {id: games, title: Games, visibility: hidden, differential: {games: 2, illegal: ['[D-Z]1'], share: 1}, requires: [text]}
      - {id: saved, title: Saved, machine: {play: [B2], callee_saved: true, results: [R0]}, visibility: staff, requires: [games]}
      - {id: look, title: Look, criterion: late, source: {required: [JSR], forbidden: [IN]}}
      - {id: report, title: Report, files: {present: report.pdf, pdf_pages: 1}}
      - {id: ask, title: Ask, criterion: style, manual: Is it readable}
    """
)


@pytest.fixture
def spec_file(tmp_path: Path) -> Callable[[str], Path]:
    """``spec_file(text)`` writes a spec beside a reference and gives its path."""

    def write(text: str) -> Path:
        (tmp_path / "reference.py").write_text(REFERENCE, encoding="utf-8")
        path = tmp_path / "small.yaml"
        path.write_text(text, encoding="utf-8", newline="")
        return path

    return write


@pytest.fixture
def diagnose(spec_file: Callable[[str], Path]) -> Callable[[str], tuple[Diagnostic, ...]]:
    """``diagnose(text)`` gives all that the loader says of a spec."""
    return lambda text: read_assignment(spec_file(text)).diagnostics


@pytest.fixture
def changed(diagnose: Callable[[str], tuple[Diagnostic, ...]]) -> Callable[[str, str], list[tuple[str, str]]]:
    """``changed(before, after)`` gives code and marked text of each problem of the small spec after one replacement."""

    def look(before: str, after: str) -> list[tuple[str, str]]:
        assert SMALL.count(before) == 1, f"{before!r} is not in the small spec exactly once"
        found = diagnose(SMALL.replace(before, after))
        return [(d.code, d.span.text[d.span.column - 1 : d.span.end_column - 1] if d.span else "") for d in found]

    return look


@pytest.fixture
def small() -> str:
    """The text of the small spec."""
    return SMALL
