"""``grader run``: play a program by hand or from a pipe."""

from __future__ import annotations

import sys
from pathlib import Path

import click

PROFILES = ("default", "lc3tools", "classic")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--profile", type=click.Choice(PROFILES), default="default", show_default=True, help="Edition of the LC-3.")
@click.option("--input", "keys", default=None, help="Keys to type first; the rest comes from standard input.")
@click.option("--seed", type=int, default=None, help="Fill registers and memory at random at the start; zeros if not said.")
@click.option("--budget", type=click.IntRange(min=1), default=50_000_000, show_default=True, help="Instructions at most.")
@click.option("--trace", is_flag=True, help="Write the last instructions before the end to standard error.")
@click.option("--stats", is_flag=True, help="Write counts to standard error.")
def run(file: Path, profile: str, keys: str | None, seed: int | None, budget: int, trace: bool, stats: bool) -> int:
    """Run FILE. Standard output gets exactly what the program prints; all else goes to standard error.

    With --input and a terminal, the program is left waiting after the last key; else keys come from standard input. The
    exit code is 0 after a normal end, and 1 after any other.
    """
    from grader.cli.play import load_program, play, report

    program = load_program(file)
    if program is None:
        return 1
    session = program.start(profile, seed=seed)
    ending = play(session, keys, sys.stdin, sys.stdout.buffer)
    report(session, ending, trace=trace, stats=stats)
    return 0 if ending is not None and ending.kind == "ended" else 1
