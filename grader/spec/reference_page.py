"""``docs/spec-reference.md``, every key that a spec may have, generated from the model's own descriptions."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from enum import Enum
from fractions import Fraction

from grader.spec import fields
from grader.spec.fields import Part, as_written, models_in, spaced
from grader.spec.model import Spec
from grader.spec.values import SpecModel

_HEAD = """\
# Every key of a spec

Generated from the model; `make accept` rewrites this page. `docs/writing-a-spec.md` shows how to begin, `grader lint SPEC`
finds what is wrong, and `grader schema` prints what an editor needs to help. A key in bold must be there.

| written as | means |
|---|---|
| name | small letters, digits and `-`, such as `blank-line` |
| number or fraction | `2`, `2.5` or `1/4`, never negative, and exact |
| amount | `5000`, `5_000`, `5M`, `64 KiB` |
| inputs | what is typed, one input after another, separated by blanks: `B2 A1`; or a list, when an input has a blank in it |
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
    for part in fields.parts_below(Spec):
        meaning, rows = inspect.getdoc(part.model) or "", "\n".join(_rows(part))
        head = "| key | value | default | meaning |\n|---|---|---|---|"
        sections.append(f"## {part.title}\n\n{meaning}\n\n{head}\n{rows}\n")
    explained = (f"## {spaced(kind).capitalize()}\n\n{inspect.getdoc(kind)}\n" for kind in fields.enums_below(Spec))
    return "\n".join((*sections, *explained))


def _rows(part: Part) -> Iterator[str]:
    for key, annotation in fields.typed_keys(part.model).items():
        field = part.model.model_fields[key]
        name = f"**`{as_written(key)}`**" if field.is_required() else f"`{as_written(key)}`"
        default = "" if field.is_required() else _default(field.get_default(call_default_factory=True))
        value = fields.in_words(annotation)
        for inner, suffix in models_in(annotation):
            below = Part(f"{part.path}.{key}{suffix}".removeprefix("."), inner)
            value = value.replace("mapping", f"[mapping](#{below.anchor})")
        meaning = fields.describe(part.model, key).split("\n\n")[0]
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
