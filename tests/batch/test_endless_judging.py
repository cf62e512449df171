"""Judging that never comes to an end: a pattern of a spec that goes back for ever, and a referee that loops.

Nobody's program should bring this about, and somebody's may. One submission is hit, and no other knows of it.
"""

from __future__ import annotations

import csv
import time
from pathlib import Path

import pytest

from grader.batch.runner import run_batch
from grader.batch.values import Call
from grader.errors import EXIT_JUDGE, EXIT_OK
from grader.spec.model import Budget
from tests.commands import run_text
from tests.grading.small import PROGRAM, REFERENCE, SPEC, assignment

VICTIM = PROGRAM.replace('"? "', '"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx? "')
LIMITED = SPEC.replace("output: 2000}", "output: 2000, submission: {wall: 900 s}}")
REASON = "judging this submission was broken off after"

PATTERN = LIMITED.replace("pattern: bad}", "pattern: '(?:x+x+)+y|bad'}")
"""A pattern that needs the power of the length of what it looks at, so that no cut is short enough for it."""

GAMES = LIMITED.replace("pattern: bad}", "pattern: 'x{9}|bad'}").replace(
    "rubric:", "games: {all: {games: 2, seed: 1}}\nrubric:"
)
GAME = "  - {id: played, title: Played, criterion: play, game: all, faults: [wrong]}\n"
REFEREE = """
from grader.games.referee import Answers, Ruling

START = 0
FAULTS = ("wrong",)
OCCASIONS = {"turns": "turns"}
OCCASIONS_OF = {"wrong": ("turns",)}

def hear(state, heard):
    while any(fact.name == "refusal" for fact in heard.facts):
        pass
    return Ruling(state + 1, (), ("turns",))

def answers(state, question):
    return Answers(("a", "b"))

def answer(state, question, text):
    return state
"""


@pytest.fixture(params=["a pattern", "a referee"])
def spec(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A spec whose judging hangs over one submission."""
    folder = tmp_path / "spec"
    folder.mkdir()
    if request.param == "a pattern":
        assignment(folder, spec=PATTERN)
    else:
        text = GAMES.replace("  facts:", "  questions: [{name: key, pattern: '[?]'}]\n  facts:") + GAME
        assignment(folder, spec=text, reference=REFERENCE + REFEREE)
    return folder / "small.yaml"


@pytest.fixture
def submissions(tmp_path: Path) -> Path:
    """Three of them; the second is hit."""
    for name, text in (("one", PROGRAM), ("two", VICTIM), ("three", PROGRAM.replace('"got "', '"gut "'))):
        folder = tmp_path / "in" / name
        folder.mkdir(parents=True)
        (folder / "p.asm").write_text(text)
    return tmp_path / "in"


def table(out: Path) -> dict[str, dict[str, str]]:
    """The lines of the gradebook, by submission."""
    with (out / "grades.csv").open(encoding="utf-8-sig", newline="") as stream:
        return {line["submission"]: line for line in csv.DictReader(stream)}


def test_a_batch_goes_on(spec: Path, submissions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker is ended, the submission is unjudged with the reason and loses nothing, and the others keep their grades."""
    began = time.monotonic()
    run_batch(Call(spec, [submissions / "one", submissions / "three"], tmp_path / "other", jobs=1))
    patience = 3 * (time.monotonic() - began)  # as slow as a busy machine is: nothing but the endless one may be ended
    monkeypatch.setattr(Budget, "last_resort", patience)  # of the parent alone: no clock ends the others
    summary = run_batch(Call(spec, [submissions], tmp_path / "out", jobs=2))
    assert (summary.total, summary.judge_errors, summary.exit_code) == (3, (), EXIT_OK)
    assert any("used up the budget" in concern.text for concern in summary.conditions.concerns)
    lines = table(tmp_path / "out")
    assert REASON in lines["two"]["review"]
    assert lines["two"]["open points"] == lines["two"]["max"] == "10"
    assert "unjudged" in (tmp_path / "out" / "grades.json").read_text("utf-8")
    assert {name: lines[name] for name in ("one", "three")} == table(tmp_path / "other")


@pytest.mark.parametrize("command", ["grade", "check"])
def test_a_command_ends_with_a_sentence(spec: Path, submissions: Path, command: str) -> None:
    """Exit code 4, what happened and what to do in one line, and no traceback."""
    spec.write_text(spec.read_text("utf-8").replace("wall: 900 s", "wall: 500 ms"), encoding="utf-8")
    ended = run_text(command, spec, submissions / "two")
    assert ended.returncode == EXIT_JUDGE
    assert REASON in ended.stderr
    assert "limits.submission.wall" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
