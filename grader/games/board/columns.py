"""How columns may be typed."""

from __future__ import annotations

from grader.games.learn.table import written
from grader.reading.runs import Answers

LABELS: dict[str, tuple[str, ...]] = {
    "1-7": tuple("1234567"),
    "0-6": tuple("0123456"),
    "A-G": tuple("ABCDEFG"),
    "a-g": tuple("abcdefg"),
}


def called(labels: Answers) -> str:
    """What these columns are called: by their ends, where others know them so."""
    return next((name for name, known in LABELS.items() if known == labels), written(labels, " "))
