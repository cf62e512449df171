"""The games with invalid answers that a set draws: after each kind of event comes each other kind, in one game or another."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path

import pytest

from grader.games.follow.following import Reader, Rulings, drawing, follow
from grader.games.heaps.facing import AGAIN, MOVE, State
from grader.games.referee import Referee, of_module
from grader.sessions.reference import SpeakingReference, load_module, talking
from grader.spec.loader import load_assignment

ROOT = Path(__file__).parents[2]
VALID = "valid"


def event(before: State, after: State) -> str:
    """The kind of an answer: a valid move, or why it must be refused; nothing where it is only a part of a move, or another question."""
    part = before.asks == MOVE and not after.wrong and after.move is None
    begins = not before.possible or before.asks == AGAIN
    return "" if part or begins else after.wrong or VALID


def noting(referee: Referee, events: list[str]) -> Referee:
    """The referee, which notes what is typed."""

    def answer(state: Hashable, question: str, text: str) -> Hashable:
        after = referee.answer(state, question, text)
        assert isinstance(state, State)
        assert isinstance(after, State)
        events.append(AGAIN if state.asks == AGAIN else event(state, after))
        return after

    return replace(referee, answer=answer)


@pytest.mark.parametrize("name", ["lc3-nim", "c-nim", "java-nim"])
def test_each_kind_of_event_follows_each(name: str) -> None:
    """Valid moves and invalid ones of each kind, in pairs: what one leaves behind shows in the next, in a second game as well."""
    assignment = load_assignment(ROOT / "specs" / f"{name}.yaml")
    spec = assignment.spec
    reference = (ROOT / "specs" / str(spec.reference)).resolve()
    module = load_module(reference)
    referee, play, reader = of_module(module, name), talking(module, name), Reader(spec.text)
    pairs: set[tuple[str, str]] = set()
    second: set[str] = set()
    for number in range(spec.games["wrong"].games):
        events: list[str] = []
        session = SpeakingReference(play, echo=spec.text.echo == "program")
        draw, start = drawing(spec.games["wrong"], number), referee.start(number)
        follow(session, Rulings(noting(referee, events), reader, pure=False), draw, start=start)
        moves = [one for one in events if one not in ("", AGAIN)]
        pairs.update(pairwise(moves))
        second.update(events[events.index(AGAIN) :] if AGAIN in events else ())
    kinds = {kind for pair in pairs for kind in pair}
    assert len(kinds) >= 5
    assert set(product(kinds, kinds)) - pairs == set()
    assert not second or kinds <= second
