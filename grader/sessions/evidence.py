"""What an observed run leaves behind: all that a machine check may look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from grader.machines.families import Family
from grader.machines.observe import Observations
from grader.spec.things import Odd, Thing
from grader.transcript import Transcript
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Evidence:
    """One observed run at its end.

    ``registers`` are the general registers, which ``family`` names; ``memory`` holds the words at the places that were
    asked for, by the names that they were asked by: None for a label that the program does not define. ``left`` are other things
    that were asked for, each as it is expected and as it was found, and None where there is no such label. ``unread`` keys
    were typed and not read.
    """

    family: Family
    transcript: Transcript
    observations: Observations
    registers: tuple[int, ...]
    memory: Mapping[str, int | None]
    left: Mapping[str, tuple[Thing, Thing | Odd | None]] = field(default_factory=dict)
    unread: int = 0
