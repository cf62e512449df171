"""The way from the start of a program to its first column."""

from __future__ import annotations

import pytest

from grader.games.board.corrections import Corrections, rows
from grader.games.board.opening import UnreadError, opened
from grader.games.board.rules import Spot, single
from grader.games.families.fourinarow.rules import RULES
from grader.games.learn.table import settings
from grader.sessions.reference import Line, Play
from tests.games.board.small import Small, opening_of, played


def test_names_and_menus_are_gone_through() -> None:
    """Each question has an answer, and behind them a column is asked for."""
    opening = opening_of(Small(opens=("Name of red? ", "Name of blue? ", "[P]lay: ")))
    assert len(opening.answers) == 3
    assert opening.name == "1-7"
    assert opening.beginner == "A"


def test_a_mark_is_tried_at_a_question_that_does_not_say_what_it_asks_for() -> None:
    """The words that ask for X or O were lost: whoever tries numbers and names alone is asked the same for ever."""

    class Marks(Small):
        def play(self, seed: int) -> Play:
            yield "Player 1 "
            while (yield Line()) not in ("X", "O"):
                yield "Player 1 "
            yield from super().play(seed)

    assert opening_of(Marks()).answers == ("X",)


@pytest.mark.parametrize(("labels", "name"), [("0123456", "0-6"), ("ABCDEFG", "A-G"), ("abcdefg", "a-g")])
def test_columns_may_be_called_otherwise(labels, name) -> None:
    """From 0, or by letters."""
    assert opening_of(Small(labels=labels)).name == name


def test_columns_may_have_names() -> None:
    """The question lists them; the answers for columns that do not exist are words as well."""
    days = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
    opening = opening_of(Small(labels=days, column=f"{{name}}, which day ({', '.join(days)})? "))
    assert opening.name == " | ".join(days)
    assert opening.beginner == "A"
    assert {one.typed[0] for one in RULES.wrong(opening.dialogue.labels, "line")} == {
        "nowhere",
        "99",
        "0",
        "mon",
        "fri",
    }


def test_labels_that_nobody_tries_can_be_set() -> None:
    """Seven other signs are columns where a person says so."""
    small = Small(labels="qwertyu")
    with pytest.raises(UnreadError):
        opening_of(small)
    opening = opened(RULES, small.runs(), settings(Corrections, rows(RULES), {"columns": "q w e r t y u"}))
    assert opening.dialogue.labels == single("qwertyu")


def test_a_known_game_must_be_read_as_it_was_played() -> None:
    """Another game with a board, whose pieces do not fall, is refused."""

    class Flat(Small):
        @staticmethod
        def drawn(position: str) -> str:
            return f"{position.count('A')} to {position.count('B')}\n"

    with pytest.raises(UnreadError, match="no answer to its questions"):
        opening_of(Flat())


@pytest.mark.parametrize(("pieces", "early"), [(1, None), (2, True), (7, True), (9, False)])
def test_a_program_that_ends_early_is_read_from_the_beginnings_of_games(pieces, early) -> None:
    """Seven boards in all are too few to know it by."""
    if early is None:
        with pytest.raises(UnreadError):
            opening_of(Small(most=pieces))
    else:
        assert opening_of(Small(most=pieces)).early is early


def test_a_heading_in_the_frame_of_a_row_is_none() -> None:
    """“| 1 | 2 | 3 |” above blank cells would be the highest row of every board."""

    class Headed(Small):
        @staticmethod
        def drawn(position: str) -> str:
            rows = Small.drawn(position).replace("|", " | ").replace(".", " ").splitlines()
            return "\n".join([" | 1 | 2 | 3 | 4 | 5 | 6 | 7 | ", *rows]) + "\n"

    opening = opening_of(Headed())
    assert opening.dialogue.drop((), Spot(RULES.start, "A"), 2).board == played("3")


@pytest.mark.parametrize("question", ["Name of player {}: ", "{}: [0] "])
def test_players_get_names_of_their_own_where_any_text_goes(question) -> None:
    """A number leads on at both questions as well. But of two players who are called 1 nobody can tell who wins."""

    class Named(Small):
        def play(self, seed: int) -> Play:
            names = []
            for number in (1, 2):
                yield question.format(number)
                names.append((yield Line()))
            yield from Small(names=(names[0], names[1])).play(seed)

    assert opening_of(Named()).answers == ("Ann", "Bob")


def test_a_question_for_a_number_gets_no_name() -> None:
    """A name is refused there."""

    class Numbered(Small):
        def play(self, seed: int) -> Play:
            yield "How many players? "
            while not (yield Line()).isdigit():
                yield "A number, please: "
            yield from super().play(seed)

    assert opening_of(Numbered()).answers == ("1",)
