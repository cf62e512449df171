"""Mutants proved: which are visible, what becomes of them, and what ``grader lint --prove`` makes of that."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
import yaml

from grader.bundled import spec_path
from grader.errors import UsageError
from grader.mutants import table
from grader.mutants.drawing import mutants, originals
from grader.mutants.mutant import Mutant
from grader.mutants.proving import key, prove, proving, signs
from grader.mutants.record import Loss, Outcome, Record, Result, outcome, reasons_in, survivors_file, unexplained
from grader.spec.loader import Assignment, load_assignment
from tests.commands import run_text

FIXTURES = Path(__file__).parents[2] / "fixtures"
TWENTY = 20

SPEC = """
assignment: small
title: Small
submission: {required: [p.asm]}
program: {language: lc3, sources: [p.asm]}
limits: {instructions: 100k, output: 2000}
rubric: [{id: says, points: 4, title: Says}, {id: ends, points: 2, title: Ends}]
cases:
  - {id: small, title: Says what is small, criterion: says, judges: [text], io: {input: "2\\n", output: "small\\n"}}
  - {id: ends, title: Ends, criterion: ends, judges: [ending], io: {input: "2\\n", output: "small\\n"}}
"""

PROGRAM = """
        .ORIG x3000
        GETC
        LD R1, MINUS
        ADD R1, R0, R1
        ADD R1, R1, #-3
        BRzp LARGE
        LEA R0, SMALL
        PUTS
        HALT
LARGE   LEA R0, LARGER
        PUTS
        HALT
