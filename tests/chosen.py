"""Which of many tests of one sort a whole run has: chosen by a digest of their names, so that one more moves no other."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256


def digest(name: str) -> int:
    """A number drawn by a name: the same on every machine."""
    return int.from_bytes(sha256(name.encode()).digest())


def is_chosen(share: int, name: str) -> bool:
    """Whether what has this name is the one of so many that a whole run has."""
    return digest(name) % share == 0


def left_out(shares: Mapping[str, int]) -> frozenset[str]:
    """The ids of one test with several parameters that a whole run leaves out, each by its share: never all of them."""
    out = {name for name, share in shares.items() if not is_chosen(share, name)}
    return frozenset(out - {min(shares, key=digest)} if len(out) == len(shares) else out)
