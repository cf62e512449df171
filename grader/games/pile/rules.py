"""The pure rules of a pile game, as a reference has them, and what a spec says of how it is played."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from grader.errors import JudgeError
from grader.spec.game import Pile
from grader.values import dataclass


@dataclass(frozen=True)
class Rules:
    """How many stones may be taken of so many, how many are best, and what the spec says."""

    moves: Callable[[int], tuple[int, ...]]
    best: Callable[[int], int]
    game: Pile

    @property
    def most(self) -> int:
        """The most stones that may be taken."""
        return max(self.moves(self.game.plan.user_begins))


def rules(game: Pile, reference: ModuleType) -> Rules:
    """The rules of this game. Raises JudgeError if the reference lacks one."""
    missing = [name for name in ("moves", "best") if not callable(getattr(reference, name, None))]
    if missing:
        hint = "a pile has `moves(stones)`, the numbers that may be taken, and `best(stones)`, the one that should be"
        raise JudgeError(f"the reference has no {', '.join(missing)}", place=str(reference.__file__), hint=hint)
    return Rules(reference.moves, reference.best, game)
