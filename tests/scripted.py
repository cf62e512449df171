"""Programs that are written down: as a play, as the turns that a session prints, or as a class."""

from __future__ import annotations

from collections.abc import Callable

from grader.games.hear.runs import Runs
from grader.sessions.reference import Play, SpeakingReference
from grader.transcript import Ending, EndingKind

ENDED = Ending(EndingKind.ENDED, "ended")


class Written:
    """The part of a session that programs in tests have in common: they read lines, and are waited for exactly."""

    wants = "line"
    how_waits = "exact"
    instructions = 0

    def close_input(self) -> None:
        """Nobody closes it."""


class Scripted(Written):
    """A session that prints these turns, one at each wait, and comes to its ``ending`` with the last; it waits there if that is None."""

    def __init__(self, *turns: str, wants: str = "line", ending: Ending | None = ENDED) -> None:
        self.wants = wants
        self.typed: list[str] = []
        self._turns, self._ending = list(turns), ending
        self._now = ""

    def advance(self) -> Ending | None:
        """Wait, or end with the last turn."""
        self._now = self._turns.pop(0)
        return None if self._turns else self._ending

    def take_output(self) -> bytes:
        """The turn."""
        return self._now.encode()

    def send(self, text: str) -> None:
        """Remember what was typed."""
        self.typed.append(text)


def runs_of(play: Callable[[], Play]) -> Runs:
    """The runs of a play, whose questions do not repeat what was typed."""
    return Runs(lambda _seed: SpeakingReference(play, echo=False))
