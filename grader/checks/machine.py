"""What only a simulator can see: registers across calls, the stack, traps, final values, over all observed runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grader.checks import ending as endings
from grader.checks.explain import after_inputs, first_difference
from grader.machines.observe import RegisterChange, Routine
from grader.results import Finding, Verdict, Weight
from grader.sessions.evidence import Evidence
from grader.spec.model import MachineRules
from grader.transcript import Transcript


def check(rules: MachineRules, runs: Sequence[Evidence]) -> tuple[Finding, ...]:
    """What of the rules the runs do not keep, each fact once."""
    findings: list[Finding] = []
    if rules.ends_well:
        findings += [endings.explain(run.transcript) for run in runs if endings.faulty(run.transcript.ending)]
        findings += _passed_over(runs)
    if rules.callee_saved:
        findings += _clobbers(rules, runs)
    if rules.stack_balance:
        findings += _imbalances(runs)
    if rules.calls:
        findings += _calls(rules.calls, runs)
    findings += _traps(rules, runs)
    if not rules.self_modification:
        findings += _patches(runs)
    for run in runs:
        findings += _final_values(rules, run)
    return tuple(dict.fromkeys(findings))


def verdict(rules: MachineRules, runs: Sequence[Evidence], findings: Sequence[Finding]) -> Verdict:
    """The verdict on runs with these findings: that of the first ending that breaks, where endings are judged."""
    if all(finding.weight is not Weight.DEFECT for finding in findings):
        return Verdict.ACCEPTED
    broken = [run.transcript.ending for run in runs if rules.ends_well and endings.faulty(run.transcript.ending)]
    if broken:
        return endings.VERDICTS[broken[0].kind]
    passed_over = rules.ends_well and any(run.observations.passed_over for run in runs)
    return Verdict.RUNTIME_ERROR if passed_over else Verdict.WRONG_ANSWER


def start_dependence(zeros: Transcript, other: Transcript) -> Finding | None:
    """How a run differs from the one that began with zeros, if it does: the first turn, or the ending."""
    pairs = enumerate(zip(zeros.turns, other.turns, strict=False), start=1)
    turn = next((number for number, (one, two) in pairs if one != two), None)
    if turn is None and zeros.ending.kind is other.ending.kind:
        return None
    turn = turn or len(other.turns)
    typed = other.inputs_before(turn)
    wanted, found = first_difference(zeros.turns[turn - 1].output, other.turns[turn - 1].output)
    said = f"with other contents of registers and memory at the start, the program does something else, {after_inputs(typed)}"
    ending = other.ending
    return Finding(
        "start-dependent",
        said,
        turn,
        typed=typed,
        expected=wanted,
        actual=found,
        place=ending.place,
        steps=ending.last_steps,
    )


def _at(run: Evidence, address: int) -> tuple[str, str]:
    """The place and the excerpt of the instruction at an address."""
    origin = run.observations.image.origins.get(address)
    return (origin.span.place, origin.span.excerpt()) if origin else (run.family.address(address), "")


def _passed_over(runs: Sequence[Evidence]) -> Iterator[Finding]:
    """Each instruction that made an exception after which the program went on: SPIM tells it and ignores it."""
    seen: set[int] = set()
    for run in runs:
        for one in run.observations.passed_over:
            if one.site not in seen:
                seen.add(one.site)
                place, excerpt = _at(run, one.site)
                hint = "Look at the registers that this instruction uses: the program goes on with a wrong value."
                yield Finding(
                    "passed-over", f"the program made an exception: {one.told}", hint=hint, place=place, excerpt=excerpt
                )


def _clobbers(rules: MachineRules, runs: Sequence[Evidence]) -> Iterator[Finding]:
    """Each register that a subroutine changes and does not restore; what any caller uses as a result is only noted."""
    by_convention = {name.upper() for name in rules.results}
    results = {key for run in runs for key in run.observations.results}
    seen: set[tuple[Routine, int]] = set()
    for run in runs:
        for change in run.observations.changes:
            key = (change.routine, change.register)
            if key in seen or run.family.registers[change.register].upper() in by_convention:
                continue
            seen.add(key)
            yield _register_change(run, change, result=key in results)


def _register_change(run: Evidence, change: RegisterChange, *, result: bool) -> Finding:
    place, excerpt = _at(run, change.site)
    register, written = run.family.registers[change.register], run.family.address
    values = f"{register} held {written(change.before)} at the call and {written(change.after)} at the return"
    if result:
        said = f"{change.routine} returns a value in {register}: its caller reads it"
        return Finding("result-register", said, weight=Weight.NOTE, place=place)
    hint = f"Store {register} when {change.routine} begins, and load it again before it returns."
    said = f"the subroutine {change.routine} changes {register} and does not restore it: {values}"
    return Finding("clobbered-register", said, hint=hint, place=place, excerpt=excerpt)


_NO_STACK = 0x3000
"""Below it lies no stack on any machine: a program that has none may use the stack pointer as it likes."""


def _imbalances(runs: Sequence[Evidence]) -> Iterator[Finding]:
    seen: set[Routine] = set()
    for run in runs:
        for one in run.observations.imbalances:
            if one.routine not in seen and min(one.before, one.after) >= _NO_STACK:
                seen.add(one.routine)
                place, excerpt = _at(run, one.site)
                name, written = run.family.registers[run.family.stack], run.family.address
                said = f"the stack is not balanced: {name} was {written(one.before)} when {one.routine} was called"
                said += f" and {written(one.after)} when it returned"
                yield Finding("stack-imbalance", said, place=place, excerpt=excerpt)


def _calls(wanted: int, runs: Sequence[Evidence]) -> Iterator[Finding]:
    called = {call.routine for run in runs for call in run.observations.calls}
    if len(called) < wanted:
        found = "no subroutine is called" if not called else f"{len(called)} subroutines are called"
        yield Finding("few-calls", f"{found}; at least {wanted} should be")


def _traps(rules: MachineRules, runs: Sequence[Evidence]) -> Iterator[Finding]:
    used: dict[int, Finding] = {}
    for run in runs:
        for trap in run.observations.traps:
            if trap.vector not in used:
                place, excerpt = _at(run, trap.site)
                said = f"TRAP x{trap.vector:02X} is executed, which is not allowed here"
                used[trap.vector] = Finding("forbidden-trap", said, place=place, excerpt=excerpt)
    yield from (used[vector] for vector in rules.forbidden_traps if vector in used)
    for vector in rules.required_traps:
        if vector not in used:
            yield Finding("missing-trap", f"TRAP x{vector:02X} is never executed")


def _patches(runs: Sequence[Evidence]) -> Iterable[Finding]:
    for run in runs:
        for patch in run.observations.patches[:1]:
            place, excerpt = _at(run, patch.site)
            said = f"the program stores into its own instructions, at {run.family.address(patch.address)}"
            return [Finding("self-modification", said, place=place, excerpt=excerpt)]
    return []


def _final_values(rules: MachineRules, run: Evidence) -> Iterator[Finding]:
    written = run.family.address
    names = [name.upper() for name in run.family.registers]
    for name, wanted in rules.registers.items():
        found = run.registers[names.index(name.upper())]
        if found != wanted:
            said = f"{name} holds {written(found)} at the end; {written(wanted)} is expected"
            yield Finding("wrong-register", said)
    for place, wanted in rules.memory.items():
        word = run.memory[place]
        if word is None:
            yield Finding("missing-label", f"the label {place} is not defined")
        elif word != wanted:
            yield Finding("wrong-memory", f"{place} holds {written(word)} at the end; {written(wanted)} is expected")
    used = run.transcript.usage.instructions
    if rules.instructions is not None and used > rules.instructions:
        yield Finding("too-many-instructions", f"{used} instructions are executed; {rules.instructions} are allowed")
