"""The evidence beside a finding: texts that differ, and the very position of the finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.checks.slips import compare
from grader.games.referee import UNREAD
from grader.grading import Grading
from grader.intake.source import read_submission
from grader.results import Weight
from grader.spec.loader import load_assignment
from tests.graded import handed_in
from tests.grading.small import PROGRAM, grading, submission

ROOT = Path(__file__).parents[2]


def test_a_missing_echo_shows_what_was_typed(tmp_path):
    """The key stands beside nothing, and a hint says what to print; nothing never stands beside nothing."""
    silent = PROGRAM.replace("        GETC\n        OUT\n", "        GETC\n")
    assert silent != PROGRAM
    grade = grading(tmp_path).grade(submission(silent))
    slips = [finding for case in grade.cases for finding in case.findings if finding.weight is Weight.SLIP]
    assert {finding.code for finding in slips} == {"echo"}
    assert (slips[0].expected, slips[0].actual) == ("a", "(nothing)")
    assert "Print each key as soon as your program has read it" in slips[0].hint


def test_why_no_game_is_played_is_seen_again_by_the_moves_up_to_there() -> None:
    """A program that refuses all moves shows it at the first: the sixty that were typed in that game say no more."""
    program = ROOT / "fixtures" / "lc3-nim" / "not-shown" / "refuses-every-move" / "submission"
    with Grading(load_assignment(ROOT / "specs" / "lc3-nim.yaml")) as grading:
        grade = grading.grade(read_submission(program), only={"plays"})
    (plays,) = (one for one in grade.cases if one.id == "plays")
    assert plays.again.split("--input ")[1] == "".join(plays.findings[1].typed)


@pytest.mark.parametrize(
    ("expected", "actual", "pair"),
    [
        ("a\n\nb\n", "a\nb\n", ("\nb", "b")),
        ("a\nb\n", "a\n\n\nb\n", ("b", "\n\nb")),
        ("a\n\nb\n", "a\n  \nb\n", ("\nb", "  \nb")),
        ("a\n", "a", ("a\n", "a")),
        ("a\n\n", "a\n", ("a\n\n", "a\n")),
        ("\n", "", ("\n", "")),
    ],
)
def test_blank_lines_are_shown_where_they_differ(expected, actual, pair):
    """The texts beside a slip are never equal: the blank lines are among them."""
    (slip,) = compare(expected, actual, "", ()).slips
    assert (slip.expected, slip.actual) == pair


@pytest.mark.parametrize("fixture", ["last-stone-is-taken-for-the-user", "game-ends-with-one-stone-left"])
def test_a_game_that_ends_too_early_shows_the_stones_that_are_left(fixture):
    """The position is the one before the end, whoever took the last stone by the words of the program, and no sentence denies them."""
    program = ROOT / "fixtures/pile-nim/wrong-answer" / fixture / "submission"
    with Grading(load_assignment(ROOT / "specs/pile-nim.yaml"), unsafe=True) as one:
        grade = one.grade(read_submission(program), only={"end"})
    (finding,) = (one for case in grade.cases for one in case.findings if one.code == "ended-early")
    assert finding.position == "1 stone"
    assert finding.message.startswith(
        "the game ends when one stone is left, and not when none is, here with 1 stone left"
    )


@pytest.mark.parametrize(
    ("fixture", "case", "code"),
    [
        ("unjudged/end-is-checked-before-the-move", "last-rock", "plays-on"),
        ("wrong-answer/banner-lacks-the-name-of-the-winner", "winner", "no-winner"),
    ],
)
def test_a_game_that_is_over_shows_empty_rows(fixture, case, code):
    """A finding that says that the last rock was taken stands beside a position without rocks."""
    with Grading(load_assignment(ROOT / "specs/lc3-nim.yaml")) as one:
        grade = one.grade(read_submission(ROOT / "fixtures/lc3-nim" / fixture / "submission"), only={case})
    (finding,) = (one for case in grade.cases for one in case.findings if one.code == code)
    assert finding.position == "ROW A: \nROW B: \nROW C: "


def test_a_banner_that_could_not_be_read_is_quoted_from_the_game_that_shows_it():
    """Its strings lose their first letters. Every way of it was gone as one game, and in the first turn of that no game ends."""
    program = (ROOT / "fixtures/lc3-nim/accepted/polling-the-devices/submission/nim.asm").read_text(encoding="utf-8")
    loses = program.replace("WRSNEXT LDR     R0, R1, #0", "WRSNEXT LDR     R0, R1, #1")
    assert loses != program
    with Grading(load_assignment(ROOT / "specs/lc3-nim.yaml")) as one:
        grade = one.grade(handed_in({"nim.asm": loses}), only={"winner-more"})
    (finding,) = (one for case in grade.cases for one in case.findings if one.code == UNREAD)
    assert finding.output.endswith("layer 2Wins.\n")
    assert finding.position == "ROW A: \nROW B: \nROW C: "
    assert finding.message.endswith("but we could not read whom the program names as the winner, after A3, B5, C8")


def test_a_german_course_is_spoken_to_in_german():
    """The assignment on matches is one."""
    assert load_assignment(ROOT / "specs/java-nim.yaml").spec.language == "de"
