"""Events as reports name them."""

from __future__ import annotations

import pytest

from grader.games.event import Asked, Event, Named, Refused, Shown, Told


@pytest.mark.parametrize(
    ("event", "name", "values"),
    [
        (Shown((5, 4, 3)), "shown", {"heaps": "5 4 3"}),
        (Told(1, 2, quote="I take 2 from B."), "told", {"heap": "2", "count": "2"}),
        (Named(None, quote="Hooray!"), "named", {}),
        (Asked("move", 2), "asked", {"question": "move", "player": "2"}),
        (Refused(quote="Nope."), "refused", {}),
    ],
)
def test_a_report_says_how_a_sentence_was_read(event: Event, name: str, values: dict[str, str]) -> None:
    """The name and the values of an event; people count heaps from 1."""
    assert (event.name, event.values) == (name, values)


def test_events_that_say_the_same_are_equal_whatever_the_sentence() -> None:
    """A quote is for people."""
    assert Told(1, 2, quote="I take 2 from B.") == Told(1, 2) != Told(2, 1)
    assert len({Refused(quote="Nope."), Refused()}) == 1
