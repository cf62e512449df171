"""``docs/spec-reference.md``, every key that a spec may have, generated from the model's own descriptions."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from enum import Enum
from fractions import Fraction
from typing import Any, Literal, get_args, get_origin

from grader.spec.fields import Part, as_written, describe, models_in, optional, parts_below, plain, typed_keys
from grader.spec.kinds.beginning import Passages
from grader.spec.kinds.call import Arguments, Ranges, Results, Things
from grader.spec.kinds.content import Text
from grader.spec.kinds.tests import Expected
from grader.spec.languages import Languages
from grader.spec.model import Spec
from grader.spec.values import (
    Day,
    Inputs,
    Pattern,
    Points,
    Price,
    Quantity,
    Seconds,
    Seed,
    Signed,
    Slug,
    SpecModel,
    Word,
)

_WORDS: tuple[tuple[object, str], ...] = (
    (Slug, "name"), (Points, "number or fraction"), (Price, "points, `whole` or `forgive`"), (Quantity, "amount"), (Seconds, "time"),
    (Languages, "language, or list of languages"), (Seed, "whole number or `secret`"), (Day, "day"), (Expected, "names, or name → number"),
    (Word, "number or `x25`"), (Signed, "number or `x25`"), (Pattern, "regular expression"), (Inputs, "inputs"), (Arguments, "arguments"), (Things, "things"),
    (Results, "thing, or things"), (Ranges, "ranges"), (Text, "text, or `{path: FILE}`"), (Passages, "text, or list of texts"),
    (str, "text"), (int, "whole number"), (float, "number"), (bool, "`true` or `false`"),
)  # fmt: skip
"""The name of a type for a TA."""

_ONE_OF = "one of "


_HEAD = """\
# Every key of a spec

Generated from the model; `make accept` rewrites this page. `docs/writing-a-spec.md` shows how to begin, `grader lint SPEC`
finds what is wrong, and `grader schema` prints what an editor needs to help. A key in bold must be there.

| written as | means |
|---|---|
| name | small letters, digits and `-`, such as `blank-line` |
| number or fraction | `2`, `2.5` or `1/4`, never negative, and exact |
| amount | `5000`, `5_000`, `5M`, `64 KiB` |
| inputs | what is typed, one input after another, separated by spaces: `B2 A1`; or a list, when an input has a space in it |
| regular expression | as Python reads it; in single quotes, where a backslash is a backslash |
| thing | what a register or a place in memory holds: `12`, `Anna` (with a zero behind it), `[3, 1, 2]` (words in a row), `{list: [3, 1]}`, `"@label"`; [routines](routines.md) has them all |
| things | a thing for each place: `{R0: 12, "@list": [3, 1, 2]}`; arguments may also be listed in their order, `[12, 18]` |
| ranges | what arguments are drawn from: `{R0: 1..200, R1: array 1..8 of -9..9}` |
| day | `2026-12-01` |
| `x25` | hexadecimal; `37` is the same |

A spec is YAML of the plain kind: `no` is a word and not false, `010` is ten, and there are no anchors, aliases, merges or
tags. A text with `: ` or ` #` in it, or that begins with one of ``@`&*!%{[>|"'``, needs quotes.
"""


def page_text() -> str:
    """The page, as Markdown."""
    sections = [_HEAD]
    for part in parts_below(Spec):
        meaning, rows = inspect.getdoc(part.model) or "", "\n".join(_rows(part))
        head = "| key | value | default | meaning |\n|---|---|---|---|"
        sections.append(f"## {title(part.path)}\n\n{meaning}\n\n{head}\n{rows}\n")
    explained = (f"## {spaced(kind).capitalize()}\n\n{inspect.getdoc(kind)}\n" for kind in enums_below())
    return "\n".join((*sections, *explained))


def _rows(part: Part) -> Iterator[str]:
    for key, annotation in typed_keys(part.model).items():
        field = part.model.model_fields[key]
        name = f"**`{as_written(key)}`**" if field.is_required() else f"`{as_written(key)}`"
        default = "" if field.is_required() else _default(field.get_default(call_default_factory=True))
        value = in_words(annotation)
        for _, suffix in models_in(annotation):
            below = f"{part.path}.{key}{suffix}".removeprefix(".")
            value = value.replace("mapping", f"[mapping](#{anchor(below)})")
        meaning = describe(part.model, key).split("\n\n")[0]
        yield f"| {name} | {value} | {default} | {meaning} |".replace("\n", " ")


def _default(value: object) -> str:
    """A default as the spec would say it; nothing where the key is simply absent."""
    if value in (None, "", (), {}) or isinstance(value, SpecModel):
        return ""
    if isinstance(value, tuple):
        return f"`[{', '.join(str(item) for item in value)}]`"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, Fraction | int) and not isinstance(value, Enum):
        return f"`{value if value < 10_000 else f'{value:_}'}`"
    return f"`{value}`"


def title(path: str) -> str:
    """The heading of a section: of the model to which a TA gets by a path such as ``cases[].machine``."""
    return f"`{path}`" if path else "The spec"


def anchor(path: str) -> str:
    """The name of its section in a link."""
    return re.sub(r"[^a-z_]", "", title(path).lower().replace(" ", "-").replace(".", ""))


def enums_below() -> tuple[type[Enum], ...]:
    """The enumerations in a spec whose description explains each of their words."""
    found: dict[type[Enum], None] = {}
    for part in parts_below(Spec):
        for annotation in typed_keys(part.model).values():
            for kind in (plain(annotation), *map(plain, get_args(plain(annotation)))):
                if _is_explained(kind):
                    found[kind] = None
    return tuple(found)


def _is_explained(kind: Any) -> bool:
    return inspect.isclass(kind) and issubclass(kind, Enum) and "\n- " in (inspect.getdoc(kind) or "")


def in_words(annotation: Any) -> str:
    """A type as a TA would say it: ``list of names``, ``one of `all`, `each`, `kinds` ``; a model is a ``mapping``."""
    kind = optional(annotation)
    arguments = get_args(kind)
    if get_origin(kind) is tuple:
        word = in_words(arguments[0])
        plural = "" if word.startswith(_ONE_OF) or word[-1] in "s`" else "s"
        return f"list of {word.removeprefix(_ONE_OF)}{plural}"
    if get_origin(kind) is dict:
        return f"{in_words(arguments[0])} → {in_words(arguments[1])}"
    if get_origin(kind) is Literal:
        return _one_of(str(value) for value in arguments)
    if _is_explained(kind):
        return f"[{spaced(kind)}](#{spaced(kind).replace(' ', '-')})"
    if inspect.isclass(kind) and issubclass(kind, Enum):
        return _one_of(str(member.value) for member in kind)
    return next((word for known, word in _WORDS if kind is known), "mapping")


def spaced(kind: type[Enum]) -> str:
    """The name of an enumeration in words: ``slip kind``."""
    return re.sub(r"(?<=.)(?=[A-Z])", " ", kind.__name__).lower()


def _one_of(words: Iterable[str]) -> str:
    return _ONE_OF + ", ".join(f"`{word}`" for word in words)
