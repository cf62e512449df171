"""Floating-point numbers as MARS (Java) and SPIM (C) print, read, convert and divide them.

Java's shortest form is that of JDK 19 and later: the fewest digits that read back as the same number. Older versions
print a digit too many for a few numbers (``2.0E-3`` is right in all of them, 2e23 is not).
"""

from __future__ import annotations

import math
import re
import struct

_LEAST, _MOST = -(1 << 31), (1 << 31) - 1
_JAVA_NUMBER = re.compile(
    r"[+-]?(NaN|Infinity|((\d++\.?\d*+|\.\d+)([eE][+-]?\d+)?)[fFdD]?|0[xX]([0-9a-fA-F]++\.?[0-9a-fA-F]*+|\.[0-9a-fA-F]+)"
    r"[pP][+-]?\d+[fFdD]?)"
)
_C_NUMBER = re.compile(r"\A\s*+[+-]?(\d++\.?\d*+|\.\d+)([eE][+-]?\d+)?")
_ENOUGH = 17  # digits after the first that tell all doubles apart
_JAVA_PLAIN_FROM, _JAVA_PLAIN_TO = -3, 7  # exponents between which Java prints no exponent


def quotient(left: float, right: float) -> float:
    """``left / right`` as IEEE 754 has it, division by zero included."""
    if right:
        return left / right
    if left == 0 or math.isnan(left) or math.isnan(right):
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def root(value: float) -> float:
    """The square root; NaN of a negative number."""
    return math.sqrt(value) if value >= 0 else math.nan


def to_word(value: float, rounding: int) -> int:
    """``value`` as a word of 32 bits, rounded to nearest even (0), to zero (1), up (2) or down (3).

    As in MARS, what does not fit becomes the greatest or, for trunc and cvt as Java's cast has it, the nearest integer.
    """
    if math.isnan(value):
        return 0 if rounding == 1 else _MOST
    if math.isinf(value):
        return _MOST if value > 0 or rounding != 1 else _LEAST & 0xFFFF_FFFF
    whole = (round, math.trunc, math.ceil, math.floor)[rounding](value)
    if not _LEAST <= whole <= _MOST:
        return _MOST if rounding != 1 or whole > 0 else _LEAST & 0xFFFF_FFFF
    return whole & 0xFFFF_FFFF


def as_single(value: float) -> float:
    """``value`` rounded to single precision; infinite where it is too great."""
    try:
        rounded: float = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return rounded


def java_text(value: float, *, single: bool) -> str:
    """The text of ``Float.toString`` or ``Double.toString`` of Java."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    sign = "-" if math.copysign(1.0, value) < 0 else ""
    if value == 0:
        return sign + "0.0"
    digits, exponent = _shortest(abs(value), single=single)
    if _JAVA_PLAIN_FROM <= exponent < _JAVA_PLAIN_TO:
        if exponent < 0:
            return f"{sign}0.{'0' * (-exponent - 1)}{digits}"
        padded = digits.ljust(exponent + 2, "0")
        return f"{sign}{padded[: exponent + 1]}.{padded[exponent + 1 :]}"
    return f"{sign}{digits[0]}.{digits[1:] or '0'}E{exponent}"


def _shortest(value: float, *, single: bool) -> tuple[str, int]:
    """The digits and the decimal exponent of the shortest number that reads back as ``value``.

    Java never prints one digit only: it takes the nearest number of two digits.
    """
    for places in range(1, _ENOUGH):
        text = f"{value:.{places}e}"
        if (as_single(float(text)) if single else float(text)) == value:
            break
    mantissa, exponent = text.split("e")
    return mantissa.replace(".", "").rstrip("0") or "0", int(exponent)


def c_text(value: float, *, single: bool) -> str:
    """The text that SPIM prints: ``%.8f`` for a single, ``%.18g`` for a double; a NaN of this machine is negative there."""
    if math.isnan(value):
        return "-nan"
    return f"{value:.8f}" if single else f"{value:.18g}"


def java_number(text: str) -> float | None:
    """The value that Java's parseFloat or parseDouble give for a line; None if they refuse it."""
    stripped = text.strip()
    if not _JAVA_NUMBER.fullmatch(stripped):
        return None
    if stripped.lstrip("+-")[:2].lower() == "0x":
        try:
            return float.fromhex(stripped.rstrip("fFdD"))
        except OverflowError:
            return -math.inf if stripped[0] == "-" else math.inf
    return float(stripped.rstrip("fFdD"))


def c_number(text: str) -> float:
    """The value that C's atof gives for a line: the number at its beginning, or 0."""
    match = _C_NUMBER.match(text)
    return float(match[0]) if match else 0.0
