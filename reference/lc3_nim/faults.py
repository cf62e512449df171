"""What may be wrong with a program that plays lc3-nim, and on which occasions it could show, in the words of the assignment."""

from __future__ import annotations

OCCASIONS = {
    "start": "first boards",
    "moved": "valid moves that were carried out",
    "other-heap": "valid moves in a second row",
    "move": "valid moves",
    "turn": "turns after a valid move",
    "wrong-row": "moves in a row that does not exist",
    "lower-case": "moves with a row in lower case",
    "zero": "moves of zero rocks",
    "too-many": "moves of more rocks than the row has",
    "no-digit": "moves whose number is no digit",
    "refusal": "invalid moves that were refused",
    "end": "games whose last rock was taken",
    "win-1": "games that player 1 won",
    "win-2": "games that player 2 won",
    "banner": "games that came to an end",
    "gone-on": "valid moves after an invalid one",
}
OCCASIONS_OF = {
    "wrong-start": ("start",),
    "wrong-board": ("move",),
    "no-board": ("move",),
    "refused-legal": ("move",),
    "further-key": ("move",),
    "no-alternation": ("turn",),
    "wrong-row-taken": ("wrong-row",),
    "lower-case-taken": ("lower-case",),
    "zero-taken": ("zero",),
    "too-many-taken": ("too-many",),
    "no-digit-taken": ("no-digit",),
    "twice-refused": ("wrong-row",),
    "turn-lost": ("refusal",),
    "carried-out": ("refusal",),
    "no-message": ("refusal",),
    "ended-early": ("end",),
    "plays-on": ("end",),
    "wrong-winner": ("win-1", "win-2"),
    "no-winner": ("win-1", "win-2"),
    "no-halt": ("banner",),
    "after-refusal": ("gone-on",),
    "same-boards": ("moved",),
}
FAULTS = tuple(OCCASIONS_OF)

_STILL = ("wrong-board", "no-board", "no-alternation", "further-key", "wrong-winner", "no-winner", "no-halt")
AFTER_DOUBT = frozenset(
    {*_STILL, *(name for kind in _STILL for name in OCCASIONS_OF[kind]), "moved", "other-heap", "end"}
)
"""What is judged after a wrong board: what a program makes of its own rocks follows from that, refusals and the end above all."""

WHY = {
    "wrong-row": "there is no such row",
    "lower-case": "rows are capital letters",
    "zero": "zero rocks is no valid move",
    "too-many": "the row has not so many rocks",
    "no-digit": "the number is no digit",
}
"""Why each kind of invalid move is invalid."""
