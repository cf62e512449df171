"""The few verbs that everything which talks offers, and the driver that plays a list of inputs on it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from grader.transcript import Ending, EndingKind, Transcript, Turn, Usage, decode


class Session(Protocol):
    """One live run of a program."""

    def advance(self) -> Ending | None:
        """Run until the program waits for input (None) or has ended."""

    def take_output(self) -> bytes:
        """What was printed since last taken."""

    def send(self, text: str) -> None:
        """Give it what was typed."""

    @property
    def instructions(self) -> int:
        """How many instructions were executed since the start; 0 where nobody counts."""


def play(session: Session, inputs: Iterable[str]) -> Transcript:
    """Give each input when the program waits for it, until it ends or the inputs are used up.

    A program that waits after the last input is left waiting: its input is not closed.
    """
    turns: list[Turn] = []
    size = 0
    for text in inputs:
        ending = session.advance()
        printed = session.take_output()
        size += len(printed)
        if ending is not None:
            return _transcript(turns, Turn(decode(printed)), ending, session, size)
        turns.append(Turn(decode(printed), text))
        session.send(text)
    ending = session.advance() or Ending(EndingKind.STILL_WAITING, "the program waits for more input")
    printed = session.take_output()
    return _transcript(turns, Turn(decode(printed)), ending, session, size + len(printed))


def _transcript(turns: list[Turn], last: Turn, ending: Ending, session: Session, size: int) -> Transcript:
    usage = Usage(session.instructions, len(turns) + 1, size)
    return Transcript((*turns, last), ending, usage)
