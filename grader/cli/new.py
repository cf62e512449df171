"""``grader new``: the folder of a new spec, made of the sample run of a handout."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import IO, cast

import click

from grader.spec.languages import LANGUAGES, Language


@click.command()
@click.argument("name")
@click.option(
    "--from",
    "sample",
    type=click.File("rb"),
    metavar="FILE",
    help="The sample run as it stands in the handout; - for standard input. A run of two lines if not said.",
)
@click.option(
    "--typed",
    default="",
    metavar="MARKS",
    help="How typed input is marked there: '[…]', '> …' for the rest of a line, or none where nothing is typed.",
)
@click.option(
    "-l",
    "--language",
    type=click.Choice(LANGUAGES),
    help="What programs are written in: c if not said, or what the solution is written in.",
)
@click.option(
    "--solution",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Your own solution, which becomes the reference: it writes the text of further cases.",
)
@click.option(
    "--input",
    "inputs",
    metavar="INPUTS",
    help="With --solution and no --from: what is typed in the sample run, with blanks between; ⏎ is Enter.",
)
@click.option(
    "--keys",
    is_flag=True,
    help="On an LC-3: what is typed are keys without Enter. Else several keys before the end of a line end with Enter.",
)
@click.option(
    "--like", "model", metavar="SPEC", help="Copy this spec and the files that it names, such as lc3-nim, to change it."
)
@click.option("--title", default="", help="The title that students read; made of the name if not said.")
@click.option("--points", type=click.IntRange(min=4), default=20, show_default=True, help="What all of it is worth.")
@click.option(
    "--file", default="", metavar="NAME", help="What the program is called that is handed in, such as main.c."
)
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    metavar="DIR",
    help="Where the folder is made; here if not said.",
)
def new(  # noqa: PLR0913  (one for each option)
    *,
    name: str,
    sample: IO[bytes] | None,
    typed: str,
    language: str | None,
    solution: Path | None,
    inputs: str | None,
    keys: bool,
    model: str | None,
    title: str,
    points: int,
    file: str,
    output: Path,
) -> int:
    """Make a folder NAME with a spec that works at once: NAME.yaml, TEXT.md, reference.py and a first fixture.

    With --like the folder holds a copy of a spec, with its reference and all files that it names, so that it works where it lies.

    In the sample run mark what is typed, as ‹4›, **4**, <u>4</u> or <b>4</b>; --typed names other marks. With --solution and --input
    the sample run is what your solution prints. Nothing is ever overwritten.
    """
    from grader.authoring.folder import Wish, language_of, make
    from grader.authoring.pasted import decoded
    from grader.errors import EXIT_OK
    from grader.spec.expectations import ENTER
    from grader.spec.script_text import ENTER_MARK
    from grader.spec.values import read_inputs

    if model is not None:
        return _like(
            name, model, output, alone=not (sample or typed or language or solution or inputs or file or title)
        )
    text = decoded(sample.read(), sample.name) if sample is not None else ""
    written_in = language or (language_of(solution) if solution else "c")
    given = None if inputs is None else tuple(one.replace(ENTER_MARK, ENTER) for one in read_inputs(inputs))
    wish = Wish(name, cast(Language, written_in), text, typed, title, points, file, solution, given, keys)
    made = make(wish, output)
    spec, submission = quote(str(made.spec)), quote(str(made.submission))
    click.echo(f"{made.spec}: the spec, with the sample run as its first case")
    click.echo(f"{made.folder / 'TEXT.md'}: the text for students")
    if solution is None:
        click.echo(f"{made.folder / 'reference.py'}: what is right; so far it says the sample run")
        click.echo(f"{made.submission.parent}: a program that says the sample run, and the grade that it must get")
    else:
        click.echo(f"{made.folder / 'solution'}: what is right")
        click.echo(f"{made.submission.parent}: your solution, and the grade that it must get")
    click.echo(f"\nTry it:  grader lint {spec}\n         grader check {spec} {submission}")
    return EXIT_OK


def _like(name: str, model: str, output: Path, *, alone: bool) -> int:
    from grader.authoring.like import copy_spec
    from grader.cli.submissions import load
    from grader.errors import EXIT_OK

    if not alone:
        raise click.UsageError("--like copies a whole spec: leave out what says how a new one is made")
    spec = copy_spec(load(model), name, output)
    click.echo(f"{spec}: a copy of {model}, with the files that it names")
    click.echo(f"\nTry it:  grader lint {quote(str(spec))}")
    return EXIT_OK
