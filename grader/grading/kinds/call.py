"""A ``call`` case, judged: one routine, called with the spec's arguments, or many times with drawn ones.

A failing call among many is shrunk to the smallest arguments that fail. A call that used up its instructions is
repeated with the limit of a run, to tell whether it is slow or endless.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from grader.checks import routine as checks
from grader.checks.routine import Pair, Seen, Wanted
from grader.errors import JudgeError
from grader.games.arguments import draw, shrunk, thing_of
from grader.grading.trial import Judgement, Trial, case_result, given
from grader.machines.assembler import nearest
from grader.machines.families import TRAITS, Family
from grader.machines.stop import StopKind
from grader.results import CaseResult, Finding, JudgedTurn, Occasion, Verdict, Weight
from grader.sessions.laying import MissingLabelError, NoRoomError, register_number, written_address
from grader.sessions.reference import raised_at
from grader.sessions.routine import Call, Caller, CallSetup, Outcome
from grader.sessions.simulated import SimulatedProgram, escaped
from grader.spec.kinds.call import RESULT, TYPED, CallRules, named
from grader.spec.model import Case
from grader.spec.ranges import read_range
from grader.spec.things import Shape, Thing, read_shape, read_thing, shaped, shown
from grader.transcript import Usage

REFUSALS = 1000
"""Maximum sets of arguments in a row that the reference may refuse; more, and the spec is wrong."""

SHRINKING = 20_000_000
"""Instructions that are spent on smaller arguments: where each call takes millions, few are tried."""

_LOOKS = 64
"""Calls between two looks at the budget of the submission."""


def judge(trial: Trial, case: Case, profile: str) -> Judgement:
    """The result of one call, or of the first of many that fails."""
    rules = given(case.call)
    program = trial.built.programs[profile]
    if not isinstance(program, SimulatedProgram):
        raise JudgeError("only routines of simulated programs can be called")
    try:
        bench = Bench(trial, case, program, profile)
        if rules.drawn:
            result = _many(bench)
        else:
            call, wanted = written(rules)
            result = bench.result(bench.seen(call, wanted), wanted)
    except MissingLabelError as label:
        known, name = (one.source.labels for one in trial.spec.cases if one.source), str(label)
        demanded = name.casefold() in {other.casefold() for labels in known for other in labels}
        # A routine is at a fixed address only if the text says so.
        demanded |= written_address(name) is not None
        entered, near = name == rules.routine or name in rules.calls, nearest(name, program.image.symbols)
        verdict, finding = checks.missing(name, routine=entered, demanded=demanded, near=near)
        return Judgement(case_result(case, verdict, (finding,)), trial.bindings)
    return Judgement(result, trial.bindings, *bench.came)


class Bench:
    """One case and one program: the callers, and the resources that their calls have used."""

    def __init__(self, trial: Trial, case: Case, program: SimulatedProgram, profile: str) -> None:
        self.trial, self.case, self.profile = trial, case, profile
        self.rules = rules = given(case.call)
        self._program = program
        self.instructions = 0
        self.calls = 0
        self.returns = 0
        trial.memory.spent.begin()
        trial.memory.spent.counts(self)
        self.caller = self._caller(rules.instructions + 1 if rules.instructions else 0)

    def _caller(self, budget: int) -> Caller:
        rules = self.rules
        watched = {name: [arranged(arguments) for arguments in called.with_] for name, called in rules.calls.items()}
        setup = CallSetup(rules.convention or "", rules.fill, not rules.elsewhere, watched)
        observe = bool(rules.forbidden_traps or rules.required_traps)
        return self._program.caller(self.profile, rules.routine, setup, budget=budget, observe=observe)

    @property
    def came(self) -> tuple[int, int]:
        """The number of calls that returned, and of calls that did not."""
        return self.returns, self.calls - self.returns

    def seen(self, call: Call, wanted: Wanted) -> Seen:
        """The evidence on a call. Raises MissingLabelError, JudgeError."""
        outcome = self._count(self.caller.call(call))
        caller = self.caller
        seen = Seen(caller.family, caller.convention, call, outcome)
        if not outcome.returned:
            return seen
        results = []
        for name, thing in wanted.results.items():
            # A single result in its usual place needs no name.
            where = "" if len(wanted.results) == 1 and caller.is_usual(name) else name
            results.append(_pair(caller, where, thing, caller.returned(outcome, name, thing)))
        leaves = [_pair(caller, name, thing, caller.left(name, thing)) for name, thing in wanted.leaves.items()]
        return seen._replace(results=results, leaves=leaves, strays=caller.strays(wanted.leaves))

    def _count(self, outcome: Outcome) -> Outcome:
        self.instructions += outcome.instructions
        self.calls += 1
        self.returns += outcome.returned
        if self.calls % _LOOKS == 0:
            self.trial.memory.spent.check()
        return outcome

    def findings(self, seen: Seen, wanted: Wanted) -> tuple[Finding, ...]:
        """The faults of a call. Raises NoRoomError if lack of memory may be the cause."""
        faults, rules = checks.check(self.rules, wanted, seen), self.rules
        traps: Sequence[Finding] = ()
        if seen.outcome.returned and (rules.forbidden_traps or rules.required_traps):
            traps = checks.traps(rules, seen.call, self.caller.machine.observations, self.caller.family)
        if (faults or traps) and seen.outcome.cramped:
            raise NoRoomError(self.caller.image)
        return (*faults, *traps)

    def result(self, seen: Seen, wanted: Wanted, *notes: Finding) -> CaseResult:
        """The result that rests on one call; if the call used up its instructions, it is tried with more."""
        if seen.outcome.stop.kind is StopKind.BUDGET and self.rules.instructions:
            seen = seen._replace(patient=self._count(self._caller(0).call(seen.call)))
        findings = self.findings(seen, wanted)
        printed = seen.outcome.output.decode("latin-1")
        differs = wanted.prints is not None and printed != wanted.prints
        turns = (JudgedTurn(printed, None, wanted.prints if differs else None),) if printed or differs else ()
        return replace(
            case_result(self.case, checks.verdict(findings, seen), (*findings, *notes)),
            usage=self.usage,
            turns=turns,
            again=show_again(self.trial, self.rules, seen.call, self.profile),
            runs=self.calls,
        )

    @property
    def usage(self) -> Usage:
        """The resources that the calls have used."""
        return Usage(self.instructions, self.calls, 0)


def _pair(caller: Caller, where: str, expected: Thing, actual: Any) -> Pair:
    return Pair(where, expected, actual == (caller.settled(expected)), actual)


# ------------------------------------------------------------------------------------------------------------- one call


def written(rules: CallRules) -> tuple[Call, Wanted]:
    """The call that a spec writes out, and its expected effects."""
    results = {name: read_thing(value) for name, value in rules.results.items()}
    leaves = {name: read_thing(value) for name, value in rules.leaves.items()}
    lies = {name: read_thing(value) for name, value in rules.given.items()}
    call = Call(rules.routine, arranged(rules.with_), lies, rules.types)
    return call, Wanted(results, leaves, rules.prints)


def arranged(arguments: Any) -> dict[str, Thing]:
    """Arguments by register, or by their numbers where they are in order."""
    return {name: read_thing(value) for name, value in named(arguments).items()}


# ----------------------------------------------------------------------------------------------------------- many calls


class Drawing:
    """The ranges of a case's arguments, and the reference's answers for drawn arguments.

    ``passed`` are the names of arguments in registers, ``lying`` of those at labels. ``told`` are the arguments of the
    reference, and ``changing`` are rows in memory that must end as the reference leaves them.
    """

    def __init__(self, rules: CallRules, function: Callable[..., object], family: Family) -> None:
        """Read the rules of a case."""
        self.rules, self.function = rules, function
        ranges = self.ranges = {name: read_range(one) for name, one in named(rules.arguments).items()}
        self.leaves = {name: read_shape(shape) for name, shape in rules.leaves.items()}
        self.results: dict[str, Shape | None] = {name: read_shape(shape) for name, shape in rules.results.items()}
        annotated = getattr(function, "__annotations__", {}).get("return", "")
        if not self.results and not self.leaves and rules.prints is None and annotated not in (None, "None"):
            self.results = {RESULT: None}
        left = {name.upper() for name in self.leaves}
        self.passed = [name for name in ranges if name.isdecimal() or register_number(family, name) is not None]
        self.lying = [name for name in ranges if name not in self.passed and name != TYPED]
        self.told = [name for name, one in ranges.items() if one.told]
        rows = (name for name, one in ranges.items() if one.kind in _ROWS and name != TYPED)
        self.changing = [name for name in rows if name.upper() not in left]
        self.fixed = {name: read_thing(value) for name, value in rules.given.items()}
        self.has_rows = any(one.kind in ("array", "bytes", "list") for one in ranges.values())

    def wanted(self, values: Mapping[str, Any]) -> Wanted | None:
        """The effects that the reference expects for these arguments; None if it refuses them. Raises JudgeError."""
        own = values
        if self.has_rows:  # the function may change them, and the call has them as they were
            own = {name: value[:] if isinstance(value, list) else value for name, value in values.items()}
        try:
            gave = self.function(*[own[name] for name in self.told])
        except ValueError:
            return None
        except Exception as error:
            raise JudgeError(f"the reference failed: {error!r}", place=raised_at(error)) from error
        places = len(self.results) + len(self.leaves) + (self.rules.prints is not None)
        gives = gave if isinstance(gave, tuple) else (gave,)
        if places and len(gives) != places:
            raise JudgeError(
                f"the reference gave {gave!r}, and {places} value{'s are' if places > 1 else ' is'} expected"
            )
        try:
            each = iter(gives)
            results = {name: shaped(next(each), shape) for name, shape in self.results.items()}
            leaves = {name: shaped(next(each), shape) for name, shape in self.leaves.items()}
            prints = str(next(each)) if self.rules.prints is not None else None
        except ValueError as error:
            raise JudgeError(str(error)) from error
        for name in self.changing:
            leaves[name] = thing_of(self.ranges[name], own[name])
        return Wanted(results, leaves, prints)

    def sets(self) -> Iterator[tuple[dict[str, Any], Wanted]]:
        """The arguments of each graded call of the case, with the expected effects.

        Raises JudgeError if the reference fails, or refuses nearly all drawn arguments.
        """
        random = Random(int(self.rules.seed))  # noqa: S311 -- it must be the same each time
        for _ in range(self.rules.games):
            for _ in range(REFUSALS):
                values = draw(self.ranges, random)
                wanted = self.wanted(values)
                if wanted is not None:
                    break
            else:
                raise JudgeError(
                    f"the reference refuses nearly all arguments that are drawn for {self.rules.routine}",
                    hint=f"it raises ValueError for {REFUSALS:,} in a row",
                )
            yield values, wanted

    def call(self, values: Mapping[str, Any], number: int) -> Call:
        """The call with these arguments."""
        ranges = self.ranges
        return Call(
            self.rules.routine,
            {name: thing_of(ranges[name], values[name]) for name in self.passed},
            {**self.fixed, **{name: thing_of(ranges[name], values[name]) for name in self.lying}},
            values.get(TYPED, self.rules.types),
            number,
        )


_ROWS = ("array", "bytes", "string")
"""Kinds of things in memory that must end as the reference leaves them; nodes are looked for where the spec says."""


def _many(bench: Bench) -> CaseResult:
    rules = bench.rules
    drawing = Drawing(rules, bench.trial.scripts.function(rules.reference or ""), bench.caller.family)
    for number, (values, wanted) in enumerate(drawing.sets()):
        seen = bench.seen(drawing.call(values, number), wanted)
        if bench.findings(seen, wanted):
            return _smallest(bench, drawing, values, number)
    seen_calls = Occasion("calls that returned", bench.returns, rules.games)
    result = case_result(bench.case, Verdict.ACCEPTED, ())
    return replace(result, usage=bench.usage, runs=bench.calls, occasions=(seen_calls,))


def _smallest(bench: Bench, drawing: Drawing, values: Mapping[str, Any], number: int) -> CaseResult:
    """The result that rests on the smallest arguments for which a call fails."""
    enough = bench.instructions + SHRINKING

    def fails(tried: dict[str, Any]) -> bool:
        wanted = None if bench.instructions > enough or bench.trial.spent_up else drawing.wanted(tried)
        return wanted is not None and bool(bench.findings(bench.seen(drawing.call(tried, number), wanted), wanted))

    smallest = shrunk(drawing.ranges, values, fails)
    wanted = drawing.wanted(smallest) or Wanted()
    plain = drawing.call(smallest, 0)
    seen = bench.seen(plain, wanted)
    if not bench.findings(seen, wanted):  # the fault depends on earlier contents of registers
        seen = bench.seen(drawing.call(smallest, number), wanted)
    first = drawing.call(values, number)
    where = f"first seen in call {number + 1} of {bench.rules.games}"
    shrank = "" if first.told == seen.call.told else f", as {first.told}"
    note = Finding("shrunk", where + shrank, weight=Weight.NOTE)
    return bench.result(seen, wanted, note)


# ---------------------------------------------------------------------------------------------------------------- wording


def show_again(trial: Trial, rules: CallRules, call: Call, profile: str) -> str:
    """The command that shows a call again."""
    words = ["grader", "call", trial.built.sources[0].name, call.routine]
    words += [shown(thing) if name.isdecimal() else f"{name}={shown(thing)}" for name, thing in call.arguments.items()]
    words += [f"{name}={shown(thing)}" for name, thing in call.given.items()]
    if call.typed:
        words += ["--input", escaped(call.typed)]
    machine = TRAITS[trial.spec.program.simulated or ""]
    if rules.convention and rules.convention != machine.conventions[0]:
        words += ["--convention", rules.convention]
    if profile != machine.profiles[0]:
        words += ["--profile", profile]
    if rules.fill:
        words += ["--seed", str(rules.fill)]
    if call.number:
        words += ["--number", str(call.number)]
    return shlex.join(words)
