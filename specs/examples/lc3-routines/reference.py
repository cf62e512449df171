"""The results of the three routines."""

from __future__ import annotations

import re


def mult(a: int, b: int) -> int:
    """The product."""
    return a * b


def atoi(text: str) -> int:
    """The number that a text is; other texts are not asked for."""
    if not re.fullmatch("-?[0-9]+", text) or not -0x8000 <= int(text) <= 0x7FFF:
        raise ValueError(text)
    return int(text)


def sort(items: list[int]) -> list[int]:
    """The same numbers in rising order."""
    return sorted(items)
