"""Kinds of slips: each is recognised alone, together with others, and not where the facts differ."""

from __future__ import annotations

import pytest
import yaml

from grader.bundled import spec_path
from grader.checks.facts import Judging, read_facts
from grader.checks.slips import Substance, compare
from grader.spec.model import Fact as FactRule
from grader.spec.model import SlipKind, Spec

FACTS = Spec.model_validate(yaml.safe_load(spec_path("lc3-nim").read_text(encoding="utf-8"))).text.facts
BOARD = "\n\nROW A: ooo\nROW B: ooo\nROW C: oooooooo\nPlayer 2, choose a row and number of rocks: "
REFUSAL = "\nInvalid move. Try again.\nPlayer 2, choose a row and number of rocks: "
S = SlipKind


def classify(expected, actual, echo, facts, judging=None):
    """The kinds of slips of a turn; or that it states something else, and whether the case minds."""
    difference = compare(expected, actual, echo, facts, judging)
    return difference.kinds if difference.substance is Substance.SAME else difference.substance


def messages(actual, expected=BOARD, echo="B2"):
    """The findings on each slip of a turn."""
    return [slip.message for slip in compare(expected, actual, echo, FACTS).slips]


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
    """A line that says something else is a defect, however alike it looks."""
    assert classify(BOARD, "B2" + actual, "B2", FACTS) is Substance.DEFECT


def test_a_missing_refusal_is_a_defect():
    """A program that refuses without a word does not merely word it differently."""
    silent = "B2" + REFUSAL.replace("Invalid move. Try again.\n", "")
    assert classify(REFUSAL, silent, "B2", FACTS) is Substance.DEFECT
    assert classify(REFUSAL, silent, "B2", FACTS, Judging(("refusal",))) is Substance.DEFECT
    assert classify(REFUSAL, silent, "B2", FACTS, Judging()) is Substance.ELSEWHERE


def test_without_facts_wording_is_a_defect():
    """A spec that cannot read what a turn says forgives no wording, but still knows slips of form."""
    assert classify("Hello", "Hullo", "", ()) is Substance.DEFECT
    assert classify("Hello", "hello", "", ()) == (S.CASE,)


def test_facts_are_read_in_order_and_in_any_form():
    """The board, the prompt and a refusal are read whatever their case and spacing."""
    facts = read_facts("row a:OO\nRow B:\nPlayer 2 wins!\nINVALID! try again\nplayer 1 ?", FACTS)
    assert [(fact.name, *fact.values.values()) for fact in facts] == [
        ("row", "a", "2"), ("row", "b", "0"), ("winner", "2"), ("winning",), ("refusal",), ("prompt", "1"),
        ("named",),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Player 1 begins, player 2 follows.\nPlayer 1, choose: ", ["1"]),
        ("Player 2, choose: D2\nInvalid move.\nPlayer 2, choose: ", ["2", "2"]),
        ("Player 1 took the last rock.\nPlayer 2 wins!", []),
    ],
)
def test_of_players_named_one_after_the_other_the_last_one_is_asked(text, asked):
    """A greeting that says who begins asks nobody; between two questions stands a refusal."""
    assert [fact.values["player"] for fact in read_facts(text, FACTS) if fact.name == "prompt"] == asked


def test_rocks_of_another_shape_are_a_matter_of_form():
    """A board of zeros shows the same number of rocks."""
    assert classify(BOARD, "B2" + BOARD.replace("o\n", "0\n").replace("oo", "00"), "B2", FACTS) == (S.WORDING,)


def test_a_missing_echo_of_symbols_is_no_slip_of_punctuation():
    """If two explanations fit, the one with fewer kinds is taken."""
    assert classify(REFUSAL, REFUSAL, "??", FACTS) == (S.ECHO,)


@pytest.mark.parametrize(
    ("actual", "judged", "weighed"),
    [
        (BOARD.replace("ROW B: ooo\n", "ROW B: oo\n"), ("prompt",), Substance.ELSEWHERE),
        (BOARD.replace("ROW B: ooo\n", "ROW B: oo\n"), ("row",), Substance.DEFECT),
        (BOARD.replace("Player 2", "Player 1"), ("row",), Substance.ELSEWHERE),
        (BOARD.replace("Player 2", "Player 1"), ("prompt",), Substance.DEFECT),
        (BOARD.replace("ROW B: ooo\n", ""), (), Substance.ELSEWHERE),
        (BOARD.replace("ROW B: ooo\n", ""), ("row",), Substance.DEFECT),
        (BOARD + "Player 1 wins", (), Substance.DEFECT),
        ("Invalid!" + BOARD.replace("Player 2", "Player 1"), (), Substance.ELSEWHERE),
    ],
)
def test_a_case_may_judge_some_facts_alone(actual, judged, weighed):
    """Facts that are named are judged by value, others by being said, and optional ones not at all."""
    assert classify(BOARD, "B2" + actual, "B2", FACTS, Judging(judged)) is weighed


