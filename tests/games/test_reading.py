"""What a turn says, by the patterns of a spec."""

from __future__ import annotations

import pytest

from grader.games.reading import Reader
from grader.games.referee import Heard, Said
from grader.spec.model import TextRules

READER = Reader(
    TextRules.model_validate(
        {
            "facts": [
                {"name": "left", "pattern": r"(?P<count>\d+) left"},
                {"name": "drawn", "pattern": r"pile: (?P<stones>[o ]*)!", "lengths": ["stones"]},
            ],
            "questions": [{"name": "take", "pattern": "take\\?"}, {"name": "again", "pattern": "again\\?"}],
        }
    )
)


def test_facts_are_read_in_the_order_of_the_text():
    """Groups are folded and lengths counted; the question that stands last is the one that is asked."""
    heard = READER.read("Again? pile: o oo! 2 LEFT. Take?", ended=False)
    assert heard == Heard((Said("drawn", {"stones": "3"}), Said("left", {"count": "2"})), "take")
    assert heard.facts[1].number("count") == 2


def test_who_has_ended_asks_nothing():
    """The same turn is a question where the program waits for an answer, and none at its end."""
    assert READER.read("take?", ended=False, wants="key") == Heard((), "take", wants="key")
    assert READER.read("take?", ended=True) == Heard((), None, ended=True)


@pytest.mark.parametrize(("text", "number"), [("12", 12), ("", None), ("two", None), ("²", None), ("9" * 19, None)])
def test_a_number_is_one_of_sensible_size(text, number):
    """What is no plain number, or too long to be one, is none."""
    assert Said("left", {"count": text}).number("count") == number


def test_a_fact_quotes_what_was_read():
    """Letter by letter, though what it states is folded; two facts that state the same are equal."""
    one, other = READER.read("2 LEFT", ended=False).facts + READER.read("2 left", ended=False).facts
    assert (one.quote, other.quote) == ("2 LEFT", "2 left")
    assert one == other
