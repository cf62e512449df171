"""A correction beside a batch: the programs with that wording are graded again, and no others."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
import yaml

from grader.batch.runner import run_batch
from grader.batch.values import Call
from grader.spec.corrections import FILE_NAME
from tests.intake.archives import Piece, make_zip

ROOT = Path(__file__).parents[3]
RIGHT = ROOT / "fixtures" / "pile-nim" / "accepted" / "python-class-with-a-bot" / "submission" / "nim.py"

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is for Linux alone"),
    pytest.mark.usefixtures("products"),
]


def handed_in(folder: Path) -> Path:
    """A right program, and two that say who wins in words that nobody knows: of these one is wrong about it."""
    source = RIGHT.read_text()
    odd = source.replace("the bot wins!", "steel rules").replace("you beat the bot!", "flesh rules")
    wrong = odd.replace('self.next == self.BOT:\n\t\t\tprint("Game', 'self.next != self.BOT:\n\t\t\tprint("Game')
    assert len({source, odd, wrong}) == 3
    folder.mkdir()
    for name, text in (("usual", source), ("odd", odd), ("wrong", wrong)):
        (folder / f"{name}.zip").write_bytes(make_zip(Piece(b"nim.py", text.encode())))
    return folder


def graded(out: Path) -> dict[str, tuple[float, str, str]]:
    """The points of each submission, its wording, and the verdict of the case on winners."""
    grades = json.loads((out / "grades.json").read_bytes())["grades"]
    return {
        grade["submission"]: (
            grade["score"],
            grade["wording"],
            next(case["verdict"] for case in grade["cases"] if case["id"] == "winner"),
        )
        for grade in grades
    }


def test_a_correction_grades_its_wording_again_and_no_other(tmp_path: Path) -> None:
    """A program that could not be read waits for a person; when he has said what the words mean, it is judged."""
    spec, submissions, out = ROOT / "specs" / "pile-nim.yaml", handed_in(tmp_path / "submissions"), tmp_path / "out"
    run_batch(Call(spec, [submissions], out, jobs=1))
    before = graded(out)
    assert [before[name][2] for name in ("usual", "odd", "wrong")] == ["accepted", "needs-review", "needs-review"]
    assert before["odd"][1] == before["wrong"][1] != before["usual"][1]

    set_ = {"wins-user": "Game over - flesh rules", "wins-program": "Game over - steel rules"}
    (out / FILE_NAME).write_text(yaml.safe_dump({before["odd"][1]: set_}))
    summary = run_batch(Call(spec, [submissions], out, jobs=1))
    assert (summary.graded, summary.resumed) == (2, 1)
    after = graded(out)
    assert [after[name][2] for name in ("usual", "odd", "wrong")] == ["accepted", "accepted", "wrong-answer"]
    assert {name: wording for name, (_, wording, _) in after.items()} == {name: one[1] for name, one in before.items()}
    assert after["odd"][0] == 100

    summary = run_batch(Call(spec, [submissions], out, jobs=1))
    assert (summary.graded, summary.resumed) == (0, 3)


def test_a_correction_that_cannot_be_is_said_once(tmp_path: Path) -> None:
    """A typing error in the file changes no grade, is named in it, and is not tried again and again."""
    spec, submissions, out = ROOT / "specs" / "pile-nim.yaml", tmp_path / "nim.py", tmp_path / "out"
    submissions.write_text(RIGHT.read_text())
    run_batch(Call(spec, [submissions], out, jobs=1))
    before = graded(out)
    ((_, wording, _),) = before.values()
    (out / FILE_NAME).write_text(yaml.safe_dump({wording: {"winner": "you"}}))
    run_batch(Call(spec, [submissions], out, jobs=1))
    assert graded(out) == before
    assert "the correction of `winner` is not followed" in (out / "grades.json").read_text()
    assert run_batch(Call(spec, [submissions], out, jobs=1)).graded == 0
