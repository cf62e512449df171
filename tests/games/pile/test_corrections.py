"""Settings of staff on how a program was understood are taken as true, and said if they cannot be."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from grader.games.follow.study import Study
from grader.games.learn import table
from grader.games.pile.lessons import rows
from grader.games.referee import UNREAD
from grader.sessions.reference import Line, Play
from tests.games.pile.small import RIGHT, RULES, answered, kinds, study

NUMBERED = replace(RIGHT, ends=("Spieler 7 gewinnt.\n", "Spieler 8 gewinnt.\n"))


def faults(found: Study) -> set[str]:
    """The kinds of faults that were found."""
    assert not found.obstacle
    return {fault.kind for game in found.games for _, fault in game.faults}


def test_every_key_that_a_lesson_shows_can_be_set_to_what_it_shows():
    """A table that is copied as it is changes nothing."""
    before, _ = study(RIGHT.play)
    values = {lesson.key: lesson.value for lesson in before.learned.lessons if lesson.key}
    departed, _ = study(THREE.play)
    assert {*values, *(lesson.key for lesson in departed.learned.lessons)} == {row.key for row in rows(RULES)}
    again, _ = study(RIGHT.play, values)
    assert again == before


THREE = replace(RIGHT, over=lambda n: n <= 1)
SENTENCE = "the game ends when one stone is left, and not when none is"


def test_the_rules_that_a_program_plays_are_shown_and_can_be_set_to_what_is_shown():
    """The value is the diagnosis."""
    before, _ = study(THREE.play)
    assert {lesson.key: lesson.value for lesson in before.learned.lessons}[table.RULES] == SENTENCE
    again, _ = study(THREE.play, {table.RULES: SENTENCE})
    assert again == before


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("the game never ends: it goes on when no stone is left", "its games are not explained by that"),
        ("right", "its games are not explained by that"),
        (
            "the game ends when one stone is left, and not when none",
            "did you mean `the game ends when one stone is left, and not",
        ),
    ],
    ids=["another departure", "the right rules", "no departure"],
)
def test_rules_that_do_not_explain_its_games_are_not_taken_as_true(value, why):
    """The program is judged as it is understood without them."""
    before, _ = study(THREE.play)
    again, _ = study(THREE.play, {table.RULES: value})
    assert again.games == before.games
    assert why in again.learned.unheeded[table.RULES]


@pytest.mark.parametrize(
    ("user", "program", "found"),
    [
        ("Spieler 8 gewinnt.", "Spieler 7 gewinnt.", set()),
        ("Spieler 7 gewinnt.", "Spieler 8 gewinnt.", {"wrong-winner"}),
    ],
)
def test_words_that_nobody_knows_are_read_as_staff_say(user, program, found):
    """Who "Spieler 7" is nobody can tell; a person can, and then the ending is judged."""
    assert kinds(NUMBERED.play) == {UNREAD}
    again, _ = study(NUMBERED.play, {"wins-user": user, "wins-program": program})
    assert faults(again) == found


MISREAD = replace(RIGHT, ends=("The winner is not you!\n", "The loser is not you!\n"))


def test_words_that_are_misread_are_read_as_staff_say():
    """Words of winning in a sentence that means the opposite are no lie of the program."""
    assert kinds(MISREAD.play) == {"wrong-winner"}
    values = {"wins-user": "The loser is not you!", "wins-program": "The winner is not you!"}
    again, _ = study(MISREAD.play, values)
    assert faults(again) == set()


def test_a_number_means_what_staff_say():
    """A clause that says something else than what is left is named, and no wrong count is seen in it any more."""
    program = replace(RIGHT, left=lambda n: f"Es liegen {n} da, {max(n - 1, 1)} darfst du lassen.\n")
    again, _ = study(program.play, {"told-after": "Es liegen <n> da"})
    assert faults(again) == set()
    other, _ = study(program.play, {"told-after": "<n> darfst du lassen."})
    assert "wrong-count" in faults(other)


def test_marks_are_named_as_marks():
    """A drawing has a name of its own."""
    program = replace(RIGHT, left=lambda n: f"Haufen: {'o' * n}\n")
    lessons = {lesson.key: lesson for lesson in study(program.play)[0].learned.lessons}
    assert lessons["told-after"].value == "Haufen: <marks o>"
    again, _ = study(program.play, {"told-after": "Haufen: <marks o>"})
    assert faults(again) == set()


def in_words() -> Play:
    """A program that wants words before its game."""
    said = ""
    while said != "let us play":
        yield "Say the words: "
        said = yield Line()
    yield from RIGHT.play()


def test_an_opening_that_was_not_found_can_be_set():
    """The wording of an unread program is named too, and what staff type before the game leads into it."""
    before, _ = study(in_words)
    assert before.obstacle
    assert before.learned.wording
    assert before.learned.lessons[0].key == "opening"
    again, _ = study(in_words, {"opening": "let us play, stones, first"})
    assert faults(again) == set()


def test_answers_that_were_not_found_can_be_set():
    """Nobody would think of q and z, and the program does not offer them; set by staff they let begin whom they should."""
    play = partial(answered, RIGHT.play, RIGHT.first, lambda typed: {"q": "0", "z": "1"}.get(typed, "9"))
    before, _ = study(play)
    assert before.obstacle
    again, _ = study(play, {"opening": "stones, first", "first": "q z"})
    assert faults(again) == {"refused-first"}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"winner": "you"}, "there is no such key; what can be set is opening, first, told-after"),
        ({"first": "0"}, "“0” needs two answers"),
        ({"opening": "stones, stones"}, "in “stones, stones” `stones` and `first` must stand once"),
        ({"opening": "9, 9, stones"}, "after it games do not get longer with more stones"),
        ({"opening": "x"}, "after it no number gets smaller when stones are taken"),
        ({"opening": "stones, 1", "first": "0 1"}, "`opening` was set as well, and has no `first` in it"),
        ({"told-after": "5 left"}, "“5 left” needs one <n>, or <marks o>, where the number stands"),
        ({"told-after": "<n> left"}, "this is never said in a game"),
        ({"wins-user": "Hurra"}, "no game ends with “Hurra”"),
    ],
)
def test_what_cannot_be_taken_as_true_is_said(values, message):
    """Nothing is dropped in silence: the program is judged as it is understood without the value, as in all other games."""
    found, _ = study(RIGHT.play, values)
    key = "first" if len(values) > 1 else next(iter(values))
    assert found.learned.unheeded[key].startswith(f"the correction of `{key}` is not followed: {message}")
    assert faults(found) <= {"unasked-first"}


def test_a_question_that_is_not_asked_cannot_be_answered():
    """If nobody asks who begins, there is no answer to set."""
    found, _ = study(replace(RIGHT, first="").play, {"first": "y n"})
    assert "where it is asked was not found" in found.learned.unheeded["first"]