@pytest.mark.parametrize(
    ("actual", "kinds"),
    [
        (BOARD.replace("Player 2", "P2"), (S.WORDING,)),
        (BOARD.replace("ROW B", "PILE B"), (S.WORDING,)),
        (BOARD.replace("ooo\n", "xxx\n"), (S.WORDING,)),
        (BOARD.replace("\n\n", "\n\nROW A: ooo\nROW B: ooo\nROW C: oooooooo\n", 1), (S.EXTRA,)),
        (BOARD.replace("Player 2", "Player 1"), ()),
    ],
)
def test_what_no_other_case_reads_is_a_slip(actual, kinds):
    """A case that judges form alone charges lines in other words and lines that come again; values are for others."""
    difference = compare(BOARD, "B2" + actual, "B2", FACTS, Judging())
    assert (difference.substance, difference.kinds) == (Substance.ELSEWHERE, kinds)


def test_a_banner_with_a_name_of_its_own_is_a_line_in_other_words():
    """It states that somebody wins; a case on winners says whether that is the right one. A winner of another number is no mere wording."""
    banner = "\nPlayer 2 Wins.\n"
    difference = compare(banner, "A1\nBen Wins.\n", "A1", FACTS, Judging())
    assert (difference.substance, difference.kinds) == (Substance.ELSEWHERE, (S.WORDING,))
    assert classify(banner, "A1\nBen Wins.\n", "A1", FACTS, Judging(("winner",))) is Substance.DEFECT
    assert classify(banner, "A1\n", "A1", FACTS, Judging()) is Substance.DEFECT


def test_what_is_not_said_in_any_words_is_a_defect():
    """If nobody is asked, no line stands in the place of the question."""
    assert classify(BOARD, "B2" + BOARD.partition("Player")[0], "B2", FACTS, Judging()) is Substance.DEFECT


def test_a_message_and_a_question_may_stand_in_one_line():
    """“That is no move. Once more: ” refuses and asks; a line that is ended asks for nothing."""
    once_more = compare(REFUSAL, "D4\nThat is no move. Once more: ", "D4\n", FACTS, Judging())
    assert (once_more.substance, once_more.kinds) == (Substance.ELSEWHERE, (S.WORDING,))
    assert classify(REFUSAL, "D4\nInvalid. Once more: ", "D4\n", FACTS, Judging()) is Substance.ELSEWHERE
    assert classify(REFUSAL, "D4\nThat is no move.\n", "D4\n", FACTS, Judging()) is Substance.DEFECT


def test_the_question_stands_last_whatever_stands_before_it():
    """A question that lost a word costs a slip of wording, also behind a refusal that came twice."""
    refusal = "\nInvalid move. Try again."
    actual = f"D4{refusal}{refusal}\n2, choose a row and number of rocks: "
    difference = compare(REFUSAL, actual, "D4", FACTS, Judging())
    assert (difference.substance, difference.kinds) == (Substance.ELSEWHERE, (S.WORDING,))
    assert difference.slips[0].actual == "2, choose a row and number of rocks: "
    ended = classify(REFUSAL, actual.rstrip() + "\n", "D4", FACTS, Judging())
    assert ended is Substance.DEFECT


@pytest.mark.parametrize(
    ("actual", "weighed"),
    [
        ("A1\n\nPlayer 2", Substance.ELSEWHERE),
        ("A1\n\nPlayer 2 lost.", Substance.DEFECT),
        ("A1\n\nPlayer 1", Substance.DEFECT),
    ],
)
def test_a_line_that_is_cut_short_states_nothing_else(actual, weighed):
    """“Player 2” is what is left of “Player 2 Wins.”, and asks nobody; other words, or another player, are no part of it."""
    difference = compare("\n\nPlayer 2 Wins.\n", actual, "A1", FACTS, Judging())
    assert difference.substance is weighed
    assert (S.WORDING in difference.kinds) is (weighed is Substance.ELSEWHERE)


def test_other_words_do_not_state_what_a_case_judges():
    """Where the player is judged by value a line that names none is a defect; where it need only be asked it is a slip."""
    actual = "B2" + BOARD.replace("Player 2", "P2")
    assert classify(BOARD, actual, "B2", FACTS, Judging(("prompt",))) is Substance.DEFECT
    assert classify(BOARD, actual, "B2", FACTS, Judging(("row",))) is Substance.ELSEWHERE


