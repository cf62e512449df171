"""Settings of staff on how a program is understood are taken as true, and said to be wrong if they cannot be."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from grader.games.board.corrections import Corrections, L, W, rows, shown
from grader.games.board.rules import single
from grader.games.families.fourinarow.rules import RULES
from grader.games.learn.table import settings
from tests.games.board.programs import graded, points, program, verdicts

uncorrected = cache(graded)
FIXTURES = Path(__file__).parents[3] / "fixtures" / "mips-connect4" / "accepted"


def corrected(wording, values):
    """The grade without corrections, and with these."""
    before = uncorrected(wording)
    return before, graded(wording, {before.wording: values})


def test_an_answer_that_takes_back_and_was_not_found_is_tried_where_it_is_set() -> None:
    """No text names the key, and nobody would guess it: without the correction the undo is missing."""
    before, after = corrected(program(undo_style="key", undo_key="w", undo_hint="", reads="line"), {"undo": "w"})
    assert verdicts(before)["undo"] == "wrong-answer"
    assert verdicts(after) == {}
    assert (points(before, "undo"), points(after, "undo")) == (0, 1.1)
    assert before.wording == after.wording


def test_the_answer_at_a_question_is_tried_where_it_is_set() -> None:
    """The question tells neither what takes back nor what keeps."""
    before, after = corrected(program(undo=("Take it back? ", "#", "n")), {"undo": "#", "keep": "n"})
    assert verdicts(before)["undo"] == "wrong-answer"
    assert verdicts(after) == {}


def test_an_undo_that_is_set_and_does_nothing_is_charged() -> None:
    """The correction is taken as true: the piece that should be gone is still there."""
    wording = program(undo_style="key", undo_key="w", undo_hint="", reads="line", defect="undo-leaves-the-piece")
    before, after = corrected(wording, {"undo": "w"})
    assert set(verdicts(before)) == {"undo", "undo-limit", "undo-first"}
    assert set(verdicts(after)) == {"undo"}


def test_a_result_that_no_word_tells_is_judged_by_what_is_set() -> None:
    """“Is toast” is in no list of words: that its line names the loser is set by a person."""
    before, after = corrected(program(wins="{other} is toast"), {"winner": "<loser> is toast"})
    assert verdicts(before)["result-read"] == "needs-review"
    assert verdicts(after) == {}
    assert before.wording == after.wording


def test_a_winner_that_is_exchanged_is_found_by_what_is_set() -> None:
    """The program calls the winner toast."""
    wording = program(wins="{other} is toast", defect="winner-is-exchanged")
    _, after = corrected(wording, {"winner": "<loser> is toast"})
    assert verdicts(after) == {"winner": "wrong-answer"}


def test_all_that_is_shown_may_be_set_as_it_is_shown() -> None:
    """Every lesson has a key that a correction may have, and its own value changes nothing."""
    before = uncorrected(program())
    assert {lesson.key for lesson in before.learned} <= {row.key for row in rows(RULES)}
    _, after = corrected(program(), {lesson.key: lesson.value for lesson in before.learned})
    assert (after.score, after.wording, verdicts(after)) == (before.score, before.wording, {})
    assert not any("correction" in sentence for sentence in after.review)
    assert all(lesson.corrected for lesson in after.learned)


@pytest.mark.parametrize("name", ["any-key-before-each-turn", "asks-whether-one-is-sure-before-each-piece"])
def test_a_right_program_reads_the_same_where_what_is_set_is_true(name) -> None:
    """The key of the undo also goes on at “press any key”, and at “Sure? y/n” the same two answers mean the opposite."""
    (source,) = (FIXTURES / name / "submission").iterdir()
    before = uncorrected(source.read_text())
    values = {lesson.key: lesson.value for lesson in before.learned if lesson.key in ("undo", "keep")}
    _, after = corrected(source.read_text(), values)
    assert (len(values), verdicts(before), verdicts(after)) == (2, {}, {})
    assert [(one.key, one.value) for one in after.learned] == [(one.key, one.value) for one in before.learned]


def test_each_lesson_quotes_a_line_of_the_program() -> None:
    """So that a person sees at once what it was learned from."""
    quotes = {lesson.key: lesson.quote for lesson in graded(program(begins="")).learned}
    assert quotes.pop("opening") == ""  # nothing is typed before the first column
    assert quotes["undo"] == "Take it back (y/n)?"
    assert quotes["winner"] == "Player 1 has won!"
    assert all(quotes.values())


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("winer", "x", "there is no such key"),
        ("columns", "1-9", "are not 7 columns"),
        ("opening", "5 5", "with it no board is found"),
        ("marks", "! ?", "with it no board is found"),
        ("undo", "zz", "can be typed nowhere"),
        ("players", "red / blue", "calls no player by this name"),
        ("winner", "hello <winner>", "no line at the end of a game"),
    ],
)
def test_what_cannot_be_followed_is_said_to_staff_and_changes_nothing(key, value, why) -> None:
    """The program is read as it was without, and the sentence stands among what a person should look at."""
    before, after = corrected(program(), {key: value})
    assert after.score == before.score
    sentence = next(one for one in after.review if f"correction of `{key}`" in one)
    assert why in sentence
    assert key not in {lesson.key for lesson in after.learned if lesson.corrected}


def test_a_line_has_slots_for_the_players() -> None:
    """Other words in it are the program's; a line that names nobody is no winner's."""
    assert settings(Corrections, rows(RULES), {"winner": "<loser> is Toast"}).winner == f"{L} is toast"
    assert shown(f"{W} wins") == "<winner> wins"
    assert "names nobody" in settings(Corrections, rows(RULES), {"winner": "somebody won"}).unheeded["winner"]


def test_answers_are_written_with_blanks_between() -> None:
    """Enter alone has a word."""
    assert settings(Corrections, rows(RULES), {"opening": "Ann, Bob Enter"}).opening == ("Ann", "Bob", "")
    assert settings(Corrections, rows(RULES), {"columns": "a–g"}).labels == single("abcdefg")
