"""The languages that a program may be written in, and those that its student may be spoken to in."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field

from grader.spec.values import ONE_OR_SEVERAL, any_of

Language = Literal["lc3", "mips", "c", "cpp", "java", "python"]
Spoken = Literal["en", "de", "zh", "vi"]
SPOKEN: tuple[Spoken, ...] = get_args(Spoken)
Profile = Literal["default", "lc3tools", "lc3tools-ignore-privilege", "classic", "mars", "spim", "mipsy"]
"""The profiles of all machines: a schema and the type checker want them in one literal."""
Convention = Literal["registers", "lc3-frame", "o32"]
"""The ways to pass arguments to a routine, of all machines."""
LANGUAGES: tuple[Language, ...] = get_args(Language)
_ONE = {"enum": [*LANGUAGES]}
Languages = Annotated[
    tuple[Language, ...],
    ONE_OR_SEVERAL,
    Field(min_length=1),
    any_of(_ONE, {"type": "array", "minItems": 1, "items": _ONE}),
]
