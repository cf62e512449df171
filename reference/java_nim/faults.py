"""What may be wrong with a program that plays java-nim, and on which occasions it could show, in the words of the assignment."""

from __future__ import annotations

OCCASIONS = {
    "start": "games that began with the numbers that were typed",
    "move": "legal moves of the user",
    "moved": "legal moves of the user that were carried out",
    "other-heap": "legal moves of the user in a second row",
    "reply": "moves of the computer",
    "won": "moves of the computer where it could leave an exclusive or of 0",
    "board-user": "moves of the user in games with a board that can be read",
    "board-computer": "moves of the computer in games with a board that can be read",
    "end": "games whose last match was taken",
    "win": "games whose winner had to be named",
    "negative-start": "negative numbers of matches to begin with",
    "wrong-row": "rows that do not exist",
    "empty-row": "rows without matches",
    "zero": "moves of no match",
    "negative": "moves of a negative number of matches",
    "too-many": "moves of more matches than the row has",
    "refusal": "invalid answers that were refused",
}
OCCASIONS_OF = {
    "illegal-move": ("reply",),
    "poor-move": ("won",),
    "wrong-start": ("start",),
    "wrong-board": ("move",),
    "wrong-telling": ("reply",),
    "no-board-after-user": ("board-user",),
    "no-board-after-computer": ("board-computer",),
    "refused-legal": ("move",),
    "ended-early": ("end",),
    "plays-on": ("end",),
    "wrong-winner": ("win",),
    "no-winner": ("win",),
    "turn-lost": ("refusal",),
    "negative-start-taken": ("negative-start",),
    "wrong-row-taken": ("wrong-row",),
    "empty-row-taken": ("empty-row",),
    "zero-taken": ("zero",),
    "negative-taken": ("negative",),
    "too-many-taken": ("too-many",),
    "same-boards": ("moved",),
}
FAULTS = tuple(OCCASIONS_OF)

WHY = {
    "negative-start": "a row cannot begin with a negative number of matches",
    "wrong-row": "there are the rows 1, 2 and 3",
    "empty-row": "no match is left in it",
    "zero": "at least one match must be taken",
    "negative": "at least one match must be taken",
    "too-many": "the row has not so many matches",
}
"""Why each kind of wrong answer is wrong."""
