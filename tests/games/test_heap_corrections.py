"""Settings of staff on how a program of heaps was understood are taken as true, and said if they cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from grader.games.event import COMPUTER, USER, Begins, Named, Refused, Score, Told
from grader.games.heaps import lessons
from grader.games.heaps.corrections import NOTHING_SET, Corrections, rows
from grader.games.heaps.hearing import Wording
from grader.games.heaps.learning import played
from grader.games.heaps.words import learn
from grader.games.learn.table import settings
from grader.results import Learned
from grader.sessions.reference import Line, Play
from reference import c_nim
from tests.games.test_heaps import SILENT, TOLD, Words, program
from tests.scripted import runs_of


def understood(said: Words, values: Mapping[str, str] | None = None) -> tuple[Wording | None, Learned]:
    """The lessons from such a program with corrections, and the table of them."""
    runs = runs_of(program(said))
    given = settings(Corrections, rows(c_nim.DUEL), values) if values else NOTHING_SET
    player = played(runs, c_nim.DUEL, given)
    if player is None:
        return None, lessons.unread(runs, c_nim.DUEL, given)
    wording = learn(player, given)
    return wording, lessons.learned(player, wording, given)


def table(learned: Learned) -> dict[str, str]:
    """The values of lessons by their keys."""
    return {lesson.key: lesson.value for lesson in learned.lessons if lesson.key}


ALL = {
    "numbers in a line": Words(),
    "a pause, and rows of marks": Words(lead="Press Enter.", shows="A {0}\nB {1}\nC {2}\n", takes="I take {0}{1}\n"),
    "two questions for a move": Words(apart=True),
    "heaps that are only told": TOLD,
    "silence": SILENT,
}


@pytest.mark.parametrize("said", ALL.values(), ids=ALL)
def test_every_key_that_a_lesson_shows_can_be_set_to_what_it_shows(said: Words) -> None:
    """A table that is copied as it is changes nothing."""
    _, before = understood(said)
    assert set(table(before)) == {row.key for row in rows(c_nim.DUEL)}
    _, again = understood(said, table(before))
    assert again == before


def test_words_that_nobody_knows_name_who_won_whenever_they_come_and_staff_may_say_otherwise() -> None:
    """“Hurra” stands behind all games that the user wins, and behind no other."""
    said = Words(user="Hurra!\n", computer="Oh weh!\n")
    wording, before = understood(said)
    assert wording is not None
    assert table(before)["wins-user"] == "Hurra!"
    assert Named(USER) in wording.events("Hurra!\nDu 1, Rechner 0\n")
    wording, after = understood(said, {"wins-user": "Oh weh!", "wins-program": "Hurra!"})
    assert wording is not None
    assert after.unheeded == {}
    assert Named(COMPUTER) in wording.events("Hurra!\nDu 1, Rechner 0\n")
    assert Named(USER) in wording.events("Oh weh!\nDu 0, Rechner 1\n")


def test_each_thing_that_is_said_means_what_staff_say() -> None:
    """Moves, who starts, the score and refusals are read where staff have set them, though that is wrong."""
    values = {
        "told": "Der Rechner nimmt <n> von <heap a>.",
        "starts-user": "Der Rechner beginnt.",
        "starts-program": "Du beginnst.",
        "score": "Du <program> || Rechner <user>",
        "refusal": "Du gewinnst!",
    }
    wording, after = understood(Words(), values)
    assert wording is not None
    assert after.unheeded == {}
    said = wording.events("Du beginnst.\nDer Rechner nimmt 2 von B.\nDu gewinnst!\nDu 1, Rechner 2\n")
    assert {Begins(COMPUTER), Told(1, 2), Refused(), Score(USER, 2), Score(COMPUTER, 1)} < set(said)


def secret() -> Play:
    """A program that wants a word before its game."""
    said = ""
    while said != "sesame":
        yield "Say the word: "
        said = yield Line()
    yield from program(Words())()


def test_an_opening_that_was_not_found_can_be_set() -> None:
    """The wording of an unread program is named, too, and what staff type before the game leads into it."""
    runs = runs_of(secret)
    assert played(runs, c_nim.DUEL) is None
    unread = lessons.unread(runs, c_nim.DUEL, NOTHING_SET)
    assert unread.wording
    assert {"opening", "move", "heaps"} <= set(table(unread))
    assert played(runs, c_nim.DUEL, settings(Corrections, rows(c_nim.DUEL), {"opening": "sesame"})) is not None


UNHEEDED = {
    "no such key": ("winner", "me", "there is no such key"),
    "no move is typed so": ("move", "c-1", "is no way to type one from the last heap"),
    "no heaps": ("heaps", "A=<a> B=<b>", "must name each heap once"),
    "heaps that are shown nowhere": ("heaps", "A:<a> B:<b> C:<c>", "no move falls off the heaps so"),
    "a move that works in no way": ("move", "1c", "no move falls off the heaps so"),
    "a move before the game": ("opening", "a1", "no move falls off the heaps so"),
    "sizes that are not typed": ("opening", "sizes", "no sizes are typed"),
    "what is never said": ("wins-user", "Hurra!", "never said"),
    "no number": ("told", "Der Rechner nimmt etwas", "needs <n>"),
    "one score": ("score", "Du <user>", "needs <user> and <program>"),
    "no yes": ("yes", "q", "no other game begins after it"),
}


@pytest.mark.parametrize(("key", "value", "why"), UNHEEDED.values(), ids=UNHEEDED)
def test_what_cannot_be_followed_is_said(key: str, value: str, why: str) -> None:
    """Nothing is judged by half of a correction: all is as without it, and a sentence says why."""
    wording, after = understood(Words(), {key: value})
    assert wording is not None
    assert list(after.unheeded) == [key]
    assert why in after.unheeded[key]
    assert replace(after, unheeded={}) == understood(Words())[1]


def test_programs_with_the_same_words_have_the_same_wording() -> None:
    """The moves that a program plays change nothing of its wording, and other words do."""
    _, one = understood(Words())
    assert understood(Words(poor={(4, 4, 3): "a1"}))[1].wording == one.wording
    assert understood(Words(refuses="Nein!\n"))[1].wording != one.wording
