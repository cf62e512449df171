"""``java.util.Random``, the generator behind MARS's system calls 40-44, as its documentation specifies it."""

from __future__ import annotations

_MULTIPLIER, _INCREMENT, _MASK = 0x5DEECE66D, 0xB, (1 << 48) - 1
_INT_MAX = (1 << 31) - 1


class JavaRandom:
    """A linear congruential generator of 48 bits. ``seed`` is a signed number; numbers are returned unsigned."""

    def __init__(self, seed: int) -> None:
        self._state = (seed ^ _MULTIPLIER) & _MASK

    def copy(self) -> JavaRandom:
        """A generator in the same state."""
        twin = JavaRandom(0)
        twin._state = self._state
        return twin

    def _next(self, bits: int) -> int:
        self._state = (self._state * _MULTIPLIER + _INCREMENT) & _MASK
        return self._state >> (48 - bits)

    def word(self) -> int:
        """``nextInt()`` as a word of 32 bits."""
        return self._next(32)

    def below(self, bound: int) -> int:
        """``nextInt(bound)``, 0…bound-1, for a bound of 1…2³¹-1."""
        bits = self._next(31)
        if bound & (bound - 1) == 0:
            return bound * bits >> 31
        while bits - bits % bound + (bound - 1) > _INT_MAX:
            bits = self._next(31)
        return bits % bound

    def single(self) -> float:
        """``nextFloat()``, 0…1 without 1."""
        return self._next(24) / (1 << 24)

    def double(self) -> float:
        """``nextDouble()``, 0…1 without 1."""
        high = self._next(26)
        return ((high << 27) + self._next(27)) / (1 << 53)
