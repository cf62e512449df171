"""The rules of a game in which two players fill a board in turn, as a value: all else in this package takes it.

A position is a string, column by column from the lowest row, with a sign for each cell. The players are ``A`` and ``B``, by their
marks; which of them begins is another matter. A move is a number: a column into which a piece falls, or else a cell.

Rules have a conduct: where the pieces of a program go, whose they are, and whose turn comes then. The departures of a family are rows with
a field and a value of it (``learn.fit``). Rules with such a conduct foretell every board of a program that plays so, and play goes on by them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from grader.games.hear.runs import Answers
from grader.games.learn.fit import Departure
from grader.values import dataclass

EMPTY = "."
"""The sign of an empty cell in a position."""

OTHER = {"A": "B", "B": "A"}

DIRECTIONS = {"across": (1, 0), "upwards": (0, 1), "rising": (1, 1), "falling": (1, -1)}
"""The directions of lines, as steps to the right and upwards."""

Moves = tuple[int, ...]

Labels = tuple[Answers, ...]
"""How each move is typed: one answer, or several, such as a row and a column."""

PlannedGame = tuple[Moves, Mapping[int, Moves]]
"""A game as its moves, and by the number of pieces before them the moves that complete a line in a fork aside of it."""


class Spot(NamedTuple):
    """A position, and the player whose turn it is."""

    position: str
    mover: str


@dataclass(frozen=True, slots=True)
class Conduct:
    """The conduct of a program; all fields as they are here are right.

    ``into`` is the only column that takes pieces, or below 0. A piece lies ``beside`` the free cell that was found for
    it, by so many columns and rows. Only each ``jump``-th row of its column is looked at, and ``most`` pieces are
    taken. Each column ``leads`` to the column in which its pieces fall, or to one below 0 if it takes none. A piece that ``replaces`` goes into the lowest cell, whatever lies there. ``mark`` is the player whose piece every piece is, and of a player who
    ``stays`` it is the turn again.
    """

    into: int = -1
    leads: Moves = ()
    beside: tuple[int, int] = (0, 0)
    jump: int = 1
    most: int = 99
    replaces: bool = False
    mark: str = ""
    stays: str = ""

    def free(self, position: str, column: int, looked_at: range, rows: int) -> tuple[int, int] | None:
        """The column and row of the first free cell of those rows that are ``looked_at``; None if the program refuses the piece."""
        column = self.into if self.into >= 0 else self.leads[column] if self.leads else column
        if column < 0:
            return None
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


@dataclass(frozen=True, slots=True)
class Wrong:
    """A wrong answer: ``kind`` is ``missing`` or that the cell is taken, and ``before`` are the moves before it.

    ``finished`` is the move that the same answers end in where only the last of them is asked again.
    """

    kind: str
    before: Moves
    typed: Answers
    finished: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The sentences about a program that name its moves, whole, since no language could put them together from parts.

    ``{move}`` stands for the label of a move. The ``noun`` with an s is the key of the lesson that tells how moves are typed.
    """

    noun: str
    # --- lessons, and reasons why some are missing
    typed_before: str
    asked_first: str
    typed_as: str
    no_first: str
    no_labels: str
    no_question: str
    no_board: str
    no_board_so: str
    # --- faults
    place: str
    hangs: str = ""
    moved_before: str
    other_board: str
    same_board: str
    not_in_memory: str
    refused: str
    asked_again: str
    same_question: str
    missed: str
    tie_after_line: str
    win_without_line: str
    winner_without_line: str
    unclear_wrong: str
    ends_at_wrong: str
    missing: str
    taken: str
    carried_out: str


