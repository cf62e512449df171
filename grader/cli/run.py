"""``grader run``: play a program by hand or from a pipe."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.errors import EXIT_OK, EXIT_POINTS_LOST
from grader.machines.lc3.profiles import PROFILES

if TYPE_CHECKING:
    from grader.machines.stop import Step
    from grader.sessions.simulated import SimulatedSession
    from grader.transcript import Ending

END_OF_INPUT = "\x04"  # Ctrl-D, which a terminal in raw mode hands on as it is
_OUTPUT_LIMIT = 1 << 30
_CHUNK = 4096


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--profile", type=click.Choice(tuple(PROFILES)), default="default", show_default=True, help="Edition of the LC-3."
)
@click.option("--input", "keys", default="", help="Keys to type first; the rest comes from standard input.")
@click.option(
    "--seed", type=int, default=None, help="Fill registers and memory at random at the start, not with zeros."
)
@click.option(
    "--budget", type=click.IntRange(min=1), default=50_000_000, show_default=True, help="Instructions at most."
)
@click.option("--trace", is_flag=True, help="Write every executed instruction to standard error.")
@click.option("--stats", is_flag=True, help="Write counts to standard error.")
def run(file: Path, profile: str, keys: str, seed: int | None, budget: int, trace: bool, stats: bool) -> int:
    """Assemble and run FILE. Standard output gets exactly what the program prints; all else goes to standard error.

    On a terminal each key goes to the program as it is typed (Ctrl-D ends the input). The exit code is 0 after a normal
    end and 1 after any other.
    """
    from grader.cli.program import assemble_file
    from grader.sessions.simulated import SimulatedProgram
    from grader.spec.model import Limits

    _, assembly = assemble_file(file, "default")
    if assembly.image is None:
        return EXIT_POINTS_LOST
    program = SimulatedProgram(assembly.image, Limits(instructions=budget, output=_OUTPUT_LIMIT))
    session = program.start(profile, seed=seed)
    session.send(keys)
    ending = _talk(session, trace=trace)
    _report(session, ending, stats=stats)
    return EXIT_OK if ending.kind == "ended" else EXIT_POINTS_LOST


def _talk(session: SimulatedSession, *, trace: bool) -> Ending:
    """Give the program what is typed, whenever it waits, until it ends."""
    while True:
        ending = session.trace(_show_step) if trace else session.advance()
        sys.stdout.buffer.write(session.take_output())
        sys.stdout.buffer.flush()
        if ending is not None:
            return ending
        typed = _typed()
        if typed:
            session.type_bytes(typed)
        else:
            session.close_input()


def _show_step(step: Step) -> None:
    from grader.sessions.simulated import show_step

    click.echo(show_step(step), err=True)


def _typed() -> bytes:
    """The next key of a terminal, or what a pipe has; empty at the end of input."""
    if not sys.stdin.isatty():
        return os.read(sys.stdin.fileno(), _CHUNK)
    key = click.getchar()
    return b"" if key == END_OF_INPUT else key.replace("\r", "\n").encode("utf-8", "surrogateescape")


def _report(session: SimulatedSession, ending: Ending, *, stats: bool) -> None:
    if ending.kind != "ended":
        lines = [f"grader: {ending.place}: {ending.message}", ending.excerpt, *ending.last_steps]
        click.echo("\n" + "\n".join(line for line in lines if line), err=True)
    if stats:
        click.echo(f"grader: {session.instructions} instructions", err=True)
