"""How a difference is shown."""

from __future__ import annotations

import pytest

from grader.checks.explain import after_inputs, first_difference, with_inputs


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ((), "at the start"),
        (("B2", "A1"), "after B2, A1"),
        (("4\n", "\n", "x y\n"), "after 4, an empty line, x·y"),
        (tuple("12345678"), "after 1, 2, 3, 4, 5, 6, 7, 8"),
        (tuple("123456789"), "after 9 inputs, the last 7, 8, 9"),
    ],
)
def test_a_short_game_is_told_in_full(typed, words):
    """Up to eight inputs are all shown; of more, their number and the last three."""
    assert after_inputs(typed) == words


def test_texts_are_shown_from_the_line_of_their_first_difference():
    """The lines before it are alike and tell nothing."""
    assert first_difference("a\nbc\nd\n", "a\nbx\nd\n") == ("bc⏎\nd⏎", "bx⏎\nd⏎")


@pytest.mark.parametrize("blanks", [79, 80, 200, 5_000])
def test_the_excerpt_reaches_the_difference_however_long_its_line_is(blanks):
    """A program that never ends its lines has its whole game in one."""
    expected, actual = first_difference("." * blanks + "one", "." * blanks + "two")
    assert (expected.endswith("one"), actual.endswith("two")) == (True, True)
    assert max(len(expected), len(actual)) <= 161


@pytest.mark.parametrize(
    ("message", "typed", "whole"),
    [
        ("the program accepts B0: none", ("B0",), "the program accepts B0: none"),
        ("the program accepts 4: none", ("A2", "4\n"), "the program accepts 4: none, after A2"),
        ("B5 is legal, but the program refuses it", ("c2", "B5"), "B5 is legal, but the program refuses it, after c2"),
        ("2 stones are left", ("1", "2"), "2 stones are left, after 1, 2"),
        ("the program accepts 42", ("4",), "the program accepts 42, after 4"),
        ("the game goes on", (), "the game goes on, at the start"),
    ],
)
def test_an_input_that_a_message_names_is_not_said_again(message: str, typed: tuple[str, ...], whole: str) -> None:
    """Only the last one, and only where the message is about it: a number may be one of stones."""
    assert with_inputs(message, typed) == whole
