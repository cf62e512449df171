"""Futures, and how much they are alike."""

from grader.games.hear.truth import Likeness, alike, future


def test_what_is_said_for_ever_is_said_once():
    """A program that refuses everything has the same future however long it was asked."""
    assert future(["a", "no", "no", "no"], ended=False) == ("a", "no")
    assert future(["a", "no", "no"], ended=True) == ("a", "no", "no")


def test_futures_are_alike_in_words_or_exactly():
    """Numbers differ, words do not; another number of turns is another future."""
    assert alike(("3 left",), ("3 left",)) is Likeness.EXACT
    assert alike(("3 left",), ("4 left",)) is Likeness.WORDS
    assert alike(("3 left",), ("3 gone",)) is alike(("3 left",), ("3 left", "x")) is Likeness.NONE
