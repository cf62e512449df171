"""docs/writing-a-spec.md works as it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader.grading import Grading
from grader.intake.source import read_submission
from grader.lint import examine, summary
from grader.results import Grade
from grader.spec.loader import load_assignment

PAGE = (Path(__file__).resolve().parents[2] / "docs/writing-a-spec.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
PROGRAM = (Path(__file__).parent / "even.asm").read_text(encoding="utf-8")


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    """The spec and the reference that the blocks of the page make up."""
    path = tmp_path / "even-odd.yaml"
    path.write_text("".join(text for kind, text in BLOCKS if kind == "yaml"), encoding="utf-8")
    (tmp_path / "even_odd.py").write_text("".join(text for kind, text in BLOCKS if kind == "python"), encoding="utf-8")
    return path


def grade(spec: Path, program: str) -> Grade:
    """The grade of a program under the page's spec."""
    path = spec.parent / "even.asm"
    path.write_text(program, encoding="utf-8")
    return Grading(load_assignment(spec)).grade(read_submission(path))


def test_the_spec_has_no_problems(spec: Path) -> None:
    """Lint says of it what the page says that it says."""
    reading = examine(spec)
    assert reading.diagnostics == ()
    assert f"$ grader lint even-odd.yaml\n    {summary(reading)}\n" in PAGE


def test_a_right_program_loses_nothing(spec: Path) -> None:
    """The page shows it, and all is earned except what a person fills in."""
    assert [text for kind, text in BLOCKS if kind == "asm"] == [PROGRAM]
    result = grade(spec, PROGRAM)
    assert (result.score, result.open_points, result.points_lost) == (20, 5, False)


@pytest.mark.parametrize(
    ("before", "after", "lost"),
    [
        ('"Bye"', '"Bye\\n"', {}),
        ('"Odd\\n"', '"ODD!\\n"', {"format": 2}),
        ('"That is no digit\\n"', '"That is no digit \\n"', {}),
        ("#-9", "#-8", {"digits": 3.2}),
        ("BRp BAD", "NOP", {"refused": 4, "digits": 1.6}),
        ("        HALT", "STAY    BR STAY", {"ends": 2}),
    ],
)
def test_a_break_costs_what_it_is(before: str, after: str, lost: dict[str, int], spec: Path) -> None:
    """Form costs form, and a defect costs the criterion that names it."""
    assert PROGRAM.count(before) == 1
    result = grade(spec, PROGRAM.replace(before, after))
    costs = {
        c.id: c.max_points - c.points for c in result.criteria if c.points is not None and c.points != c.max_points
    }
    assert costs == pytest.approx(lost)
