"""Programs that are written down as a play, for tests of what is found by experiment."""

from __future__ import annotations

from collections.abc import Callable

from grader.reading.runs import Runs
from grader.sessions.reference import Play, SpeakingReference


def runs_of(play: Callable[[], Play]) -> Runs:
    """The runs of a play, whose questions do not repeat what was typed."""
    return Runs(lambda _seed: SpeakingReference(play, echo=False))