@pytest.mark.parametrize(
    ("actual", "weighed"),
    [
        (BOARD.replace("ROW B: ooo\n", "ROW B: oo\n"), Substance.ELSEWHERE),
        (BOARD.replace("ROW B: ooo\n", ""), Substance.DEFECT),
    ],
)
def test_an_optional_fact_may_be_mentioned(actual, weighed):
    """A case that mentions rows wants them shown, whatever they show."""
    assert classify(BOARD, "B2" + actual, "B2", FACTS, Judging((), ("row",))) is weighed


@pytest.mark.parametrize(
    ("actual", "kinds"),
    [
        ("A: -3\n", Substance.DEFECT),
        ("A - 3\n", (SlipKind.PUNCTUATION,)),
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
        ("1. Reihe: ||\n", Substance.DEFECT),
        ("1. Reihe- ||\n", Substance.DEFECT),
        ("1. Reihe:\n", Substance.DEFECT),
    ],
)
def test_what_is_said_with_marks_is_no_matter_of_marks(actual, weighed):
    """A row that is drawn with marks is another row when one of them is missing, however little else differs."""
    row = FactRule(name="row", pattern=r"(?P<row>\d)\. reihe ?[:-] ?(?P<matches>\|*)", lengths=("matches",))
    assert classify("1. Reihe: |||\n", actual, "", (row,)) == weighed


def test_every_difference_of_a_turn_is_found():
    """A line that is misspelt does not hide the blank at the end of another, nor a third one that is missing."""
    actual = "B2" + BOARD.replace("ROW A: ooo", "ROW A: ooo ").replace("ROW B", "Row B").replace("choose", "chose")
    assert classify(BOARD, actual, "B2", FACTS) == (S.TRAILING_BLANK, S.CASE, S.WORDING)


def test_form_is_judged_beside_other_facts():
    """The misspelt prompt is a slip even if a row shows another number, which is for other cases."""
    actual = "B2" + BOARD.replace("ROW B: ooo", "ROW B: oo").replace("choose", "chose")
    difference = compare(BOARD, actual, "B2", FACTS, Judging())
    assert (difference.substance, difference.kinds) == (Substance.ELSEWHERE, (S.WORDING,))


def test_a_turn_in_which_something_else_happens_has_no_lines_missing_or_too_many():
    """Where a refusal stands for a board its words are no slip; a line that both have is judged for its form."""
    actual = "B2\nHow sad.\nInvalid move. Try again.\nplayer 2, choose a row and number of rocks: "
    difference = compare("\nWell done.\n" + BOARD, actual, "B2", FACTS)
    assert (difference.substance, difference.kinds) == (Substance.DEFECT, (S.CASE,))


def test_a_line_that_stands_within_another_is_not_missing():
    """A program that prints y for each line end has other words, and all lines."""
    lines = "Welcome\nto all\nwho play\n"
    assert classify(lines, "Welcomeyto allywho play\n", "", FACTS) == (S.WORDING,)
    assert classify(lines, "Welcomeywho play\n", "", FACTS) == (S.WORDING, S.MISSING)


def test_a_line_that_both_turns_have_is_not_missing():
    """However the numbers that differ disturb the alignment, it is there."""
    spec = Spec.model_validate(yaml.safe_load(spec_path("c-nim").read_text(encoding="utf-8")))
    turn = "\nPlayer 2\nHeaps:\nA: {}\nB: {}\nC: 0\nCOMPUTER moves {}\n\nPlayer 1\nHeaps:\nA: {}\nB: {}\nC: 0\n"
    expected, actual = turn.format(4, 3, "a1", 3, 3), turn.format(5, 4, "b1", 4, 3)
    assert compare(expected, actual, "", spec.text.facts).slips == ()


def test_a_turn_that_should_state_nothing_has_no_line_too_many():
    """The output of a program after the answer that ends it is no matter of form."""
    assert classify("\n", "\nInvalid move. Try again.\n", "", FACTS) is Substance.DEFECT


@pytest.mark.parametrize(
    ("actual", "message"),
    [
        (
            BOARD.replace("rocks: ", "rocks:"),
            "one space is missing after “Player 2, choose a row and number of rocks:”",
        ),
        (
            BOARD.replace("rocks: ", "rocks:   "),
            "2 spaces are too many after “Player 2, choose a row and number of rocks:”",
        ),
        (BOARD.replace("ROW B: ooo", "ROW B: ooo "), "one space is too many at the end of the line “ROW B: ooo”"),
        (BOARD.replace("\n\n", "\n", 1), "one blank line is missing before “ROW A: ooo”"),
        (BOARD.replace("ROW C", "\n\nROW C"), "2 blank lines are too many before “ROW C: oooooooo”"),
        (BOARD.replace("ROW B", "Row B"), "“Row” stands where “ROW” is expected"),
        (BOARD.replace("B: ooo\n", "B: ooo "), "lines break elsewhere in “ROW B: ooo ROW C: oooooooo”"),
        (BOARD.replace("B: ooo\n", "B: ooo;"), "lines break elsewhere in “ROW B: ooo ROW C: oooooooo”"),
        (BOARD.replace("Player 2,", "Player 2"), "“2” stands where “2,” is expected"),
        (BOARD + "\n", "the line end is too many after “Player 2, choose a row and number of rocks:”"),
        (BOARD.replace("\n\n", "\n\nNim\n", 1), "the line “Nim” does not belong there"),
    ],
)
def test_a_slip_says_what_differs_and_where(actual, message):
    """In words that need neither the spec nor a character count."""
    assert messages("B2" + actual) == [message]


