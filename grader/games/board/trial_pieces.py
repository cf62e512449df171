"""Pieces that are dropped to see which of several positions there is: where each would land, and the boards that may come of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field

from grader.games.board.rules import OTHER, RIGHT, Rules, Spot
from grader.values import dataclass

Piece = tuple[int, Mapping[str, Spot]]
"""A move, and for each board that may come of it a position in which it was made."""


@dataclass(eq=False)
class TrialPieces:
    """The pieces that tell positions apart by these rules.

    An answer is tried in the same positions as two dozen others, so those of each set are worked out once. Without that they took three
    quarters of a search for a departure.
    """

    rules: Rules
    _known: dict[tuple[Spot, ...], Sequence[Piece]] = field(default_factory=dict, init=False)

    def of(self, candidates: tuple[Spot, ...]) -> Sequence[Piece]:
        """At most two pieces for these candidates, since a program may confuse a column."""
        if candidates not in self._known:
            self._known[candidates] = [(move, self._boards(move, candidates)) for move in self._moves(candidates)]
        return self._known[candidates]

    def _boards(self, move: int, candidates: Iterable[Spot]) -> Mapping[str, Spot]:
        """The boards behind the piece of a move, and the first candidate that shows each."""
        boards: dict[str, Spot] = {}
        for candidate in candidates:
            # where all pieces have the same mark, nobody sees whose turn it is
            for player in candidate.mover if self.rules.conduct.mark else "AB":
                board = self.rules.dropped(candidate.position, move, player)
                boards.setdefault(board, Spot(candidate.position, player))
        return boards

    def _moves(self, spots: Iterable[Spot]) -> list[int]:
        """Moves whose piece cannot be mistaken: legal, and landing in the same cell in all positions, so that none is another's next."""
        positions = [spot.position for spot in spots if spot.position != self.rules.start]
        cells = {move: {self.rules.lands(position, move) for position in positions} for move in self.rules.order}
        legal = [move for move in self.rules.order if None not in cells[move] and not self._replaces(positions, move)]
        free = sorted(legal, key=lambda move: len(cells[move]) > 1)
        # Where the first is refused, so may be another in a high row: a program may take one piece too few in each column.
        return [*free[:1], *sorted(free[1:], key=lambda move: (len(cells[move]) > 1, self._height(cells[move])))[:1]]

    def _height(self, cells: Collection[int | None]) -> int:
        """The highest row among these cells."""
        return max((cell % self.rules.rows for cell in cells if cell is not None), default=0)

    def _replaces(self, positions: Collection[str], move: int) -> bool:
        """Whether a piece may lie where a piece of the same player lay: then nobody sees it."""
        if self.rules.conduct is RIGHT:
            return False
        return any(self.rules.dropped(position, move, player) == position for position in positions for player in OTHER)
