"""The ``game`` section of a spec: the goal of exploring programs, in terms of the game and not in a program's words."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from grader.spec.values import SpecModel

# Nine digits: an int of C and of Java holds each such number, and no program can be blamed for an overflow.
Answer = Annotated[int, Field(ge=-999_999_999, le=999_999_999)]


class PileStones(SpecModel):
    """The question for the number of stones to begin with; any number from one on is right."""

    illegal: tuple[Answer, ...] = (0, -1, -5)
    """Numbers that must be refused."""


class PileFirst(SpecModel):
    """The question who moves first."""

    program: Answer = 0
    """The answer that lets the program begin."""
    user: Answer = 1
    """The answer that lets the user begin."""
    illegal: tuple[Answer, ...] = (2, -1, 5, 7)
    """Other answers, which must be refused; one that a program offers itself is not tried."""


class PileTake(SpecModel):
    """The question for a move; what may be taken is in the rules of the reference."""

    illegal: tuple[Answer, ...] = (-1, 0, 3, 7)
    """Numbers that must be refused with any number of stones left."""


class PilePlan(SpecModel):
    """Which games are played."""

    user_begins: int = Field(default=9, ge=8, le=30)
    """Maximum stones of the games that the user begins, from one stone on: all other games are measured by them."""
    program_begins: int = Field(default=6, ge=3, le=30)
    """Maximum stones of the games that the program begins."""
    most_first: int = Field(default=6, ge=3, le=30)
    """Maximum stones of the games in which the user first takes the most that is allowed: otherwise the user would
    seldom win."""
    proved_to: int = Field(default=60, ge=1, le=999)
    """The program is to move at least once from every number of stones up to this one."""


class Pile(SpecModel):
    """A pile that is counted: two players take from it in turn, and programs choose by a strategy that is demanded."""

    stones: PileStones = PileStones()
    first: PileFirst = PileFirst()
    take: PileTake = PileTake()
    plan: PilePlan = PilePlan()


class Board(SpecModel):
    """A board that fills: two players drop pieces into its columns in turn, and who has so many in a line wins.

    The games that are played were found for seven columns, six rows and four in a line.
    """

    columns: Literal[7] = 7
    """The number of columns."""
    rows: Literal[6] = 6
    """The number of pieces in a full column."""
    line: Literal[4] = 4
    """The number of pieces in a line that wins, across, upwards or on a slant."""
    # The games that are played take back three moves at most.
    undos: int = Field(default=3, ge=1, le=3)
    """Maximum moves that each player may take back; the first move cannot be taken back."""
    violations: int = Field(default=3, ge=2, le=3)
    """The number of wrong columns (full or missing) with which a player loses."""
    random_start: bool = True
    """Whether either player must be able to begin."""


class TicTacToe(SpecModel):
    """Tic-tac-toe for two players at one terminal: nine cells, and three in a line win. There is nothing to set."""


class Game(SpecModel):
    """A game that programs play in words of their own: it is followed by experiment. Exactly one family is named."""

    pile: Pile | None = None
    board: Board | None = None
    tictactoe: TicTacToe | None = None

    @property
    def family(self) -> str:
        """The name of the family: the key of its section."""
        return next(iter(self.model_fields_set))

    @model_validator(mode="after")
    def _one_family(self) -> Game:
        if len(self.model_fields_set) != 1:
            raise ValueError(f"exactly one of {', '.join(type(self).model_fields)} is expected")
        return self
