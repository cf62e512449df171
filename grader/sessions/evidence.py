"""What an observed run leaves behind: all that a machine check may look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grader.machines.families import Family
from grader.machines.observe import Observations
from grader.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Evidence:
    """One observed run at its end.

    ``registers`` are the general registers, which ``family`` names; ``memory`` holds the words at the places that were
    asked for, by the names that they were asked by: None for a label that the program does not define.
    """

    family: Family
    transcript: Transcript
    observations: Observations
    registers: tuple[int, ...]
    memory: Mapping[str, int | None]
