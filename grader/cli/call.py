"""``grader call``: one routine of an LC-3 or MIPS program, called as a grader calls it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import get_args

import click
import yaml

from grader.checks.routine import shown_text
from grader.cli import options
from grader.cli.program import HandedIn, Simulated, as_graded, profile_option, simulated
from grader.cli.submissions import write
from grader.errors import EXIT_OK, EXIT_POINTS_LOST, UsageError
from grader.machines.families import Family
from grader.sessions.dump import dumped
from grader.sessions.laying import MissingLabelError, register_number
from grader.sessions.routine import Call, Caller, CallSetup, Outcome
from grader.sessions.simulated import SimulatedSession, unescaped
from grader.spec.languages import Convention
from grader.spec.model import Limits
from grader.spec.things import Address, Space, Thing, Words, numbers_in, read_thing, shown, word_problem
from grader.values import dataclass

_OUTPUT_LIMIT = 1 << 20  # bytes that a routine may print
_NAMED = re.compile(r"\A([@$]?[A-Za-z_][\w.]*)=(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Options:
    """The arguments and options of `grader call`."""

    program: str = options.argument()
    routine: str = options.argument()
    arguments: tuple[str, ...] = options.argument(nargs=-1)
    spec: str | None = options.option("--spec", "Build the program as this spec says, with the files of the course.")
    batch: Path | None = options.handed_in_to("Take what PROGRAM, a student of this batch, handed in.")
    convention: str | None = options.option(
        "--convention", "How arguments are passed.", type=click.Choice(get_args(Convention))
    )
    profile: str | None = profile_option()
    typed: str = options.text("--input", "What is typed meanwhile (\\n is Enter).")
    seed: int = options.option(
        "--seed",
        "Seed of the values in registers and memory that nothing else sets.",
        type=int,
        default=0,
        show_default=True,
    )
    number: int = options.option(
        "--number", "Which of the calls with this seed it is.", type=click.IntRange(min=0), default=0
    )
    budget: int = options.budget("Instructions at most.")
    trace: bool = options.trace()
    dump: Path | None = options.option(
        "--dump",
        "Write a program that makes this call and ends, for lc3tools or MARS.",
        type=options.FILE,
        metavar="FILE",
    )


@options.command(Options, {"ignore_unknown_options": True})
def call(asked: Options) -> int:
    """Call ROUTINE of PROGRAM with ARGUMENTS, and say what comes back.

    ARGUMENTS are R0=12, $a0=12 or 12 in their order; R0="a text", R0=[3,1,2] and R0={list: [3,1]} are passed by their address.
    Other names lie in memory: COUNT=3 at a label, @list=[3,1] in a block whose address is "@list".

    Exit code 0: it returned; 1: it did not, or does not assemble.
    """
    simulated = _program(asked)
    if simulated is None:
        return EXIT_POINTS_LOST
    passed, given = _arguments(asked.arguments, simulated.program.family)
    wanted = Call(asked.routine, passed, given, unescaped(asked.typed), asked.number)
    try:
        setup = CallSetup(asked.convention or "", asked.seed)
        caller = simulated.program.caller(simulated.profile, asked.routine, setup, budget=asked.budget)
        if asked.dump is not None:
            shown_call = f"{wanted.told}{f'; type {wanted.typed!r}' if wanted.typed else ''}"
            prepared = caller.prepared(wanted)
            text = dumped(caller.family, simulated.sources, wanted.routine, caller.abode, prepared, shown_call)
            write(asked.dump, text)
        caller.prepare(wanted)
        if asked.trace:
            SimulatedSession(caller.family, caller.machine).trace(partial(click.echo, err=True))
        outcome = caller.outcome(caller.machine.run())
    except MissingLabelError as label:
        raise UsageError(f"the program has no label {label}", place=simulated.sources[0].name) from None
    click.echo("\n".join(_lines(caller, wanted, outcome)))
    return EXIT_OK if outcome.returned else EXIT_POINTS_LOST


def _program(asked: Options) -> Simulated | None:
    """The program whose routine is called; None, after a message, if it does not assemble. Raises UsageError."""
    if asked.spec is None and asked.batch is None:
        if not Path(asked.program).exists():
            raise click.BadParameter(f"Path '{asked.program}' does not exist.", param_hint="'PROGRAM'")
        limits = Limits(instructions=asked.budget, output=_OUTPUT_LIMIT)
        return simulated([Path(asked.program)], asked.profile, limits, bare=True)
    if asked.batch is None:
        handed_in = HandedIn.named((Path(asked.program),), asked.spec)
    elif asked.spec is None:
        handed_in = HandedIn.in_batch(asked.batch, asked.program)
    else:
        raise click.UsageError("leave out --spec with --batch: the batch has its own")
    if not handed_in.spec.program.simulated:
        raise click.UsageError("only routines of LC-3 and MIPS programs can be called")
    return as_graded(handed_in, asked.profile)


def _arguments(words: Sequence[str], family: Family) -> tuple[dict[str, Thing], dict[str, Thing]]:
    """The arguments, by register or in order, and the contents of memory. Raises UsageError."""
    passed: dict[str, Thing] = {}
    given: dict[str, Thing] = {}
    for word in words:
        named = _NAMED.fullmatch(word)
        if named is None:
            passed[str(len(passed) + 1)] = _thing(word, family.language)
        elif register_number(family, named[1]) is not None:
            passed[named[1]] = _thing(named[2], family.language)
        else:
            given[named[1]] = _thing(named[2], family.language)
    return passed, given


def _thing(word: str, language: str) -> Thing:
    try:
        # YAML refuses a text that begins with @.
        value = word if word.startswith("@") else yaml.safe_load(word)
        problems = (word_problem(number, language) for _, number in numbers_in(value))
        if problem := next(filter(None, problems), ""):
            raise ValueError(problem)
        return read_thing(word if value is None or isinstance(value, bool) else value)
    except (yaml.YAMLError, ValueError) as error:
        hint = '12, "a text", [3, 1] or {list: [3, 1]}'
        raise UsageError(f"{word} is nothing that can be passed: {error}", hint=hint) from None


def _lines(caller: Caller, wanted: Call, outcome: Outcome) -> Iterator[str]:
    """The outcome of a call: its output, the result, the registers that it changed, and the memory asked for."""
    yield wanted.told
    if outcome.output:
        yield f"  printed {shown_text(outcome.output.decode('latin-1'))}"
    if not outcome.returned:
        place = f"{outcome.stop.span.place}: " if outcome.stop.span else ""
        yield f"  did not return: {place}{outcome.stop.message}"
        return
    rows = [thing for thing in wanted.arguments.values() if not isinstance(thing, int | Space)]
    result = caller.returned(outcome, "", 0)
    # If a routine returns the address of a list, the list itself is wanted.
    if rows and isinstance(result, int) and result % (1 << caller.abode.bits) in caller.abode.blocks:
        result = caller.returned(outcome, "", rows[0])  # an address: most likely that of an argument
    yield f"  returned {shown(result)} after {outcome.instructions:,} instructions"
    changed = [
        f"{name} = {caller.family.address(after)}"
        for name, before, after in zip(caller.family.registers, outcome.before, outcome.after, strict=True)
        # The call itself changes the register of the return address.
        if before != after and name not in ("R7", "$ra")
    ]
    yield f"  changed {', '.join(changed) or 'no register'}"
    for name, thing in {**wanted.arguments, **wanted.given}.items():
        like = Words((0,) * (thing.size // caller.abode.cells)) if isinstance(thing, Space) else thing
        if not isinstance(thing, int | Address):
            where = f"where {name} pointed to" if name in wanted.arguments else f"at {name}"
            yield f"  {where} lies {shown(caller.left(name, like))}"
