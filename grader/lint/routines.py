"""Problems of `call` cases that show with the machine, the reference and the fixtures.

- Registers must exist on the machine, and labels in an accepted fixture.
- Functions of the reference must exist, take the drawn arguments, and return values of the expected kind.
- A program whose routines only return must not earn points.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from types import ModuleType

from grader.build.built import Built
from grader.build.simulated import LEFT_OUT, build_simulated
from grader.checks.routine import CONVENTION
from grader.errors import GraderError, JudgeError
from grader.grading import Judge
from grader.grading.kinds.call import Drawing
from grader.grading.scripts import model_of
from grader.grading.trial import unmet
from grader.intake.source import read_submission
from grader.lint.gifts import earned, given_away, worth
from grader.lint.idle import MOST
from grader.lint.prices import accepted_fixtures
from grader.lint.words import ADDRESS, REGISTER, beginnings, fault, placed, trap_vectors
from grader.machines.families import TRAITS, Family, family
from grader.results import Verdict
from grader.sessions.laying import register_number
from grader.sessions.reference import load_module
from grader.sessions.simulated import SimulatedProgram
from grader.source import SourceFile
from grader.spec.document import Loc
from grader.spec.kinds.call import RESULT, TYPED, CallRules, named
from grader.spec.loader import Assignment
from grader.spec.model import Case, Spec
from grader.spec.problem import Problem, near
from grader.spec.ranges import TYPES, read_range
from grader.spec.things import Address, Nodes, Thing, Words, behind, read_thing
from grader.submission import Form, Submission, SubmittedFile


def routines(assignment: Assignment) -> Iterator[Problem]:
    """Every problem of the cases that call routines."""
    spec = assignment.spec
    called = {index: case.call for index, case in enumerate(spec.cases) if case.call is not None}
    if spec.program.simulated is None:
        return
    machine = family(spec.program.simulated)
    problems = [one for index, rules in called.items() for one in _words(rules, ("cases", index, "call"), machine)]
    problems += _functions(assignment, called, machine)
    problems += labels(assignment)
    yield from problems
    if called and not problems:
        yield from _given_away(assignment)


# ---------------------------------------------------------------------------------------------------- registers and traps


def _words(rules: CallRules, loc: Loc, machine: Family) -> Iterator[Problem]:
    """Registers and traps that the machine does not have, and registers that a convention is to keep and does not know."""
    for name, place in _register_names(rules, loc):
        if not name.isdecimal() and register_number(machine, name) is None:
            hint = near(name, machine.registers, "known are")
            yield Problem("unknown-word", f"there is no register `{name}`", place, hint, at_key=True)
    by_register = (rules.convention or machine.traits.conventions[0]) == "registers"
    if CONVENTION in rules.preserves and by_register:
        message = "arguments in registers are no convention that keeps any"
        yield Problem("convention", message, (*loc, "preserves"), "name the registers: [R4, R5, R6]")
    yield from trap_vectors(rules, loc)


def _register_names(rules: CallRules, loc: Loc) -> Iterator[tuple[str, Loc]]:
    """Every register that a case names, or that looks as if it were meant for one, and where it does."""
    passed = () if rules.convention == "lc3-frame" or not isinstance(rules.with_, Mapping) else rules.with_
    returned = [name for name in rules.results if name != RESULT]
    drawn = rules.arguments if isinstance(rules.arguments, Mapping) else ()
    yield from ((name, (*loc, "with", name)) for name in passed)
    yield from ((name, (*loc, "returns", name)) for name in returned)
    yield from ((name, (*loc, "arguments", name)) for name in drawn if REGISTER.fullmatch(name))
    yield from ((name, (*loc, "leaves", name)) for name in rules.leaves if REGISTER.fullmatch(name))
    yield from ((name, (*loc, "preserves", at, name)) for at, name in enumerate(rules.preserves) if name != CONVENTION)
    for routine, called in rules.calls.items():
        for at, arguments in enumerate(called.with_):
            names = arguments if isinstance(arguments, Mapping) and rules.convention != "lc3-frame" else ()
            yield from ((name, (*loc, "calls", routine, "with", at, name)) for name in names)


# ---------------------------------------------------------------------------------------------------------- the reference


def _functions(assignment: Assignment, called: Mapping[int, CallRules], machine: Family) -> Iterator[Problem]:
    drawn = {index: rules for index, rules in called.items() if rules.drawn}
    if not drawn or assignment.reference is None:
        return
    try:
        module = load_module(assignment.reference)
    except JudgeError as error:
        yield fault(error, ("reference",))
        return
    for index, rules in drawn.items():
        yield from _function(module, rules, ("cases", index, "call"), machine)


def _function(module: ModuleType, rules: CallRules, loc: Loc, machine: Family) -> Iterator[Problem]:
    name = rules.reference or ""
    function = getattr(module, name, None)
    if not inspect.isfunction(function):
        known = [known for known, one in vars(module).items() if inspect.isfunction(one)]
        message = f"the reference has no function `{name}`"
        yield Problem("unknown-function", message, (*loc, "reference"), near(name, known, "it has"))
        return
    drawing = Drawing(rules, function, machine)
    problems = list(_signature(function, drawing, rules, loc))
    yield from problems
    try:
        for _ in () if problems else drawing.sets():
            pass  # the reference takes what is drawn, and gives what is expected, in each call that a program is graded with
    except JudgeError as error:
        problem = fault(error, (*loc, "arguments" if error.hint else "reference"))
        yield replace(problem, hint=problem.hint or "`returns` and `leaves` say what kind of value is where")


def _signature(function: Callable[..., object], drawing: Drawing, rules: CallRules, loc: Loc) -> Iterator[Problem]:
    """A parameter for each argument that is told, of its type."""
    parameters = list(inspect.signature(function).parameters)
    ranges, name, of_function = drawing.told, rules.reference, (*loc, "reference")
    if len(parameters) > len(ranges):
        message = f"`{name}` takes `{parameters[len(ranges)]}`, and `arguments` has no range for it"
        yield Problem("no-range", message, (*loc, "arguments") if rules.arguments else of_function, "add it")
        return
    if len(parameters) < len(ranges):
        extra = ranges[len(parameters)]
        message = f"`{name}` takes {len(parameters)} arguments, and `arguments` has {len(ranges)} that it is given"
        yield Problem("no-parameter", message, _at(rules, loc, extra), f"add a parameter for {extra} to the function")
        return
    try:
        hints = typing.get_type_hints(function)
    except Exception as error:  # noqa: BLE001 -- whatever an annotation raises
        yield Problem("reference", f"the types of `{name}` cannot be read: {error}", of_function)
        return
    for parameter, argument in zip(parameters, ranges, strict=True):
        hint, kind = hints.get(parameter), drawing.ranges[argument].kind
        wanted = _TYPES.get(kind, "int")
        given = f"is given {'an' if wanted == 'int' else 'a'} {wanted}"
        if hint is None:
            message = f"`{parameter}` of `{name}` has no type, and {given}"
            yield Problem("untyped", message, of_function, f"write {parameter}: {wanted}")
        elif (typing.get_origin(hint) or hint) not in TYPES.get(kind, (int,)):
            written = getattr(hint, "__name__", str(hint)) if typing.get_origin(hint) is None else str(hint)
            message = f"`{parameter}` of `{name}` is of type {written}, and {given}"
            yield Problem("wrong-type", message, _at(rules, loc, argument), "change the range or the type")
    if "return" not in hints:
        yield Problem("untyped", f"`{name}` does not say what it gives", of_function, "write -> int, or -> None")


# How the type that a reference takes is written, for each kind of range; for all others it is `int`.
_TYPES = {"string": "str", "line": "str", "array": "list[int]", "bytes": "list[int]", "list": "list[int]"}


def _at(rules: CallRules, loc: Loc, argument: str) -> Loc:
    return (*loc, "arguments", argument if isinstance(rules.arguments, Mapping) else int(argument) - 1)


# ------------------------------------------------------------------------------------------------------------------ labels


def labels(assignment: Assignment) -> Iterator[Problem]:
    """Labels that no accepted fixture has, where there are any fixtures, and that the course's own files do not have."""
    spec = assignment.spec
    named = [
        (label, loc)
        for index, case in enumerate(spec.cases)
        for label, loc in ((behind(name)[0], loc) for name, loc in _labels(case, index))
        if not ADDRESS.fullmatch(label)
    ]
    built: list[Built] = []
    for folder in accepted_fixtures(assignment):
        with suppress(GraderError):  # one that cannot be read says nothing of labels
            submission = read_submission(folder, spec.submission.student_id)
            built.append(build_simulated(spec, submission, assignment.support))
    programs = (next(iter(made.programs.values()), None) for made in built)
    images = [program.image.symbols for program in programs if isinstance(program, SimulatedProgram)]
    left_out = next((finding for made in built for finding in made.findings if finding.code == LEFT_OUT), None)
    if left_out is not None:
        yield Problem(
            "support", f"an accepted fixture is {left_out.message}", ("program", "support"), "correct the file"
        )
    if not images:
        yield from _undemanded(assignment, dict(named))
        return
    known = {name.casefold(): name for symbols in images for name in symbols}
    for label, loc in dict(named).items():
        if label.casefold() not in known:
            hint = near(label, known.values(), "they have")
            yield Problem("unknown-label", f"no accepted fixture has a label `{label}`", loc, hint, at_key=True)


