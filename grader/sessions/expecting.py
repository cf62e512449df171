"""Dialogues in steps, with pexpect's matching over any session: what a program prints up to a wait is matched once.

A wait for input is pexpect's TIMEOUT, for nothing more will come until something is typed; an ending is its EOF. Neither
is a matter of time here. pexpect opens terminals on import, so only those who play such dialogues import this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from io import StringIO
from typing import TYPE_CHECKING

from pexpect.exceptions import EOF, TIMEOUT
from pexpect.spawnbase import SpawnBase

from grader.bounded import bounded
from grader.sessions.session import END_OF_INPUT, Account, Session
from grader.spec.expectations import ENTER
from grader.spec.kinds.dialogue import Step
from grader.transcript import Ending, Transcript
from grader.values import dataclass

if TYPE_CHECKING:
    _SpawnBase = SpawnBase[str]  # generic in its stubs alone
else:
    _SpawnBase = SpawnBase


class Listener(_SpawnBase):
    """pexpect on a live session: ``expect``, ``before``, ``match``. ``ending`` is how the program ended, if it has."""

    def __init__(self, account: Account) -> None:
        super().__init__(timeout=None, encoding="utf-8")
        # pexpect sleeps after each read, for terminals that are slow.
        self.delayafterread = None
        self.account = account
        self.ending: Ending | None = None
        self._heard = False

    def read_nonblocking(self, size: int = 1, timeout: float | None = None) -> str:  # noqa: ARG002  pexpect's signature
        """The output up to the next wait or the end, as patterns see it. Raises EOF and TIMEOUT when that was read."""
        if self._heard:
            raise EOF("it has ended") if self.ending else TIMEOUT("it waits for input")
        self.ending = self.account.listen()
        self._heard = True
        # A line of wide blank cells once held a pattern of a spec for 14 s.
        return bounded(self.account.output)

    def rest(self) -> str:
        """All that the program has printed in this turn and that no ``expect`` has used up; it stays to be matched."""
        self.expect([EOF, TIMEOUT])
        text = str(self.before)
        self._keep(text)
        return text

    def say(self, text: str) -> None:
        """Type something, or end the input with ``END_OF_INPUT``; what was not matched before is forgotten."""
        self.account.say(text)
        self._keep("")
        self._heard = False

    def _keep(self, text: str) -> None:
        # Once a TIMEOUT is matched pexpect holds what came before it for used up; `refuse` and `ends` only look.
        self.buffer = text
        self._before = StringIO()
        self._before.write(text)


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
        return None if listener.expect([step.expect, EOF, TIMEOUT]) == 0 else str(listener.before)
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
