"""``grader run``: play a program by hand or from a pipe."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.errors import EXIT_OK, EXIT_POINTS_LOST
from grader.machines.families import PROFILES_OF, language_with

if TYPE_CHECKING:
    from grader.sessions.simulated import SimulatedSession
    from grader.transcript import Ending

PROFILES = tuple(name for names in PROFILES_OF.values() for name in names)
END_OF_INPUT = "\x04"  # Ctrl-D, which a terminal in raw mode hands on as it is
_OUTPUT_LIMIT = 1 << 30
_CHUNK = 4096


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--profile", type=click.Choice(PROFILES), help="Edition of the machine; the usual one if not said.")
@click.option(
    "--start", type=click.Choice(("first", "main")), help="Where a MIPS program begins; as usual if not said."
)
@click.option(
    "--input", "keys", default="", help="What to type first (\\n is Enter); the rest comes from standard input."
)
@click.option("--seed", type=int, help="Fill what the machine leaves open at random, not with zeros.")
@click.option(
    "--budget", type=click.IntRange(min=1), default=50_000_000, show_default=True, help="Instructions at most."
)
@click.option("--trace", is_flag=True, help="Write every executed instruction to standard error.")
@click.option("--stats", is_flag=True, help="Write counts to standard error.")
def run(  # noqa: PLR0913  (one for each option)
    *,
    files: tuple[Path, ...],
    profile: str | None,
    start: str | None,
    keys: str,
    seed: int | None,
    budget: int,
    trace: bool,
    stats: bool,
) -> int:
    """Assemble and run FILES, LC-3 or MIPS by what the first looks like; several MIPS files make one program.

    Standard output gets exactly what the program prints; all else goes to standard error. On a terminal a key or a line
    is read, as the program asks (Ctrl-D ends the input). The exit code is 0 after a normal end and 1 after any other.
    """
    from grader.checks.ending import ended
    from grader.cli.program import assembled, family_of, read_source
    from grader.sessions.simulated import SimulatedProgram, unescaped
    from grader.spec.model import Limits

    sources = [read_source(file) for file in files]
    machine = family_of(sources[0], language_with(profile) if profile else None)
    profile = profile or PROFILES_OF[machine.language][0]
    assembly = assembled(sources, machine, machine.dialect_of(profile), start or "")
    if assembly.image is None:
        return EXIT_POINTS_LOST
    program = SimulatedProgram(machine, assembly.image, Limits(instructions=budget, output=_OUTPUT_LIMIT))
    session = program.start(profile, seed=seed)
    session.send(unescaped(keys))
    ending = _talk(session, trace=trace)
    _report(session, ending, stats=stats)
    return EXIT_OK if ended(ending) else EXIT_POINTS_LOST


def _talk(session: SimulatedSession, *, trace: bool) -> Ending:
    """Give the program what is typed, whenever it waits, until it ends."""
    while True:
        ending = session.trace(_show) if trace else session.advance()
        sys.stdout.buffer.write(session.take_output())
        sys.stdout.buffer.flush()
        if ending is not None:
            return ending
        typed = _typed(session.wants)
        if typed:
            session.type_bytes(typed)
        else:
            session.close_input()


def _show(step: str) -> None:
    click.echo(step, err=True)


def _typed(wanted: str) -> bytes:
    """The key or line of a terminal, as the program wants it, or what a pipe has; empty at the end of input."""
    if wanted != "key" or not sys.stdin.isatty():
        return os.read(sys.stdin.fileno(), _CHUNK)
    key = click.getchar()
    return b"" if key == END_OF_INPUT else key.replace("\r", "\n").encode("utf-8", "surrogateescape")


def _report(session: SimulatedSession, ending: Ending, *, stats: bool) -> None:
    from grader.checks.ending import ended

    if not ended(ending):
        lines = [f"grader: {ending.place}: {ending.message}", ending.excerpt, *ending.last_steps]
        click.echo("\n" + "\n".join(line for line in lines if line), err=True)
    if stats:
        click.echo(f"grader: {session.instructions} instructions", err=True)
