"""The small values that a spec is made of, and how they are written: fractions, sizes, counts, patterns, inputs."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from contextlib import suppress
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

SECRET = "secret"  # noqa: S105  a word of specs
WHOLE = "whole"
FORGIVE = "forgive"

# People write both k and K, and a disk counts in thousands where memory counts in 1,024.
_UNITS = {"": 1, "k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9, "B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
_QUANTITY = re.compile(r"([0-9][0-9_]*)\s*([A-Za-z]*)")
_SECONDS = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(s|ms|)")
_PART = re.compile(r"[0-9]+(?:\.[0-9]+)?\s*%?")
_PER_DAY = {"": 1, "d": 1, "day": 1, "days": 1, "h": 24, "min": 24 * 60}
_SPAN = re.compile(r"[0-9]+(?:\.[0-9]+)?|(?:[0-9]+(?:\.[0-9]+)?\s*(?:days?|d|h|min)\s*)+")
# Systems take no limits of 64 bits and more: each program of such a spec was left to a person, as a fault of ours.
LARGEST_AMOUNT, LONGEST_TIME = 10**15, 10**6
_MOST_DIGITS = 60  # characters of a number of points or of a time, its fraction included
_SHOWN = 20  # characters of a longer one that a message quotes
_FRACTION = re.compile(r"[0-9]+( */ *[0-9]+|\.[0-9]+)?")


def _short(text: str) -> str:
    """The text of a number. Raises ValueError if it is longer than any that means something: no float would hold it."""
    if len(text) > _MOST_DIGITS:
        raise ValueError(f"{text[:_SHOWN]}… has {len(text)} characters; a number of at most {_MOST_DIGITS} is expected")
    return text


def read_fraction(value: object) -> Fraction:
    """``2``, ``2.5`` or ``1/4`` as an exact, non-negative fraction. Raises ValueError."""
    if isinstance(value, Fraction):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError("a number such as 2, 2.5 or 1/4 is expected")
    text = _short(str(value).strip())
    # A price of 1 over an Arabic zero was a division by zero: these are digits for Python, and not for us.
    if not _FRACTION.fullmatch(text) or re.search(r"/ *0+$", text):
        raise ValueError(f"{text!r} is not a number such as 2, 2.5 or 1/4")
    return Fraction(text.replace(" ", ""))


def read_price(value: object) -> Fraction | str:
    """Points, ``whole`` (the whole criterion) or ``forgive`` (nothing). Raises ValueError."""
    return value if isinstance(value, str) and value in (WHOLE, FORGIVE) else read_fraction(value)


def read_quantity(value: object) -> int:
    """``5000``, ``5_000``, ``5M`` or ``64 KiB`` as a whole number. Raises ValueError."""
    matched = _QUANTITY.fullmatch(value.strip()) if isinstance(value, str) else None
    if isinstance(value, int) and not isinstance(value, bool):
        amount = value
    elif matched is not None and matched[2] in _UNITS:
        amount = int(_short(matched[1])) * _UNITS[matched[2]]
    else:
        raise ValueError(f"{value!r} is not an amount such as 5000, 5M or 64 KiB")
    if amount > LARGEST_AMOUNT:
        raise ValueError(f"{value!r} is no limit: at most {LARGEST_AMOUNT:,}")
    return amount


def read_pattern(value: object) -> str:
    """A regular expression that compiles. Raises ValueError with the reason."""
    if not isinstance(value, str):
        raise ValueError("a regular expression in quotes is expected")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # what Python will read otherwise one day is refused today
            re.compile(value)
    except (re.error, Warning) as error:
        raise ValueError(f"{value!r} is no regular expression: {error}") from error
    # Five thousand brackets crash the compiler of patterns.
    except (RecursionError, OverflowError) as error:
        raise ValueError("the regular expression is nested too deeply, or repeats too often") from error
    return value


def read_inputs(value: object) -> tuple[str, ...]:
    """Inputs of one run: one string that is split at blanks, or a list when an input contains a blank itself."""
    if isinstance(value, str):
        return tuple(value.split())
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return tuple(value)
    # In YAML 1 is a number, whose zeros and signs are lost: `007`.
    raise ValueError("inputs are written as one string, 'B2 A1', or as a list of strings, [' 1', A1] (quote numbers)")


def read_seconds(value: object) -> float:
    """``2``, ``0.5``, ``2 s`` or ``500 ms`` in seconds, more than 0. Raises ValueError."""
    text = str(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else ""
    matched = _SECONDS.fullmatch(_short(text.strip()))
    seconds = float(matched[1]) / (1000 if matched[2] == "ms" else 1) if matched else 0.0
    if not seconds:
        raise ValueError(f"{value!r} is no time such as 2 s or 500 ms")
    if seconds > LONGEST_TIME:
        raise ValueError(f"{value!r} is no limit: at most {LONGEST_TIME:,} s")
    return seconds


def read_part(value: object) -> str:
    """``10 %`` of the points, or so many points, as it is written. Raises ValueError."""
    text = str(value).strip() if isinstance(value, int | float | str) and not isinstance(value, bool) else ""
    if not _PART.fullmatch(text):
        raise ValueError(f"{value!r} is no part such as 10 % or 2.5 points: write 10 % or 2.5")
    return text


def part_of(part: str, whole: Fraction) -> Fraction:
    """The amount of ``10 %`` of a whole; points stay unchanged."""
    number = Fraction(part.rstrip("% "))
    return number * whole / 100 if part.endswith("%") else number


def read_span(value: object) -> Fraction:
    """``2``, ``1.5``, ``2 d``, ``3 h``, ``15 min`` or ``1 d 4 h`` in days. Raises ValueError."""
    text = str(value).strip() if isinstance(value, int | float | str | Fraction) and not isinstance(value, bool) else ""
    text = _short(text)
    if _SPAN.fullmatch(text):
        parts = re.findall(r"([0-9]+(?:\.[0-9]+)?)\s*([a-z]*)", text)
        return sum((Fraction(number) / _PER_DAY[unit] for number, unit in parts), Fraction(0))
    raise ValueError(f"{value!r} is no time such as 2 d, 3 h or 15 min")


def read_seed(value: object) -> int | str:
    """A whole number, or ``secret``. Raises ValueError."""
    if value == SECRET or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise ValueError(f"{value!r} is no seed: a whole number, or `secret`")


def read_day(value: object) -> date:
    """``2026-12-01`` as a day. Raises ValueError."""
    if isinstance(value, date):
        return value
    # fromisoformat also takes weeks, and dates without hyphens.
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
        with suppress(ValueError):
            return date.fromisoformat(value)
    raise ValueError(f"{value!r} is no day such as 2026-12-01")


def read_word(value: object) -> int:
    """A 16- or 32-bit word: a whole number, or hexadecimal as ``x23`` or ``0x23``. Raises ValueError."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    matched = re.fullmatch(r"0?[xX]([0-9A-Fa-f]+)", value) if isinstance(value, str) else None
    if matched is None:
        raise ValueError(f"{value!r} is no word such as 37 or x25")
    return int(matched[1], 16)


