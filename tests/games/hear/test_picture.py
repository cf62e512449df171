"""Texts as grids of signs."""

from __future__ import annotations

from grader.games.hear.picture import MOST_LINES, Picture


def test_a_colour_becomes_part_of_the_character_after_it() -> None:
    """Red and yellow discs of the same shape are two signs, each in one place."""
    picture = Picture()
    red, yellow = picture.lines("|\x1b[31mO\x1b[0m|\x1b[33mO\x1b[0m|")[0][1::2][:2]
    assert red != yellow
    assert picture.shown(red) == "O"


def test_the_same_coloured_character_is_the_same_sign_everywhere() -> None:
    """In each text of a program."""
    picture = Picture()
    assert picture.lines("\x1b[31mX") == picture.lines("\x1b[31mX\x1b[0m")


def test_clearing_the_screen_begins_a_line() -> None:
    """An earlier drawing is no part of a later one."""
    assert Picture().lines("old\x1b[2Jnew") == ["old", "new"]


def test_words_can_be_signs() -> None:
    """Marks of different lengths shift the cells of a row, but not its words."""
    picture = Picture(words=True)
    one, two = picture.lines("red - -\n- yellow -")
    assert len(one) == len(two) == 3
    assert one[1] == two[0] == "-"


def test_a_flood_is_cut() -> None:
    """Only the last lines are looked at."""
    assert len(Picture().lines("x\n" * 100_000)) <= MOST_LINES
