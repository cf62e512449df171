"""The keys of a `call` case: one routine, called by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from grader.spec.ranges import read_range
from grader.spec.things import MAPPINGS, read_shape, read_thing
from grader.spec.values import Quantity, Seed, SpecModel, Word

Convention = Literal["registers", "lc3-frame", "o32"]

RESULT = ""
"""What the place of the result is called that the convention has."""

TYPED = "types"
"""The argument that is typed, not passed."""


def _checked(value: object) -> Any:
    read_thing(value)
    return value


def _arguments(value: object) -> Any:
    """Things by register, or in order. Raises ValueError."""
    if isinstance(value, list | tuple):
        return tuple(map(_checked, value))
    return _things(value)


def _things(value: object) -> dict[str, Any]:
    """A thing for each place. Raises ValueError, which says where."""
    if not isinstance(value, Mapping):
        raise ValueError("a mapping of places to what they hold is expected: {R0: 12}")
    return {str(place): _told(place, _checked, inner) for place, inner in value.items()}


def _told(place: object, read: Any, inner: object) -> Any:
    try:
        return read(inner)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from error


def _result(value: object) -> Any:
    """One thing, in the usual place, or a thing for each register. Raises ValueError."""
    if isinstance(value, Mapping) and not MAPPINGS.issuperset(value):
        return _things(value)
    return _checked(value)


def _ranges(value: object) -> Any:
    """Ranges by register or label, or in order. Raises ValueError."""

    def checked(inner: object) -> object:
        read_range(inner)
        return inner

    if isinstance(value, list | tuple):
        return tuple(map(checked, value))
    if not isinstance(value, Mapping):
        raise ValueError("a mapping of arguments to ranges is expected: {R0: 1..200}")
    return {str(place): _told(place, checked, inner) for place, inner in value.items()}


_ANYTHING = WithJsonSchema({})
_PLACES = WithJsonSchema({"type": "object"})
_PLACES_OR_ROW = WithJsonSchema({"anyOf": [{"type": "object"}, {"type": "array"}]})

Arguments = Annotated[Any, BeforeValidator(_arguments), _PLACES_OR_ROW]
Things = Annotated[Any, BeforeValidator(_things), _PLACES]
Results = Annotated[Any, BeforeValidator(_result), _ANYTHING]
Ranges = Annotated[Any, BeforeValidator(_ranges), _PLACES_OR_ROW]


class Called(SpecModel):
    """How often a routine must be called meanwhile, and with what. `FACT: 4` is short for `FACT: {times: 4}`."""

    times: int | None = Field(default=None, ge=0)
    """So often, no more and no less; 0 forbids it."""
    least: int = Field(default=1, ge=0)
    """So often at least."""
    with_: tuple[Arguments, ...] = Field(default=(), alias="with")
    """Arguments of calls that must come about, in this order; others may come between them."""

    @model_validator(mode="before")
    @classmethod
    def _from_times(cls, value: object) -> object:
        return {"times": value} if isinstance(value, int) and not isinstance(value, bool) else value


class CallRules(SpecModel):
    """One routine, called as a program would call it, with everything that is not given filled at random.

    It must come back to its caller, by `RET` or `jr $ra`, and not halt the machine.
    """

    routine: str = Field(min_length=1)
    """Its label."""
    convention: Convention | None = None
    """How arguments and the result are passed. `registers`: as `with` names them. `lc3-frame`: on the stack, as compilers for
    the LC-3 do it, with R6 as stack pointer and R5 as frame pointer. `o32`: `$a0`–`$a3`, then the stack; the result in `$v0`.
    MIPS has `o32` if it is not said, the LC-3 `registers`."""
    with_: Arguments = Field(default={}, alias="with")
    """What registers hold, `{R0: 12}`, or the arguments in order, `[12, 18]`. A text or a list is passed by its address, and
    so is what is called `@name`: a label of the program, or a block in `given`."""
    given: Things = Field(default={})
    """What lies in memory before: at labels of the program, or in blocks of our own, which have names such as `@list`."""
    types: str = ""
    """What is typed meanwhile; `\\n` is Enter."""
    returns: Results = None
    """What comes back: one value, in the place that the convention has for it, or values by register. With a `reference` the
    kind of each value that it gives, where it cannot be told by its type: `{R0: list}`."""
    leaves: Things = Field(default={})
    """What lies in memory afterwards, at labels, in blocks, or where an argument pointed to: `{R0: [1, 2, 3]}`. Arguments in
    order are `"1"`, `"2"` and so on. With a `reference` the kind of each: `{R1: string}`."""
    prints: str | None = None
    """What it prints, exactly. With a `reference`: `text`, which it gives last."""
    preserves: tuple[str, ...] = ()
    """Registers that hold afterwards what they held before; `convention` stands for all that the convention has kept."""
    instructions: Quantity | None = None
    """The most instructions that it may execute."""
    calls: dict[str, Called] = Field(default_factory=dict)
    """Routines that it must call meanwhile, by their labels. One that calls itself names itself here."""
    forbidden_traps: tuple[Word, ...] = ()
    """Trap vectors that must not be executed meanwhile."""
    required_traps: tuple[Word, ...] = ()
    """Trap vectors that must be executed meanwhile."""
    unread: bool = True
    """Whether keys may be left that were typed and that it did not read."""
    reference: str | None = None
    """A function of the reference that says what comes back: it is given the arguments in their order, and changes lists as
    the routine should. Where it raises ValueError the arguments are none, and others are drawn."""
    arguments: Ranges = Field(default={})
    """What each argument is drawn from, by register or label, or in order: `1..200`, `any of 1, 5`, `array 1..8 of -9..9`, `string
    0..12 of a-z`, `list 0..6 of 1..99 by value, next`, `bytes 1..8 of 0..255`, `length of R0`, `space 12`, a number, or `@name`;
    `types` is what is typed: `line 1..4 of 0-9`."""
    games: int = Field(default=100, ge=1, le=10_000)
    """How many calls are drawn."""
    seed: Seed = 0
    """What they are drawn with, and all that is not given. `secret` draws them by the secret of the course."""

    @property
    def fill(self) -> int:
        """The seed of all that is not given: too small a part of the seed to tell what a secret draws, since commands show it."""
        return int(self.seed) & 0xFFFF

    @property
    def drawn(self) -> bool:
        """Whether a reference says what comes back."""
        return self.reference is not None

    @property
    def expects(self) -> bool:
        """Whether something must come about, which a routine that only returns does not bring about."""
        return bool(
            self.returns is not None or self.leaves or self.prints or self.calls or self.required_traps or self.drawn
        )

    @model_validator(mode="after")
    def _shapes(self) -> CallRules:
        """With a reference, results are kinds of values."""
        if self.drawn:
            for shape in (*_values(self.returns), *_values(self.leaves)):
                read_shape(shape)
        return self


def _values(results: object) -> tuple[object, ...]:
    if results is None:
        return ()
    return tuple(results.values()) if isinstance(results, Mapping) else (results,)
