"""How a program is led from one column to the next, and where it is."""

from __future__ import annotations

import pytest

from grader.games.board.rules import Spot
from grader.games.families.fourinarow.rules import RULES
from grader.games.learn.questions import allowed, mentioned
from grader.games.learn.way import masked
from tests.games.board.small import Small, opening_of, played


@pytest.fixture(scope="module")
def opening():
    """A program that asks after each piece, but the first, whether it is taken back."""
    return opening_of(Small())


def test_a_question_about_taking_back_is_answered_on_the_way(opening) -> None:
    """The next column is reached, and where the offer was made is known."""
    spot = Spot(played("44"), "A")
    reached = opening.dialogue.drop(("4", "4"), spot, 2)
    assert (reached.kind, reached.answers, reached.offer) == ("column", ("4", "4", "3", "n"), ("4", "4", "3"))
    assert reached.board == played("443")


def test_a_move_is_taken_back_where_that_is_offered(opening) -> None:
    """The same player chooses again."""
    spot = Spot(played("44"), "A")
    back = opening.dialogue.drop(("4", "4"), spot, 2, back=True)
    assert opening.dialogue.situation(back.answers, (spot, RULES.after(spot, 2))) == spot


def test_where_a_program_is_a_piece_dropped_aside_tells(opening) -> None:
    """Of several positions the one behind which the piece is shown; a new game is always one of them."""
    spots = (Spot(played("44"), "A"), Spot(played("4"), "B"))
    assert opening.dialogue.situation(("4", "4"), spots) == spots[0]
    assert opening.dialogue.situation(("4",), spots) == spots[1]
    assert opening.dialogue.situation((), spots) == Spot(RULES.start, "A")


def test_a_program_that_ends_says_so(opening) -> None:
    """Behind four in a line."""
    reached = opening.dialogue.drop(("1", "2", "1", "2", "n", "n", "1", "2", "n"), Spot(played("121212"), "A"), 0)
    assert reached.kind in ("ended", "column")


@pytest.mark.parametrize(
    ("text", "found"),
    [("Undo (y/n)? ", ["y", "n"]), ("[k] keep, [u] undo > ", ["k", "u"]), ("Column (- takes back): ", ["-"])],
)
def test_short_answers_are_read_from_a_question(text, found) -> None:
    """In brackets, alone, or a sign."""
    assert set(found) <= set(mentioned(text))


def test_what_cannot_be_typed_is_not_tried() -> None:
    """A number where a number is wanted, one sign for a key."""
    assert allowed(("y", "1", "-1"), "integer") == ["1", "-1"]
    assert allowed(("yes", ""), "key") == ["y", "\n"]
    assert allowed(("1", "n", "y", "yes"), "confirmation") == ["n", "y"]


def test_a_question_is_known_again_with_other_numbers() -> None:
    """The last line that is not blank counts."""
    assert masked("Board\nPlayer 2, move 17: \n") == "Player #, move #:"
