"""The kinds of faults that programs with four in a row may have, the occasions on which each could show, and our sentences."""

from __future__ import annotations

from grader.games.board.faults import CLOSED, ELSEWHERE, OCCASIONS, OCCASIONS_OF, departures, of_refusals
from grader.games.board.rules import Words
from grader.games.referee import tables

_OCCASIONS = {
    **OCCASIONS,
    "undoable": "moves that may be taken back",
    "undone": "moves that were taken back",
    "used-up": "moves after a third undo",
    "first": "first moves in games in which an undo is offered later",
    "full": "pieces for a full column",
    "missing": "pieces for a column that does not exist",
    "refusal": "wrong columns that were refused",
    "third": "third violations",
    "lost": "third violations after which the game ends",
    "begun": "games whose first player was told",
}
_OCCASIONS_OF = {
    **OCCASIONS_OF,
    "undo-not-asked": ("undoable",),
    "undo-first": ("first",),
    "undo-turn": ("undone",),
    "undo-board": ("undone",),
    "undo-fourth": ("used-up",),
    "unclear-undo": ("move",),
    **of_refusals("full", "missing"),
    "third-violation": ("third",),
    "lost-early": ("refusal",),
    "wrong-loser": ("lost",),
    "unclear-loser": ("move",),
    "same-start": ("begun",),
    "unclear-start": ("move",),
}
TABLES = tables(_OCCASIONS, _OCCASIONS_OF)

WORDS = Words(
    noun="column",
    typed_before="before the first column is typed: {typed}",
    asked_first="the first question is for a column",
    typed_as="the columns are typed as {labels}",
    no_first="we did not find what to type before the first column",
    no_labels="we did not find how columns are typed",
    no_question="we found no question for a column in the first {waits} questions",
    no_board="no answer to its questions leads to a board into whose columns pieces fall",
    no_board_so="with it no board is found into whose columns pieces fall",
    place="{which} in column {move}, row {row} from below",
    hangs="column {move} was played, but the piece lies in the highest row: the board is upside down",
    moved_before="the same player moves twice: column {move} and the move before it",
    other_board="column {move} was played, but the board shows something else",
    same_board="after column {move} it shows the same as after column {other}: the board does not show where the piece fell",
    not_in_memory="after column {move} we did not find the piece in memory where it must lie",
    refused="column {move} is not full, but no piece falls into it",
    asked_again="after column {move} the program asks the same player again",
    same_question="after column {move} the program asks the same question again",
    missed="column {move} makes four in a line, but the game goes on",
    tie_after_line="it announces a tie after four in a line",
    win_without_line="it announces a winner without four in a line",
    winner_without_line="it announces a winner, but nobody has four in a line",
    unclear_wrong="we could not read what the program does after a wrong column",
    ends_at_wrong="column {move} is not the third violation of a player, but the game ends",
    missing="there is no column {move}",
    taken="column {move} is full",
    carried_out="{why}: the program refuses it, but a piece falls anyway",
)

DEPARTURES = departures(
    _OCCASIONS_OF,
    ("replaces", True, "a piece replaces the one that lies in its column", "wrong-board"),
    ("beside", (1, 0), "a piece lies one column further to the right than the one that is typed", "wrong-board"),
    ("beside", (-1, 0), "a piece lies one column further to the left than the one that is typed", "wrong-board"),
    ("beside", (0, 1), "a piece lies one row higher than the lowest free one of its column", "wrong-board"),
    *(
        ("into", column, "all pieces fall into the same column, whichever is typed", "wrong-board")
        for column in range(7)
    ),
    *(
        ("jump", rows, "a piece does not fall to the lowest free row of its column", "wrong-board")
        for rows in (2, 3, 4, 5)
    ),
    ("leads", CLOSED, "some columns take no piece", "refused-legal"),
    ("leads", ELSEWHERE, "some pieces fall into other columns than those that are typed", "wrong-board"),
    *(("most", rows, "a column takes fewer pieces than it has rows", "refused-legal") for rows in (1, 2, 3)),
)
"""The departures that a program with four in a row may have, a row each."""
