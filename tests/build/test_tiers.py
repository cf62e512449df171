"""Unit tests have a process of their own in every tier of the sandbox: ordinary users and containers have other walls than root."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from grader.grading import Grading
from grader.results import Grade
from grader.sandbox import Tier
from grader.spec.loader import Assignment, load_assignment
from tests.graded import handed_in
from tests.sandbox.conftest import _reachable, in_tier  # noqa: F401 -- a fixture

ROOT = Path(__file__).parents[2]
FORGING = ROOT / "fixtures" / "hostile" / "unit-tests"
PYTHON = ROOT / "specs" / "examples" / "python-pytest"


def graded(assignment: Assignment, tier: Tier, name: str, *texts: str) -> list[Grade]:
    """The grades of programs in a tier; nothing that root has kept is read by others."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("grader.build.workshop.best_tier", lambda: tier)
        patch.setattr("grader.build.workshop.kept_folder", lambda *_: None)
        with Grading(assignment, unsafe=True) as grading:
            return [grading.grade(handed_in({name: text})) for text in texts]


def test_in_c_a_right_program_passes_and_a_forging_one_earns_nothing(in_tier):  # noqa: F811
    """Another process, memory that both have, and filters of system calls need no right of root."""
    lab = load_assignment(FORGING / "lab.yaml")
    wrong = (FORGING / "wrong.c").read_text()
    forging = [(FORGING / "deeds" / f"{deed}.c").read_text() + wrong for deed in ("prints-itself", "other-memory")]

    def scenario(tier: Tier) -> None:
        right, *forged = graded(lab, tier, "work.c", (FORGING / "right.c").read_text(), *forging)
        assert (right.score, [one.score for one in forged]) == (3, [0, 0])

    in_tier(scenario)


def test_in_python_a_right_program_passes_and_a_forging_one_earns_nothing(request, in_tier):  # noqa: F811
    """It gets points only for a list that it leaves alone."""
    if request.node.callspec.params["in_tier"] is not Tier.STRONG and not _reachable(Path(sys.executable)):
        pytest.skip("an ordinary user cannot reach this interpreter")
    lab = load_assignment(PYTHON / "python-pytest.yaml")
    text = next(PYTHON.glob("fixtures/accepted/*/submission/*.py")).read_text()
    wrong = (FORGING / "wrong.py").read_text()
    forging = [(FORGING / "python" / f"{deed}.py").read_text() + wrong for deed in ("classes", "lazily")]

    def scenario(tier: Tier) -> None:
        right, *forged = graded(lab, tier, "measures.py", text, *forging)
        assert (right.score, [one.score for one in forged]) == (20, [2, 2])

    in_tier(scenario)
