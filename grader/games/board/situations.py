"""Which position a program is in, and who moves: a piece is dropped aside, and where it lands and whose it is tells both."""

from __future__ import annotations

from collections.abc import Sequence

from grader.games.board.asked import UNKNOWN
from grader.games.board.position import COLUMNS, ROWS, START, Spot, dropped, height
from grader.games.board.talk import Talk
from grader.games.learn.questions import GOES_ON, allowed, mentioned
from grader.games.learn.way import key_of
from grader.reading.runs import Answers, Run

ORDER = (4, 2, 3, 1, 5, 0, 6)
"""In this order columns are tried to see where we are."""

MOST_BEHIND = 12
"""So many answers are tried at a question behind which a piece may be shown."""


class Situations:
    """Finds out where a program is."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk

    def situation(self, answers: Answers, candidates: Sequence[Spot]) -> Spot | None:
        """Which of these positions and players it is, by a piece that is dropped aside; None where it is none of them.

        An empty board is always a candidate: a new game.
        """
        every = (*candidates, Spot(START, "A"))
        for column in self._free(every)[:2]:  # a program may confuse a column
            found, over = self._seen_by(answers, column, every)
            if found is not None or over:
                return found
        return None

    def _seen_by(self, answers: Answers, column: int, candidates: Sequence[Spot]) -> tuple[Spot | None, bool]:
        """The situation that a piece in this column shows, and whether another column would show no more."""
        typed = (*answers, self.talk.labels[column])
        for _ in range(3):
            run = self.talk.run(typed)
            found = self._shown_by(run, column, candidates)
            if found is not None:
                return found, True
            if run.ending is not None:
                return None, not self.talk.boards(run.last)
            role = self.talk.role(run.last)
            if role is UNKNOWN and key_of(run.last) != key_of(run.waits[len(answers)]):
                return self._behind_unknown(run, column, candidates), True
            if role.kind not in ("offer", "pause"):
                return None, False
            typed = (*typed, role.keep)
        return None, False

    def _shown_by(self, run: Run, column: int, candidates: Sequence[Spot]) -> Spot | None:
        """The candidate that a board behind a piece in a column shows."""
        for board in reversed(self.talk.boards(run.last)[-2:]):
            for candidate in candidates:
                for player in "AB":
                    if dropped(candidate.position, column, player) == board:
                        return Spot(candidate.position, player)
        return None

    def _behind_unknown(self, run: Run, column: int, candidates: Sequence[Spot]) -> Spot | None:
        """The candidate that is shown behind a question that was not met before: some show a piece only once it is kept."""
        for text in allowed((*mentioned(run.output)[:6], *GOES_ON[:8]), run.last.wants)[:MOST_BEHIND]:
            found = self._shown_by(self.talk.run((*run.answers, text)), column, candidates)
            if found is not None:
                return found
        return None

    @staticmethod
    def _free(spots: Sequence[Spot]) -> list[int]:
        """Columns whose piece cannot be mistaken: not full, and equally high in all positions, so that none is another's next."""
        heights = [[height(one.position, c) for one in spots if one.position != START] for c in range(COLUMNS)]
        equal = [c for c in ORDER if not heights[c] or (len(set(heights[c])) == 1 and heights[c][0] < ROWS)]
        free = [c for c in ORDER if c not in equal and max(heights[c]) < ROWS]
        return [*equal, *free]
