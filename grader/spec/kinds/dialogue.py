"""The keys of a `dialogue` case."""

from __future__ import annotations

from pydantic import model_validator

from grader.spec.values import Pattern, SpecModel


class Step(SpecModel):
    """One step of a dialogue. Exactly one key is given."""

    expect: Pattern | None = None
    """A regular expression that must be found in what is printed from here to the next wait for input, or to the end."""
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
        if len(self.model_fields_set) != 1:
            raise ValueError(f"exactly one of {', '.join(type(self).model_fields)} is expected")
        return self
