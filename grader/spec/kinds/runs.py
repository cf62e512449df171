"""The keys of runs that are drawn by a seed, and what of a run is judged."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import Literal

from pydantic import Field

from grader.spec.values import Pattern, Points, Seed, SpecModel


class Judged(StrEnum):
    """What of a run is judged."""

    TEXT = "text"
    ENDING = "ending"


BOTH = (Judged.TEXT, Judged.ENDING)


class Differential(SpecModel):
    """Many games with inputs drawn by a seed; the reference says what must be printed. A failure is shrunk."""

    games: int = Field(ge=1, le=10_000)
    """How many games."""
    seed: Seed = 0
    """The seed that the inputs are drawn with; `secret` for one that is made of the course's secret, for hidden cases."""
    legal: tuple[Pattern, ...] = ()
    """Shapes of legal inputs, such as `[1-9][0-9]`, where the reference does not list them: a model program cannot."""
    illegal: tuple[Pattern, ...] = ()
    """Shapes of inputs that are not legal moves, as characters and classes such as `[D-Z][1-9]`."""
    share: Points = Fraction(1, 4)
    """The share of inputs drawn from `illegal`; the others are legal moves."""
    inputs: int = Field(default=200, ge=1, le=10_000)
    """A game is cut off after so many inputs."""
    finish: bool = True
    """Whether games are played to their end; if not, each is left before its last input, so that its end is not judged."""
    judges: tuple[Judged, ...] = BOTH
    """What of each run is judged."""


class GameSet(SpecModel):
    """Games that the referee follows: it answers the program's questions and judges what the program says and does."""

    games: int = Field(ge=1, le=10_000)
    """How many games."""
    seed: Seed = 0
    """The seed that the answers are drawn with; `secret` for one that is made of the course's secret, for hidden cases."""
    illegal: Points = Fraction(0)
    """The share of answers that the program must refuse."""
    inputs: int = Field(default=200, ge=1, le=10_000)
    """A game is left after so many inputs."""
    covers: Literal["positions"] | None = None
    """`positions`: answers are not drawn, but chosen so that the program is led into every position that it can reach. `games`
    and `inputs` bound the work, and a report says whether that was all: “proved over all 113 positions”."""
    largest: int = Field(default=7, ge=1, le=50)
    """Where positions are covered, and the user types the numbers that a game begins with: no number is larger than this."""

    @property
    def drawn_by(self) -> tuple[int | str, Fraction, int, str | None, int]:
        """What decides, with the number of a game, what is typed in it."""
        return (self.seed, self.illegal, self.inputs, self.covers, self.largest)
