"""Pydantic's errors on single keys, in words for authors of specs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from grader.spec.document import REFUSED, Document, Loc
from grader.spec.fields import as_written, describe, model_at
from grader.spec.problem import Problem, near

_KINDS = {str: "text", bool: "`true` or `false`", int: "a number", float: "a number", list: "a list", dict: "a mapping"}

_MAPPING = ("a mapping of keys and values", "write it as {key: value}, or as `key: value` on lines of their own")
_SHOULD_BE = {
    "string_type": ("text", "put it in quotes"),
    "int_type": ("a whole number", ""),
    "int_parsing": ("a whole number", ""),
    "int_from_float": ("a whole number", ""),
    "int_parsing_size": ("a whole number of a sensible size", ""),
    "finite_number": ("a whole number", ""),
    "bool_type": ("`true` or `false`", ""),
    "bool_parsing": ("`true` or `false`", ""),
    "tuple_type": ("a list", "put it in brackets: [first, second]"),
    "dict_type": _MAPPING,
    "model_type": _MAPPING,
}


def typing_problems(error: ValidationError, document: Document) -> Iterator[Problem]:
    """Each error as a problem of a node; errors about what was complained about already are left out."""
    for details in error.errors(include_url=False):
        loc = document.settle(details["loc"])
        # Each mistake is told once: the YAML reader has told this one.
        given = details["input"]
        refused = given is REFUSED or document.at(loc) is REFUSED
        # Pydantic does not count items that are wrong themselves, and calls the list too short.
        counted = details["type"] == "too_short" and isinstance(given, list)
        if not refused and not (counted and len(given) >= details["ctx"]["min_length"]):
            yield _problem(details, loc)


def _problem(details: ErrorDetails, loc: Loc) -> Problem:
    if details["type"] == "missing":
        model, key = model_at(loc), str(details["loc"][-1])
        meaning = describe(model, key) if model and key in model.model_fields else ""
        return Problem("missing", f"`{key}` is missing", loc, meaning.split(". ")[0].rstrip("."))
    if details["type"] == "extra_forbidden":
        model, key = model_at(loc[:-1]), str(loc[-1])
        hint = near(key, map(as_written, model.model_fields), "the keys here are") if model else ""
        return Problem("unknown-key", f"there is no key `{key}` here", loc, hint, at_key=True)
    if details["loc"][-1:] == ("[key]",):
        # A key from a list of words may be misspelt; every other key is a name that the spec makes up.
        words = _expected_words(details.get("ctx", {}))
        if not words:
            return Problem("name", f"`{loc[-1]}` is no name", loc, _NAME, at_key=True)
        hint = near(str(loc[-1]), words, "known are")
        return Problem("unknown-key", f"`{loc[-1]}` is not known here", loc, hint, at_key=True)
    return _wrong_value(details, loc)


def _wrong_value(details: ErrorDetails, loc: Loc) -> Problem:
    kind, given, limits = details["type"], details["input"], details.get("ctx", {})
    name = f"`{loc[-1]}`" if loc and isinstance(loc[-1], str) else "this item" if loc else "a spec"
    if kind in _SHOULD_BE:
        expected, hint = _SHOULD_BE[kind]
        return Problem("type", f"{name} must be {expected}, and is {_shown(given)}", loc, hint)
    if kind in ("enum", "literal_error"):
        words = _expected_words(limits)
        return Problem("word", f"{name} cannot be {_shown(given)}", loc, near(str(given), words, "it may be"))
    # Our own readers raise these, with a whole sentence.
    if kind == "value_error":
        return Problem("value", f"{name}: {limits['error']}", loc)
    return Problem("value", f"{name} {_limit(kind, limits, given, details['msg'])}", loc)


_NAME = "a name is made of a-z, 0-9 and -, such as blank-line"


def _expected_words(limits: Mapping[str, Any]) -> list[str]:
    """The words out of pydantic's ``'all', 'each' or 'kinds'``."""
    expected = str(limits.get("expected", "")).replace(" or ", ", ")
    return [word.strip("'") for word in expected.split(", ") if word]


def _limit(kind: str, limits: Mapping[str, Any], given: object, otherwise: str) -> str:
    """The bound that a value of the right type breaks."""
    most = limits.get("max_length", 0)
    sentences = {
        "string_pattern_mismatch": f"cannot be {_shown(given)}: {_NAME}",
        "string_too_short": "is empty",
        "string_too_long": f"must be one character, and is {_shown(given)}",
        "too_short": "is empty",
        "too_long": f"can have {most} item{'s' * (most != 1)}, and has {limits.get('actual_length')}",
        "greater_than_equal": f"must be at least {limits.get('ge')}",
        "less_than_equal": f"must be at most {limits.get('le')}",
    }
    return sentences.get(kind, f"is not right: {otherwise}")


def _shown(value: object) -> str:
    """A value as the file says it: short ones themselves, others by their kind."""
    kind = _KINDS.get(type(value), "something else")
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, str):
        return repr(value) if len(value) <= 40 else f"{value[:37]!r}…"
    return f"{kind} ({value})" if isinstance(value, int | float) else kind
