"""``grader record``: a case of a spec, written by playing the reference or another program."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import click

from grader.authoring.recording import as_case, play
from grader.cli import options
from grader.cli.submissions import load, warn
from grader.sessions.simulated import unescaped
from grader.spec.expectations import ENTER
from grader.spec.script_text import ENTER_MARK
from grader.spec.values import read_inputs
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """What `grader record` is asked for."""

    spec: str = options.argument()
    typed: str | None = options.option(
        "--input",
        "What is typed, with blanks between, as behind `play:`; ⏎ or \\n is Enter; asked for line by line if not said.",
        metavar="INPUTS",
    )
    program: Path | None = options.option(
        "--program",
        "Play this file or folder, as if it had been handed in, in place of the reference.",
        type=options.PLACE,
        metavar="FILE",
    )
    name: str = options.text("--id", "The name of the case; recorded-1 and so on if not said.", metavar="NAME")
    title: str = options.text("--title", "Its title; what is typed if not said.")
    criterion: str = options.text("--criterion", "The criterion that rests on it.", metavar="NAME")


@options.command(Options)
def record(asked: Options) -> None:
    """Play the reference of SPEC and print the run as a case with a `transcript`, to be put behind the last case of SPEC.

    Without --input each line that you type is one input: the keys of an LC-3 program too, and an empty line is Enter; Ctrl-D ends it.
    What the program says goes to standard error then, so that `grader record SPEC >> my-spec.yaml` works.
    """
    assignment = load(asked.spec)
    if asked.typed is None:
        lines = (line.removesuffix("\n") or "\n" for line in sys.stdin)  # an empty one is Enter
        recorded = play(assignment, asked.program, lines, partial(click.echo, nl=False, err=True))
        click.echo(err=True)
    else:
        inputs = [unescaped(one).replace(ENTER_MARK, ENTER) for one in read_inputs(asked.typed)]
        recorded = play(assignment, asked.program, inputs)
    if recorded.left:
        many = f"{recorded.left} of the inputs" if recorded.left > 1 else "input"
        warn(f"the program has ended before the last {many}")
    click.echo(as_case(assignment, recorded.script, asked.name, asked.title, asked.criterion), nl=False)
