"""``grader new``: the folder of a new spec, made of the sample run of a handout."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import IO, cast

import click

from grader.authoring.folder import Wish, copy_spec, language_of, make
from grader.authoring.pasted import decoded
from grader.cli import options
from grader.cli.submissions import load
from grader.spec.expectations import ENTER
from grader.spec.languages import LANGUAGES, Language
from grader.spec.script_text import ENTER_MARK
from grader.spec.values import read_inputs
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """What `grader new` is asked for."""

    name: str = options.argument()
    sample: IO[bytes] | None = options.option(
        "--from",
        "The sample run as it stands in the handout; - for standard input. A run of two lines if not said.",
        type=click.File("rb"),
        metavar="FILE",
    )
    typed: str = options.text(
        "--typed",
        "How typed input is marked there: '[…]', '> …' for the rest of a line, or none where nothing is typed.",
        metavar="MARKS",
    )
    language: Language | None = options.option(
        "-l --language",
        "What programs are written in: c if not said, or what the solution is written in.",
        type=click.Choice(LANGUAGES),
    )
    solution: Path | None = options.option(
        "--solution",
        "Your own solution, which becomes the reference: it writes the text of further cases.",
        type=options.FILE_HERE,
        metavar="FILE",
    )
    inputs: str | None = options.option(
        "--input",
        "With --solution and no --from: what is typed in the sample run, with blanks between; ⏎ is Enter.",
        metavar="INPUTS",
    )
    keys: bool = options.flag(
        "--keys",
        "On an LC-3: what is typed are keys without Enter. Else several keys before the end of a line end with Enter.",
    )
    model: str | None = options.option(
        "--like", "Copy this spec and the files that it names, such as lc3-nim, to change it.", metavar="SPEC"
    )
    title: str = options.text("--title", "The title that students read; made of the name if not said.")
    points: int = options.option(
        "--points", "What all of it is worth.", type=click.IntRange(min=4), default=20, show_default=True
    )
    file: str = options.text("--file", "What the program is called that is handed in, such as main.c.", metavar="NAME")
    output: Path = options.option(
        "-o --output", "Where the folder is made; here if not said.", type=options.FOLDER, default=Path(), metavar="DIR"
    )


@options.command(Options)
def new(asked: Options) -> None:
    """Make a folder NAME with a spec that works at once: NAME.yaml, TEXT.md, reference.py and a first fixture.

    With --like the folder holds a copy of a spec, with its reference and all files that it names, so that it works where it lies.

    In the sample run mark what is typed, as ‹4›, **4**, <u>4</u> or <b>4</b>; --typed names other marks. With --solution and --input
    the sample run is what your solution prints. Nothing is ever overwritten.
    """
    sample, solution, inputs = asked.sample, asked.solution, asked.inputs
    if asked.model is not None:
        if sample or asked.typed or asked.language or solution or inputs or asked.file or asked.title:
            raise click.UsageError("--like copies a whole spec: leave out what says how a new one is made")
        copy = copy_spec(load(asked.model), asked.name, asked.output)
        click.echo(f"{copy}: a copy of {asked.model}, with the files that it names")
        click.echo(f"\nTry it:  grader lint {quote(str(copy))}")
        return
    text = decoded(sample.read(), sample.name) if sample is not None else ""
    language = asked.language or cast(Language, language_of(solution) if solution else "c")
    given = None if inputs is None else tuple(one.replace(ENTER_MARK, ENTER) for one in read_inputs(inputs))
    wish = Wish(
        asked.name, language, text, asked.typed, asked.title, asked.points, asked.file, solution, given, asked.keys
    )
    made = make(wish, asked.output)
    click.echo(f"{made.spec}: the spec, with the sample run as its first case")
    click.echo(f"{made.folder / 'TEXT.md'}: the text for students")
    if solution is None:
        click.echo(f"{made.folder / 'reference.py'}: what is right; so far it says the sample run")
        click.echo(f"{made.submission.parent}: a program that says the sample run, and the grade that it must get")
    else:
        click.echo(f"{made.folder / 'solution'}: what is right")
        click.echo(f"{made.submission.parent}: your solution, and the grade that it must get")
    spec, submission = quote(str(made.spec)), quote(str(made.submission))
    click.echo(f"\nTry it:  grader lint {spec}\n         grader check {spec} {submission}")
