"""The keys of runs that are compared with the reference, or followed by its referee, and what of a run is judged."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Literal

from pydantic import Field

from grader.spec.kinds.kind import OF_TEXT, Entry, Kind
from grader.spec.problem import Problem, near
from grader.spec.values import Pattern, Points, Seed, SpecModel


class Judged(StrEnum):
    """The parts of a run that can be judged."""

    TEXT = "text"
    ENDING = "ending"


BOTH = (Judged.TEXT, Judged.ENDING)


class Differential(SpecModel):
    """Many games with inputs drawn by a seed; the reference says what must be printed. A failure is shrunk."""

    games: int = Field(ge=1, le=10_000)
    """The number of games."""
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
    """The parts of each run that are judged."""


class GameSet(SpecModel):
    """Games that the referee follows: it answers the program's questions and judges what the program says and does."""

    games: int = Field(ge=1, le=10_000)
    """The number of games."""
    seed: Seed = 0
    """The seed that the answers are drawn with; `secret` for one that is made of the course's secret, for hidden cases."""
    illegal: Points = Fraction(0)
    """The share of answers that the program must refuse."""
    inputs: int = Field(default=200, ge=1, le=10_000)
    """A game is left after so many inputs."""
    # Drawn games missed one of 113 positions of c-nim, and 46 of the 215 boards of lc3-nim.
    covers: Literal["positions"] | None = None
    """`positions`: answers are not drawn, but chosen so that the program is led into every position that it can reach. `games`
    and `inputs` bound the work, and a report says whether that was all: “proved over all 113 positions”."""
    # Positions grow with the product of the heaps.
    largest: int = Field(default=7, ge=1, le=50)
    """The largest number that the user types at the beginning of a game, if positions are covered."""

    @property
    def drawn_by(self) -> tuple[int | str, Fraction, int, str | None, int]:
        """The values that, with the number of a game, decide its inputs."""
        return (self.seed, self.illegal, self.inputs, self.covers, self.largest)


# ------------------------------------------------------------------------------------------------------------------ rules

EXPLORED = "explored"
"""The name of the games that were found by experiment."""


def shares(at: Entry[Differential]) -> Iterator[Problem]:
    """Something is judged; the share of illegal inputs is at most all of them, and is said only where there are some."""
    if not at.part.judges:
        yield at.problem("judges", NOTHING_JUDGED, "judges", hint=HOW_TO_JUDGE)
    if at.part.share > 1:
        yield at.problem("share", "a share is at most 1", "share", hint="such as 1/3")
    elif "share" in at.part.model_fields_set and not at.part.illegal:
        hint = "remove it, or list shapes in `illegal`"
        yield at.idle("`share` is about `illegal`, which is empty", "share", hint=hint)


NOTHING_JUDGED, HOW_TO_JUDGE = "nothing is judged", "[text], [ending], or leave it out for both"


def faults(at: Entry[str]) -> Iterator[Problem]:
    """A game case names a set of games that there is, and the faults that it judges."""
    name, draft = at.part, at.draft
    if not at.case.faults and not at.case.shown:
        hint = "add `faults: [NAME]`, or name in `shows` what must be seen"
        yield Problem("demands-nothing", f"`{at.case.id}` judges no fault", at.loc[:-1], hint)
    if draft.complete and draft.game is not None and name != EXPLORED:
        hint = f"`game: {EXPLORED}`: all that was found in any game is looked at"
        yield at.problem("unknown-games", "this spec explores programs, so it has no sets of games", hint=hint)
    elif draft.complete and draft.game is None and name not in draft.games:
        hint = near(name, draft.games, "`games` has")
        yield at.problem("unknown-games", f"there is no set of games `{name}`", hint=hint)


def _shapes(rules: Differential) -> str:
    """Advice if no reference lists legal moves; empty if shapes of inputs are given."""
    return "" if rules.legal or rules.illegal else "say by `legal` what may be typed"


_WRITES = "writes the text"

_COMPARED = partial(Kind, plays=True, heard=True, judge="transcript")
TRANSCRIPT = _COMPARED("transcript", keys=OF_TEXT | {"judges", "ends", "starts"})
PLAY = _COMPARED("play", keys=OF_TEXT | {"judges", "starts"}, reference=_WRITES)
DIFFERENTIAL = _COMPARED("differential", (shares,), OF_TEXT, reference=_WRITES, moves=_shapes)
_IN_PYTHON = "write `play()` and a referee in Python"
GAME = Kind("game", (faults,), plays=True, reference="judges the moves", moves=lambda _: _IN_PYTHON)
