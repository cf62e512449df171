"""The vocabulary that is set aside for one honest measurement.

Nobody who builds the reading of dialogues may look at this file, at programs drawn from it, or at single results of theirs:
only the sums count, as they come out first (``python -m tests.wordings.judge --sums``). Whoever has looked must say so.
"""

from __future__ import annotations

from tests.wordings.known import BOARD_MANNERS, BOARD_TONGUES, PILE_MANNERS, PILE_TONGUES

__all__ = ["BOARD_MANNERS", "BOARD_TONGUES", "PILE_MANNERS", "PILE_TONGUES"]
