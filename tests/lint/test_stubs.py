"""Programs of one line, as ``grader lint`` tries them on any spec whose cases look at what is printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.lint import examine
from grader.lint.patterns import example

HEAD = """
assignment: parity
title: Parity
submission: {required: [main.py]}
program: {language: python, sources: [main.py]}
rubric:
  - {id: runs, points: 3, title: It runs}
  - {id: works, points: 15, title: It works, counts: each}
cases:
  - {id: builds, title: It builds, criterion: runs, source: {builds: true}}
"""
OPEN = """
  - {id: even, title: Even, criterion: works, dialogue: [{send: "4"}, {expect: '(?i)even'}]}
  - {id: odd, title: Odd, criterion: works, dialogue: [{send: "7"}, {expect: 'odd|ungerade'}]}
  - {id: bad, title: A letter, criterion: works, dialogue: [{send: x}, {expect: 'no digit'}, {send: "4"}, {expect: '(?i)even'}]}
"""
CLOSED = """
  - {id: even, title: Even, criterion: works, dialogue: [{send: "4"}, {expect: '(?i)even'}, {send: "7"}, {refuse: '(?i)even'}]}
  - {id: odd, title: Odd, criterion: works, dialogue: [{send: "7"}, {expect: 'odd'}, {send: "4"}, {refuse: 'odd'}]}
"""
PAIRS = """
  - {id: even, title: Even, criterion: works, io: [{input: "4\\n", output: "even\\n"}, {input: "2\\n", output: "even\\n"}]}
  - {id: odd, title: Odd, criterion: works, io: [{input: "7\\n", output: "odd\\n"}]}
"""
FIXED = """
  - {id: even, title: Even, criterion: works, io: [{output: "even\\n"}]}
"""


EARNS = "earns 18 of 18 points that are judged automatically,"


def warnings(folder: Path, cases: str) -> list[str]:
    """The problems that lint finds in a spec with these cases, patterns that students are not shown left out."""
    path = folder / "parity.yaml"
    path.write_text(HEAD + cases.lstrip("\n"), encoding="utf-8")
    return [d.message for d in examine(path).diagnostics if d.code != "unsaid-pattern"]


@pytest.mark.parametrize(
    ("cases", "told"),
    [
        (
            OPEN,
            [f"a program that prints every expected text, whatever is typed {EARNS} by builds, even, odd, bad"],
        ),
        (
            PAIRS,
            ["a program that prints “even” and ends earns 10.5 of 18 points that are judged automatically, by builds, even"],
        ),
        (CLOSED, []),
        (FIXED, []),
    ],
    ids=["dialogues", "pairs", "what is wrong is refused", "nothing is given"],
)  # fmt: skip
def test_what_a_stub_earns_is_told(tmp_path: Path, cases: str, told: list[str]) -> None:
    """Of the stub that earns most, where that is more than a fifth; a spec that refuses what is wrong gives nothing away."""
    assert warnings(tmp_path, cases) == told


@pytest.mark.parametrize("pattern", ["even", "(?i)Even|odd", r"\d+ of [a-c]{2}", r"(a|b)\1", "x*y+?z", r"(?P<n>\d) is"])
def test_an_example_of_a_pattern_has_it(pattern: str) -> None:
    """A stub prints what a case looks for."""
    import re

    assert re.search(pattern, example(pattern))
