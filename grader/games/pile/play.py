"""One game with one program: how it was begun, where the user was asked for a move, and where it was over."""

from __future__ import annotations

from functools import cached_property

from grader.reading.runs import Run
from grader.reading.slots import plain
from grader.reading.truth import Future, future
from grader.transcript import EndingKind
from grader.values import dataclass

FLOOD = 1 << 14
"""So much in one turn is more than anybody reads."""


@dataclass(frozen=True)
class Play:
    """One game: how it was begun, the waits at which the user was asked for a move, and the one at which it was over.

    ``over`` is the number of the wait at which the program ended or asks something behind the end; None where the game was left,
    because it went on without an end. Waits are numbered from 0.
    """

    run: Run
    stones: int
    mover: int
    opening: int
    asked: tuple[int, ...]
    over: int | None
    refused: int | None = None
    """The number of the answer before the game that was not accepted, but asked for again."""
    seed: int | None = None
    """The seed of the program's random numbers, where they are its own ones in each game."""

    @property
    def end(self) -> int:
        """The last wait of the game."""
        return len(self.run.waits) - 1 if self.over is None else self.over

    @property
    def broke(self) -> bool:
        """Whether the run came to an end before the game was asked after."""
        return self.run.ending is not None and self.over == len(self.run.waits) - 1

    @property
    def cut_short(self) -> bool:
        """Whether we cut it short: it printed no flood in any turn, and in a long game too much for us."""
        ending = self.run.ending
        limited = ending is not None and ending.kind is EndingKind.OUTPUT_LIMIT
        return limited and max(len(wait.output) for wait in self.run.waits) < FLOOD

    def said(self, start: int, stop: int) -> str:
        """What was printed behind the wait ``start`` up to the wait ``stop``."""
        return "\n".join(wait.output for wait in self.run.waits[start + 1 : stop + 1])

    def future(self, at: int) -> Future:
        """What comes after the wait ``at``."""
        return self._futures[at]

    @cached_property
    def _futures(self) -> list[Future]:
        outputs = [plain(wait.output) for wait in self.run.waits[: self.end + 1]]
        return [future(outputs[at + 1 :], ended=self.over is not None) for at in range(len(outputs))]

    def typed(self, at: int) -> str:
        """The answer at a wait."""
        return self.run.answers[at]
