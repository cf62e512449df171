"""``grader run``: play a program by hand or from a pipe."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.errors import EXIT_OK, EXIT_POINTS_LOST
from grader.machines.families import PROFILES_OF, language_with
from grader.sessions.session import Session
from grader.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.cli.native import HandedIn
    from grader.sessions.session import Setup
    from grader.sessions.simulated import SimulatedSession
    from grader.transcript import Ending

PROFILES = tuple(name for names in PROFILES_OF.values() for name in names)
_OUTPUT_LIMIT = 1 << 30


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--spec", help="Build and limit the program as this spec says; FILES is then a submission, or an archive of one."
)
@click.option(
    "--batch",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Run what FILES, a student of this batch, handed in: by number, name or the name of the page.",
)
@click.option("--profile", type=click.Choice(PROFILES), help="Edition of the machine; the usual one if not said.")
@click.option(
    "--start", type=click.Choice(("first", "main")), help="Where a MIPS program begins; as usual if not said."
)
@click.option(
    "--input", "keys", default="", help="What to type first (\\n is Enter); the rest comes from standard input."
)
@click.option(
    "--end/--no-end",
    default=None,
    help="End the input behind what --input types, or leave it open behind --input-file: the rest comes from standard input.",
)
@click.option(
    "--input-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Give the program this file as its whole input.",
)
@click.option("--argument", "arguments", multiple=True, help="A word behind the program's name; once for each.")
@click.option(
    "--file",
    "given",
    multiple=True,
    metavar="NAME[=TEXT|@PATH]",
    help="A file that the program finds in its folder: NAME from here, with this TEXT (\\n ends a line), or from PATH.",
)
@click.option("--seed", type=int, help="Draw other random numbers, and fill what a machine leaves open by them.")
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=50_000_000,
    show_default=True,
    help="Instructions at most; a spec has its own.",
)
@click.option(
    "--trace", is_flag=True, help="Write every executed instruction, with the registers it changes, to standard error."
)
@click.option("--stats", is_flag=True, help="Write counts to standard error.")
def run(  # noqa: PLR0913  (one for each option)
    *,
    files: tuple[Path, ...],
    spec: str | None,
    batch: Path | None,
    profile: str | None,
    start: str | None,
    keys: str,
    end: bool | None,
    input_file: Path | None,
    arguments: tuple[str, ...],
    given: tuple[str, ...],
    seed: int | None,
    budget: int,
    trace: bool,
    stats: bool,
) -> int:
    """Build and run FILES: LC-3 or MIPS by what the first looks like, C, C++, Java or Python by its name.

    Several files make one program, which begins with the first. With --spec or --batch the program is found, built and
    limited as it is for grading. Standard output gets exactly what the program prints; all else goes to standard error. On a
    terminal a key or a line is read, as the program asks (Ctrl-D ends the input). The exit code is 0 after a normal end and 1
    after any other.
    """
    from grader.cli.native import HandedIn, is_native, play_native
    from grader.sessions.session import Setup
    from grader.sessions.simulated import unescaped

    setup = Setup(arguments, dict(map(_file, given)))
    if input_file is not None:
        if keys:
            raise click.UsageError("--input-file is the whole input: leave out --input")
        keys = escaped_file(input_file)
    ends = input_file is not None if end is None else end
    options = Options(profile, start, keys, ends, setup, seed, budget, trace, stats)
    if batch is not None:
        if len(files) != 1 or spec is not None:
            raise click.UsageError("with --batch name one student, and no --spec: the batch has its own")
        handed_in = HandedIn.in_batch(batch, str(files[0]))
    else:
        for file in files:
            if not file.exists():
                raise click.BadParameter(f"Path '{file}' does not exist.", param_hint="'FILES...'")
        if spec is None and not is_native(files):
            return _simulated(files, options)
        handed_in = HandedIn.named(files, spec)
    if handed_in.spec.program.simulated:
        return _as_graded(handed_in, options)
    lines = unescaped(keys).encode("utf-8", "surrogateescape").splitlines(keepends=True)
    return play_native(
        handed_in,
        lambda session: _played(session, lines, _send(session), session.advance, end=ends, stats=stats),
        setup,
        seed,
    )


def escaped_file(path: Path) -> str:
    """The text of a file as --input takes it. Raises UsageError where it cannot be read."""
    from grader.sessions.simulated import escaped

    return escaped(_bytes(path).decode("utf-8", "surrogateescape"))


def _file(said: str) -> tuple[str, bytes]:
    """The name and contents of a file that is given on the command line."""
    from grader.sessions.simulated import unescaped

    name, sign, rest = said.partition(sign) if (sign := _first_sign(said)) else (said, "", "")
    if sign == "=":
        return name, unescaped(rest).encode("utf-8", "surrogateescape")
    return name, _bytes(Path(rest or name))


def _first_sign(said: str) -> str:
    return next((char for char in said if char in "=@"), "")


def _bytes(path: Path) -> bytes:
    from grader.errors import UsageError

    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read it: {error.strerror}", place=str(path)) from error


@dataclass(frozen=True, slots=True)
class Options:
    """What can be said about the run of a simulated program; the options of the command."""

    profile: str | None
    start: str | None
    keys: str
    end: bool
    setup: Setup
    seed: int | None
    budget: int
    trace: bool
    stats: bool


def _as_graded(handed_in: HandedIn, options: Options) -> int:
    """Run a simulated program as it is found and built for grading, under one of the profiles of its spec."""
    from grader.build.simulated import build_simulated
    from grader.cli.native import say_built
    from grader.sessions.simulated import SimulatedProgram

    built = build_simulated(
        handed_in.spec, handed_in.submission, handed_in.assignment.support if handed_in.assignment else ()
    )
    say_built(built)
    profile = options.profile or (built.usual if built.usual in built.programs else next(iter(built.programs), ""))
    program = built.programs.get(profile)
    if built.programs and program is None:
        raise click.UsageError(f"the program is not built for {profile}; --profile may be {', '.join(built.programs)}")
    if not isinstance(program, SimulatedProgram):
        return EXIT_POINTS_LOST
    _demand_folder(program.family.language, profile, options.setup)
    return _played_on_machine(program.start(profile, seed=options.seed, setup=options.setup), options)


def _simulated(files: tuple[Path, ...], options: Options) -> int:
    from grader.cli.program import assembled, family_of, read_source
    from grader.sessions.simulated import SimulatedProgram
    from grader.spec.model import Limits

    sources = [read_source(file) for file in files]
    machine = family_of(sources[0], language_with(options.profile) if options.profile else None)
    profile = options.profile or PROFILES_OF[machine.language][0]
    assembly = assembled(sources, machine, machine.dialect_of(profile), options.start or "")
    if assembly.image is None:
        return EXIT_POINTS_LOST
    limits = Limits(instructions=options.budget, output=_OUTPUT_LIMIT)
    _demand_folder(machine.language, profile, options.setup)
    program = SimulatedProgram(machine, assembly.image, limits)
    return _played_on_machine(program.start(profile, seed=options.seed, setup=options.setup), options)


def _demand_folder(language: str, profile: str, setup: Setup) -> None:
    """Raise UsageError where a machine has no arguments or files to give to a program."""
    if language == "lc3" and not setup.plain:
        raise click.UsageError("an LC-3 program has neither arguments nor files")
    if profile == "mipsy" and setup.arguments:
        raise click.UsageError("mipsy hands a program no arguments")


def _played_on_machine(session: SimulatedSession, options: Options) -> int:
    from grader.sessions.simulated import as_keys, unescaped

    advance = (lambda: session.trace(_show)) if options.trace else session.advance
    keys = [as_keys(unescaped(options.keys))]
    return _played(session, keys, session.type_bytes, advance, end=options.end, stats=options.stats)


def _send(session: Session) -> Callable[[bytes], None]:
    """Gives a program of the computer itself what was typed."""
    return lambda typed: session.send(typed.decode("utf-8", "surrogateescape"))


def _played(
    session: Session,
    first: list[bytes],
    give: Callable[[bytes], None],
    advance: Callable[[], Ending | None],
    *,
    end: bool,
    stats: bool,
) -> int:
    """Give the program what is typed, whenever it waits: ``first``, then standard input, or the end. At its end say how it ended.

    It is left where it is once nobody reads what it prints.
    """
    from grader.checks.ending import ended
    from grader.cli.keyboard import Keyboard
    from grader.cli.streams import put, unread

    rest = iter(first)
    in_line = False  # whether the cursor stands behind something
    with Keyboard() as keyboard:
        while True:
            ending = advance()
            printed = session.take_output()
            put(printed)
            in_line = not printed.endswith(b"\n") if printed else in_line
            if unread():
                return EXIT_POINTS_LOST
            if ending is not None:
                _report(session, ending, stats=stats, in_line=in_line)
                return EXIT_OK if ended(ending) else EXIT_POINTS_LOST
            typed = next(rest, b"") or (b"" if end else keyboard.read(session.wants))
            if typed:
                give(typed)
                in_line = in_line and not (keyboard.shows_lines and typed.endswith(b"\n"))
            else:
                session.close_input()


def _show(step: str) -> None:
    click.echo(step, err=True)


def _report(session: Session, ending: Ending, *, stats: bool, in_line: bool) -> None:
    """Say on standard error how it ended, if not well, and what it took, on lines of their own."""
    from grader.checks.ending import ended
    from grader.report import shown

    lines: list[str] = []
    if not ended(ending):
        where = f"{ending.place}: " if ending.place else ""
        lines += [f"grader: {where}{ending.message}", *filter(None, [ending.excerpt]), *ending.last_steps]
    if ending.errors and not ending.last_steps:  # else they are the last lines of it
        lines.insert(0, shown.plain(ending.errors.rstrip("\n")))
    if stats:
        lines.append(f"grader: {session.instructions} instructions")
    if lines:
        click.echo(("\n" if in_line else "") + "\n".join(lines), err=True)
