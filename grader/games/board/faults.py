"""The kinds of faults that any game on a board may have, and the occasions on which each could show: a family adds its own."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from grader.games.board.rules import DIRECTIONS
from grader.games.learn.fit import Departure

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
ENDS = frozenset(
    (*(f"missed-{direction}" for direction in DIRECTIONS), "missed-tie", "false-win", "false-tie", "wrong-winner")
)
"""Kinds of faults at the ends of games."""

CLOSED, ELSEWHERE = "closed", "elsewhere"
"""Values of the departure ``leads`` that stand for what the first piece in each column shows: some take none, or pieces lie in other columns."""


def of_refusals(*kinds: str) -> dict[str, tuple[str, ...]]:
    """The faults at wrong answers of these kinds, and the occasions for each."""
    return {f"{fault}-{kind}": (kind,) for fault in ("accepted", "turn-lost", "carried-out") for kind in kinds}


def departures(faults: Iterable[str], *more: tuple[str, Hashable, str, str]) -> tuple[Departure, ...]:
    """The departures from the rules of a game with these kinds of ``faults``, a row each: those of any game, and ``more`` of its own.

    A row has the part of the conduct, its value, the sentence, and the kind of its fault. Nearly all other faults may follow from it, and are not
    judged behind it. Wrong answers that name no cell are; where it is seen whose turn it is, so are their cost and the beginner.
    """
    every = frozenset(faults)
    kinds = every - {"accepted-missing", "carried-out-missing"}
    in_play = kinds - {"turn-lost-missing", "third-violation", "wrong-loser", "lost-early", "same-start"}
    again = "it is the same player's turn again, and the other player is not asked"
    common = (
        ("mark", "A", "the pieces of both players have the same mark", "wrong-board"),
        ("stays", "AB", "it is always the same player's turn", "no-alternation"),
        ("stays", "A", again, "no-alternation"),
        ("stays", "B", again, "no-alternation"),
    )
    turns = tuple(Departure(*row, kinds) for row in common)
    own = (
        Departure(*row, every if row[0] == "into" else in_play) for row in more
    )  # who puts all in one place reads no column
    return (*turns, *own)
