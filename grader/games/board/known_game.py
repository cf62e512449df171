"""The way to the first column of a program, kept only where a known game is read as it was played."""

from __future__ import annotations

from grader.games.board.dialogue import Dialogue
from grader.games.board.position import START, Spot
from grader.reading.runs import Answers
from grader.values import dataclass

KNOWN_GAME = (2, 4, 0, 6, 5, 1, 2, 4)
"""A short game without a line: most of its boards must be read as they were played, else the map is of something else."""

READ = 7


@dataclass(frozen=True, slots=True)
class Opening:
    """The answers that lead to the first column, how columns are called, and the dialogue from there on."""

    answers: Answers
    name: str
    dialogue: Dialogue
    beginner: str


def known_game(dialogue: Dialogue, answers: Answers) -> str | None:
    """Who begins, where a known game is read as it was played; a program with one faulty column passes."""
    beginner = None
    read = 0
    spot: Spot | None = None
    for column in KNOWN_GAME:
        if spot is None:
            reached = dialogue.drop(answers, Spot(START, "A"), column)
            beginner = next(
                (player for player in "AB" if Spot(START, player).after(column).position == reached.board), None
            )
            if beginner is None:
                return None
            spot = Spot(START, beginner)
        else:
            reached = dialogue.drop(answers, spot, column)
        if reached.board == spot.after(column).position and reached.kind == "column":
            read += 1
            spot, answers = spot.after(column), reached.answers
    return beginner if read >= READ else None
