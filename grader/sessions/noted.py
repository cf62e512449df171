"""The notes of a caged program on itself: the functions that were active when it broke, or while it went on and on."""

from __future__ import annotations

from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Active:
    """A function that is active: its name, and the file and the line that it has come to; all empty of a library's."""

    function: str = ""
    file: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Note:
    """One note: the signal, and the functions that were active, the innermost first; ``deep`` where there were more."""

    signal: int
    active: tuple[Active, ...]
    deep: bool = False
