"""How many games a set that covers positions has, by what each of them takes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from grader.games.reading import Reader
from grader.games.referee import Referee
from grader.grading.covering import limited
from grader.grading.trial import Trial
from grader.grading.wording import Ears
from grader.spec.kinds.runs import GameSet

EVERYWHERE = GameSet(games=260, covers="positions", inputs=80)


def heard(*, looks: bool) -> Trial:
    """A program in Java, whose games cost many runs or not."""
    ears = Ears(cast("Referee", None), cast("Reader", None), looks=looks)
    program = SimpleNamespace(simulated=None)
    parts = {"built": SimpleNamespace(decides="java"), "spec": SimpleNamespace(program=program)}
    return cast("Trial", SimpleNamespace(**parts, memory=SimpleNamespace(ears={"": ears})))


def test_machines_of_their_own_play_a_sixth_of_the_games() -> None:
    """A program that shares no Java machine would take a minute for a proof: it is tried in fewer positions, and the report says so."""
    trial = heard(looks=False)
    assert limited(trial, EVERYWHERE, "java shared").games == 260
    assert limited(trial, EVERYWHERE, "java").games == 43
    assert limited(trial, GameSet(games=14), "java").games == 14


def test_a_program_that_shows_nothing_plays_a_sixth_of_the_games() -> None:
    """What its computer moves takes many runs to find: nothing would be left of them for the other sets."""
    assert limited(heard(looks=True), EVERYWHERE, "java shared").games == 43
