"""One call of a routine against its expected effects: one sentence for each difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from grader.checks import ending as endings
from grader.checks import machine
from grader.checks.machine import MISSING_LABEL, missing_label, place_of
from grader.machines.families import Family
from grader.machines.observe import Observations
from grader.results import Finding, Verdict
from grader.sessions.routine import LC3_FRAME, REGISTERS, Call, Outcome, Stray
from grader.sessions.simulated import as_ending
from grader.spec.kinds.call import CallRules
from grader.spec.things import Odd, Thing, shown
from grader.transcript import EndingKind

CONVENTION = "convention"
"""The word for all registers that must be kept by convention."""

# R4 and R5 are the global and the frame pointer of Patt and Patel’s frames; the list for MIPS is that of the ABI.
_KEPT = {"lc3-frame": ("R4", "R5"), "o32": (*(f"$s{n}" for n in range(8)), "$fp", "$gp"), "registers": ()}
"""The registers that a routine keeps by its convention, besides the stack pointer."""


class Wanted(NamedTuple):
    """The expected effects of a call: ``results`` by register, unnamed for the usual one; ``leaves`` by place."""

    results: Mapping[str, Thing] = MappingProxyType({})
    leaves: Mapping[str, Thing] = MappingProxyType({})
    prints: str | None = None


class Pair(NamedTuple):
    """One value: its place, the expected value in the spec's words, whether it was found, and the value found."""

    where: str
    expected: Thing
    right: bool
    found: Thing | Odd


class Seen(NamedTuple):
    """The evidence on one call: how it ended, and the values found where some are expected.

    ``strays`` are cells that it should not have changed. ``patient`` is the outcome with the instruction limit of a
    whole run; it is only tried if the call used up its own limit.
    """

    family: Family
    convention: str
    call: Call
    outcome: Outcome
    results: Sequence[Pair] = ()
    leaves: Sequence[Pair] = ()
    patient: Outcome | None = None
    strays: Sequence[Stray] = ()


def check(rules: CallRules, wanted: Wanted, seen: Seen) -> tuple[Finding, ...]:
    """The faults of a call, the gravest first; if it never returned, only that."""
    outcome = seen.outcome
    if not outcome.returned:
        return (_never_back(rules, seen),)
    asks_more = rules.preserves or rules.calls or rules.forbidden_traps or rules.required_traps
    printed = wanted.prints is None or outcome.output == wanted.prints.encode("latin-1", "replace")
    right = printed and not seen.strays and all(pair.right for pair in (*seen.results, *seen.leaves))
    if right and not outcome.moved and not asks_more:
        return tuple(_limits(rules, seen))  # as nearly every call of many
    values = (*_stack(seen), *_values(seen), *_strays(seen), *_printed(wanted, seen))
    return (*values, *_called(rules, seen), *_kept(rules, seen), *_limits(rules, seen))


def verdict(findings: Sequence[Finding], seen: Seen) -> Verdict:
    """The verdict on one call with these findings."""
    if not findings:
        return Verdict.ACCEPTED
    outcome = seen.patient or seen.outcome
    if outcome.returned:
        # Beyond its limit a slow routine still returns, and an endless one does not: only the endless one gets a hint
        # on loops.
        return Verdict.TIME_LIMIT if seen.patient else Verdict.WRONG_ANSWER
    ending = as_ending(outcome.stop, seen.family)
    normal = endings.VERDICTS[ending.kind] is Verdict.ACCEPTED  # of a program: a routine comes back
    return Verdict.WRONG_ANSWER if normal else endings.VERDICTS[ending.kind]


def missing(label: str, *, routine: bool, demanded: bool, near: str) -> tuple[Verdict, Finding]:
    """The verdict and finding on a missing label. It costs points only if a case of the spec demands the label."""
    meant = f"there is one called {near}" if near else ""
    if demanded:
        message = f"the program has no {'routine' if routine else 'label'} {label}"
        return Verdict.WRONG_ANSWER, Finding(MISSING_LABEL, message, hint=meant, subject=(label,))
    return Verdict.NEEDS_REVIEW, replace(missing_label(label), hint=meant)


