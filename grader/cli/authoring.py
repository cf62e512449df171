"""Commands for authors of specs: ``grader new``, ``record``, ``fixtures`` and ``kit``."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from shlex import quote
from typing import IO, cast

import click

from grader.authoring.fixtures import try_fixtures
from grader.authoring.folder import LABS, Wish, copy_lab, copy_spec, lab_of, language_of, make
from grader.authoring.pasted import decoded
from grader.authoring.recording import as_case, play
from grader.cli import options
from grader.cli.submissions import load, warn
from grader.errors import EXIT_OK, EXIT_POINTS_LOST
from grader.lint.prices import fixtures_of
from grader.report.words import plural
from grader.sessions.simulated import unescaped
from grader.spec.expectations import ENTER
from grader.spec.languages import LANGUAGES, Language
from grader.spec.script_text import ENTER_MARK
from grader.spec.values import read_inputs
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class NewOptions:
    """The arguments and options of `grader new`."""

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
        "Language of the programs: c if not said, or that of the solution.",
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
        "With --solution and no --from: what is typed in the sample run, with spaces between; ⏎ is Enter.",
        metavar="INPUTS",
    )
    keys: bool = options.flag(
        "--keys",
        "On an LC-3: what is typed are keys without Enter. Else several keys before the end of a line end with Enter.",
    )
    model: str | None = options.option(
        "--like", "Copy this spec and the files that it names, such as lc3-nim, to change it.", metavar="SPEC"
    )
    kind: str = options.option(
        "--kind",
        "Kind of the lab: a dialogue as in a sample run (transcript), or a copy of a worked lab of another kind.",
        type=click.Choice(("transcript", *LABS)),
        default="transcript",
        show_default=True,
    )
    title: str = options.text("--title", "The title that students read; made of the name if not said.")
    points: int = options.option(
        "--points", "Points of the whole assignment.", type=click.IntRange(min=4), default=20, show_default=True
    )
    file: str = options.text("--file", "Name of the program that students hand in, such as main.c.", metavar="NAME")
    output: Path = options.option(
        "-o --output", "Where to make the folder; here if not said.", type=options.FOLDER, default=Path(), metavar="DIR"
    )


@options.command(NewOptions)
def new(asked: NewOptions) -> None:
    """Make a folder NAME with a spec that works at once: NAME.yaml, TEXT.md, reference.py and a first fixture.

    With --kind the folder holds a worked lab of that kind, with its text and its fixtures, to be changed.
    With --like the folder holds a copy of a spec, with its reference and all files that it names, so that it works where it lies.

    In the sample run mark what is typed, as ‹4›, **4**, <u>4</u> or <b>4</b>; --typed names other marks. With --solution and --input
    the sample run is what your solution prints. Nothing is ever overwritten.
    """
    sample, solution, inputs = asked.sample, asked.solution, asked.inputs
    if asked.kind != "transcript":
        if sample or asked.typed or solution or inputs or asked.file or asked.title or asked.model:
            raise click.UsageError(
                "--kind copies a whole lab: leave out what says how a new one is made, but --language"
            )
        lab = lab_of(asked.kind, asked.language)
        spec = quote(str(copy_lab(lab, asked.name, asked.output)))
        click.echo(f"{spec}: a copy of the worked lab {lab.stem}, with its text and its fixtures")
        click.echo(f"\nTry it:  grader lint {spec}\n         grader fixtures {spec}")
        return
    if asked.model is not None:
        if sample or asked.typed or asked.language or solution or inputs or asked.file or asked.title:
            raise click.UsageError("--like copies a whole spec: leave out the options of a new one")
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


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """The arguments and options of `grader import`."""

    source: Path = options.argument(type=options.FILE_HERE, metavar="FILE")
    name: str = options.argument()
    program: str = options.text(
        "--program",
        "The program that the spec is for, where there are tests of several: such as hello.py.",
        metavar="NAME",
    )
    output: Path = options.option(
        "-o --output", "Where to make the folder; here if not said.", type=options.FOLDER, default=Path(), metavar="DIR"
    )


@options.command(ImportOptions)
def import_(asked: ImportOptions) -> None:
    """Make a folder NAME with a spec of FILE, the autograding.json of GitHub Classroom.

    Tests of input and output become pairs, pytest becomes unit tests, and a compiler a case that builds. Each test is a criterion with its points. Whatever cannot be taken
    over is told with its line. Nothing is ever overwritten.
    """
    from grader.authoring.classroom import import_tests

    made = import_tests(asked.source, asked.name, asked.output, asked.program)
    click.echo(f"{made.spec}: {plural(made.taken, 'test')} of {asked.source}")
    for note in made.left:
        click.echo(note)
    click.echo(f"\nTry it:  grader lint {quote(str(made.spec))}")


@dataclass(frozen=True, slots=True)
class RecordOptions:
    """The arguments and options of `grader record`."""

    spec: str = options.argument()
    typed: str | None = options.option(
        "--input",
        "What is typed, with spaces between, as behind `play:`; ⏎ or \\n is Enter; asked for line by line if not said.",
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


@options.command(RecordOptions)
def record(asked: RecordOptions) -> None:
    """Play the reference of SPEC and print the run as a case with a `transcript`, to be put behind the last case of SPEC.

    Without --input each line that you type is one input: the keys of an LC-3 program too, and an empty line is Enter; Ctrl-D ends it.
    The program's output then goes to standard error, so that `grader record SPEC >> my-spec.yaml` works.
    """
    assignment = load(asked.spec)
    if asked.typed is None:
        # Without --input a person types: the program is heard at once, on standard error, so that the case alone goes into a file.
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


@dataclass(frozen=True, slots=True)
class FixturesOptions:
    """The arguments and options of `grader fixtures`."""

    spec: str = options.argument()
    names: tuple[str, ...] = options.argument(nargs=-1)
    accept: bool = options.flag("--accept", "Let each declare what it gets: review that before you keep it.")
    folder: Path | None = options.option(
        "--folder",
        "Folder of the fixtures; the folder fixtures beside SPEC if not said.",
        type=options.FOLDER_HERE,
        metavar="DIR",
    )


@options.command(FixturesOptions)
def fixtures(asked: FixturesOptions) -> int:
    """Grade the programs in fixtures/VERDICT/NAME/submission, and compare each grade with its expected.yaml.

    NAMES are parts of their names; all if not said. Exit code 0: all get what they declare; 1: one does not.
    """
    assignment = load(asked.spec)
    code = EXIT_OK
    folder = asked.folder or fixtures_of(assignment.path, assignment.spec)
    for tried in try_fixtures(assignment, folder, asked.names, accept=asked.accept):
        compared = "as declared" if not tried.differs else "differs" if tried.declares else "new"
        result = "written" if asked.accept else compared
        click.echo(f"{tried.name:<44} {tried.score:>12}  {result}")
        for line in tried.differs:
            click.echo(f"    {line}")
            code = EXIT_POINTS_LOST
    return code


SERVE = "python3 -m http.server --directory {}"


@dataclass(frozen=True, slots=True)
class KitOptions:
    """The arguments and options of `grader kit`."""

    spec: str = options.argument()
    output: Path | None = options.option(
        "-o --output", "The folder of the kit; ASSIGNMENT-kit if not said.", type=options.FOLDER, metavar="DIR"
    )
    with_reference: bool = options.flag(
        "--with-reference", "Also give out the reference, even if it is a program that could be handed in."
    )
    web: Path | None = options.option(
        "--web", "Make a page instead, for any web server: nothing is installed.", type=options.FOLDER, metavar="DIR"
    )


@options.command(KitOptions)
def kit(asked: KitOptions) -> None:
    """Make a folder for the students of SPEC: the visible cases, how to install the grader and how to call it.

    With --web the folder is a page that checks programs in LC-3 and MIPS assembly in the student's browser. Its parts are
    downloaded once, and kept.

    Hidden cases are in neither: not their titles, nor what they type or expect. A folder with an earlier kit is written anew.
    """
    from grader.kit.folder import write_kit

    web = asked.web
    if web is not None and (asked.output is not None or asked.with_reference):
        raise click.UsageError("--web names the folder of the page; -o and --with-reference are for the command line")
    assignment = load(asked.spec)
    if web is not None:
        from grader.kit.web import write_page

        page = write_page(assignment, web)
        click.echo(told(web, page.shown, page.left_out))
        click.echo(f"Try it: {SERVE.format(quote(str(web)))}, then open http://localhost:8000")
        return
    folder = asked.output or Path(f"{assignment.id}-kit")
    made = write_kit(assignment, folder, with_reference=asked.with_reference)
    click.echo(told(folder, made.shown, made.left_out))


def told(folder: Path, shown: int, left_out: int) -> str:
    """One line on a kit: its folder, and how many cases are in it."""
    hidden = f"; {left_out} that students may not see are left out" if left_out else ""
    return f"{folder}: {plural(shown, 'case')}{hidden}"
