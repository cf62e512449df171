"""What may be wrong with a program that plays c-nim, and on which occasions it could show, in the words of the assignment."""

from __future__ import annotations

OCCASIONS = {
    "moved": "legal moves of the user that were carried out",
    "other-heap": "legal moves in a second heap",
    "reply": "turns of the computer",
    "won": "turns of the computer with a winning move",
    "lost": "turns of the computer without a winning move",
    "start": "games that began",
    "heaps": "heaps shown after a move",
    "asked": "moves asked for",
    "small": "legal moves with a small letter",
    "capital": "legal moves with a capital letter",
    "end": "games that came to an end",
    "win": "games whose winner was told",
    "score": "scores of both players",
    "first": "first games",
    "after-1": "games after one that the user won",
    "after-2": "games after one that the computer won",
    "letter": "moves with a letter that no heap has",
    "zero": "moves of no stones",
    "negative": "moves of a negative number of stones",
    "too-many": "moves of more stones than the heap holds",
    "refusal": "illegal moves that were refused",
    "yes": "answers y and Y",
    "no": "answers n and N",
    "answer": "answers that are neither y nor n",
}
OCCASIONS_OF = {
    "illegal-move": ("reply",),
    "poor-move": ("won",),
    "wrong-stall": ("lost",),
    "wrong-board": ("heaps",),
    "wrong-start": ("start",),
    "wrong-winner": ("win",),
    "no-winner": ("end",),
    "plays-on": ("end",),
    "ended-early": ("end",),
    "never-asks": ("end",),
    "wrong-score": ("score",),
    "no-score": ("end",),
    "wrong-starter": ("first", "after-1", "after-2"),
    "letter-taken": ("letter",),
    "zero-taken": ("zero",),
    "negative-taken": ("negative",),
    "too-many-taken": ("too-many",),
    "carried-out": ("refusal",),
    "turn-lost": ("refusal",),
    "no-message": ("refusal",),
    "no-board": ("asked",),
    "no-starter": ("start",),
    "untold-move": ("reply",),
    "refused-legal": ("small", "capital"),
    "answer-refused": ("yes", "no"),
    "read-twice": ("asked",),
    "answer-taken": ("answer",),
    "does-not-stop": ("no",),
    "bad-end": ("no",),
    "own-words": ("asked",),
    "same-boards": ("moved",),
}
FAULTS = tuple(OCCASIONS_OF)

AFTER_DOUBT = frozenset({"no-winner", "end", "asked", "moved"})
"""What is judged after wrong heaps: what a program makes of its own heaps follows from that, but its next game is judged."""

WHY = {
    "letter": "the heaps are A, B and C",
    "zero": "the number of stones must be greater than 0",
    "negative": "the number of stones must be greater than 0",
    "too-many": "the heap does not hold so many stones",
    "answer": "only y and n are answers, in either case",
}
"""Why each kind of wrong answer is wrong."""
