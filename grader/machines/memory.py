"""The contents of a machine's memory and registers that its program does not set: zeros, or noise made by a seed."""

from __future__ import annotations

import hashlib
import sys
from array import array

_PERIOD = 1 << 15  # bytes; the noise repeats after them, which keeps a reset under 0.2 ms


def noise(seed: int, count: int, typecode: str = "H") -> array[int]:
    """``count`` numbers of an array type (``H``, ``I``), the same for one ``seed`` on every platform and version.

    The bytes are SHAKE-128 (FIPS 202) of the seed's decimal digits, little-endian words, repeated after 32 KiB.
    """
    words = array(typecode)
    length = count * words.itemsize
    block = hashlib.shake_128(str(seed).encode("ascii")).digest(min(length, _PERIOD))
    words.frombytes((block * (length // _PERIOD + 1))[:length])
    if sys.byteorder == "big":
        words.byteswap()
    return words
