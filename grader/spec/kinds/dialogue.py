"""The keys of a `dialogue` case."""

from __future__ import annotations

import re

from pydantic import model_validator

from grader.spec.kinds.kind import Kind
from grader.spec.values import Pattern, SpecModel

# A sign that a backslash makes plain.
_ESCAPED = re.compile(r"\\[^\w\s]")
# The signs that mean something in a pattern, those that are left of an escape among them.
_META = re.compile(r"[.^$*+?{}\[\]\\|()]")


def looked_for(pattern: str, says: str) -> str:
    """What students are told that a pattern looks for: what somebody ``says``, or the pattern where it is plain text; else nothing."""
    # Students never read a pattern: `[A-Z]{2}[0-9]{8}.*` tells a beginner nothing.
    plain = not _META.search(_ESCAPED.sub("", pattern))
    return says or (_ESCAPED.sub(lambda escaped: escaped[0][1], pattern) if plain else "")


class Step(SpecModel):
    """One step of a dialogue. Exactly one key is given; `says` stands beside `expect`."""

    expect: Pattern | None = None
    """A regular expression that must be found in what is printed from here to the next wait for input, or to the end."""
    says: str = ""
    """A phrase that tells students what `expect` looks for, as in `the total with two decimals`. They never read a regular expression: of a plain word they are shown the word, of any other pattern nothing."""
    refuse: Pattern | None = None
    """A regular expression that must not be found there."""
    send: str | None = None
    """A line to type; Enter is added."""
    keys: str | None = None
    """Keys to type, without Enter."""
    close: bool = False
    """End the input, as Ctrl-D does."""
    ends: bool = False
    """The program ends here by itself, and normally."""

    @model_validator(mode="after")
    def _one_key(self) -> Step:
        given = self.model_fields_set - {"says"}
        if len(given) != 1:
            names = (name for name in type(self).model_fields if name != "says")
            raise ValueError(f"exactly one of {', '.join(names)} is expected")
        if self.says and self.expect is None:
            raise ValueError("`says` tells what `expect` looks for, and belongs beside it")
        return self

    @property
    def expectation(self) -> str:
        """What a student is told that `expect` looks for; empty where nobody said it and the pattern is no plain text."""
        return looked_for(self.expect or "", self.says)


DIALOGUE = Kind("dialogue", keys=frozenset({"starts"}), heard=True)