# --------------------------------------------------------------------------------------------------------- it came back?

_SAID = {
    EndingKind.ENDED: "ended the program and did not return",
    EndingKind.RETURNED: "did not return",
    EndingKind.DROPPED_OFF: "ran on past its last instruction and did not return",
    EndingKind.NEVER_ENDS: "never returns: registers and memory are the same as at an earlier time, so it repeats for ever",
    EndingKind.INPUT_ENDED: "asks for input, but there is none",
    EndingKind.STILL_WAITING: "asks for input, but there is none",
}
_NEVER = "If the routine calls another one or itself, it must store {link} before the call and load it again after it. Otherwise it returns into itself."


def _never_back(rules: CallRules, seen: Seen) -> Finding:
    """The finding on a call that did not return."""
    outcome = seen.patient or seen.outcome
    machine, call = seen.family.traits, seen.call.told
    if outcome.returned:
        allowed = f"{rules.instructions:,} are allowed"
        message = f"{call} took {outcome.instructions:,} instructions; {allowed}"
        return Finding("too-many-instructions", message, subject=(seen.call.routine,))
    ending = as_ending(outcome.stop, seen.family)
    if ending.kind is EndingKind.BUDGET:
        message = f"had not returned after {outcome.instructions:,} instructions"
    else:
        message = _SAID.get(ending.kind, f"broke: {ending.message}")
    hints = {EndingKind.ENDED: machine.returns, EndingKind.DROPPED_OFF: machine.returns}
    never = _NEVER.format(link=machine.link)
    hint = hints.get(ending.kind, never if ending.kind in (EndingKind.NEVER_ENDS, EndingKind.OFF_END) else "")
    return endings.finding_of(ending, f"{call} {message}", hint=hint, subject=(seen.call.routine,))


# ---------------------------------------------------------------------------------------------------- what it left behind


def _stack(seen: Seen) -> Iterator[Finding]:
    moved = seen.outcome.moved
    if moved and seen.convention != REGISTERS:
        # A routine that gets its arguments in registers need not use the stack.
        pointer = seen.family.registers[seen.family.stack]
        unit = seen.family.traits.unit
        count = f"{abs(moved)} {unit}{'s' * (abs(moved) != 1)} too {'high' if moved > 0 else 'low'}"
        where = " (it should point to the result)" if seen.convention == LC3_FRAME else ""
        message = f"{seen.call.told} returned with {pointer} {count}{where}"
        hint = f"Take from the stack what the routine put there, before it returns: {pointer}."
        yield Finding("stack-imbalance", message, hint=hint, subject=(seen.call.routine,))


def _values(seen: Seen) -> Iterator[Finding]:
    """Wrong results, and wrong values in memory."""
    passed = {name.upper() for name in seen.call.arguments}
    for pair in seen.results:
        if not pair.right:
            where = f" in {pair.where}" if pair.where else ""
            message = f"{seen.call.told} returned {shown(pair.found)}{where}, not {shown(pair.expected)}"
            yield Finding("wrong-result", message, subject=(seen.call.routine, pair.where))
    for pair in seen.leaves:
        if not pair.right:
            name = f"argument {pair.where}" if pair.where.isdecimal() else pair.where
            where = f"where {name} pointed to" if pair.where.upper() in passed else f"at {name}"
            message = f"{seen.call.told} left {shown(pair.found)} {where}, not {shown(pair.expected)}"
            yield Finding("wrong-memory", message, subject=(seen.call.routine, pair.where))


def _strays(seen: Seen) -> Iterator[Finding]:
    """The first cell that should not have been changed."""
    for stray in seen.strays[:1]:
        call, at = seen.call.told, seen.family.address(stray.address)
        name = f"argument {stray.pointer}" if stray.pointer.isdecimal() else stray.pointer
        if name and stray.within:
            message = f"{call} must not change the memory of {name}, but changed it at {at}"
        elif name:
            message = f"{call} wrote to {at}, behind the end of the memory of {name}"
        elif stray.label and stray.within:
            message = f"{call} must not change {stray.label}, but changed it at {at}"
        elif stray.label:
            message = f"{call} wrote to {at}, behind the end of {stray.label}"
        else:
            message = f"{call} wrote to {at}, where it must not write"
        yield Finding("stray-write", message, subject=(seen.call.routine,))


