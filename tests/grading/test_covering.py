"""How many games a set that covers positions has, by what each of them takes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from grader.grading.covering import limited
from grader.grading.trial import Trial
from grader.spec.model import GameSet

EVERYWHERE = GameSet(games=260, covers="positions", inputs=80)


def test_machines_of_their_own_play_a_sixth_of_the_games() -> None:
    """A program that shares no Java machine would take a minute for a proof: it is tried in fewer positions, and the report says so."""
    trial = cast(Trial, SimpleNamespace(built=SimpleNamespace(decides="java")))
    assert limited(trial, EVERYWHERE, "java shared").games == 260
    assert limited(trial, EVERYWHERE, "java").games == 43
    assert limited(trial, GameSet(games=14), "java").games == 14
