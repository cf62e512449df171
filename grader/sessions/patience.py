"""How long a program of the computer itself is waited for: less, once it is known to hang.

A program that searches for ever hangs at another input in each game, and each time costs its whole limit. Where two runs have
passed their limits, a turn of a later run is given a sixth of them, yet always ten times as long as any turn took that came to
its end. The first turn of a run is left out of all this: a program starts up in it, and hangs in it in every run alike.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from grader.sandbox import Event, Process, Span
from grader.spec.model import Limits
from grader.transcript import Ending, EndingKind

SURE: Final = 2
"""So many runs must have passed their limits first: one alone may be a busy machine."""

_SHARE: Final = 1 / 6
_TIMES: Final = 10


class Patience:
    """How long the turns of one program are waited for, by what its runs so far have shown."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._hung: list[Ending] = []
        self._longest = Span(0.0, 0.0)

    def wait(self, process: Process, *, first: bool) -> Event:
        """Wait for the program, in the first turn of its run or a later one."""
        if first:
            return process.wait_event()
        event = process.wait_event(Span(self._share * self._limits.cpu, self._share * self._limits.wall))
        if event is not Event.LIMIT:
            took, longest = process.took, self._longest
            self._longest = Span(max(took.cpu, longest.cpu), max(took.wall, longest.wall))
        return event

    @property
    def _share(self) -> float:
        """The part of the limits that a turn is given."""
        if len(self._hung) < SURE:
            return 1
        longest, limits = self._longest, self._limits
        return min(1, max(_SHARE, _TIMES * longest.cpu / limits.cpu, _TIMES * longest.wall / limits.wall))

    def told(self, ending: Ending) -> Ending:
        """The ending of a run, which is remembered where it passed its limits, and told for what it is where they were shortened.

        What is told must not depend on how quick the machine is: so no seconds of the shortened limit are named.
        """
        if ending.kind is not EndingKind.TIME_LIMIT:
            return ending
        if self._share < 1:
            before = self._hung[0].message
            return replace(
                ending, message=f"it hangs again: in {SURE} runs before {before}; this time it was stopped sooner"
            )
        self._hung.append(ending)
        return ending
