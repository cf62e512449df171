"""Kinds of slips: each is recognised alone, together with others, and not where the facts differ."""

from __future__ import annotations

import pytest
import yaml

from grader.bundled import spec_path
from grader.checks.slips import Judging, Weighed, classify, read_facts
from grader.spec.model import Fact as FactRule
from grader.spec.model import SlipKind, Spec

FACTS = Spec.model_validate(yaml.safe_load(spec_path("lc3-nim").read_text(encoding="utf-8"))).text.facts
BOARD = "\n\nROW A: ooo\nROW B: ooo\nROW C: oooooooo\nPlayer 2, choose a row and number of rocks: "
REFUSAL = "\nInvalid move. Try again.\nPlayer 2, choose a row and number of rocks: "
S = SlipKind


def test_equal_texts_have_no_slips():
    """A turn that is exactly as expected has no slips."""
    assert classify(BOARD, "B2" + BOARD, "B2", FACTS) == ()


@pytest.mark.parametrize(
    ("expected", "actual", "kinds"),
    [
        (BOARD, "B2" + BOARD.replace("ooo\n", "ooo \n"), (S.TRAILING_BLANK,)),
        (BOARD, "B2" + BOARD.replace("\n\n", "\n", 1), (S.BLANK_LINE,)),
        (BOARD, "B2" + BOARD.replace("ROW B", "\nROW B"), (S.BLANK_LINE,)),
        (BOARD, "B2" + BOARD.replace("rocks: ", "rocks:"), (S.SPACING,)),
        (BOARD, "B2" + BOARD.replace("rocks: ", "rocks:  "), (S.SPACING,)),
        (BOARD, "B2" + BOARD.replace("ROW A: ooo\n", "ROW A: ooo "), (S.SPACING,)),
        (BOARD, "B2" + BOARD.replace("ROW", "Row"), (S.CASE,)),
        (REFUSAL, "B2" + REFUSAL.replace("again.", "again!"), (S.PUNCTUATION,)),
        (REFUSAL, "B2" + REFUSAL.replace(".", "").upper(), (S.CASE, S.PUNCTUATION)),
        (BOARD, BOARD, (S.ECHO,)),
        (BOARD, "2" + BOARD, (S.ECHO,)),
        (BOARD, "b2" + BOARD, (S.CASE,)),
        (BOARD, BOARD.replace("ROW", "Row"), (S.CASE, S.ECHO)),
        (REFUSAL, "B2" + REFUSAL.replace("Invalid move", "Illegal mve"), (S.WORDING,)),
        (BOARD, "B2" + BOARD.replace("\n\nROW", "\n\nThe board:\nROW", 1), (S.EXTRA,)),
        (BOARD + "\nHave fun.\n", "B2" + BOARD, (S.MISSING,)),
    ],
)
def test_kinds(expected, actual, kinds):
    """The least grave kinds that explain a difference are the ones that are named."""
    assert classify(expected, actual, "B2", FACTS) == kinds


@pytest.mark.parametrize(
    "actual",
    [
        BOARD.replace("ROW B: ooo\n", "ROW B: oo\n"),
        BOARD.replace("Player 2", "Player 1"),
        BOARD.replace("ROW B: ooo\n", ""),
        REFUSAL,
        "",
    ],
)
def test_different_facts_are_a_defect(actual):
    """What says something else is a defect, however alike it looks."""
    assert classify(BOARD, "B2" + actual, "B2", FACTS) is Weighed.DEFECT


def test_a_missing_refusal_is_a_defect():
    """A program that refuses without a word does not merely word it differently."""
    silent = "B2" + REFUSAL.replace("Invalid move. Try again.\n", "")
    assert classify(REFUSAL, silent, "B2", FACTS) is Weighed.DEFECT
    assert classify(REFUSAL, silent, "B2", FACTS, Judging(("refusal",))) is Weighed.DEFECT
    assert classify(REFUSAL, silent, "B2", FACTS, Judging()) is Weighed.ELSEWHERE


def test_without_facts_wording_is_a_defect():
    """A spec that cannot read what a turn says forgives no wording, but still knows slips of form."""
    assert classify("Hello", "Hullo", "", ()) is Weighed.DEFECT
    assert classify("Hello", "hello", "", ()) == (S.CASE,)


