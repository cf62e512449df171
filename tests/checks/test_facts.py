"""The facts of a text, by the patterns of a spec: the same for a comparison and for a referee."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.checks.facts import Fact, FactReader, read_facts
from grader.games.follow.following import Reader
from grader.spec.loader import load_assignment
from grader.spec.model import Fact as FactRule

SPEC = Path(__file__).parents[2] / "specs" / "lc3-nim.yaml"

RULES = (
    FactRule(name="left", pattern=r"(?P<count>\d+) left"),
    FactRule(name="drawn", pattern=r"pile: (?P<stones>[o ]*)!", lengths=("stones",)),
)
READER = FactReader(RULES)


def test_facts_are_read_in_the_order_of_the_text():
    """Values are folded and lengths counted."""
    assert READER.facts("pile: o oo! 2 LEFT.") == (Fact("drawn", {"stones": "3"}), Fact("left", {"count": "2"}))


@pytest.mark.parametrize(
    ("text", "number"),
    [("12", 12), ("-3", -3), ("--3", None), ("", None), ("two", None), ("²", None), ("9" * 19, None)],
)
def test_a_number_is_one_of_sensible_size(text, number):
    """Other text, and a number of too many digits, has no value."""
    assert Fact("left", {"count": text}).number("count") == number


def test_a_fact_quotes_what_was_read():
    """Letter by letter, though what it states is folded; two facts that state the same are equal."""
    one, other = READER.facts("2 LEFT") + READER.facts("2 left")
    assert (one.quote, other.quote) == ("2 LEFT", "2 left")
    assert (one, hash(one)) == (other, hash(other))


def test_a_comparison_and_a_referee_read_the_same():
    """Values too, in a turn of several facts; a referee alone counts how often a fact without values is stated."""
    rules = load_assignment(SPEC).spec.text
    turn = "Player 2, choose: D1 Invalid. Try again.\nROW A: oo\nPlayer 1 wins"
    heard = Reader(rules).read(turn, ended=False).facts
    assert [(fact.name, *fact.values.values()) for fact in read_facts(turn, rules.facts)] == [
        ("prompt", "2"), ("refusal",), ("row", "a", "2"), ("winner", "1"), ("winning",),
    ]  # fmt: skip
    assert tuple(dict.fromkeys(heard)) == read_facts(turn, rules.facts)