def _undemanded(assignment: Assignment, named: Mapping[str, Loc]) -> Iterator[Problem]:
    """A warning for each label that no case demands, where others are demanded and no accepted fixture shows what programs have."""
    demanded = [label for case in assignment.spec.cases if case.source for label in case.source.labels]
    if not demanded or model_of(assignment) is not None:
        return
    machine = family(assignment.spec.program.simulated or "")
    texts = [SourceFile.from_bytes(file.path, file.data) for file in assignment.support]
    ours = [label for text in texts for line in machine.statements(text) for label in line.labels]
    known = {label.casefold() for label in (*demanded, *ours)}
    for label, loc in named.items():
        if label.casefold() not in known:
            message = f"no case demands the label `{label}`, and a program without it leaves the points open"
            hint = near(label, demanded, "demanded are")
            yield Problem.warning("undemanded", message, loc, hint, at_key=True)


def _labels(case: Case, index: int) -> Iterator[tuple[str, Loc]]:
    """The labels of a program that a case names, and where it does."""
    loc: Loc = ("cases", index)
    for run, at in placed(case.machine, (*loc, "machine")) if case.machine else ():
        yield from _of_places(run.memory, (), (*at, "memory"))
        yield from _of_places(run.leaves, (*(case.machine.given if case.machine else ()), *run.given), (*at, "leaves"))
    for begun, at in beginnings(case, index):
        yield from _of_places(begun.given, begun.given, (*at, "given"))
    rules = case.call
    if rules is None:
        return
    loc = (*loc, "call")
    yield rules.routine, (*loc, "routine")
    for name in rules.calls:
        yield name, (*loc, "calls", name)
    blocks = {name for name in rules.given if name.startswith("@")}
    drawn = rules.arguments if isinstance(rules.arguments, Mapping) else {}
    for key, holds in (("given", rules.given), ("leaves", rules.leaves), ("arguments", drawn)):
        for name in holds:
            passed = name.isdecimal() or name == TYPED or REGISTER.fullmatch(name)
            if not passed and behind(name)[0] not in blocks:
                yield name.removeprefix("@"), (*loc, key, name)
    things: list[tuple[str, Thing]] = [("with", read_thing(value)) for value in named(rules.with_).values()]
    things += (("given", read_thing(value)) for value in rules.given.values())
    things += (("arguments", read_range(value).thing) for value in named(rules.arguments).values())
    for key, thing in things:
        for name in _addresses(thing):
            if f"@{name}" not in blocks:
                yield name, (*loc, key)


