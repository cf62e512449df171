"""Other games, and programs that behave badly: each ends in a sentence, and is judged for nothing that is right by its own rules."""

from __future__ import annotations

import pytest

from tests.games.board import variants
from tests.games.board.programs import graded, verdicts


def obstacle(source: str) -> str:
    """The sentence in which a program is refused; empty where it is judged."""
    cases = {case.id: case for case in graded(source).cases}
    assert str(cases["assembles"].verdict) == "accepted"
    return cases["plays"].findings[0].message if str(cases["plays"].verdict) == "needs-review" else ""


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (variants.board(8), "more than 7 columns"),
        (variants.board(1_000), "more than 7 columns"),
        (variants.board(9, 9), "more than 7 columns"),
        (variants.board(rows=7), "more than 6 pieces"),
        (variants.board(6), "fewer than 7 columns"),
        (variants.board(rows=5), "no answer to its questions"),
        (variants.board(rule=variants.FORCED), "no answer to its questions"),
        (variants.board(rule=variants.CHANCE), "hangs on chance"),
        (variants.TIC_TAC_TOE, "no answer to its questions"),
        (variants.GUESS, "no answer to its questions"),
        (variants.board(before=variants.QUESTIONS), "no answer to its questions"),
    ],
    ids=["wide", "thousand", "large", "high", "narrow", "low", "forced", "chance", "tic-tac-toe", "guess", "quiz"],
)  # fmt: skip
def test_another_game_is_refused_in_a_sentence(source, why) -> None:
    """Nothing is judged, and nothing is lost."""
    assert why in obstacle(source)


@pytest.mark.parametrize(
    ("line", "note", "wrong"),
    [
        (3, "its games end with three in a line, and not with four", {"nothing-else-wins"}),
        (5, "its games end with five in a line, and not with four", {"across", "upwards", "rising", "falling"}),
    ],
)
def test_a_line_of_another_length_is_charged_and_named(line, note, wrong) -> None:
    """All else of the program is judged, and what its wrong rule hides costs nothing more."""
    grade = graded(variants.board(line=line))
    plays = next(case for case in grade.cases if case.id == "plays")
    assert note in [finding.message for finding in plays.findings]
    changed = verdicts(grade).items() - verdicts(graded(variants.board())).items()
    assert {case for case, verdict in changed if verdict == "wrong-answer"} == wrong


def test_a_flood_before_the_game_is_read_past() -> None:
    """64 KiB in one line are no board."""
    assert verdicts(graded(variants.board(before=variants.FLOOD))) == verdicts(graded(variants.board()))


def test_a_flood_in_each_turn_ends() -> None:
    """The board begins in the line of the flood, and part of it may be left out: it is not read, and nothing is charged."""
    assert "more in its turns than can be read" in obstacle(variants.board(rule=variants.FLOOD))


def test_what_the_rules_lack_alone_is_charged() -> None:
    """The program of these tests has no undos and counts no violations; all else is right."""
    assert set(verdicts(graded(variants.board()))) == {"undo", "undo-limit", "undo-first", "violations"}
