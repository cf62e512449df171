"""The ``game`` section of a spec: what programs are explored for, in the terms of the game and in no words of a program."""

from __future__ import annotations

from pydantic import model_validator

from grader.spec.values import SpecModel


class Pile(SpecModel):
    """A pile that is counted: two players take from it in turn."""


class Board(SpecModel):
    """A board that fills: two players put pieces on it in turn."""


class Game(SpecModel):
    """A game that programs play in words of their own: it is followed by experiment. Exactly one family is named."""

    pile: Pile | None = None
    board: Board | None = None

    @model_validator(mode="after")
    def _one_family(self) -> Game:
        if len(self.model_fields_set) != 1:
            raise ValueError(f"exactly one of {', '.join(type(self).model_fields)} is expected")
        return self