MINUS   .FILL #-48
SMALL   .STRINGZ "small\\n"
LARGER  .STRINGZ "large\\n"
        .END
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A spec that asks for a small number alone, with one right program."""
    (tmp_path / "small.yaml").write_text(SPEC, "utf-8")
    folder = tmp_path / "fixtures" / "accepted" / "right" / "submission"
    folder.mkdir(parents=True)
    (folder / "p.asm").write_text(PROGRAM, "utf-8")
    return tmp_path / "small.yaml"


def proved(assignment: Assignment, names: set[str]) -> dict[str, Result]:
    """The results of the mutants of these rules and places, by what follows the file."""
    programs = originals(assignment, ())
    chosen: dict[str, Mutant] = {}
    for one in mutants(assignment.spec, programs):
        place = f"{one.line} {one.edit.rule} {one.edit.text.split(' ')[0]}".strip()
        if place in names:
            chosen[place] = one
    assert chosen.keys() == names
    with proving(assignment, programs) as work:
        return {place: work(one) for place, one in chosen.items()}


def test_what_no_case_asks_for_survives_and_is_shown(small):
    """The spec types 2 alone: a drawn variation types 3 and shows a wrong limit, which costs nothing; a wrong text costs its criterion."""
    found = proved(load_assignment(small), {"6 immediate #-4", "6 immediate #-2", "9 left-out", "13 left-out"})
    limit = found["6 immediate #-4"]
    assert limit.outcome is Outcome.SURVIVES
    assert limit.shown is not None
    assert limit.shown.inputs == ("3\n",)
    assert "large" in limit.shown.original
    assert "small" in limit.shown.mutant
    assert not limit.shown.free
    for place in ("6 immediate #-2", "9 left-out"):
        assert found[place].outcome is Outcome.CHARGED
        assert found[place].cold.points["says"] == 4
    assert found["13 left-out"].outcome is Outcome.SURVIVES, "it ends by running into its data, in no case"


@pytest.mark.parametrize(
    ("original", "mutant", "same"),
    [
        ("| |X| |\nPlayer 1, your column: ", "|X| | |\nPlayer 1, your column: ", False),
        (" X......\n", " .X.....\n", False),
        ("- - R -\n", "- - Y -\n", False),
        ("_ X _\n", "X _ _\n", False),
        ("Player 2 wins!", "Player 1 wins!", False),
        ("There are 3 stones.", "The pile holds 3 coins.", True),
    ],
)
def test_only_the_wording_differs_where_numbers_and_pieces_are_the_same(original, mutant, same):
    """A piece in another column, another mark and another player are no wording."""
    assert (signs(original) == signs(mutant)) is same


def test_twenty_mutants_of_lc3_nim_are_charged_or_explained():
    """The fixed twenty of one program: each visible one costs points, or the file of survivors says why not."""
    assignment = load_assignment(spec_path("lc3-nim"))
    path = FIXTURES / "lc3-nim/accepted/stack-in-r6/submission"
    results = prove(assignment, [path], TWENTY, jobs=1, record=None)
    reasons = reasons_in(survivors_file(assignment.path))
    assert unexplained(results, reasons) == ()
    figures = table.Figures(assignment.spec, results, reasons)
    assert figures.visible >= TWENTY // 4
    assert figures.number(Outcome.JUDGE_ERROR) == 0


LOST, NOTHING, LEFT, PARTLY = (
    Loss({"play": Fraction(2)}, Fraction(0), ("two",)),
    Loss({}, Fraction(0), ()),
    Loss({}, Fraction(5), ()),
    Loss({"play": Fraction(2)}, Fraction(5), ("two",)),
)


@pytest.mark.parametrize(
    ("cold", "warm", "expected"),
    [
        (LOST, None, Outcome.CHARGED),
        (NOTHING, None, Outcome.SURVIVES),
        (NOTHING, NOTHING, Outcome.SURVIVES),
        (LEFT, None, Outcome.OPEN),
        (LOST, LOST, Outcome.CHARGED),
        (LOST, NOTHING, Outcome.MISREAD),
        (NOTHING, LOST, Outcome.MISREAD),
        (LOST, LEFT, Outcome.CHARGED),
        (NOTHING, LEFT, Outcome.SURVIVES),
        (LEFT, LOST, Outcome.MISREAD),
        (LOST, PARTLY, Outcome.CHARGED),
        (PARTLY, LOST, Outcome.MISREAD),
    ],
)
def test_an_outcome_is_what_both_grades_take_off(cold, warm, expected):
    """Points lost are charged, points left to a person are open, and two grades that differ are a misreading."""
    assert outcome(cold, warm) is expected


def test_the_command_fails_on_a_survivor_that_is_not_explained(small, tmp_path):
    """It prints the game that shows it; a sentence in the file of survivors makes it pass, and one too many is named."""
    out = tmp_path / "proof"
    call = [
        "lint",
        "--prove",
        str(small),
        "--mutants",
        "60",
        "-j",
        "1",
        "-q",
        "-o",
        str(out),
        "--json",
        str(tmp_path / "p.json"),
    ]
    first = run_text(*call)
    data = json.loads((tmp_path / "p.json").read_text("utf-8"))
    alive = [one for one in data["mutants"] if one["outcome"] == "survives"]
    assert first.returncode == 1
    assert f"{len(alive)} mutants are neither charged nor explained" in first.stderr
    assert alive
    assert all(one["game"]["original"] != one["game"]["mutant"] for one in alive)
    assert "small" in (out / "index.html").read_text("utf-8")
    charged = next(one["name"] for one in data["mutants"] if one["outcome"] == "charged")
    explained = {"Only a small number is asked for": [*(one["name"] for one in alive), charged]}
    (small.parent / "small.survivors.yaml").write_text(yaml.safe_dump(explained, allow_unicode=True), "utf-8")
    again = run_text(*call)
    assert again.returncode == 0
    assert f"this mutant does not survive: {charged}" in again.stderr
    assert "**Only a small number is asked for**" in again.stdout


def test_a_proof_goes_on_where_it_was_left(small, tmp_path):
    """What is recorded is not done again, a line that was cut short is, and another spec makes all of it new."""
    assignment = load_assignment(small)
    path = tmp_path / "results.jsonl"
    record = Record(path, key(assignment))
    first = prove(assignment, (), 6, jobs=2, record=record)
    path.write_text(path.read_text("utf-8")[:-20], "utf-8")
    assert len(record.results()) == 5
    told: list[int] = []
    second = prove(assignment, (), 6, jobs=1, record=record, progress=lambda now: told.append(now.done))
    assert told == [5, 6]
    assert [one.name for one in second] == [one.name for one in first]
    assert [one.outcome for one in second] == [one.outcome for one in first]
    assert Record(path, "another").results() == {}


def test_a_program_of_which_no_mutant_can_be_made_proves_nothing(small):
    """All of no mutants would be charged: 100 %."""
    empty = small.parent / "empty.asm"
    empty.write_text("; nothing\n", "utf-8")
    with pytest.raises(UsageError, match="no mutant can be made of these programs"):
        prove(load_assignment(small), [empty], 6, jobs=1, record=None)
