"""How a program plays: where its pieces go, whose they are, and whose turn comes then, as fields that say how that departs from the rules.

The departures of a family are rows with a field and a value of it (``learn.fit``). Rules with such a conduct foretell every board of a
program that plays so, and play goes on by them.
"""

from __future__ import annotations

from grader.values import dataclass

EMPTY = "."
"""The sign of an empty cell in a position."""


@dataclass(frozen=True, slots=True)
class Conduct:
    """The conduct of a program; all fields as they are here are right.

    ``into`` is the only column that takes pieces, or below 0. A piece lies ``beside`` the free cell that was found for
    it, by so many columns and rows. Only each ``jump``-th row of its column is looked at, and ``most`` pieces are
    taken; one that ``replaces`` goes into the lowest cell, whatever lies there. ``mark`` is the player whose piece every piece is, and of a player who
    ``stays`` it is the turn again.
    """

    into: int = -1
    beside: tuple[int, int] = (0, 0)
    jump: int = 1
    most: int = 99
    replaces: bool = False
    mark: str = ""
    stays: str = ""

    def free(self, position: str, column: int, looked_at: range, rows: int) -> tuple[int, int] | None:
        """The column and row of the first free cell of those rows that are ``looked_at``; None if the program refuses the piece."""
        column = column if self.into < 0 else self.into
        for row in looked_at[:: self.jump][: self.most]:
            if self.replaces or position[column * rows + row] == EMPTY:
                return column, row
        # who steps over rows steps over the last one as well, and refuses nothing
        return (column, rows) if self.jump > 1 else None

    def cell(self, free: tuple[int, int], size: tuple[int, int]) -> int | None:
        """The cell in which the piece lies for which a free one was found; None if that is beside the board."""
        columns, rows = size
        column, row = free[0] + self.beside[0], free[1] + self.beside[1]
        return column * rows + row if 0 <= column < columns and 0 <= row < rows else None


RIGHT = Conduct()
