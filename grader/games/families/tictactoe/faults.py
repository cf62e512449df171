"""The kinds of faults that programs with tic-tac-toe may have, the occasions on which each could show, and our sentences."""

from __future__ import annotations

from grader.games.board.faults import OCCASIONS, OCCASIONS_OF, departures, of_refusals
from grader.games.board.rules import Words
from grader.games.referee import tables

_OCCASIONS = {
    **OCCASIONS,
    "taken": "answers for a cell that is taken",
    "missing": "answers for a cell that does not exist",
    "refusal": "wrong cells that were refused",
}
_OCCASIONS_OF = {**OCCASIONS_OF, **of_refusals("taken", "missing"), "lost-early": ("taken", "missing")}
TABLES = tables(_OCCASIONS, _OCCASIONS_OF)

WORDS = Words(
    noun="cell",
    typed_before="before the first cell is typed: {typed}",
    asked_first="the first question is for a cell",
    typed_as="the cells are typed as {labels}",
    no_first="we did not find what to type before the first cell",
    no_labels="we did not find how cells are typed",
    no_question="we found no question for a cell in the first {waits} questions",
    no_board="no answer to its questions leads to a board whose cells take marks",
    no_board_so="with it no board is found whose cells take marks",
    place="{which} in cell {move}",
    moved_before="the same player moves twice: cell {move} and the move before it",
    other_board="cell {move} was played, but the board shows something else",
    same_board="after cell {move} it shows the same as after cell {other}: the board does not show where the mark was put",
    not_in_memory="after cell {move} we did not find the mark in memory where it must be",
    refused="cell {move} is free, but no mark is put there",
    asked_again="after cell {move} the program asks the same player again",
    same_question="after cell {move} the program asks the same question again",
    missed="cell {move} makes three in a line, but the game goes on",
    tie_after_line="it announces a tie after three in a line",
    win_without_line="it announces a winner without three in a line",
    winner_without_line="it announces a winner, but nobody has three in a line",
    unclear_wrong="we could not read what the program does after a wrong cell",
    ends_at_wrong="the program must only refuse cell {move}, but the game ends",
    missing="there is no cell {move}",
    taken="cell {move} is taken",
    carried_out="{why}: the program refuses it, but the board changes anyway",
)

DEPARTURES = departures(
    _OCCASIONS_OF,
    ("beside", (1, 0), "a mark is put one column further to the right than the cell that is typed", "wrong-board"),
    ("beside", (-1, 0), "a mark is put one column further to the left than the cell that is typed", "wrong-board"),
    ("beside", (0, 1), "a mark is put one row higher than the cell that is typed", "wrong-board"),
    ("beside", (0, -1), "a mark is put one row lower than the cell that is typed", "wrong-board"),
)
"""The departures that a program with tic-tac-toe may have, a row each."""
