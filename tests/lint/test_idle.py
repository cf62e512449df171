"""Programs that play no game, as ``grader lint`` makes them of a spec's own reference."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from shutil import copytree

import pytest

from grader.bundled import bundled_specs, spec_path
from grader.lint.idle import MANNERS, MOST, gifts, idle_problems, idle_program
from grader.sessions.reference import SpeakingReference, load
from grader.spec.loader import load_assignment

GIFT = """\
  - id: greets
    title: The rows are shown
    criterion: gift
    transcript: |
      ROW A: ooo
      ROW B: ooooo
      ROW C: oooooooo
      Player 1, choose a row and number of rocks:·
"""


def spec_with(folder: Path, criterion: str, case: str) -> Path:
    """The spec of lc3-nim with one more criterion and one more case."""
    bundled = spec_path("lc3-nim")
    copytree(bundled.parents[1] / "reference" / "lc3_nim", folder / "lc3_nim")
    text = bundled.read_text(encoding="utf-8").replace("../reference/", "")
    path = folder / "lc3-nim.yaml"
    path.write_text(
        text.replace("rubric:\n", f"rubric:\n  - {criterion}\n").replace("\ncases:\n", f"\ncases:\n{case}"), "utf-8"
    )
    return path


@pytest.mark.parametrize("name", bundled_specs())
def test_whoever_plays_no_game_earns_at_most_fifteen_percent(name):
    """In no manner, under no bundled spec; the share is of what is judged automatically."""
    assignment = load_assignment(spec_path(name))
    earned = {gift.manner: gift.share for gift in gifts(assignment)}
    assert len(earned) >= len(MANNERS)
    assert {manner: float(share) for manner, share in earned.items() if share > MOST} == {}


def test_a_spec_that_pays_for_the_opening_is_warned_of(tmp_path):
    """The warning names the manner, the share and the cases that are met."""
    assignment = load_assignment(spec_with(tmp_path, "{id: gift, points: 40, title: The rows}", GIFT))
    (warning,) = idle_problems(assignment, assignment.reference)
    assert warning.code == "given-away"
    assert "earns 32 % of what is judged automatically, by greets, assembles" in warning.message


def test_idle_programs_do_what_they_are_called():
    """Each manner, of lc3-nim's reference, as far as two answers."""
    assignment = load_assignment(spec_path("lc3-nim"))
    reference = partial(SpeakingReference, load(assignment.reference).play, echo=True)
    opening = "ROW A: ooo\nROW B: ooooo\nROW C: oooooooo\nPlayer 1, choose a row and number of rocks: "
    refusal = "\nInvalid move. Try again.\nPlayer 1, choose a row and number of rocks: "
    question = "Player 1, choose a row and number of rocks: "
    won = "\n\nPlayer 2 Wins.\n"

    def board(a: int, b: int, c: int, player: int) -> str:
        rows = "\n".join(f"ROW {name}: {'o' * rocks}" for name, rocks in zip("ABC", (a, b, c), strict=True))
        return f"\n\n{rows}\nPlayer {player}, choose a row and number of rocks: "

    dialogues = {}
    for manner in MANNERS:
        session = idle_program(reference, manner, 0, refusal).start("idle")
        output = [session.take_output().decode()]
        for move in ("A1", "B2"):
            if session.advance() is None:
                session.send(move)
                output.append(session.take_output().decode())
        dialogues[manner.name] = output
    assert dialogues == {
        "says nothing": ["", "", ""],
        "ends at once": [""],
        "prints the opening and ends": [opening],
        "refuses every answer": [opening, f"A1{refusal}", f"B2{refusal}"],
        "takes every answer without effect": [opening, f"A1{opening}", f"B2{opening}"],
        "asks again and never moves": [opening, f"A1{question}", f"B2{question}"],
        "accepts every answer and names a winner": [opening, f"A1{won}"],
        "plays one game by heart, whatever is typed": [opening, f"A1{board(3, 5, 0, 2)}", f"B2{board(3, 0, 0, 1)}"],
        "accepts only answers that begin like the first": [opening, f"A1{board(2, 5, 8, 2)}", f"B2{refusal}"],
    }
