"""The facts of a turn, by the patterns of a spec."""

from __future__ import annotations

from grader.checks.facts import Fact
from grader.games.follow.following import Reader
from grader.games.referee import Heard
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
    assert heard == Heard((Fact("drawn", {"stones": "3"}), Fact("left", {"count": "2"})), "take")
    assert heard.facts[1].number("count") == 2


def test_who_has_ended_asks_nothing():
    """The same turn is a question where the program waits for an answer, and none at its end."""
    assert READER.read("take?", ended=False, wants="key") == Heard((), "take", wants="key")
    assert READER.read("take?", ended=True) == Heard((), None, ended=True)
