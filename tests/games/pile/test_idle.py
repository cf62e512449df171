"""Programs in which no game was found: those that play none lose, those that may want another answer are left to a person."""

from __future__ import annotations

import pytest

from grader.games.pile.exploring import UNFOUND, idle
from grader.sessions.reference import Play
from tests.games.pile.small import asked
from tests.scripted import runs_of


def found(play):
    """The study of a play."""
    return idle(runs_of(play))


def ends() -> Play:
    """Asks twice, and ends."""
    yield from asked("Stones? ")
    yield from asked("First? ")
    yield "Bye.\n"


def refuses_moves() -> Play:
    """Asks what it should, and refuses every move."""
    yield from asked("Stones? ")
    yield from asked("First? ")
    while True:
        yield from asked("Move? ")
        yield "No.\n"


def wants_a_word() -> Play:
    """Asks who begins, and takes no answer that we know."""
    yield from asked("Stones? ")
    while (yield from asked("Who begins? ")) not in ("tick", "tock"):
        yield "Who?\n"


def moves_after_a_word() -> Play:
    """Takes a move only in a word that its question has."""
    yield from asked("Stones? ")
    yield from asked("First? ")
    while (yield from asked("Move, single or double? ")) not in ("single", "double"):
        yield "No.\n"
    yield "Fine.\n"


def sums() -> Play:
    """Goes on for ever, each time with another text."""
    total = 0
    while True:
        total += len((yield from asked(f"{'x' * total} next: ")))


@pytest.mark.parametrize("play", [ends, refuses_moves])
def test_a_program_that_plays_no_game_has_shown_nothing(play):
    """It is judged, and no occasion came about: nothing seen is nothing earned."""
    study = found(play)
    assert not study.obstacle
    assert {name for game in study.games for name in game.occasions} == {"answers"}


@pytest.mark.parametrize("play", [wants_a_word, moves_after_a_word, sums])
def test_a_program_that_may_want_another_answer_is_left_to_a_person(play):
    """At a question before the game, or where some word was not refused."""
    study = found(play)
    assert study.obstacle == UNFOUND
    assert study.learned.wording
    assert [lesson.key for lesson in study.learned.lessons] == ["opening"]
