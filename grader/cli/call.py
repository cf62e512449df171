"""``grader call``: one routine of an LC-3 or MIPS program, called as a grader calls it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.errors import EXIT_OK, EXIT_POINTS_LOST, UsageError
from grader.machines.families import PROFILES_OF, language_with

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from grader.machines.families import Family
    from grader.sessions.routine import Call, Caller, Outcome
    from grader.sessions.simulated import SimulatedProgram
    from grader.source import SourceFile
    from grader.spec.things import Thing

PROFILES = tuple(name for names in PROFILES_OF.values() for name in names)
_OUTPUT_LIMIT = 1 << 20
_NAMED = re.compile(r"\A([@$]?[A-Za-z_][\w.]*)=(.*)", re.DOTALL)


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("program")
@click.argument("routine")
@click.argument("arguments", nargs=-1)
@click.option("--spec", help="Build the program as this spec says, with the files of the course.")
@click.option(
    "--batch",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Take what PROGRAM, a student of this batch, handed in.",
)
@click.option("--convention", type=click.Choice(("registers", "lc3-frame", "o32")), help="How arguments are passed.")
@click.option("--profile", type=click.Choice(PROFILES), help="Edition of the machine; the usual one if not said.")
@click.option("--input", "typed", default="", help="What is typed meanwhile (\\n is Enter).")
@click.option(
    "--seed", type=int, default=0, show_default=True, help="What fills registers and memory that nothing is said of."
)
@click.option("--number", type=click.IntRange(min=0), default=0, help="Which of the calls with this seed it is.")
@click.option(
    "--budget", type=click.IntRange(min=1), default=50_000_000, show_default=True, help="Instructions at most."
)
@click.option(
    "--trace", is_flag=True, help="Write every executed instruction, with the registers it changes, to standard error."
)
@click.option(
    "--dump",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a program that makes this call and ends, for lc3tools or MARS.",
)
def call(  # noqa: PLR0913  (one for each option)
    *,
    program: str,
    routine: str,
    arguments: tuple[str, ...],
    spec: str | None,
    batch: Path | None,
    convention: str | None,
    profile: str | None,
    typed: str,
    seed: int,
    number: int,
    budget: int,
    trace: bool,
    dump: Path | None,
) -> int:
    """Call ROUTINE of PROGRAM with ARGUMENTS, and say what comes back.

    ARGUMENTS are R0=12, $a0=12 or 12 in their order; R0="a text", R0=[3,1,2] and R0={list: [3,1]} are passed by their address.
    What is called otherwise lies in memory: COUNT=3 at a label, @list=[3,1] in a block whose address is "@list".

    Exit code 0: it returned; 1: it did not, or does not assemble.
    """
    from grader.sessions.laying import MissingLabelError
    from grader.sessions.routine import Call, CallSetup
    from grader.sessions.simulated import unescaped

    found = _program(program, spec, batch, profile, budget)
    if found is None:
        return EXIT_POINTS_LOST
    made, sources, edition = found
    passed, given = _arguments(arguments, made.family)
    wanted = Call(routine, passed, given, unescaped(typed), number)
    try:
        caller = made.caller(edition, routine, CallSetup(convention or "", seed), budget=budget)
        if dump is not None:
            _dump(dump, caller, wanted, sources)
        outcome = _called(caller, wanted, trace=trace)
    except MissingLabelError as label:
        raise UsageError(f"the program has no label {label}", place=sources[0].name) from None
    click.echo("\n".join(_lines(caller, wanted, outcome)))
    return EXIT_OK if outcome.returned else EXIT_POINTS_LOST


def _program(
    program: str, spec: str | None, batch: Path | None, profile: str | None, budget: int
) -> tuple[SimulatedProgram, Sequence[SourceFile], str] | None:
    """The program, its sources and the edition; None where it does not assemble, which is said."""
    from grader.cli.native import HandedIn
    from grader.cli.program import assembled, family_of, read_source
    from grader.sessions.simulated import SimulatedProgram
    from grader.spec.model import Limits

    if spec is not None or batch is not None:
        if spec is not None and batch is not None:
            raise click.UsageError("with --batch no --spec: the batch has its own")
        handed_in = HandedIn.in_batch(batch, program) if batch else HandedIn.named((Path(program),), spec)
        return _as_graded(handed_in, profile)
    if not Path(program).exists():
        raise click.BadParameter(f"Path '{program}' does not exist.", param_hint="'PROGRAM'")
    source = read_source(Path(program))
    machine = family_of(source, language_with(profile) if profile else None)
    edition = profile or PROFILES_OF[machine.language][0]
    assembly = assembled([source], machine, machine.dialect_of(edition))
    if assembly.image is None:
        return None
    limits = Limits(instructions=budget, output=_OUTPUT_LIMIT)
    return SimulatedProgram(machine, assembly.image, limits, bare=True), [source], edition


def _as_graded(handed_in: object, profile: str | None) -> tuple[SimulatedProgram, Sequence[SourceFile], str] | None:
    from grader.build.simulated import build_simulated
    from grader.cli.native import HandedIn, say_built
    from grader.sessions.simulated import SimulatedProgram
    from grader.source import SourceFile

    assert isinstance(handed_in, HandedIn)
    if not handed_in.spec.program.simulated:
        raise click.UsageError("only routines of LC-3 and MIPS programs can be called")
    support = handed_in.assignment.support if handed_in.assignment else ()
    built = build_simulated(handed_in.spec, handed_in.submission, support)
    say_built(built)
    edition = profile or (built.usual if built.usual in built.programs else next(iter(built.programs), ""))
    made = built.programs.get(edition)
    if not isinstance(made, SimulatedProgram):
        return None
    return made, [*built.sources, *(SourceFile.from_bytes(file.path, file.data) for file in support)], edition


def _arguments(words: Sequence[str], family: Family) -> tuple[dict[str, Thing], dict[str, Thing]]:
    """What is passed, by register or in order, and what lies in memory. Raises UsageError."""
    from grader.sessions.laying import register_number

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
    import yaml

    from grader.spec.things import numbers_in, read_thing, word_problem

    try:
        value = word if word.startswith("@") else yaml.safe_load(word)
        problems = (word_problem(number, language) for _, number in numbers_in(value))
        if problem := next(filter(None, problems), ""):
            raise ValueError(problem)
        return read_thing(word if value is None or isinstance(value, bool) else value)
    except (yaml.YAMLError, ValueError) as error:
        raise UsageError(
            f"{word} is nothing that can be passed: {error}", hint='12, "a text", [3, 1] or {list: [3, 1]}'
        ) from None


def _called(caller: Caller, wanted: Call, *, trace: bool) -> Outcome:
    """What becomes of the call, with every instruction told on the way if that is asked for."""
    from grader.sessions.simulated import SimulatedSession

    caller.prepare(wanted)
    if trace:
        SimulatedSession(caller.family, caller.machine).trace(lambda step: click.echo(step, err=True))
    return caller.outcome(caller.machine.run())


def _lines(caller: Caller, wanted: Call, outcome: Outcome) -> Iterator[str]:
    """What came of a call: what it printed, the result, the registers that it changed, and what lies in memory."""
    from grader.checks.routine import shown_text
    from grader.spec.things import Address, Space, Words, shown

    yield wanted.told
    if outcome.output:
        yield f"  printed {shown_text(outcome.output.decode('latin-1'))}"
    if not outcome.returned:
        place = f"{outcome.stop.span.place}: " if outcome.stop.span else ""
        yield f"  did not return: {place}{outcome.stop.message}"
        return
    rows = [thing for thing in wanted.arguments.values() if not isinstance(thing, int | Space)]
    result = caller.returned(outcome, "", 0)
    if rows and isinstance(result, int) and result % (1 << caller.abode.bits) in caller.abode.blocks:
        result = caller.returned(outcome, "", rows[0])  # an address: most likely of what was passed
    yield f"  returned {shown(result)} after {outcome.instructions:,} instructions"
    changed = [
        f"{name} = {caller.family.address(after)}"
        for name, before, after in zip(caller.family.registers, outcome.before, outcome.after, strict=True)
        if before != after and name not in ("R7", "$ra")
    ]
    yield f"  changed {', '.join(changed) or 'no register'}"
    for name, thing in {**wanted.arguments, **wanted.given}.items():
        like = Words((0,) * (thing.size // caller.abode.cells)) if isinstance(thing, Space) else thing
        if not isinstance(thing, int | Address):
            where = f"where {name} pointed to" if name in wanted.arguments else f"at {name}"
            yield f"  {where} lies {shown(caller.left(name, like))}"


def _dump(path: Path, caller: Caller, wanted: Call, sources: Sequence[SourceFile]) -> None:
    from grader.cli.submissions import write
    from grader.sessions.dump import dumped

    typed = f"; type {wanted.typed!r}" if wanted.typed else ""
    prepared = caller.prepared(wanted)
    write(path, dumped(caller.family, sources, wanted.routine, caller.abode, prepared, f"{wanted.told}{typed}"))