@pytest.mark.parametrize(
    ("actual", "expected", "slips"),
    [
        ("ROW Aooo\n", "ROW A: ooo\n", {S.PUNCTUATION: "“Aooo” stands where “A: ooo” is expected"}),
        ("ROW A  ooo\n", "ROW A: ooo\n", {S.PUNCTUATION: "“A” stands where “A:” is expected"}),
        ("Player 2 # Wins.\n", "Player 2 Wins.\n", {S.PUNCTUATION: "“# Wins.” stands where “Wins.” is expected"}),
        (
            "ROWA ooo\n",
            "ROW A: ooo\n",
            {
                S.SPACING: "one space is missing after “ROW”",
                S.PUNCTUATION: "“ROWA” stands where “ROW A:” is expected",
            },
        ),
        (
            "player 2  wins!\n",
            "Player 2 Wins.\n",
            {
                S.SPACING: "one space is too many after “Player 2”",
                S.CASE: "“player” stands where “Player” is expected",
                S.PUNCTUATION: "“wins!” stands where “Wins.” is expected",
            },
        ),
    ],
)
def test_signs_that_are_lost_together_are_one_slip_and_quoted_as_printed(actual, expected, slips):
    """A colon that is lost with its blank is no slip of spacing as well, and what is quoted keeps its blanks."""
    found = compare(expected, actual, "", ()).slips
    assert {slip.kind: slip.message for slip in found} == slips


@pytest.mark.parametrize(("printed", "missing"), [("", "B2"), ("2", "B"), ("B", "2")])
def test_the_keys_that_do_not_appear_are_named(printed, missing):
    """A program that echoes the second key alone does not lack that one."""
    assert messages(printed + BOARD) == [f"“{missing}” does not appear when it is typed"]


def test_a_key_appears_behind_a_question_of_its_own():
    """TRAP x23 asks for each key in a line of its own, and shows it there: that line is an extra one, and the echo is there."""
    assert messages("B\n\nInput a character> 2\n" + BOARD) == ["the line “Input a character>” does not belong there"]
    assert "“2” does not appear when it is typed" in messages("B\nInput a character> \n" + BOARD)


def test_what_is_typed_must_appear():
    """The missing echo is named by its keys, beside the slips of the rest."""
    assert messages(BOARD.replace("ROW A", "Row A")) == [
        "“B2” does not appear when it is typed",
        "“Row” stands where “ROW” is expected",
    ]


@pytest.mark.parametrize("rule", ["=====", "", "* * *"])
def test_a_rule_under_a_title_is_punctuation(rule):
    """Another line of marks, or none, is no other wording."""
    assert classify("Score\n-----\nyou 1\n", f"Score\n{rule}\nyou 1\n".replace("\n\n", "\n"), "", ()) == (
        S.PUNCTUATION,
    )


@pytest.mark.parametrize("lines", [190, 400])
def test_a_flood_of_lines_is_extra(lines):
    """Few lines are aligned, many only counted: both ways the same kind."""
    assert classify("a\nb\n", "a\n" + "flood\n" * lines + "b\n", "", FACTS) == (S.EXTRA,)


@pytest.mark.parametrize(
    ("actual", "kinds"),
    [
        (BOARD.replace("ROW A", "ROW s"), (S.WORDING,)),
        (BOARD.replace("ROW", "PILE"), (S.WORDING,)),
        (BOARD.replace("ROW A: ooo", "ROW A: o"), ()),
        (BOARD.replace("ROW A: ooo\n", ""), ()),
        (REFUSAL, ()),
    ],
    ids=["another row", "no rows", "other rocks", "no row", "a refusal"],
)
def test_a_line_that_nobody_can_read_is_a_slip_of_wording(actual, kinds):
    """A case that judges no values leaves other values, and what is not said at all, to others; words in its place are its own."""
    difference = compare(BOARD, "B2" + actual, "B2", FACTS, Judging())
    assert difference.kinds == kinds