@dataclass(frozen=True, kw_only=True)
class Rules:
    """One game.

    ``labels`` are the ways in which programs may take moves, by their names in lessons. ``fits`` columns at least must show a piece: a
    program that confuses one can still be read. ``known_game`` has no line; ``read`` of its boards at least must be right. ``order`` are the moves that are tried to see a position, and who begins wins the ``quick`` game.
    ``wrong`` are the wrong answers to try, by labels and by what the program waits for. ``conduct`` is how a program plays the game. It may
    have ``departures``; ``trials`` are games that show each of them before a line is made.
    """

    columns: int
    rows: int
    length: int
    falls: bool
    words: Words
    labels: Mapping[str, Labels]
    fits: int
    known_game: Moves
    read: int
    order: Moves
    quick: Moves
    games: Sequence[PlannedGame]
    wrong: Callable[[Labels, str], Iterable[Wrong]]
    departures: Sequence[Departure] = ()
    trials: Sequence[Moves] = ()
    conduct: Conduct = RIGHT

    @cached_property
    def start(self) -> str:
        """The empty board."""
        return EMPTY * (self.columns * self.rows)

    @property
    def moves(self) -> range:
        """All moves that there are on an empty board."""
        return range(self.columns if self.falls else self.columns * self.rows)

    @cached_property
    def lines(self) -> Sequence[tuple[str, Moves]]:
        """All lines that win: the direction and the cells of each."""
        rows = []
        for name, (right, up) in DIRECTIONS.items():
            for column in range(self.columns):
                for row in range(self.rows):
                    last = column + (self.length - 1) * right, row + (self.length - 1) * up
                    if last[0] < self.columns and 0 <= last[1] < self.rows:
                        cells = ((column + n * right) * self.rows + row + n * up for n in range(self.length))
                        rows.append((name, tuple(cells)))
        return tuple(rows)

    @cached_property
    def _through(self) -> Sequence[Sequence[tuple[str, Moves]]]:
        """The lines through each cell."""
        return [[line for line in self.lines if cell in line[1]] for cell in range(self.columns * self.rows)]

    def stack(self, column: int, height: int) -> Moves:
        """The moves that put so many pieces into a column, from its lowest cell up."""
        return (column,) * height if self.falls else tuple(column * self.rows + row for row in range(height))

    def free(self, position: str, move: int) -> tuple[int, int] | None:
        """The column and row that are free for the piece of a move; None if the program refuses it, by its conduct."""
        column, row = (move, 0) if self.falls else divmod(move, self.rows)
        looked_at = range(self.rows) if self.falls else range(row, row + 1)
        return self.conduct.free(position, column, looked_at, self.rows)

    def lands(self, position: str, move: int) -> int | None:
        """The cell in which the piece of a move would lie; None if the move is not legal, or nobody knows."""
        if self.conduct is not RIGHT:
            free = self.free(position, move)
            return free and self.conduct.cell(free, (self.columns, self.rows))
        if not self.falls:
            return move if position[move] == EMPTY else None
        at = position.find(EMPTY, move * self.rows, (move + 1) * self.rows)
        return None if at < 0 else at

    def floats(self, position: str) -> bool:
        """Whether a piece lies above an empty cell, where pieces fall."""
        columns = (position[at : at + self.rows] for at in range(0, len(position), self.rows))
        return self.falls and any(EMPTY in column.rstrip(EMPTY) for column in columns)

    def dropped(self, position: str, move: int, player: str) -> str:
        """The position after a legal move of a player."""
        at = self.lands(position, move)
        if at is None and self.conduct is not RIGHT:  # it is refused, or lies beside the board
            return position
        assert at is not None, "the move is legal"
        return position[:at] + (self.conduct.mark or player) + position[at + 1 :]

    def after(self, spot: Spot, *moves: int) -> Spot:
        """The position and the player after legal moves in turn."""
        for move in moves:
            mover = spot.mover if spot.mover in self.conduct.stays else OTHER[spot.mover]
            spot = Spot(self.dropped(spot.position, move, spot.mover), mover)
        return spot

    def top(self, position: str, move: int) -> int:
        """The cell of the last piece that this move has put on a board."""
        if not self.falls:
            return move
        free = self.lands(position, move)
        return ((move + 1) * self.rows if free is None else free) - 1

    def made(self, position: str, move: int) -> tuple[str, ...]:
        """The directions of the lines that the piece of the last move is part of."""
        if self.conduct is not RIGHT:  # the last piece may lie anywhere, but any older line had ended the game
            names = (
                name
                for name, cells in self.lines
                if position[cells[0]] != EMPTY and len({position[at] for at in cells}) == 1
            )
            return tuple(dict.fromkeys(names))
        at = self.top(position, move)
        return tuple(name for name, cells in self._through[at] if all(position[cell] == position[at] for cell in cells))

    def quiet(self, spot: Spot, move: int) -> bool:
        """Whether a move is legal and makes no line."""
        return self.lands(spot.position, move) is not None and not self.made(self.after(spot, move).position, move)

    def difference(self, due: str, board: str, labels: Labels) -> str:
        """The first difference of a board from the right one, row by row from below."""
        for row in range(self.rows):
            for column in range(self.columns):
                at = column * self.rows + row
                if due[at] != board[at]:
                    piece, expected = board[at] != EMPTY, due[at] != EMPTY
                    what = "another piece lies" if piece and expected else "a piece lies" if piece else "no piece lies"
                    move = " ".join(labels[column if self.falls else at])
                    return self.words.place.format(which=what, move=move, row=row + 1)
        return ""

    def drawn(self, position: str, labels: Labels, signs: tuple[str, str]) -> str:
        """A position for a report in these ``signs`` of both players, the top row first, with the labels of columns below."""
        by_player = dict(zip((EMPTY, *OTHER), (" ", *signs), strict=True))
        rows = [
            "| " + " | ".join(by_player.get(position[c * self.rows + r], "?") for c in range(self.columns)) + " |"
            for r in reversed(range(self.rows))
        ]
        if self.falls:
            rows.append("".join(f" {label:^3}" for (label,) in labels).rstrip())
        return "\n".join(rows)


def full(position: str) -> bool:
    """Whether no cell is empty."""
    return EMPTY not in position


def planned(text: str, move: Callable[[str], int]) -> list[PlannedGame]:
    """The games of a text, a line each: the signs of its moves, and behind them ``PIECES:SIGN`` for each line that is completed aside."""
    games: list[PlannedGame] = []
    for line in text.strip().splitlines():
        signs, *wins = line.split()
        aside: dict[int, Moves] = {}
        for win in wins:
            pieces, sign = win.split(":")
            aside[int(pieces)] = (*aside.get(int(pieces), ()), move(sign))
        games.append((tuple(map(move, signs)), aside))
    return games


def single(labels: Iterable[str]) -> Labels:
    """One answer for each move."""
    return tuple((label,) for label in labels)
