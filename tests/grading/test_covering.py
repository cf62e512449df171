"""How many games a set that covers positions has, by what each of them takes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from grader.games.ground import Ground
from grader.grading.dialects import Ears
from grader.spec.kinds.runs import GameSet

EVERYWHERE = GameSet(games=260, covers="positions", inputs=80)


def games(profile: str, wanted: GameSet = EVERYWHERE, *, looks: bool = False) -> int:
    """The number of games of a set, for a program in Java whose games cost many runs or not."""
    ground = Ground("places", lambda *_: None, lambda _: (), lambda *_: None)
    trial = SimpleNamespace(built=SimpleNamespace(decides="java"))
    rulings = SimpleNamespace(referee=SimpleNamespace(known_ground=ground))
    return Ears(cast("Any", trial), profile, cast("Any", rulings), looks=looks).of(wanted).games.games


def test_machines_of_their_own_play_a_sixth_of_the_games() -> None:
    """A program that shares no Java machine would take a minute for a proof: it is tried in fewer positions, and the report says so."""
    assert games("java shared") == 260
    assert games("java") == 43
    assert games("java", GameSet(games=14)) == 14


def test_a_program_that_shows_nothing_plays_a_sixth_of_the_games() -> None:
    """What its computer moves takes many runs to find: nothing would be left of them for the other sets."""
    assert games("java shared", looks=True) == 43
