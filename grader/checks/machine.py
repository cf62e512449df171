"""Facts that only a simulator sees, over all observed runs: registers across calls, the stack, traps, final values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby, islice
from typing import Any

from grader.checks import ending as endings
from grader.checks.explain import after_inputs, first_difference
from grader.machines.families import Family
from grader.machines.observe import Observations, Routine
from grader.results import Finding, Verdict, Weight
from grader.sessions.laying import Labels, MissingLabelError, NoRoomError
from grader.sessions.simulated import Evidence
from grader.spec.kinds.call import CallRules
from grader.spec.kinds.machine import MachineRules, MachineRun
from grader.spec.things import shown
from grader.transcript import Transcript
from grader.values import dataclass

Names = tuple[str, ...]
Kept = tuple[int, int]
"""A subroutine, by its address, and the number of a register that it is to keep."""

# A course may call R0 minor, which GETC and OUT use in every program.
MINOR = Fraction(1, 4)
"""The part of its share that a subroutine loses if it changes only minor registers."""

# Both values are shown for this many registers and calls.
_VALUES_TOLD, _SITES_TOLD = 4, 2

_IMBALANCE, _CLOBBERED = "stack-imbalance", "clobbered-register"

# User programs of the LC-3 begin here, and those of MIPS have their stack far above.
# No machine has a stack below this address: there the stack pointer is an ordinary register.
_NO_STACK = 0x3000


def check(rules: MachineRules, runs: Sequence[Evidence]) -> tuple[Finding, ...]:
    """The rules that the runs break, each fact once."""
    findings: list[Finding] = []
    if rules.ends_well:
        findings += [endings.explain(run.transcript) for run in runs if endings.faulty(run.transcript.ending)]
        findings += _passed_over(runs)
    called = {call.routine for run in runs for call in run.observations.calls}
    if isinstance(rules.calls, int) and len(called) < rules.calls:
        are_called = f"{len(called)} subroutines are called" if called else "no subroutine is called"
        findings.append(Finding("few-calls", f"{are_called}; at least {rules.calls} required"))
    elif not isinstance(rules.calls, int):
        findings += [one for run in runs for one in _counted(rules.calls, run)]
    sites: dict[int, tuple[str, str]] = {}
    for run in runs:
        for vector, site in run.observations.traps:
            if vector not in sites:
                sites[vector] = place_of(run.observations, run.family, site)
    findings += traps(rules, sites)
    # Programs write their instructions in loops: one place says it as well as a thousand.
    patches = ((run, *patch) for run in runs for patch in run.observations.patches)
    for run, address, site in islice(patches, 0 if rules.self_modification else 1):
        place, excerpt = place_of(run.observations, run.family, site)
        message = f"the program stores into its own instructions, at {run.family.address(address)}"
        findings.append(Finding("self-modification", message, place=place, excerpt=excerpt))
    for wanted, run in zip(rules.each, runs, strict=True):
        findings += _final_values(wanted, run)
        used = run.transcript.usage.instructions
        if rules.instructions is not None and used > rules.instructions:
            message = f"{used} instructions are executed; {rules.instructions} are allowed"
            findings.append(Finding("too-many-instructions", message))
        if not rules.unread and run.unread:
            keys = "key" if run.unread == 1 else f"{run.unread} keys"
            findings.append(Finding("unread-input", f"the program ends before it reads the last {keys}"))
    return tuple(dict.fromkeys(findings))


MISSING_LABEL = "missing-label"
"""The code of the finding that says: the spec names a label that is not there.