def _printed(wanted: Wanted, seen: Seen) -> Iterator[Finding]:
    if wanted.prints is None:
        return
    expected, output = wanted.prints, seen.outcome.output.decode("latin-1")
    if output != expected:
        printed = shown_text(output) if output else "nothing"
        message = f"{seen.call.told} printed {printed}, not {shown_text(expected) if expected else 'nothing'}"
        yield Finding("wrong-output", message, expected=shown_text(expected), actual=shown_text(output))


def shown_text(text: str) -> str:
    """A text in quotes with visible line ends and blanks, cut if it is very long."""
    from grader.spec.things import Text

    return shown(Text(text if len(text) <= 200 else f"{text[:200]}…"))


def _called(rules: CallRules, seen: Seen) -> Iterator[Finding]:
    call = seen.call.told
    for name, called in rules.calls.items():
        heard = seen.outcome.heard.get(name, ())
        times = f"{len(heard)} time{'s' * (len(heard) != 1)}" if heard else "never"
        itself = "itself" if name.upper() == seen.call.routine.upper() else name
        if called.times is not None and len(heard) != called.times:
            message = f"{call} called {itself} {times}; {called.times} time{'s' * (called.times != 1)} required"
        elif called.times is None and len(heard) < called.least:
            often = f"; at least {called.least} times required" if called.least > 1 else ""
            message = f"{call} called {itself} {times}{often}" if heard else f"{call} {times} called {itself}{often}"
        else:
            message = _never_so(call, name, called.with_, heard)
        if message:
            yield Finding("missing-call", message, subject=(seen.call.routine, name))


def _never_so(call: str, name: str, wanted: Sequence[Any], heard: Sequence[tuple[bool, ...]]) -> str:
    """A clause on the first expected call that did not come in this order; empty if all did."""
    at = 0
    for number, arguments in enumerate(wanted):
        at = next((n for n in range(at, len(heard)) if heard[n][number]), len(heard)) + 1
        if at > len(heard):
            passed = arguments.values() if isinstance(arguments, Mapping) else arguments
            missing = f"{call} never called {name}({', '.join(map(str, passed))})"
            return f"{missing} after the calls before" if number else missing
    return ""


def _kept(rules: CallRules, seen: Seen) -> Iterator[Finding]:
    names = [kept for name in rules.preserves for kept in (_KEPT[seen.convention] if name == CONVENTION else (name,))]
    numbers = {known.upper().removeprefix("$"): number for number, known in enumerate(seen.family.registers)}
    before, after = seen.outcome.before, seen.outcome.after
    asked = [numbers[name.upper().removeprefix("$")] for name in names]
    stack = seen.family.stack if seen.convention == LC3_FRAME else -1
    changed = sorted({number for number in asked if before[number] != after[number] and number != stack})
    if changed:
        listed = ", ".join(seen.family.registers[number] for number in changed)
        message = f"{seen.call.told} changed {listed} and did not restore {'it' if len(changed) == 1 else 'them'}"
        hint = "Store these registers when the routine begins, and load them again before it returns."
        yield Finding("clobbered-register", message, hint=hint, subject=(seen.call.routine, listed))


def _limits(rules: CallRules, seen: Seen) -> Iterator[Finding]:
    if not rules.unread and seen.outcome.unread:
        left = f"{seen.outcome.unread} of {len(seen.call.typed)} typed keys"
        yield Finding("unread-input", f"{seen.call.told} left {left} unread", subject=(seen.call.routine,))


def traps(rules: CallRules, call: Call, seen: Observations, family: Family) -> list[Finding]:
    """The traps that must not be executed and were, and those that must and were not."""
    sites = {vector: place_of(seen, family, site) for vector, site in [*seen.traps][::-1]}
    return list(machine.traps(rules, sites, call.told, (call.routine,)))
