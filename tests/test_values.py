"""Our values are what dataclasses are: compared, hashed and shown by their fields."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re
from functools import cached_property
from pathlib import Path

import pytest

from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Point:
    """One with a field that does not count, and one that is not shown."""

    x: int
    y: int = 0
    note: str = dataclasses.field(default="", compare=False)
    held: dict[str, int] = dataclasses.field(default_factory=dict, hash=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Named(Point):
    """One that also has the fields of another."""

    name: str


@dataclass(frozen=True)
class Alone:
    """One with a single field, and a value that is worked out once."""

    x: int

    @cached_property
    def twice(self) -> int:
        """Worked out once."""
        return 2 * self.x


@dataclass(frozen=True, slots=True)
class Empty:
    """One without fields."""


@dataclass(frozen=True, slots=True)
class Own:
    """One that says itself what it is equal to."""

    x: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own)

    def __hash__(self) -> int:
        return 7

    def __repr__(self) -> str:
        return "own"


def test_values_are_equal_by_the_fields_that_count():
    """Values are equal if they have the same class and the same compared fields; nothing else is equal to them."""
    assert Point(1, 2, "a") == Point(1, 2, "b")
    assert Point(1, 2) != Point(1, 3)
    assert Point(1, held={"a": 1}) != Point(1)
    assert Point(1) != (1, 0, "", {})
    assert Named(x=1, name="a") != Point(1)
    assert Empty() == Empty()
    assert Alone(1) == Alone(1) != Alone(2)


def test_equal_values_have_one_hash():
    """By the fields that are hashed alone."""
    assert len({Point(1, held={"a": 1}), Point(1), Point(1, note="b")}) == 2
    assert hash(Point(1, held={"a": 1})) == hash(Point(1))
    assert {Alone(1): "a"}[Alone(1)] == "a"
    assert {Empty(): "a"}[Empty()] == "a"


def test_a_value_is_shown_as_it_is_made():
    """With the names of its fields, except those that are left out."""
    assert repr(Named(x=1, note="n", name="a")) == "Named(x=1, y=0, note='n', name='a')"
    assert repr(Empty()) == "Empty()"


def test_what_a_class_says_itself_is_kept():
    """Equality, hash and text of its own."""
    assert Own(1) == Own(2)
    assert (hash(Own(1)), repr(Own(1))) == (7, "own")


@pytest.mark.parametrize("value", [Point(1, 2, "n", {"a": 1}), Named(x=1, name="a"), Alone(1), Empty()])
def test_a_value_is_copied_and_sent_as_it_is(value):
    """By pickle, copy and replace; it is a dataclass to all that ask."""
    assert pickle.loads(pickle.dumps(value)) == value
    assert copy.copy(value) == dataclasses.replace(value) == value
    assert dataclasses.is_dataclass(value)


def test_a_value_with_slots_has_no_place_for_more():
    """As without our help."""
    with pytest.raises(AttributeError):
        Point(1).other = 1  # type: ignore[attr-defined]
    assert Alone(2).twice == 4


def test_every_frozen_value_is_defined_so():
    """The classes that a command imports: one that is defined by dataclasses takes four times as long. The results are, which nobody may change."""
    package = Path(__file__).parents[1] / "grader"
    theirs = re.compile(r"^from dataclasses import .*\bdataclass\b", re.MULTILINE)
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if "@dataclass(frozen=True" in (text := path.read_text(encoding="utf-8")) and theirs.search(text)
    }
    assert found == {"results.py"}
