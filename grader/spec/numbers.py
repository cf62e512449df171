"""The keys of a tolerance: how far a number may be from the one that is expected."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated

from pydantic import BeforeValidator, model_validator

from grader.spec.values import SpecModel, any_of

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
