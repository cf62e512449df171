"""The kinds of faults that programs with a board may have, and the occasions on which each could show."""

from __future__ import annotations

from grader.games.board.lines import DIRECTIONS

OCCASIONS = {
    "move": "legal moves",
    "moved": "legal moves that were carried out",
    "board": "boards after a legal move",
    "across": "lines across",
    "upwards": "lines upwards",
    "rising": "lines on the rising slant",
    "falling": "lines on the falling slant",
    "won-1": "lines of the starting player that were announced as a win",
    "won-2": "lines of the other player that were announced as a win",
    "full-board": "full boards without a line",
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
OCCASIONS_OF = {
    **{f"missed-{direction}": (direction,) for direction in DIRECTIONS},
    "missed-tie": ("full-board",),
    # Only who ends games by lines shows that nothing else ends them so.
    "false-win": ("won-1", "won-2"),
    "false-tie": ("move",),
    "wrong-winner": ("won-1", "won-2"),
    "wrong-board": ("board",),
    "unclear-board": ("move",),
    "refused-legal": ("moved",),
    "no-alternation": ("moved",),
    "ended-early": ("moved",),
    "unclear-result": ("move",),
    "undo-not-asked": ("undoable",),
    "undo-first": ("first",),
    "undo-turn": ("undone",),
    "undo-board": ("undone",),
    "undo-fourth": ("used-up",),
    "unclear-undo": ("move",),
    "accepted-full": ("full",),
    "accepted-missing": ("missing",),
    "turn-lost-full": ("full",),
    "turn-lost-missing": ("missing",),
    "carried-out-full": ("full",),
    "carried-out-missing": ("missing",),
    "third-violation": ("third",),
    "lost-early": ("refusal",),
    "wrong-loser": ("lost",),
    "unclear-loser": ("move",),
    "same-start": ("begun",),
    "unclear-start": ("move",),
}
"""The kinds of faults that cases may judge, each with the occasions on which it could show."""
