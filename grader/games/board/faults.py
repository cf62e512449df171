"""The kinds of faults that any game on a board may have, and the occasions on which each could show: a family adds its own."""

from __future__ import annotations

from grader.games.board.rules import DIRECTIONS

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
}


def of_refusals(*kinds: str) -> dict[str, tuple[str, ...]]:
    """The faults at wrong answers of these kinds, and the occasions for each."""
    return {f"{fault}-{kind}": (kind,) for fault in ("accepted", "turn-lost", "carried-out") for kind in kinds}