ONE_OR_SEVERAL = BeforeValidator(lambda value: (value,) if isinstance(value, str) else value)
"""A text alone may stand for a list of one."""


def any_of(*schemas: dict[str, Any]) -> WithJsonSchema:
    """The schema of a value that is written in one of several ways."""
    return WithJsonSchema({"anyOf": [*schemas]})


def _number(pattern: str, least: int = 0) -> WithJsonSchema:
    """The schema of a number, or of a text that a pattern takes."""
    return any_of({"type": "number", "minimum": least}, {"type": "string", "pattern": pattern})


_PRICE = r"^(\d+( */ *\d+|\.\d+)?|whole|forgive)$"
_TEXTS = {"type": "array", "items": {"type": "string"}}

Points = Annotated[Fraction, BeforeValidator(read_fraction), _number(r"^\d+( */ *\d+|\.\d+)?$")]
Price = Annotated[Fraction | Literal["whole", "forgive"], BeforeValidator(read_price), _number(_PRICE)]
Quantity = Annotated[int, BeforeValidator(read_quantity), Field(ge=1), _number(r"^\d[\d_]*\s*[A-Za-z]*$")]
Seconds = Annotated[float, BeforeValidator(read_seconds), _number(r"^\d+(\.\d+)?\s*(s|ms)?$")]
Part = Annotated[str, BeforeValidator(read_part), _number(r"^\d+(\.\d+)?\s*%?$")]
Span = Annotated[Fraction, BeforeValidator(read_span), _number(r"^(\d+(\.\d+)?\s*(days?|d|h|min)?\s*)+$")]
Word = Annotated[int, BeforeValidator(read_word), Field(ge=0), _number(r"^0?[xX][0-9A-Fa-f]+$")]
_LEAST = -(1 << 31)
Signed = Annotated[int, BeforeValidator(read_word), Field(ge=_LEAST), _number(r"^0?[xX][0-9A-Fa-f]+$", _LEAST)]
Seed = Annotated[int | Literal["secret"], BeforeValidator(read_seed), any_of({"type": "integer"}, {"const": SECRET})]
Day = Annotated[date, BeforeValidator(read_day), WithJsonSchema({"type": "string", "format": "date"})]
Pattern = Annotated[str, BeforeValidator(read_pattern), WithJsonSchema({"type": "string", "format": "regex"})]
Inputs = Annotated[tuple[str, ...], BeforeValidator(read_inputs), any_of({"type": "string"}, _TEXTS)]
Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]


class SpecModel(BaseModel):
    """The base of all parts of a spec: immutable, no unknown keys, described by the docstring."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def parts_of(value: object) -> Iterable[tuple[str | int, object]]:
    """The parts of a part of a spec, by their keys or indices; none of a single value."""
    if isinstance(value, SpecModel):
        return ((key, getattr(value, key)) for key in type(value).model_fields)
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, tuple) else ()


_MARGIN = re.compile(r"([-+]?)(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE]([-+]?[0-9]{1,3}))?")


def read_margin(value: object) -> Decimal:
    """``0.01``, ``1e-6`` or ``2`` as an exact number that is not negative. Raises ValueError."""
    text = str(value).strip() if isinstance(value, int | float | str | Decimal) and not isinstance(value, bool) else ""
    matched = _MARGIN.fullmatch(text)
    if matched is None:
        raise ValueError(f"{value!r} is no number such as 0.01 or 1e-6")
    if matched[1] == "-":
        raise ValueError(f"{text} is negative: it says how far a number may be off, either way")
    return Decimal(text)


_WRITTEN = {"type": "string", "pattern": r"^[\d.]+([eE][-+]?\d+)?$"}
Margin = Annotated[Decimal, BeforeValidator(read_margin), any_of({"type": "number", "minimum": 0}, _WRITTEN)]


class Tolerance(SpecModel):
    """How far a printed number may be from the one that is expected: near enough is what lies within either bound.

    A number alone is `absolute`. With `tolerance: 0` the values must be equal, and `3`, `3.0` and `+3` are.
    """

    absolute: Margin = Decimal(0)
    """So far it may be off: `0.01`."""
    relative: Margin = Decimal(0)
    """It may be off by this share of the number that is expected: `1e-6`."""

    @model_validator(mode="before")
    @classmethod
    def _from_number(cls, value: object) -> object:
        return value if isinstance(value, dict | Tolerance) else {"absolute": value}
