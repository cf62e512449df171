"""How a program is led through a game: which of its waits asks for a column, and how it goes on at each of the others.

What a wait means is found by what comes of answers to it: where a piece dropped in a fork lands, and whose it is, tells the position
and who moves. A wait that was met once is known by its key from then on.
"""

from __future__ import annotations

from collections.abc import Sequence

from grader.checks.ending import faulty
from grader.games.board.asked import UNKNOWN
from grader.games.board.corrections import Corrections
from grader.games.board.layout import Layout
from grader.games.board.memory import MemoryLayout
from grader.games.board.position import Spot
from grader.games.board.roles import MOST_UNKNOWN, Roles
from grader.games.board.situations import Situations
from grader.games.board.talk import Talk
from grader.reading.picture import Picture
from grader.reading.runs import Answers, Run, Runs
from grader.values import dataclass

MOST_STEPS = 8
"""So many waits between two columns are gone through; behind that nobody knows where we are."""


@dataclass(frozen=True, slots=True)
class Reached:
    """Where an answer has led: ``kind`` is ``column``, ``over``, ``ended``, ``broke`` or ``unknown``.

    ``text`` was printed since that answer, and ``boards`` are those in it. ``offer`` are the answers before the offer to take the
    move back was answered, None where none was made.
    """

    kind: str
    run: Run
    text: str
    boards: tuple[str, ...]
    offer: Answers | None = None

    @property
    def board(self) -> str | None:
        """The last board that was shown."""
        return self.boards[-1] if self.boards else None

    @property
    def answers(self) -> Answers:
        """All that was typed so far."""
        return self.run.answers


class Dialogue(Talk):
    """The way of one program from each of its columns to the next."""

    def __init__(
        self,
        runs: Runs,
        layout: Layout | MemoryLayout,
        picture: Picture,
        labels: Sequence[str],
        *,
        seed: int | None = None,
        given: Corrections | None = None,
    ) -> None:
        super().__init__(runs, layout, picture, labels, seed=seed, given=given)
        self._situations = Situations(self)
        self._roles = Roles(self, self._situations)

    def situation(self, answers: Answers, candidates: Sequence[Spot]) -> Spot | None:
        """Which of these positions and players it is; None where it is none of them. A new game is always a candidate."""
        return self._situations.situation(answers, candidates)

    def drop(self, answers: Answers, spot: Spot, column: int, *, back: bool = False) -> Reached:
        """Type a column, and go on to where the next one is asked for; ``back`` takes the move back where that is offered."""
        return self.settle((*answers, self.labels[column]), spot, column, back=back)

    def settle(
        self, answers: Answers, spot: Spot, column: int | None, *, back: bool = False, also: Spot | None = None
    ) -> Reached:
        """Go on from the last answer to the next wait for a column.

        ``spot`` is what was before it, ``column`` what it dropped, and ``also`` what else may come of it.
        """
        texts = ""
        boards: tuple[str, ...] = ()
        offer: Answers | None = None
        for _ in range(MOST_STEPS):
            run = self.run(answers)
            texts = f"{texts}\n{run.output}" if texts else run.output
            boards = (*boards, *self.boards(run.last))
            if run.ending is not None:
                return Reached("broke" if faulty(run.ending) else "ended", run, texts, boards, offer)
            role = self.role(run.last)
            if role is UNKNOWN:
                role = self._roles.learned(run, spot, column, also)
            if role.kind == "offer" and back and role.undo is None and offer is None:
                role = self._roles.learned(run, spot, column) if self._roles.met < MOST_UNKNOWN else role
            if role.kind in ("column", "over", "unknown"):
                return Reached(role.kind, run, texts, boards, offer)
            if role.kind == "offer" and offer is None and role.undo is not None:
                offer = answers
                answers = (*answers, role.undo if back else role.keep)
            else:
                answers = (*answers, role.keep)
        return Reached("unknown", run, texts, boards, offer)
