"""The kinds of faults that are found in a pile game, and the occasions on which each could show."""

from __future__ import annotations

from types import MappingProxyType

from grader.games.referee import Tables, tables

OCCASIONS = MappingProxyType({
    "begun": "games that began",
    "stones": "numbers of stones that were accepted",
    "first": "answers to who moves first that were accepted",
    "begin-0": "games that the program was to begin",
    "begin-1": "games that the user was to begin",
    "taken": "moves of the user that were carried out",
    "computer": "moves of the computer",
    "turn": "turns after a move",
    "count": "turns that say how many stones are left",
    "told": "turns with a move of the computer",
    "end": "games that came to an end",
    "win-program": "games that the program won",
    "win-user": "games that the user won",
    "remainder-0": "moves of the computer from a number of stones that three divides",
    "remainder-1": "moves of the computer with a remainder of one",
    "remainder-2": "moves of the computer with a remainder of two",
    "bad-stones": "wrong numbers of stones to begin with",
    "bad-first": "wrong answers to who moves first",
    "bad-take": "moves of other numbers than one and two",
    "bad-too-many": "moves of more stones than are left",
    "refused": "wrong answers that were refused",
    "message": "refusals whose words could be read",
})  # fmt: skip

OCCASIONS_OF = MappingProxyType({
    "unasked-stones": ("begun",),
    "unasked-first": ("begun",),
    "refused-stones": ("stones",),
    "refused-first": ("first",),
    "refused-take": ("taken",),
    "wrong-begin": ("begin-0", "begin-1"),
    "accepted-stones": ("bad-stones",),
    "accepted-first": ("bad-first",),
    "accepted-take": ("bad-take",),
    "accepted-too-many": ("bad-too-many",),
    "accepted-second": ("refused",),
    "not-repeated": ("refused",),
    "no-message": ("message",),
    "wrong-turn": ("turn",),
    "wrong-count": ("count",),
    "untold-left": ("told",),
    "untold-move": ("told",),
    "poor-move-0": ("remainder-0",),
    "poor-move-1": ("remainder-1",),
    "poor-move-2": ("remainder-2",),
    "broken-off": ("end",),
    "ended-early": ("end",),
    "plays-on": ("end",),
    "wrong-winner": ("win-program", "win-user"),
    "no-winner": ("win-program", "win-user"),
})  # fmt: skip
"""The number of a poor move is the remainder of the stones by three."""

TABLES: Tables = tables(tuple(OCCASIONS_OF), OCCASIONS, OCCASIONS_OF)
