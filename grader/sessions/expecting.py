"""Dialogues in steps over any session: what a program prints up to a wait, or to its end, is matched in order.

A wait for input is no matter of time here: nothing more will come until something is typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from grader.bounded import bounded
from grader.sessions.session import END_OF_INPUT, Account, Session
from grader.spec.expectations import ENTER
from grader.spec.kinds.dialogue import Step
from grader.transcript import Ending, Transcript
from grader.values import dataclass


class Listener:
    """The output of a live session in this turn. ``ending`` is how the program ended, if it has."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self.ending: Ending | None = None
        self._rest = ""
        self._heard = False

    def rest(self) -> str:
        """All that the program has printed in this turn and that no pattern has used up, as patterns see it."""
        if not self._heard:
            self.ending = self.account.listen()
            self._heard = True
            # A line of wide blank cells once held a pattern of a spec for 14 s.
            self._rest = bounded(self.account.output)
        return self._rest

    def finds(self, pattern: str) -> bool:
        """Whether a pattern is found in the rest, which is used up as far as the match."""
        # One that nothing satisfies is found before the program has printed anything.
        match = re.search(pattern, self._rest, re.DOTALL) or re.search(pattern, self.rest(), re.DOTALL)
        if match is not None:
            self._rest = self._rest[match.end() :]
        return match is not None

    def say(self, text: str) -> None:
        """Type something, or end the input with ``END_OF_INPUT``; what was not matched before is forgotten."""
        self.account.say(text)
        self._rest, self._heard = "", False


@dataclass(frozen=True, slots=True)
class Performed:
    """A dialogue as far as it went: the account, and the step (from 1) that failed with what stood in its place."""

    transcript: Transcript
    failed: int | None = None
    found: str = ""


def perform(session: Session, steps: Iterable[Step]) -> Performed:
    """Take each step until one fails."""
    listener = Listener(Account(session))
    for number, step in enumerate(steps, start=1):
        rest = _taken(listener, step)
        if rest is not None:
            return Performed(listener.account.closed(listener.ending), number, rest)
    listener.rest()
    return Performed(listener.account.closed(listener.ending))


def _taken(listener: Listener, step: Step) -> str | None:
    """None when a step succeeds, else what stands where it failed."""
    if step.expect is not None:
        return None if listener.finds(step.expect) else listener.rest()
    rest = listener.rest()
    if step.refuse is not None:
        return rest if re.search(step.refuse, rest) else None
    if step.ends:
        return None if listener.ending else rest
    if listener.ending:
        return rest
    keys = step.keys if step.keys is not None else f"{step.send}{ENTER}"
    listener.say(END_OF_INPUT if step.close else keys)
    return None
