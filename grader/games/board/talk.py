"""One program as it is talked to: its runs, where its board lies, how moves are typed, and what its waits are for as far as that is known."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field

from grader.games.board.conduct import RIGHT
from grader.games.board.corrections import Corrections, name_of
from grader.games.board.layout import Layout
from grader.games.board.memory import MemoryLayout
from grader.games.board.rules import OTHER, Labels, Rules, Spot
from grader.games.board.spoken import spoken
from grader.games.hear.picture import MOST, MOST_LINES, Picture
from grader.games.hear.runs import Answers, Run, Runs, Wait
from grader.games.learn.questions import GOES_ON, allowed, mentioned
from grader.games.learn.way import Key, key_of
from grader.values import dataclass

MOST_BEHIND = 12
"""Maximum answers tried at a question behind which a piece may be shown."""


@dataclass(frozen=True, slots=True)
class Role:
    """The meaning of a wait: a ``column``, an ``offer`` to take a move back, a ``pause``, or it is ``over``.

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


@dataclass(eq=False)
class Talk:
    """The known facts about talking to a program, and the position that it is in."""

    rules: Rules
    runs: Runs
    layout: Layout | MemoryLayout
    picture: Picture
    labels: Labels
    corrections: Corrections = field(default_factory=Corrections)
    seed: int | None = None
    roles: dict[Key, Role] = field(default_factory=dict)
    quotes: dict[Key, str] = field(default_factory=dict)

    def run(self, answers: Sequence[str]) -> Run:
        """The run that comes of answers."""
        return self.runs.run(answers, self.seed)

    @contextmanager
    def seeded(self, seed: int | None) -> Iterator[None]:
        """Talk to the program with other random numbers for a while."""
        before, self.seed = self.seed, seed
        try:
            yield
        finally:
            self.seed = before

    def label(self, move: int) -> str:
        """The label of a move in messages: what is typed for it."""
        return " ".join(self.labels[move])

    def boards(self, wait: Wait) -> tuple[str, ...]:
        """The boards that are shown before a wait; where they are only painted, the one that is in memory then."""
        if not self.layout.drawn:
            return self.layout.boards(wait.seen)
        text = wait.output
        if wait.ending is not None and len(text) > MOST:  # the board stands before the flood in which the program ended
            text = "\n".join(text[:MOST].split("\n")[:MOST_LINES])
        return self.layout.boards(self.picture.text(text))

    def role(self, wait: Wait) -> Role:
        """The role of a wait, as far as it is known."""
        key = key_of(wait)
        known = self.roles.get(key)
        if known is None and wait.place:  # the same question, asked from another place in the code
            alike = {role for other, role in self.roles.items() if elsewhere(other) == elsewhere(key)}
            known = alike.pop() if len(alike) == 1 else None
        return known or UNKNOWN

    def situation(self, answers: Answers, candidates: Sequence[Spot]) -> Spot | None:
        """The matching position and player among candidates; None if no candidate matches.

        A piece is dropped aside, and where it lands and whose it is tells both. An empty board is always a candidate: a new game.
        """
        every = (*candidates, Spot(self.rules.start, "A"))
        for move in self._free(every)[:2]:  # a program may confuse a column
            spot, over = self._situation_by(answers, move, every)
            if spot is not None or over:
                return spot
        return None

    def _situation_by(self, answers: Answers, move: int, candidates: Sequence[Spot]) -> tuple[Spot | None, bool]:
        """The situation that the piece of this move shows, and whether another move would show no more."""
        path = (*answers, *self.labels[move])
        for _ in range(3):
            run = self.run(path)
            spot = self._shown_by(run, move, candidates)
            if spot is not None:
                return spot, True
            if run.ending is not None:
                return None, not self.boards(run.last)
            role = self.role(run.last)
            if role is UNKNOWN and key_of(run.last) != key_of(run.waits[len(answers)]):
                return self._behind_unknown(run, move, candidates), True
            if role.kind not in ("offer", "pause"):
                return None, False
            path = (*path, role.keep)
        return None, False

    def _shown_by(self, run: Run, move: int, candidates: Sequence[Spot]) -> Spot | None:
        """The candidate that a board behind the piece of a move shows."""
        for board in reversed(self.boards(run.last)[-2:]):
            for candidate in candidates:
                # where all pieces have the same mark, nobody sees whose turn it is
                for player in candidate.mover if self.rules.conduct.mark else "AB":
                    if self.rules.dropped(candidate.position, move, player) == board:
                        return Spot(candidate.position, player)
        return None

    def _behind_unknown(self, run: Run, move: int, candidates: Sequence[Spot]) -> Spot | None:
        """The candidate that is shown behind a question that was not met before: some show a piece only once it is kept."""
        for text in allowed((*mentioned(run.output)[:6], *GOES_ON[:8]), run.last.wants)[:MOST_BEHIND]:
            spot = self._shown_by(self.run((*run.answers, text)), move, candidates)
            if spot is not None:
                return spot
        return None

    def _free(self, spots: Sequence[Spot]) -> list[int]:
        """Moves whose piece cannot be mistaken: legal, and landing in the same cell in all positions, so that none is another's next."""
        positions = [spot.position for spot in spots if spot.position != self.rules.start]
        cells = {move: {self.rules.lands(position, move) for position in positions} for move in self.rules.order}
        legal = [move for move in self.rules.order if None not in cells[move] and not self._replaces(positions, move)]
        return sorted(legal, key=lambda move: len(cells[move]) > 1)

    def _replaces(self, positions: Collection[str], move: int) -> bool:
        """Whether a piece may lie where a piece of the same player lay: then nobody sees it."""
        if self.rules.conduct is RIGHT:
            return False
        return any(self.rules.dropped(position, move, player) == position for position in positions for player in OTHER)


def labels_at(rules: Rules, runs: Runs, run: Run, corrections: Corrections) -> dict[str, Labels]:
    """The ways to type moves that can be typed at a wait, by their names: the one that staff have set, else all that are known."""
    by_name = {**rules.labels, **spoken(rules, runs, run)}
    if corrections.labels is not None:
        by_name = {name_of(corrections.labels, rules): corrections.labels}
    return {name: labels for name, labels in by_name.items() if typeable(labels, run.last.wants)}


def typeable(labels: Labels, wants: str) -> bool:
    """Whether all these labels can be typed at a wait for a key, a line or a number."""
    texts = list(dict.fromkeys(text for answers in labels for text in answers))
    return allowed(texts, wants) == texts