def test_facts_are_read_in_order_and_in_any_form():
    """The board, the prompt and a refusal are read whatever their case and spacing."""
    facts = read_facts("row a:OO\nRow B:\nINVALID! try again\nplayer 1 ?\nPlayer 2 wins!", FACTS)
    assert facts == (("row", "a", "2"), ("row", "b", "0"), ("refusal",), ("prompt", "1"), ("winner", "2"))


def test_rocks_of_another_shape_are_a_matter_of_form():
    """A board of zeros shows the same number of rocks."""
    assert classify(BOARD, "B2" + BOARD.replace("o\n", "0\n").replace("oo", "00"), "B2", FACTS) == (S.WORDING,)


def test_a_missing_echo_of_symbols_is_no_slip_of_punctuation():
    """Of two explanations the one with fewer kinds is taken."""
    assert classify(REFUSAL, REFUSAL, "??", FACTS) == (S.ECHO,)


@pytest.mark.parametrize(
    ("actual", "judged", "weighed"),
    [
        (BOARD.replace("ROW B: ooo\n", "ROW B: oo\n"), ("prompt",), Weighed.ELSEWHERE),
        (BOARD.replace("ROW B: ooo\n", "ROW B: oo\n"), ("row",), Weighed.DEFECT),
        (BOARD.replace("Player 2", "Player 1"), ("row",), Weighed.ELSEWHERE),
        (BOARD.replace("Player 2", "Player 1"), ("prompt",), Weighed.DEFECT),
        (BOARD.replace("ROW B: ooo\n", ""), (), Weighed.ELSEWHERE),
        (BOARD.replace("ROW B: ooo\n", ""), ("row",), Weighed.DEFECT),
        (BOARD + "Player 1 wins", (), Weighed.DEFECT),
        ("Invalid!" + BOARD.replace("Player 2", "Player 1"), (), Weighed.ELSEWHERE),
    ],
)
def test_a_case_may_judge_some_facts_alone(actual, judged, weighed):
    """Facts that are named are judged by value, others by being said, and optional ones not at all."""
    assert classify(BOARD, "B2" + actual, "B2", FACTS, Judging(judged)) is weighed


@pytest.mark.parametrize(
    ("actual", "weighed"),
    [
        (BOARD.replace("ROW B: ooo\n", "ROW B: oo\n"), Weighed.ELSEWHERE),
        (BOARD.replace("ROW B: ooo\n", ""), Weighed.DEFECT),
    ],
)
def test_an_optional_fact_may_be_mentioned(actual, weighed):
    """A case that mentions rows wants them shown, whatever they show."""
    assert classify(BOARD, "B2" + actual, "B2", FACTS, Judging((), ("row",))) is weighed


@pytest.mark.parametrize(
    ("actual", "kinds"),
    [
        ("A: -3\n", Weighed.DEFECT),
        ("A - 3\n", (SlipKind.PUNCTUATION, SlipKind.SPACING)),
        ("A= 3\n", (SlipKind.PUNCTUATION,)),
    ],
)
def test_the_sign_of_a_number_is_no_punctuation(actual, kinds):
    """Minus three is another number; a dash between words is a mark like others."""
    assert classify("A: 3\n", actual, "", ()) == kinds


@pytest.mark.parametrize(
    ("actual", "weighed"),
    [
        ("1. Reihe: |||\n", ()),
        ("1. Reihe- |||\n", (S.PUNCTUATION,)),
        ("1. Reihe: ||\n", Weighed.DEFECT),
        ("1. Reihe- ||\n", Weighed.DEFECT),
        ("1. Reihe:\n", Weighed.DEFECT),
    ],
)
def test_what_is_said_with_marks_is_no_matter_of_marks(actual, weighed):
    """A row that is drawn with marks is another row when one of them is missing, however little else differs."""
    row = FactRule(name="row", pattern=r"(?P<row>\d)\. reihe ?[:-] ?(?P<matches>\|*)", lengths=("matches",))
    assert classify("1. Reihe: |||\n", actual, "", (row,)) == weighed
