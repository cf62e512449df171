"""Which of many tests of one sort a whole run has: chosen by a digest of their names, so that one more moves no other."""

from __future__ import annotations

from hashlib import sha256

import pytest
from _pytest.mark.structures import MarkDecorator


def one_of(share: int, name: str) -> tuple[MarkDecorator, ...]:
    """The marks of a test: none for one of so many, by its name, and ``spare`` for the others."""
    return () if int.from_bytes(sha256(name.encode()).digest()) % share == 0 else (pytest.mark.spare,)
