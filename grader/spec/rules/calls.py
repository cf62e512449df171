"""Rules on `call` cases: something must come about, and every key belongs to the one way to call or the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from grader.spec.document import Loc
from grader.spec.hints import near
from grader.spec.kinds.call import TYPED, CallRules
from grader.spec.model import Case
from grader.spec.problem import Problem
from grader.spec.ranges import read_range
from grader.spec.rules.draft import Draft, Rule

_LANGUAGE_OF = {"lc3-frame": "lc3", "o32": "mips"}
_DRAWN = ("arguments", "games")
_WRITTEN = ("with_", "types")


def demanded(draft: Draft) -> Iterator[Problem]:
    """Something must come about: a routine that does nothing but return keeps every register and breaks nothing."""
    cases = {case.id: case for case in draft.cases.values()}
    for index, case in draft.cases.items():
        rules = case.call
        if rules is None or rules.expects:
            continue
        before = [cases[name].call for name in case.requires if name in cases]
        if not any(other and other.expects and _same(other, rules) for other in before):
            message = f"`{case.id}` demands nothing that a routine does which only returns"
            hint = "add `returns`, `leaves`, `prints`, `calls` or a `reference`, or `requires` a case on the same routine that has one"
            yield Problem("demands-nothing", message, ("cases", index, "call"), hint, at_key=True)


def _same(one: CallRules, other: CallRules) -> bool:
    return one.routine.casefold() == other.routine.casefold()


def conventions(draft: Draft) -> Iterator[Problem]:
    """A convention is of the language."""
    language = draft.program.simulated if draft.program else None
    for index, case in draft.cases.items():
        wanted = _LANGUAGE_OF.get(case.call.convention or "") if case.call else None
        if case.call and language and wanted not in (None, language):
            yield Problem(
                "convention",
                f"`{case.call.convention}` is no convention of this language",
                ("cases", index, "call", "convention"),
                f"registers, or {next(name for name, one in _LANGUAGE_OF.items() if one == language)}",
            )


def ways(draft: Draft) -> Iterator[Problem]:
    """A call is written out, or drawn for a reference that there is."""
    for index, case in draft.cases.items():
        if case.call is not None:
            yield from _way(draft, case, case.call, ("cases", index, "call"))


def _way(draft: Draft, case: Case, rules: CallRules, loc: Loc) -> Iterator[Problem]:
    foreign = _WRITTEN if rules.drawn else _DRAWN
    for key in foreign:
        if key in rules.model_fields_set:
            written = key.removesuffix("_")
            message = f"`{written}` says nothing {'beside' if rules.drawn else 'without'} a `reference`"
            hint = (
                "write it below `arguments`" if rules.drawn else "add `reference: FUNCTION`, which says what comes back"
            )
            yield Problem("idle-key", message, (*loc, written), hint, at_key=True)
    if rules.drawn and draft.reference is None:
        hint = "add `reference: PATH` to the spec"
        yield Problem(
            "no-reference",
            f"`{case.id}` names a function of a reference, and the spec has none",
            (*loc, "reference"),
            hint,
        )
    if not rules.unread and not rules.types and not (rules.drawn and TYPED in _named(rules.arguments)):
        yield Problem(
            "idle-key", "nothing is typed that could be left unread", (*loc, "unread"), "add `types`", at_key=True
        )
    both = set(rules.required_traps) & set(rules.forbidden_traps)
    for vector in sorted(both):
        yield Problem(
            "contradiction",
            f"x{vector:02X} is both required and forbidden",
            (*loc, "required_traps"),
            "remove one",
            at_key=True,
        )


def _named(arguments: Any) -> dict[str, Any]:
    if isinstance(arguments, Mapping):
        return dict(arguments)
    return {str(number): one for number, one in enumerate(arguments, start=1)}


def ranges(draft: Draft) -> Iterator[Problem]:
    """A length is that of an argument which has one, and what is typed is text."""
    for index, case in draft.cases.items():
        if case.call is None or not case.call.drawn:
            continue
        named = {name: read_range(one) for name, one in _named(case.call.arguments).items()}
        listed = not isinstance(case.call.arguments, Mapping)
        for at, (name, one) in enumerate(named.items()):
            loc: Loc = ("cases", index, "call", "arguments", at if listed else name)
            if one.of and (one.of not in named or not named[one.of].longest):
                rows = [other for other, its in named.items() if its.longest]
                yield Problem(
                    "length", f"`{one.of}` is no argument that has a length", loc, near(one.of, rows, "these have one")
                )
            elif name == TYPED and one.kind not in ("string", "line"):
                yield Problem("type", "what is typed is a `string` or a `line`", loc, "line 1..4 of 0-9")
            elif name != TYPED and one.kind == "line":
                yield Problem("type", "a `line` is typed, and only `types` is", loc, "write `string`")


_REGISTERS = {"lc3": re.compile(r"[Rr][0-9]+"), "mips": re.compile(r"\$\w+")}


def places(draft: Draft) -> Iterator[Problem]:
    """A position or register in `leaves` is that of an argument, positions count from 1, and no label is a number."""
    register = _REGISTERS.get((draft.program.simulated if draft.program else None) or "")
    for index, case in draft.cases.items():
        if case.call is None:
            continue
        loc: Loc = ("cases", index, "call")
        key = "arguments" if case.call.drawn else "with"
        passed = _named(case.call.arguments if case.call.drawn else case.call.with_)
        results = case.call.returns if isinstance(case.call.returns, Mapping) else {}
        known = {name.upper() for name in passed}
        for name in case.call.leaves:
            meant = name.isdecimal() or (register is not None and register.fullmatch(name) is not None)
            if meant and name.upper() not in known:
                hint = f"arguments are called {', '.join(passed)} here" if passed else f"`{key}` passes none"
                message = f"`leaves` looks where the argument `{name}` pointed to, and there is no such argument"
                yield Problem("no-argument", message, (*loc, "leaves", name), hint, at_key=True)
        for where, names in ((key, passed), ("returns", results)):
            if "0" in names:
                yield Problem("no-argument", "positions are counted from 1", (*loc, where, "0"), at_key=True)
        for name in case.call.given:
            if name.isdecimal():
                message, hint = f"`{name}` is no label", 'a label of the program, or a block of your own: "@row"'
                yield Problem("unknown-word", message, (*loc, "given", name), hint, at_key=True)


RULES: tuple[Rule, ...] = (demanded, conventions, ways, ranges, places)
