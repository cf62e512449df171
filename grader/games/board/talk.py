"""One program as it is talked to: its runs, where its board lies, how columns are typed, and what its waits are for as far as that is known."""

from __future__ import annotations

from collections.abc import Sequence

from grader.games.board.asked import UNKNOWN, Role, elsewhere
from grader.games.board.corrections import Corrections
from grader.games.board.layout import Layout
from grader.games.board.memory import MemoryLayout
from grader.games.learn.way import Key, key_of
from grader.reading.picture import Picture
from grader.reading.runs import Run, Runs, Wait


class Talk:
    """What is known of how a program is talked to."""

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
        self.runs = runs
        self.layout = layout
        self.picture = picture
        self.labels = tuple(labels)
        self.seed = seed
        self.given = given or Corrections()
        self.roles: dict[Key, Role] = {}
        self.quotes: dict[Key, str] = {}

    def run(self, answers: Sequence[str]) -> Run:
        """What comes of answers."""
        return self.runs.run(answers, self.seed)

    def boards(self, wait: Wait) -> tuple[str, ...]:
        """The boards that are shown before a wait; where they are only painted, the one that is in memory then."""
        if not self.layout.drawn:
            return self.layout.boards(wait.seen)
        return self.layout.boards(self.picture.text(wait.output))

    def role(self, wait: Wait) -> Role:
        """What a wait is for, as far as it is known."""
        key = key_of(wait)
        known = self.roles.get(key)
        if known is None and wait.place:  # the same question, asked from another place in the code
            alike = {role for other, role in self.roles.items() if elsewhere(other) == elsewhere(key)}
            known = alike.pop() if len(alike) == 1 else None
        return known or UNKNOWN
