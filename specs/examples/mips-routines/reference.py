"""The results of the four functions, and the memory that they leave."""

from __future__ import annotations

import re


def digit_sum(n: int) -> int:
    """The sum of the decimal digits."""
    return sum(map(int, str(n)))


def length(text: str) -> int:
    """How many characters a text has."""
    return len(text)


def number(text: str) -> int:
    """The number that a text is; other texts are not asked for."""
    if not re.fullmatch("-?[0-9]+", text):
        raise ValueError(text)
    return int(text)


def product(a: list[int], b: list[int], rows: int, inner: int, columns: int) -> list[int]:
    """The product of two matrices, row by row."""
    return [
        sum(a[i * inner + k] * b[k * columns + j] for k in range(inner)) for i in range(rows) for j in range(columns)
    ]