Assignments seldom fix the names of labels.
"""


def verdict(rules: MachineRules, runs: Sequence[Evidence], findings: Sequence[Finding]) -> Verdict:
    """The verdict on runs with these findings; if endings are judged, the first run that broke decides."""
    defects = {finding.code for finding in findings if finding.weight is Weight.DEFECT}
    if not defects:
        return Verdict.ACCEPTED
    if defects == {MISSING_LABEL}:
        return Verdict.NEEDS_REVIEW
    broken = [run.transcript.ending for run in runs if rules.ends_well and endings.faulty(run.transcript.ending)]
    if broken:
        return endings.VERDICTS[broken[0].kind]
    passed_over = rules.ends_well and any(run.observations.passed_over for run in runs)
    return Verdict.RUNTIME_ERROR if passed_over else Verdict.WRONG_ANSWER


def _counted(wanted: Mapping[str, int], run: Evidence) -> Iterator[Finding]:
    """Each subroutine that a run called the wrong number of times."""
    labels = Labels(run.observations.image)
    for name, times in wanted.items():
        try:
            address = labels.address(name)
        except MissingLabelError:
            yield missing_label(name)
            continue
        calls = sum(call.returned for call in run.observations.calls if call.routine.address == address)
        if calls != times:
            message = f"{name} is called {calls} times; it must be called {times} times"
            yield Finding("wrong-calls", message, subject=(name,))


def start_dependence(zeros: Transcript, other: Transcript) -> Finding | None:
    """The first difference of a run from the one that began with zeros: a turn, or the ending; None if equal."""
    # Simulators start with zeros, on which a program may count that never clears its registers.
    pairs = enumerate(zip(zeros.turns, other.turns, strict=False), start=1)
    turn = next((number for number, (one, two) in pairs if one != two), None)
    if turn is None and zeros.ending.kind is other.ending.kind:
        return None
    turn = turn or len(other.turns)
    typed = other.inputs_before(turn)
    wanted, seen = first_difference(zeros.turns[turn - 1].output, other.turns[turn - 1].output)
    message = (
        f"the program behaves differently if registers and memory begin with other contents, {after_inputs(typed)}"
    )
    finding = Finding("start-dependent", message, turn, typed=typed, expected=wanted, actual=seen)
    return replace(finding, place=other.ending.place, steps=other.ending.last_steps)


def place_of(seen: Observations, family: Family, address: int) -> tuple[str, str]:
    """The place and the excerpt of the instruction at an address."""
    span = seen.image.span_at(address)
    return (span.place, span.excerpt()) if span else (family.address(address), "")


def _passed_over(runs: Sequence[Evidence]) -> Iterator[Finding]:
    """Each instruction whose exception the program survived: SPIM prints a message and goes on."""
    seen: set[int] = set()
    for run in runs:
        for site, exception in run.observations.passed_over:
            if site not in seen:
                seen.add(site)
                place, excerpt = place_of(run.observations, run.family, site)
                hint = "Look at the registers that this instruction uses: the program goes on with a wrong value."
                message = f"the program raised an exception: {exception}"
                yield Finding("passed-over", message, hint=hint, place=place, excerpt=excerpt)


@dataclass(frozen=True, slots=True)
class Watched:
    """Runs from random registers, and the results of experiments on registers that differed at returns.

    ``meant`` are results: without them the dialogue goes wrong. ``mending`` are changes without which the dialogue
    comes right. ``twinned`` are registers in which a subroutine restores the values that another one was called with.
    """

    runs: tuple[Evidence, ...]
    meant: frozenset[Kept] = frozenset()
    mending: frozenset[Kept] = frozenset()
    twinned: frozenset[Kept] = frozenset()

    @property
    def returns(self) -> int:
        """The number of observed returns of subroutines."""
        return sum(call.returned for run in self.runs for call in run.observations.calls)


@dataclass(frozen=True, slots=True)
class Subroutines:
    """Findings on the subroutines of a program, and the share of them that keeps its registers."""

    findings: tuple[Finding, ...]
    share: Fraction


def subroutines(rules: MachineRules, watched: Watched) -> Subroutines:
    """The subroutines that returned, judged by their registers: one line for each that did not restore them."""
    family = watched.runs[0].family
    returned = {call.routine: run for run in watched.runs for call in run.observations.calls if call.returned}
    minor = {name.upper() for name in rules.minor}
    # A main program may save its registers by `JSR SAVE` and `JSR RESTORE`: RESTORE must not be charged for changing
    # them.
    harmless = watched.meant | watched.twinned
    shares: list[Fraction] = []
    findings: list[Finding] = []
    results: list[str] = []
    for routine in sorted(returned, key=lambda routine: routine.address):
        changed = _changed(rules, watched, routine)
        meant = sorted(register for register in changed if (routine.address, register) in watched.meant)
        own = (register for register, by in changed.items() if all((within, register) in harmless for within in by))
        clobbered = sorted(register for register in own if register not in meant)
        if meant:
            results.append(f"{routine}: {_listed(meant, family)}")
        if clobbered:
            mends = any((routine.address, register) in watched.mending for register in clobbered)
            finding = _clobber(returned[routine], routine, clobbered, mends=mends)
            findings.append(replace(finding, detail=_values(watched.runs, routine, clobbered)))
        named = {family.registers[register].upper() for register in clobbered}
        # A share for each subroutine: one that forgets three registers made one mistake.
        shares.append(Fraction(1) - (Fraction(0) if not named else MINOR if named <= minor else Fraction(1)))
    if findings:
        codes, stack = {finding.code for finding in findings}, family.registers[family.stack]
        store = "Store these registers when the subroutine begins, and load them again before it returns."
        balance = f"Make sure that {stack} has the same value at the end of a subroutine as at its call."
        hints = [hint for code, hint in ((_CLOBBERED, store), (_IMBALANCE, balance)) if code in codes]
        findings[-1] = replace(findings[-1], hint=" ".join(hints))
    if results:
        message = f"not charged, because the program uses them as results: {'; '.join(results)}"
        findings.append(Finding("result-register", message, weight=Weight.NOTE))
    return Subroutines(tuple(findings), sum(shares, Fraction(0)) / len(shares) if shares else Fraction(1))


def _changed(rules: MachineRules, watched: Watched, routine: Routine) -> dict[int, frozenset[int]]:
    """The registers that differed at a return of a subroutine and that the rules ask for.

    Each has the inner subroutines that left it changed every time.
    """
    by_convention = {name.upper() for name in rules.results}
    changed: dict[int, frozenset[int]] = {}
    for run in watched.runs:
        seen, family = run.observations, run.family
        changes = [(one.routine, one.register, one.left_by) for one in seen.changes if rules.callee_saved]
        for one in seen.imbalances:
            # LC-3 programs without a stack use R6 as they like.
            asked = rules.stack_balance if min(one.before, one.after) >= _NO_STACK else rules.callee_saved
            changes += [(one.routine, family.stack, one.left_by)] if asked else []
        for by, register, left_by in changes:
            judged = family.registers[register].upper() not in by_convention
            if by == routine and judged and (by.address, register) not in watched.twinned:
                changed[register] = changed.get(register, left_by) & left_by
    return changed


def _clobber(run: Evidence, routine: Routine, registers: Sequence[int], *, mends: bool) -> Finding:
    """The one line on a subroutine that does not restore registers."""
    place, _ = place_of(run.observations, run.family, routine.address)
    listed, are = _listed(registers, run.family), "is" if len(registers) == 1 else "are"
    message = f"{routine}: {listed} {are} changed and not restored"
    if mends:
        message += ", and this makes the output wrong"
    code = _IMBALANCE if set(registers) == {run.family.stack} else _CLOBBERED
    return Finding(code, message, place=place, subject=(str(routine), listed))


def _values(runs: Sequence[Evidence], routine: Routine, registers: Sequence[int]) -> str:
    """The values of these registers at the first call that did not restore them, and at its return."""
    first: dict[int, tuple[int, int, int]] = {}
    for run in runs:
        seen = run.observations
        for one in seen.changes:
            if one.routine == routine:
                first.setdefault(one.register, (one.site, one.before, one.after))
        for other in seen.imbalances:
            if other.routine == routine:
                first.setdefault(run.family.stack, (other.site, other.before, other.after))
    by_site: dict[int, list[int]] = {}
    for register in registers:
        if register in first:
            by_site.setdefault(first[register][0], []).append(register)
    family, line = runs[0].family, _line(runs[0], routine.address)
    begins = f"{routine} ({line})" if line else str(routine)
    sentences = []
    for number, (site, changed) in enumerate(by_site.items()):
        values = (
            f"{family.address(first[one][2])} in {family.registers[one]}, where {family.address(first[one][1])} was at the call"
            for one in changed[:_VALUES_TOLD]
        )
        more = len(changed) - _VALUES_TOLD
        who = "it" if number else begins
        called = _line(runs[0], site) or f"at {family.address(site)}"
        sentences.append(
            f"called in {called}, {who} left {'; '.join(values)}{f'; and {more} more' if more > 0 else ''}"
        )
    return ". ".join(one[:1].upper() + one[1:] if number else one for number, one in enumerate(sentences[:_SITES_TOLD]))


def _line(run: Evidence, address: int) -> str:
    span = run.observations.image.span_at(address)
    return f"line {span.line}" if span else ""


def _listed(registers: Sequence[int], family: Family) -> str:
    """Registers by their names: ``R0, R2–R5``."""
    parts: list[str] = []
    for _, group in groupby(enumerate(sorted(registers)), key=lambda pair: pair[1] - pair[0]):
        names = [family.registers[register] for _, register in group]
        parts += names if len(names) < 3 else [f"{names[0]}–{names[-1]}"]
    return ", ".join(parts)


def traps(
    rules: MachineRules | CallRules, sites: Mapping[int, tuple[str, str]], called: str = "", subject: Names = ()
) -> Iterator[Finding]:
    """The forbidden traps that were executed, and the required traps that were not.

    ``sites`` are place and excerpt of each executed trap. ``called`` is the call that executed them, and ``subject``
    its routine; both are empty for a whole program.
    """
    for vector in rules.forbidden_traps:
        if vector in sites:
            message = f"TRAP x{vector:02X} is executed, which is not allowed here"
            if called:
                message = f"{called} executed TRAP x{vector:02X}, which is not allowed here"
            place, excerpt = sites[vector]
            names = (*subject, f"x{vector:02X}")
            yield Finding("forbidden-trap", message, place=place, excerpt=excerpt, subject=names)
    for vector in rules.required_traps:
        if vector not in sites:
            whole = f"TRAP x{vector:02X} is never executed"
            message = f"{called} never executed TRAP x{vector:02X}" if called else whole
            yield Finding("missing-trap", message, subject=(*subject, f"x{vector:02X}"))


def _final_values(wanted: MachineRun, run: Evidence) -> Iterator[Finding]:
    written = run.family.address

    def signed(word: int) -> str:
        return str(word - (word >> run.family.traits.bits - 1 << run.family.traits.bits) if word > 0 else word)

    # Specs may name registers as listings of either machine do: `t0`, `$t0`, `r3`.
    names = [name.upper().removeprefix("$") for name in run.family.registers]
    # A word is shown as listings write it, and anything else as specs do.
    bits = run.family.traits.bits
    words = ((at, word, run.memory[at], signed if word < 0 else written) for at, word in wanted.memory.items())
    words = (
        (at, word, word if held is not None and (held - word) % (1 << bits) == 0 else held, told)
        for at, word, held, told in words
    )
    places: list[tuple[str, Any, Any, Callable[[Any], str]]] = [*words]
    places += ((place, expected, thing, shown) for place, (expected, thing) in run.left.items())
    for name, value in wanted.registers.items():
        held_now = run.registers[names.index(name.upper().removeprefix("$"))]
        if (held_now - value) % (1 << bits):
            told = signed if value < 0 else written
            message = f"{name} holds {told(held_now)} at the end; {told(value)} is expected"
            yield Finding("wrong-register", message, subject=(name,))
    for place, expected, actual, told in places:
        if actual is None:
            yield missing_label(place)
        elif actual != expected:
            message = f"{place} holds {told(actual)} at the end; {told(expected)} is expected"
            yield Finding("wrong-memory", message, subject=(place,))


def missing_label(place: str) -> Finding:
    """A label that the spec names and the program does not have."""
    message = f"no label of the program is called {place}: a person must find what the program uses instead"
    return Finding(MISSING_LABEL, message, subject=(place,))


def no_room(error: NoRoomError) -> Finding:
    """A program that leaves too little memory for what the spec gives it: nothing can be judged, and no point is lost."""
    return Finding("no-room", error.message, place=error.place, hint=error.hint)