def _of_places(names: Iterable[str], given: Iterable[str], loc: Loc) -> Iterator[tuple[str, Loc]]:
    """The labels among the names of places; others are registers, addresses, and blocks that are ``given``."""
    blocks = {name for name in given if name.startswith("@")}
    for name in names:
        if not (behind(name)[0] in blocks or REGISTER.fullmatch(name) or ADDRESS.fullmatch(name)):
            yield name.removeprefix("@"), (*loc, name)


def _addresses(thing: Thing) -> Iterator[str]:
    """The names whose addresses are in a thing."""
    if isinstance(thing, Address):
        yield thing.name
    elif isinstance(thing, Words):
        yield from (name for item in thing.items for name in _addresses(item))
    elif isinstance(thing, Nodes):
        yield from (name for item in thing.items for one in item for name in _addresses(one))


# ------------------------------------------------------------------------------------------------------ what is given away


def _given_away(assignment: Assignment) -> Iterator[Problem]:
    """Whether routines that only return earn too much of what calls are judged for."""
    spec = assignment.spec
    called = [case for case in spec.cases if case.call is not None and case.criterion is not None]
    stub = _stub(spec, called)
    built = build_simulated(spec, stub, assignment.support)
    if not built.programs:
        return
    judged = {one.id: one for one in Judge(assignment).results(stub, built, {case.id for case in called}).cases}
    results = [judged.get(case.id) or unmet(case, Verdict.WRONG_ANSWER) for case in spec.cases]
    criteria = {case.criterion for case in called if case.criterion}
    whole = worth(spec, criteria)
    share = earned(spec, results, criteria) / whole if whole else 0
    if share > MOST:
        names = ", ".join(f"`{one.id}`" for one in results if one.met)
        message = f"routines that only return earn {float(100 * share):.0f} % of what calls are judged for, by {names}"
        hint = "choose arguments so that no register holds the result already, or let cases require a harder one"
        yield given_away(message, hint)


def _stub(spec: Spec, called: Iterable[Case]) -> Submission:
    """A program that has every label that is named, and whose routines only return."""
    rules = [case.call for case in called if case.call]
    entered = {name for one in rules for name in (one.routine, *one.calls)}
    # The spec's contents must have room there, and a routine that only returns reads none of it.
    lies = {behind(label)[0] for index, case in enumerate(called) for label, _ in _labels(case, index)} - entered
    machine = TRAITS[spec.program.simulated or ""]
    head, returns, room, end = machine.idle
    entered |= {machine.main} - {""}  # SPIM wants a label to begin at
    fixed = sorted(filter(ADDRESS.fullmatch, entered))  # a block for each: only an LC-3 has routines by address
    lies = set(filter(lambda label: not ADDRESS.fullmatch(label), lies))
    lines = [
        head,
        *map(returns.format, sorted(entered.difference(fixed))),
        *map(room.format, sorted(lies - entered)),
        end,
    ]
    lines += [line for at in fixed for line in (f".ORIG {at}", returns.format(""), end)]
    first = spec.program.sources[0]
    text = "\n".join(lines) + "\n"
    return Submission("idle", "idle", (SubmittedFile(first.replace("*", "idle"), text.encode()),), Form.FOLDER)
