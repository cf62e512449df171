"""The message of a refusal, and answers that are put into a game."""

from __future__ import annotations

import pytest

from grader.games.hear.truth import message, put_in

QUESTION = "How old are you? "


def test_answers_are_put_in_before_one():
    """The one before which they stand is typed after them."""
    assert put_in(("7", "1", "1"), 1, "0", "3") == ("7", "0", "3", "1", "1")


@pytest.mark.parametrize(
    ("said", "usual", "is_one"),
    [
        (f"No!\n{QUESTION}", (), True),
        (QUESTION, (), False),
        (f"5 left.\n{QUESTION}", ("# left",), False),
        (f"No, 5 left.\n{QUESTION}", ("# left",), True),
        ("", (), False),
        (f"{QUESTION}{QUESTION}", (), False),
        (f"{QUESTION}!\nAgain.\n{QUESTION}", ("again",), True),
    ],
)
def test_a_message_is_what_is_neither_the_question_nor_usual(said, usual, is_one):
    """No word of it is understood."""
    assert message(said, QUESTION, usual) is is_one
