"""The keys of a `call` case: one routine, called by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from grader.machines.families import TRAITS
from grader.spec.kinds.kind import Entry, Kind, traps, words
from grader.spec.languages import Convention
from grader.spec.problem import Problem, near
from grader.spec.ranges import read_range
from grader.spec.things import MAPPINGS, numbers_in, read_shape, read_thing
from grader.spec.values import Quantity, Seed, SpecModel, Word, any_of

RESULT = ""
"""The name for the place that the convention has for the result."""

TYPED = "types"
"""The argument that is typed, not passed."""


def _places(read: Callable[[object], object], expected: str, *, row: bool = False) -> Callable[[object], Any]:
    """A reader of values by the names of their places, or in a ``row``; ``read`` takes each of them. Raises ValueError."""

    def checked(value: object) -> Any:
        # Arguments in order need no names.
        if row and isinstance(value, list | tuple):
            for inner in value:
                read(inner)
            return tuple(value)
        if not isinstance(value, Mapping):
            raise ValueError(f"a mapping of {expected}")
        for place, inner in value.items():
            try:
                read(inner)
            except ValueError as error:
                raise ValueError(f"{place}: {error}") from error
        return {str(place): inner for place, inner in value.items()}

    return checked


_HELD = "places to what they hold is expected: {R0: 12}"
_things = _places(read_thing, _HELD)


def _result(value: object) -> Any:
    """One thing, in the usual place, or a thing for each register. Raises ValueError."""
    # `{list: [3, 1]}` is one thing, and `{R0: 3}` one in a place.
    if isinstance(value, Mapping) and not MAPPINGS.issuperset(value):
        return _things(value)
    read_thing(value)
    return value


_OBJECT = {"type": "object"}
_OBJECT_OR_ROW = any_of(_OBJECT, {"type": "array"})
_drawn = _places(read_range, "arguments to ranges is expected: {R0: 1..200}", row=True)

Arguments = Annotated[Any, BeforeValidator(_places(read_thing, _HELD, row=True)), _OBJECT_OR_ROW]
Things = Annotated[Any, BeforeValidator(_things), WithJsonSchema(_OBJECT)]
Results = Annotated[Any, BeforeValidator(_result), WithJsonSchema({})]
Ranges = Annotated[Any, BeforeValidator(_drawn), _OBJECT_OR_ROW]


class Called(SpecModel):
    """The calls of a routine that must happen meanwhile, and their arguments.

    `FACT: 4` is short for `FACT: {times: 4}`.
    """

    times: int | None = Field(default=None, ge=0)
    """The exact number of calls; 0 forbids them."""
    least: int = Field(default=1, ge=0)
    """The least number of calls."""
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
    """Its label, or its address, such as `x3050`."""
    convention: Convention | None = None
    """How arguments and the result are passed. `registers`: as `with` names them. `lc3-frame`: on the stack, as compilers for
    the LC-3 do it, with R6 as stack pointer and R5 as frame pointer. `o32`: `$a0`–`$a3`, then the stack; the result in `$v0`.
    MIPS has `o32` if it is not said, the LC-3 `registers`."""
    with_: Arguments = Field(default={}, alias="with")
    """The contents of registers, `{R0: 12}`, or the arguments in order, `[12, 18]`. A text or a list is passed by its
    address, and so is what is called `@name`: a label of the program, or a block in `given`."""
    given: Things = Field(default={})
    """The contents of memory before the call: at labels of the program, or in blocks of the grader's own, with names
    such as `@list`."""
    types: str = ""
    """The input typed meanwhile; `\\n` is Enter."""
    returns: Results = None
    """The results: one value, in the place that the convention has for it, or values by register. With a `reference`,
    the kind of each value, if its type does not show the kind: `{R0: list}`."""
    leaves: Things = Field(default={})
    """The contents of memory afterwards, at labels, in blocks, or where an argument pointed to: `{R0: [1, 2, 3]}`.
    Arguments in order are `"1"`, `"2"` and so on. With a `reference` the kind of each: `{R1: string}`."""
    prints: str | None = None
    """The exact output. With a `reference`: `text`, which it gives last."""
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
    """Whether typed keys may be left unread."""
    elsewhere: bool = True
    """Whether other memory may be written than `leaves` names, such as the word behind an array. The program's own variables and the
    stack may be written in any case."""
    reference: str | None = None
    """A function of the reference that says what comes back: it is given the arguments in their order, and changes
    lists as the routine should. If it raises ValueError, the arguments are invalid, and others are drawn."""
    arguments: Ranges = Field(default={})
    """The range of each argument, by register or label, or in order. Numbers are `1..200` or `any of 1, 5`, and texts
    are `string 0..12 of a-z`. Rows are `array 1..8 of -9..9`, `bytes 1..8 of 0..255` or `list 0..6 of 1..99 by value,
    next`. There are also `length of R0`, `space 12`, a number, and `@name`. `types` is the range of the typed input:
    `line 1..4 of 0-9`."""
    games: int = Field(default=100, ge=1, le=10_000)
    """The number of drawn calls."""
    seed: Seed = 0
    """The seed of the calls, and of all contents that are not given. `secret` draws them by the secret of the
    course."""

    @property
    def fill(self) -> int:
        """The seed of all that is not given: too small a part of the seed to tell what a secret draws, since commands show it."""
        # Commands show it, and a student could draw what a hidden case draws.
        return int(self.seed) & 0xFFFF

    @property
    def drawn(self) -> bool:
        """Whether a reference says what comes back."""
        return self.reference is not None

    @property
    def expects(self) -> bool:
        """Whether the case demands an effect that a routine which only returns does not have."""
        shows = self.leaves or self.prints or self.calls or self.required_traps
        return self.returns is not None or self.drawn or bool(shows)

    @property
    def results(self) -> dict[str, Any]:
        """The results, by register; `RESULT` is the place that the convention has."""
        if isinstance(self.returns, Mapping) and not MAPPINGS.issuperset(self.returns):
            return dict(self.returns)
        return {} if self.returns is None else {RESULT: self.returns}

    @model_validator(mode="after")
    def _shapes(self) -> CallRules:
        """With a reference, results are kinds of values."""
        for shape in (*self.results.values(), *self.leaves.values()) if self.drawn else ():
            read_shape(shape)
        return self


def named(arguments: Any) -> dict[str, Any]:
    """Arguments by their names, or by their numbers where they are in order."""
    if isinstance(arguments, Mapping):
        return dict(arguments)
    return {str(number): one for number, one in enumerate(arguments, start=1)}


# ------------------------------------------------------------------------------------------------------------------ rules


def demanded(at: Entry[CallRules]) -> Iterator[Problem]:
    """Something must come about: a routine that does nothing but return keeps every register and breaks nothing."""
    # If another case of the routine demands something, this one may just check the registers that it keeps.
    known, routine = at.draft.by_id, at.part.routine.casefold()
    before = [known[name].call for name in at.case.requires if name in known]
    if at.part.expects or any(one and one.expects and one.routine.casefold() == routine for one in before):
        return
    message = f"`{at.case.id}` is passed by a routine that only returns"
    hint = "add `returns`, `leaves`, `prints`, `calls` or a `reference`, or `requires` a case on the same routine that has one"
    yield at.problem("demands-nothing", message, hint=hint, at_key=True)


def conventions(at: Entry[CallRules]) -> Iterator[Problem]:
    """Programs have routines that can be called, and a convention of their language."""
    if at.draft.program and not at.draft.simulated:
        yield at.foreign("only routines of a simulated program can be called", hint="use `dialogue` or `tests`")
    convention = at.part.convention
    known = TRAITS[at.draft.simulated].conventions if at.draft.simulated else ()
    if convention and known and convention not in known:
        own = next(name for name in known if name != "registers")
        message = f"`{convention}` is no convention of this language"
        yield at.problem("convention", message, "convention", hint=f"registers, or {own}")


def ways(at: Entry[CallRules]) -> Iterator[Problem]:
    """A call is written out, or drawn for a reference that there is."""
    rules = at.part
    for key in ("with_", "types") if rules.drawn else ("arguments", "games"):
        if key in rules.model_fields_set:
            written = key.removesuffix("_")
            beside, hint = "without", "add `reference: FUNCTION`, which says what comes back"
            if rules.drawn:
                beside, hint = "beside", "write it below `arguments`"
            yield at.idle(f"`{written}` says nothing {beside} a `reference`", written, hint=hint)
    if rules.drawn and at.draft.reference is None:
        message = f"`{at.case.id}` names a function of a reference, and the spec has none"
        yield at.problem("no-reference", message, "reference", hint="add `reference: PATH` to the spec")
    if not rules.unread and not rules.types and not (rules.drawn and TYPED in named(rules.arguments)):
        yield at.idle("the case types nothing, so nothing can be left unread", "unread", hint="add `types`")


def ranges(at: Entry[CallRules]) -> Iterator[Problem]:
    """A length is that of an argument which has one, and what is typed is text."""
    drawn = {name: read_range(one) for name, one in named(at.part.arguments).items()} if at.part.drawn else {}
    listed = not isinstance(at.part.arguments, Mapping)
    for number, (name, one) in enumerate(drawn.items()):
        steps = ("arguments", number if listed else name)
        if one.like and (one.like not in drawn or not drawn[one.like].longest or drawn[one.like].like):
            message = f"`{one.like}` is no argument with a length of its own"
            yield at.problem("length", message, *steps, hint=near(one.like, drawn, "arguments are"))
        elif one.of and (one.of not in drawn or not drawn[one.of].longest):
            hint = near(one.of, [other for other, its in drawn.items() if its.longest], "these have one")
            yield at.problem("length", f"`{one.of}` is no argument that has a length", *steps, hint=hint)
        elif name == TYPED and one.kind not in ("string", "line"):
            yield at.problem("type", "what is typed is a `string` or a `line`", *steps, hint="line 1..4 of 0-9")
        elif name != TYPED and one.kind == "line":
            yield at.problem("type", "a `line` is typed, and only `types` is", *steps, hint="write `string`")


def places(at: Entry[CallRules]) -> Iterator[Problem]:
    """A position or register in `leaves` is that of an argument, positions count from 1, and no label is a number."""
    rules = at.part
    register = TRAITS[at.draft.simulated].register if at.draft.simulated else None
    key = "arguments" if rules.drawn else "with"
    passed = named(rules.arguments if rules.drawn else rules.with_)
    known = {name.upper() for name in passed}
    for name in rules.leaves:
        meant = name.isdecimal() or (register is not None and register.fullmatch(name) is not None)
        if meant and name.upper() not in known:
            hint = f"arguments are called {', '.join(passed)} here" if passed else f"`{key}` passes none"
            message = f"`leaves` looks where the argument `{name}` pointed to, and there is no such argument"
            yield at.problem("no-argument", message, "leaves", name, hint=hint, at_key=True)
    for where, names in ((key, passed), ("returns", rules.results)):
        if "0" in names:
            yield at.problem("no-argument", "positions are counted from 1", where, "0", at_key=True)
    for name in filter(str.isdecimal, rules.given):
        hint = 'a label of the program, or a block of your own: "@row"'
        yield at.problem("unknown-word", f"`{name}` is no label", "given", name, hint=hint, at_key=True)


def fit(at: Entry[CallRules]) -> Iterator[Problem]:
    """Each number fits into a word, those that bound what is drawn as well."""
    rules = at.part
    yield from words(at, numbers_in({key: getattr(rules, f"{key}_" if key == "with" else key) for key in _PLACED}))
    for name, one in named(rules.arguments).items():
        drawn = read_range(one)
        step = name if isinstance(rules.arguments, Mapping) else int(name) - 1
        numbers = (drawn.least, drawn.most, drawn.thing if isinstance(drawn.thing, int) else 0)
        yield from words(at, ((("arguments", step), number) for number in numbers))


_PLACED = ("with", "given", "returns", "leaves")

CALL = Kind("call", (demanded, conventions, ways, traps, ranges, places, fit))
