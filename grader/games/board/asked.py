"""What the waits of a program with a board are for."""

from __future__ import annotations

from grader.games.learn.way import Key
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Role:
    """What a wait is for: a ``column``, an ``offer`` to take a move back, a ``pause``, or it is ``over``.

    ``keep`` goes on, ``undo`` takes back.
    """

    kind: str
    keep: str = ""
    undo: str | None = None


COLUMN = Role("column")
OVER = Role("over")
UNKNOWN = Role("unknown")


def elsewhere(key: Key) -> Key:
    """A key without the place that the code returns to."""
    wants, place, line = key
    return wants, place[:1] if isinstance(place, tuple) else place, line
