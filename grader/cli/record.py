"""``grader record``: a case of a spec, written by playing the reference or another program."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click


@click.command()
@click.argument("spec")
@click.option(
    "--input",
    "typed",
    metavar="INPUTS",
    help="What is typed, with blanks between, as behind `play:`; ⏎ or \\n is Enter; asked for line by line if not said.",
)
@click.option(
    "--program",
    type=click.Path(exists=True, path_type=Path),
    metavar="FILE",
    help="Play this file or folder, as if it had been handed in, in place of the reference.",
)
@click.option(
    "--id", "name", default="", metavar="NAME", help="The name of the case; recorded-1 and so on if not said."
)
@click.option("--title", default="", help="Its title; what is typed if not said.")
@click.option("--criterion", default="", metavar="NAME", help="The criterion that rests on it.")
def record(*, spec: str, typed: str | None, program: Path | None, name: str, title: str, criterion: str) -> int:
    """Play the reference of SPEC and print the run as a case with a `transcript`, to be put behind the last case of SPEC.

    Without --input each line that you type is one input: the keys of an LC-3 program too, and an empty line is Enter; Ctrl-D ends it.
    What the program says goes to standard error then, so that `grader record SPEC >> my-spec.yaml` works.
    """
    from grader.authoring.recording import as_case, play
    from grader.cli.submissions import load, warn
    from grader.errors import EXIT_OK
    from grader.sessions.simulated import unescaped
    from grader.spec.expectations import ENTER
    from grader.spec.script_text import ENTER_MARK
    from grader.spec.values import read_inputs

    assignment = load(spec)
    if typed is None:
        recorded = play(assignment, program, _asked(), _say)
        click.echo(err=True)
    else:
        recorded = play(assignment, program, [unescaped(one).replace(ENTER_MARK, ENTER) for one in read_inputs(typed)])
    if recorded.left:
        many = f"{recorded.left} of the inputs" if recorded.left > 1 else "input"
        warn(f"the program has ended before the last {many}")
    click.echo(as_case(assignment, recorded.script, name, title, criterion), nl=False)
    return EXIT_OK


def _say(text: str) -> None:
    """Show what the program says, apart from the case."""
    click.echo(text, nl=False, err=True)


def _asked() -> Iterator[str]:
    """Each line of standard input as one input; an empty one is Enter."""
    for line in sys.stdin:
        yield line.removesuffix("\n") or "\n"
